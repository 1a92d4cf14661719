//! The events of an answer, sent from the task that generates it to the response.

use contract::{
    ErrorCode, SessionId,
    conversations::TokenUsage,
    widget::{SessionToken, WidgetReply, WidgetSource},
};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use crate::error::{ApiError, ApiResult};

/// An event of an answer. The order is session, sources, places in the queue, tokens, then one end.
#[derive(Debug)]
pub enum Event {
    /// The session with its token, if the exchange takes place with it; before anything was searched.
    Session(SessionId, Option<SessionToken>),
    /// The passages that the answer is based on; empty for a fallback message and small talk.
    Sources(Vec<WidgetSource>),
    /// The place in the queue for the language model, after two seconds and whenever it changes.
    Waiting(usize),
    /// The next words, after the output filter.
    Token(String),
    /// The end: the whole answer, stored, and the tokens of a language model, which visitors are not told.
    Done(WidgetReply, Option<TokenUsage>),
    /// The end: there is no answer.
    Failed(ApiError),
}

/// The events of one exchange. Dropping them stops the exchange: the visitor has disconnected.
#[derive(Debug)]
pub struct Events {
    receiver: UnboundedReceiver<Event>,
    has_ended: bool,
}

/// The sending end. Unread events are bounded by the length of one answer.
#[derive(Debug, Clone)]
pub(super) struct EventSender(UnboundedSender<Event>);

pub(super) fn channel() -> (EventSender, Events) {
    let (sender, receiver) = mpsc::unbounded_channel();
    (EventSender(sender), Events { receiver, has_ended: false })
}

impl EventSender {
    /// Sends an event if the visitor is still connected.
    pub(super) fn send(&self, event: Event) {
        // The task notices a disconnect through `closed`.
        let _ = self.0.send(event);
    }

    /// Ready when the visitor has disconnected.
    pub(super) async fn closed(&self) {
        self.0.closed().await;
    }
}

impl Events {
    /// The next event; `None` after the end. An exchange that fails ends with `internal_error`.
    pub async fn next(&mut self) -> Option<Event> {
        if self.has_ended {
            return None;
        }
        let event = self.receiver.recv().await.unwrap_or_else(|| Event::Failed(ErrorCode::InternalError.into()));
        self.has_ended = matches!(event, Event::Done(..) | Event::Failed(_));
        Some(event)
    }

    /// The reply at the end.
    ///
    /// # Errors
    /// The one that the exchange ended with.
    pub async fn reply(self) -> ApiResult<WidgetReply> {
        Ok(self.reply_and_usage().await?.0)
    }

    /// The reply at the end, and the tokens of a language model if one was asked.
    ///
    /// # Errors
    /// The one that the exchange ended with.
    pub async fn reply_and_usage(mut self) -> ApiResult<(WidgetReply, Option<TokenUsage>)> {
        while let Some(event) = self.next().await {
            match event {
                Event::Done(reply, usage) => return Ok((reply, usage)),
                Event::Failed(error) => return Err(error),
                Event::Session(..) | Event::Sources(_) | Event::Waiting(_) | Event::Token(_) => {}
            }
        }
        Err(ErrorCode::InternalError.into())
    }
}
