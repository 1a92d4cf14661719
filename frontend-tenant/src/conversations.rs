//! The conversations with the tenant's chatbots: figures, search and filters, and the list. Filters and position are in
//! the URL.

mod figures;
mod filters;
mod period;
mod rows;

use app::{
    api, format,
    list_url::ListUrl,
    resource::{Loaded, Resource},
    ui::{PageHeader, SkeletonTable},
};
use contract::{
    ChatbotId,
    conversations::{ConversationFilter, ConversationListQuery, ListConversations, Outcome},
    feedback::Rating,
    moment::Moment,
};
use leptos::prelude::*;

use self::{figures::Figures, filters::Filters, rows::Rows};
use crate::{paths, texts::conversations as texts};

const CHATBOT: &str = "chatbot_id";
const OUTCOME: &str = "outcome";
const RATING: &str = "rating";
const FROM: &str = "date_from";
const TO: &str = "date_to";
const CURSOR: &str = "cursor";
/// The URL parameter of a conversation that was opened from its chatbot's inbox.
const INBOX: &str = "inbox";
/// Everything that narrows the list, the search apart.
const FILTERS: [&str; 5] = [CHATBOT, OUTCOME, RATING, FROM, TO];
const PAGE_SIZE: i64 = 25;

#[component]
pub(crate) fn ConversationsPage() -> impl IntoView {
    let url = ListUrl::new("", PAGE_SIZE);
    let filter = Memo::new(move |_| filter(url, None));
    let figures = Resource::new(move || figures::load(filter.get()));
    view! {
        <PageHeader title=texts::TITLE subtitle=texts::SUBTITLE />
        <Loaded resource=figures skeleton=figures::skeleton let:figures>
            <Figures figures chosen=filter.with_untracked(|of| of.date_from.is_some() || of.date_to.is_some()) />
        </Loaded>
        <List url filter />
    }
}

/// The conversations with one chatbot, without figures.
#[component]
pub(crate) fn ChatbotConversations(chatbot: ChatbotId) -> impl IntoView {
    let url = ListUrl::new("", PAGE_SIZE);
    let filter = Memo::new(move |_| filter(url, Some(chatbot)));
    view! { <List url filter inbox=chatbot /> }
}

/// The list under its filters.
#[component]
fn List(
    url: ListUrl,
    filter: Memo<ConversationFilter>,
    /// The chatbot, if the list is its inbox.
    #[prop(optional)]
    inbox: Option<ChatbotId>,
) -> impl IntoView {
    let page = Resource::new(move || {
        let cursor = Some(url.value(CURSOR)).filter(|text| !text.is_empty());
        let query = ConversationListQuery { filter: of_reader(filter.get()), limit: PAGE_SIZE, cursor };
        async move { api::call::<ListConversations>(&(), &query, &()).await }
    });
    view! {
        <Filters url filter inbox />
        <Loaded resource=page skeleton=|| view! { <SkeletonTable columns=4 /> } let:page>
            <Rows url page inbox />
        </Loaded>
    }
}

/// The conversations that a list under the filters of the address shows, tracked.
pub(crate) fn listed(url: ListUrl) -> ConversationFilter {
    of_reader(filter(url, None))
}

/// The filters of the address as a query string, tracked.
pub(crate) fn query(url: ListUrl) -> String {
    url.query_of(&[&["q", INBOX], &FILTERS[..]].concat(), &[])
}

/// The filters of the list in a chatbot's inbox for a conversation that is opened there, tracked.
fn query_in_inbox(url: ListUrl, chatbot: ChatbotId) -> String {
    url.query_of(&[&["q"], &FILTERS[..]].concat(), &[(CHATBOT, chatbot.to_string()), (INBOX, "1".to_owned())])
}

/// The list that a conversation was opened from, with its filters; untracked.
pub(crate) fn opened_from(url: ListUrl) -> String {
    untrack(|| match url.value(CHATBOT).parse() {
        Ok(chatbot) if !url.value(INBOX).is_empty() => {
            let filters = url.query_of(&["q", OUTCOME, RATING, FROM, TO], &[]);
            format!("{}{filters}", paths::chatbot_conversations(chatbot))
        }
        _ => format!("{}{}", paths::CONVERSATIONS, query(url)),
    })
}

/// The filter with its days in the reader's time zone, in which the list shows its times. The figures count days in UTC.
fn of_reader(filter: ConversationFilter) -> ConversationFilter {
    let moment = |day: Option<String>, time: &str| {
        let day = day?;
        let is_day = matches!(Moment::parse(&day), Some(Moment::Day(_)));
        let moment = format::moment_of(&day, time).filter(|moment| is_day && Moment::parse(moment).is_some());
        Some(moment.unwrap_or(day))
    };
    ConversationFilter {
        date_from: moment(filter.date_from, "00:00"),
        // The database counts finer than the browser.
        date_to: moment(filter.date_to, "23:59:59.999").map(|end| end.replace(".999Z", ".999999Z")),
        ..filter
    }
}

/// The filter in the URL, tracked; leaves out what the API would refuse.
fn filter(url: ListUrl, inbox: Option<ChatbotId>) -> ConversationFilter {
    let text = |key: &str| Some(url.value(key)).filter(|text| !text.is_empty());
    let day = |key: &str| text(key).filter(|text| Moment::parse(text).is_some());
    let outcomes = [Outcome::Answered, Outcome::Unanswered];
    let (outcome, rating) = (url.value(OUTCOME), url.value(RATING));
    ConversationFilter {
        chatbot_id: inbox.or_else(|| text(CHATBOT)?.parse().ok()),
        q: text("q"),
        outcome: outcomes.into_iter().find(|of| of.as_str() == outcome),
        rating: [Rating::Up, Rating::Down].into_iter().find(|of| of.as_str() == rating),
        date_from: day(FROM),
        date_to: day(TO),
    }
}
