//! Custom answers as CSV files: download, and import after a preview of the changes.

use app::{
    api, form, format,
    i18n::{Localized, plural},
    page_task::{download_on_page, spawn_on_page},
    problem::Problem,
    ui::{
        Badge, Banner, Button, ButtonKind, Column, Dialog, Failure, IconName, Table, ToastKind, Tone, toast,
        toast_problem,
    },
};
use contract::{
    ChatbotId, ErrorCode, FieldError,
    faq::{
        ExportFaq, ImportFaq,
        import::{FaqImport, FaqImportEntry, FaqImportError, FaqImportOutcome, FaqImportQuery},
    },
};
use leptos::{html, prelude::*};

use crate::{
    read_only::is_read_only,
    texts::{faq as faq_texts, faq_files as texts},
};

/// A file with its preview.
#[derive(Clone)]
struct Chosen {
    file: web_sys::File,
    import: FaqImport,
}

/// The buttons that download the answers and import others.
#[component]
pub(super) fn FaqFiles(id: ChatbotId, imported: Callback<()>) -> impl IntoView {
    let busy = RwSignal::new(false);
    let download = Callback::new(move |()| download_on_page::<ExportFaq>(busy, id, ()));
    view! {
        {(!is_read_only()).then(|| view! { <ImportButton id imported /> })}
        <Button icon=IconName::Download small=true busy on_click=download>{texts::EXPORT.t()}</Button>
    }
}

#[component]
fn ImportButton(id: ChatbotId, imported: Callback<()>) -> impl IntoView {
    let (input, busy) = (NodeRef::<html::Input>::new(), RwSignal::new(false));
    let chosen = RwSignal::new_local(None::<Chosen>);
    let choose = Callback::new(move |()| {
        if let Some(input) = input.get_untracked() {
            input.click();
        }
    });
    let look = move |_| {
        let Some(input) = input.get_untracked() else { return };
        let file = input.files().and_then(|files| files.get(0));
        // Lets the same file be chosen again.
        input.set_value("");
        let Some(file) = file else { return };
        let sent = file.clone();
        let call = async move { api::upload::<ImportFaq>(&id, &FaqImportQuery { dry_run: true }, sent).await };
        spawn_on_page(busy, call, move |result| match result {
            Ok(import) => chosen.set(Some(Chosen { file, import })),
            Err(problem) => match unreadable(&problem) {
                Some(reason) => toast(ToastKind::Error, reason),
                None => toast_problem(&problem),
            },
        });
    };
    view! {
        <input
            class="ui-file"
            type="file"
            accept=".csv,text/csv"
            aria-label=texts::IMPORT.t()
            hidden
            node_ref=input
            on:change=look
        />
        <Button icon=IconName::Upload small=true busy on_click=choose>{texts::IMPORT.t()}</Button>
        <ImportDialog id chosen imported />
    }
}

/// Why a file as a whole cannot be imported, in words.
fn unreadable(problem: &Problem) -> Option<Localized> {
    if problem.code() == Some(ErrorCode::PayloadTooLarge) {
        return Some(texts::TOO_LARGE.into());
    }
    let text = match problem.fields().first()?.kind.as_str() {
        "encoding" => texts::UNKNOWN_ENCODING,
        "columns" => texts::NO_COLUMNS,
        "csv" => texts::NO_CSV,
        "too_few" => texts::NO_ROWS,
        "too_many" => texts::TOO_MANY_ROWS,
        _ => return None,
    };
    Some(text.into())
}

/// The preview of an import, and the button that runs it.
#[component]
fn ImportDialog(
    id: ChatbotId,
    chosen: RwSignal<Option<Chosen>, LocalStorage>,
    imported: Callback<()>,
) -> impl IntoView {
    let (open, busy, failure) = (RwSignal::new(false), RwSignal::new(false), RwSignal::new(None::<Problem>));
    Effect::new(move |_| {
        if chosen.with(Option::is_some) {
            failure.set(None);
            open.set(true);
        }
    });
    Effect::new(move |_| {
        if !open.get() && chosen.with_untracked(Option::is_some) {
            chosen.set(None);
        }
    });
    let confirm = Callback::new(move |()| {
        let Some(Chosen { file, .. }) = chosen.get_untracked() else { return };
        failure.set(None);
        let call = async move { api::upload::<ImportFaq>(&id, &FaqImportQuery::default(), file).await };
        spawn_on_page(busy, call, move |result| match result {
            Ok(done) => {
                toast(ToastKind::Success, texts::DONE.with_localized([format::number(done.added + done.changed)]));
                open.set(false);
                imported.run(());
            }
            Err(problem) => failure.set(Some(problem)),
        });
    });
    view! {
        <Dialog open title=texts::TITLE>
            {move || {
                chosen
                    .get_untracked()
                    .map(|Chosen { import, .. }| view! { <Preview import open busy failure on_confirm=confirm /> })
            }}
        </Dialog>
    }
}

#[component]
fn Preview(
    import: FaqImport,
    open: RwSignal<bool>,
    busy: RwSignal<bool>,
    failure: RwSignal<Option<Problem>>,
    on_confirm: Callback<()>,
) -> impl IntoView {
    let has_nothing = import.entries.is_empty();
    let counts = [import.added, import.changed, import.unchanged].map(format::number);
    let refused = (import.refused > 0).then(|| {
        let errors = import.errors.into_iter().map(|error| view! { <li>{error_text(error)}</li> }).collect_view();
        let text = plural(import.refused, texts::REFUSED_ONE, texts::REFUSED);
        view! {
            <Banner tone=Tone::Danger>{text.with_localized([format::number(import.refused)])}</Banner>
            <ul class="ui-stack ui-stack--small" aria-label=texts::ERRORS.t()>{errors}</ul>
        }
    });
    let is_refused = refused.is_some();
    let rows = import.entries.into_iter().map(row).collect_view();
    let table = (!has_nothing).then(|| {
        let columns =
            vec![Column::new(texts::LINE).number(), Column::new(faq_texts::QUESTION), Column::new(texts::OUTCOME)];
        view! { <Table caption=texts::ROWS columns>{rows}</Table> }
    });
    view! {
        <div class="ui-dialog__body">
            <p>{texts::COUNTS.with_localized(counts)}</p>
            {refused}
            {table}
            <Failure failure />
        </div>
        <footer class="ui-dialog__footer">
            <Button disabled=busy on_click=move |()| open.set(false)>{app::i18n::texts::CANCEL.t()}</Button>
            <Button kind=ButtonKind::Primary busy disabled=is_refused || has_nothing on_click=on_confirm>
                {texts::CONFIRM.t()}
            </Button>
        </footer>
    }
}

fn row(of: FaqImportEntry) -> impl IntoView {
    let (tone, outcome) = match of.outcome {
        FaqImportOutcome::Added => (Tone::Success, texts::ADDED),
        FaqImportOutcome::Changed => (Tone::Warning, texts::CHANGED),
    };
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-table__cell--number">{format::number(of.line)}</td>
            <td class="ui-table__cell ui-table__cell--main">{of.question}</td>
            <td class="ui-table__cell"><Badge tone>{outcome.t()}</Badge></td>
        </tr>
    }
}

/// A broken rule with its line and its column.
fn error_text(error: FaqImportError) -> Localized {
    let line = format::number(error.line);
    let column = match error.field.as_deref() {
        Some("question") => Some(faq_texts::QUESTION),
        Some("variants") => Some(faq_texts::VARIANTS),
        Some("answer") => Some(faq_texts::ANSWER),
        _ => None,
    };
    let place = ["body", error.field.as_deref().unwrap_or("row")];
    let rule = form::rule_message(&FieldError::new(place, error.msg, error.kind));
    match column {
        Some(column) => texts::ERROR_IN.with_localized([line, column.into(), rule]),
        None => texts::ERROR.with_localized([line, rule]),
    }
}
