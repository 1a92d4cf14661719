//! A search result: title, location, and the passage with the query's words marked.

use app::{
    format,
    ui::{Badge, Link},
};
use contract::knowledge_hub::{AlsoIn, Highlight, SearchHit};
use leptos::prelude::*;

use super::labels;
use crate::{paths, texts::knowledge_hub as texts};

/// The class of the link of a result, by which the keyboard finds it.
pub(super) const LINK: &str = "ui-hit__link";

/// A result; `on_open` is called when its link is opened.
pub(super) fn hit(of: SearchHit, on_open: Callback<contract::id::DocumentVersionId>) -> impl IntoView {
    let SearchHit { document_id, passage_id, title, heading, snippet, highlights, source, chatbot, updated_at, .. } =
        of;
    let href = match passage_id {
        Some(passage) => paths::knowledge_passage(document_id, passage),
        None => paths::knowledge_document(document_id),
    };
    let heading = (!heading.is_empty()).then(|| view! { <p class="ui-muted ui-small">{heading}</p> });
    let also_in = (!of.also_in.is_empty()).then(|| {
        let names: Vec<String> = of.also_in.into_iter().map(place).collect();
        view! { <p class="ui-muted ui-small">{texts::ALSO_IN.with(&[&names.join(", ")])}</p> }
    });
    view! {
        <li class="ui-entries__item ui-hit">
            <h2 class="ui-hit__title">
                <a class=format!("ui-link {LINK}") href=href on:click=move |_| on_open.run(document_id)>{title}</a>
            </h2>
            {heading}
            <p class="ui-hit__text">{marked(&snippet, &highlights)}</p>
            <p class="ui-row ui-row--wrap ui-small ui-muted">
                <Link href=paths::knowledge_source(source.id) quiet=true>{source.name}</Link>
                <Badge>{labels::kind(source.kind).t()}</Badge>
                <span>{chatbot.name}</span>
                <time datetime=format::machine(updated_at) title=format::date_time(updated_at)>
                    {format::ago(updated_at)}
                </time>
            </p>
            {also_in}
        </li>
    }
}

fn place(of: AlsoIn) -> String {
    format!("{} ({})", of.title, of.chatbot.name)
}

/// A text with its ranges marked.
pub(super) fn marked(text: &str, ranges: &[Highlight]) -> impl IntoView + use<> {
    let characters: Vec<char> = text.chars().collect();
    let part =
        |from: usize, to: usize| characters[from.min(characters.len())..to.min(characters.len())].iter().collect();
    let mut parts: Vec<AnyView> = Vec::new();
    let mut at = 0;
    for range in ranges {
        let (start, end) = (range.start as usize, range.end as usize);
        if start < at || end <= start {
            continue;
        }
        let (before, word): (String, String) = (part(at, start), part(start, end));
        parts.push(before.into_any());
        parts.push(view! { <mark class="ui-mark">{word}</mark> }.into_any());
        at = end;
    }
    let rest: String = part(at, characters.len());
    parts.push(rest.into_any());
    parts
}
