//! Answers a visitor's question: what the chatbot's own collection says about it, through the output filter, with both
//! messages stored. Nothing relevant means the chatbot's fallback message, without sources (decisions, 5).

mod compose;
mod filtered;
mod generated;
mod storing;

use contract::{
    ChatbotId, ErrorCode, MessageId, SessionId, TenantId,
    widget::{WidgetHistory, WidgetQuery, WidgetReply},
};
use store::{Scope, conversations, widgets::WidgetChatbot};
use uuid::Uuid;

use self::storing::Session;
use crate::{
    app_state::App,
    http::error::{ApiError, ApiResult},
};

/// Answers a question and stores both messages, with a row for each trigger of the output filter. What was composed is
/// stored even when the visitor is gone, and the question even when there is no answer.
///
/// # Errors
/// `session_not_found`; `generator_unavailable`; `service_unavailable` when the database is down.
pub async fn answer(app: &App, chatbot: &WidgetChatbot, query: WidgetQuery) -> ApiResult<WidgetReply> {
    let (tenant, id) = (chatbot.tenant_id, chatbot.config.chatbot_id);
    let session = open_session(app, tenant, id, query.session_id).await?;
    let question = query.question.trim().to_owned();
    let draft = compose::compose(app, chatbot, query.session_id, &question).await;
    let (app, chatbot) = (app.clone(), chatbot.clone());
    let storing = app.tasks.clone().spawn(async move {
        let draft = match draft {
            Err(error) if error.is(ErrorCode::GeneratorUnavailable) => {
                storing::store_question(&app, &chatbot, session, &question).await?;
                return Err(error);
            }
            draft => draft?,
        };
        let answer = filtered::filter(&app, &chatbot, draft, &question);
        let message_id = MessageId(Uuid::now_v7());
        storing::store(&app, &chatbot, session, &question, message_id, &answer).await?;
        Ok(answer.into_reply(session.id, message_id))
    });
    storing.await.unwrap_or_else(|error| {
        tracing::error!(%error, "answer.storing_failed");
        Err(ApiError::from(ErrorCode::InternalError))
    })
}

/// The messages of a session.
///
/// # Errors
/// `session_not_found`.
pub async fn history(app: &App, chatbot: &WidgetChatbot, session_id: SessionId) -> ApiResult<WidgetHistory> {
    let (tenant, id) = (chatbot.tenant_id, chatbot.config.chatbot_id);
    let mut tx = app.db.read(&Scope::widget(tenant)).await?;
    if !conversations::session_exists(&mut tx, tenant, id, session_id).await? {
        return Err(ErrorCode::SessionNotFound.into());
    }
    let messages = conversations::messages(&mut tx, tenant, id, session_id).await?;
    tx.end().await?;
    Ok(WidgetHistory { session_id, messages })
}

async fn open_session(
    app: &App,
    tenant: TenantId,
    chatbot: ChatbotId,
    session: Option<SessionId>,
) -> ApiResult<Session> {
    let Some(session) = session else { return Ok(Session { id: SessionId(Uuid::new_v4()), is_new: true }) };
    let mut tx = app.db.read(&Scope::widget(tenant)).await?;
    let exists = conversations::session_exists(&mut tx, tenant, chatbot, session).await?;
    tx.end().await?;
    if exists { Ok(Session { id: session, is_new: false }) } else { Err(ErrorCode::SessionNotFound.into()) }
}
