//! Reads what a client sent, so that an error names its place.
//!
//! serde reads the fields of a flattened part only after all others, from a buffer. An error in such a field would have the place
//! of the whole structure. So the part notes the place itself, in front of the error's message, and [`read`] takes it from there.

use serde::{Deserialize, Deserializer, de::Error as _};
use serde_path_to_error::Segment;

/// Why input cannot be read, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct InputError {
    /// The names and list indexes that lead to the place. Empty for the whole input.
    pub path: Vec<String>,
    pub message: String,
}

/// What is written before and after a place that is part of a message.
const PLACE: (&str, &str) = ("at `", "`: ");

/// Reads the whole input.
///
/// # Errors
/// When it does not fit the type.
pub fn read<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, InputError> {
    serde_path_to_error::deserialize(deserializer).map_err(|error| {
        let mut path: Vec<String> = error.path().iter().filter_map(name).collect();
        let text = error.inner().to_string();
        let text = text.split(" at line ").next().unwrap_or(&text);
        let noted = text.strip_prefix(PLACE.0).and_then(|rest| rest.split_once(PLACE.1));
        path.extend(noted.into_iter().flat_map(|(place, _)| place.split('.')).map(str::to_owned));
        InputError { path, message: noted.map_or(text, |(_, message)| message).to_owned() }
    })
}

/// Reads a flattened part of a request: `#[serde(flatten, deserialize_with = "crate::input::part")]`.
pub(crate) fn part<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    read(deserializer).map_err(|InputError { path, message }| match path.as_slice() {
        [] => D::Error::custom(message),
        path => D::Error::custom(format_args!("{}{}{}{message}", PLACE.0, path.join("."), PLACE.1)),
    })
}

fn name(segment: &Segment) -> Option<String> {
    match segment {
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Map { key } => Some(key.clone()),
        Segment::Enum { .. } | Segment::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    use super::*;
    use crate::{
        branding::{ChatbotBrandingPatch, OperatorBrandingPatch},
        templates::NewTemplate,
    };

    fn error<T: DeserializeOwned>(input: &Value) -> (String, String) {
        let Err(error) = read::<T, _>(input) else { panic!("{input} is good") };
        (error.path.join("/"), error.message)
    }

    fn place<T: DeserializeOwned>(input: &Value) -> String {
        error::<T>(input).0
    }

    #[test]
    fn an_error_in_a_flattened_part_names_its_field() {
        let message = "invalid type: integer `7`, expected a string".to_owned();
        let new = json!({ "id": "support", "language": "en", "name": "A", "welcome_message": 7 });
        assert_eq!(error::<NewTemplate>(&new), ("welcome_message".to_owned(), message));
        assert_eq!(place::<ChatbotBrandingPatch>(&json!({ "theme": "blue" })), "theme");
    }

    #[test]
    fn an_error_in_a_part_of_a_part_names_its_field() {
        for (input, field) in [
            (json!({ "border_radius": "x", "unknown": 5 }), "border_radius"),
            (json!({ "allowed_origins": ["https://example.com", 7] }), "allowed_origins/1"),
            (json!({ "custom_css": 7 }), "custom_css"),
        ] {
            assert_eq!(place::<OperatorBrandingPatch>(&input), field);
        }
    }

    #[test]
    fn an_error_deep_in_a_flattened_part_names_its_place() {
        let mut new = json!({ "id": "support", "language": "en", "name": "A" });
        new["faq_seed"] = json!([{ "question": "Why?", "answer": 7 }]);
        assert_eq!(place::<NewTemplate>(&new), "faq_seed/0/answer");
    }

    #[test]
    fn a_missing_field_of_a_flattened_part_is_named_by_the_message() {
        let new = json!({ "id": "support", "language": "en" });
        assert_eq!(error::<NewTemplate>(&new), (String::new(), "missing field `name`".to_owned()));
    }

    #[test]
    fn every_flattened_part_of_a_request_notes_the_place_of_errors() {
        let mut requests = 0;
        for (name, body) in structures_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
            if name.ends_with("Query") || name.ends_with("Patch") || name.starts_with("New") {
                requests += usize::from(body.contains("input::part"));
                assert!(!body.contains("#[serde(flatten)]"), "{name} needs deserialize_with = \"crate::input::part\"");
            }
        }
        assert!(requests > 10, "{requests}");
    }

    /// The structures in the files of a folder and below it, each with its name and its fields.
    fn structures_below(folder: &Path) -> Vec<(String, String)> {
        let mut structures = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                structures.extend(structures_below(&path));
                continue;
            }
            let source = fs::read_to_string(&path).unwrap();
            structures.extend(source.split("\npub struct ").skip(1).filter_map(|rest| {
                let (name, rest) = rest.split_once(" {")?;
                Some((name.to_owned(), rest.split("\n}").next()?.to_owned()))
            }));
        }
        structures
    }
}
