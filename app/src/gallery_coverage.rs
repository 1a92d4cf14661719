//! Checks that the gallery of the operator console shows every component of the design system.

use std::{fs, path::Path};

/// Components that the console places around the gallery, and parts of other components.
const PLACED_ELSEWHERE: [&str; 6] = ["AppShell", "LazyPage", "PaletteChoices", "Shortcuts", "Toasts", "UnsavedGuard"];

#[test]
fn every_component_is_shown_in_the_gallery() {
    let app = Path::new(env!("CARGO_MANIFEST_DIR"));
    let console = app.join("../frontend-operator/src");
    let page = fs::read_to_string(console.join("gallery.rs")).expect("the page is read");
    let gallery = page + &text_of(&console.join("gallery"));
    let components = components(&text_of(&app.join("src/ui")));
    assert!(components.len() > 40, "components are found: {components:?}");
    let missing: Vec<_> = components
        .iter()
        .filter(|name| !PLACED_ELSEWHERE.contains(&name.as_str()) && !is_shown(&gallery, name))
        .collect();
    assert!(missing.is_empty(), "not in frontend-operator/src/gallery: {missing:?}");
    for name in PLACED_ELSEWHERE {
        assert!(components.iter().any(|component| component == name), "there is no {name} any more");
    }
}

/// The files of a folder one after the other, those of its folders included.
fn text_of(folder: &Path) -> String {
    fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| {
            let path = entry.expect("the entry is read").path();
            if path.is_dir() { text_of(&path) } else { fs::read_to_string(path).expect("the file is read") }
        })
        .collect()
}

/// The names of the public components.
fn components(source: &str) -> Vec<String> {
    source
        .split("#[component]\n")
        .skip(1)
        .filter_map(|rest| rest.strip_prefix("pub fn "))
        .map(|rest| rest.chars().take_while(|letter| letter.is_alphanumeric()).collect())
        .collect()
}

fn is_shown(gallery: &str, name: &str) -> bool {
    let tag = format!("<{name}");
    gallery.match_indices(&tag).any(|(at, _)| !gallery[at + tag.len()..].starts_with(char::is_alphanumeric))
}
