//! The subject of an audit row as links where this console has a page for it. A name from the server means that the
//! thing exists; a deleted one is shown by the beginning of its id.

use app::i18n::Localized;
use contract::{TemplateId, audit::AuditRow};
use leptos::{either::Either, prelude::*};

use super::actions::thing;
use crate::{cells::short, paths};

/// The tenant of a row.
pub(super) fn tenant(row: &AuditRow) -> Option<impl IntoView + use<>> {
    let id = row.tenant_id?;
    let name = row.tenant_name.clone().map(Localized::from);
    Some(linked_name(name, &id.to_string(), tenant_page(row)))
}

/// The chatbot of a row, on the page of its tenant.
pub(super) fn chatbot(row: &AuditRow) -> Option<impl IntoView + use<>> {
    let id = row.chatbot_id?;
    let name = row.chatbot_name.clone().map(Localized::from);
    Some(linked_name(name, &id.to_string(), tenant_page(row)))
}

/// The thing that a row is about.
pub(super) fn entity(row: &AuditRow) -> impl IntoView + use<> {
    linked_name(thing(row), &row.entity_id, page(row))
}

fn linked_name(name: Option<Localized>, id: &str, href: Option<String>) -> impl IntoView + use<> {
    let Some(name) = name else {
        return Either::Left(view! { <span class="ui-muted ui-mono" title=id.to_owned()>{short(id)}</span> });
    };
    Either::Right(match href {
        Some(href) => Either::Left(view! { <a class="ui-link ui-link--quiet" href=href>{name}</a> }),
        None => Either::Right(view! { <span>{name}</span> }),
    })
}

/// The page of the subject, or of its tenant.
fn page(row: &AuditRow) -> Option<String> {
    match row.entity_type.as_str() {
        "tenant" | "tenant_branding" | "tenant_module" | "user" | "person" | "allowed_host" => tenant_page(row),
        "chatbot" | "chatbot_branding" if row.chatbot_name.is_some() => tenant_page(row),
        "template" if row.entity_name.is_some() => {
            row.entity_id.parse::<TemplateId>().ok().map(|id| paths::template(&id))
        }
        "module" if row.entity_name.is_some() => Some(paths::MODULES.to_owned()),
        _ => None,
    }
}

fn tenant_page(row: &AuditRow) -> Option<String> {
    row.tenant_name.as_ref().and(row.tenant_id).map(paths::tenant)
}
