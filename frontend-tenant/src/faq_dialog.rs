//! The dialog in which a question gets an answer of the tenant's own.

use app::{
    api,
    form::{Field, Form, FormError},
    i18n::texts as shared,
    problem::Problem,
    ui::{Button, ButtonKind, Dialog, TextArea, TextField, ToastKind, toast},
};
use contract::{
    ChatbotId, FaqId,
    chatbots::Provisioning,
    faq::{ChatbotFaqEntry, CreateFaq, FaqPatch, MAX_FAQ_ANSWER, MAX_FAQ_QUESTION, NewFaqEntry, UpdateFaq},
};
use leptos::prelude::*;

use crate::texts::faq as texts;

/// What the dialog begins with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Draft {
    /// The entry that is changed, and the version of it that was read; a new one otherwise.
    pub entry: Option<(FaqId, Option<String>)>,
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
    let entry = draft.entry;
    let question = Field::new("question", head(&draft.question, MAX_FAQ_QUESTION));
    let answer = Field::new("answer", head(&draft.answer, MAX_FAQ_ANSWER));
    let form = Form::new([question, answer]);
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let Some(id) = chatbot.get_untracked() else { return };
        let body = NewFaqEntry { question: question.trimmed(), answer: answer.trimmed() };
        let former = entry.clone();
        let call = move |body| save(id, former, body);
        form.send(body, call, move |entry: ChatbotFaqEntry| {
            if entry.state == Provisioning::Ready {
                toast(ToastKind::Success, texts::SAVED);
            } else {
                toast(ToastKind::Info, texts::SAVED_LATER);
            }
            open.set(false);
            on_saved.run(entry);
        });
    };
    view! {
        <form class="ui-dialog__form" novalidate on:submit=submit>
            <div class="ui-dialog__body">
                <p class="ui-muted">{texts::DIALOG_TEXT.t()}</p>
                <TextField label=texts::QUESTION field=question />
                <TextArea label=texts::ANSWER field=answer hint=texts::ANSWER_HINT rows=8 />
                <FormError form />
            </div>
            <footer class="ui-dialog__footer">
                <Button on_click=move |()| open.set(false)>{shared::CANCEL.t()}</Button>
                <Button kind=ButtonKind::Primary submit=true busy=form.busy()>{texts::SAVE.t()}</Button>
            </footer>
        </form>
    }
}

async fn save(
    id: ChatbotId,
    entry: Option<(FaqId, Option<String>)>,
    body: NewFaqEntry,
) -> Result<ChatbotFaqEntry, Problem> {
    let Some((entry, etag)) = entry else { return api::call::<CreateFaq>(&id, &(), &body).await };
    let patch = FaqPatch { question: Some(body.question), answer: Some(body.answer) };
    api::change_version::<UpdateFaq>(&(id, entry), etag, &patch).await
}

/// The beginning of a text, at most so many characters.
fn head(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}
