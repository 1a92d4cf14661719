//! The events of an answer as chunks of OpenAI's protocol.

use std::time::Duration;

use axum::response::{Response, sse};
use contract::{conversations::TokenUsage, widget::WidgetReply};
use futures::{StreamExt as _, stream};
use serde_json::{Value, json};

use super::{
    citations::{Addresses, Citations, CitedText, without_markers},
    refusal::Refusal,
    reply::{self, Head},
};
use crate::{
    http::event_stream,
    service::answers::{Event, Events},
};

/// The data of the last event.
const DONE: &str = "[DONE]";

/// Makes the chunks of one answer.
pub(super) struct Chunks {
    head: Head,
    citations: Citations,
    addresses: Addresses,
    includes_usage: bool,
    /// Sources whose markers are left out.
    listed: usize,
    sent: String,
    /// What may be the beginning of a marker.
    buffer: String,
}

/// A response that streams the answer, and a comment after each `silence`.
pub(super) fn response(events: Events, chunks: Chunks, silence: Duration) -> Response {
    let sent = stream::unfold((events, chunks), |(mut events, mut chunks)| async move {
        let data = chunks.of(events.next().await?);
        Some((stream::iter(data), (events, chunks)))
    });
    event_stream::streamed(sent.flatten().map(|data| sse::Event::default().data(data)), silence)
}

impl Chunks {
    pub(super) fn new(head: Head, citations: Citations, addresses: Addresses, includes_usage: bool) -> Self {
        let (sent, buffer) = (String::new(), String::new());
        Self { head, citations, addresses, includes_usage, listed: 0, sent, buffer }
    }

    /// The chunks of an event.
    fn of(&mut self, event: Event) -> Vec<String> {
        match event {
            Event::Session(..) => vec![self.delta(json!({ "role": "assistant", "content": "" }))],
            Event::Sources(sources) => {
                self.listed = if self.citations == Citations::Annotations { sources.len() } else { 0 };
                Vec::new()
            }
            Event::Waiting(_) => Vec::new(),
            Event::Token(words) => self.words(&words).into_iter().collect(),
            Event::Done(reply, usage) => self.end(&reply, usage),
            Event::Failed(error) => vec![Refusal::from(error).body().to_string()],
        }
    }

    fn words(&mut self, words: &str) -> Option<String> {
        self.buffer.push_str(words);
        let (text, rest) = without_markers(&self.buffer, self.listed, false, |_, _| {});
        self.buffer = rest.to_owned();
        self.sent.push_str(&text);
        (!text.is_empty()).then(|| self.delta(json!({ "content": text })))
    }

    /// The rest of the text, its annotations and the end. Words that the output filter changed after they were sent follow as a
    /// whole, because the protocol takes nothing back.
    fn end(&self, reply: &WidgetReply, usage: Option<TokenUsage>) -> Vec<String> {
        let CitedText { text, annotations } = self.citations.of_streamed(reply, &self.addresses, self.listed);
        let (rest, annotations) = match text.strip_prefix(&self.sent) {
            Some(rest) => (rest.to_owned(), annotations),
            None => (format!("\n\n{text}"), Vec::new()),
        };
        let mut chunks = Vec::new();
        if !rest.is_empty() {
            chunks.push(self.delta(json!({ "content": rest })));
        }
        if !annotations.is_empty() {
            chunks.push(self.delta(json!({ "annotations": annotations })));
        }
        let mut last = self.head.chunk(json!({}), Some(reply::finish_reason(reply)));
        last["chatbot"] = reply::chatbot(reply);
        chunks.push(self.with_usage(last));
        if self.includes_usage {
            chunks.push(self.head.usage_chunk(usage).to_string());
        }
        chunks.push(DONE.to_owned());
        chunks
    }

    fn delta(&self, delta: Value) -> String {
        self.with_usage(self.head.chunk(delta, None))
    }

    /// A client that asks for the usage gets the field in every chunk.
    fn with_usage(&self, mut chunk: Value) -> String {
        if self.includes_usage {
            chunk["usage"] = Value::Null;
        }
        chunk.to_string()
    }
}
