//! The parts around the control of every field: label, hint and error, linked to the control for screen readers.

use leptos::prelude::*;

use super::{Icon, IconName, unique_id};
use crate::{
    form::Field,
    i18n::{Localized, texts},
};

/// The ids that tie a control to its label, hint and error.
#[derive(Debug, Clone)]
pub(super) struct Ids {
    pub(super) control: String,
    pub(super) hint: String,
    pub(super) error: String,
}

impl Ids {
    pub(super) fn new() -> Self {
        let control = unique_id("field");
        Self { hint: format!("{control}-hint"), error: format!("{control}-error"), control }
    }

    /// The value of `aria-describedby`.
    pub(super) fn described_by(&self, field: Field, has_hint: bool) -> impl Fn() -> Option<String> + 'static {
        let Self { hint, error, .. } = self.clone();
        move || match (field.error().is_some(), has_hint) {
            (true, true) => Some(format!("{error} {hint}")),
            (true, false) => Some(error.clone()),
            (false, true) => Some(hint.clone()),
            (false, false) => None,
        }
    }
}

/// Label, control, hint and error of one field.
#[component]
pub(super) fn FieldShell(
    /// The field, for its error.
    field: Field,
    /// The ids that the control uses too.
    ids: Ids,
    /// Shown above the control.
    label: Localized,
    /// Help for the control; none when empty.
    hint: Localized,
    /// Whether it may stay empty; shown next to the label.
    optional: bool,
    children: Children,
) -> impl IntoView {
    let Ids { control, hint: hint_id, error: error_id } = ids;
    let error = move || {
        field.error().map(|text| {
            view! { <p class="ui-field__error" id=error_id.clone()><Icon name=IconName::Alert />{text}</p> }
        })
    };
    view! {
        <div class="ui-field" class=("ui-field--invalid", move || field.error().is_some())>
            <label class="ui-field__label" for=control>
                {label}
                {optional.then(|| view! { " " <span class="ui-field__optional">"(" {texts::OPTIONAL.t()} ")"</span> })}
            </label>
            <div class="ui-field__control">{children()}</div>
            {(!hint.is_empty()).then(|| view! { <p class="ui-field__hint" id=hint_id>{hint}</p> })}
            {error}
        </div>
    }
}
