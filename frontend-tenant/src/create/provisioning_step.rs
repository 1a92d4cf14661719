//! Third step: waits until the collection is created. Polls the API until the chatbot is ready or has failed.

use app::{
    format,
    i18n::{Localized, Text},
    ui::{Banner, Button, ButtonKind, ButtonLink, Card, Icon, IconName, Spinner, Tone},
};
use contract::chatbots::{Chatbot, Provisioning};
use leptos::prelude::*;

use crate::{chatbot::FailedBanner, paths, provisioning::ProvisioningPoller, texts::create as texts};

/// The state of one stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Done,
    UnderWay,
    Stopped,
}

impl From<Provisioning> for Stage {
    fn from(provisioning: Provisioning) -> Self {
        match provisioning {
            Provisioning::Ready => Self::Done,
            Provisioning::Pending => Self::UnderWay,
            Provisioning::Failed => Self::Stopped,
        }
    }
}

/// Shows how far the new chatbot is.
#[component]
pub(super) fn ProvisioningStep(
    poller: ProvisioningPoller,
    /// Called to go to the next step.
    on_next: Callback<()>,
) -> impl IntoView {
    let chatbot = poller.chatbot();
    let state = poller.state();
    let title = move || {
        let title = match state.get() {
            Provisioning::Pending => texts::PROGRESS_TITLE,
            Provisioning::Ready => texts::PROGRESS_READY,
            Provisioning::Failed => texts::PROGRESS_FAILED,
        };
        chatbot.with(|chatbot| title.with(&[&chatbot.name]).get())
    };
    let lost = move || {
        poller.problem().map(|problem| {
            view! { <Banner tone=Tone::Warning title=texts::LOST_TITLE>{problem.sentence()}</Banner> }
        })
    };
    view! {
        <div class="ui-stack" aria-live="polite">
            <Card flush=true>
                <h2 class="ui-checklist__heading">{title}</h2>
                {move || stages(&chatbot.get_untracked(), state.get())}
            </Card>
            {lost}
            {move || (state.get() == Provisioning::Failed).then(|| view! { <FailedBanner poller /> })}
            {move || next_actions(&chatbot.get_untracked(), state.get(), on_next)}
        </div>
    }
}

fn stages(chatbot: &Chatbot, state: Provisioning) -> impl IntoView + use<> {
    let seeds = chatbot.template_snapshot.as_ref().map_or(0, |snapshot| snapshot.faq_seed.len());
    let (indexed, indexed_text) = match seeds {
        0 => (texts::STAGE_NONE.into(), texts::STAGE_NONE_TEXT),
        1 => (texts::STAGE_INDEXED_ONE.into(), texts::STAGE_INDEXED_TEXT),
        _ => (texts::STAGE_INDEXED.with_localized([format::count(seeds)]), texts::STAGE_INDEXED_TEXT),
    };
    let collection = texts::STAGE_COLLECTION.into();
    view! {
        <ol class="ui-checklist">
            <StageItem stage=Stage::Done title=texts::STAGE_CREATED.into() text=texts::STAGE_CREATED_TEXT />
            <StageItem stage=state.into() title=collection text=texts::STAGE_COLLECTION_TEXT />
            <StageItem stage=state.into() title=indexed text=indexed_text />
        </ol>
    }
}

#[component]
fn StageItem(stage: Stage, title: Localized, text: Text) -> impl IntoView {
    let mark = match stage {
        Stage::Done => view! { <Icon name=IconName::Check /> }.into_any(),
        Stage::UnderWay => view! { <Spinner label=app::i18n::texts::PENDING /> }.into_any(),
        Stage::Stopped => view! { <Icon name=IconName::Close /> }.into_any(),
    };
    view! {
        <li
            class="ui-checklist__item"
            class=("ui-checklist__item--done", stage == Stage::Done)
            class=("ui-checklist__item--failed", stage == Stage::Stopped)
        >
            <span class="ui-checklist__mark">{mark}</span>
            <div class="ui-checklist__text">
                <span class="ui-strong">{title}</span>
                <span class="ui-muted">{text.t()}</span>
            </div>
        </li>
    }
}

fn next_actions(chatbot: &Chatbot, state: Provisioning, on_next: Callback<()>) -> impl IntoView + use<> {
    let (page, install) = (paths::chatbot(chatbot.id), paths::install(chatbot.id));
    if state == Provisioning::Ready {
        view! {
            <div class="ui-form__actions">
                <ButtonLink href=install icon=IconName::Code>{texts::EMBED.t()}</ButtonLink>
                <Button kind=ButtonKind::Primary icon=IconName::Upload on_click=on_next>
                    {texts::ADD_DOCUMENTS.t()}
                </Button>
            </div>
        }
        .into_any()
    } else {
        view! {
            <div class="ui-form__actions">
                <p class="ui-muted">{texts::LEAVE_NOTE.t()}</p>
                <ButtonLink href=page>{texts::OPEN.t()}</ButtonLink>
            </div>
        }
        .into_any()
    }
}
