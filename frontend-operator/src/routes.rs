//! The console's pages and their frame.

use app::{
    gallery::GalleryPage,
    session::Session,
    ui::{AppShell, Banner, CommandPalette, IconName, NavItem, Shortcuts},
};
use leptos::prelude::*;
use leptos_router::{
    components::{FlatRoutes, Route, Router},
    path,
};

use crate::{
    audit::{AuditPage, AuditRowPage},
    connectors::ConnectorsPage,
    modules::ModulesPage,
    not_found::NotFoundPage,
    output_filter::OutputFilterPage,
    overview::OverviewPage,
    palette, paths,
    templates::{EditTemplatePage, NewTemplatePage, TemplatePage, TemplatesPage},
    tenants::{TenantBrandingPage, TenantPage, TenantsPage},
    texts,
};

/// The pages below the sign-in.
#[component]
pub(crate) fn Pages(version: String) -> impl IntoView {
    let session = Session::get();
    let nav = vec![
        NavItem { href: paths::HOME, label: texts::OVERVIEW, icon: IconName::Home },
        NavItem { href: paths::TENANTS, label: texts::TENANTS, icon: IconName::Tenant },
        NavItem { href: paths::TEMPLATES, label: texts::TEMPLATES, icon: IconName::Template },
        NavItem { href: paths::MODULES, label: texts::ENABLED_MODULES, icon: IconName::Tiles },
        NavItem { href: paths::AUDIT, label: texts::AUDIT, icon: IconName::Audit },
        NavItem { href: paths::OUTPUT_FILTER, label: texts::output_filter::TITLE, icon: IconName::Filter },
        NavItem { href: paths::CONNECTORS, label: texts::CONNECTORS, icon: IconName::Plug },
    ];
    view! {
        <Router base="/admin/operator">
            <AppShell console_name=texts::CONSOLE nav=nav.clone() version>
                <CommandPalette places=palette::places(&nav) find=palette::find />
                <Shortcuts more=&texts::KEYS />
                {(!session.is_operator()).then(|| view! { <ReadOnlyNote /> })}
                <FlatRoutes fallback=|| view! { <NotFoundPage /> }>
                    <Route path=path!("/") view=OverviewPage />
                    <Route path=path!("/tenants") view=TenantsPage />
                    <Route path=path!("/tenants/:id") view=TenantPage />
                    <Route path=path!("/tenants/:id/branding") view=TenantBrandingPage />
                    <Route path=path!("/templates") view=TemplatesPage />
                    <Route path=path!("/templates/new") view=NewTemplatePage />
                    <Route path=path!("/templates/:id") view=TemplatePage />
                    <Route path=path!("/templates/:id/edit") view=EditTemplatePage />
                    <Route path=path!("/modules") view=ModulesPage />
                    <Route path=path!("/audit") view=AuditPage />
                    <Route path=path!("/audit/:id") view=AuditRowPage />
                    <Route path=path!("/output-filter") view=OutputFilterPage />
                    <Route path=path!("/connectors") view=ConnectorsPage />
                    <Route path=path!("/gallery") view=GalleryPage />
                </FlatRoutes>
            </AppShell>
        </Router>
    }
}

/// Tells vendors why they see no buttons.
#[component]
fn ReadOnlyNote() -> impl IntoView {
    view! { <Banner>{texts::READ_ONLY.t()}</Banner> }
}
