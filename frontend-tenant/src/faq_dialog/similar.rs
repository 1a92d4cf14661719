//! A hint while a question is typed: an own answer to nearly the same question.

use std::time::Duration;

use app::{
    api,
    form::Field,
    page_task::spawn_on_page,
    ui::{Banner, Button, Tone, toast_problem},
};
use contract::{
    ChatbotId, FaqId,
    faq::{
        ChatbotFaqEntry, FindSimilarFaq, GetFaq, MAX_FAQ_QUESTION,
        similar::{SimilarFaqEntry, SimilarFaqQuery},
    },
};
use leptos::{leptos_dom::helpers::debounce, prelude::*, task::spawn_local};

use crate::texts::faq as texts;

/// Debounce of typing before the search runs.
const SEARCH_DELAY: Duration = Duration::from_millis(500);
/// Minimum characters of a question that is searched.
const MIN_CHARS: usize = 8;

/// Shows the most similar question that has an answer, and offers to add this one to it.
#[component]
pub(super) fn SimilarHint(
    chatbot: Signal<Option<ChatbotId>>,
    /// The question that is written.
    question: Field,
    /// The entry that is changed, which is not named.
    own: Option<FaqId>,
    /// Whether the question can be added to the other answer.
    #[prop(into)]
    can_join: Signal<bool>,
    /// Called with the entry that the question is added to.
    on_join: Callback<ChatbotFaqEntry>,
) -> impl IntoView {
    let (similar, busy) = (RwSignal::new(None::<SimilarFaqEntry>), RwSignal::new(false));
    let mut look = debounce(SEARCH_DELAY, move |typed: String| {
        let Some(id) = chatbot.try_get_untracked().flatten() else { return };
        spawn_local(async move {
            let nearest_entry = nearest(id, typed.clone(), own).await;
            // The question may have changed, or the dialog may be closed.
            if question.try_trimmed() == Some(typed) {
                similar.try_set(nearest_entry);
            }
        });
    });
    Effect::new(move |_| {
        let typed = question.get().trim().to_owned();
        similar.set(None);
        if (MIN_CHARS..=MAX_FAQ_QUESTION).contains(&typed.chars().count()) {
            look(typed);
        }
    });
    let join = move |other: FaqId| {
        let Some(id) = chatbot.get_untracked() else { return };
        let call = async move { api::call::<GetFaq>(&(id, other), &(), &()).await };
        spawn_on_page(busy, call, move |read| match read {
            Ok(entry) => on_join.run(entry),
            Err(problem) => toast_problem(&problem),
        });
    };
    view! {
        <div aria-live="polite">
            {move || {
                similar
                    .get()
                    .map(|entry| {
                        let id = entry.id;
                        view! {
                            <Banner tone=Tone::Warning>
                                <p>{texts::SIMILAR.with(&[&entry.question])}</p>
                                <Show when=move || can_join.get()>
                                    <Button small=true busy on_click=Callback::new(move |()| join(id))>
                                        {texts::JOIN.t()}
                                    </Button>
                                </Show>
                            </Banner>
                        }
                    })
            }}
        </div>
    }
}

/// The most similar other entry. If the request fails, the dialog continues without it.
async fn nearest(id: ChatbotId, question: String, own: Option<FaqId>) -> Option<SimilarFaqEntry> {
    let page = api::call::<FindSimilarFaq>(&id, &SimilarFaqQuery { question }, &()).await.ok()?;
    page.items.into_iter().find(|entry| Some(entry.id) != own)
}
