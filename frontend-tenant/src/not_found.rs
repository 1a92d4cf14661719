//! The page for an unknown address.

use app::{
    i18n::texts as shared,
    ui::{ButtonKind, ButtonLink, Card, EmptyState, IconName, PageHeader},
};
use leptos::prelude::*;

use crate::paths;

/// Says that the page does not exist, and links back.
#[component]
pub(crate) fn NotFoundPage() -> impl IntoView {
    view! {
        <PageHeader title=shared::NOT_FOUND_TITLE />
        <Card>
            <EmptyState icon=IconName::Search title="404" text=shared::NOT_FOUND_TEXT>
                <ButtonLink href=paths::HOME kind=ButtonKind::Primary icon=IconName::Home>
                    {shared::TO_OVERVIEW.t()}
                </ButtonLink>
            </EmptyState>
        </Card>
    }
}
