//! The list of conversations, with links to older and newer ones.

use app::{
    format,
    i18n::{Localized, texts as shared},
    list_url::ListUrl,
    ui::{Badge, Button, Card, Column, EmptyState, IconName, Link, Table, Tone},
};
use contract::{
    ChatbotId, Timestamp,
    conversations::{Conversation, ConversationPage},
};
use leptos::{either::Either, prelude::*};

use super::{CURSOR, FILTERS};
use crate::{paths, texts::conversations as texts};

/// A page of conversations.
#[component]
pub(super) fn Rows(
    url: ListUrl,
    page: ConversationPage,
    /// The chatbot, if the list is its inbox.
    inbox: Option<ChatbotId>,
) -> impl IntoView {
    let ConversationPage { items, next_cursor, previous_cursor, searched_to } = page;
    if items.is_empty() && searched_to.is_none() {
        return Either::Left(view! { <Nothing url /> });
    }
    let stopped =
        searched_to.map(|at| view! { <Stopped url at has_hits=!items.is_empty() next=next_cursor.clone() /> });
    let columns = [
        Some(Column::new(texts::FIRST_QUESTION)),
        inbox.is_none().then(|| Column::new(texts::CHATBOT).wide_only()),
        Some(Column::new(texts::QUESTIONS)),
        Some(Column::new(texts::LAST_MESSAGE).wide_only()),
    ];
    let columns = columns.into_iter().flatten().collect();
    let table = (!items.is_empty()).then(|| {
        let query = untrack(|| match inbox {
            Some(chatbot) => super::query_in_inbox(url, chatbot),
            None => super::query(url),
        });
        let rows = items.into_iter().map(|of| row(of, &query, inbox.is_some())).collect_view();
        view! { <Table caption=texts::CAPTION columns>{rows}</Table> }
    });
    let has_more = previous_cursor.is_some() || next_cursor.is_some();
    let steps = has_more.then(|| {
        view! {
            <nav class="ui-pagination" aria-label=shared::PAGINATION.t()>
                {step(url, texts::NEWER, previous_cursor)}
                {step(url, texts::OLDER, next_cursor)}
            </nav>
        }
    });
    Either::Right(view! {
        {table}
        {stopped}
        {steps}
    })
}

/// Where a search stopped before it had scanned every conversation, and a link to continue.
#[component]
fn Stopped(
    url: ListUrl,
    /// The last message of the last scanned conversation.
    at: Timestamp,
    has_hits: bool,
    next: Option<String>,
) -> impl IntoView {
    let text = if has_hits { texts::SEARCHED_TO } else { texts::SEARCHED_TO_NONE };
    let button = next.map(|cursor| {
        let go = Callback::new(move |()| url.set(&[(CURSOR, cursor.as_str())]));
        view! { <Button on_click=go>{texts::SEARCH_ON.t()}</Button> }
    });
    view! {
        <Card>
            <div class="ui-row ui-row--between ui-row--wrap" role="status">
                <p>{text.with_localized([format::date_time(at)])}</p>
                {button}
            </div>
        </Card>
    }
}

fn step(url: ListUrl, text: app::i18n::Text, cursor: Option<String>) -> impl IntoView {
    let is_end = cursor.is_none();
    let go = Callback::new(move |()| url.set(&[(CURSOR, cursor.as_deref().unwrap_or_default())]));
    view! { <Button small=true disabled=is_end on_click=go>{text.t()}</Button> }
}

/// A conversation, with a link that carries the filters of the list.
fn row(of: Conversation, query: &str, in_inbox: bool) -> impl IntoView + use<> {
    let href = format!("{}{query}", paths::conversation(of.session_id, None));
    let question = of.first_question.clone().map_or_else(|| texts::NO_QUESTION.into(), Localized::from);
    let counted = [
        (of.unanswered, texts::SOME_UNANSWERED, Tone::Warning),
        (of.down, texts::DOWN, Tone::Danger),
        (of.up, texts::UP, Tone::Success),
    ];
    let marks = counted
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, text, tone)| view! { " " <Badge tone>{text.with_localized([format::number(count)])}</Badge> })
        .collect_view();
    let ago = format::ago(of.last_message_at);
    let note = if in_inbox { ago } else { Localized::joined(vec![of.chatbot_name.clone().into(), ago], ", ") };
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-table__cell--main">
                <Link href quiet=true>{question}</Link>
                <div class="ui-table__note">{note}</div>
            </td>
            {(!in_inbox).then(|| view! { <td class="ui-table__cell ui-table__cell--wide-only">{of.chatbot_name}</td> })}
            <td class="ui-table__cell">{format::number(of.answers)} {marks}</td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-nowrap">
                <time datetime=format::machine(of.last_message_at) title=format::date_time(of.last_message_at)>
                    {format::ago(of.last_message_at)}
                </time>
            </td>
        </tr>
    }
}

#[component]
fn Nothing(url: ListUrl) -> impl IntoView {
    let body = if untrack(|| url.is_narrowed(&FILTERS) || !url.value(CURSOR).is_empty()) {
        let clear = Callback::new(move |()| {
            url.clear(&[&FILTERS[..], &[CURSOR]].concat());
        });
        view! {
            <EmptyState icon=IconName::Search title=texts::NO_MATCH_TITLE text=texts::NO_MATCH_TEXT>
                <Button on_click=clear>{shared::CLEAR_FILTERS.t()}</Button>
            </EmptyState>
        }
        .into_any()
    } else {
        view! { <EmptyState icon=IconName::Inbox title=texts::EMPTY_TITLE text=texts::EMPTY_TEXT /> }.into_any()
    };
    view! { <Card>{body}</Card> }
}
