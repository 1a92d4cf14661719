//! The cards of the branding form.

use crate::{
    i18n::texts as shared,
    ui::{Card, ColorField, Select, TextField},
};
use contract::{branding::LauncherPosition, preferences::Theme};
use leptos::prelude::*;

use super::form::{BrandingForm, position_text};
use super::texts;

/// Names and texts of the chat window.
#[component]
pub fn NamesCard(values: BrandingForm, read_only: bool) -> impl IntoView {
    view! {
        <Card title=texts::NAMES>
            <div class="ui-form__row">
                <TextField
                    label=texts::DISPLAY_NAME
                    hint=texts::DISPLAY_NAME_HINT
                    field=values.display_name
                    optional=true
                    disabled=read_only
                />
                <TextField
                    label=texts::HEADER_TITLE
                    hint=texts::HEADER_TITLE_HINT
                    field=values.header_title
                    optional=true
                    disabled=read_only
                />
            </div>
            <TextField
                label=texts::INPUT_PLACEHOLDER
                field=values.input_placeholder
                optional=true
                placeholder=texts::PREVIEW_INPUT
                disabled=read_only
            />
        </Card>
    }
}

/// Colours and shape of the chat window.
#[component]
pub fn ColoursCard(values: BrandingForm, read_only: bool) -> impl IntoView {
    view! {
        <Card title=texts::COLOURS>
            <div class="ui-form__row">
                <ColorField
                    label=texts::PRIMARY
                    hint=texts::PRIMARY_HINT
                    field=values.primary_color
                    disabled=read_only
                />
                <ColorField label=texts::ACCENT hint=texts::ACCENT_HINT field=values.accent_color disabled=read_only />
                <ColorField label=texts::BACKGROUND field=values.background_color disabled=read_only />
                <ColorField label=texts::TEXT field=values.text_color disabled=read_only />
                <TextField
                    label=texts::FONT
                    hint=texts::FONT_HINT
                    field=values.font_family
                    optional=true
                    disabled=read_only
                />
                <TextField
                    label=texts::RADIUS
                    hint=texts::RADIUS_HINT
                    field=values.border_radius
                    optional=true
                    disabled=read_only
                />
                <PlaceAndTheme values read_only />
            </div>
        </Card>
    }
}

#[component]
fn PlaceAndTheme(values: BrandingForm, read_only: bool) -> impl IntoView {
    let option = |key: &str, text: crate::i18n::Text| (key.to_owned(), text.into());
    let places = vec![
        option("", texts::POSITION_UNSET),
        option(position_text(LauncherPosition::BottomRight), texts::POSITION_RIGHT),
        option(position_text(LauncherPosition::BottomLeft), texts::POSITION_LEFT),
    ];
    let themes = vec![
        option("", texts::THEME_UNSET),
        option(Theme::Light.as_str(), shared::THEME_LIGHT),
        option(Theme::Dark.as_str(), shared::THEME_DARK),
        option(Theme::Auto.as_str(), shared::THEME_AUTO),
    ];
    view! {
        <Select
            label=texts::POSITION
            value=values.launcher_position
            options=places
            on_change=Callback::new(move |place| values.launcher_position.set(place))
            disabled=read_only
        />
        <Select
            label=texts::THEME
            value=values.theme
            options=themes
            on_change=Callback::new(move |theme| values.theme.set(theme))
            disabled=read_only
        />
    }
}

/// Pictures and links of the chat window.
#[component]
pub fn LinksCard(values: BrandingForm, read_only: bool) -> impl IntoView {
    let url = move |label: crate::i18n::Text, field: crate::form::Field| {
        view! {
            <TextField
                label
                hint=texts::URL_HINT
                field
                optional=true
                mono=true
                input_type="url"
                placeholder="https://"
                disabled=read_only
            />
        }
    };
    view! {
        <Card title=texts::LINKS>
            {url(texts::LOGO, values.logo_url)}
            {url(texts::AVATAR, values.avatar_url)}
            {url(texts::PRIVACY, values.privacy_url)}
        </Card>
    }
}
