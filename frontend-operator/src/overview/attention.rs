//! Problems that need attention, with their number and the affected tenants.

use app::{
    backend::{AlertSummary, AlertedTenant, OperatorOverview},
    format,
    i18n::{Text, plural},
    session::Session,
    ui::{Banner, Card, EmptyState, IconName, Tone},
};
use contract::TenantId;
use leptos::{either::Either, prelude::*};

use crate::{paths, texts};

/// The page where the problem can be solved or inspected.
type TenantPath = fn(TenantId) -> String;

/// The card with problems.
#[component]
pub(super) fn Attention(overview: OperatorOverview) -> impl IntoView {
    // Vendors do not see brandings.
    let branding: TenantPath = if Session::get().is_operator() { paths::tenant_branding } else { paths::tenant };
    let notes: Vec<_> = [
        (Tone::Danger, overview.failed_provisioning, texts::ATTENTION_PROVISIONING, paths::tenant as TenantPath),
        (Tone::Warning, overview.tenants_without_origins, texts::ATTENTION_ORIGINS, branding),
        (Tone::Warning, overview.cors_gaps, texts::ATTENTION_CORS, branding),
    ]
    .into_iter()
    .filter(|(_, affected, ..)| affected.count > 0)
    .map(|(tone, summary, text, path)| view! { <Note tone summary text path /> })
    .collect();
    let content = if notes.is_empty() {
        Either::Left(view! {
            <EmptyState
                icon=IconName::Check
                title=texts::ATTENTION_NONE_TITLE
                text=texts::ATTENTION_NONE_TEXT
                compact=true
            />
        })
    } else {
        Either::Right(view! { <div class="ui-stack ui-stack--small">{notes}</div> })
    };
    view! { <Card title=texts::ATTENTION>{content}</Card> }
}

#[component]
fn Note(tone: Tone, summary: AlertSummary, text: Text, path: TenantPath) -> impl IntoView {
    let AlertSummary { count, first } = summary;
    let rest = count - i64::try_from(first.len()).unwrap_or_default();
    let more = plural(rest, texts::ATTENTION_MORE_ONE, texts::ATTENTION_MORE);
    let link = move |tenant: AlertedTenant| {
        let chatbot = tenant.chatbot_name.map(|name| format!(" ({name})"));
        view! { <li><a class="ui-link" href=path(tenant.tenant_id)>{tenant.tenant_name} {chatbot}</a></li> }
    };
    view! {
        <Banner tone>
            <p>{text.with_localized([format::number(count)])}</p>
            <ul class="ui-row ui-row--wrap">
                {first.into_iter().map(link).collect_view()}
                {(rest > 0).then(|| view! { <li class="ui-muted">{more.with_localized([format::number(rest)])}</li> })}
            </ul>
        </Banner>
    }
}
