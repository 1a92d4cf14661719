//! The wizard that creates a chatbot: template, settings, provisioning, and knowledge.

mod draft;
mod knowledge_step;
mod provisioning_step;
mod settings_step;
mod template_step;

use std::mem::{self, Discriminant};

use app::{
    api,
    form::Form,
    resource::Resource,
    row_owner::RowOwner,
    session::Session,
    ui::{Crumb, PageHeader, Stepper, StepperState, UnsavedGuard, focus_content},
};
use contract::{
    chatbots::{CreateChatbot, Provisioning},
    templates::ListTenantTemplates,
};
use leptos::prelude::*;

pub(crate) use self::template_step::active_templates;
use self::{
    draft::Draft, knowledge_step::KnowledgeStep, provisioning_step::ProvisioningStep, settings_step::SettingsStep,
    template_step::TemplateStep,
};
use crate::{paths, provisioning::ProvisioningPoller, read_only::ReadOnlyBanner, texts::create as texts};

/// The current step of the wizard.
#[derive(Debug, Clone, Copy)]
enum Step {
    Template,
    Settings,
    Provisioning(ProvisioningPoller),
    Knowledge(ProvisioningPoller),
}

/// Creates a chatbot in three steps; the fourth one adds knowledge.
#[component]
pub(crate) fn CreatePage() -> impl IntoView {
    let crumbs = vec![Crumb::link(crate::texts::CHATBOTS, paths::CHATBOTS), Crumb::here(texts::TITLE)];
    let body = if Session::get().is_tenant_admin() {
        view! { <Wizard /> }.into_any()
    } else {
        view! { <ReadOnlyBanner /> }.into_any()
    };
    view! {
        <PageHeader title=texts::TITLE subtitle=texts::SUBTITLE crumbs />
        {body}
    }
}

#[component]
fn Wizard() -> impl IntoView {
    let draft = Draft::new(untrack(app::i18n::current).code().to_owned());
    let (step, owner) = (RwSignal::new(Step::Template), RowOwner::current());
    let templates = Resource::new(|| async { api::call::<ListTenantTemplates>(&(), &active_templates(), &()).await });
    let form = Form::new(draft.fields());
    let to_settings = Callback::new(move |()| {
        draft.fill();
        step.set(Step::Settings);
    });
    let to_template = Callback::new(move |()| step.set(Step::Template));
    let create = Callback::new(move |()| {
        let call = |body| async move { api::call::<CreateChatbot>(&(), &(), &body).await };
        let created = move |chatbot| step.set(Step::Provisioning(owner.make(|| ProvisioningPoller::new(chatbot))));
        form.send(draft.request(), call, created);
    });
    let body = move || match step.get() {
        Step::Template => view! { <TemplateStep draft templates on_next=to_settings /> }.into_any(),
        Step::Settings => view! { <SettingsStep draft form on_back=to_template on_create=create /> }.into_any(),
        Step::Provisioning(poller) => {
            let on_next = Callback::new(move |()| step.set(Step::Knowledge(poller)));
            view! { <ProvisioningStep poller on_next /> }.into_any()
        }
        Step::Knowledge(poller) => view! { <KnowledgeStep chatbot=poller.chatbot() /> }.into_any(),
    };
    // A step is read from its beginning.
    Effect::new(move |before: Option<Discriminant<Step>>| {
        let now = mem::discriminant(&step.get());
        if before.is_some_and(|before| before != now) {
            focus_content();
            window().scroll_to_with_x_and_y(0.0, 0.0);
        }
        now
    });
    let dirty = move || matches!(step.get_untracked(), Step::Template | Step::Settings) && draft.is_changed();
    view! {
        <UnsavedGuard dirty=Signal::derive(dirty) />
        <Steps step />
        {body}
    }
}

#[component]
fn Steps(step: RwSignal<Step>) -> impl IntoView {
    let view = move || {
        let (at, setup) = match step.get() {
            Step::Template => (0, None),
            Step::Settings => (1, None),
            Step::Provisioning(poller) => (2, Some(provisioning_state(poller.state().get()))),
            Step::Knowledge(poller) => (3, Some(provisioning_state(poller.state().get()))),
        };
        let state = |index: usize| match (index, setup) {
            (2, Some(setup)) => setup,
            (index, _) if index < at => StepperState::Done,
            (index, _) if index == at => StepperState::Current,
            _ => StepperState::Ahead,
        };
        let labels = [texts::STEP_TEMPLATE, texts::STEP_SETTINGS, texts::STEP_PROVISIONING, texts::STEP_KNOWLEDGE];
        let steps = labels.into_iter().enumerate().map(|(index, label)| (label.into(), state(index))).collect();
        view! { <Stepper steps /> }
    };
    view! { {view} }
}

fn provisioning_state(state: Provisioning) -> StepperState {
    match state {
        Provisioning::Pending => StepperState::Current,
        Provisioning::Ready => StepperState::Done,
        Provisioning::Failed => StepperState::Failed,
    }
}
