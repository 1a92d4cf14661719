//! The page for an unknown address.

use app::{
    i18n::texts as common,
    ui::{ButtonKind, ButtonLink, EmptyState, IconName, PageHeader},
};
use leptos::prelude::*;

use crate::paths;

/// The page for unknown addresses.
#[component]
pub(crate) fn NotFoundPage() -> impl IntoView {
    view! {
        <PageHeader title=common::NOT_FOUND_TITLE />
        <EmptyState icon=IconName::Search title="404" text=common::NOT_FOUND_TEXT>
            <ButtonLink href=paths::HOME kind=ButtonKind::Primary>{common::TO_OVERVIEW.t()}</ButtonLink>
        </EmptyState>
    }
}
