//! The people of the tenant: users who can sign in, with their roles.

use app::{
    people::{PeopleList, PeopleOf, texts},
    ui::{Button, ButtonKind, IconName, PageHeader},
};
use leptos::prelude::*;

use crate::read_only::{ReadOnlyBanner, is_read_only};

/// The people of the user's tenant.
#[component]
pub(crate) fn PeoplePage() -> impl IntoView {
    let invite = RwSignal::new(false);
    let may_write = !is_read_only();
    let button = may_write.then(|| {
        view! {
            <Button kind=ButtonKind::Primary icon=IconName::Plus on_click=move |()| invite.set(true)>
                {texts::INVITE.t()}
            </Button>
        }
    });
    view! {
        <PageHeader title=texts::TITLE subtitle=texts::SUBTITLE>{button}</PageHeader>
        <ReadOnlyBanner />
        <PeopleList of=PeopleOf::Own may_write invite />
    }
}
