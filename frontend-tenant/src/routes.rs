//! The console's pages and their frame. Every page of a chatbot is a route of its own: the router keeps the query of a
//! route's first address when only parameters change, so that filters of one page would reach the next.

use app::{
    backend::ConsoleConfig,
    lazy_page, lazy_view, page_path,
    ui::{AppShell, Shortcuts},
};
use leptos::prelude::*;
use leptos_router::components::{FlatRoutes, Route, Router};

use crate::{
    api_keys::ApiKeysPage,
    branding::BrandingPage,
    chatbot::{
        AnswersPage, ChatbotBrandingPage, ChatbotConversationsPage, ChatbotDocumentPage, ChatbotPage, DocumentsPage,
        FeedbackPage, InstallPage, MovedPage, PlaygroundPage, SettingsPage, TemplatePage, UnansweredPage, WebsitesPage,
    },
    chatbots::ChatbotsPage,
    conversation::ConversationPage,
    conversations::ConversationsPage,
    create::CreatePage,
    knowledge_hub::{BookmarksPage, DocumentPage, HistoryPage, LandingPage, SavedPage, SearchPage, SourcePage},
    modules::ModulesPage,
    navigation::{Navigation, navigation},
    not_found::NotFoundPage,
    overview::OverviewPage,
    palette::Palette,
    paths,
    people::PeoplePage,
    preferences::PreferencesPage,
    texts,
    usage::UsagePage,
};

/// The pages behind the sign-in. All but the overview are in separate files, one for each group.
pub(crate) fn pages(config: ConsoleConfig) -> impl IntoView {
    let version = config.version;
    let nav = navigation();
    provide_context(Navigation(nav));
    view! {
        <Router base=paths::BASE>
            <AppShell console_name=texts::CONSOLE nav version palette=lazy_view!(pages, Palette)>
                <Shortcuts />
                <FlatRoutes fallback=|| view! { <NotFoundPage /> }>
                    <Route path=page_path!("/") view=OverviewPage />
                    <Route path=page_path!("/chatbots") view=lazy_page!(pages, ChatbotsPage) />
                    <Route path=page_path!("/chatbots/new") view=lazy_page!(pages, CreatePage) />
                    <Route path=page_path!("/chatbots/:id") view=lazy_page!(pages, ChatbotPage) />
                    <Route path=page_path!("/chatbots/:id/knowledge") view=lazy_page!(pages, DocumentsPage) />
                    <Route path=page_path!("/chatbots/:id/knowledge/answers") view=lazy_page!(pages, AnswersPage) />
                    <Route path=page_path!("/chatbots/:id/knowledge/websites") view=lazy_page!(pages, WebsitesPage) />
                    <Route path=page_path!("/chatbots/:id/knowledge/:document") view=lazy_page!(pages, ChatbotDocumentPage) />
                    <Route path=page_path!("/chatbots/:id/inbox") view=lazy_page!(pages, UnansweredPage) />
                    <Route path=page_path!("/chatbots/:id/inbox/feedback") view=lazy_page!(pages, FeedbackPage) />
                    <Route path=page_path!("/chatbots/:id/inbox/conversations") view=lazy_page!(pages, ChatbotConversationsPage) />
                    <Route path=page_path!("/chatbots/:id/test") view=lazy_page!(pages, PlaygroundPage) />
                    <Route path=page_path!("/chatbots/:id/design") view=lazy_page!(pages, ChatbotBrandingPage) />
                    <Route path=page_path!("/chatbots/:id/install") view=lazy_page!(pages, InstallPage) />
                    <Route path=page_path!("/chatbots/:id/settings") view=lazy_page!(pages, SettingsPage) />
                    <Route path=page_path!("/chatbots/:id/settings/template") view=lazy_page!(pages, TemplatePage) />
                    <Route path=page_path!("/chatbots/:id/:former") view=lazy_page!(pages, MovedPage) />
                    <Route path=page_path!("/conversations") view=lazy_page!(pages, ConversationsPage) />
                    <Route path=page_path!("/conversations/:session") view=lazy_page!(pages, ConversationPage) />
                    <Route path=page_path!("/knowledge") view=lazy_page!(knowledge, LandingPage) />
                    <Route path=page_path!("/knowledge/search") view=lazy_page!(knowledge, SearchPage) />
                    <Route path=page_path!("/knowledge/doc/:id") view=lazy_page!(knowledge, DocumentPage) />
                    <Route path=page_path!("/knowledge/source/:id") view=lazy_page!(knowledge, SourcePage) />
                    <Route path=page_path!("/knowledge/bookmarks") view=lazy_page!(knowledge, BookmarksPage) />
                    <Route path=page_path!("/knowledge/history") view=lazy_page!(knowledge, HistoryPage) />
                    <Route path=page_path!("/knowledge/saved") view=lazy_page!(knowledge, SavedPage) />
                    <Route path=page_path!("/branding") view=lazy_page!(pages, BrandingPage) />
                    <Route path=page_path!("/modules") view=lazy_page!(pages, ModulesPage) />
                    <Route path=page_path!("/usage") view=lazy_page!(pages, UsagePage) />
                    <Route path=page_path!("/people") view=lazy_page!(pages, PeoplePage) />
                    <Route path=page_path!("/api-keys") view=lazy_page!(pages, ApiKeysPage) />
                    <Route path=page_path!("/preferences") view=lazy_page!(pages, PreferencesPage) />
                </FlatRoutes>
            </AppShell>
        </Router>
    }
}
