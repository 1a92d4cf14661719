//! The widget's texts: one JSON file per language, passed to the widget as lines in the alphabetical order of their
//! names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::error::{Error, Result};

/// The fallback language.
const ENGLISH: &str = "en";

/// The texts of all languages, by their tags.
#[derive(Debug)]
pub(super) struct Texts(BTreeMap<String, BTreeMap<String, String>>);

impl Texts {
    /// Reads the files of a folder.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let mut languages = BTreeMap::new();
        for entry in fs::read_dir(folder).map_err(Error::io("reading", folder))?.flatten() {
            let path = entry.path();
            let Some(tag) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
            let text = fs::read_to_string(&path).map_err(Error::io("reading", &path))?;
            let texts = serde_json::from_str(&text)
                .map_err(|error| Error::Other(format!("reading {}: {error}", path.display())))?;
            languages.insert(tag.to_owned(), texts);
        }
        let Some(english) = languages.get(ENGLISH) else { return Err(Error::Other("no English texts".to_owned())) };
        match languages.iter().find(|(_, texts): &(_, &BTreeMap<_, _>)| !texts.keys().eq(english.keys())) {
            Some((tag, _)) => {
                Err(Error::Other(format!("the widget's texts in {tag} and in {ENGLISH} differ in their names")))
            }
            None => Ok(Self(languages)),
        }
    }

    /// The lines of all languages.
    pub(super) fn all(&self) -> String {
        self.0.iter().map(|(tag, texts)| lines(tag, texts)).collect()
    }

    /// Number of lines in the file of a language.
    pub(super) fn line_count(&self) -> usize {
        self.0[ENGLISH].len() + 1
    }

    /// The lines of each language.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, String)> {
        self.0.iter().map(|(tag, texts)| (tag.as_str(), lines(tag, texts)))
    }

    /// The launcher's label in each language, which it has before the texts are there.
    pub(super) fn labels(&self) -> BTreeMap<&str, &str> {
        self.0.iter().map(|(tag, texts)| (tag.as_str(), texts["open"].as_str())).collect()
    }
}

/// The tag, and each text of the WASM part on its own line.
fn lines(tag: &str, texts: &BTreeMap<String, String>) -> String {
    texts.values().fold(tag.to_owned(), |lines, text| lines + "\n" + text)
}
