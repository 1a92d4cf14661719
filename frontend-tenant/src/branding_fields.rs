//! The branding fields in words, by the API's names for them.

use app::i18n::{Localized, texts as shared};
use serde_json::Value;

use crate::texts::branding as texts;

/// The API's names of the fields, in the order of the form.
pub(crate) const NAMES: [&str; 14] = [
    "display_name",
    "header_title",
    "input_placeholder",
    "primary_color",
    "accent_color",
    "background_color",
    "text_color",
    "font_family",
    "border_radius",
    "launcher_position",
    "theme",
    "logo_url",
    "avatar_url",
    "privacy_url",
];

/// A field's name for people; the API's for one of a newer server.
pub(crate) fn label(name: &str) -> Localized {
    let text = match name {
        "display_name" => texts::DISPLAY_NAME,
        "primary_color" => texts::PRIMARY,
        "accent_color" => texts::ACCENT,
        "background_color" => texts::BACKGROUND,
        "text_color" => texts::TEXT,
        "font_family" => texts::FONT,
        "border_radius" => texts::RADIUS,
        "logo_url" => texts::LOGO,
        "avatar_url" => texts::AVATAR,
        "header_title" => texts::HEADER_TITLE,
        "input_placeholder" => texts::INPUT_PLACEHOLDER,
        "launcher_position" => texts::POSITION,
        "theme" => texts::THEME,
        "privacy_url" => texts::PRIVACY,
        _ => return name.into(),
    };
    text.into()
}

/// A field's value for people; `None` when it is not set.
pub(crate) fn value(name: &str, value: &Value) -> Option<Localized> {
    let text = match value {
        Value::Null => return None,
        Value::String(text) => text.as_str(),
        other => return Some(other.to_string().into()),
    };
    let known = match (name, text) {
        ("launcher_position", "bottom_left") => texts::POSITION_LEFT,
        ("launcher_position", "bottom_right") => texts::POSITION_RIGHT,
        ("theme", "light") => shared::THEME_LIGHT,
        ("theme", "dark") => shared::THEME_DARK,
        ("theme", "auto") => shared::THEME_AUTO,
        _ => return Some(text.into()),
    };
    Some(known.into())
}
