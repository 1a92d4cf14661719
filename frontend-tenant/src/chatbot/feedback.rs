//! Visitors' feedback on a chatbot's answers: counts, a chart, and single entries. Filters and page are in the URL.

mod entries;
mod statistics;

use app::{
    api,
    i18n::texts as shared,
    list_url::ListUrl,
    page_task::download_on_page,
    resource::{Loaded, Resource},
    ui::{Button, Card, DayRange, EmptyState, IconName, ListPages, Select, SkeletonTable},
};
use contract::{
    ChatbotId, Page,
    feedback::{
        ExportFeedback, Feedback, FeedbackCategory, FeedbackExport, FeedbackListQuery, FeedbackStatsQuery,
        GetFeedbackStats, ListFeedback, Rating,
    },
};
use leptos::prelude::*;

use self::{
    entries::{Correction, CorrectionDialog, Entries},
    statistics::Statistics,
};
use super::{frame::Frame, parts::Part};
use crate::{
    feedback_labels as labels,
    handled_filter::{self, HandledFilter},
    provisioning::ProvisioningPoller,
    read_only::ReadOnlyBanner,
    texts::feedback as texts,
};

const RATING: &str = "rating";
const CATEGORY: &str = "category";
const PAGE_SIZE: i64 = 25;

/// The feedback on the chatbot in the URL.
#[component]
pub(crate) fn FeedbackPage() -> impl IntoView {
    view! { <Frame part=Part::Feedback content /> }
}

fn content(poller: ProvisioningPoller) -> AnyView {
    let (id, fallback) = poller.chatbot().with_untracked(|chatbot| (chatbot.id, chatbot.fallback_message.clone()));
    let fallback = StoredValue::new(fallback);
    let url = ListUrl::new("", PAGE_SIZE);
    let range = DayRange::new(url);
    let stats = Resource::new(move || {
        let query = FeedbackStatsQuery { days: range.days().into() };
        async move { api::call::<GetFeedbackStats>(&id, &query, &()).await }
    });
    view! {
        <ReadOnlyBanner />
        <Loaded resource=stats skeleton=statistics::skeleton let:stats>
            <Statistics stats url range />
        </Loaded>
        <Filters id url />
        <List id url fallback />
    }
    .into_any()
}

#[component]
fn Filters(id: ChatbotId, url: ListUrl) -> impl IntoView {
    let mut ratings = vec![(String::new(), texts::RATING_ALL.into())];
    ratings
        .extend([Rating::Up, Rating::Down].map(|rating| (rating.as_str().to_owned(), labels::rating(rating).into())));
    let mut categories = vec![(String::new(), texts::CATEGORY_ALL.into())];
    categories.extend(FeedbackCategory::ALL.iter().map(|of| (of.as_str().to_owned(), labels::category(*of).into())));
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
                <HandledFilter url />
            </div>
            <div class="ui-toolbar__end"><ExportButton id url /></div>
        </div>
    }
}

/// The rating in the URL, tracked.
fn rating(url: ListUrl) -> Option<Rating> {
    [Rating::Up, Rating::Down].into_iter().find(|rating| rating.as_str() == url.value(RATING))
}

/// The category in the URL, tracked.
fn category(url: ListUrl) -> Option<FeedbackCategory> {
    FeedbackCategory::ALL.iter().copied().find(|of| of.as_str() == url.value(CATEGORY))
}

/// Downloads what the filters leave as CSV.
#[component]
fn ExportButton(id: ChatbotId, url: ListUrl) -> impl IntoView {
    let busy = RwSignal::new(false);
    let download = Callback::new(move |()| {
        let body = untrack(|| FeedbackExport {
            rating: rating(url),
            category: category(url),
            handled: handled_filter::from_url(url),
        });
        download_on_page::<ExportFeedback>(busy, id, body);
    });
    view! { <Button icon=IconName::Download busy=busy on_click=download>{texts::CSV.t()}</Button> }
}

#[component]
fn List(id: ChatbotId, url: ListUrl, fallback: StoredValue<String>) -> impl IntoView {
    let page = Resource::new(move || {
        let of = url.page_query();
        let query = FeedbackListQuery {
            rating: rating(url),
            category: category(url),
            handled: handled_filter::from_url(url),
            limit: of.limit,
            offset: of.offset,
        };
        async move { api::call::<ListFeedback>(&id, &query, &()).await }
    });
    let correction = Correction::new();
    view! {
        <Loaded resource=page skeleton=|| view! { <SkeletonTable columns=3 /> } let:feedback>
            {if feedback.total == 0 { view! { <Nothing url /> }.into_any() } else { view! { <Found url page feedback correction fallback /> }.into_any() }}
        </Loaded>
        <CorrectionDialog id page correction />
    }
}

#[component]
fn Found(
    url: ListUrl,
    page: Resource<Page<Feedback>>,
    feedback: Page<Feedback>,
    correction: Correction,
    fallback: StoredValue<String>,
) -> impl IntoView {
    view! {
        <Entries page items=feedback.items correction fallback />
        <ListPages url total=feedback.total limit=feedback.limit offset=feedback.offset />
    }
}

#[component]
fn Nothing(url: ListUrl) -> impl IntoView {
    let body = if url.is_narrowed(&[RATING, CATEGORY, handled_filter::KEY]) {
        view! {
            <EmptyState icon=IconName::Search title=texts::NO_MATCH_TITLE text=texts::NO_MATCH_TEXT>
                <Button on_click=Callback::new(move |()| url.clear(&[RATING, CATEGORY, handled_filter::KEY]))>
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
