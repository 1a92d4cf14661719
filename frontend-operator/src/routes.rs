//! The console's pages and their frame.

use app::{
    gallery::GalleryPage,
    lazy_page,
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

/// The pages below the sign-in. All but the first come as files of their own, few and large: a page of every group is
/// shared code of several groups too.
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
                    <Route path=path!("/tenants") view=lazy_page!(tenants, TenantsPage) />
                    <Route path=path!("/tenants/:id") view=lazy_page!(tenants, TenantPage) />
                    <Route path=path!("/tenants/:id/branding") view=lazy_page!(tenants, TenantBrandingPage) />
                    <Route path=path!("/templates") view=lazy_page!(templates, TemplatesPage) />
                    <Route path=path!("/templates/new") view=lazy_page!(templates, NewTemplatePage) />
                    <Route path=path!("/templates/:id") view=lazy_page!(templates, TemplatePage) />
                    <Route path=path!("/templates/:id/edit") view=lazy_page!(templates, EditTemplatePage) />
                    <Route path=path!("/modules") view=lazy_page!(records, ModulesPage) />
                    <Route path=path!("/audit") view=lazy_page!(records, AuditPage) />
                    <Route path=path!("/audit/:id") view=lazy_page!(records, AuditRowPage) />
                    <Route path=path!("/output-filter") view=lazy_page!(records, OutputFilterPage) />
                    <Route path=path!("/connectors") view=lazy_page!(records, ConnectorsPage) />
                    <Route path=path!("/gallery") view=lazy_page!(records, GalleryPage) />
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
