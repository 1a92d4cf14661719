//! The passages of a document, each with the answers to visitors that cited it.

use std::collections::HashMap;

use app::{
    backend::PassageCitations,
    format,
    i18n::Localized,
    list_url::ListUrl,
    ui::{Card, ListPages, Prose},
};
use contract::{Page, id::PassageId, uploads::DocumentPassage};
use leptos::prelude::*;

use crate::{
    quotation::quotation,
    texts::{document_page as texts, knowledge},
};

/// The card with a page of the passages.
#[component]
pub(super) fn Passages(
    page: Page<DocumentPassage>,
    /// The answers that cite passages of the page.
    citations: Vec<PassageCitations>,
    /// Whether the document has several files, whose paths are shown.
    is_archive: bool,
    url: ListUrl,
) -> impl IntoView {
    let Page { items, total, limit, offset } = page;
    if total == 0 {
        let none =
            view! { <Card title=knowledge::PASSAGES><p class="ui-muted">{knowledge::PASSAGES_NONE.t()}</p></Card> };
        return none.into_any();
    }
    let mut citations: HashMap<PassageId, PassageCitations> =
        citations.into_iter().map(|of| (of.passage_id, of)).collect();
    let rows: Vec<_> = items
        .into_iter()
        .map(|of| {
            let cited = citations.remove(&of.id);
            passage(of, cited, is_archive)
        })
        .collect();
    view! {
        <Card title=knowledge::PASSAGES flush=true>
            <p class="ui-muted ui-entries__intro">{knowledge::PASSAGES_TEXT.t()}</p>
            <ol class="ui-entries" aria-label=knowledge::PASSAGES.t()>{rows}</ol>
        </Card>
        <ListPages url total limit offset of=knowledge::PASSAGES />
    }
    .into_any()
}

fn passage(of: DocumentPassage, cited: Option<PassageCitations>, is_archive: bool) -> impl IntoView {
    let page = of.anchor.as_deref().and_then(|anchor| anchor.strip_prefix("page=")).map(str::to_owned);
    let page = page.map(|number| view! { <p class="ui-muted ui-small">{knowledge::PAGE.with(&[&number])}</p> });
    let recognised = of.is_ocr.then(|| view! { <p class="ui-muted ui-small">{knowledge::RECOGNISED.t()}</p> });
    let heading = if of.heading.is_empty() { of.title } else { of.heading };
    view! {
        <li class="ui-entries__item">
            <h3 class="ui-strong">{heading}</h3>
            {page}
            {recognised}
            {is_archive.then(|| view! { <p class="ui-muted ui-small ui-mono ui-break">{of.path}</p> })}
            <Prose text=of.content />
            {answers(cited)}
        </li>
    }
}

/// How many answers cited a document or a passage.
pub(super) fn cited(answers: i64) -> Localized {
    match answers {
        0 => texts::CITED_NONE.into(),
        1 => texts::CITED_ONE.into(),
        _ => texts::CITED_SOME.with_localized([format::number(answers)]),
    }
}

/// The answers that cited a passage, each with the way to its conversation.
fn answers(of: Option<PassageCitations>) -> AnyView {
    let Some(PassageCitations { answers, newest, .. }) = of else {
        return view! { <p class="ui-muted ui-small">{texts::CITED_NONE.t()}</p> }.into_any();
    };
    let listed = newest.len();
    let is_more = i64::try_from(listed).is_ok_and(|listed| listed < answers);
    let more = is_more.then(|| {
        view! { <p class="ui-muted ui-small">{texts::CITED_NEWEST.with_localized([format::count(listed)])}</p> }
    });
    let links: Vec<_> = newest.into_iter().map(quotation).collect();
    view! {
        <details class="ui-details ui-details--bare">
            <summary class="ui-details__summary ui-small">{cited(answers)}</summary>
            <ul class="ui-list ui-list--loose">{links}</ul>
            {more}
        </details>
    }
    .into_any()
}
