//! Answers a visitor's question from the chatbot's own collection, through the output filter, and stores both messages.
//! If nothing is relevant, the answer is the chatbot's fallback message, without sources.

mod base;
mod compose;
mod events;
mod exchange;
mod filtered;
mod generated;
mod measured;
mod message;
pub mod models;
mod persist;
pub(crate) mod playground;
mod prompt_texts;
mod question;
mod quoted;
mod run;
mod sections;
mod session;
mod small_talk;
mod stream;

use std::{sync::Arc, time::Duration};

use contract::{
    ChatbotId, ErrorCode, SessionId,
    chatbots::ChatbotStatus,
    widget::{SessionToken, WidgetHistory},
};
use store::{Scope, feedback, widget::lookup::WidgetChatbot};
use tracing::{Instrument, info_span};

pub use self::{
    events::{Event, Events},
    measured::{Measured, Turn, measure},
    playground::try_out,
    question::Question,
    quoted::{Correction, Doubt, Quotable, Quoted, quote},
};
use self::{exchange::Exchange, session::Session};
pub(super) use self::{
    filtered::report as report_triggers,
    persist::{add_spending, tokens as token_usage},
};
use crate::{
    admission::answer_queue::{AnswerPermit, QueueError},
    caller::Caller,
    error::{ApiError, ApiResult},
    service::answer_models::Choice,
    state::{App, answer_models::AnswerModel},
    telemetry::TARGET,
};

/// Estimated time until a full queue has room again.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// Starts to answer a question in a separate task that sends events. Stores both messages, and a row for each trigger
/// of the output filter. A disconnect stops the work, including the model; the part that was sent is stored. The
/// question is stored even when there is no answer.
///
/// # Errors
/// Errors that are known before the search: `session_not_found`; `rate_limited` when too many questions to the chatbot
/// are queued; `service_unavailable` when the question waits too long or the database is down.
pub async fn answer(app: &App, chatbot: &WidgetChatbot, question_request: Question) -> ApiResult<Events> {
    let (mut session, messages) = match question_request.session_id {
        Some(id) => Session::find(app, chatbot, id, question_request.session_token).await?,
        None => {
            let mut session = Session::new();
            session.visitor_ref = question_request.visitor_ref;
            (session, Vec::new())
        }
    };
    let permit = acquire(app, chatbot).await?;
    session.add_missing_token(app, chatbot).await?;
    let question = question_request.text.trim().to_owned();
    let (sender, events) = events::channel();
    sender.send(Event::Session(session.id, session.token.clone()));
    let model = model_of(app, chatbot, chatbot.answer_model.as_deref());
    let exchange = Exchange {
        app: app.clone(),
        chatbot: chatbot.clone(),
        session,
        messages: question_request.earlier.unwrap_or(messages),
        question,
        page_url: question_request.page_url,
        model,
        is_visitors: true,
        evidence_shift: 0.0,
        permit: Some(permit),
    };
    let span = info_span!(
        target: TARGET, "invoke_agent",
        gen_ai.operation.name = "invoke_agent",
        gen_ai.agent.id = %chatbot.config.chatbot_id,
        svc.tenant_id = %chatbot.tenant_id,
    );
    // The events of the log keep the span of the request.
    app.tasks.spawn(run::run(exchange, sender).instrument(span).in_current_span());
    Ok(events)
}

/// The caller's active chatbot as its widget sees it.
///
/// # Errors
/// `chatbot_not_found`, `chatbot_not_active`; `service_unavailable` when the database is down.
pub async fn find_own(app: &App, caller: &Caller, id: ChatbotId) -> ApiResult<WidgetChatbot> {
    let tenant = caller.tenant()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    let stored = store::chatbots::find(&mut tx, tenant, id).await?.ok_or(ErrorCode::ChatbotNotFound)?;
    if stored.status == ChatbotStatus::Deactivated {
        return Err(ErrorCode::ChatbotNotActive.into());
    }
    drop(tx);
    let chatbot = store::widget::lookup::find(&app.db, stored.id).await?;
    Ok(chatbot.ok_or(ErrorCode::ChatbotNotFound)?)
}

/// The language model of the chatbot with this choice; `None` when its answers are quoted.
fn model_of(app: &App, chatbot: &WidgetChatbot, chosen: Option<&str>) -> Option<Arc<AnswerModel>> {
    let choice = Choice::of(chatbot.tenant_answer_model.as_deref(), &chatbot.tenant_answer_models);
    choice.model(app, chosen)
}

/// Waits until a question to the chatbot may be answered.
async fn acquire(app: &App, chatbot: &WidgetChatbot) -> ApiResult<Arc<AnswerPermit>> {
    let permit = app.answer_queue().acquire(chatbot.tenant_id, chatbot.config.chatbot_id).await;
    permit.map(Arc::new).map_err(|error| {
        tracing::debug!(chatbot_id = %chatbot.config.chatbot_id, ?error, "answers.busy");
        match error {
            QueueError::Full => ApiError::rate_limited(RETRY_AFTER),
            QueueError::Timeout => ErrorCode::ServiceUnavailable.into(),
        }
    })
}

/// The messages of a session, each answer with what the visitor thought of it last.
///
/// # Errors
/// `session_not_found`, also when the token is missing or not the session's.
pub async fn history(
    app: &App,
    chatbot: &WidgetChatbot,
    session_id: SessionId,
    token: Option<SessionToken>,
) -> ApiResult<WidgetHistory> {
    let (session, mut messages) = Session::find(app, chatbot, session_id, token).await?;
    if session.token.is_none() {
        return Err(ErrorCode::SessionNotFound.into());
    }
    // The widget's role can write feedback but not read it: uses the role of its tenant, restricted to that tenant's
    // rows.
    let mut tx = app.db.read(&Scope::tenant(chatbot.tenant_id)).await?;
    let ratings = feedback::ratings(&mut tx, chatbot.tenant_id, chatbot.config.chatbot_id, session_id).await?;
    for message in &mut messages {
        message.rating = ratings.get(&message.message_id).copied();
    }
    Ok(WidgetHistory { session_id, messages })
}
