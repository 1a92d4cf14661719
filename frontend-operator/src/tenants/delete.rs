//! The confirmation before a tenant is deleted.

use app::{
    api,
    page_task::spawn_on_page,
    ui::{ConfirmDialog, ToastKind, toast},
};
use contract::tenants::{DeleteTenant as DeleteTenantEndpoint, Tenant};
use leptos::prelude::*;

use crate::texts;

/// Asks for the slug, deletes the tenant and shows a message.
#[component]
pub(crate) fn DeleteTenant(
    open: RwSignal<bool>,
    tenant: Tenant,
    /// Called after the deletion.
    #[prop(into)]
    on_done: Callback<()>,
) -> impl IntoView {
    let (busy, failure) = (RwSignal::new(false), RwSignal::new(None));
    let Tenant { id, slug, display_name, .. } = tenant;
    let name = display_name.clone();
    let confirm = move |()| {
        let name = name.clone();
        let call = async move { api::call::<DeleteTenantEndpoint>(&id, &(), &()).await };
        spawn_on_page(busy, call, move |result| match result {
            Ok(()) => {
                open.set(false);
                toast(ToastKind::Success, texts::TENANT_DELETED.with(&[&name]));
                on_done.run(());
            }
            Err(problem) => failure.set(Some(problem)),
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
