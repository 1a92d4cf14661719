//! The dialog that adds or edits a tenant's own answer to a question.

mod similar;

use app::{
    api,
    form::{Edits, Field, Form},
    problem::Problem,
    ui::{Dialog, DialogForm, TextArea, TextField, ToastKind, toast, toast_with_offer, use_guarded_navigate},
};
use contract::{
    ChatbotId,
    chatbots::Provisioning,
    faq::{
        ChatbotFaqEntry, CreateFaq, FaqListQuery, FaqPatch, GetFaq, ListFaq, MAX_FAQ_ANSWER, MAX_FAQ_QUESTION,
        NewFaqEntry, UpdateFaq,
    },
    page::PageQuery,
};
use leptos::{prelude::*, task::spawn_local};

use self::similar::SimilarHint;
use crate::{next_question::ask_next, paths, texts::faq as texts};

/// Maximum characters of a list's search.
const MAX_SEARCH: usize = 200;

/// The initial values of the dialog.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Draft {
    /// The entry that is changed; a new one otherwise.
    pub entry: Option<ChatbotFaqEntry>,
    pub question: String,
    /// Its other phrasings.
    variants: Vec<String>,
    pub answer: String,
    /// Whether the entry already existed when the user wanted to answer the question.
    is_known: bool,
}

impl Draft {
    /// A new answer to a question, starting with the chatbot's answer without its citation numbers.
    pub(crate) fn to(question: String, answer: &str) -> Self {
        Self { question, answer: without_markers(answer), ..Self::default() }
    }

    /// A draft that changes this entry.
    pub(crate) fn of(entry: ChatbotFaqEntry) -> Self {
        let ChatbotFaqEntry { question, variants, answer, .. } = entry.clone();
        Self { entry: Some(entry), question, variants, answer, is_known: false }
    }

    /// The change of an entry that gets more phrasings of its question.
    fn with_phrasings(entry: ChatbotFaqEntry, phrasings: Vec<String>) -> Self {
        let mut draft = Self::of(entry);
        draft.variants.extend(phrasings);
        draft
    }
}

/// The dialog; it opens when a draft is set, and is closed without one. A question that already has an own answer opens
/// that entry, because a question has at most one.
#[component]
pub(crate) fn FaqDialog(
    /// The chatbot that gets the answer.
    chatbot: Signal<Option<ChatbotId>>,
    /// The initial values.
    draft: RwSignal<Option<Draft>>,
    /// Called with the stored entry.
    #[prop(into)]
    on_saved: Callback<ChatbotFaqEntry>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    Effect::new(move |_| {
        let current_draft = draft.get();
        let new = current_draft.as_ref().filter(|draft| draft.entry.is_none() && !draft.question.is_empty());
        let Some((id, question)) = chatbot.get_untracked().zip(new.map(|draft| draft.question.clone())) else {
            return open.set(current_draft.is_some());
        };
        spawn_local(async move {
            let stored = answer_to(id, &question).await;
            // Another question may have been chosen meanwhile.
            if draft.try_with_untracked(|now| now.as_ref().is_some_and(|now| now.question == question)) != Some(true) {
                return;
            }
            match stored {
                Some(entry) => draft.set(Some(Draft { is_known: true, ..Draft::of(entry) })),
                None => open.set(true),
            }
        });
    });
    Effect::new(move |_| {
        if !open.get() && draft.with_untracked(Option::is_some) {
            draft.set(None);
        }
    });
    view! {
        <Dialog open title=texts::DIALOG_TITLE>
            {move || view! { <FaqForm chatbot draft=draft.get().unwrap_or_default() opened=draft open on_saved /> }}
        </Dialog>
    }
}

#[component]
fn FaqForm(
    chatbot: Signal<Option<ChatbotId>>,
    draft: Draft,
    /// Set to open another draft instead.
    opened: RwSignal<Option<Draft>>,
    open: RwSignal<bool>,
    on_saved: Callback<ChatbotFaqEntry>,
) -> impl IntoView {
    let question = Field::new("question", head(&draft.question, MAX_FAQ_QUESTION));
    let variants = Field::new("variants", draft.variants.join("\n"));
    let answer = Field::new("answer", head(&draft.answer, MAX_FAQ_ANSWER));
    let form = Form::new([question, variants, answer]);
    // When the question is given, the answer is what the user wants to edit.
    let is_asked = !draft.question.is_empty();
    let intro = if draft.is_known { texts::DIALOG_KNOWN } else { texts::DIALOG_TEXT };
    let leave = use_guarded_navigate();
    let (own, initial) = (draft.entry.as_ref().map(|entry| entry.id), draft.answer.clone());
    // A typed answer would be lost.
    let can_join = Signal::derive(move || own.is_none() && answer.get() == initial);
    let join = Callback::new(move |entry: ChatbotFaqEntry| {
        let mut phrasings = vec![question.trimmed()];
        phrasings.extend(lines(&variants.trimmed()));
        opened.set(Some(Draft::with_phrasings(entry, phrasings)));
    });
    let stored = draft.entry.map(RwSignal::new);
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let Some(id) = chatbot.get_untracked() else { return };
        let leave = leave.clone();
        let done = move |entry: ChatbotFaqEntry| {
            confirm_saved(id, &entry, leave);
            open.set(false);
            on_saved.run(entry);
        };
        match stored {
            None => {
                let variants = lines(&variants.trimmed());
                let body = NewFaqEntry { question: question.trimmed(), variants, answer: answer.trimmed() };
                form.send(body, move |body| create(id, body), done);
            }
            Some(stored) => {
                let place = stored.with_untracked(|entry| (id, entry.id));
                form.save::<GetFaq, UpdateFaq, _>(place, stored, FaqFields { question, variants, answer }, done);
            }
        }
    };
    view! {
        <DialogForm open form submit_label=texts::SAVE on_submit=submit>
            <p class="ui-muted">{intro.t()}</p>
            <TextField label=texts::QUESTION field=question />
            <SimilarHint chatbot question own can_join on_join=join />
            <TextArea label=texts::ANSWER field=answer hint=texts::ANSWER_HINT rows=8 autofocus=is_asked />
            <TextArea label=texts::VARIANTS field=variants hint=texts::VARIANTS_HINT rows=3 optional=true />
        </DialogForm>
    }
}

/// Says that an entry is saved, and offers to ask its question if the chatbot can answer it already.
fn confirm_saved(id: ChatbotId, entry: &ChatbotFaqEntry, leave: impl Fn(&str) + Send + Sync + 'static) {
    if entry.state == Provisioning::Ready {
        let question = entry.question.clone();
        let ask = move || {
            ask_next(question.clone());
            leave(&paths::test(id));
        };
        toast_with_offer(texts::SAVED, texts::ASK_IT, ask);
    } else {
        toast(ToastKind::Info, texts::SAVED_LATER);
    }
}

/// The editable fields of an entry.
#[derive(Clone, Copy)]
struct FaqFields {
    question: Field,
    variants: Field,
    answer: Field,
}

impl Edits<ChatbotFaqEntry> for FaqFields {
    type Patch = FaqPatch;

    fn patch(&self, stored: &ChatbotFaqEntry) -> FaqPatch {
        let changed = |field: Field, old: &str| Some(field.trimmed()).filter(|text| text != old);
        FaqPatch {
            question: changed(self.question, &stored.question),
            variants: Some(lines(&self.variants.trimmed())).filter(|variants| *variants != stored.variants),
            answer: changed(self.answer, &stored.answer),
        }
    }

    fn reset(&self, stored: &ChatbotFaqEntry) {
        self.question.set(stored.question.clone());
        self.variants.set(stored.variants.join("\n"));
        self.answer.set(stored.answer.clone());
    }
}

async fn create(id: ChatbotId, body: NewFaqEntry) -> Result<ChatbotFaqEntry, Problem> {
    api::call::<CreateFaq>(&id, &(), &body).await
}

/// The own answer to a question, if there is one. If the request fails, the dialog continues without it.
async fn answer_to(id: ChatbotId, question: &str) -> Option<ChatbotFaqEntry> {
    let key = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    let query = FaqListQuery { page: PageQuery { q: Some(head(question.trim(), MAX_SEARCH)), ..PageQuery::default() } };
    let page = api::call::<ListFaq>(&id, &query, &()).await.ok()?;
    let is_it = |entry: &ChatbotFaqEntry| {
        let phrasings = entry.variants.iter().chain([&entry.question]);
        phrasings.into_iter().any(|phrasing| key(phrasing) == key(question))
    };
    page.items.into_iter().find(is_it)
}

/// An answer without the numbers of its sources.
fn without_markers(text: &str) -> String {
    let (mut text_before, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('[') {
        let number = after.split_once(']').filter(|(number, _)| number.parse::<u8>().is_ok());
        match number {
            Some((_, behind)) => {
                text_before.push_str(before.trim_end_matches(' '));
                rest = behind;
            }
            None => {
                text_before.push_str(before);
                text_before.push('[');
                rest = after;
            }
        }
    }
    text_before + rest
}

/// The non-empty lines of a text.
fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// The first `most` characters of a text.
fn head(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}
