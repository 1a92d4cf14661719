//! The choice of the template's changes to apply, and their application.

use app::{
    api,
    i18n::{Localized, plural},
    page_task::spawn_on_page,
    problem::Problem,
    resource::Resource,
    ui::{Button, ButtonKind, ConfirmDialog, ToastKind, toast, toast_problem},
};
use contract::{
    ErrorCode,
    template_update::{ApplyTemplate, ApplyTemplateUpdate, TemplateChange, TemplateUpdate},
};
use leptos::prelude::*;

use super::values::label;
use crate::{provisioning::ProvisioningPoller, texts::template_update as texts};

/// The fields to apply; by default those that lose nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choices(RwSignal<Vec<String>>);

impl Choices {
    /// The choice to begin with.
    pub(super) fn new(changes: &[TemplateChange]) -> Self {
        let harmless = changes.iter().filter(|change| !change.customised);
        Self(RwSignal::new(harmless.map(|change| change.field.clone()).collect()))
    }

    /// Whether a field will be applied, tracked.
    pub(super) fn takes(self, field: &str) -> bool {
        self.0.with(|fields| fields.iter().any(|chosen| chosen == field))
    }

    /// Applies a field, or keeps the chatbot's value.
    pub(super) fn set(self, field: &str, take: bool) {
        self.0.update(|fields| {
            fields.retain(|chosen| chosen != field);
            if take {
                fields.push(field.to_owned());
            }
        });
    }
}

/// Shows what will be applied, and applies it; asks first when the chatbot's own values are lost.
#[component]
pub(super) fn ApplyBar(
    poller: ProvisioningPoller,
    /// The comparison, loaded again afterwards.
    update: Resource<TemplateUpdate>,
    comparison: TemplateUpdate,
    choices: Choices,
) -> impl IntoView {
    let (asking, busy, failure) = (RwSignal::new(false), RwSignal::new(false), RwSignal::new(None));
    let id = poller.chatbot().with_untracked(|chatbot| chatbot.id);
    let version = comparison.template_version.unwrap_or_default();
    let all = comparison.changes.len();
    let text = plural(i64::try_from(all).unwrap_or(i64::MAX), texts::COUNT_ONE, texts::COUNT);
    let all = all.to_string();
    let count = move || text.with(&[&choices.0.with(Vec::len).to_string(), &all]).get();
    let lost = Memo::new(move |_| {
        let lost = comparison.changes.iter().filter(|change| change.customised && choices.takes(&change.field));
        lost.map(|change| label(&change.field)).collect::<Vec<_>>()
    });
    let apply = Callback::new(move |()| {
        let body = ApplyTemplateUpdate { template_version: version, fields: Some(choices.0.get_untracked()) };
        let call = async move { api::call::<ApplyTemplate>(&id, &(), &body).await };
        spawn_on_page(busy, call, move |result| {
            match result {
                Ok(chatbot) => {
                    toast(ToastKind::Success, texts::DONE.with(&[&version.to_string()]));
                    poller.accept(chatbot);
                }
                Err(problem) if moved_on(&problem) => toast(ToastKind::Info, texts::MOVED_ON),
                Err(problem) if asking.get_untracked() => return failure.set(Some(problem)),
                Err(problem) => return toast_problem(&problem),
            }
            asking.set(false);
            update.reload();
        });
    });
    let submit =
        Callback::new(move |()| if lost.get_untracked().is_empty() { apply.run(()) } else { asking.set(true) });
    view! {
        <div class="ui-form__bar">
            <p class="ui-muted" role="status">{count}</p>
            <Button kind=ButtonKind::Primary busy on_click=submit>{texts::APPLY.t()}</Button>
        </div>
        {move || view! {
            <ConfirmDialog
                open=asking
                title=texts::CONFIRM_TITLE
                text=texts::CONFIRM_TEXT.with_localized([Localized::joined(lost.get(), ", ")])
                confirm_label=texts::CONFIRM
                busy
                failure
                on_confirm=apply
            />
        }}
    }
}

fn moved_on(problem: &Problem) -> bool {
    matches!(problem.code(), Some(ErrorCode::TemplateVersionChanged | ErrorCode::TemplateNotFound))
}
