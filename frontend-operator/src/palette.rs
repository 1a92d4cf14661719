//! Entries of the command palette: the console's pages, and tenants and templates that match the typed text.

use std::{future::Future, pin::Pin};

use app::{
    api,
    i18n::{Localized, Text},
    session::Session,
    ui::{PaletteChoices, PaletteEntry},
};
use contract::{
    page::PageQuery,
    templates::{ListTemplates, TemplateListQuery},
    tenants::{ListTenants, TenantListQuery},
};

use leptos::prelude::*;

use crate::{navigation::navigation, paths, texts};

/// Maximum results of one kind.
const MAX_RESULTS: i64 = 5;

#[component]
pub(crate) fn Palette() -> impl IntoView {
    view! { <PaletteChoices entries=entries() find /> }
}

/// The pages, and what an operator can create.
fn entries() -> Vec<PaletteEntry> {
    let session = Session::get();
    let page = |(label, href): (Text, &str)| PaletteEntry::new(label, texts::PAGE, href);
    let pages = navigation(session).into_iter().map(|item| (item.label, item.href));
    let mut entries: Vec<_> = pages.chain([(texts::CONNECTORS, paths::CONNECTORS)]).map(page).collect();
    if session.is_operator() {
        entries.extend([
            PaletteEntry::action(texts::CREATE_TENANT, paths::create(paths::TENANTS)),
            PaletteEntry::action(texts::CREATE_TEMPLATE, paths::NEW_TEMPLATE),
            PaletteEntry::action(texts::CREATE_MODULE, paths::create(paths::MODULES)),
        ]);
    }
    entries
}

/// Tenants and templates whose name or id contains the typed text.
fn find(typed: String) -> Pin<Box<dyn Future<Output = Vec<PaletteEntry>>>> {
    Box::pin(async move {
        let page = PageQuery { q: Some(typed), limit: MAX_RESULTS, ..PageQuery::default() };
        let mut entries = tenants(page.clone()).await;
        entries.extend(templates(page).await);
        entries
    })
}

/// The kind of a thing, next to its id.
fn kind(what: Text, id: String) -> Localized {
    Localized::new(move || format!("{} · {id}", what.get()))
}

async fn tenants(page: PageQuery) -> Vec<PaletteEntry> {
    let Ok(page) = api::call::<ListTenants>(&(), &TenantListQuery { page }, &()).await else { return Vec::new() };
    let entry = |tenant: contract::tenants::Tenant| {
        PaletteEntry::new(tenant.display_name, kind(texts::TENANT, tenant.slug), paths::tenant(tenant.id))
    };
    page.items.into_iter().map(entry).collect()
}

async fn templates(page: PageQuery) -> Vec<PaletteEntry> {
    let query = TemplateListQuery { page, ..TemplateListQuery::default() };
    let Ok(page) = api::call::<ListTemplates>(&(), &query, &()).await else { return Vec::new() };
    let entry = |template: contract::templates::Template| {
        let kind = kind(texts::TEMPLATE, template.id.to_string());
        PaletteEntry::new(template.content.name, kind, paths::template(&template.id))
    };
    page.items.into_iter().map(entry).collect()
}
