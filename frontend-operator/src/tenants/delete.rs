//! The question before a tenant is deleted.

use app::{
    api,
    ui::{ConfirmDialog, ToastKind, toast},
};
use contract::tenants::{DeleteTenant as DeleteTenantEndpoint, Tenant};
use leptos::{prelude::*, task::spawn_local};

use crate::texts;

/// Asks for the slug, deletes the tenant, says so.
#[component]
pub(crate) fn DeleteTenant(
    /// Whether it is open.
    open: RwSignal<bool>,
    /// The tenant to delete.
    tenant: Tenant,
    /// Hears that it is gone.
    #[prop(into)]
    on_done: Callback<()>,
) -> impl IntoView {
    let (busy, failure) = (RwSignal::new(false), RwSignal::new(None));
    let Tenant { id, slug, display_name, .. } = tenant;
    let name = display_name.clone();
    let confirm = move |()| {
        let name = name.clone();
        busy.set(true);
        spawn_local(async move {
            let result = api::call::<DeleteTenantEndpoint>(&id, &(), &()).await;
            // The page may be another one by now.
            if busy.try_set(false).is_some() {
                return;
            }
            match result {
                Ok(()) => {
                    open.set(false);
                    toast(ToastKind::Success, texts::TENANT_DELETED.with(&[&name]));
                    on_done.run(());
                }
                Err(problem) => failure.set(Some(problem)),
            }
        });
    };
    view! {
        <ConfirmDialog
            open
            title=texts::DELETE_TENANT_TITLE.with(&[&display_name])
            text=texts::DELETE_TENANT_TEXT.with(&[&display_name])
            confirm_label=texts::DELETE_TENANT
            type_to_confirm=slug
            busy=busy
            failure
            on_confirm=confirm
        />
    }
}
