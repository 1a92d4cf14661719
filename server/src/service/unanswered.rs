//! Unanswered questions of a chatbot, and their state.

use contract::{
    ChatbotId, ErrorCode, MessageId,
    audit::actions,
    unanswered::{UnansweredPage, UnansweredQuery, UnansweredQuestion},
};
use store::unanswered;

use super::{
    chatbot_tx, cursor_page,
    triage::{self, Triage},
};
use crate::{caller::Caller, error::ApiResult, state::App};

/// A page of the questions that a chatbot had no answer to.
///
/// # Errors
/// `chatbot_not_found`, and a validation error for an invalid cursor.
pub async fn list(
    app: &App,
    caller: &Caller,
    chatbot: ChatbotId,
    query: &UnansweredQuery,
) -> ApiResult<UnansweredPage> {
    let cursor = cursor_page::cursor(query.cursor.as_deref())?;
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, chatbot).await?;
    let page = unanswered::list(&mut tx, tenant, chatbot, query, cursor).await?;
    Ok(page)
}

/// Sets the status of the question of a fallback message: handled, or open again. A status that it has already writes nothing.
///
/// # Errors
/// `chatbot_not_found`; `message_not_found` when the message is not a fallback message of the chatbot.
pub async fn set_handled(
    app: &App,
    caller: &Caller,
    (chatbot, message): (ChatbotId, MessageId),
    handled: bool,
) -> ApiResult<UnansweredQuestion> {
    let (mut tx, tenant) = chatbot_tx::begin_write(app, caller, chatbot).await?;
    let before = unanswered::find(&mut tx, tenant, chatbot, message).await?.ok_or(ErrorCode::MessageNotFound)?;
    let is_new = if handled {
        unanswered::handle(&mut tx, tenant, chatbot, &before, &caller.identity.username).await?
    } else {
        unanswered::reopen(&mut tx, tenant, chatbot, &before).await?
    };
    let after = unanswered::find(&mut tx, tenant, chatbot, message).await?.ok_or(ErrorCode::MessageNotFound)?;
    let triage = Triage {
        actions: [actions::UNANSWERED_QUESTION_HANDLED, actions::UNANSWERED_QUESTION_REOPENED],
        entity_type: "unanswered_question",
        entity_id: after.question_key.clone(),
        handled,
    };
    triage::finish(tx, is_new, &triage.entry(caller, tenant, chatbot)).await?;
    Ok(after)
}
