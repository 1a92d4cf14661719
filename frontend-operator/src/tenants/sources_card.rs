//! Counts about the sources of a tenant's chatbots.

use app::{
    api, format,
    i18n::{Localized, Text, source_kinds},
    resource::{Loaded, Resource},
    ui::{Badge, Card, EmptyState, IconName, LocalPages, Skeleton},
};
use contract::{
    Page, TenantId,
    documents::{SourceKind, SourceListQuery},
    tenant_sources::{ListTenantSources, SourceReason, TenantSource},
};
use leptos::{either::Either, prelude::*};

use super::source_labels::{badge, reason};
use crate::texts::sources as texts;

/// The sources of one tenant, which are loaded after its page.
#[component]
pub(super) fn SourcesCard(tenant_id: TenantId) -> impl IntoView {
    let range = RwSignal::new((0, 10));
    let sources = Resource::new(move || {
        let (offset, limit) = range.get();
        let query = SourceListQuery { limit, offset };
        async move { api::call::<ListTenantSources>(&tenant_id, &query, &()).await }
    });
    view! {
        <Card title=texts::TITLE>
            <p class="ui-muted">{texts::INTRO.t()}</p>
            <Loaded resource=sources skeleton=|| view! { <Skeleton lines=4 /> } let:page>
                <Sources page range />
            </Loaded>
        </Card>
    }
}

#[component]
fn Sources(page: Page<TenantSource>, range: RwSignal<(i64, i64)>) -> impl IntoView {
    let Page { items, total, limit, offset } = page;
    if items.is_empty() {
        return Either::Left(view! {
            <EmptyState icon=IconName::Search title=texts::EMPTY_TITLE text=texts::EMPTY_TEXT compact=true />
        });
    }
    let items = items.into_iter().map(source).collect_view();
    Either::Right(view! {
        <ul class="ui-entries" aria-label=texts::TITLE.t()>{items}</ul>
        <LocalPages range total limit offset of=Some(texts::TITLE) />
    })
}

fn source(source: TenantSource) -> impl IntoView {
    let (tone, state) = badge(source.state);
    let paused = source.paused.then(|| view! { <Badge>{texts::STATE_PAUSED.t()}</Badge> });
    let host = source.host.clone().map(|host| view! { <span class="ui-mono ui-break">{host}</span> });
    let numbers = Localized::joined(numbers(&source), " · ");
    view! {
        <li class="ui-entries__item">
            <div class="ui-row ui-row--wrap">
                <span class="ui-strong ui-break">{source.chatbot_name}</span>
                <span>{source_kinds::name(source.kind).t()}</span>
                {host}
                <Badge tone dot=true>{state.t()}</Badge>
                {paused}
            </div>
            <p class="ui-muted ui-small">{numbers}</p>
            {reasons(source.kind, source.reasons)}
        </li>
    }
}

/// The amounts in the source, and when it was read.
fn numbers(source: &TenantSource) -> Vec<Localized> {
    let documents = source.documents;
    let first = match source.pages {
        Some(pages) => texts::PAGES.with_localized([counted([
            (pages.ready, texts::IN_USE),
            (pages.left_out, texts::LEFT_OUT),
            (pages.failed, texts::FAILED),
            (pages.missing, texts::GONE),
        ])]),
        None => texts::DOCUMENTS.with_localized([counted([
            (documents.ready, texts::READY),
            (documents.waiting, texts::WAITING),
            (documents.reading, texts::READING),
            (documents.failed, texts::FAILED),
        ])]),
    };
    let mut parts = vec![first, texts::PASSAGES.with_localized([format::number(source.passages)])];
    if source.bytes > 0 {
        parts.push(format::bytes(source.bytes.unsigned_abs()));
    }
    parts.extend(source.last_read_at.map(|time| texts::LAST_READ.with_localized([format::ago(time)])));
    parts.extend(source.next_read_at.map(|time| texts::NEXT_READ.with_localized([format::date_time(time)])));
    parts
}

/// The counts that are not zero; a zero when all are.
fn counted(counts: [(i64, Text); 4]) -> Localized {
    let parts: Vec<_> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, text)| text.with_localized([format::number(count)]))
        .collect();
    if parts.is_empty() { format::number(0) } else { Localized::joined(parts, ", ") }
}

/// Why something is not read, each reason with how often.
fn reasons(of: SourceKind, reasons: Vec<SourceReason>) -> Option<impl IntoView> {
    let line = move |reason_count: SourceReason| {
        let text = texts::REASON.with_localized([reason(of, &reason_count.code), format::number(reason_count.count)]);
        view! { <li>{text}</li> }
    };
    (!reasons.is_empty()).then(|| {
        let lines = reasons.into_iter().map(line).collect_view();
        view! { <ul class="ui-list ui-list--bulleted ui-small" aria-label=texts::REASONS.t()>{lines}</ul> }
    })
}
