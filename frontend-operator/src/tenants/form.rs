//! The dialog that creates or changes a tenant.

use app::{
    api,
    form::{Edits, Field, Form},
    i18n::{languages, texts as common},
    problem::Problem,
    ui::{Dialog, DialogForm, Select, TextField, ToastKind, toast},
};
use contract::{
    tenants::{CreateTenant, GetTenant, NewTenant, Tenant, TenantPatch, UpdateTenant},
    validate::suggest_slug,
};
use leptos::prelude::*;

use crate::texts;

/// Creates a tenant, or changes `tenant`.
#[component]
pub(crate) fn TenantDialog(
    open: RwSignal<bool>,
    /// The tenant to change; `None` creates one.
    #[prop(optional_no_strip)]
    tenant: Option<Tenant>,
    /// Called with the tenant as stored by the API.
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

#[derive(Clone, Copy)]
struct Fields {
    name: Field,
    slug: Field,
    language: Field,
}

impl Fields {
    fn new(tenant: Option<&Tenant>) -> Self {
        let fields = Self {
            name: Field::new("display_name", ""),
            slug: Field::new("slug", ""),
            language: Field::new("default_language", "en"),
        };
        tenant.inspect(|tenant| fields.reset(tenant));
        fields
    }

    fn read(self) -> NewTenant {
        NewTenant {
            slug: self.slug.trimmed(),
            display_name: self.name.trimmed(),
            default_language: self.language.trimmed(),
        }
    }
}

impl Edits<Tenant> for Fields {
    type Patch = TenantPatch;

    fn patch(&self, stored: &Tenant) -> TenantPatch {
        let NewTenant { slug, display_name, default_language } = self.read();
        let changed = |new: String, old: &String| Some(new).filter(|new| new != old);
        TenantPatch {
            slug: changed(slug, &stored.slug),
            display_name: changed(display_name, &stored.display_name),
            default_language: changed(default_language, &stored.default_language),
            ..TenantPatch::default()
        }
    }

    fn reset(&self, stored: &Tenant) {
        self.name.set(stored.display_name.clone());
        self.slug.set(stored.slug.clone());
        self.language.set(stored.default_language.clone());
    }
}

#[component]
fn TenantForm(open: RwSignal<bool>, tenant: Option<Tenant>, on_done: Callback<Tenant>) -> impl IntoView {
    let fields = Fields::new(tenant.as_ref());
    let Fields { name, slug, language } = fields;
    let form = Form::new([name, slug, language]);
    let is_new = tenant.is_none();
    let submit_label = if is_new { texts::CREATE_TENANT } else { common::SAVE };
    let stored = tenant.map(RwSignal::new);
    // The slug follows the name until the user writes one.
    let follows = StoredValue::new(is_new);
    let suggest_tenant_slug = move |text: String| {
        if follows.get_value() {
            slug.set(suggest_slug(&text));
        }
    };
    let done = move |tenant: Tenant, message: app::i18n::Text| {
        toast(ToastKind::Success, message.with(&[&tenant.display_name]));
        open.set(false);
        on_done.run(tenant);
    };
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        match stored {
            None => form.send(fields.read(), create, move |tenant| done(tenant, texts::TENANT_CREATED)),
            Some(stored) => {
                let id = stored.with_untracked(|tenant| tenant.id);
                let saved = move |tenant| done(tenant, texts::TENANT_SAVED);
                form.save::<GetTenant, UpdateTenant, _>(id, stored, fields, saved);
            }
        }
    };
    view! {
        <DialogForm open form submit_label on_submit=submit>
            <TextField label=common::NAME field=name on_input=suggest_tenant_slug />
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
        </DialogForm>
    }
}

async fn create(body: NewTenant) -> Result<Tenant, Problem> {
    api::call::<CreateTenant>(&(), &(), &body).await
}
