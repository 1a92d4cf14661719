//! The dialog that follows a new tenant: nobody can sign in to it yet.

use app::people::{InviteDialog, PeopleOf, texts};
use contract::{people::PersonRole, tenants::Tenant};
use leptos::prelude::*;

/// Offers to invite the first administrator of a tenant that was just created.
#[component]
pub(super) fn FirstAdministrator(
    /// The tenant; opens the dialog when it is set.
    tenant: RwSignal<Option<Tenant>>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    Effect::new(move |_| {
        if tenant.with(Option::is_some) {
            open.set(true);
        }
    });
    move || {
        tenant.get().map(|tenant| {
            view! {
                <InviteDialog
                    open
                    of=Signal::from(PeopleOf::Tenant(tenant.id))
                    title=texts::FIRST_ADMIN_TITLE
                    text=texts::FIRST_ADMIN_TEXT.with(&[&tenant.display_name])
                    role=PersonRole::Admin
                    cancel=texts::LATER
                    on_done=|()| {}
                />
            }
        })
    }
}
