//! Names of a template's fields, and their values as comparable parts.

use app::{branding, i18n::Localized};
use serde_json::Value;

use crate::texts::{create as fields, template_update as texts};

/// A field's name for people; the API's for one of a newer server.
pub(super) fn label(field: &str) -> Localized {
    let text = match field {
        "name" => fields::NAME,
        "description" => fields::DESCRIPTION,
        "suggested_system_prompt" => fields::SYSTEM_PROMPT,
        "welcome_message" => fields::WELCOME,
        "suggested_questions" => fields::QUESTIONS,
        "fallback_message" => fields::FALLBACK,
        "faq_seed" => fields::PREPARED_TERM,
        "branding_defaults" => texts::BRANDING_DEFAULTS,
        _ => return field.into(),
    };
    text.into()
}

/// A value as parts: a text's words with the spaces behind them, a list's entries, an object's fields in the current
/// language, tracked.
pub(super) fn parts(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::String(text) => text.split_inclusive(char::is_whitespace).map(str::to_owned).collect(),
        Value::Array(entries) => entries.iter().map(entry).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| branding_value(name, value)).collect(),
        other => vec![other.to_string()],
    }
}

fn entry(value: &Value) -> String {
    match (value.as_str(), value["question"].as_str(), value["answer"].as_str()) {
        (Some(text), ..) => text.to_owned(),
        (None, Some(question), Some(answer)) => format!("{question}\n{answer}"),
        _ => value.to_string(),
    }
}

fn branding_value(name: &str, value: &Value) -> String {
    let value = branding::value(name, value).unwrap_or_else(|| texts::NOT_SET.into());
    format!("{}: {}", branding::label(name).get(), value.get())
}
