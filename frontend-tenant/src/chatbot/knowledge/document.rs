//! A document of the chatbot: its state, its passages, and the answers to visitors that cited them.

mod facts;
mod passages;

use std::time::Duration;

use app::{
    api,
    backend::DocumentPage,
    console::name_tab,
    list_url::ListUrl,
    resource::{Loaded, Resource},
    server_fns::tenant::fetch_document_page,
    ui::{Card, EmptyState, IconName, Link, SkeletonCards},
};
use contract::{ChatbotId, chatbots::ChatbotStatus, documents::DocumentState, id::DocumentId};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use self::{facts::Facts, passages::Passages};
use super::PAGE_SIZE;
use crate::{
    chatbot::{frame::Frame, parts::Part},
    paths,
    provisioning::ProvisioningPoller,
    texts::document_page as texts,
};

/// Polling interval while a document is being read.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// The document in the URL.
#[component]
pub(crate) fn ChatbotDocumentPage() -> impl IntoView {
    view! { <Frame part=Part::Documents content /> }
}

fn content(poller: ProvisioningPoller) -> AnyView {
    let (chatbot, can_ask) =
        poller.chatbot().with_untracked(|chatbot| (chatbot.id, chatbot.status == ChatbotStatus::Active));
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("document")?.parse::<DocumentId>().ok()));
    let body = move || match id.get() {
        Some(document) => view! { <OfId chatbot document can_ask /> }.into_any(),
        None => missing(),
    };
    view! {
        <p><Link href=paths::documents(chatbot)>{texts::BACK.t()}</Link></p>
        {body}
    }
    .into_any()
}

#[component]
fn OfId(chatbot: ChatbotId, document: DocumentId, can_ask: bool) -> impl IntoView {
    let url = ListUrl::new("", PAGE_SIZE);
    let page = Resource::new(move || {
        let query = url.page_query();
        let (limit, offset) = (Some(query.limit), Some(query.offset));
        async move { api::function(move || fetch_document_page(Some(chatbot), Some(document), limit, offset)).await }
    });
    look_again_while_reading(page);
    view! {
        <Loaded resource=page skeleton=|| view! { <SkeletonCards count=2 /> } let:page_content>
            {match page_content {
                Some(page_content) => document_view(chatbot, page_content, url, can_ask),
                None => missing(),
            }}
        </Loaded>
    }
}

/// Loads the page again every two seconds while the document waits or is being read.
fn look_again_while_reading(page: Resource<Option<DocumentPage>>) {
    Effect::new(move |_| {
        let document_page = page.get().flatten();
        let is_reading = document_page
            .is_some_and(|page| matches!(page.document.state, DocumentState::Waiting | DocumentState::Reading));
        if !is_reading {
            return;
        }
        if let Ok(timer) = set_timeout_with_handle(move || page.reload(), POLL_INTERVAL) {
            // Also when the user leaves the page.
            on_cleanup(move || timer.clear());
        }
    });
}

fn document_view(chatbot: ChatbotId, page: DocumentPage, url: ListUrl, can_ask: bool) -> AnyView {
    let DocumentPage { document, source_name, passages, answers, is_cut, citations } = page;
    let is_archive = document.files > 1;
    name_tab(document.title.clone().into());
    view! {
        <Facts chatbot document source_name answers is_cut can_ask />
        <Passages page=passages citations is_archive url />
    }
    .into_any()
}

fn missing() -> AnyView {
    view! {
        <Card><EmptyState icon=IconName::Search title=texts::MISSING text=texts::MISSING_TEXT /></Card>
    }
    .into_any()
}
