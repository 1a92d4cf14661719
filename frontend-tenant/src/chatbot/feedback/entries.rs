//! Feedback entries with question and answer, to be resolved.

use app::{
    api, format,
    resource::Resource,
    ui::{Badge, Button, ButtonKind, ButtonLink, Card, Prose, Tone},
};
use contract::{
    ChatbotId, FeedbackId, Page,
    feedback::{Feedback, Handled, Rating, SetFeedbackHandled},
};
use leptos::prelude::*;

use super::super::open_items::OpenItems;
use crate::{
    faq_dialog::{Draft, FaqDialog},
    feedback_labels as labels, paths,
    read_only::is_read_only,
    texts::{faq, feedback as texts},
};

/// The better answer that is being written, and the feedback that it is for.
#[derive(Clone, Copy)]
pub(super) struct Correction {
    draft: RwSignal<Option<Draft>>,
    feedback: RwSignal<Option<FeedbackId>>,
}

impl Correction {
    pub(super) fn new() -> Self {
        Self { draft: RwSignal::new(None), feedback: RwSignal::new(None) }
    }
}

/// The dialog for a better answer. It is outside the list, so that it stays while the list is loaded again.
#[component]
pub(super) fn CorrectionDialog(id: ChatbotId, page: Resource<Page<Feedback>>, correction: Correction) -> impl IntoView {
    let open_items = OpenItems::get();
    let saved = Callback::new(move |_| {
        if let Some(feedback) = correction.feedback.get_untracked() {
            set_handled(page, open_items, (id, feedback), true);
        }
    });
    view! { <FaqDialog chatbot=Signal::stored(Some(id)) draft=correction.draft on_saved=saved /> }
}

/// A page of feedback.
#[component]
pub(super) fn Entries(
    /// The list, which is loaded again when something changes.
    page: Resource<Page<Feedback>>,
    /// The feedback, newest first.
    items: Vec<Feedback>,
    correction: Correction,
    /// The chatbot's fallback message, which is no starting point for a better answer.
    fallback: StoredValue<String>,
) -> impl IntoView {
    let rows = items.into_iter().map(|item| view! { <Entry item page correction fallback /> }).collect_view();
    view! {
        <Card flush=true>
            <ul class="ui-entries" aria-label=texts::LIST.t()>{rows}</ul>
        </Card>
    }
}

#[component]
fn Entry(
    item: Feedback,
    page: Resource<Page<Feedback>>,
    correction: Correction,
    fallback: StoredValue<String>,
) -> impl IntoView {
    let tone = match item.rating {
        Rating::Up => Tone::Success,
        Rating::Down => Tone::Danger,
    };
    let category = item.category.map(|of| view! { <Badge>{labels::category(of).t()}</Badge> });
    let done = item.handled_at.zip(item.handled_by.clone()).map(|(at, by)| {
        let handled_by = faq::HANDLED_BY.with_localized([by.into(), format::date_time(at)]);
        view! {
            <span class="ui-row">
                <Badge tone=Tone::Success>{faq::HANDLED.t()}</Badge>
                <span class="ui-muted ui-small">{handled_by}</span>
            </span>
        }
    });
    let no_message = item.question.is_none() && item.answer.is_none();
    let actions = view! { <Actions item=item.clone() page correction fallback /> };
    view! {
        <li class="ui-entries__item">
            <div class="ui-row ui-row--between ui-row--wrap">
                <div class="ui-row ui-row--wrap">
                    <Badge tone dot=true>{labels::rating(item.rating).t()}</Badge>
                    {category}
                    {done}
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
            {part(texts::QUESTION, item.question.map(|text| view! { <p class="ui-prose">{text}</p> }.into_any()))}
            {part(texts::ANSWER, item.answer.map(|text| view! { <Prose text /> }.into_any()))}
            {no_message.then(|| view! { <p class="ui-muted ui-small">{texts::NO_MESSAGE.t()}</p> })}
            {actions}
        </li>
    }
}

fn part(title: app::i18n::Text, body: Option<AnyView>) -> impl IntoView {
    body.map(|body| {
        view! {
            <div class="ui-entries__part">
                <span class="ui-muted ui-small">{title.t()}</span>
                {body}
            </div>
        }
    })
}

/// The actions on feedback; a viewer can only open the conversation.
#[component]
fn Actions(
    item: Feedback,
    page: Resource<Page<Feedback>>,
    correction: Correction,
    fallback: StoredValue<String>,
) -> impl IntoView {
    let (chatbot, id, handled) = (item.chatbot_id, item.id, item.handled_at.is_some());
    let conversation = item.session_id.map(|session| {
        let href = paths::conversation(session, item.message_id);
        view! { <ButtonLink href kind=ButtonKind::Ghost small=true>{faq::OPEN_CONVERSATION.t()}</ButtonLink> }
    });
    let may_write = !is_read_only();
    let question = item.question.filter(|_| may_write && item.rating == Rating::Down);
    let correct = question.map(|question| {
        let answer =
            item.answer.clone().filter(|answer| answer.trim() != fallback.get_value().trim()).unwrap_or_default();
        let open = Callback::new(move |()| {
            correction.feedback.set(Some(id));
            correction.draft.set(Some(Draft::to(question.clone(), &answer)));
        });
        view! { <Button small=true on_click=open>{faq::CORRECT_IT.t()}</Button> }
    });
    let toggle = may_write.then(|| {
        let label = if handled { faq::REOPEN } else { faq::HANDLE };
        let open_items = OpenItems::get();
        let set = Callback::new(move |()| set_handled(page, open_items, (chatbot, id), !handled));
        view! { <Button small=true on_click=set>{label.t()}</Button> }
    });
    view! { <div class="ui-row ui-row--wrap">{correct} {toggle} {conversation}</div> }
}

fn set_handled(page: Resource<Page<Feedback>>, open_items: OpenItems, place: (ChatbotId, FeedbackId), handled: bool) {
    open_items
        .update_entry(page, async move { api::call::<SetFeedbackHandled>(&place, &(), &Handled { handled }).await });
}
