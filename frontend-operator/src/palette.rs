//! What the command palette offers: the console's pages, and tenants and templates by what is typed.

use std::{future::Future, pin::Pin};

use app::{
    api,
    ui::{NavItem, Place, SplitLoaderError, wasm_split},
};
use contract::{
    page::PageQuery,
    templates::{ListTemplates, TemplateListQuery},
    tenants::{ListTenants, TenantListQuery},
};

use crate::{paths, texts};

/// Things of one kind that a search offers at most.
const OFFERED: i64 = 5;

/// The pages of the navigation and the forms behind them.
pub(crate) fn places(nav: &[NavItem]) -> Vec<Place> {
    let place = |label: app::i18n::Text, href: &str| Place {
        label: label.into(),
        kind: texts::PAGE.into(),
        href: href.to_owned(),
    };
    let mut places: Vec<_> = nav.iter().map(|item| place(item.label, item.href)).collect();
    places.push(place(texts::NEW_TEMPLATE, paths::NEW_TEMPLATE));
    places
}

/// Places that will have been found.
type Finding = Pin<Box<dyn Future<Output = Vec<Place>>>>;

/// Tenants and templates whose name or id holds what is typed.
pub(crate) fn find(typed: String) -> Finding {
    Box::pin(async move {
        let page = PageQuery { q: Some(typed), limit: OFFERED, ..PageQuery::default() };
        let mut found = match find_tenants(page.clone()).await {
            Ok(finding) => finding.await,
            Err(_) => Vec::new(),
        };
        if let Ok(finding) = find_templates(page).await {
            found.extend(finding.await);
        }
        found
    })
}

/// Searching reads what the tenants' pages read, so it comes with their code.
#[wasm_split(tenants, fallible, wasm_split_path = app::ui::wasm_split_runtime)]
fn find_tenants(page: PageQuery) -> Result<Finding, SplitLoaderError> {
    Ok(Box::pin(tenants(page)))
}

#[wasm_split(templates, fallible, wasm_split_path = app::ui::wasm_split_runtime)]
fn find_templates(page: PageQuery) -> Result<Finding, SplitLoaderError> {
    Ok(Box::pin(templates(page)))
}

async fn tenants(page: PageQuery) -> Vec<Place> {
    let Ok(page) = api::call::<ListTenants>(&(), &TenantListQuery { page }, &()).await else { return Vec::new() };
    let place = |tenant: contract::tenants::Tenant| Place {
        label: tenant.display_name,
        kind: format!("{} · {}", texts::TENANT.t(), tenant.slug),
        href: paths::tenant(tenant.id),
    };
    page.items.into_iter().map(place).collect()
}

async fn templates(page: PageQuery) -> Vec<Place> {
    let query = TemplateListQuery { page, ..TemplateListQuery::default() };
    let Ok(page) = api::call::<ListTemplates>(&(), &query, &()).await else { return Vec::new() };
    let place = |template: contract::templates::Template| Place {
        href: paths::template(&template.id),
        kind: format!("{} · {}", texts::TEMPLATE.t(), template.id.as_str()),
        label: template.content.name,
    };
    page.items.into_iter().map(place).collect()
}
