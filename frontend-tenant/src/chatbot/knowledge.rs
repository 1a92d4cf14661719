//! The knowledge of the chatbot on three pages: uploaded files with their documents and sources, the tenant's own
//! answers, and websites.

mod document;
mod faq;
mod faq_files;
mod list;
mod progress;
mod selection;
mod sources;
mod states;
mod upload;
mod visitor_files;
mod ways;
mod website;

use app::{
    api, format,
    i18n::Text,
    list_url::ListUrl,
    resource::Resource,
    server_fns::tenant::fetch_text_recognition,
    ui::{Banner, SearchField},
};
use contract::{
    ChatbotId, Page,
    documents::{ChatbotSource, ListSources, SourceKind, SourceListQuery},
    page::MAX_LIMIT,
};
use leptos::prelude::*;

pub(crate) use self::document::ChatbotDocumentPage;
use self::{
    faq::FaqCard, list::DocumentsCard, progress::Progress, sources::SourcesCard, upload::UploadCard, ways::ApiDialog,
    website::WebsiteCard,
};
use super::{frame::Frame, parts::Part};
use crate::{
    provisioning::ProvisioningPoller,
    read_only::{ReadOnlyBanner, is_read_only},
    texts::knowledge as texts,
};

/// Rows a page, of documents and of answers.
const PAGE_SIZE: i64 = 25;

/// The documents of the chatbot in the URL.
#[component]
pub(crate) fn DocumentsPage() -> impl IntoView {
    view! { <Frame part=Part::Documents content=documents /> }
}

/// The tenant's own answers of the chatbot in the URL.
#[component]
pub(crate) fn AnswersPage() -> impl IntoView {
    view! { <Frame part=Part::Answers content=answers /> }
}

/// The websites of the chatbot in the URL.
#[component]
pub(crate) fn WebsitesPage() -> impl IntoView {
    view! { <Frame part=Part::Websites content=websites /> }
}

fn answers(poller: ProvisioningPoller) -> AnyView {
    let url = ListUrl::new("", PAGE_SIZE);
    view! {
        <ReadOnlyBanner />
        <Search url label=texts::SEARCH_ANSWERS />
        <FaqCard id=id_of(poller) url />
    }
    .into_any()
}

fn websites(poller: ProvisioningPoller) -> AnyView {
    let id = id_of(poller);
    let sources = sources_of(id);
    Progress::follow(id, sources);
    view! {
        <ReadOnlyBanner />
        <WebsiteCard id sources />
    }
    .into_any()
}

fn id_of(poller: ProvisioningPoller) -> ChatbotId {
    poller.chatbot().with_untracked(|chatbot| chatbot.id)
}

/// The sources of a chatbot.
fn sources_of(id: ChatbotId) -> Resource<Page<ChatbotSource>> {
    let all = SourceListQuery { limit: MAX_LIMIT, offset: 0 };
    Resource::new(move || {
        let all = all.clone();
        async move { api::call::<ListSources>(&id, &all, &()).await }
    })
}

/// The search of a page, stored in the URL.
#[component]
fn Search(url: ListUrl, label: Text) -> impl IntoView {
    let search = Callback::new(move |text: String| url.search(&text));
    view! { <SearchField label value=url.signal("q") on_search=search /> }
}

fn documents(poller: ProvisioningPoller) -> AnyView {
    let id = id_of(poller);
    let sources = sources_of(id);
    let progress = Progress::follow(id, sources);
    let url = ListUrl::new("title", PAGE_SIZE);
    let recognition = Resource::new(|| api::function(fetch_text_recognition));
    let reads_scans = Signal::derive(move || recognition.get());
    let shows_api = RwSignal::new(false);
    view! {
        <ReadOnlyBanner />
        {(!is_read_only()).then(|| view! { <UploadCard id sources reads_scans shows_api /> })}
        <p class="ui-visually-hidden" role="status">{reading(sources)}</p>
        <Search url label=texts::SEARCH />
        <DocumentsCard id url sources progress />
        <Outdated sources />
        <SourcesCard id sources shows_api />
        <ApiDialog id open=shows_api />
    }
    .into_any()
}

/// Documents that wait or are being read.
fn pending(page: &Page<ChatbotSource>) -> i64 {
    page.items.iter().map(|source| source.pending).sum()
}

/// How many documents an earlier version of the platform read, and what happens to them. Screen readers do not announce each
/// number.
#[component]
fn Outdated(sources: Resource<Page<ChatbotSource>>) -> impl IntoView {
    let counts = Memo::new(move |before: Option<&[i64; 3]>| {
        sources.get().map_or_else(|| before.copied().unwrap_or_default(), |page| count_outdated(&page))
    });
    let is_some = Memo::new(move |_| counts.get() != [0; 3]);
    let lines =
        move || view! { <div class="ui-stack ui-stack--small" aria-live="off">{move || outdated(counts.get())}</div> };
    move || is_some.get().then(|| view! { <Banner title=texts::OUTDATED>{lines()}</Banner> })
}

/// Documents of the tenant's own, pages, and files of the operator.
fn count_outdated(page: &Page<ChatbotSource>) -> [i64; 3] {
    let count = |is_meant: fn(SourceKind) -> bool| -> i64 {
        page.items.iter().filter(|source| is_meant(source.kind)).map(|source| source.outdated).sum()
    };
    [
        count(|kind| !matches!(kind, SourceKind::Files | SourceKind::Website)),
        count(|kind| kind == SourceKind::Website),
        count(|kind| kind == SourceKind::Files),
    ]
}

fn outdated([own, pages, files]: [i64; 3]) -> impl IntoView {
    let line = |count: i64, one: Text, some: Text| match count {
        0 => None,
        1 => Some(view! { <p>{one.t()}</p> }.into_any()),
        _ => Some(view! { <p>{some.with_localized([format::number(count)])}</p> }.into_any()),
    };
    let lines = [
        line(own, texts::OUTDATED_OWN_ONE, texts::OUTDATED_OWN_SOME),
        line(pages, texts::OUTDATED_PAGES_ONE, texts::OUTDATED_PAGES_SOME),
        line(files, texts::OUTDATED_FILES_ONE, texts::OUTDATED_FILES_SOME),
    ];
    lines.into_iter().flatten().collect_view()
}

/// The announcement for screen readers: how much is being read, again when half of it is done or something was added, and when all
/// is done.
fn reading(sources: Resource<Page<ChatbotSource>>) -> impl IntoView {
    let count = Memo::new(move |before: Option<&Option<i64>>| {
        // Keeps the last announcement while the list is reloaded.
        sources.get().map(|page| pending(&page)).or_else(|| before.copied().flatten())
    });
    let text = Memo::new(move |before: Option<&Option<i64>>| match (before.copied().flatten(), count.get()) {
        (Some(_), Some(0)) => Some(0),
        (_, Some(0) | None) => None,
        (Some(last), Some(now)) if now < last && 2 * now > last => Some(last),
        (_, some) => some,
    });
    move || match text.get() {
        None => String::new(),
        Some(0) => texts::READING_DONE.get().to_owned(),
        Some(1) => texts::READING_ONE.get().to_owned(),
        Some(count) => texts::READING_SOME.with_localized([format::number(count)]).get(),
    }
}
