//! Range and tenant of the page. The fields write them to the URL, which the list, the numbers and the export read.

use std::time::Duration;

use app::{
    form::Field,
    list_url::ListUrl,
    problem::Problem,
    ui::{Card, TextField},
};
use contract::{ErrorCode, TenantId, Validate, output_filter::events::OutputFilterSelection};
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*};

use crate::{tenant_field::TenantField, texts::output_filter as texts};

/// Debounce of typing before the URL is updated.
const UPDATE_DELAY: Duration = Duration::from_millis(300);

/// The selection in the URL, tracked.
///
/// # Errors
/// The error that the API would return.
pub(super) fn from_address(list: ListUrl) -> Result<OutputFilterSelection, Problem> {
    let text = |key: &str| Some(list.value(key)).filter(|text| !text.is_empty());
    let tenant = text("tenant").map(|id| id.parse::<TenantId>()).transpose();
    let selection = selection(text("from"), text("to"), tenant.map_err(|_| ErrorCode::ValidationError)?);
    if !selection.validate().is_empty() {
        return Err(ErrorCode::ValidationError.into());
    }
    selection.check_codes()?;
    Ok(selection)
}

/// The inputs know minutes only: the range begins with the first and ends with the last of them.
fn selection(from: Option<String>, to: Option<String>, tenant: Option<TenantId>) -> OutputFilterSelection {
    OutputFilterSelection {
        from: from.map(|minute| format!("{minute}:00Z")),
        to: to.map(|minute| format!("{minute}:59.999999Z")),
        tenant,
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    list: ListUrl,
    from: Field,
    to: Field,
    tenant_text: Field,
    tenant: RwSignal<Option<TenantId>>,
    timer: StoredValue<Option<TimeoutHandle>>,
}

impl Range {
    /// The fields as the address has them.
    pub(super) fn new(list: ListUrl) -> Self {
        let value = |key| untrack(|| list.value(key));
        Self {
            list,
            from: Field::new("from", value("from")),
            to: Field::new("to", value("to")),
            tenant_text: Field::new("tenant", ""),
            tenant: RwSignal::new(value("tenant").parse().ok()),
            timer: StoredValue::new(None),
        }
    }

    /// The fields, for a form that shows what is wrong with them.
    pub(super) fn fields(self) -> [Field; 3] {
        [self.from, self.to, self.tenant_text]
    }

    /// The selection in the fields; marks errors.
    pub(super) fn read(self) -> Option<OutputFilterSelection> {
        let tenant = self.tenant.get_untracked();
        if tenant.is_none() && self.tenant_text.non_empty().is_some() {
            self.tenant_text.set_error(texts::TENANT_OPEN);
            return None;
        }
        let selection = selection(self.from.non_empty(), self.to.non_empty(), tenant);
        match selection.check_codes() {
            Ok(()) => Some(selection),
            Err(code) => {
                self.to.set_error(Problem::from(code).sentence());
                None
            }
        }
    }

    /// Writes the fields to the URL after a pause, unless they are invalid or unchanged.
    fn changed(self) {
        if let Some(Some(timer)) = self.timer.try_update_value(Option::take) {
            timer.clear();
        }
        self.timer.set_value(set_timeout_with_handle(move || self.apply(), UPDATE_DELAY).ok());
    }

    fn apply(self) {
        // A tenant that is still being typed is not an error.
        let tenant = self.tenant.get_untracked();
        if selection(self.from.non_empty(), self.to.non_empty(), tenant).check_codes().is_err() {
            return drop(self.read());
        }
        self.to.clear_error();
        let tenant = tenant.map(|id| id.to_string()).unwrap_or_default();
        let (from, to) = (self.from.trimmed(), self.to.trimmed());
        let values = [("from", from.as_str()), ("to", &to), ("tenant", &tenant)];
        if values.iter().any(|(key, value)| untrack(|| self.list.value(key)) != *value) {
            self.list.set(&[values[0], values[1], values[2], ("cursor", "")]);
        }
    }

    /// The fields follow the address: back, forward and links.
    fn follow(self) {
        Effect::new(move |first: Option<()>| {
            let [from, to, tenant] = ["from", "to", "tenant"].map(|key| self.list.value(key));
            if first.is_none() {
                return;
            }
            for (field, value) in [(self.from, from), (self.to, to)] {
                if field.trimmed() != value {
                    field.set(value);
                }
            }
            let tenant = tenant.parse().ok();
            if self.tenant.get_untracked() != tenant {
                self.tenant_text.set("");
                self.tenant.set(tenant);
            }
        });
        Effect::new(move |first: Option<()>| {
            self.tenant.track();
            if first.is_some() {
                self.changed();
            }
        });
        on_cleanup(move || {
            if let Some(Some(timer)) = self.timer.try_get_value() {
                timer.clear();
            }
        });
    }
}

#[component]
pub(super) fn RangeCard(range: Range) -> impl IntoView {
    range.follow();
    let minute = move |label: app::i18n::Text, field: Field| {
        let typed = move |_: String| range.changed();
        view! {
            <TextField label hint=texts::RANGE_HINT field input_type="datetime-local" optional=true on_input=typed />
        }
    };
    view! {
        <Card subtle=true>
            <div class="ui-form__row ui-form__row--dense">
                {minute(texts::FROM, range.from)} {minute(texts::TO, range.to)}
                <TenantField text=range.tenant_text chosen=range.tenant />
            </div>
        </Card>
    }
}
