//! The language models that a tenant's chatbots may use, and their default.

use app::{
    api,
    i18n::answer_models,
    page_task::spawn_on_page,
    problem::Problem,
    resource::{Loaded, Resource},
    session::Session,
    ui::{Badge, Card, Checkbox, Select, Skeleton, ToastKind, Tone, toast, toast_problem},
};
use contract::{
    Patch, TenantId,
    answer_models::{AnswerModel, AnswerModels, DEFAULT_MODEL, ListTenantAnswerModels},
    tenants::{Tenant, TenantPatch, UpdateTenant},
};
use leptos::prelude::*;

use crate::texts::tenants as texts;

/// The language models of a tenant.
#[component]
pub(super) fn AnswerModelsCard(tenant: Tenant, #[prop(into)] on_change: Callback<Tenant>) -> impl IntoView {
    let id: TenantId = tenant.id;
    let models = Resource::new(move || async move { api::call::<ListTenantAnswerModels>(&id, &(), &()).await });
    view! {
        <Card title=texts::ANSWER_MODELS>
            <Loaded resource=models skeleton=|| view! { <Skeleton lines=3 /> } let:models>
                <Models tenant=tenant.clone() models=models on_change />
            </Loaded>
        </Card>
    }
}

#[component]
fn Models(tenant: Tenant, models: AnswerModels, on_change: Callback<Tenant>) -> impl IntoView {
    if models.items.is_empty() {
        return view! { <p class="ui-muted">{texts::ANSWER_MODELS_NONE.t()}</p> }.into_any();
    }
    let read_only = !Session::get().is_operator();
    let busy = RwSignal::new(false);
    let (chosen, further) = (RwSignal::new(String::new()), RwSignal::new(Vec::<String>::new()));
    let choice = Choice { tenant: StoredValue::new(tenant), chosen, further, busy, on_change };
    choice.show();
    let save = move |patch: TenantPatch| choice.save(patch);
    let choose = Callback::new(move |name: String| {
        chosen.set(name.clone());
        let answer_model = if name == DEFAULT_MODEL { Patch::Null } else { Patch::Value(name) };
        save(TenantPatch { answer_model, ..TenantPatch::default() });
    });
    let mut options = answer_models::options(&models.items);
    if !models.items.iter().any(|model| model.name == DEFAULT_MODEL) {
        options.insert(0, (DEFAULT_MODEL.to_owned(), texts::ANSWER_MODEL_MISSING.into()));
    }
    let row = |model: AnswerModel| {
        let (name, label) = (model.name.clone(), answer_models::label(&model));
        // Every chatbot may have the default.
        let own = name.clone();
        let is_default = move || chosen.with(|chosen| *chosen == own);
        let own = name.clone();
        let checked = Signal::derive(move || further.with(|models| models.contains(&own)));
        let switch = Callback::new(move |on: bool| {
            further.update(|models| {
                models.retain(|other| *other != name);
                if on {
                    models.push(name.clone());
                }
            });
            save(TenantPatch { answer_models: Some(further.get_untracked()), ..TenantPatch::default() });
        });
        let away = (!model.is_available)
            .then(|| view! { <Badge tone=Tone::Warning dot=true>{texts::ANSWER_MODEL_AWAY.t()}</Badge> });
        view! {
            <li class="ui-row ui-row--wrap" hidden=is_default>
                <Checkbox label checked on_change=switch disabled=read_only busy />
                {away}
            </li>
        }
    };
    view! {
        <Select
            label=texts::ANSWER_MODEL_DEFAULT
            value=chosen
            options
            on_change=choose
            disabled=Signal::derive(move || read_only || busy.get())
        />
        <fieldset class="ui-choices">
            <legend>{texts::ANSWER_MODELS_FURTHER.t()}</legend>
            <ul>{models.items.into_iter().map(row).collect_view()}</ul>
        </fieldset>
    }
    .into_any()
}

/// The chosen models of a tenant, which are saved with each change.
#[derive(Clone, Copy)]
struct Choice {
    /// The tenant as it is stored.
    tenant: StoredValue<Tenant>,
    /// The name of the default model.
    chosen: RwSignal<String>,
    /// The names of the further models.
    further: RwSignal<Vec<String>>,
    busy: RwSignal<bool>,
    on_change: Callback<Tenant>,
}

impl Choice {
    /// Shows what is stored.
    fn show(self) {
        self.tenant.with_value(|tenant| {
            self.chosen.set(tenant.answer_model.clone().unwrap_or_else(|| DEFAULT_MODEL.to_owned()));
            self.further.set(tenant.answer_models.clone());
        });
    }

    fn save(self, patch: TenantPatch) {
        let id = self.tenant.with_value(|tenant| tenant.id);
        spawn_on_page(self.busy, change(id, patch), move |result: Result<Tenant, Problem>| match result {
            Ok(tenant) => {
                toast(ToastKind::Success, texts::ANSWER_MODELS_SAVED);
                self.on_change.run(tenant);
            }
            Err(problem) => {
                self.show();
                toast_problem(&problem);
            }
        });
    }
}

async fn change(id: TenantId, patch: TenantPatch) -> Result<Tenant, Problem> {
    api::call::<UpdateTenant>(&id, &(), &patch).await
}
