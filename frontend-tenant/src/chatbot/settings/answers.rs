//! The language model of the answers, and whether it is available at the moment.

use app::{
    api,
    i18n::{
        Localized,
        answer_models::{self, NO_MODEL, label},
    },
    page_task::spawn_on_page,
    problem::Problem,
    resource::{Loaded, Resource},
    ui::{Banner, Card, Select, Skeleton, ToastKind, Tone, toast, toast_problem},
};
use contract::{
    ChatbotId, Patch,
    answer_models::{AnswerModels, ListAnswerModels},
    chatbots::{Chatbot, ChatbotPatch, UpdateChatbot},
};
use leptos::prelude::*;

use crate::{provisioning::ProvisioningPoller, texts::settings as texts};

/// The choice of a language model, or none.
#[component]
pub(super) fn AnswersCard(poller: ProvisioningPoller, read_only: bool) -> impl IntoView {
    let models = Resource::new(|| async { api::call::<ListAnswerModels>(&(), &(), &()).await });
    view! {
        <Card title=texts::ANSWERS>
            <Loaded resource=models skeleton=|| view! { <Skeleton lines=2 /> } let:models>
                <Choice poller models=models read_only />
            </Loaded>
        </Card>
    }
}

#[component]
fn Choice(poller: ProvisioningPoller, models: AnswerModels, read_only: bool) -> impl IntoView {
    let chatbot = poller.chatbot();
    let busy = RwSignal::new(false);
    let chosen = RwSignal::new(String::new());
    let show = move || chosen.set(chatbot.with(|chatbot| chatbot.answer_model.clone().unwrap_or_default()));
    Effect::new(move |_| show());
    let choose = Callback::new(move |name: String| {
        chosen.set(name.clone());
        let answer_model = if name.is_empty() { Patch::Null } else { Patch::Value(name) };
        let patch = ChatbotPatch { answer_model, ..ChatbotPatch::default() };
        spawn_on_page(busy, change(poller, patch), move |result| match result {
            Ok(chatbot) => {
                toast(ToastKind::Success, texts::ANSWERS_SAVED);
                poller.accept(chatbot);
            }
            Err(problem) => {
                untrack(show);
                toast_problem(&problem);
            }
        });
    });
    let default = models.default.clone();
    let away: Vec<String> =
        models.items.iter().filter(|model| !model.is_available).map(|model| model.name.clone()).collect();
    let is_away = move || {
        let name = chosen.get();
        away.contains(if name.is_empty() { &default } else { &name })
    };
    view! {
        <Select
            label=texts::ANSWER_MODEL
            value=chosen
            options=options(&models)
            on_change=choose
            disabled=Signal::derive(move || read_only || busy.get())
        />
        <p class="ui-muted ui-small">{texts::ANSWER_MODEL_HINT.t()}</p>
        {move || is_away().then(|| view! { <Banner tone=Tone::Warning>{texts::ANSWER_MODEL_AWAY.t()}</Banner> })}
    }
}

/// The default, the models, and none.
fn options(models: &AnswerModels) -> Vec<(String, Localized)> {
    let of_default = models.items.iter().find(|model| model.name == models.default);
    let default = of_default.map_or_else(|| NO_MODEL.into(), label);
    with_models(models, texts::ANSWER_MODEL_DEFAULT.with_localized([default]))
}

/// The default option, the models, and none.
pub(in crate::chatbot) fn with_models(models: &AnswerModels, no_choice: Localized) -> Vec<(String, Localized)> {
    [(String::new(), no_choice)].into_iter().chain(answer_models::options(&models.items)).collect()
}

async fn change(poller: ProvisioningPoller, patch: ChatbotPatch) -> Result<Chatbot, Problem> {
    let id: ChatbotId = poller.chatbot().with_untracked(|chatbot| chatbot.id);
    api::call::<UpdateChatbot>(&id, &(), &patch).await
}
