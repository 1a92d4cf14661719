//! Unanswered questions, to be answered or resolved.

use app::{
    api, format,
    i18n::texts as shared,
    list_url::ListUrl,
    resource::{Loaded, Resource},
    ui::{Badge, Button, ButtonKind, ButtonLink, Card, EmptyState, IconName, ListPages, Select, SkeletonTable, Tone},
};
use contract::{
    ChatbotId,
    feedback::Handled,
    unanswered::{ListUnanswered, SetQuestionHandled, UnansweredPage, UnansweredQuery, UnansweredQuestion},
    widget::Confidence,
};
use leptos::prelude::*;

use super::{frame::Frame, open_items::OpenItems, parts::Part};
use crate::{
    faq_dialog::{Draft, FaqDialog},
    handled_filter::{self, HandledFilter},
    paths,
    provisioning::ProvisioningPoller,
    read_only::{ReadOnlyBanner, is_read_only},
    texts::faq as texts,
};

const PAGE_SIZE: i64 = 25;
const CURSOR: &str = "cursor";
/// The URL parameter of the confidence.
const CONFIDENCE: &str = "confidence";
/// Everything that narrows the list.
const FILTERS: [&str; 2] = [handled_filter::KEY, CONFIDENCE];

/// The unanswered questions of the chatbot in the URL.
#[component]
pub(crate) fn UnansweredPage() -> impl IntoView {
    view! { <Frame part=Part::Questions content /> }
}

fn content(poller: ProvisioningPoller) -> AnyView {
    let id = poller.chatbot().with_untracked(|chatbot| chatbot.id);
    let url = ListUrl::new("", PAGE_SIZE);
    let page = Resource::new(move || {
        let of = url.page_query();
        let cursor = Some(url.value(CURSOR)).filter(|text| !text.is_empty());
        let handled = handled_filter::wanted_open(url);
        let confidence = url.value(CONFIDENCE).parse().ok();
        let query = UnansweredQuery { handled, confidence, limit: of.limit, offset: of.offset, cursor };
        async move { api::call::<ListUnanswered>(&id, &query, &()).await }
    });
    let open_items = OpenItems::get();
    let (draft, answered) = (RwSignal::new(None::<Draft>), RwSignal::new(None::<UnansweredQuestion>));
    let saved = Callback::new(move |_| {
        if let Some(question) = answered.get_untracked() {
            set_handled(id, page, open_items, question, true);
        }
    });
    let confidences = [("", texts::CONFIDENCE_ALL), ("low", texts::CONFIDENCE_LOW), ("none", texts::CONFIDENCE_NONE)]
        .map(|(value, text)| (value.to_owned(), text.into()))
        .to_vec();
    let open = Callback::new(move |question: UnansweredQuestion| {
        draft.set(Some(Draft::to(question.question.clone(), "")));
        answered.set(Some(question));
    });
    view! {
        <ReadOnlyBanner />
        <p class="ui-muted">{texts::UNANSWERED_TEXT.t()}</p>
        <div class="ui-toolbar">
            <div class="ui-toolbar__main">
                <HandledFilter url open_first=true />
                <Select
                    label=texts::CONFIDENCE
                    hide_label=true
                    value=url.signal(CONFIDENCE)
                    options=confidences
                    on_change=move |value: String| url.filter(CONFIDENCE, &value)
                />
            </div>
        </div>
        <Loaded resource=page skeleton=|| view! { <SkeletonTable columns=3 /> } let:questions>
            <Questions id questions url page open />
        </Loaded>
        <FaqDialog chatbot=Signal::stored(Some(id)) draft on_saved=saved />
    }
    .into_any()
}

#[component]
fn Questions(
    id: ChatbotId,
    questions: UnansweredPage,
    url: ListUrl,
    page: Resource<UnansweredPage>,
    open: Callback<UnansweredQuestion>,
) -> impl IntoView {
    let is_first = url.value(CURSOR).is_empty();
    if questions.total == 0 && questions.next_cursor.is_none() && is_first {
        return view! { <Nothing url /> }.into_any();
    }
    let rows = questions.items.into_iter().map(|question| entry(id, page, question, open)).collect_view();
    view! {
        <Card flush=true>
            <ul class="ui-entries" aria-label=texts::UNANSWERED_LIST.t()>{rows}</ul>
        </Card>
        <ListPages url total=questions.total limit=questions.limit offset=questions.offset />
        {older(url, is_first, questions.next_cursor)}
    }
    .into_any()
}

/// Shown without questions, in general or under the filters.
#[component]
fn Nothing(url: ListUrl) -> impl IntoView {
    let body = if url.is_narrowed(&FILTERS) {
        view! {
            <EmptyState
                icon=IconName::Search
                title=texts::UNANSWERED_NO_MATCH_TITLE
                text=texts::UNANSWERED_NO_MATCH_TEXT
            >
                <Button on_click=Callback::new(move |()| url.clear(&FILTERS))>{shared::CLEAR_FILTERS.t()}</Button>
            </EmptyState>
        }
        .into_any()
    } else {
        view! {
            <EmptyState icon=IconName::Check title=texts::UNANSWERED_NONE_TITLE text=texts::UNANSWERED_NONE_TEXT />
        }
        .into_any()
    };
    view! { <Card>{body}</Card> }
}

/// Links to the questions of older messages, which one list does not scan, and back to the newest ones.
fn older(url: ListUrl, is_first: bool, next: Option<String>) -> Option<impl IntoView> {
    let to = move |cursor: String| Callback::new(move |()| url.set(&[(CURSOR, cursor.as_str()), ("offset", "")]));
    let back = (!is_first).then(|| {
        view! { <Button small=true on_click=to(String::new())>{texts::UNANSWERED_NEWEST.t()}</Button> }
    });
    let on = next.map(|cursor| {
        view! {
            <p role="status">{texts::UNANSWERED_MORE.t()}</p>
            <Button small=true on_click=to(cursor)>{texts::UNANSWERED_ON.t()}</Button>
        }
    });
    (back.is_some() || on.is_some()).then(|| view! { <div class="ui-row ui-row--wrap">{on} {back}</div> })
}

fn entry(
    id: ChatbotId,
    page: Resource<UnansweredPage>,
    question: UnansweredQuestion,
    open: Callback<UnansweredQuestion>,
) -> impl IntoView {
    let open_items = OpenItems::get();
    let handled = question.handled_at.is_some();
    let times = match question.times {
        1 => texts::ONCE.into(),
        times => texts::TIMES.with_localized([format::number(times)]),
    };
    let there = paths::conversation(question.session_id, Some(question.message_id));
    let (text, asked_at) = (question.question.clone(), question.last_asked_at);
    let is_low = question.confidence == Confidence::Low;
    // An empty row would take up a line below a long question.
    let mark = (is_low || handled).then(|| {
        view! {
            <div class="ui-row">
                {is_low.then(|| view! { <Badge tone=Tone::Warning>{texts::CONFIDENCE_LOW.t()}</Badge> })}
                {handled.then(|| view! { <Badge tone=Tone::Success>{texts::HANDLED.t()}</Badge> })}
            </div>
        }
    });
    let actions = (!is_read_only()).then(|| {
        let (to_answer, to_set) = (question.clone(), question);
        let toggle = Callback::new(move |()| set_handled(id, page, open_items, to_set.clone(), !handled));
        let label = if handled { texts::REOPEN } else { texts::HANDLE };
        view! {
            <Button small=true on_click=Callback::new(move |()| open.run(to_answer.clone()))>
                {texts::ANSWER_IT.t()}
            </Button>
            <Button small=true on_click=toggle>{label.t()}</Button>
        }
    });
    view! {
        <li class="ui-entries__item ui-entries__item--acted">
            <div class="ui-row ui-row--wrap">
                <p class="ui-prose ui-strong">{text}</p>
                {mark}
            </div>
            <p class="ui-muted ui-small">
                {times} ", " <time datetime=format::machine(asked_at)>{format::date_time(asked_at)}</time>
            </p>
            <div class="ui-row ui-row--wrap">
                {actions}
                <ButtonLink href=there kind=ButtonKind::Ghost small=true>{texts::OPEN_CONVERSATION.t()}</ButtonLink>
            </div>
        </li>
    }
}

fn set_handled(
    id: ChatbotId,
    page: Resource<UnansweredPage>,
    open_items: OpenItems,
    question: UnansweredQuestion,
    handled: bool,
) {
    let path = (id, question.message_id);
    open_items
        .update_entry(page, async move { api::call::<SetQuestionHandled>(&path, &(), &Handled { handled }).await });
}
