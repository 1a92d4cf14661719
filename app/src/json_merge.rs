//! A three-way merge of JSON: the version that a form began with, the form's version, and the current one. Changes of
//! different fields are merged, and so are entries of one list of texts, and of one list of questions with answers.
//! Where both sides changed the same value, there is a conflict.

use serde_json::{Map, Value};

/// Both sides' changes together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Merged {
    /// The resource with the changes of both; of a collision the form's.
    pub value: Value,
    /// Fields that both sides changed differently, each with its stored value.
    pub collisions: Vec<(String, Value)>,
}

/// Applies `changes`, made to `old`, to `newer`.
pub(crate) fn merge(old: &Value, changes: Value, newer: &Value) -> Merged {
    let mut mine = old.clone();
    if let (Some(mine), Value::Object(changes)) = (mine.as_object_mut(), changes) {
        mine.extend(changes);
    }
    let mut collisions = Vec::new();
    let value = three_way("", old, &mine, newer, &mut collisions);
    Merged { value, collisions }
}

fn three_way(name: &str, old: &Value, mine: &Value, newer: &Value, collisions: &mut Vec<(String, Value)>) -> Value {
    if mine == old || mine == newer {
        return newer.clone();
    }
    if newer == old {
        return mine.clone();
    }
    if let (Value::Object(old), Value::Object(mine), Value::Object(newer)) = (old, mine, newer) {
        return objects(old, mine, newer, collisions);
    }
    if let (Some(old), Some(mine), Some(newer)) = (texts(old), texts(mine), texts(newer)) {
        return lists(&old, &mine, &newer);
    }
    if let (Some(old), Some(mine), Some(newer)) = (rows(old), rows(mine), rows(newer)) {
        return by_question(name, &old, &mine, &newer, collisions);
    }
    collisions.push((name.to_owned(), newer.clone()));
    mine.clone()
}

fn objects(
    old: &Map<String, Value>,
    mine: &Map<String, Value>,
    newer: &Map<String, Value>,
    collisions: &mut Vec<(String, Value)>,
) -> Value {
    let names = newer.keys().chain(mine.keys().filter(|name| !newer.contains_key(*name)));
    let of = |side: &Map<String, Value>, name: &String| side.get(name).cloned().unwrap_or_default();
    names
        .map(|name| (name.clone(), three_way(name, &of(old, name), &of(mine, name), &of(newer, name), collisions)))
        .collect()
}

fn texts(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}

/// The newer list without what the form removed, and with what it added.
fn lists(old: &[&str], mine: &[&str], newer: &[&str]) -> Value {
    let remaining = newer.iter().filter(|entry| mine.contains(entry) || !old.contains(entry));
    let added = mine.iter().filter(|entry| !old.contains(entry) && !newer.contains(entry));
    remaining.chain(added).copied().collect()
}

type Rows<'a> = Vec<(&'a str, &'a Value)>;

/// The rows of a list of questions, each with its question; `None` when a row has no question or two rows have the
/// same.
fn rows(value: &Value) -> Option<Rows<'_>> {
    let mut rows = Rows::new();
    for row in value.as_array()? {
        let question = row.get("question")?.as_str()?;
        if row_of(&rows, question).is_some() {
            return None;
        }
        rows.push((question, row));
    }
    Some(rows)
}

fn row_of<'a>(rows: &Rows<'a>, question: &str) -> Option<&'a Value> {
    rows.iter().find(|(other, _)| *other == question).map(|(_, row)| *row)
}

/// The rows in the newer order, followed by the form's new ones. A row that both sides changed keeps the form's version
/// and reports the newer one as a conflict, or the whole list if the other side removed the row.
fn by_question(name: &str, old: &Rows, mine: &Rows, newer: &Rows, collisions: &mut Vec<(String, Value)>) -> Value {
    let added = mine.iter().filter(|(question, _)| row_of(newer, question).is_none());
    let mut merged = Vec::new();
    for (question, _) in newer.iter().chain(added) {
        let [old, mine, newer] = [old, mine, newer].map(|side| row_of(side, question));
        let row = if mine == old || mine == newer { newer } else { mine };
        if row != newer && newer != old {
            let newer_value = newer.map(|row| row["answer"].as_str().map(|answer| format!("{question} {answer}")));
            collisions.push((name.to_owned(), newer_value.map_or_else(|| Value::Array(Vec::new()), Value::from)));
        }
        merged.extend(row.cloned());
    }
    merged.into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn changes_of_different_fields_go_together() {
        let old = json!({ "a": 1, "b": { "c": 1, "d": 1 }, "updated_at": 1 });
        let newer = json!({ "a": 1, "b": { "c": 2, "d": 1 }, "updated_at": 2 });
        let merged = merge(&old, json!({ "a": null, "b": { "c": 1, "d": 3 } }), &newer);
        assert_eq!(merged.value, json!({ "a": null, "b": { "c": 2, "d": 3 }, "updated_at": 2 }));
        assert_eq!(merged.collisions, []);
    }

    #[test]
    fn different_changes_of_one_field_collide_and_equal_ones_do_not() {
        let (old, newer) = (json!({ "a": 1, "b": { "c": 1 } }), json!({ "a": 2, "b": { "c": 2 } }));
        assert_eq!(merge(&old, json!({ "a": 2 }), &newer), Merged { value: newer.clone(), collisions: vec![] });
        let merged = merge(&old, json!({ "b": { "c": 3 } }), &newer);
        assert_eq!(merged.value, json!({ "a": 2, "b": { "c": 3 } }));
        assert_eq!(merged.collisions, [("c".to_owned(), json!(2))]);
    }

    #[test]
    fn lists_of_texts_merge_what_both_added_and_removed() {
        let (old, newer) = (json!({ "l": ["a", "b", "c"] }), json!({ "l": ["b", "c", "x"] }));
        let merged = merge(&old, json!({ "l": ["a", "c", "y", "x"] }), &newer);
        assert_eq!(merged, Merged { value: json!({ "l": ["c", "x", "y"] }), collisions: vec![] });
    }

    fn faq(rows: &[(&str, &str)]) -> Value {
        rows.iter().map(|(question, answer)| json!({ "question": question, "answer": answer })).collect()
    }

    #[test]
    fn questions_keep_what_either_side_made_of_different_rows() {
        let old = json!({ "l": faq(&[("a", "1"), ("b", "1"), ("c", "1"), ("d", "1")]) });
        let newer = json!({ "l": faq(&[("a", "1"), ("b", "2"), ("c", "1"), ("x", "1")]) });
        let merged = merge(&old, json!({ "l": faq(&[("a", "3"), ("b", "1"), ("d", "1"), ("y", "1")]) }), &newer);
        let both = json!({ "l": faq(&[("a", "3"), ("b", "2"), ("x", "1"), ("y", "1")]) });
        assert_eq!(merged, Merged { value: both, collisions: vec![] });
    }

    #[test]
    fn an_answer_changed_by_both_collides_and_the_form_wins() {
        let old = json!({ "l": faq(&[("a", "1"), ("b", "1")]) });
        let newer = json!({ "l": faq(&[("a", "2"), ("b", "2")]) });
        let merged = merge(&old, json!({ "l": faq(&[("a", "3"), ("b", "1")]) }), &newer);
        assert_eq!(merged.value, json!({ "l": faq(&[("a", "3"), ("b", "2")]) }));
        assert_eq!(merged.collisions, [("l".to_owned(), json!("a 2"))]);
    }

    #[test]
    fn removing_and_changing_a_question_collide() {
        let old = json!({ "l": faq(&[("a", "1")]) });
        let merged = merge(&old, json!({ "l": faq(&[("a", "2")]) }), &json!({ "l": faq(&[("b", "1")]) }));
        assert_eq!(merged.value, json!({ "l": faq(&[("b", "1"), ("a", "2")]) }));
        assert_eq!(merged.collisions, [("l".to_owned(), json!([]))]);
    }

    #[test]
    fn lists_of_other_things_collide_as_wholes() {
        let (old, newer) = (json!({ "l": [] }), json!({ "l": [{ "q": 1 }] }));
        let merged = merge(&old, json!({ "l": [{ "q": 2 }] }), &newer);
        assert_eq!(merged.value, json!({ "l": [{ "q": 2 }] }));
        assert_eq!(merged.collisions, [("l".to_owned(), json!([{ "q": 1 }]))]);
    }
}
