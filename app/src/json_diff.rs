//! The difference between two JSON values, field by field, for display. Objects are compared by their fields; lists and
//! plain values as a whole.

use serde_json::Value;

/// One field on both sides; `None` where it does not exist.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldDiff {
    /// The path of the field, with dots.
    pub path: String,
    /// Its value before.
    pub before: Option<Value>,
    /// Its value after.
    pub after: Option<Value>,
}

impl FieldDiff {
    /// Whether both sides differ.
    pub fn is_changed(&self) -> bool {
        self.before != self.after
    }
}

/// The fields of both sides by name, added ones last. `null` counts as an object without fields.
pub fn fields(before: &Value, after: &Value) -> Vec<FieldDiff> {
    let mut rows = Vec::new();
    collect("", before, &mut |path, value| {
        rows.push(FieldDiff { path, before: Some(value.clone()), after: None });
    });
    collect("", after, &mut |path, value| match rows.iter_mut().find(|row| row.path == path) {
        Some(row) => row.after = Some(value.clone()),
        None => rows.push(FieldDiff { path, before: None, after: Some(value.clone()) }),
    });
    rows
}

/// A value as people read it: texts without quotes, lists and objects as indented JSON.
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) => serde_json::to_string_pretty(value).unwrap_or_default(),
        _ => value.to_string(),
    }
}

fn collect(path: &str, value: &Value, visit: &mut impl FnMut(String, &Value)) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            // The order of a map depends on features of serde_json.
            let mut fields: Vec<_> = map.iter().collect();
            fields.sort_by_key(|(key, _)| *key);
            for (key, value) in fields {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                collect(&path, value, visit);
            }
        }
        Value::Null if path.is_empty() => {}
        _ => visit(path.to_owned(), value),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(path: &str, before: Option<Value>, after: Option<Value>) -> FieldDiff {
        FieldDiff { path: path.to_owned(), before, after }
    }

    #[test]
    fn nested_fields_stand_with_their_path_and_both_values() {
        let before = json!({ "branding": { "title": "Old", "colour": null } });
        let after = json!({ "branding": { "title": "New", "colour": null } });
        let rows = fields(&before, &after);
        assert_eq!(rows[0], row("branding.colour", Some(Value::Null), Some(Value::Null)));
        assert_eq!(rows[1], row("branding.title", Some(json!("Old")), Some(json!("New"))));
        assert_eq!(rows.iter().map(FieldDiff::is_changed).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn a_creation_has_no_values_before() {
        let rows = fields(&Value::Null, &json!({ "slug": "harbor" }));
        assert_eq!(rows, [row("slug", None, Some(json!("harbor")))]);
    }

    #[test]
    fn lists_are_compared_as_wholes_and_read_as_json() {
        let rows = fields(&json!({ "ids": ["a"] }), &json!({ "ids": ["a", "b"] }));
        assert_eq!(rows.len(), 1);
        assert_eq!(text(&json!(["a"])), "[\n  \"a\"\n]");
        assert_eq!(text(&json!("plain")), "plain");
    }
}
