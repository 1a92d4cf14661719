//! Resolves and reopens feedback.

use contract::{ChatbotId, ErrorCode, FeedbackId, audit::actions, feedback::Feedback};
use store::feedback;

use crate::{
    caller::Caller,
    error::ApiResult,
    service::{
        chatbot_tx,
        triage::{self, Triage},
    },
    state::App,
};

/// Sets the status of feedback: handled, or open again. A status that it has already writes nothing.
///
/// # Errors
/// `chatbot_not_found`, `feedback_not_found`.
pub async fn set_handled(
    app: &App,
    caller: &Caller,
    (chatbot, id): (ChatbotId, FeedbackId),
    handled: bool,
) -> ApiResult<Feedback> {
    let (mut tx, tenant) = chatbot_tx::begin_write(app, caller, chatbot).await?;
    let user = handled.then_some(caller.identity.username.as_str());
    let is_new = feedback::set_handled(&mut tx, tenant, chatbot, id, user).await?;
    let entry = feedback::find(&mut tx, tenant, chatbot, id).await?.ok_or(ErrorCode::FeedbackNotFound)?;
    let triage = Triage {
        actions: [actions::CHATBOT_FEEDBACK_HANDLED, actions::CHATBOT_FEEDBACK_REOPENED],
        entity_type: "chatbot_feedback",
        entity_id: id.to_string(),
        handled,
    };
    triage::finish(tx, is_new, &triage.entry(caller, tenant, chatbot)).await?;
    Ok(entry)
}
