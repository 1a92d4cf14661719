//! What stands at an address that leads nowhere.

use app::{
    i18n::texts as shared,
    ui::{ButtonKind, ButtonLink, Card, EmptyState, IconName, PageHeader},
};
use leptos::prelude::*;

use crate::routes;

/// Says that there is no such page, and leads back.
#[component]
pub(crate) fn NotFoundPage() -> impl IntoView {
    view! {
        <PageHeader title=shared::NOT_FOUND_TITLE />
        <Card>
            <EmptyState icon=IconName::Search title="404" text=shared::NOT_FOUND_TEXT>
                <ButtonLink href=routes::overview() kind=ButtonKind::Primary icon=IconName::Home>
                    {shared::TO_OVERVIEW.t()}
                </ButtonLink>
            </EmptyState>
        </Card>
    }
}
