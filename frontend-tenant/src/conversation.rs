//! One conversation: its messages with sources, its feedback, and erasing it.

mod erase;
mod messages;

use app::{
    api, format,
    i18n::Localized,
    list_url::ListUrl,
    problem::Problem,
    resource::{Loaded, Resource},
    ui::{ButtonLink, Card, Crumb, EmptyState, IconName, Neighbours, PageHeader, SkeletonCards, StepButtons, Steps},
};
use contract::{
    ErrorCode, SessionId,
    conversations::{ConversationDetail, GetConversation, GetConversationNeighbours},
};
use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};

use self::{erase::EraseButton, messages::Messages};
use crate::{conversations, paths, texts::conversations as texts};

/// Maximum characters of the question in the heading.
const MAX_HEADING_CHARS: usize = 80;

/// The conversation in the URL; `?message=` scrolls to one of its messages. The filters of the list that it was opened
/// from are in the URL, too.
#[component]
pub(crate) fn ConversationPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("session")?.parse::<SessionId>().ok()));
    let list = ListUrl::new("", 1);
    let steps = Steps::new(move || {
        let (id, filter) = (id.get(), conversations::listed(list));
        let address = move |id| format!("{}{}", paths::conversation(id, None), untrack(|| conversations::query(list)));
        async move {
            let id = id.ok_or_else(|| Problem::from(ErrorCode::SessionNotFound))?;
            let neighbours = api::call::<GetConversationNeighbours>(&id, &filter, &()).await?;
            Ok(Neighbours { newer: neighbours.newer.map(address), older: neighbours.older.map(address) })
        }
    });
    let conversation = Resource::new(move || {
        let id = id.get();
        async move {
            let Some(id) = id else { return Ok(None) };
            match api::call::<GetConversation>(&id, &(), &()).await {
                Ok(detail) => Ok(Some(detail)),
                Err(problem) if problem.code() == Some(ErrorCode::SessionNotFound) => Ok(None),
                Err(problem) => Err(problem),
            }
        }
    });
    view! {
        <Loaded resource=conversation skeleton=|| view! { <SkeletonCards count=2 /> } let:conversation>
            {match conversation {
                Some(detail) => view! { <Opened detail list steps /> }.into_any(),
                None => view! { <Missing list /> }.into_any(),
            }}
        </Loaded>
    }
}

#[component]
fn Opened(detail: ConversationDetail, list: ListUrl, steps: Steps) -> impl IntoView {
    let ConversationDetail { conversation, messages, feedback } = detail;
    let highlighted = use_query_map().with_untracked(|query| query.get("message")?.parse().ok());
    let (chatbot, began) = (conversation.chatbot_name.into(), format::date_time(conversation.created_at));
    let subtitle = match conversation.visitor_ref {
        Some(visitor) => texts::ONE_SUBTITLE_OF_VISITOR.with_localized([chatbot, began, visitor.into()]),
        None => texts::ONE_SUBTITLE.with_localized([chatbot, began]),
    };
    let crumbs = vec![Crumb::link(texts::TITLE, conversations::opened_from(list)), Crumb::here(texts::ONE)];
    let (session, count) = (conversation.session_id, messages.len());
    let title = conversation.first_question.as_deref().map_or_else(|| texts::ONE.into(), heading);
    view! {
        <PageHeader title subtitle crumbs>
            <StepButtons steps label=texts::NEIGHBOURS newer=texts::NEWER_ONE older=texts::OLDER_ONE />
            <EraseButton session count back=conversations::opened_from(list) />
        </PageHeader>
        <Messages chatbot=conversation.chatbot_id messages feedback highlighted />
    }
}

/// A question as a heading: in one line, and only its first words when it is long.
fn heading(question: &str) -> Localized {
    let question = question.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((end, _)) = question.char_indices().nth(MAX_HEADING_CHARS) else { return question.into() };
    let cut = &question[..end];
    let words = cut.rsplit_once(' ').map_or(cut, |(words, _)| words);
    format!("{words}…").into()
}

#[component]
fn Missing(list: ListUrl) -> impl IntoView {
    view! {
        <PageHeader title=texts::ONE />
        <Card>
            <EmptyState icon=IconName::Inbox title=texts::MISSING_TITLE text=texts::MISSING_TEXT>
                <ButtonLink href=conversations::opened_from(list)>{texts::BACK.t()}</ButtonLink>
            </EmptyState>
        </Card>
    }
}
