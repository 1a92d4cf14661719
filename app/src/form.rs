//! Forms: the state of their fields, the API's errors at their fields, and validation with the API's rules before
//! sending.

mod rule_message;
mod save;

use std::future::Future;

use contract::{ErrorCode, FieldError, Validate};
use leptos::prelude::*;

pub use rule_message::rule_message;
pub use save::Edits;

use crate::{branding, focus_restore::focus_next, i18n::Localized, page_task::spawn_on_page, problem::Problem};

/// One field: its value and what is wrong with it.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    name: &'static str,
    value: RwSignal<String>,
    error: RwSignal<Option<Localized>>,
}

impl Field {
    /// A field with the API's name for it and a value to start with.
    pub fn new(name: &'static str, value: impl Into<String>) -> Self {
        Self { name, value: RwSignal::new(value.into()), error: RwSignal::new(None) }
    }

    /// The API's name.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// The value, tracked.
    pub fn get(self) -> String {
        self.value.get()
    }

    /// The value without spaces around it, not tracked; for sending.
    pub fn trimmed(self) -> String {
        self.value.with_untracked(|value| value.trim().to_owned())
    }

    /// The trimmed value, untracked; `None` when the form was disposed.
    pub fn try_trimmed(self) -> Option<String> {
        self.value.try_with_untracked(|value| value.trim().to_owned())
    }

    /// The trimmed value, `None` when empty; for sending.
    pub fn non_empty(self) -> Option<String> {
        Some(self.trimmed()).filter(|value| !value.is_empty())
    }

    /// Sets the value and forgets the error.
    pub fn set(self, value: impl Into<String>) {
        self.value.set(value.into());
        self.clear_error();
    }

    /// Removes the error.
    pub fn clear_error(self) {
        if self.error.with_untracked(Option::is_some) {
            self.error.set(None);
        }
    }

    /// The field's error, tracked.
    pub fn error(self) -> Option<Localized> {
        self.error.get()
    }

    /// Shows `error` at the field.
    pub fn set_error(self, error: impl Into<Localized>) {
        self.error.set(Some(error.into()));
    }
}

/// The state of a form around its fields.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    fields: StoredValue<Vec<Field>>,
    error: RwSignal<Option<Localized>>,
    busy: RwSignal<bool>,
}

impl Form {
    /// A form of these fields.
    pub fn new(fields: impl Into<Vec<Field>>) -> Self {
        Self { fields: StoredValue::new(fields.into()), error: RwSignal::new(None), busy: RwSignal::new(false) }
    }

    /// Whether it is being sent.
    pub fn busy(self) -> Signal<bool> {
        self.busy.into()
    }

    /// The error of the form as a whole, tracked.
    pub fn error(self) -> Option<Localized> {
        self.error.get()
    }

    /// Validates `body` by the API's rules and sends it with `call`. Errors appear at their fields; `done` receives the
    /// reply. Does nothing while the form is being sent.
    pub fn send<B, T, Fut>(self, body: B, call: impl FnOnce(B) -> Fut + 'static, done: impl FnOnce(T) + 'static)
    where
        B: Validate + 'static,
        T: 'static,
        Fut: Future<Output = Result<T, Problem>> + 'static,
    {
        if self.busy.get_untracked() || !self.accept(&body.validate()) {
            return;
        }
        spawn_on_page(self.busy, call(body), move |result| match result {
            Ok(reply) => done(reply),
            Err(problem) => self.refuse(&problem),
        });
    }

    /// Shows validation errors at their fields; true when there are none.
    pub fn accept(self, broken: &[FieldError]) -> bool {
        self.error.set(None);
        let mut rest = Vec::new();
        self.fields.with_value(|fields| {
            for field in fields {
                field.error.set(None);
            }
            for error in broken {
                match fields.iter().find(|field| is_named(field.name, error.field())) {
                    Some(field) => field.set_error(rule_message(error)),
                    None => rest.push((branding::label(error.field()), rule_message(error))),
                }
            }
        });
        if !rest.is_empty() {
            self.error.set(Some(joined(rest)));
        }
        if !broken.is_empty() {
            focus_invalid();
        }
        broken.is_empty()
    }

    /// Shows what the API refused.
    pub fn refuse(self, problem: &Problem) {
        if !problem.fields().is_empty() && !problem.is_quota() {
            self.accept(problem.fields());
            return;
        }
        let name = match problem.code() {
            Some(ErrorCode::TenantSlugTaken | ErrorCode::ChatbotSlugTaken | ErrorCode::SlugImmutable) => "slug",
            Some(ErrorCode::TemplateExists | ErrorCode::ModuleExists) => "id",
            Some(ErrorCode::UsernameTaken) => "username",
            Some(ErrorCode::EmailTaken) => "email",
            Some(ErrorCode::TemplateIdImmutable) => "template_id",
            Some(ErrorCode::SourceNameTaken | ErrorCode::ApiKeyNameTaken) => "name",
            Some(ErrorCode::FaqQuestionTaken) => "question",
            _ => "",
        };
        let field = self.fields.with_value(|fields| fields.iter().find(|field| field.name == name).copied());
        if let Some(field) = field {
            field.set_error(problem.sentence());
            focus_invalid();
        } else {
            self.error.set(Some(problem.message()));
        }
    }
}

/// Whether an error about `wanted` is about the field `name`. A merge calls a nested value by the end of its path.
fn is_named(name: &str, field: &str) -> bool {
    name == field || name.rsplit_once('.').is_some_and(|(_, last)| last == field)
}

/// Fields with what is wrong with them, one after the other.
fn joined(errors: Vec<(Localized, Localized)>) -> Localized {
    Localized::new(move || {
        let errors = errors.iter().map(|(field, error)| format!("{}: {}", field.get(), error.get()));
        errors.collect::<Vec<_>>().join(" ")
    })
}

/// Moves the focus to the first field that is wrong, once it is marked. It may be outside the form that was sent.
pub fn focus_invalid() {
    focus_next("[aria-invalid=true]");
}

/// The error of a form as a whole.
#[component]
pub fn FormError(
    /// Whose error is shown.
    form: Form,
) -> impl IntoView {
    move || form.error().map(|text| view! { <p class="ui-form__error" role="alert">{text}</p> })
}
