//! Keycloak's placeholders: `${NAME}` and `${NAME:default}` in any text of a realm file.
//!
//! They are replaced after parsing, so that a value with quotes cannot change the structure of the file.

use std::{collections::BTreeMap, path::Path};

use serde_json::Value;

use crate::error::Error;

/// Why a placeholder cannot be filled in.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PlaceholderError {
    /// No such variable, and no default.
    Missing(String),
    /// `${` without `}`.
    Unterminated(String),
}

impl PlaceholderError {
    pub(super) fn at(self, path: &Path) -> Error {
        let path = path.to_owned();
        match self {
            Self::Missing(name) => Error::MissingVariable { path, name },
            Self::Unterminated(text) => {
                Error::InvalidRealm { path, reason: format!("the placeholder that begins in {text:?} has no end") }
            }
        }
    }
}

/// Fills in the placeholders of every text below a value.
pub(super) fn fill(value: &mut Value, variables: &BTreeMap<String, String>) -> Result<(), PlaceholderError> {
    match value {
        Value::String(text) if text.contains("${") => *text = expand(text, variables)?,
        Value::Array(items) => items.iter_mut().try_for_each(|item| fill(item, variables))?,
        Value::Object(fields) => fields.values_mut().try_for_each(|field| fill(field, variables))?,
        _ => {}
    }
    Ok(())
}

fn expand(text: &str, variables: &BTreeMap<String, String>) -> Result<String, PlaceholderError> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let (inner, remainder) =
            after.split_once('}').ok_or_else(|| PlaceholderError::Unterminated(text.to_owned()))?;
        let (name, default) = match inner.split_once(':') {
            Some((name, default)) => (name, Some(default)),
            None => (inner, None),
        };
        out.push_str(before);
        out.push_str(match (variables.get(name), default) {
            (Some(value), _) => value,
            (None, Some(default)) => default,
            (None, None) => return Err(PlaceholderError::Missing(name.to_owned())),
        });
        rest = remainder;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn variables() -> BTreeMap<String, String> {
        BTreeMap::from([("URL".to_owned(), "http://127.0.0.1:8080".to_owned()), ("Q".to_owned(), "a\"b".to_owned())])
    }

    #[test]
    fn placeholders_anywhere_in_the_file_are_filled_in() {
        let mut value = json!({"a": ["${URL}/x/*", {"b": "${NONE:false} ${URL}"}], "c": 3});
        fill(&mut value, &variables()).unwrap();
        assert_eq!(value, json!({"a": ["http://127.0.0.1:8080/x/*", {"b": "false http://127.0.0.1:8080"}], "c": 3}));
    }

    #[test]
    fn a_missing_variable_is_named() {
        assert_eq!(fill(&mut json!(["${SECRET}"]), &variables()), Err(PlaceholderError::Missing("SECRET".to_owned())));
    }

    #[test]
    fn a_placeholder_without_end_is_refused() {
        assert!(matches!(fill(&mut json!("${URL"), &variables()), Err(PlaceholderError::Unterminated(_))));
    }

    #[test]
    fn a_value_with_quotes_stays_one_text() {
        let mut value = json!({"secret": "${Q}"});
        fill(&mut value, &variables()).unwrap();
        assert_eq!(value["secret"], "a\"b");
    }

    #[test]
    fn values_like_placeholders_are_not_expanded() {
        let variables = BTreeMap::from([("A".to_owned(), "${B}".to_owned())]);
        let mut value = json!("${A}");
        fill(&mut value, &variables).unwrap();
        assert_eq!(value, "${B}");
    }
}
