//! Search settings: the embedding model with the progress of a change, and questions in other languages.

use app::{
    api, format,
    i18n::Localized,
    page_task::spawn_on_page,
    problem::Problem,
    resource::{Loaded, Resource},
    ui::{Button, Card, ConfirmDialog, Select, Skeleton, Switch, ToastKind, toast, toast_problem},
};
use contract::{
    ChatbotId,
    chatbots::{
        Chatbot, ChatbotPatch, EmbeddingModel, EmbeddingModels, ListEmbeddingModels, ModelLanguages, Reindexing,
        UpdateChatbot,
    },
};
use leptos::prelude::*;

use crate::{provisioning::ProvisioningPoller, texts::settings as texts};

/// The model and the switch.
#[component]
pub(super) fn SearchCard(poller: ProvisioningPoller, read_only: bool) -> impl IntoView {
    let models = Resource::new(|| async { api::call::<ListEmbeddingModels>(&(), &(), &()).await });
    view! {
        <Card title=texts::SEARCH>
            <Loaded resource=models skeleton=|| view! { <Skeleton lines=3 /> } let:models>
                <Model poller models=models.clone() read_only />
                <OtherLanguages poller models=models read_only />
            </Loaded>
        </Card>
    }
}

/// The model in use, and another one to change to.
#[component]
fn Model(poller: ProvisioningPoller, models: EmbeddingModels, read_only: bool) -> impl IntoView {
    let chatbot = poller.chatbot();
    let current = Memo::new(move |_| chatbot.with(|chatbot| chatbot.embedding_model.clone().unwrap_or_default()));
    let moving = Memo::new(move |_| chatbot.with(|chatbot| chatbot.reindexing.clone()));
    let can_choose = models.items.len() > 1 && !read_only;
    let names = StoredValue::new(models.items);
    view! {
        {move || match moving.get() {
            Some(reindexing) => view! { <Moving poller current=current.get() reindexing read_only /> }.into_any(),
            None if can_choose => view! { <Choice poller current=current.get() models=names.get_value() /> }.into_any(),
            None => view! { <p>{texts::MODEL_IN_USE.with(&[&current.get()])}</p> }.into_any(),
        }}
    }
}

/// A choice of models. A change must be confirmed.
#[component]
fn Choice(poller: ProvisioningPoller, current: String, models: Vec<EmbeddingModel>) -> impl IntoView {
    let (open, busy, failure) = (RwSignal::new(false), RwSignal::new(false), RwSignal::new(None));
    let chosen = RwSignal::new(current.clone());
    let option = |model: EmbeddingModel| (model.name.clone(), option_text(&model));
    let options: Vec<(String, Localized)> = models.into_iter().map(option).collect();
    let stored = current.clone();
    let choose = Callback::new(move |model: String| {
        open.set(model != stored);
        chosen.set(model);
    });
    // Cancelling the confirmation keeps the model.
    Effect::new(move |_| {
        if !open.get() {
            chosen.set(current.clone());
        }
    });
    let confirm = Callback::new(move |()| {
        let patch = ChatbotPatch { embedding_model: Some(chosen.get_untracked()), ..ChatbotPatch::default() };
        spawn_on_page(busy, change(poller, patch), move |result| match result {
            Ok(chatbot) => {
                open.set(false);
                toast(ToastKind::Success, texts::MODEL_CHANGES);
                poller.accept(chatbot);
            }
            Err(problem) => failure.set(Some(problem)),
        });
    });
    let text = Localized::new(move || texts::MODEL_CHANGE_TEXT.with(&[&chosen.get()]).get());
    view! {
        <Select label=texts::MODEL value=chosen options on_change=choose />
        <p class="ui-muted ui-small">{texts::MODEL_HINT.t()}</p>
        <ConfirmDialog
            open
            title=texts::MODEL_CHANGE_TITLE
            text
            confirm_label=texts::MODEL_CHANGE
            busy
            failure
            on_confirm=confirm
        />
    }
}

fn option_text(model: &EmbeddingModel) -> Localized {
    match model.languages {
        ModelLanguages::English => texts::MODEL_ENGLISH.with(&[&model.name]),
        ModelLanguages::All => texts::MODEL_ALL.with(&[&model.name]),
    }
}

/// The progress of the change to another model.
#[component]
fn Moving(poller: ProvisioningPoller, current: String, reindexing: Reindexing, read_only: bool) -> impl IntoView {
    let busy = RwSignal::new(false);
    let Reindexing { embedding_model, done, total } = reindexing;
    let [done_text, total_text] = [done, total].map(|count| format::number(count.into()));
    let text = texts::MODEL_MOVING.with_localized([embedding_model.into(), done_text, total_text]);
    let current_model = current.clone();
    let stay = Callback::new(move |()| {
        let patch = ChatbotPatch { embedding_model: Some(current_model.clone()), ..ChatbotPatch::default() };
        spawn_on_page(busy, change(poller, patch), move |result| match result {
            Ok(chatbot) => {
                toast(ToastKind::Success, texts::MODEL_STAYS);
                poller.accept(chatbot);
            }
            Err(problem) => toast_problem(&problem),
        });
    });
    view! {
        <p>{texts::MODEL_IN_USE.with(&[&current])}</p>
        <p class="ui-muted ui-small">{text}</p>
        <progress
            class="ui-progress"
            aria-label=move || texts::MODEL_PROGRESS.get()
            max=total.max(1).to_string()
            value=done.to_string()
        ></progress>
        {(!read_only).then(|| view! {
            <div class="ui-row">
                <Button busy on_click=stay>{texts::MODEL_STAY.t()}</Button>
            </div>
        })}
    }
}

/// The switch for questions in other languages. A multilingual model does not need it.
#[component]
fn OtherLanguages(poller: ProvisioningPoller, models: EmbeddingModels, read_only: bool) -> impl IntoView {
    let chatbot = poller.chatbot();
    let busy = RwSignal::new(false);
    let english: Vec<String> = models
        .items
        .into_iter()
        .filter(|model| model.languages == ModelLanguages::English)
        .map(|model| model.name)
        .collect();
    let knows_english_alone = Memo::new(move |_| {
        chatbot.with(|chatbot| chatbot.embedding_model.as_ref().is_some_and(|own| english.contains(own)))
    });
    let is_on = RwSignal::new(false);
    Effect::new(move |_| is_on.set(chatbot.with(|chatbot| chatbot.cross_language)));
    let is_ready = Memo::new(move |_| chatbot.with(|chatbot| chatbot.second_embedding_model.is_some()));
    let switch = Callback::new(move |on: bool| {
        let patch = ChatbotPatch { cross_language: Some(on), ..ChatbotPatch::default() };
        is_on.set(on);
        spawn_on_page(busy, change(poller, patch), move |result| match result {
            Ok(chatbot) => {
                toast(ToastKind::Success, if on { texts::LANGUAGES_ON } else { texts::LANGUAGES_OFF });
                poller.accept(chatbot);
            }
            Err(problem) => {
                is_on.set(!on);
                toast_problem(&problem);
            }
        });
    });
    let state = move || match (is_on.get(), is_ready.get()) {
        (true, false) => texts::LANGUAGES_PREPARING.t().into_any(),
        _ => texts::LANGUAGES_HINT.t().into_any(),
    };
    move || {
        if !knows_english_alone.get() {
            return None;
        }
        Some(view! {
            <Switch label=texts::LANGUAGES checked=is_on busy disabled=read_only on_change=switch />
            <p class="ui-muted ui-small">{state}</p>
        })
    }
}

async fn change(poller: ProvisioningPoller, patch: ChatbotPatch) -> Result<Chatbot, Problem> {
    let id: ChatbotId = poller.chatbot().with_untracked(|chatbot| chatbot.id);
    api::call::<UpdateChatbot>(&id, &(), &patch).await
}
