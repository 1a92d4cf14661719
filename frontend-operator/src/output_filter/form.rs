//! The parameters of the export, and its expected number of rows.

use app::{
    form::{Field, Form, FormError, focus_invalid},
    format,
    i18n::{Localized, plural},
    resource::Resource,
    ui::{Button, ButtonKind, Card, Checkbox, IconName, TextField},
};
use contract::{
    Validate,
    output_filter::{DEFAULT_MAX_ROWS, OutputFilterExportQuery, events::OutputFilterSummary},
};
use leptos::prelude::*;

use super::{
    range::Range,
    run::{Progress, Run},
};
use crate::texts::{self as console, output_filter as texts};

/// The fields of the form; range and tenant are the page's.
#[derive(Debug, Clone, Copy)]
struct Fields {
    range: Range,
    max_rows: Field,
    full_output: RwSignal<bool>,
}

impl Fields {
    /// The parameters in the form; marks errors.
    fn read(self, form: Form) -> Option<OutputFilterExportQuery> {
        let max_rows = self.max_rows.trimmed().parse().map_err(|_| self.max_rows.set_error(console::NOT_A_NUMBER));
        let selection = self.range.read()?;
        let query = OutputFilterExportQuery {
            from: selection.from,
            to: selection.to,
            tenant: selection.tenant,
            max_rows: max_rows.ok()?,
            include_full_output: self.full_output.get_untracked(),
            ..OutputFilterExportQuery::default()
        };
        form.accept(&query.validate()).then_some(query)
    }
}

/// The form, and below it how far the export is.
#[component]
pub(super) fn ExportForm(
    /// Range and tenant.
    range: Range,
    /// The number of matching events.
    summary: Resource<OutputFilterSummary>,
    /// Called when an export has ended.
    #[prop(into)]
    on_done: Callback<()>,
) -> impl IntoView {
    let (max_rows, full_output) = (Field::new("max_rows", DEFAULT_MAX_ROWS.to_string()), RwSignal::new(false));
    let fields = Fields { range, max_rows, full_output };
    let [from, to, tenant] = range.fields();
    let form = Form::new([from, to, tenant, max_rows]);
    let run = Run::new();
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        match fields.read(form) {
            Some(query) => run.start(query, form, on_done),
            None => focus_invalid(),
        }
    };
    view! {
        <form novalidate on:submit=submit>
            <Card title=texts::EXPORT>
                <TextField label=texts::MAX_ROWS hint=texts::MAX_ROWS_HINT field=max_rows input_type="number" />
                <div>
                    <Checkbox
                        label=texts::FULL_OUTPUT
                        checked=fields.full_output
                        on_change=move |checked| fields.full_output.set(checked)
                    />
                    <p class="ui-muted ui-small">{texts::FULL_OUTPUT_HINT.t()}</p>
                </div>
                <p role="status">{move || summary.get().map(|summary| estimate(&summary, &max_rows.get()).get())}</p>
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

/// The expected number of rows of the file. An export contains all categories.
fn estimate(summary: &OutputFilterSummary, max_rows: &str) -> Localized {
    let most: i64 = max_rows.trim().parse().unwrap_or(DEFAULT_MAX_ROWS);
    let (total, limit) = (format::number(summary.total), format::number(most));
    match (summary.total, summary.is_complete) {
        (0, _) => texts::ESTIMATE_NONE.into(),
        (total_rows, true) if total_rows < most => {
            plural(total_rows, texts::ESTIMATE_ONE, texts::ESTIMATE).with_localized([total])
        }
        (_, true) => texts::ESTIMATE_CUT.with_localized([limit, total]),
        (_, false) => texts::ESTIMATE_CUT.with_localized([limit, texts::AT_LEAST.with_localized([total])]),
    }
}
