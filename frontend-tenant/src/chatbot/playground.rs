//! The playground: asks the chatbot as a visitor would, and shows what its answer rests on.

mod result;

use std::cell::RefCell;

use app::{
    api,
    form::{Field, Form, FormError},
    ui::{Button, ButtonKind, Card, EmptyState, IconName, TextField},
};
use contract::{
    chatbots::ChatbotStatus,
    playground::{AskPlayground, PlaygroundQuestion, PlaygroundReply},
};
use leptos::prelude::*;

use self::result::ResultCards;
use super::frame::{Frame, Section};
use crate::{provisioning::ProvisioningPoller, sources::SourcesOf, texts::playground as texts};

thread_local! {
    /// What the playground asks by itself when it is opened next. A question does not stand in an address: addresses are logged.
    static NEXT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Lets the playground ask a question when it is opened next.
pub(crate) fn ask_next(question: String) {
    NEXT.set(Some(question));
}

/// The playground of the chatbot that the address names.
#[component]
pub(crate) fn PlaygroundPage() -> impl IntoView {
    view! { <Frame section=Section::Playground content /> }
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
    let (question, reply) = (Field::new("question", ""), RwSignal::new(None::<(String, PlaygroundReply)>));
    let form = Form::new([question]);
    let ask = move || {
        let asked = question.trimmed();
        let body = PlaygroundQuestion { question: asked.clone() };
        let call = move |body| async move { api::call::<AskPlayground>(&id, &(), &body).await };
        form.send(body, call, move |answered| reply.set(Some((asked, answered))));
    };
    if let Some(next) = NEXT.take() {
        question.set(next);
        ask();
    }
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        ask();
    };
    let suggestions = suggested
        .into_iter()
        .map(|text| {
            let shown = text.clone();
            let take = Callback::new(move |()| {
                // The answer under way is one to the question that stands there.
                if !form.busy().get_untracked() {
                    question.set(text.clone());
                    ask();
                }
            });
            view! { <Button small=true on_click=take>{shown}</Button> }
        })
        .collect_view();
    view! {
        <Card>
            <p class="ui-muted">{texts::INTRO.t()}</p>
            <form class="ui-form" novalidate on:submit=submit>
                <TextField label=texts::QUESTION field=question />
                <div class="ui-row ui-row--wrap" role="group" aria-label=texts::SUGGESTED.t()>{suggestions}</div>
                <FormError form />
                <div class="ui-form__actions">
                    <Button kind=ButtonKind::Primary submit=true busy=form.busy()>{texts::ASK.t()}</Button>
                </div>
            </form>
        </Card>
        <div class="ui-stack" aria-live="polite">
            {move || reply.get().map(|(question, reply)| view! { <ResultCards question reply /> })}
        </div>
    }
}
