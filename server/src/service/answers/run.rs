//! Answers a question while the visitor listens, then stores both messages: the same whether the visitor gets a stream or one
//! reply.

use std::time::Instant;

use contract::{ErrorCode, MessageId};
use uuid::Uuid;

use super::{
    compose,
    events::{Event, Visitor},
    exchange::Exchange,
    filtered::Answer,
    persist,
    stream::Telling,
};
use crate::{
    admission::answer_queue::Turn,
    error::{ApiError, ApiResult},
    metrics::{self, AnswerStep},
};

/// How far an answer came.
enum Ending {
    /// To its end.
    Whole(Answer),
    /// The visitor left before.
    Left(Answer),
    /// It failed; only the filter's triggers are left of it.
    Failed(Answer, ApiError),
}

impl Exchange {
    /// Answers within its turn and stores, and tells the visitor.
    pub(super) async fn run(self, visitor: Visitor, turn: Turn) {
        let told = match turn.work(self.answer(&visitor)).await {
            Ending::Whole(answer) => self.finish(answer).await,
            Ending::Failed(answer, error) => {
                // Without a database there is nowhere to keep a question.
                let kept = if error.is(ErrorCode::GeneratorUnavailable) { self.keep(&answer).await } else { Ok(()) };
                Err(kept.err().unwrap_or(error))
            }
            Ending::Left(answer) => {
                tracing::debug!("answer.left");
                if let Err(error) = self.keep(&answer).await {
                    tracing::warn!(status = error.status(), "answer.left_and_not_stored");
                }
                return;
            }
        };
        visitor.tell(told.unwrap_or_else(Event::Failed));
    }

    async fn answer(&self, visitor: &Visitor) -> Ending {
        let mut telling = Telling::new(&self.app.settings.output_filter, &self.chatbot, &self.question, visitor);
        let composed = tokio::select! {
            composed = compose::compose(self, &mut telling) => Some(composed),
            () = visitor.left() => None,
        };
        match composed {
            Some(Ok(draft)) => Ending::Whole(telling.finish(draft)),
            Some(Err(error)) => Ending::Failed(telling.fail(), error),
            None => Ending::Left(telling.break_off()),
        }
    }

    async fn finish(&self, answer: Answer) -> ApiResult<Event> {
        let message_id = MessageId(Uuid::now_v7());
        let begun = Instant::now();
        persist::store(self, message_id, &answer).await?;
        metrics::answer_step(AnswerStep::Store, begun.elapsed());
        Ok(Event::Done(answer.into_reply(self.session.id, message_id)))
    }

    async fn keep(&self, answer: &Answer) -> ApiResult<()> {
        persist::store(self, MessageId(Uuid::now_v7()), answer).await
    }
}
