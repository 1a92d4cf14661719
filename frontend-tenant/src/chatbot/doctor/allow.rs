//! Allows a website with one click: reads the branding's list and writes it with one more entry, so that the API
//! validates and audits it like any change of the branding.

use app::{
    api,
    branding::refusal,
    page_task::spawn_on_page,
    problem::Problem,
    ui::{Button, IconName, ToastKind, toast, toast_problem},
};
use contract::{
    ErrorCode, Patch,
    branding::{GetTenantBranding, TenantBrandingPatch, UpdateTenantBranding},
    origin,
};
use leptos::prelude::*;

use crate::{read_only::AdminOnly, texts::doctor as texts};

/// The button that allows a website, or why it cannot be allowed.
#[component]
pub(super) fn Allow(
    /// The website's origin.
    origin: String,
    /// Called when it is allowed.
    on_allowed: Callback<()>,
) -> impl IntoView {
    if let Some(reason) = refusal(std::slice::from_ref(&origin), 0) {
        return view! { <p class="ui-muted ui-small">{reason.t()}</p> }.into_any();
    }
    let busy = RwSignal::new(false);
    let label = texts::ALLOW.with(&[&origin]);
    let click = Callback::new(move |()| {
        let (origin, allowed) = (origin.clone(), origin.clone());
        spawn_on_page(busy, async move { allow(&origin).await }, move |result| match result {
            Ok(()) => {
                toast(ToastKind::Success, texts::ALLOWED_TOAST.with(&[&allowed]));
                on_allowed.run(());
            }
            Err(problem) => toast_problem(&problem),
        });
    });
    view! {
        <AdminOnly>
            <div class="ui-row">
                <Button icon=IconName::Check small=true busy on_click=click>{label}</Button>
            </div>
        </AdminOnly>
    }
    .into_any()
}

async fn allow(origin: &str) -> Result<(), Problem> {
    match lengthen(origin).await {
        // The branding was changed since it was read.
        Err(problem) if problem.code() == Some(ErrorCode::PreconditionFailed) => lengthen(origin).await,
        done => done,
    }
}

async fn lengthen(origin: &str) -> Result<(), Problem> {
    let (branding, etag) = api::read_version::<GetTenantBranding>(&()).await?;
    let mut origins = branding.allowed_origins;
    if origin::is_allowed(origin, origins.iter().map(String::as_str)) {
        return Ok(());
    }
    origins.push(origin.to_owned());
    let patch = TenantBrandingPatch { allowed_origins: Patch::Value(origins), ..TenantBrandingPatch::default() };
    api::change_version::<UpdateTenantBranding>(&(), etag, &patch).await?;
    Ok(())
}
