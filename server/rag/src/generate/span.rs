//! The span of a language model's answer in a trace, with the names of OpenTelemetry's conventions for generative AI.

use tracing::{Span, field::Empty, info_span};

use super::{events::Usage, failure::GenerateError};

/// The span of a language model's answer.
pub(super) fn chat(model: &str, max_tokens: u32) -> Span {
    info_span!(
        target: "telemetry",
        "chat",
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = "openai",
        gen_ai.request.model = model,
        gen_ai.request.max_tokens = max_tokens,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        error.type = Empty,
    )
}

/// Notes the tokens of an answer.
pub(super) fn note_usage(span: &Span, usage: Usage) {
    span.record("gen_ai.usage.input_tokens", usage.prompt);
    span.record("gen_ai.usage.output_tokens", usage.answer);
}

/// Notes why there is no answer, or no more of it.
pub(super) fn note_error(span: &Span, error: &GenerateError) {
    let kind = match error {
        GenerateError::Client(_) | GenerateError::Connect(_) => "unreachable",
        GenerateError::Status(_) => "status",
        GenerateError::Failed => "failed",
        GenerateError::Malformed => "malformed",
        GenerateError::Cut => "cut",
        GenerateError::Busy => "busy",
        GenerateError::Paused => "paused",
        GenerateError::Timeout => "timeout",
    };
    span.record("error.type", kind);
}
