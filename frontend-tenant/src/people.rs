//! The people of the tenant: who can sign in, and what they may do.

use app::{
    people::{PeopleList, PeopleOf, texts},
    ui::PageHeader,
};
use leptos::prelude::*;

use crate::read_only::{ReadOnlyBanner, is_read_only};

/// The people of the user's tenant.
#[component]
pub(crate) fn PeoplePage() -> impl IntoView {
    view! {
        <PageHeader title=texts::TITLE subtitle=texts::SUBTITLE />
        <ReadOnlyBanner />
        <PeopleList of=PeopleOf::Own may_write=!is_read_only() />
    }
}
