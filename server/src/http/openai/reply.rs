//! Chat completions and their chunks.

use contract::{conversations::TokenUsage, widget::WidgetReply};
use serde_json::{Value, json};

use super::citations::CitedText;

/// What every part of a response repeats.
#[derive(Debug, Clone)]
pub(super) struct Head {
    pub(super) id: String,
    /// In seconds since 1970.
    pub(super) created: i64,
    /// The model as the request named it.
    pub(super) model: String,
}

impl Head {
    /// An object of this kind with its choices.
    fn object(&self, kind: &str, choices: Value) -> Value {
        let Self { id, created, model } = self;
        json!({ "id": id, "object": kind, "created": created, "model": model, "choices": choices })
    }

    /// A chunk with the next part of the message.
    pub(super) fn chunk(&self, delta: Value, finish_reason: Option<&str>) -> Value {
        let choice = json!({ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish_reason });
        self.object("chat.completion.chunk", json!([choice]))
    }

    /// The chunk after the message, with the usage.
    pub(super) fn usage_chunk(&self, tokens: Option<TokenUsage>) -> Value {
        let mut chunk = self.object("chat.completion.chunk", json!([]));
        chunk["usage"] = usage(tokens);
        chunk
    }
}

/// A whole answer.
pub(super) fn completion(head: &Head, reply: &WidgetReply, tokens: Option<TokenUsage>, cited: &CitedText) -> Value {
    let message = json!({ "role": "assistant", "content": cited.text, "refusal": null,
                          "annotations": cited.annotations });
    let choice = json!({ "index": 0, "message": message, "logprobs": null, "finish_reason": finish_reason(reply) });
    let mut completion = head.object("chat.completion", json!([choice]));
    completion["usage"] = usage(tokens);
    completion["chatbot"] = chatbot(reply);
    completion
}

/// Why the answer ended.
pub(super) fn finish_reason(reply: &WidgetReply) -> &'static str {
    match (reply.filtered, reply.truncated) {
        (true, _) => "content_filter",
        (false, true) => "length",
        (false, false) => "stop",
    }
}

/// What the protocol has no place for.
pub(super) fn chatbot(reply: &WidgetReply) -> Value {
    json!({
        "session_id": reply.session_id,
        "session_token": reply.session_token,
        "message_id": reply.message_id,
        "kind": reply.kind,
        "confidence": reply.confidence,
        "sources": reply.sources,
    })
}

/// The tokens of the language model; none when the answer is quoted.
fn usage(tokens: Option<TokenUsage>) -> Value {
    let tokens = tokens.unwrap_or(TokenUsage { prompt_tokens: 0, cached_tokens: 0, answer_tokens: 0 });
    json!({
        "prompt_tokens": tokens.prompt_tokens,
        "completion_tokens": tokens.answer_tokens,
        "total_tokens": i64::from(tokens.prompt_tokens) + i64::from(tokens.answer_tokens),
        "prompt_tokens_details": { "cached_tokens": tokens.cached_tokens },
    })
}
