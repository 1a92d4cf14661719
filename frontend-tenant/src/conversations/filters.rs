//! The search and the filters of the list, and the download of its matches. Their state is the URL.

use app::{
    api,
    i18n::{Localized, Text},
    list_url::ListUrl,
    page_task::download_on_page,
    resource::Resource,
    ui::{Button, IconName, SearchField, Select},
};
use contract::{
    ChatbotId,
    chatbots::{Chatbot, ChatbotListQuery, ListChatbots},
    conversations::{ConversationExport, ConversationFilter, ExportConversations},
    page::{MAX_LIMIT, PageQuery},
};
use leptos::prelude::*;

use super::{CHATBOT, CURSOR, FROM, OUTCOME, RATING, TO, of_reader, period::PeriodSelect};
use crate::texts::conversations as texts;

/// The search and the filters; each change returns to the newest conversations.
#[component]
pub(super) fn Filters(
    url: ListUrl,
    filter: Memo<ConversationFilter>,
    /// The chatbot, if the list is its inbox; it cannot be changed then.
    inbox: Option<ChatbotId>,
) -> impl IntoView {
    let set = move |key: &'static str| {
        Callback::new(move |value: String| url.set(&[(key, value.as_str()), (CURSOR, ""), ("offset", "")]))
    };
    let outcomes = options(&[
        ("", texts::OUTCOME_ALL),
        ("answered", texts::OUTCOME_ANSWERED),
        ("unanswered", texts::OUTCOME_UNANSWERED),
    ]);
    let ratings = options(&[("", texts::RATING_ALL), ("down", texts::RATING_DOWN), ("up", texts::RATING_UP)]);
    let search = Callback::new(move |text: String| url.replace(&[("q", text.trim()), (CURSOR, "")]));
    view! {
        <div class="ui-toolbar">
            <div class="ui-toolbar__main">
                <SearchField label=texts::SEARCH value=url.signal("q") on_search=search />
                {inbox.is_none().then(|| view! { <ChatbotFilter url /> })}
                <Select
                    label=texts::OUTCOME
                    hide_label=true
                    value=url.signal(OUTCOME)
                    options=outcomes
                    on_change=set(OUTCOME)
                />
                <Select
                    label=texts::RATING
                    hide_label=true
                    value=url.signal(RATING)
                    options=ratings
                    on_change=set(RATING)
                />
                <div class="ui-row ui-row--wrap">
                    <PeriodSelect url />
                    <div class="ui-row">
                        <DayField label=texts::FROM value=url.signal(FROM) on_change=set(FROM) />
                        <DayField label=texts::TO value=url.signal(TO) on_change=set(TO) />
                    </div>
                </div>
            </div>
            <div class="ui-toolbar__end"><ExportButton filter /></div>
        </div>
    }
}

/// Downloads what the filters leave as CSV.
#[component]
fn ExportButton(filter: Memo<ConversationFilter>) -> impl IntoView {
    let busy = RwSignal::new(false);
    let download = Callback::new(move |()| {
        let body = ConversationExport(of_reader(filter.get_untracked()));
        download_on_page::<ExportConversations>(busy, (), body);
    });
    view! { <Button icon=IconName::Download busy=busy on_click=download>{texts::CSV.t()}</Button> }
}

fn options(of: &[(&str, Text)]) -> Vec<(String, Localized)> {
    of.iter().map(|(value, text)| ((*value).to_owned(), (*text).into())).collect()
}

/// The chatbots to choose from, once they are there.
#[component]
fn ChatbotFilter(url: ListUrl) -> impl IntoView {
    let chatbots = Resource::new(move || {
        let page = PageQuery { sort: Some("name".to_owned()), limit: MAX_LIMIT, ..PageQuery::default() };
        async move { api::call::<ListChatbots>(&(), &ChatbotListQuery { page, status: None }, &()).await }
    });
    let change = Callback::new(move |value: String| url.set(&[(CHATBOT, value.as_str()), (CURSOR, "")]));
    move || {
        let mut options = vec![(String::new(), texts::CHATBOT_ALL.into())];
        let listed = chatbots.get().map(|page| page.items).unwrap_or_default();
        options.extend(listed.into_iter().map(|Chatbot { id, name, .. }| (id.to_string(), name.into())));
        view! {
            <Select label=texts::CHATBOT hide_label=true value=url.signal(CHATBOT) options on_change=change />
        }
    }
}

/// A day, in the browser's own field. The browser reports a year digit by digit: one before 1000 is still being typed.
#[component]
fn DayField(label: Text, value: Signal<String>, on_change: Callback<String>) -> impl IntoView {
    let change = move |day: String| {
        if !day.starts_with('0') {
            on_change.run(day);
        }
    };
    view! {
        <label class="ui-row ui-small">
            <span class="ui-muted ui-nowrap">{label.t()}</span>
            <input
                class="ui-input"
                type="date"
                prop:value=move || value.get()
                on:change=move |event| change(event_target_value(&event))
            />
        </label>
    }
}
