//! One conversation: what was said, what it rests on, what the visitor thought of it, and erasing it.

mod erase;
mod messages;

use app::{
    api, format,
    resource::{Loaded, Resource},
    ui::{ButtonLink, Card, Crumb, EmptyState, IconName, PageHeader, SkeletonCards},
};
use contract::{
    ErrorCode, SessionId,
    conversations::{ConversationDetail, GetConversation},
};
use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};

use self::{erase::EraseButton, messages::Messages};
use crate::{routes, texts::conversations as texts};

/// The conversation that the address names; `?message=` leads to one of its messages.
#[component]
pub(crate) fn ConversationPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("session")?.parse::<SessionId>().ok()));
    move || match id.get() {
        Some(id) => view! { <OfId id /> }.into_any(),
        None => view! { <Missing /> }.into_any(),
    }
}

#[component]
fn OfId(id: SessionId) -> impl IntoView {
    let found = Resource::new(move || async move {
        match api::call::<GetConversation>(&id, &(), &()).await {
            Ok(detail) => Ok(Some(detail)),
            Err(problem) if problem.code() == Some(ErrorCode::SessionNotFound) => Ok(None),
            Err(problem) => Err(problem),
        }
    });
    view! {
        <Loaded resource=found skeleton=|| view! { <SkeletonCards count=2 /> } let:found>
            {match found {
                Some(detail) => view! { <Opened detail /> }.into_any(),
                None => view! { <Missing /> }.into_any(),
            }}
        </Loaded>
    }
}

#[component]
fn Opened(detail: ConversationDetail) -> impl IntoView {
    let ConversationDetail { conversation, messages, feedback } = detail;
    let wanted = use_query_map().with_untracked(|query| query.get("message")?.parse().ok());
    let subtitle = texts::ONE_SUBTITLE
        .with_localized([conversation.chatbot_name.into(), format::date_time(conversation.created_at)]);
    let crumbs = vec![Crumb::link(texts::TITLE, routes::conversations(None)), Crumb::here(texts::ONE)];
    let (session, count) = (conversation.session_id, messages.len());
    view! {
        <PageHeader title=texts::ONE subtitle crumbs><EraseButton session count /></PageHeader>
        <Messages chatbot=conversation.chatbot_id messages feedback wanted />
    }
}

#[component]
fn Missing() -> impl IntoView {
    view! {
        <PageHeader title=texts::ONE />
        <Card>
            <EmptyState icon=IconName::Inbox title=texts::MISSING_TITLE text=texts::MISSING_TEXT>
                <ButtonLink href=routes::conversations(None)>{texts::BACK.t()}</ButtonLink>
            </EmptyState>
        </Card>
    }
}
