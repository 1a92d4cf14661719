//! The dialog in which a question gets an answer of the tenant's own.

use app::{
    api,
    form::{Edits, Field, Form, FormError},
    i18n::texts as shared,
    problem::Problem,
    ui::{Button, ButtonKind, Dialog, TextArea, TextField, ToastKind, toast},
};
use contract::{
    ChatbotId,
    chatbots::Provisioning,
    faq::{ChatbotFaqEntry, CreateFaq, FaqPatch, GetFaq, MAX_FAQ_ANSWER, MAX_FAQ_QUESTION, NewFaqEntry, UpdateFaq},
};
use leptos::prelude::*;

use crate::texts::faq as texts;

/// What the dialog begins with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Draft {
    /// The entry that is changed; a new one otherwise.
    pub entry: Option<ChatbotFaqEntry>,
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
}

/// The dialog; it opens when a draft is put in, and is closed when there is none.
#[component]
pub(crate) fn FaqDialog(
    /// The chatbot that gets the answer.
    chatbot: Signal<Option<ChatbotId>>,
    /// What it begins with.
    draft: RwSignal<Option<Draft>>,
    /// Hears the entry as it is now.
    #[prop(into)]
    on_saved: Callback<ChatbotFaqEntry>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    Effect::new(move |_| open.set(draft.with(Option::is_some)));
    Effect::new(move |_| {
        if !open.get() && draft.with_untracked(Option::is_some) {
            draft.set(None);
        }
    });
    view! {
        <Dialog open title=texts::DIALOG_TITLE>
            {move || view! { <FaqForm chatbot draft=draft.get_untracked().unwrap_or_default() open on_saved /> }}
        </Dialog>
    }
}

#[component]
fn FaqForm(
    chatbot: Signal<Option<ChatbotId>>,
    draft: Draft,
    open: RwSignal<bool>,
    on_saved: Callback<ChatbotFaqEntry>,
) -> impl IntoView {
    let question = Field::new("question", head(&draft.question, MAX_FAQ_QUESTION));
    let answer = Field::new("answer", head(&draft.answer, MAX_FAQ_ANSWER));
    let form = Form::new([question, answer]);
    // The question is given; what is missing or wanted otherwise is the answer.
    let is_asked = !draft.question.is_empty();
    let stored = draft.entry.map(RwSignal::new);
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let Some(id) = chatbot.get_untracked() else { return };
        let done = move |entry: ChatbotFaqEntry| {
            if entry.state == Provisioning::Ready {
                toast(ToastKind::Success, texts::SAVED);
            } else {
                toast(ToastKind::Info, texts::SAVED_LATER);
            }
            open.set(false);
            on_saved.run(entry);
        };
        match stored {
            None => {
                let body = NewFaqEntry { question: question.trimmed(), answer: answer.trimmed() };
                form.send(body, move |body| create(id, body), done);
            }
            Some(stored) => {
                let place = stored.with_untracked(|entry| (id, entry.id));
                form.save::<GetFaq, UpdateFaq, _>(place, stored, Words { question, answer }, done);
            }
        }
    };
    view! {
        <form class="ui-dialog__form" novalidate on:submit=submit>
            <div class="ui-dialog__body">
                <p class="ui-muted">{texts::DIALOG_TEXT.t()}</p>
                <TextField label=texts::QUESTION field=question />
                <TextArea label=texts::ANSWER field=answer hint=texts::ANSWER_HINT rows=8 autofocus=is_asked />
                <FormError form />
            </div>
            <footer class="ui-dialog__footer">
                <Button on_click=move |()| open.set(false)>{shared::CANCEL.t()}</Button>
                <Button kind=ButtonKind::Primary submit=true busy=form.busy()>{texts::SAVE.t()}</Button>
            </footer>
        </form>
    }
}

/// What is edited of an entry.
#[derive(Clone, Copy)]
struct Words {
    question: Field,
    answer: Field,
}

impl Edits<ChatbotFaqEntry> for Words {
    type Patch = FaqPatch;

    fn patch(&self, stored: &ChatbotFaqEntry) -> FaqPatch {
        let changed = |field: Field, old: &str| Some(field.trimmed()).filter(|text| text != old);
        FaqPatch { question: changed(self.question, &stored.question), answer: changed(self.answer, &stored.answer) }
    }

    fn reset(&self, stored: &ChatbotFaqEntry) {
        self.question.set(stored.question.clone());
        self.answer.set(stored.answer.clone());
    }
}

async fn create(id: ChatbotId, body: NewFaqEntry) -> Result<ChatbotFaqEntry, Problem> {
    api::call::<CreateFaq>(&id, &(), &body).await
}

/// The beginning of a text, at most so many characters.
fn head(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}
