//! The branding of one tenant for operators: the tenant's own fields, and custom CSS.

use app::{
    api,
    branding::{BrandingForm, ColoursCard, LinksCard, NamesCard, OriginsCard, hard_to_read, texts as shared},
    form::{Edits, Field, Form},
    format,
    live_preview::{LivePreview, Previewed},
    problem::Problem,
    resource::{Loaded, Resource},
    session::Session,
    ui::{Card, Crumb, PageHeader, SaveBar, SkeletonCards, TextArea, ToastKind, toast},
};
use contract::{
    ChatbotId, ErrorCode, FieldError, Patch, TenantId,
    branding::{GetOperatorBranding, MAX_CUSTOM_CSS, OperatorBrandingPatch, TenantBranding, UpdateOperatorBranding},
    tenants::{GetTenant, Tenant},
    validate::Validate,
};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use crate::{
    paths,
    texts::{self as console, tenants as texts},
};

/// The branding of the tenant in the URL.
#[component]
pub(crate) fn TenantBrandingPage() -> impl IntoView {
    let params = use_params_map();
    let id = move || params.with(|params| params.get_str("id").and_then(|id| id.parse::<TenantId>().ok()));
    let both = Resource::new(move || {
        let id = id();
        async move {
            let id = id.ok_or_else(|| Problem::from(ErrorCode::TenantNotFound))?;
            let tenant = api::call::<GetTenant>(&id, &(), &()).await?;
            Ok((tenant, api::call::<GetOperatorBranding>(&id, &(), &()).await?))
        }
    });
    view! {
        <Loaded resource=both skeleton=|| view! { <SkeletonCards count=4 /> } let:both>
            <Content tenant=both.0 stored=both.1 />
        </Loaded>
    }
}

#[component]
fn Content(tenant: Tenant, stored: TenantBranding) -> impl IntoView {
    let name = tenant.display_name.clone();
    let crumbs = vec![
        Crumb::link(console::TENANTS, paths::TENANTS),
        Crumb::link(name.clone(), paths::tenant(tenant.id)),
        Crumb::here(texts::BRANDING),
    ];
    view! {
        <PageHeader title=texts::BRANDING subtitle=texts::BRANDING_SUBTITLE.with(&[&name]) crumbs />
        <Editor tenant stored />
    }
}

/// The edited branding with its custom CSS.
#[derive(Debug, Clone, Copy)]
struct Values {
    shared: BrandingForm,
    css: Field,
}

impl Values {
    fn new(stored: &TenantBranding) -> Self {
        let css = Field::new("custom_css", stored.custom_css.clone().unwrap_or_default());
        Self { shared: BrandingForm::new(stored), css }
    }

    fn form(self) -> Form {
        let mut fields = self.shared.text_fields();
        fields.push(self.css);
        Form::new(fields)
    }

    /// Number of fields that differ from the stored branding, tracked.
    fn changes(self, stored: &TenantBranding) -> usize {
        let css = usize::from(!self.patch(stored).custom_css.is_absent());
        self.shared.changes(stored) + css
    }

    /// The rules that the form breaks now.
    fn errors(self) -> Vec<FieldError> {
        let css = OperatorBrandingPatch { custom_css: Patch::Value(self.css.trimmed()), ..Default::default() };
        let mut errors = self.shared.errors();
        errors.extend(css.validate());
        errors
    }
}

impl Edits<TenantBranding> for Values {
    type Patch = OperatorBrandingPatch;

    fn patch(&self, stored: &TenantBranding) -> OperatorBrandingPatch {
        let css = Some(self.css.get()).filter(|css| !css.trim().is_empty()).unwrap_or_default();
        let custom_css = if css == stored.custom_css.as_deref().unwrap_or_default() {
            Patch::Absent
        } else if css.is_empty() {
            Patch::Null
        } else {
            Patch::Value(css)
        };
        OperatorBrandingPatch { tenant: self.shared.patch(stored), custom_css }
    }

    fn reset(&self, stored: &TenantBranding) {
        self.shared.reset(stored);
        self.css.set(stored.custom_css.clone().unwrap_or_default());
    }
}

#[component]
fn Editor(tenant: Tenant, stored: TenantBranding) -> impl IntoView {
    let tenant_id = tenant.id;
    let chatbot = example(tenant);
    let values = Values::new(&stored);
    let stored = RwSignal::new(stored);
    let form = values.form();
    let read_only = !Session::get().is_operator();
    let fields = Memo::new(move |_| values.shared.good_values());
    let custom_css = Signal::derive(move || values.css.get());
    let changes = Memo::new(move |_| stored.with(|stored| values.changes(stored)));
    let discard = move |()| stored.with_untracked(|stored| values.reset(stored));
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        save(tenant_id, values, form, stored);
    };
    view! {
        <form class="ui-form" novalidate on:submit=submit>
            <div class="ui-grid ui-grid--main-side">
                <div class="ui-stack">
                    <NamesCard values=values.shared read_only />
                    <ColoursCard values=values.shared read_only />
                    <LinksCard values=values.shared read_only />
                    <OriginsCard origins=values.shared.origins read_only />
                    <CssCard css=values.css read_only />
                </div>
                <div class="ui-stack ui-sticky">
                    <Card title=shared::PREVIEW>
                        <LivePreview chatbot fields custom_css />
                    </Card>
                    {move || hard_to_read(&fields.with(|fields| fields.warnings()))}
                </div>
            </div>
            <SaveBar form changes save_label=shared::SAVE on_discard=discard />
        </form>
    }
}

/// A sample chatbot for the preview, because the branding applies to all chatbots of the tenant.
fn example(tenant: Tenant) -> Previewed {
    Previewed {
        id: ChatbotId(tenant.id.0),
        name: tenant.display_name,
        language: tenant.default_language,
        welcome_message: shared::PREVIEW_WELCOME.into(),
    }
}

#[component]
fn CssCard(css: Field, read_only: bool) -> impl IntoView {
    let size =
        move || texts::CUSTOM_CSS_SIZE.with_localized([css.get().len(), MAX_CUSTOM_CSS].map(format::count)).get();
    view! {
        <Card title=texts::CUSTOM_CSS>
            <TextArea
                label=texts::CUSTOM_CSS
                hint=texts::CUSTOM_CSS_HINT
                field=css
                rows=10
                optional=true
                mono=true
                disabled=read_only
            />
            <p class="ui-muted ui-small">{size}</p>
        </Card>
    }
}

fn save(tenant_id: TenantId, values: Values, form: Form, stored: RwSignal<TenantBranding>) {
    let origins_are_good = values.shared.origins.check();
    if !form.accept(&untrack(|| values.errors())) || !origins_are_good {
        app::form::focus_invalid();
        return;
    }
    form.save::<GetOperatorBranding, UpdateOperatorBranding, _>(tenant_id, stored, values, move |saved| {
        if saved.warnings.is_empty() {
            toast(ToastKind::Success, shared::SAVED);
        } else {
            toast(ToastKind::Info, shared::SAVED_WITH_WARNINGS);
        }
        stored.set(saved);
    });
}
