//! The connectors page: a stub without backend reads, as the specification requires, which says so.

use app::ui::{EmptyState, IconName, PageHeader};
use leptos::prelude::*;

use crate::texts;

#[component]
pub(crate) fn ConnectorsPage() -> impl IntoView {
    view! {
        <PageHeader title=texts::CONNECTORS subtitle=texts::CONNECTORS_SUBTITLE />
        <EmptyState icon=IconName::Plug title=texts::CONNECTORS_TITLE text=texts::CONNECTORS_TEXT />
    }
}
