//! A chatbot's page: how far it is, the snippet for the site, its settings, and deactivation.

mod deactivate;
mod embed;
mod settings;

use app::{
    api,
    resource::{Loaded, Resource},
    ui::{Badge, Banner, Button, Crumb, IconName, PageHeader, SkeletonCards, Tone},
};
use contract::{
    ChatbotId, ErrorCode,
    chatbots::{Chatbot, ChatbotStatus, GetChatbot, Provisioning},
};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use self::{deactivate::DeactivateCard, embed::EmbedCard, settings::SettingsCards};
use crate::{
    pages::NotFoundPage,
    provisioning::{Follow, provisioning_badge, status_badge},
    read_only::AdminOnly,
    routes,
    texts::{self as console, chatbot as texts},
};

/// The chatbot that the address names.
#[component]
pub(crate) fn ChatbotPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id")?.parse::<ChatbotId>().ok()));
    move || match id.get() {
        Some(id) => view! { <ChatbotView id /> }.into_any(),
        None => view! { <NotFoundPage /> }.into_any(),
    }
}

#[component]
fn ChatbotView(id: ChatbotId) -> impl IntoView {
    let chatbot = Resource::new(move || async move {
        match api::call::<GetChatbot>(&id, &(), &()).await {
            Ok(chatbot) => Ok(Some(chatbot)),
            Err(problem) if problem.code() == Some(ErrorCode::ChatbotNotFound) => Ok(None),
            Err(problem) => Err(problem),
        }
    });
    view! {
        <Loaded resource=chatbot skeleton=|| view! { <SkeletonCards count=4 /> } let:found>
            {match found {
                Some(chatbot) => view! { <Detail chatbot /> }.into_any(),
                None => view! { <NotFoundPage /> }.into_any(),
            }}
        </Loaded>
    }
}

#[component]
fn Detail(chatbot: Chatbot) -> impl IntoView {
    let crumbs = vec![Crumb::link(console::CHATBOTS, routes::chatbots()), Crumb::here(&chatbot.name)];
    let (title, subtitle) = (chatbot.name.clone(), chatbot.description.clone());
    let follow = Follow::new(chatbot.clone());
    let shown = follow.chatbot();
    let status = Memo::new(move |_| shown.with(|chatbot| chatbot.status));
    let state = follow.state();
    let badges = move || {
        let (status_tone, status_text) = status_badge(status.get());
        let (tone, text) = provisioning_badge(state.get());
        view! {
            <Badge tone=status_tone>{status_text}</Badge>
            <Badge tone dot=true>{text}</Badge>
        }
    };
    view! {
        <PageHeader title subtitle crumbs>{badges}</PageHeader>
        {move || notice(follow, status.get(), state.get())}
        <div class="ui-grid ui-grid--main-side">
            <div class="ui-stack">
                {move || (status.get() == ChatbotStatus::Active).then(|| view! { <EmbedCard id=chatbot.id /> })}
                <SettingsCards chatbot=chatbot.clone() />
            </div>
            <div class="ui-stack">
                {move || view! { <settings::DetailsCard chatbot=shown.get() /> }}
                {move || {
                    (status.get() == ChatbotStatus::Active).then(|| view! { <DeactivateCard chatbot=shown /> })
                }}
            </div>
        </div>
    }
}

/// What the user should know first.
fn notice(follow: Follow, status: ChatbotStatus, state: Provisioning) -> impl IntoView {
    match (status, state) {
        (ChatbotStatus::Deactivated, _) => view! {
            <Banner tone=Tone::Neutral title=texts::DEACTIVATED_TITLE>{texts::DEACTIVATED_TEXT.t()}</Banner>
        }
        .into_any(),
        (_, Provisioning::Failed) => view! { <FailedBanner follow /> }.into_any(),
        (_, Provisioning::Pending) => view! {
            <Banner tone=Tone::Info title=texts::PENDING_TITLE>{texts::PENDING_TEXT.t()}</Banner>
        }
        .into_any(),
        (_, Provisioning::Ready) => ().into_any(),
    }
}

/// The collection could not be made; administrators may try again.
#[component]
pub(super) fn FailedBanner(
    /// The chatbot.
    follow: Follow,
) -> impl IntoView {
    let retry = Callback::new(move |()| follow.retry());
    view! {
        <Banner tone=Tone::Danger title=texts::FAILED_TITLE>
            <div class="ui-stack ui-stack--small">
                <p>{texts::FAILED_TEXT.t()}</p>
                <AdminOnly>
                    <div class="ui-row">
                        <Button small=true icon=IconName::Refresh busy=follow.busy() on_click=retry>
                            {texts::RETRY.t()}
                        </Button>
                    </div>
                </AdminOnly>
            </div>
        </Banner>
    }
}
