//! What the command palette offers: the console's pages, and tenants and templates by what is typed.

use std::{future::Future, pin::Pin};

use app::{
    api,
    i18n::{Localized, Text},
    session::Session,
    ui::{PaletteChoices, Place},
};
use contract::{
    page::PageQuery,
    templates::{ListTemplates, TemplateListQuery},
    tenants::{ListTenants, TenantListQuery},
};

use leptos::prelude::*;

use crate::{paths, routes::navigation, texts};

/// Things of one kind that a search offers at most.
const OFFERED: i64 = 5;

/// What the palette offers.
#[component]
pub(crate) fn Palette() -> impl IntoView {
    view! { <PaletteChoices places=places() find /> }
}

/// The pages of the navigation and the forms behind them.
fn places() -> Vec<Place> {
    let place =
        |label: Text, href: &str| Place { label: label.into(), kind: texts::PAGE.into(), href: href.to_owned() };
    let mut places: Vec<_> = navigation(Session::get()).iter().map(|item| place(item.label, item.href)).collect();
    places.push(place(texts::NEW_TEMPLATE, paths::NEW_TEMPLATE));
    places
}

/// Tenants and templates whose name or id holds what is typed.
fn find(typed: String) -> Pin<Box<dyn Future<Output = Vec<Place>>>> {
    Box::pin(async move {
        let page = PageQuery { q: Some(typed), limit: OFFERED, ..PageQuery::default() };
        let mut found = tenants(page.clone()).await;
        found.extend(templates(page).await);
        found
    })
}

/// What a thing is, beside its own id.
fn kind(what: Text, id: String) -> Localized {
    Localized::new(move || format!("{} · {id}", what.get()))
}

async fn tenants(page: PageQuery) -> Vec<Place> {
    let Ok(page) = api::call::<ListTenants>(&(), &TenantListQuery { page }, &()).await else { return Vec::new() };
    let place = |tenant: contract::tenants::Tenant| Place {
        label: tenant.display_name.into(),
        kind: kind(texts::TENANT, tenant.slug),
        href: paths::tenant(tenant.id),
    };
    page.items.into_iter().map(place).collect()
}

async fn templates(page: PageQuery) -> Vec<Place> {
    let query = TemplateListQuery { page, ..TemplateListQuery::default() };
    let Ok(page) = api::call::<ListTemplates>(&(), &query, &()).await else { return Vec::new() };
    let place = |template: contract::templates::Template| Place {
        href: paths::template(&template.id),
        kind: kind(texts::TEMPLATE, template.id.to_string()),
        label: template.content.name.into(),
    };
    page.items.into_iter().map(place).collect()
}
