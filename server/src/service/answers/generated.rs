//! The language model's answer: prompt, conversation, and its words as they come.

use contract::{ErrorCode, widget::MessageRole};
use rag::{
    generate::{
        cited::{Cited, Citing},
        openai::Generator,
        prompt::{self, Asked, Message, Role},
    },
    retrieve::Candidate,
};
use store::{Scope, conversations};
use uuid::Uuid;

use super::{compose::Draft, exchange::Exchange, telling::Telling};
use crate::http::error::{ApiError, ApiResult};

/// Tells the answer that the model makes of `passages`; none when it says that they hold none. Dropping the future, as
/// when the visitor leaves, stops the model, and so does a rule that blocks.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database is down.
pub(super) async fn answer(
    exchange: &Exchange,
    generator: &Generator,
    passages: &[Candidate<Uuid>],
    telling: &mut Telling<'_>,
) -> ApiResult<Option<Draft>> {
    telling.begin(passages);
    let history = history(exchange).await?;
    let messages = prompt::messages(&Asked {
        system_prompt: &exchange.chatbot.system_prompt,
        history: &history,
        history_tokens: exchange.app.settings.history_tokens,
        passages,
        question: &exchange.question,
    });
    let mut citing = Citing::new(passages);
    let generated = generator.generate(&messages, |part| telling.say(&citing.push(part)));
    generated.await.map_err(|error| {
        tracing::error!(%error, "generator.failed");
        ApiError::from(ErrorCode::GeneratorUnavailable)
    })?;
    let Some(Cited { rest, citations, sources }) = citing.finish() else { return Ok(None) };
    // A block is found again at the end.
    let _ = telling.say(&rest);
    Ok(Some(Draft::Answer { sources, citations }))
}

/// The conversation so far, oldest first.
async fn history(exchange: &Exchange) -> ApiResult<Vec<Message>> {
    let Exchange { app, chatbot, session, .. } = exchange;
    if session.is_new {
        return Ok(Vec::new());
    }
    let (tenant, id) = (chatbot.tenant_id, chatbot.config.chatbot_id);
    let mut tx = app.db.read(&Scope::widget(tenant)).await?;
    let messages = conversations::messages(&mut tx, tenant, id, session.id).await?;
    tx.end().await?;
    let message = |known: contract::widget::WidgetMessage| Message {
        role: match known.role {
            MessageRole::User => Role::User,
            MessageRole::Assistant => Role::Assistant,
        },
        content: known.content,
    };
    Ok(messages.into_iter().map(message).collect())
}
