//! Entries of the command palette: the console's pages, those of the current chatbot, chatbots that match the typed
//! text, and what an administrator can create.

use std::{future::Future, pin::Pin};

use app::{
    api,
    i18n::Localized,
    session::Session,
    ui::{PaletteChoices, PaletteEntry},
};
use contract::{
    ChatbotId,
    chatbots::{Chatbot, ChatbotListQuery, ListChatbots},
    page::PageQuery,
};
use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::{chatbot, navigation::Navigation, paths, texts::palette as texts};

/// Maximum chatbots in the results.
const MAX_RESULTS: i64 = 5;

#[component]
pub(crate) fn Palette() -> impl IntoView {
    let path = use_location().pathname.get_untracked();
    view! { <PaletteChoices entries=entries(&path) find /> }
}

/// The pages of the chatbot at `path`, those of the navigation, and what can be created.
fn entries(path: &str) -> Vec<PaletteEntry> {
    let mut entries = Vec::new();
    if let Some(id) = chatbot_of(path) {
        let page = |(label, href): (app::i18n::Text, String)| PaletteEntry::new(label, texts::OF_THIS_CHATBOT, href);
        entries.extend(chatbot::pages(id).into_iter().map(page));
    }
    let items = expect_context::<Navigation>().0.get_untracked();
    entries.extend(items.into_iter().map(|item| PaletteEntry::new(item.label, texts::PAGE, item.href)));
    if Session::get().is_tenant_admin() {
        entries.push(PaletteEntry::action(texts::CREATE_CHATBOT, paths::create()));
        entries.push(PaletteEntry::action(texts::ALLOW_WEBSITE, paths::allowed_websites()));
    }
    entries
}

/// The chatbot whose page is at `path`.
fn chatbot_of(path: &str) -> Option<ChatbotId> {
    let rest = path.strip_prefix(paths::CHATBOTS)?.strip_prefix('/')?;
    rest.split('/').next()?.parse().ok()
}

/// Chatbots whose name or slug contains the typed text.
fn find(typed: String) -> Pin<Box<dyn Future<Output = Vec<PaletteEntry>>>> {
    Box::pin(async move {
        let page = PageQuery { q: Some(typed), limit: MAX_RESULTS, ..PageQuery::default() };
        let query = ChatbotListQuery { page, status: None };
        let Ok(page) = api::call::<ListChatbots>(&(), &query, &()).await else { return Vec::new() };
        let entry = |chatbot: Chatbot| {
            let slug = chatbot.slug;
            let kind = Localized::new(move || format!("{} · {slug}", texts::CHATBOT.get()));
            PaletteEntry::new(chatbot.name, kind, paths::chatbot(chatbot.id))
        };
        page.items.into_iter().map(entry).collect()
    })
}
