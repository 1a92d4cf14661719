//! Feedback one by one, each with its question and answer.

use app::{
    format,
    ui::{Badge, Card, Tone},
};
use contract::feedback::{Feedback, Rating};
use leptos::prelude::*;

use super::words;
use crate::texts::feedback as texts;

/// A page of feedback.
#[component]
pub(super) fn Entries(
    /// The feedback, newest first.
    items: Vec<Feedback>,
) -> impl IntoView {
    let rows = items.into_iter().map(entry).collect_view();
    view! {
        <Card flush=true>
            <ul class="ui-entries" aria-label=texts::LIST.t()>{rows}</ul>
        </Card>
    }
}

fn entry(item: Feedback) -> impl IntoView {
    let tone = match item.rating {
        Rating::Up => Tone::Success,
        Rating::Down => Tone::Danger,
    };
    let category = item.category.map(|of| view! { <Badge>{words::category(of).t()}</Badge> });
    let no_message = item.question.is_none() && item.answer.is_none();
    view! {
        <li class="ui-entries__item">
            <div class="ui-row ui-row--between ui-row--wrap">
                <div class="ui-row ui-row--wrap">
                    <Badge tone dot=true>{words::rating(item.rating).t()}</Badge>
                    {category}
                </div>
                <time class="ui-muted ui-small" datetime=format::machine(item.created_at)>
                    {format::date_time(item.created_at)}
                </time>
            </div>
            {item.comment.map(|comment| view! {
                <blockquote class="ui-entries__quote">
                    <span class="ui-visually-hidden">{texts::COMMENT.t()} ": "</span>
                    {comment}
                </blockquote>
            })}
            {part(texts::QUESTION, item.question)}
            {part(texts::ANSWER, item.answer)}
            {no_message.then(|| view! { <p class="ui-muted ui-small">{texts::NO_MESSAGE.t()}</p> })}
        </li>
    }
}

fn part(title: app::i18n::Text, text: Option<String>) -> impl IntoView {
    text.map(|text| {
        view! {
            <div class="ui-entries__part">
                <span class="ui-muted ui-small">{title.t()}</span>
                <p class="ui-prose">{text}</p>
            </div>
        }
    })
}
