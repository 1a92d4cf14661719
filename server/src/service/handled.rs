//! Working off what visitors left: feedback, and questions that nobody could answer.

use contract::{
    ChatbotId, ErrorCode, FeedbackId, MessageId, TenantId,
    audit::actions,
    feedback::Feedback,
    unanswered::{UnansweredPage, UnansweredQuery, UnansweredQuestion},
};
use serde_json::json;
use store::{AuditEntry, WriteTx, feedback, unanswered};

use super::{key_pages, own_chatbot};
use crate::{
    app_state::App,
    http::{caller::Caller, error::ApiResult},
};

/// Says that somebody dealt with feedback, or that it is open again; what stands so already writes nothing.
///
/// # Errors
/// `chatbot_not_found`, `feedback_not_found`.
pub async fn set_feedback(
    app: &App,
    caller: &Caller,
    (chatbot, id): (ChatbotId, FeedbackId),
    handled: bool,
) -> ApiResult<Feedback> {
    let (mut tx, tenant) = own_chatbot::write(app, caller, chatbot).await?;
    let user = handled.then_some(caller.identity.username.as_str());
    let is_new = feedback::set_handled(&mut tx, tenant, chatbot, id, user).await?;
    let found = feedback::find(&mut tx, tenant, chatbot, id).await?.ok_or(ErrorCode::FeedbackNotFound)?;
    let actions = [actions::CHATBOT_FEEDBACK_HANDLED, actions::CHATBOT_FEEDBACK_REOPENED];
    finish(tx, is_new, entry(caller, (tenant, chatbot), actions, "chatbot_feedback", id.to_string(), handled)).await?;
    Ok(found)
}

/// A page of the questions that a chatbot had no answer to.
///
/// # Errors
/// `chatbot_not_found`, and a validation error for a cursor that no list gave out.
pub async fn list_questions(
    app: &App,
    caller: &Caller,
    chatbot: ChatbotId,
    query: &UnansweredQuery,
) -> ApiResult<UnansweredPage> {
    let cursor = key_pages::cursor(query.cursor.as_deref())?;
    let (mut tx, tenant) = own_chatbot::read(app, caller, chatbot).await?;
    let page = unanswered::list(&mut tx, tenant, chatbot, query, cursor).await?;
    tx.end().await?;
    Ok(page)
}

/// Says that somebody dealt with the question of a fallback message, or that it is open again; what stands so already
/// writes nothing.
///
/// # Errors
/// `chatbot_not_found`; `message_not_found` when the message is no fallback message of the chatbot.
pub async fn set_question(
    app: &App,
    caller: &Caller,
    (chatbot, message): (ChatbotId, MessageId),
    handled: bool,
) -> ApiResult<UnansweredQuestion> {
    let (mut tx, tenant) = own_chatbot::write(app, caller, chatbot).await?;
    let before = unanswered::find(&mut tx, tenant, chatbot, message).await?.ok_or(ErrorCode::MessageNotFound)?;
    let is_new = if handled {
        unanswered::handle(&mut tx, tenant, chatbot, &before, &caller.identity.username).await?
    } else {
        unanswered::reopen(&mut tx, tenant, chatbot, &before).await?
    };
    let after = unanswered::find(&mut tx, tenant, chatbot, message).await?.ok_or(ErrorCode::MessageNotFound)?;
    let actions = [actions::UNANSWERED_QUESTION_HANDLED, actions::UNANSWERED_QUESTION_REOPENED];
    let key = after.question_key.clone();
    finish(tx, is_new, entry(caller, (tenant, chatbot), actions, "unanswered_question", key, handled)).await?;
    Ok(after)
}

async fn finish(mut tx: WriteTx, is_new: bool, entry: AuditEntry) -> ApiResult<()> {
    if !is_new {
        return Ok(tx.discard().await?);
    }
    let audited = tx.audit(&entry).await?;
    Ok(tx.commit(audited).await?)
}

/// The audit row; `actions` are the one that turns it on and the one that turns it off.
fn entry(
    caller: &Caller,
    (tenant, chatbot): (TenantId, ChatbotId),
    [on, off]: [&'static str; 2],
    entity_type: &'static str,
    entity_id: String,
    handled: bool,
) -> AuditEntry {
    AuditEntry {
        actor: caller.actor(),
        tenant_id: Some(tenant),
        chatbot_id: Some(chatbot),
        action: if handled { on } else { off },
        entity_type,
        entity_id,
        details: json!({ "before": { "handled": !handled }, "after": { "handled": handled } }),
    }
}
