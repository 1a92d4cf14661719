//! Previews the chat window with the form's values. Values reach the style sheet as custom properties through the DOM,
//! which a strict content security policy allows, and only after validation by the contract.

use crate::ui::{Icon, IconName};
use contract::branding::{BrandingFields, LauncherPosition, readable_on};
use leptos::{html::Div, prelude::*};
use web_sys::{CssStyleDeclaration, HtmlElement};

use super::texts;

/// The chat window with `fields`, which contain validated values only.
#[component]
pub fn Preview(
    /// The branding to show.
    #[prop(into)]
    fields: Signal<BrandingFields>,
    /// The chatbot's name, for a title that the branding does not set.
    #[prop(optional, into)]
    name: Signal<String>,
    /// The chatbot's first words; an example when empty.
    #[prop(optional, into)]
    welcome: Signal<String>,
) -> impl IntoView {
    let frame = NodeRef::<Div>::new();
    Effect::new(move || {
        if let Some(frame) = frame.get() {
            fields.with(|fields| paint(&HtmlElement::style(&frame), fields));
        }
    });
    let text = move |pick: fn(&BrandingFields) -> Option<&String>, fallback: crate::i18n::Text| {
        move || fields.with(|fields| pick(fields).cloned().unwrap_or_else(|| fallback.get().to_owned()))
    };
    let or_example = |own: Signal<String>, example: crate::i18n::Text| {
        own.with(|own| if own.trim().is_empty() { example.get().to_owned() } else { own.clone() })
    };
    let title = move || {
        let branded = fields.with(|fields| fields.header_title.clone().or_else(|| fields.display_name.clone()));
        branded.unwrap_or_else(|| or_example(name, texts::PREVIEW_TITLE))
    };
    let welcome = move || or_example(welcome, texts::PREVIEW_WELCOME);
    let input = text(|fields| fields.input_placeholder.as_ref(), texts::PREVIEW_INPUT);
    let is_left = move || fields.with(|fields| fields.launcher_position == Some(LauncherPosition::BottomLeft));
    view! {
        <div class="ui-preview" class:ui-preview--start=is_left node_ref=frame role="img" aria-label=texts::PREVIEW.t()>
            <div class="ui-preview__panel">
                <div class="ui-preview__header"><Icon name=IconName::Chatbot />{title}</div>
                <div class="ui-preview__messages">
                    <div class="ui-preview__message">{welcome}</div>
                    <div class="ui-preview__message ui-preview__message--visitor">{texts::PREVIEW_QUESTION.t()}</div>
                    <div class="ui-preview__message">{texts::PREVIEW_ANSWER.t()}</div>
                    <div class="ui-preview__source">{texts::PREVIEW_SOURCE.t()}</div>
                </div>
                <div class="ui-preview__input">{input}</div>
            </div>
            <div class="ui-preview__launcher"><Icon name=IconName::Chatbot /></div>
        </div>
    }
}

fn paint(style: &CssStyleDeclaration, fields: &BrandingFields) {
    let on_primary = fields.primary_color.as_deref().map(|color| readable_on(color).to_owned());
    let radius = fields.border_radius.map(|pixels| format!("{pixels}px"));
    for (name, value) in [
        ("--preview-primary", &fields.primary_color),
        ("--preview-on-primary", &on_primary),
        ("--preview-accent", &fields.accent_color),
        ("--preview-background", &fields.background_color),
        ("--preview-text", &fields.text_color),
        ("--preview-font", &fields.font_family),
        ("--preview-radius", &radius),
    ] {
        // A browser that refuses a value shows the default: a preview is no place for an error.
        let _ = match value {
            Some(value) => style.set_property(name, value),
            None => style.remove_property(name).map(drop),
        };
    }
}
