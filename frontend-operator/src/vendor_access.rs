//! The sign-ins of vendors and of users who may be vendors, newest first, for operators; filters and page are in the
//! URL.

mod filter;

use app::{
    api,
    i18n::texts as common,
    list_url::ListUrl,
    resource::{Loaded, Resource},
    ui::{Badge, Banner, Button, Column, EmptyState, IconName, ListPages, PageHeader, SkeletonTable, Table, Tone},
};
use contract::vendor_access::{ListVendorAccess, LoginScope, PlatformLogin, VendorAccessPage as Page};
use leptos::{either::Either, prelude::*};

use self::filter::Filters;
use crate::{
    cells::{short, time},
    texts::{self as console, vendor_access as texts},
};

/// Sign-ins of a page.
const PAGE_SIZE: i64 = 50;

#[component]
pub(crate) fn VendorAccessPage() -> impl IntoView {
    let list = ListUrl::new("", PAGE_SIZE);
    let logins = Resource::new(move || {
        let query = filter::from_address(list);
        async move { api::call::<ListVendorAccess>(&(), &query, &()).await }
    });
    view! {
        <PageHeader title=texts::TITLE subtitle=texts::SUBTITLE>
            <Button icon=IconName::Refresh on_click=move |()| logins.reload()>{console::RELOAD.t()}</Button>
        </PageHeader>
        <Filters list />
        <Loaded resource=logins skeleton=|| view! { <SkeletonTable rows=10 columns=4 /> } let:page>
            <Rows page list />
        </Loaded>
    }
}

#[component]
fn Rows(page: Page, list: ListUrl) -> impl IntoView {
    let Page { items, total, limit, offset, is_recorded } = page;
    let off = (!is_recorded).then(|| {
        view! { <Banner tone=Tone::Warning title=texts::OFF_TITLE>{texts::OFF_TEXT.t()}</Banner> }
    });
    let rows = if total == 0 {
        Either::Left(view! { <Nothing list /> })
    } else {
        let columns = vec![
            Column::new(console::AUDIT_TIME),
            Column::new(console::AUDIT_USER),
            Column::new(texts::CLIENT),
            Column::new(console::AUDIT_ADDRESS).wide_only(),
            Column::new(console::AUDIT_SESSION).wide_only(),
        ];
        let rows: Vec<_> = items.into_iter().map(row).collect();
        Either::Right(view! {
            <Table caption=texts::TITLE columns>{rows}</Table>
            <ListPages url=list total limit offset />
        })
    };
    view! { {off} {rows} }
}

fn row(login: PlatformLogin) -> impl IntoView {
    let session = login.session_id.map(|session| {
        view! { <span class="ui-muted ui-mono" title=session.clone()>{short(&session)}</span> }
    });
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-nowrap">{time(login.occurred_at)}</td>
            <td class="ui-table__cell ui-table__cell--main">{login.username} " " {badge(login.scope)}</td>
            <td class="ui-table__cell ui-mono">{login.client_id}</td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-mono">{login.ip_address}</td>
            <td class="ui-table__cell ui-table__cell--wide-only">{session}</td>
        </tr>
    }
}

fn badge(scope: LoginScope) -> impl IntoView {
    let (tone, text, hint) = match scope {
        LoginScope::Vendor => (Tone::Info, texts::VENDOR, None),
        LoginScope::Operator => (Tone::Neutral, texts::OPERATOR, None),
        LoginScope::Unknown => (Tone::Warning, texts::UNKNOWN, Some(texts::UNKNOWN_HINT.t())),
    };
    view! { <span title=hint><Badge tone>{text.t()}</Badge></span> }
}

/// Shown without rows: nothing matches, or no vendor ever signed in.
#[component]
fn Nothing(list: ListUrl) -> impl IntoView {
    if untrack(|| list.is_narrowed(&filter::KEYS)) {
        return Either::Left(view! {
            <EmptyState icon=IconName::Search title=console::NO_MATCH_TITLE text=texts::NO_MATCH_TEXT>
                <Button on_click=move |()| list.clear(&filter::KEYS)>{common::CLEAR_FILTERS.t()}</Button>
            </EmptyState>
        });
    }
    Either::Right(view! { <EmptyState icon=IconName::Key title=texts::EMPTY_TITLE text=texts::EMPTY_TEXT /> })
}
