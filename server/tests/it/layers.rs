//! Modules import in one direction: in the server HTTP is on top, and no crate has import cycles but the known one of
//! `app`.

pub mod imports;

use imports::{Graph, Module};

/// The server's top-level modules from the lowest layer to the highest. A module imports from its own layer and those below.
const LAYERS: [&[&str]; 6] = [
    &[
        "admission",
        "auth",
        "caller",
        "child",
        "client_ip",
        "config",
        "embedded",
        "error",
        "hex",
        "identity_admin",
        "metrics",
        "precondition",
        "sandbox",
        "storage",
        "shutdown",
        "telemetry",
    ],
    &["export", "state"],
    &["service"],
    &["backup", "demo", "doctor", "eval"],
    &["http"],
    &["cli"],
];

fn layer(module: &Module) -> usize {
    let top = module.0.first().map_or("", String::as_str);
    LAYERS.iter().position(|names| names.contains(&top)).unwrap_or_else(|| panic!("`{top}` has no layer"))
}

#[test]
fn modules_import_from_their_own_layer_and_below() {
    let graph = Graph::of("src");
    let is_upward = |from: &Module, to: &Module| !to.0.is_empty() && layer(from) < layer(to);
    let upward: Vec<String> = graph
        .imports()
        .filter(|(from, to)| is_upward(from, to))
        .map(|(from, to)| format!("{from} imports {to}"))
        .collect();
    assert_eq!(upward, [""; 0]);
}

#[test]
fn no_two_modules_import_each_other() {
    assert_eq!(Graph::of("src").circles(), [""; 0]);
}

#[test]
fn no_two_folders_of_a_parent_import_each_other() {
    let native = ["src", "store/src", "rag/src", "encoder/src", "idp/src", "../xtask/src", "../evaluation/src"];
    let of_browsers = ["../app/contract/src", "../frontend-operator/src", "../frontend-tenant/src", "../widget/src"];
    for folder in native.into_iter().chain(of_browsers) {
        assert_eq!(Graph::of(folder).of_siblings().circles(), [""; 0], "{folder}");
    }
}

#[test]
fn only_known_modules_shared_by_the_consoles_form_a_circle() {
    // A call needs the sign-in, a sign-out asks unsaved forms, forms have components, and components call and sign out.
    let allowed = ["api", "auth", "branding", "console", "form", "page_task", "resource", "session", "theme", "ui"];
    let is_known = |line: &String| line.split(" imports ").all(|module| allowed.contains(&module));
    let mut circles = Graph::of("../app/src").of_siblings().circles();
    circles.retain(|line| !is_known(line));
    assert_eq!(circles, [""; 0]);
}

#[test]
fn imports_are_found_however_they_are_written() {
    let text = r#"
        //! As in `crate::comment`.
        use crate::{a::{self, B}, c::*};
        pub(super) use super::sibling::{One, Two as Other};
        fn f() -> crate::d::Type { "crate::text".len(); '"'; crate::e::f::<u8>() } // crate::comment
        macro_rules! names { ($name:ident) => { crate::g::Type::$name } }
        #[cfg(test)]
        const SEARCHED: crate::h::Count = 0;
        #[cfg(test)]
        mod tests { use crate::test; }
    "#;
    let paths = imports::paths(text, &Module::new("parent::own"));
    let expected = "a a::B c::* parent::sibling::One parent::sibling::Two d::Type e::f g::Type h::Count";
    assert_eq!(paths, expected.split(' ').map(Module::new).collect::<Vec<_>>());
}
