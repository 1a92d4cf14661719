//! One question and what becomes of it: an answer is made while the visitor hears it, then both messages are stored. The
//! same whether he gets a stream or one reply.

use std::time::Instant;

use contract::{ErrorCode, MessageId, SessionId, widget::WidgetMessage};
use store::widget::lookup::WidgetChatbot;
use uuid::Uuid;

use super::{
    compose,
    events::{Event, Visitor},
    filtered::Answer,
    storing,
    telling::Telling,
};
use crate::{
    app_state::App,
    http::{
        error::{ApiError, ApiResult},
        metrics::{self, AnswerStep},
    },
    service::fair_queue::Turn,
};

/// The session of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Session {
    /// Its id.
    pub(super) id: SessionId,
    /// Whether the exchange begins it.
    pub(super) is_new: bool,
}

/// A question of a visitor.
#[derive(Debug)]
pub(super) struct Exchange {
    /// The platform.
    pub(super) app: App,
    /// Who is asked.
    pub(super) chatbot: WidgetChatbot,
    /// Where it is asked.
    pub(super) session: Session,
    /// What was said in it before, oldest first.
    pub(super) messages: Vec<WidgetMessage>,
    /// What is asked.
    pub(super) question: String,
}

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
        storing::store(self, message_id, &answer).await?;
        metrics::answer_step(AnswerStep::Store, begun.elapsed());
        Ok(Event::Done(answer.into_reply(self.session.id, message_id)))
    }

    async fn keep(&self, answer: &Answer) -> ApiResult<()> {
        storing::store(self, MessageId(Uuid::now_v7()), answer).await
    }
}
