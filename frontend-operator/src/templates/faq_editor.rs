//! The rows of questions and answers in a template's form, with import and export of a file.

use app::{
    download,
    faq_csv::{self, FaqCsvError},
    focus_restore::focus_next,
    form::Field,
    i18n::{self, Language},
    row_owner::RowOwner,
    ui::{Button, ButtonKind, Card, Icon, IconButton, IconName, TextArea, TextField, ToastKind, toast},
};
use contract::templates::FaqEntry;
use leptos::{html, prelude::*, task::spawn_local};

use crate::texts::{self, templates};

/// One question with its answer while it is edited.
#[derive(Debug, Clone, Copy)]
struct Row {
    key: u32,
    question: Field,
    answer: Field,
}

/// The place of the button for another row.
const ADD: &str = "faq-add";

/// The id of a row's element.
fn row_id(key: u32) -> String {
    format!("faq-row-{key}")
}

/// The questions and answers while they are edited.
#[derive(Debug, Clone, Copy)]
pub(super) struct Faq {
    rows: RwSignal<Vec<Row>>,
    next: StoredValue<u32>,
    owner: RowOwner,
    /// Carries the API's errors about the whole list.
    pub(super) field: Field,
}

impl Faq {
    pub(super) fn new() -> Self {
        Self {
            rows: RwSignal::new(Vec::new()),
            next: StoredValue::new(0),
            owner: RowOwner::current(),
            field: Field::new("faq_seed", ""),
        }
    }

    /// Restores these entries.
    pub(super) fn reset(self, entries: &[FaqEntry]) {
        self.field.clear_error();
        let rows: Vec<_> = entries.iter().map(|entry| self.row(entry)).collect();
        self.rows.set(rows);
    }

    /// The entries in the form, without empty rows; tracked.
    pub(super) fn entries(self) -> Vec<FaqEntry> {
        let text = |field: Field| field.get().trim().to_owned();
        let entry = |row: &Row| FaqEntry { question: text(row.question), answer: text(row.answer) };
        let is_filled = |entry: &FaqEntry| !entry.question.is_empty() || !entry.answer.is_empty();
        self.rows.with(|rows| rows.iter().map(entry).filter(is_filled).collect())
    }

    /// Merges entries: an existing question gets the new answer.
    fn merge(self, entries: &[FaqEntry]) {
        for entry in entries {
            let is_same = |row: &&Row| row.question.trimmed() == entry.question;
            match self.rows.with_untracked(|rows| rows.iter().find(is_same).copied()) {
                Some(row) => row.answer.set(entry.answer.as_str()),
                None => {
                    let row = self.row(entry);
                    self.rows.update(|rows| rows.push(row));
                }
            }
        }
    }

    fn row(self, entry: &FaqEntry) -> Row {
        let key = self.next.get_value();
        self.next.set_value(key + 1);
        self.owner.make(|| Row {
            key,
            question: Field::new("question", entry.question.as_str()),
            answer: Field::new("answer", entry.answer.as_str()),
        })
    }

    fn add(self) {
        let row = self.row(&FaqEntry { question: String::new(), answer: String::new() });
        self.rows.update(|rows| rows.push(row));
    }

    /// Removes a row; its neighbour gets the focus, the button for another row when it was the last one.
    fn remove(self, key: u32) {
        let at = self.rows.with_untracked(|rows| rows.iter().position(|row| row.key == key).unwrap_or(0));
        self.rows.update(|rows| rows.retain(|row| row.key != key));
        let next = self.rows.with_untracked(|rows| rows.get(at).or(rows.last()).map(|row| row.key));
        focus_next(next.map_or_else(|| format!("#{ADD} button"), |key| format!("#{} button", row_id(key))));
    }

    /// The place of a row, counted from 1; tracked.
    fn number(self, key: u32) -> String {
        let at = self.rows.with(|rows| rows.iter().position(|row| row.key == key));
        (at.unwrap_or(0) + 1).to_string()
    }
}

/// The rows of questions and answers.
#[component]
pub(super) fn FaqEditor(faq: Faq) -> impl IntoView {
    let error = move || {
        faq.field
            .error()
            .map(|text| view! { <p class="ui-field__error" role="alert"><Icon name=IconName::Alert />{text}</p> })
    };
    view! {
        <Card title=texts::FAQ actions=move || view! { <Files faq /> }>
            <p class="ui-muted">{texts::FAQ_HINT.t()} " " {templates::FAQ_FILE_HINT.t()}</p>
            <For each=move || faq.rows.get() key=|row| row.key children=move |row| view! { <RowFields faq row /> } />
            {error}
            <div id=ADD><Button icon=IconName::Plus on_click=move |()| faq.add()>{texts::FAQ_ADD.t()}</Button></div>
        </Card>
    }
}

#[component]
fn RowFields(faq: Faq, row: Row) -> impl IntoView {
    let fields = move |number: String| {
        view! {
            <div class="ui-row ui-row--between">
                <span class="ui-strong" aria-hidden="true">{number.clone()}</span>
                <IconButton
                    icon=IconName::Trash
                    label=texts::FAQ_REMOVE.with(&[&number])
                    on_click=move |()| faq.remove(row.key)
                />
            </div>
            <TextField label=texts::FAQ_QUESTION.with(&[&number]) field=row.question />
            <TextArea label=texts::FAQ_ANSWER.with(&[&number]) field=row.answer rows=3 />
        }
    };
    // The number of a row changes when an earlier one is removed, and its labels with it.
    let number = Memo::new(move |_| faq.number(row.key));
    view! { <div class="ui-stack ui-stack--small" id=row_id(row.key)>{move || fields(number.get())}</div> }
}

/// Reads a file into the rows, and writes the rows into a file.
#[component]
fn Files(faq: Faq) -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    let choose = move |()| {
        if let Some(input) = input.get_untracked() {
            input.click();
        }
    };
    let read = move |_| {
        let Some(input) = input.get_untracked() else { return };
        spawn_local(async move {
            let text = download::chosen_text(input).await;
            // The page may be another one by now.
            if faq.rows.try_get_untracked().is_some() {
                import(faq, text.as_deref());
            }
        });
    };
    let is_empty = Signal::derive(move || faq.entries().is_empty());
    view! {
        <input
            class="ui-file"
            type="file"
            accept=".csv,text/csv"
            aria-label=templates::FAQ_IMPORT.t()
            hidden
            node_ref=input
            on:change=read
        />
        <Button small=true kind=ButtonKind::Ghost on_click=choose>{templates::FAQ_IMPORT.t()}</Button>
        <Button
            small=true
            kind=ButtonKind::Ghost
            icon=IconName::Download
            disabled=is_empty
            on_click=move |()| export("template", &untrack(|| faq.entries()))
        >
            {templates::FAQ_EXPORT.t()}
        </Button>
    }
}

fn import(faq: Faq, text: Option<&str>) {
    let Some(text) = text else { return toast(ToastKind::Error, templates::FAQ_UNREADABLE) };
    match faq_csv::read(text) {
        Ok(entries) => {
            faq.merge(&entries);
            toast(ToastKind::Success, templates::FAQ_IMPORTED.with(&[&entries.len().to_string()]));
        }
        Err(FaqCsvError::Columns) => toast(ToastKind::Error, templates::FAQ_BAD_COLUMNS),
        Err(FaqCsvError::Incomplete(row)) => toast(ToastKind::Error, templates::FAQ_BAD_ROW.with(&[&row.to_string()])),
        Err(FaqCsvError::Empty) => toast(ToastKind::Error, templates::FAQ_EMPTY_FILE),
    }
}

/// Saves questions and answers as `<name>-faq.csv`.
pub(super) fn export(name: &str, entries: &[FaqEntry]) {
    let separator = if i18n::current() == Language::German { b';' } else { b',' };
    let text = faq_csv::write(entries, separator);
    if download::save_text(&format!("{name}-faq.csv"), "text/csv;charset=utf-8", &text).is_none() {
        toast(ToastKind::Error, templates::FAQ_UNREADABLE);
    }
}
