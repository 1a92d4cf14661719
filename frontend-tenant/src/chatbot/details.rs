//! Ids, origin and dates of a chatbot.

use app::{
    format,
    i18n::{languages, texts as shared},
    ui::{Card, DefinitionItem, DefinitionList},
};
use contract::{
    Timestamp,
    chatbots::{Chatbot, Reindexing},
};
use leptos::prelude::*;

use crate::texts::chatbot as texts;

/// Ids, origin and dates of the chatbot.
#[component]
pub(super) fn DetailsCard(chatbot: Chatbot) -> impl IntoView {
    let template = chatbot.template_id.map_or_else(
        || texts::NO_TEMPLATE.into(),
        |id| {
            let version = chatbot.template_version.map(|version| version.to_string()).unwrap_or_default();
            texts::TEMPLATE_VALUE.with(&[&id.to_string(), &version])
        },
    );
    let deactivated = chatbot.deactivated_at.map(|at| {
        view! { <DefinitionItem term=texts::DEACTIVATED_AT>{time(at)}</DefinitionItem> }
    });
    let reindexing = chatbot.reindexing.map(|Reindexing { embedding_model, done, total }| {
        let text = texts::REINDEXING.with(&[&embedding_model, &done.to_string(), &total.to_string()]);
        view! { <p class="ui-muted ui-small">{text}</p> }
    });
    let model = chatbot.embedding_model.map(|model| {
        view! { <DefinitionItem term=texts::EMBEDDING_MODEL><code>{model}</code>{reindexing}</DefinitionItem> }
    });
    view! {
        <Card title=texts::DETAILS>
            <DefinitionList>
                <DefinitionItem term=shared::SLUG><code>{chatbot.slug}</code></DefinitionItem>
                <DefinitionItem term=shared::LANGUAGE>{languages::name(&chatbot.language)}</DefinitionItem>
                <DefinitionItem term=texts::TEMPLATE>{template}</DefinitionItem>
                <DefinitionItem term=texts::ID><code>{chatbot.id.to_string()}</code></DefinitionItem>
                <DefinitionItem term=texts::COLLECTION><code>{chatbot.vector_collection}</code></DefinitionItem>
                {model}
                <DefinitionItem term=shared::CREATED>{time(chatbot.created_at)}</DefinitionItem>
                <DefinitionItem term=shared::UPDATED>{time(chatbot.updated_at)}</DefinitionItem>
                {deactivated}
            </DefinitionList>
        </Card>
    }
}

fn time(at: Timestamp) -> impl IntoView {
    view! { <time datetime=format::machine(at)>{format::date_time(at)}</time> }
}
