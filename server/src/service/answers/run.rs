//! Answers a question while the visitor is connected, then stores both messages. Streams and single replies work the
//! same way.

use std::time::Instant;

use contract::{ErrorCode, MessageId};
use tracing::{Instrument as _, info_span};
use uuid::Uuid;

use super::{
    events::{Event, EventSender},
    exchange::Exchange,
    filtered::Answer,
    message, persist,
    stream::AnswerStream,
};
use crate::{
    error::{ApiError, ApiResult},
    metrics::{self, AnswerStep},
    telemetry::TARGET,
};

enum Ending {
    Completed(Answer),
    /// The visitor disconnected before the end.
    Disconnected(Answer),
    /// Only the filter's triggers remain of it.
    Failed(Answer, ApiError),
}

/// Answers within the permit, stores both messages and sends the last event.
pub(super) async fn run(mut exchange: Exchange, sender: EventSender) {
    let ending = exchange.within_permit(answer(&exchange, &sender)).await;
    // The next answer can begin while this one is stored.
    exchange.permit = None;
    let last = match ending {
        Ending::Completed(answer) => finish(&exchange, answer).await,
        Ending::Failed(answer, error) if error.is(ErrorCode::GeneratorUnavailable) => {
            Err(store(&exchange, &answer).await.err().unwrap_or(error))
        }
        // Without a database there is nowhere to store a question.
        Ending::Failed(answer, error) => {
            sender.send(Event::Failed(error));
            if let Err(error) = persist::revert_count(&exchange, &answer).await {
                tracing::warn!(status = error.status(), "answer.quota_not_reverted");
            }
            return;
        }
        Ending::Disconnected(answer) => {
            tracing::debug!("answer.disconnected");
            if let Err(error) = store(&exchange, &answer).await {
                tracing::warn!(status = error.status(), "answer.disconnected_and_not_stored");
            }
            return;
        }
    };
    sender.send(last.unwrap_or_else(Event::Failed));
}

async fn answer(exchange: &Exchange, sender: &EventSender) -> Ending {
    let Exchange { app, chatbot, question, .. } = exchange;
    let mut stream = AnswerStream::new(&app.settings.output_filter, chatbot, question, sender);
    let composed = tokio::select! {
        composed = message::respond(exchange, &mut stream) => Some(composed),
        () = sender.closed() => None,
    };
    match composed {
        Some(Ok(composed)) => Ending::Completed(stream.finish(composed)),
        Some(Err(error)) => Ending::Failed(stream.fail(), error),
        None => Ending::Disconnected(stream.abort()),
    }
}

async fn finish(exchange: &Exchange, answer: Answer) -> ApiResult<Event> {
    let message_id = MessageId(Uuid::now_v7());
    let started = Instant::now();
    let span = info_span!(target: TARGET, "store");
    persist::store(exchange, message_id, &answer).instrument(span).await?;
    metrics::answer_step(AnswerStep::Store, started.elapsed());
    let usage = answer.usage.map(persist::tokens);
    Ok(Event::Done(answer.into_reply(&exchange.chatbot, &exchange.session, message_id), usage))
}

async fn store(exchange: &Exchange, answer: &Answer) -> ApiResult<()> {
    persist::store(exchange, MessageId(Uuid::now_v7()), answer).await
}
