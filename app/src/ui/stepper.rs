//! The steps of a wizard: done, current and upcoming.

use leptos::prelude::*;

use super::{Icon, IconName};
use crate::i18n::{Localized, texts};

/// The state of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepperState {
    /// Before the current step.
    Done,
    /// Under way.
    Current,
    /// After the current step.
    Ahead,
    /// It went wrong.
    Failed,
}

/// The steps of a wizard.
#[component]
pub fn Stepper(
    /// The steps' names and states.
    steps: Vec<(Localized, StepperState)>,
) -> impl IntoView {
    let items: Vec<_> =
        steps.into_iter().enumerate().map(|(index, (label, state))| step(index, label, state)).collect();
    view! { <ol class="ui-stepper">{items}</ol> }
}

fn step(index: usize, label: Localized, state: StepperState) -> impl IntoView {
    let (class, icon, spoken) = match state {
        StepperState::Done => {
            ("ui-stepper__step ui-stepper__step--done", Some(IconName::Check), Some(texts::STEP_DONE))
        }
        StepperState::Failed => {
            ("ui-stepper__step ui-stepper__step--failed", Some(IconName::Alert), Some(texts::STEP_FAILED))
        }
        StepperState::Current | StepperState::Ahead => ("ui-stepper__step", None, None),
    };
    let mark = match icon {
        Some(name) => view! { <Icon name=name /> }.into_any(),
        None => (index + 1).to_string().into_any(),
    };
    view! {
        <li class=class aria-current=(state == StepperState::Current).then_some("step")>
            <span class="ui-stepper__mark" aria-hidden="true">{mark}</span>
            <span class="ui-stepper__label">
                {label}
                {spoken.map(|text| view! { <span class="ui-visually-hidden">" (" {text.t()} ")"</span> })}
            </span>
        </li>
    }
}
