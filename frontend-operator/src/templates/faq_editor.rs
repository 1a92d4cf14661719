//! The rows of questions and answers in the form of a template.

use app::{
    form::Field,
    ui::{Button, Card, Icon, IconButton, IconName, TextArea, TextField},
};
use contract::templates::FaqEntry;
use leptos::prelude::*;

use crate::texts;

/// One question with its answer while it is edited.
#[derive(Debug, Clone, Copy)]
struct Row {
    key: u32,
    question: Field,
    answer: Field,
}

/// The questions and answers while they are edited.
#[derive(Debug, Clone, Copy)]
pub(super) struct Faq {
    rows: RwSignal<Vec<Row>>,
    next: StoredValue<u32>,
    /// Carries what the API says about the whole list.
    pub(super) field: Field,
}

impl Faq {
    pub(super) fn new() -> Self {
        Self { rows: RwSignal::new(Vec::new()), next: StoredValue::new(0), field: Field::new("faq_seed", "") }
    }

    /// The entries as they stand, without empty rows.
    pub(super) fn entries(self) -> Vec<FaqEntry> {
        let entry = |row: &Row| FaqEntry { question: row.question.trimmed(), answer: row.answer.trimmed() };
        let is_filled = |entry: &FaqEntry| !entry.question.is_empty() || !entry.answer.is_empty();
        self.rows.with_untracked(|rows| rows.iter().map(entry).filter(is_filled).collect())
    }

    fn add(self) {
        let key = self.next.get_value();
        self.next.set_value(key + 1);
        let row = Row { key, question: Field::new("question", ""), answer: Field::new("answer", "") };
        self.rows.update(|rows| rows.push(row));
    }

    fn remove(self, key: u32) {
        self.rows.update(|rows| rows.retain(|row| row.key != key));
    }
}

/// The rows of questions and answers.
#[component]
pub(super) fn FaqEditor(faq: Faq) -> impl IntoView {
    let row = move |row: Row| {
        let number = (row.key + 1).to_string();
        view! {
            <div class="ui-stack ui-stack--small">
                <div class="ui-row ui-row--between">
                    <span class="ui-strong">{texts::FAQ_QUESTION.with(&[&number])}</span>
                    <IconButton
                        icon=IconName::Trash
                        label=texts::FAQ_REMOVE.with(&[&number])
                        on_click=move |()| faq.remove(row.key)
                    />
                </div>
                <TextField label=texts::FAQ_QUESTION.with(&[&number]) field=row.question />
                <TextArea label=texts::FAQ_ANSWER.with(&[&number]) field=row.answer rows=3 />
            </div>
        }
    };
    let error = move || {
        faq.field
            .error()
            .map(|text| view! { <p class="ui-field__error" role="alert"><Icon name=IconName::Alert />{text}</p> })
    };
    view! {
        <Card title=texts::FAQ>
            <div class="ui-stack">
                <p class="ui-muted">{texts::FAQ_HINT.t()}</p>
                <For each=move || faq.rows.get() key=|row| row.key children=row />
                {error}
                <div><Button icon=IconName::Plus on_click=move |()| faq.add()>{texts::FAQ_ADD.t()}</Button></div>
            </div>
        </Card>
    }
}
