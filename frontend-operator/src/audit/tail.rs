//! The live mode of the audit log: while it is on, the newest page shows new rows within seconds. It polls a single row
//! and reloads the page only when that row has changed.

use std::time::Duration;

use app::{
    api,
    list_url::ListUrl,
    resource::Resource,
    ui::{Switch, toast_problem},
};
use contract::audit::{AuditListQuery, AuditPage as Page, ListAudit};
use leptos::{leptos_dom::helpers::IntervalHandle, prelude::*, task::spawn_local};

use super::filter;
use crate::texts;

/// The polling interval.
const POLL_INTERVAL: Duration = Duration::from_secs(3);
/// The name of the switch in the address.
const KEY: &str = "live";

/// The switch of the live tail.
#[component]
pub(super) fn LiveTail(
    list: ListUrl,
    /// The shown page.
    rows: Resource<Page>,
) -> impl IntoView {
    let is_on = Signal::derive(move || !list.value(KEY).is_empty());
    let is_asking = StoredValue::new(false);
    let timer = StoredValue::new(None::<IntervalHandle>);
    let stop = move || {
        if let Some(Some(timer)) = timer.try_update_value(Option::take) {
            timer.clear();
        }
    };
    let look = move || {
        // Do not poll while the page is hidden.
        if is_asking.get_value() || document().hidden() || untrack(|| rows.is_busy()) {
            return;
        }
        is_asking.set_value(true);
        let query = untrack(|| filter::from_address(list));
        spawn_local(async move {
            let newest = match query {
                Ok(filter) => {
                    let query = AuditListQuery { filter, limit: 1, cursor: None };
                    api::call::<ListAudit>(&(), &query, &()).await
                }
                Err(problem) => Err(problem),
            };
            // The page may be another one by now.
            if is_asking.try_set_value(false).is_some() {
                return;
            }
            match newest {
                Ok(page) => reload_if_new(rows, &page),
                Err(problem) => {
                    list.set(&[(KEY, "")]);
                    toast_problem(&problem);
                }
            }
        });
    };
    Effect::new(move |_| {
        stop();
        if is_on.get() && list.value("cursor").is_empty() {
            timer.set_value(set_interval_with_handle(look, POLL_INTERVAL).ok());
        }
    });
    on_cleanup(stop);
    let switch = move |on: bool| list.set(&[(KEY, if on { "1" } else { "" }), ("cursor", "")]);
    view! { <Switch label=texts::AUDIT_LIVE checked=is_on on_change=switch /> }
}

fn reload_if_new(rows: Resource<Page>, newest: &Page) {
    let first = |page: &Page| page.items.first().map(|row| row.id);
    let current = untrack(|| rows.get());
    if current.is_some_and(|current| first(&current) != first(newest)) {
        rows.reload();
    }
}
