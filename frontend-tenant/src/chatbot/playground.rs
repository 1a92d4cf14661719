//! The playground: asks the chatbot as a visitor would, and shows what its answer is based on.

mod result;
mod turns;
mod variant;

use app::{
    api,
    focus_restore::focus_next,
    form::{Field, Form, FormError},
    problem::Problem,
    ui::{Button, ButtonKind, Card, EmptyState, IconName, TextField},
};
use contract::{
    ChatbotId,
    chatbots::ChatbotStatus,
    playground::{AskPlayground, PlaygroundQuestion},
};
use leptos::prelude::*;

use self::{
    result::Results,
    turns::{EarlierTurns, Turn, history},
    variant::{VariantFields, VariantForm},
};
use super::{frame::Frame, parts::Part};
use crate::{next_question, provisioning::ProvisioningPoller, sources::SourcesOf, texts::playground as texts};

/// The playground of the chatbot in the URL.
#[component]
pub(crate) fn PlaygroundPage() -> impl IntoView {
    view! { <Frame part=Part::Test content /> }
}

fn content(poller: ProvisioningPoller) -> AnyView {
    let is_active = poller.chatbot().with_untracked(|chatbot| chatbot.status == ChatbotStatus::Active);
    if is_active {
        view! { <Playground poller /> }.into_any()
    } else {
        view! {
            <Card>
                <EmptyState icon=IconName::Chatbot title=texts::INACTIVE_TITLE text=texts::INACTIVE_TEXT />
            </Card>
        }
        .into_any()
    }
}

#[component]
fn Playground(poller: ProvisioningPoller) -> impl IntoView {
    let (id, suggested) = poller.chatbot().with_untracked(|chatbot| (chatbot.id, chatbot.suggested_questions.clone()));
    provide_context(SourcesOf(id));
    let (question, turns) = (Field::new("question", ""), RwSignal::new(Vec::<Turn>::new()));
    let variant = VariantFields::new();
    let form = Form::new([question, variant.prompt()]);
    let ask = move || ask(id, form, question, variant, turns);
    if let Some(next) = next_question::take() {
        question.set(next.question);
        if next.is_asked {
            ask();
        }
    }
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        ask();
    };
    let suggestions = suggested
        .into_iter()
        .map(|text| {
            let label = text.clone();
            let take = Callback::new(move |()| {
                // A pending answer belongs to the current question.
                if !form.busy().get_untracked() {
                    question.set(text.clone());
                    ask();
                }
            });
            view! { <Button small=true on_click=take>{label}</Button> }
        })
        .collect_view();
    let start_over = Callback::new(move |()| {
        turns.set(Vec::new());
        question.set("");
        // The button is gone with the turns.
        focus_next("input[name=question]");
    });
    view! {
        <Card>
            <p class="ui-muted">{texts::INTRO.t()}</p>
            <form class="ui-form" novalidate on:submit=submit>
                <TextField label=texts::QUESTION field=question />
                <div class="ui-row ui-row--wrap" role="group" aria-label=texts::SUGGESTED.t()>{suggestions}</div>
                <VariantForm id fields=variant />
                <FormError form />
                <div class="ui-form__actions">
                    <Show when=move || turns.with(|turns| !turns.is_empty())>
                        <Button disabled=form.busy() on_click=start_over>{texts::NEW_CONVERSATION.t()}</Button>
                    </Show>
                    <Button kind=ButtonKind::Primary submit=true busy=form.busy()>{texts::ASK.t()}</Button>
                </div>
            </form>
        </Card>
        <EarlierTurns turns />
        <div class="ui-stack" aria-live="polite">
            {move || turns.with(|turns| turns.last().cloned()).map(|turn| view! { <Results turn /> })}
        </div>
    }
}

/// Asks the question with the normal settings, then with the others if there are any.
fn ask(id: ChatbotId, form: Form, question: Field, variant: VariantFields, turns: RwSignal<Vec<Turn>>) {
    let (text, other) = (question.trimmed(), variant.chosen());
    let usual = PlaygroundQuestion { question: text.clone(), history: history(turns, Turn::usual), variant: None };
    let body = PlaygroundQuestion { variant: other, history: history(turns, Turn::other), ..usual.clone() };
    let call = move |body: PlaygroundQuestion| async move {
        let answered = api::call::<AskPlayground>(&id, &(), &usual).await?;
        let varied = match body.variant {
            Some(_) => Some(api::call::<AskPlayground>(&id, &(), &body).await?),
            None => None,
        };
        Ok::<_, Problem>((usual, answered, varied))
    };
    form.send(body, call, move |(usual, answered, varied)| {
        let PlaygroundQuestion { question, history, .. } = usual;
        turns.update(|turns| turns.push(Turn { question, history, usual: answered, other: varied }));
    });
}
