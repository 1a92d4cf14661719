//! The dialog that creates or changes a tenant.

use app::{
    api,
    form::{Field, Form, FormError},
    i18n::{languages, texts as common},
    problem::Problem,
    ui::{Button, ButtonKind, Dialog, Select, TextField, ToastKind, toast},
};
use contract::{
    tenants::{CreateTenant, NewTenant, Tenant, TenantPatch, UpdateTenant},
    validate::suggest_slug,
};
use leptos::prelude::*;

use crate::texts;

/// Creates a tenant, or changes `tenant`.
#[component]
pub(crate) fn TenantDialog(
    /// Whether it is open.
    open: RwSignal<bool>,
    /// The tenant to change; none creates one.
    #[prop(optional_no_strip)]
    tenant: Option<Tenant>,
    /// Hears the tenant as the API has it now.
    #[prop(into)]
    on_done: Callback<Tenant>,
) -> impl IntoView {
    let title = if tenant.is_some() { texts::EDIT_TENANT } else { texts::NEW_TENANT };
    view! {
        <Dialog open title=title>
            <TenantForm open tenant=tenant.clone() on_done />
        </Dialog>
    }
}

#[component]
fn TenantForm(open: RwSignal<bool>, tenant: Option<Tenant>, on_done: Callback<Tenant>) -> impl IntoView {
    let of = |value: fn(&Tenant) -> &String| tenant.as_ref().map(value).cloned().unwrap_or_default();
    let name = Field::new("display_name", of(|tenant| &tenant.display_name));
    let slug = Field::new("slug", of(|tenant| &tenant.slug));
    let language = Field::new("default_language", tenant.as_ref().map_or("en", |tenant| &tenant.default_language));
    let form = Form::new([name, slug, language]);
    let is_new = tenant.is_none();
    // The slug follows the name until the user writes one.
    let follows = StoredValue::new(is_new);
    let named = move |text: String| {
        if follows.get_value() {
            slug.set(suggest_slug(&text));
        }
    };
    let done = move |tenant: Tenant, said: app::i18n::Text| {
        toast(ToastKind::Success, said.with(&[&tenant.display_name]));
        open.set(false);
        on_done.run(tenant);
    };
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let (display_name, slug, default_language) = (name.trimmed(), slug.trimmed(), language.trimmed());
        match tenant.clone() {
            None => {
                let body = NewTenant { slug, display_name, default_language };
                form.send(body, create, move |tenant| done(tenant, texts::TENANT_CREATED));
            }
            Some(old) => {
                let body = changes(&old, slug, display_name, default_language);
                let call = move |body| async move { api::call::<UpdateTenant>(&old.id, &(), &body).await };
                form.send(body, call, move |tenant| done(tenant, texts::TENANT_SAVED));
            }
        }
    };
    view! {
        <form class="ui-dialog__form" novalidate on:submit=submit>
            <div class="ui-dialog__body">
                <TextField label=common::NAME field=name on_input=named />
                <TextField
                    label=common::SLUG
                    field=slug
                    hint=texts::TENANT_SLUG_HINT
                    mono=true
                    on_input=move |text: String| follows.set_value(is_new && text.is_empty())
                />
                <Select
                    label=texts::DEFAULT_LANGUAGE
                    value=Signal::derive(move || language.get())
                    options=languages::options(&language.trimmed())
                    on_change=move |value: String| language.set(value)
                />
                <FormError form />
            </div>
            <footer class="ui-dialog__footer">
                <Button on_click=move |()| open.set(false)>{common::CANCEL.t()}</Button>
                <Button kind=ButtonKind::Primary submit=true busy=form.busy()>
                    {if is_new { texts::CREATE_TENANT.t() } else { common::SAVE.t() }}
                </Button>
            </footer>
        </form>
    }
}

async fn create(body: NewTenant) -> Result<Tenant, Problem> {
    api::call::<CreateTenant>(&(), &(), &body).await
}

/// Only what differs is sent, so that two people can change different fields at the same time.
fn changes(old: &Tenant, slug: String, display_name: String, default_language: String) -> TenantPatch {
    let changed = |new: String, old: &String| Some(new).filter(|new| new != old);
    TenantPatch {
        slug: changed(slug, &old.slug),
        display_name: changed(display_name, &old.display_name),
        default_language: changed(default_language, &old.default_language),
    }
}
