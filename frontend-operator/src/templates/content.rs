//! The content fields of a template, read-only.

use app::{
    branding,
    i18n::texts as common,
    json_diff,
    ui::{Button, ButtonKind, Card, DefinitionItem, DefinitionList, IconName},
};
use contract::{TemplateId, branding::BrandingFields, templates::TemplateContent};
use leptos::{either::Either, prelude::*};
use serde_json::Value;

use super::faq_editor::export;
use crate::texts::{self, templates};

/// The content fields of a template, to read.
#[component]
pub(super) fn TemplateContentCards(id: TemplateId, content: TemplateContent) -> impl IntoView {
    let questions: Vec<_> = content
        .suggested_questions
        .into_iter()
        .map(|question| view! { <span class="ui-chip">{question}</span> })
        .collect();
    let entries = content.faq_seed.clone();
    let download = (!entries.is_empty()).then(|| {
        let name = id.to_string();
        move || {
            view! {
                <Button small=true kind=ButtonKind::Ghost icon=IconName::Download on_click=move |()| export(&name, &entries)>
                    {templates::FAQ_EXPORT.t()}
                </Button>
            }
        }
    });
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
            <Card title=texts::FAQ actions=move || download.map(|download| download())>{faq}</Card>
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
    let set = serde_json::to_value(&fields).unwrap_or_default();
    let items: Vec<_> = json_diff::fields(&Value::Null, &set)
        .into_iter()
        .filter_map(|field| field.after.filter(|value| !value.is_null()).map(|value| (field.path, value)))
        .map(|(name, value)| view! { <DefinitionItem term=branding::label(&name)>{json_diff::text(&value)}</DefinitionItem> })
        .collect();
    if items.is_empty() {
        return Either::Left(view! { <p class="ui-muted">{texts::BRANDING_EMPTY.t()}</p> });
    }
    Either::Right(view! { <DefinitionList>{items}</DefinitionList> })
}
