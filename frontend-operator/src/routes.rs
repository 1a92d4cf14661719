//! The console's pages and their frame.

use app::{
    lazy_page, lazy_view, page_path,
    session::Session,
    ui::{AppShell, Banner, Shortcuts},
};
use leptos::prelude::*;
use leptos_router::components::{FlatRoutes, Route, Router};

// The gallery is for the people who change the design system, in development builds.
#[cfg(feature = "gallery")]
use crate::gallery::GalleryPage;
#[cfg(not(feature = "gallery"))]
use crate::not_found::NotFoundPage as GalleryPage;
use crate::{
    audit::{AuditPage, AuditRowPage},
    connectors::ConnectorsPage,
    modules::ModulesPage,
    navigation::navigation,
    not_found::NotFoundPage,
    output_filter::OutputFilterPage,
    overview::OverviewPage,
    palette::Palette,
    system_check::SystemCheckPage,
    templates::{EditTemplatePage, NewTemplatePage, TemplatePage, TemplatesPage},
    tenants::{TenantBrandingPage, TenantPage, TenantsPage},
    texts,
    vendor_access::VendorAccessPage,
};

/// The pages behind the sign-in. All but the first are in separate files, few and large: pages of every group share
/// code.
#[component]
pub(crate) fn Pages(version: String) -> impl IntoView {
    let session = Session::get();
    view! {
        <Router base="/admin/operator">
            <AppShell console_name=texts::CONSOLE nav=navigation(session) version palette=lazy_view!(pages, Palette)>
                <Shortcuts more=&texts::KEYS />
                {(!session.is_operator()).then(|| view! { <ReadOnlyNote /> })}
                <FlatRoutes fallback=|| view! { <NotFoundPage /> }>
                    <Route path=page_path!("/") view=OverviewPage />
                    <Route path=page_path!("/tenants") view=lazy_page!(pages, TenantsPage) />
                    <Route path=page_path!("/tenants/:id") view=lazy_page!(pages, TenantPage) />
                    <Route path=page_path!("/tenants/:id/branding") view=lazy_page!(pages, TenantBrandingPage) />
                    <Route path=page_path!("/templates") view=lazy_page!(pages, TemplatesPage) />
                    <Route path=page_path!("/templates/new") view=lazy_page!(pages, NewTemplatePage) />
                    <Route path=page_path!("/templates/:id") view=lazy_page!(pages, TemplatePage) />
                    <Route path=page_path!("/templates/:id/edit") view=lazy_page!(pages, EditTemplatePage) />
                    <Route path=page_path!("/modules") view=lazy_page!(pages, ModulesPage) />
                    <Route path=page_path!("/audit") view=lazy_page!(pages, AuditPage) />
                    <Route path=page_path!("/audit/:id") view=lazy_page!(pages, AuditRowPage) />
                    <Route path=page_path!("/output-filter") view=lazy_page!(pages, OutputFilterPage) />
                    <Route path=page_path!("/vendor-access") view=lazy_page!(pages, VendorAccessPage) />
                    <Route path=page_path!("/system-check") view=lazy_page!(pages, SystemCheckPage) />
                    <Route path=page_path!("/connectors") view=lazy_page!(pages, ConnectorsPage) />
                    <Route path=page_path!("/gallery") view=lazy_page!(pages, GalleryPage) />
                </FlatRoutes>
            </AppShell>
        </Router>
    }
}

/// Explains to vendors why they see no buttons.
#[component]
fn ReadOnlyNote() -> impl IntoView {
    view! { <Banner>{texts::READ_ONLY.t()}</Banner> }
}
