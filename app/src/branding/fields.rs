//! The fields of the branding form with their names and controls. Add a new field of the contract here, and its texts
//! in [`super::texts`].

use contract::{branding::BrandingPicture, preferences::Theme};
use serde_json::Value;

use super::texts;
use crate::i18n::{Localized, Text, texts as shared};

/// A field of the form.
#[derive(Debug, Clone, Copy)]
pub struct BrandingField {
    /// The API's name.
    pub name: &'static str,
    pub(super) label: Text,
    pub(super) hint: Option<Text>,
    pub(super) control: Control,
    pub(super) slot: Slot,
}

/// How a field is edited.
#[derive(Debug, Clone, Copy)]
pub(super) enum Control {
    /// One line of text, with an example.
    Line(Option<Text>),
    Colour,
    /// A whole number.
    Number,
    /// An https address.
    Address,
    /// A picture: uploaded, or an https address.
    Picture(BrandingPicture),
    /// An https, mailto or tel address.
    Contact,
    /// One of these values; the empty one is "not set".
    Choice(&'static [(&'static str, Text)]),
}

/// The part of the form that a field is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// In the card of names, next to others.
    Names,
    /// In the card of names, on its own line.
    NamesWide,
    Colours,
    Links,
}

const POSITIONS: &[(&str, Text)] =
    &[("", texts::POSITION_UNSET), ("bottom_right", texts::POSITION_RIGHT), ("bottom_left", texts::POSITION_LEFT)];

const THEMES: &[(&str, Text)] = &[
    ("", texts::THEME_UNSET),
    (Theme::Light.as_str(), shared::THEME_LIGHT),
    (Theme::Dark.as_str(), shared::THEME_DARK),
    (Theme::Auto.as_str(), shared::THEME_AUTO),
];

const fn field(name: &'static str, label: Text, hint: Option<Text>, control: Control, slot: Slot) -> BrandingField {
    BrandingField { name, label, hint, control, slot }
}

/// The fields in the order of the form.
pub const FIELDS: [BrandingField; 16] = [
    field("display_name", texts::DISPLAY_NAME, Some(texts::DISPLAY_NAME_HINT), Control::Line(None), Slot::Names),
    field("header_title", texts::HEADER_TITLE, Some(texts::HEADER_TITLE_HINT), Control::Line(None), Slot::Names),
    field(
        "input_placeholder",
        texts::INPUT_PLACEHOLDER,
        None,
        Control::Line(Some(texts::PREVIEW_INPUT)),
        Slot::NamesWide,
    ),
    field("notice_text", texts::NOTICE, Some(texts::NOTICE_HINT), Control::Line(None), Slot::NamesWide),
    field("primary_color", texts::PRIMARY, Some(texts::PRIMARY_HINT), Control::Colour, Slot::Colours),
    field("accent_color", texts::ACCENT, Some(texts::ACCENT_HINT), Control::Colour, Slot::Colours),
    field("background_color", texts::BACKGROUND, None, Control::Colour, Slot::Colours),
    field("text_color", texts::TEXT, None, Control::Colour, Slot::Colours),
    field("font_family", texts::FONT, Some(texts::FONT_HINT), Control::Line(None), Slot::Colours),
    field("border_radius", texts::RADIUS, Some(texts::RADIUS_HINT), Control::Number, Slot::Colours),
    field("launcher_position", texts::POSITION, None, Control::Choice(POSITIONS), Slot::Colours),
    field("theme", texts::THEME, None, Control::Choice(THEMES), Slot::Colours),
    field("logo_url", texts::LOGO, Some(texts::PICTURE_HINT), Control::Picture(BrandingPicture::Logo), Slot::Links),
    field(
        "avatar_url",
        texts::AVATAR,
        Some(texts::PICTURE_HINT),
        Control::Picture(BrandingPicture::Avatar),
        Slot::Links,
    ),
    field("privacy_url", texts::PRIVACY, Some(texts::URL_HINT), Control::Address, Slot::Links),
    field("contact_url", texts::CONTACT, Some(texts::CONTACT_HINT), Control::Contact, Slot::Links),
];

/// A field's name for people; the API's for one that the form does not have.
pub fn label(name: &str) -> Localized {
    find(name).map_or_else(|| name.into(), |field| field.label.into())
}

/// A field's value in a readable form; `None` when it is not set.
pub fn value(name: &str, value: &Value) -> Option<Localized> {
    let text = match value {
        Value::Null => return None,
        Value::String(text) => text.as_str(),
        other => return Some(other.to_string().into()),
    };
    let choice = match find(name).map(|field| field.control) {
        Some(Control::Choice(choices)) => choices.iter().find(|(choice, _)| *choice == text),
        _ => None,
    };
    Some(choice.map_or_else(|| text.into(), |(_, name)| (*name).into()))
}

fn find(name: &str) -> Option<&'static BrandingField> {
    const { &FIELDS }.iter().find(|field| field.name == name)
}
