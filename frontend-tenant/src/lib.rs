//! The tenant console: a single-page application below `/tenant/`, for the people who manage their organisation's
//! chatbots. The crate `app` has the code that it shares with the operator console.
#![expect(unreachable_pub, reason = "the component macro makes the builders of private components public")]

mod branding;
mod chatbot;
mod chatbot_fields;
mod chatbots;
mod conversation;
mod conversations;
mod create;
mod faq_dialog;
mod feedback_labels;
mod handled_filter;
mod knowledge_hub;
mod modules;
mod next_question;
mod not_found;
mod overview;
mod palette;
mod paths;
mod people;
mod preferences;
mod provisioning;
mod quotation;
mod read_only;
mod sources;
mod texts;
mod usage;

use app::{
    api,
    backend::{Console, ConsoleConfig},
    console::{self, ConsoleSpec, SignedIn},
    lazy_page, lazy_view, page_path,
    resource::{Load, Resource},
    ui::{AppShell, IconName, NavItem, Shortcuts},
};
use contract::{
    modules::KNOWLEDGE_HUB,
    tenants::{GetOwnTenant, TenantSelfQuery},
};
use leptos::prelude::*;
use leptos_router::components::{FlatRoutes, Route, Router};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::{
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
    not_found::NotFoundPage,
    overview::OverviewPage,
    palette::Palette,
    people::PeoplePage,
    preferences::PreferencesPage,
    usage::UsagePage,
};

const SPEC: ConsoleSpec = ConsoleSpec { console: Console::Tenant, name: texts::CONSOLE };

/// The knowledge hub's entry, for tenants that have it.
const HUB: NavItem = NavItem { href: paths::KNOWLEDGE, label: texts::KNOWLEDGE, icon: IconName::Book };
const HUB_PLACE: usize = 2;

const NAVIGATION: [NavItem; 8] = [
    NavItem { href: "/tenant/", label: texts::OVERVIEW, icon: IconName::Home },
    NavItem { href: "/tenant/chatbots", label: texts::CHATBOTS, icon: IconName::Chatbot },
    NavItem { href: "/tenant/conversations", label: texts::CONVERSATIONS, icon: IconName::Inbox },
    NavItem { href: "/tenant/branding", label: texts::BRANDING, icon: IconName::Palette },
    NavItem { href: "/tenant/modules", label: texts::MODULES, icon: IconName::Tiles },
    NavItem { href: paths::USAGE, label: app::usage::texts::TITLE, icon: IconName::Columns },
    NavItem { href: "/tenant/people", label: app::people::texts::TITLE, icon: IconName::People },
    NavItem { href: "/tenant/preferences", label: texts::PREFERENCES, icon: IconName::Sliders },
];

/// Starts the console in the page that loaded it.
///
/// # Errors
/// The page was not served by the platform.
#[wasm_bindgen(start)]
pub fn start() -> Result<(), JsValue> {
    console::start(SPEC, lazy_view!(console, Frame))
}

/// The pages behind the sign-in.
#[component]
fn Frame() -> impl IntoView {
    view! { <SignedIn pages=pages /> }
}

/// The navigation, for the palette.
#[derive(Clone, Copy)]
pub(crate) struct Navigation(pub(crate) Signal<Vec<NavItem>>);

/// The navigation. The entries after the knowledge hub appear when it is known whether the tenant has it, so that no
/// entry moves under a pointer.
fn navigation() -> Signal<Vec<NavItem>> {
    let tenant = Resource::new(|| async { api::call::<GetOwnTenant>(&(), &TenantSelfQuery::default(), &()).await });
    Signal::derive(move || {
        let mut items = NAVIGATION.to_vec();
        if matches!(tenant.state(), Load::Loading) {
            items.truncate(HUB_PLACE);
        }
        let has_hub =
            tenant.get().is_some_and(|tenant| tenant.enabled_modules.iter().any(|id| id.as_str() == KNOWLEDGE_HUB));
        if has_hub {
            items.insert(HUB_PLACE, HUB);
        }
        items
    })
}

fn pages(config: ConsoleConfig) -> impl IntoView {
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
                    <Route path=page_path!("/preferences") view=lazy_page!(pages, PreferencesPage) />
                </FlatRoutes>
            </AppShell>
        </Router>
    }
}
