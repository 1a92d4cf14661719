//! What visitors think of a chatbot's answers: counted, over time, and one by one. Filters and page stand
//! in the address.

mod entries;
mod statistics;
mod words;

use app::{
    api,
    i18n::texts as shared,
    list_url::ListUrl,
    resource::{Loaded, Resource},
    ui::{Button, Card, EmptyState, IconName, Pagination, Select, SkeletonCards, SkeletonTable},
};
use contract::{
    ChatbotId, Page,
    feedback::{Feedback, FeedbackCategory, FeedbackListQuery, GetFeedbackStats, ListFeedback, Rating},
};
use leptos::prelude::*;

use self::{entries::Entries, statistics::Statistics};
use super::frame::{Frame, Section};
use crate::{provisioning::Follow, texts::feedback as texts};

const RATING: &str = "rating";
const CATEGORY: &str = "category";
const ROWS: i64 = 25;

/// The feedback on the chatbot that the address names.
#[component]
pub(crate) fn FeedbackPage() -> impl IntoView {
    view! { <Frame section=Section::Feedback content /> }
}

fn content(follow: Follow) -> AnyView {
    let id = follow.chatbot().with_untracked(|chatbot| chatbot.id);
    let url = ListUrl::new("", ROWS);
    let stats = Resource::new(move || async move { api::call::<GetFeedbackStats>(&id, &(), &()).await });
    view! {
        <Loaded resource=stats skeleton=|| view! { <SkeletonCards count=3 /> } let:stats>
            <Statistics stats url />
        </Loaded>
        <Filters url />
        <List id url />
    }
    .into_any()
}

#[component]
fn Filters(url: ListUrl) -> impl IntoView {
    let mut ratings = vec![(String::new(), texts::RATING_ALL.into())];
    ratings.extend([Rating::Up, Rating::Down].map(|rating| (rating.as_str().to_owned(), words::rating(rating).into())));
    let mut categories = vec![(String::new(), texts::CATEGORY_ALL.into())];
    categories.extend(FeedbackCategory::ALL.iter().map(|of| (of.as_str().to_owned(), words::category(*of).into())));
    view! {
        <div class="ui-toolbar">
            <div class="ui-toolbar__main">
                <Select
                    label=texts::RATING
                    hide_label=true
                    value=url.signal(RATING)
                    options=ratings
                    on_change=Callback::new(move |value: String| url.filter(RATING, &value))
                />
                <Select
                    label=texts::CATEGORY
                    hide_label=true
                    value=url.signal(CATEGORY)
                    options=categories
                    on_change=Callback::new(move |value: String| url.filter(CATEGORY, &value))
                />
            </div>
        </div>
    }
}

#[component]
fn List(id: ChatbotId, url: ListUrl) -> impl IntoView {
    let page = Resource::new(move || {
        let of = url.page_query();
        let query = FeedbackListQuery {
            rating: [Rating::Up, Rating::Down].into_iter().find(|rating| rating.as_str() == url.value(RATING)),
            category: FeedbackCategory::ALL.iter().copied().find(|of| of.as_str() == url.value(CATEGORY)),
            limit: of.limit,
            offset: of.offset,
        };
        async move { api::call::<ListFeedback>(&id, &query, &()).await }
    });
    view! {
        <Loaded resource=page skeleton=|| view! { <SkeletonTable columns=3 /> } let:page>
            {if page.total == 0 { view! { <Nothing url /> }.into_any() } else { view! { <Found url page /> }.into_any() }}
        </Loaded>
    }
}

#[component]
fn Found(url: ListUrl, page: Page<Feedback>) -> impl IntoView {
    view! {
        <Entries items=page.items />
        <Pagination
            total=page.total
            limit=page.limit
            offset=page.offset
            on_page=Callback::new(move |offset| url.page(offset))
            on_size=Callback::new(move |size| url.size(size))
        />
    }
}

#[component]
fn Nothing(url: ListUrl) -> impl IntoView {
    let body = if url.is_narrowed(&[RATING, CATEGORY]) {
        view! {
            <EmptyState icon=IconName::Search title=texts::NO_MATCH_TITLE text=texts::NO_MATCH_TEXT>
                <Button on_click=Callback::new(move |()| url.clear(&[RATING, CATEGORY]))>
                    {shared::CLEAR_FILTERS.t()}
                </Button>
            </EmptyState>
        }
        .into_any()
    } else {
        view! { <EmptyState icon=IconName::Inbox title=texts::EMPTY_TITLE text=texts::EMPTY_TEXT /> }.into_any()
    };
    view! { <Card>{body}</Card> }
}
