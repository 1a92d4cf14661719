//! The content fields of a template, to read.

use app::{
    i18n::texts as common,
    ui::{Card, DefinitionItem, DefinitionList},
};
use contract::{branding::BrandingFields, templates::TemplateContent};
use leptos::{either::Either, prelude::*};

use crate::texts;

/// The content fields of a template, to read.
#[component]
pub(super) fn TemplateContentCards(content: TemplateContent) -> impl IntoView {
    let questions: Vec<_> = content
        .suggested_questions
        .into_iter()
        .map(|question| view! { <span class="ui-chip">{question}</span> })
        .collect();
    let faq: Vec<_> = content
        .faq_seed
        .into_iter()
        .map(|entry| {
            view! { <DefinitionItem term=entry.question><span class="ui-prose">{entry.answer}</span></DefinitionItem> }
        })
        .collect();
    let faq = if faq.is_empty() {
        Either::Left(view! { <p class="ui-muted">{texts::FAQ_EMPTY.t()}</p> })
    } else {
        Either::Right(view! { <DefinitionList stacked=true>{faq}</DefinitionList> })
    };
    view! {
        <Card title=texts::CONVERSATION>
            <DefinitionList stacked=true>
                <DefinitionItem term=texts::SYSTEM_PROMPT>{prose(content.suggested_system_prompt)}</DefinitionItem>
                <DefinitionItem term=texts::WELCOME>{prose(content.welcome_message)}</DefinitionItem>
                <DefinitionItem term=texts::FALLBACK>{prose(content.fallback_message)}</DefinitionItem>
                <DefinitionItem term=texts::SUGGESTED><span class="ui-chips">{questions}</span></DefinitionItem>
            </DefinitionList>
        </Card>
        <div class="ui-grid ui-grid--main-side">
            <Card title=texts::FAQ>{faq}</Card>
            <Card title=texts::BRANDING><Branding fields=content.branding_defaults /></Card>
        </div>
    }
}

fn prose(text: String) -> impl IntoView {
    if text.is_empty() {
        Either::Left(view! { <span class="ui-muted">{common::NONE.t()}</span> })
    } else {
        Either::Right(view! { <span class="ui-prose">{text}</span> })
    }
}

#[component]
fn Branding(fields: BrandingFields) -> impl IntoView {
    let items: Vec<_> = [
        (texts::HEADER_TITLE, fields.header_title),
        (texts::PRIMARY_COLOR, fields.primary_color),
        (texts::ACCENT_COLOR, fields.accent_color),
    ]
    .into_iter()
    .filter_map(|(term, value)| value.map(|value| view! { <DefinitionItem term=term>{value}</DefinitionItem> }))
    .collect();
    if items.is_empty() {
        return Either::Left(view! { <p class="ui-muted">{texts::BRANDING_EMPTY.t()}</p> });
    }
    Either::Right(view! { <DefinitionList>{items}</DefinitionList> })
}
