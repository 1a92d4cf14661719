//! Server-sent events, for answers and the progress of reading. Each event is sent immediately, and a comment after a
//! period of silence.

use std::{convert::Infallible, time::Duration};

use axum::{
    Json,
    response::{
        IntoResponse, Response,
        sse::{self, KeepAlive, Sse},
    },
};
use contract::{
    documents::SourceProgress,
    widget::{StreamError, StreamSession, StreamSources, StreamToken, StreamWaiting, WidgetReply},
};
use futures::{Stream, StreamExt as _, stream};
use http::{Extensions, HeaderMap, HeaderName, HeaderValue, header, request::Parts};
use serde::Serialize;

use crate::{
    error::{ApiError, ApiResult},
    http::middleware::request_id::RequestId,
    service::{
        answers::{Event, Events},
        knowledge::source_progress::{self, Watch},
    },
};

/// Whether a request accepts `text/event-stream` explicitly, and no other type with a higher weight. `*/*` does not
/// count.
pub(super) fn is_wanted(headers: &HeaderMap) -> bool {
    let quality = |media_type: &str| {
        let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
        let ranges = values.flat_map(|value| value.split(','));
        ranges.filter_map(|range| weight(range, media_type)).fold(0.0, f32::max)
    };
    let stream = quality("text/event-stream");
    stream > 0.0 && stream >= quality("application/json")
}

/// The weight of a media range if it is `wanted`.
fn weight(range: &str, media_type: &str) -> Option<f32> {
    let mut parts = range.split(';').map(str::trim);
    if !parts.next()?.eq_ignore_ascii_case(media_type) {
        return None;
    }
    let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    Some(weight.map_or(1.0, |text| text.parse().unwrap_or(0.0)))
}

/// An answer in one of two forms: a stream for a client that accepts one, otherwise the final reply.
///
/// # Errors
/// The one that the exchange ended with, if it is not streamed.
pub(super) async fn negotiated(events: Events, parts: &Parts, silence: Duration) -> ApiResult<Response> {
    if is_wanted(&parts.headers) {
        return Ok(response(events, &parts.extensions, silence));
    }
    Ok(Json(events.reply().await?).into_response())
}

/// A response that streams the events of an answer, and a comment after each `silence`.
fn response(events: Events, request: &Extensions, silence: Duration) -> Response {
    let sent = stream::unfold((events, request_id(request)), |(mut events, request_id)| async move {
        let event = to_sse(events.next().await?, &request_id);
        Some((event, (events, request_id)))
    });
    streamed(sent, silence)
}

/// Streams the events of a progress.
pub(super) fn progress(watch: Watch, request: &Extensions, silence: Duration) -> Response {
    let sent = stream::unfold((watch, request_id(request)), |(mut watch, request_id)| async move {
        let event = match watch.next().await? {
            source_progress::Event::Progress(progress) if progress.is_working() => {
                json_event(SourceProgress::EVENT, &progress)
            }
            source_progress::Event::Progress(progress) => json_event(SourceProgress::IDLE, &progress),
            source_progress::Event::Failed(error) => failed(error, &request_id),
        };
        Some((event, (watch, request_id)))
    });
    streamed(sent, silence)
}

fn request_id(request: &Extensions) -> String {
    request.get::<RequestId>().map(|id| id.0.clone()).unwrap_or_default()
}

/// The response with these events. No proxy may keep or collect them.
pub(super) fn streamed(events: impl Stream<Item = sse::Event> + Send + 'static, silence: Duration) -> Response {
    let events = events.map(Ok::<_, Infallible>);
    let mut response = Sse::new(events).keep_alive(KeepAlive::new().interval(silence)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

fn to_sse(event: Event, request_id: &str) -> sse::Event {
    match event {
        Event::Session(session_id, session_token) => {
            json_event(StreamSession::EVENT, &StreamSession { session_id, session_token })
        }
        Event::Sources(sources) => json_event(StreamSources::EVENT, &StreamSources { sources }),
        Event::Waiting(position) => json_event(StreamWaiting::EVENT, &StreamWaiting { position }),
        Event::Token(text) => json_event(StreamToken::EVENT, &StreamToken { text }),
        Event::Done(reply, _) => json_event(WidgetReply::EVENT, &reply),
        Event::Failed(error) => failed(error, request_id),
    }
}

fn failed(error: ApiError, request_id: &str) -> sse::Event {
    json_event(StreamError::EVENT, &StreamError { error: error.into_body(), request_id: request_id.to_owned() })
}

fn json_event<T: Serialize>(name: &str, data: &T) -> sse::Event {
    // JSON has no line breaks, which would end an event's data.
    let json = serde_json::to_string(data).expect("wire types without maps are written to memory");
    sse::Event::default().event(name).data(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wants(accept: &[&'static str]) -> bool {
        let mut headers = HeaderMap::new();
        for value in accept {
            headers.append(header::ACCEPT, HeaderValue::from_static(value));
        }
        is_wanted(&headers)
    }

    #[test]
    fn a_stream_is_for_whoever_names_it_and_prefers_nothing_else() {
        for accept in ["text/event-stream", "Text/Event-Stream;q=0.5, */*", "application/json, text/event-stream"] {
            assert!(wants(&[accept]), "{accept}");
        }
        assert!(wants(&["text/html", "text/event-stream"]));
        for accept in ["*/*", "text/*", "text/event-stream;q=0", "application/json, text/event-stream; q=0.9", ""] {
            assert!(!wants(&[accept]), "{accept}");
        }
        assert!(!wants(&[]));
    }
}
