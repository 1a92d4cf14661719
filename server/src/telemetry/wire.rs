//! The JSON encoding of OTLP: ids in hexadecimal digits, 64-bit numbers as texts.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value as Json, json};

use super::layer::{Recorded, Value};

/// A status of the protocol: the work failed.
const ERROR: u8 = 2;

/// The process that spans and metrics come from, with an id of its own.
pub(super) fn resource() -> Json {
    let instance = uuid::Uuid::new_v4().to_string();
    json!({ "attributes": [
        text("service.name", "chatbot-platform"),
        text("service.version", env!("CARGO_PKG_VERSION")),
        text("service.instance.id", &instance),
    ] })
}

/// The instrumentation of all spans and metrics.
pub(super) fn scope() -> Json {
    json!({ "name": "chatbot-platform", "version": env!("CARGO_PKG_VERSION") })
}

/// An attribute with a text.
pub(super) fn text(key: &str, value: &str) -> Json {
    json!({ "key": key, "value": { "stringValue": value } })
}

/// The request with these spans.
pub(super) fn spans(resource: &Json, spans: &[Recorded]) -> Json {
    let spans: Vec<Json> = spans.iter().map(span).collect();
    json!({ "resourceSpans": [{ "resource": resource, "scopeSpans": [{ "scope": scope(), "spans": spans }] }] })
}

fn span(span: &Recorded) -> Json {
    let context = span.context();
    let mut written = json!({
        "traceId": format!("{:032x}", context.trace),
        "spanId": format!("{:016x}", context.span),
        "name": name(span),
        "kind": span.kind as u8,
        "startTimeUnixNano": nanoseconds(span.started_at),
        "endTimeUnixNano": nanoseconds(span.started_at + span.duration),
        "attributes": span.attributes.iter().map(attribute).collect::<Vec<_>>(),
        "status": if span.is_error { json!({ "code": ERROR }) } else { json!({}) },
    });
    if let Some(parent) = span.parent {
        written["parentSpanId"] = format!("{parent:016x}").into();
    }
    written
}

/// The name that the conventions give a span: method and route of a request, operation and model of a call.
fn name(span: &Recorded) -> String {
    if let (Some(method), Some(route)) = (span.text("http.request.method"), span.text("http.route")) {
        return format!("{method} {route}");
    }
    let operation = span.text("gen_ai.operation.name").unwrap_or(span.name);
    match span.text("gen_ai.request.model") {
        Some(model) => format!("{operation} {model}"),
        None => operation.to_owned(),
    }
}

fn attribute((key, value): &(&'static str, Value)) -> Json {
    match value {
        Value::Text(value) => text(key, value),
        Value::Number(value) => json!({ "key": key, "value": { "intValue": value.to_string() } }),
        Value::Float(value) => json!({ "key": key, "value": { "doubleValue": value } }),
        Value::Flag(value) => json!({ "key": key, "value": { "boolValue": value } }),
    }
}

/// Nanoseconds since 1970.
pub(super) fn nanoseconds(time: SystemTime) -> String {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos().to_string()
}
