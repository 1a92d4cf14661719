//! The parameters of the export.

use app::{
    form::{Field, Form, FormError, focus_invalid},
    list_url::ListUrl,
    ui::{Button, ButtonKind, Card, Checkbox, IconName, TextField},
};
use contract::{
    TenantId, Validate,
    output_filter::{DEFAULT_MAX_ROWS, OutputFilterExportQuery},
};
use leptos::prelude::*;

use super::{
    run::{Progress, Run},
    tenant_field::TenantField,
};
use crate::texts::{self as console, output_filter as texts};

/// The fields of the form.
#[derive(Debug, Clone, Copy)]
struct Fields {
    from: Field,
    to: Field,
    max_rows: Field,
    tenant_text: Field,
    tenant: RwSignal<Option<TenantId>>,
    full_output: RwSignal<bool>,
}

impl Fields {
    /// The parameters as they stand; what the form alone knows to be wrong is marked.
    fn read(self) -> Option<OutputFilterExportQuery> {
        let max_rows = self.max_rows.trimmed().parse().map_err(|_| self.max_rows.set_error(console::NOT_A_NUMBER));
        let tenant = self.tenant.get_untracked();
        let is_open = tenant.is_none() && self.tenant_text.non_empty().is_some();
        if is_open {
            self.tenant_text.set_error(texts::TENANT_OPEN);
            return None;
        }
        Some(OutputFilterExportQuery {
            // The inputs know minutes only: the range begins with the first and ends with the last of them.
            from: self.from.non_empty().map(|minute| format!("{minute}:00Z")),
            to: self.to.non_empty().map(|minute| format!("{minute}:59.999999Z")),
            tenant,
            max_rows: max_rows.ok()?,
            include_full_output: self.full_output.get_untracked(),
            ..OutputFilterExportQuery::default()
        })
    }
}

/// The form, and below it how far the export is.
#[component]
pub(super) fn ExportForm(
    /// Hears that an export has ended.
    #[prop(into)]
    on_done: Callback<()>,
) -> impl IntoView {
    // A link from elsewhere may name the tenant.
    let wanted = untrack(|| ListUrl::new("", 1).value("tenant")).parse::<TenantId>().ok();
    let fields = Fields {
        from: Field::new("from", ""),
        to: Field::new("to", ""),
        max_rows: Field::new("max_rows", DEFAULT_MAX_ROWS.to_string()),
        tenant_text: Field::new("tenant", ""),
        tenant: RwSignal::new(wanted),
        full_output: RwSignal::new(false),
    };
    let form = Form::new([fields.from, fields.to, fields.max_rows, fields.tenant_text]);
    let run = Run::new();
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let Some(query) = fields.read() else { return focus_invalid() };
        if !form.accept(&query.validate()) {
            return;
        }
        match query.check_codes() {
            Ok(()) => run.start(query, form, on_done),
            Err(code) => {
                fields.to.set_error(app::problem::Problem::from(code).sentence());
                focus_invalid();
            }
        }
    };
    view! {
        <form novalidate on:submit=submit>
            <Card title=texts::EXPORT>
                <Inputs fields />
                <FormError form />
                <Progress run />
                <div class="ui-form__actions">
                    <span class="ui-muted ui-small">{texts::AUDITED.t()}</span>
                    <Button kind=ButtonKind::Primary submit=true icon=IconName::Download busy=run.is_busy()>
                        {texts::START.t()}
                    </Button>
                </div>
            </Card>
        </form>
    }
}

#[component]
fn Inputs(fields: Fields) -> impl IntoView {
    let minute = move |label: app::i18n::Text, field: Field| {
        view! { <TextField label hint=texts::RANGE_HINT field input_type="datetime-local" optional=true /> }
    };
    view! {
        <div class="ui-form__row">
            {minute(texts::FROM, fields.from)}
            {minute(texts::TO, fields.to)}
        </div>
        <TenantField text=fields.tenant_text chosen=fields.tenant />
        <TextField label=texts::MAX_ROWS hint=texts::MAX_ROWS_HINT field=fields.max_rows input_type="number" />
        <div>
            <Checkbox
                label=texts::FULL_OUTPUT
                checked=fields.full_output
                on_change=move |checked| fields.full_output.set(checked)
            />
            <p class="ui-muted ui-small">{texts::FULL_OUTPUT_HINT.t()}</p>
        </div>
    }
}
