//! The facts about a document, with links to the original and to a question about it.

use app::{
    format,
    i18n::{Localized, source_kinds},
    page_task::download_on_page,
    ui::{Badge, Button, Card, DefinitionItem, DefinitionList, IconName, Link},
};
use contract::{
    ChatbotId, Timestamp,
    documents::{IndexedDocument, SourceKind},
    uploads::{DownloadOriginal, ExternalId},
};
use leptos::{ev::MouseEvent, prelude::*};

use super::passages::cited;
use crate::{
    chatbot::knowledge::{
        list::reasons,
        states::{badge, progress},
    },
    next_question::begin_next,
    paths,
    texts::{document_page as texts, knowledge},
};

/// The card with the document's title.
#[component]
pub(super) fn Facts(
    chatbot: ChatbotId,
    document: IndexedDocument,
    source_name: String,
    /// Answers that cited the document.
    answers: i64,
    is_cut: bool,
    can_ask: bool,
) -> impl IntoView {
    let (tone, state) = badge(document.state);
    let progress = progress(&document).map(|progress| view! { <span class="ui-muted ui-small">{progress}</span> });
    let (reasons, source, file) = (reasons(&document), source(&document, source_name), file(&document));
    let is_cut = is_cut.then(|| view! { <p class="ui-muted ui-small">{texts::CITED_CUT.t()}</p> });
    let since = (document.version > 1).then(|| view! { <p class="ui-muted ui-small">{texts::CITED_SINCE.t()}</p> });
    let original = original(chatbot, &document);
    let IndexedDocument { title, passages, characters, created_at, updated_at, .. } = document;
    let title_to_ask = title.clone();
    view! {
        <Card title>
            <DefinitionList>
                <DefinitionItem term=knowledge::STATE>
                    <div class="ui-row ui-row--wrap"><Badge tone dot=true>{state.t()}</Badge> {progress}</div>
                    {reasons}
                </DefinitionItem>
                <DefinitionItem term=knowledge::SOURCE>{source}</DefinitionItem>
                {file}
                <DefinitionItem term=knowledge::PASSAGES>{format::number(passages)}</DefinitionItem>
                <DefinitionItem term=knowledge::SIZE>{format::number(characters)}</DefinitionItem>
                <DefinitionItem term=texts::ADDED>{time(created_at)}</DefinitionItem>
                <DefinitionItem term=knowledge::CHANGED>{time(updated_at)}</DefinitionItem>
                <DefinitionItem term=texts::USE>{cited(answers)} {is_cut} {since}</DefinitionItem>
            </DefinitionList>
            <div class="ui-row ui-row--wrap">
                {can_ask.then(|| view! { <Ask chatbot title=title_to_ask /> })}
                {original}
            </div>
        </Card>
    }
}

/// The kind of the source, and its name where that is informative.
fn source(document: &IndexedDocument, name: String) -> impl IntoView + use<> {
    let is_named = !name.is_empty() && !matches!(document.source_kind, SourceKind::Faq | SourceKind::FaqSeed);
    let name = is_named.then(|| view! { <br /> <span class="ui-muted ui-small ui-break">{name}</span> });
    view! { {source_kinds::name(document.source_kind).t()} {name} }
}

/// The document's path, and the size of the uploaded file.
fn file(document: &IndexedDocument) -> impl IntoView + use<> {
    let is_file = !matches!(document.source_kind, SourceKind::Faq | SourceKind::FaqSeed);
    let path = document.path.clone();
    let path = is_file.then(|| {
        view! { <DefinitionItem term=texts::FILE><span class="ui-mono ui-break">{path}</span></DefinitionItem> }
    });
    let bytes = document.bytes.and_then(|bytes| u64::try_from(bytes).ok());
    let size =
        bytes.map(|bytes| view! { <DefinitionItem term=texts::FILE_SIZE>{format::bytes(bytes)}</DefinitionItem> });
    view! { {path} {size} }
}

fn time(of: Timestamp) -> impl IntoView {
    let text: Localized = format::date_time(of);
    view! { <time datetime=format::machine(of)>{text}</time> }
}

/// The way to the playground, with the beginning of a question.
#[component]
fn Ask(chatbot: ChatbotId, title: String) -> impl IntoView {
    let begin = move |_: MouseEvent| begin_next(untrack(|| texts::ASK_QUESTION.with(&[&title]).get()));
    view! {
        <a class="ui-button ui-button--primary" href=paths::test(chatbot) on:click=begin>
            <span class="ui-button__label">{texts::ASK.t()}</span>
        </a>
    }
}

/// The way to the uploaded file, the page of the website or the tenant's own answers.
fn original(chatbot: ChatbotId, document: &IndexedDocument) -> Option<AnyView> {
    match document.source_kind {
        SourceKind::Website => {
            let href = document.path.clone();
            Some(view! { <Link href external=true>{texts::OPEN_PAGE.t()}</Link> }.into_any())
        }
        SourceKind::Faq => {
            Some(view! { <Link href=paths::answers(chatbot)>{texts::OWN_ANSWERS.t()}</Link> }.into_any())
        }
        _ => {
            document.bytes?;
            let name = document.path.parse::<ExternalId>().ok()?;
            let (busy, place) = (RwSignal::new(false), (chatbot, document.source_id, name));
            let save = Callback::new(move |()| download_on_page::<DownloadOriginal>(busy, place.clone(), ()));
            Some(
                view! { <Button icon=IconName::Download busy on_click=save>{knowledge::DOWNLOAD.t()}</Button> }
                    .into_any(),
            )
        }
    }
}
