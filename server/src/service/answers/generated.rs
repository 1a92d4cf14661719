//! The language model's answer: prompt, conversation, and its words as they come.

use contract::{
    ErrorCode,
    widget::{MessageRole, WidgetMessage},
};
use rag::{
    generate::{
        cited::{Cited, Citing},
        openai::Generator,
        prompt::{self, Asked, Message, Role},
    },
    retrieve::Candidate,
};
use uuid::Uuid;

use super::{
    exchange::Exchange,
    stream::{AnswerStream, Draft},
};
use crate::error::{ApiError, ApiResult};

/// Streams the answer that the model makes of `passages` after the conversation so far; none when it says that they hold none. Dropping the future, as
/// when the visitor leaves, stops the model, and so does a rule that blocks.
///
/// # Errors
/// `generator_unavailable`.
pub(super) async fn answer(
    exchange: &Exchange,
    generator: &Generator,
    passages: &[Candidate<Uuid>],
    stream: &mut AnswerStream<'_>,
) -> ApiResult<Option<Draft>> {
    stream.start(passages);
    let history: Vec<Message> = exchange.messages.iter().map(message).collect();
    let messages = prompt::messages(&Asked {
        system_prompt: &exchange.chatbot.system_prompt,
        history: &history,
        history_tokens: exchange.app.settings.history_tokens,
        passages,
        question: &exchange.question,
    });
    let mut citing = Citing::new(passages);
    let generated = generator.generate(&messages, |part| stream.push(&citing.push(part)));
    generated.await.map_err(|error| {
        tracing::error!(%error, "generator.failed");
        ApiError::from(ErrorCode::GeneratorUnavailable)
    })?;
    let Some(Cited { rest, citations, sources }) = citing.finish() else { return Ok(None) };
    // A block is found again at the end.
    let _ = stream.push(&rest);
    Ok(Some(Draft::Answer { sources, citations }))
}

fn message(known: &WidgetMessage) -> Message {
    let role = match known.role {
        MessageRole::User => Role::User,
        MessageRole::Assistant => Role::Assistant,
    };
    Message { role, content: known.content.clone() }
}
