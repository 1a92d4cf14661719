//! The tenant console: a single-page application below `/tenant/`, for people who run their
//! organisation's chatbots. What it shares with the operator console is in the crate `app`.
#![expect(unreachable_pub, reason = "the component macro makes the builders of private components public")]

mod branding_fields;
mod chatbot_fields;
mod faq_dialog;
mod pages;
mod provisioning;
mod read_only;
mod routes;
mod texts;

use app::{
    backend::{Console, ConsoleConfig},
    console::{self, ConsoleRoot, ConsoleSpec},
    lazy_page,
    server_fns::tenant::fetch_tenant_config,
    ui::{AppShell, IconName, NavItem},
};
use leptos::prelude::*;
use leptos_router::{
    components::{FlatRoutes, Route, Router},
    path,
};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::pages::{
    BrandingPage, ChatbotBrandingPage, ChatbotPage, ChatbotsPage, ConversationPage, ConversationsPage, CreatePage,
    DoctorPage, DocumentsPage, FeedbackPage, ModulesPage, NotFoundPage, OverviewPage, PlaygroundPage, PreferencesPage,
    SettingsPage, TemplatePage, UnansweredPage,
};

const SPEC: ConsoleSpec = ConsoleSpec { console: Console::Tenant, name: texts::CONSOLE };

const NAVIGATION: [NavItem; 6] = [
    NavItem { href: "/tenant/", label: texts::OVERVIEW, icon: IconName::Home },
    NavItem { href: "/tenant/chatbots", label: texts::CHATBOTS, icon: IconName::Chatbot },
    NavItem { href: "/tenant/conversations", label: texts::CONVERSATIONS, icon: IconName::Inbox },
    NavItem { href: "/tenant/branding", label: texts::BRANDING, icon: IconName::Palette },
    NavItem { href: "/tenant/modules", label: texts::MODULES, icon: IconName::Tiles },
    NavItem { href: "/tenant/preferences", label: texts::PREFERENCES, icon: IconName::User },
];

/// Starts the console in the page that loaded it.
#[wasm_bindgen(start)]
pub fn start() {
    console::start(|| view! { <ConsoleRoot spec=SPEC config=fetch_tenant_config pages=pages /> });
}

/// What stands below the sign-in.
fn pages(config: ConsoleConfig) -> impl IntoView {
    let version = config.version.clone();
    provide_context(config);
    view! {
        <Router base=routes::BASE>
            <AppShell console_name=texts::CONSOLE nav=NAVIGATION.to_vec() version>
                <FlatRoutes fallback=|| view! { <NotFoundPage /> }>
                    <Route path=path!("/") view=OverviewPage />
                    <Route path=path!("/chatbots") view=lazy_page!(chatbots, ChatbotsPage) />
                    <Route path=path!("/chatbots/new") view=lazy_page!(chatbots, CreatePage) />
                    <Route path=path!("/chatbots/:id") view=lazy_page!(chatbots, ChatbotPage) />
                    <Route path=path!("/chatbots/:id/websites") view=lazy_page!(visitors, DoctorPage) />
                    <Route path=path!("/chatbots/:id/feedback") view=lazy_page!(visitors, FeedbackPage) />
                    <Route path=path!("/chatbots/:id/unanswered") view=lazy_page!(visitors, UnansweredPage) />
                    <Route path=path!("/chatbots/:id/documents") view=lazy_page!(chatbots, DocumentsPage) />
                    <Route path=path!("/chatbots/:id/settings") view=lazy_page!(chatbots, SettingsPage) />
                    <Route path=path!("/chatbots/:id/branding") view=lazy_page!(setup, ChatbotBrandingPage) />
                    <Route path=path!("/chatbots/:id/playground") view=lazy_page!(visitors, PlaygroundPage) />
                    <Route path=path!("/chatbots/:id/template") view=lazy_page!(chatbots, TemplatePage) />
                    <Route path=path!("/conversations") view=lazy_page!(visitors, ConversationsPage) />
                    <Route path=path!("/conversations/:session") view=lazy_page!(visitors, ConversationPage) />
                    <Route path=path!("/branding") view=lazy_page!(setup, BrandingPage) />
                    <Route path=path!("/modules") view=lazy_page!(setup, ModulesPage) />
                    <Route path=path!("/preferences") view=lazy_page!(setup, PreferencesPage) />
                </FlatRoutes>
            </AppShell>
        </Router>
    }
}
