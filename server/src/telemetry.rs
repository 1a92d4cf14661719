//! Traces and metrics for a collector: OTLP over HTTP with JSON, when `otlp.endpoint` is set (ADR 123).
//!
//! [`layer`] records the spans of requests in a bounded queue, [`start`] sends them, and [`flush`] sends the rest. Only
//! spans with the target [`TARGET`] and that of a request are recorded, without any event of the log. Their fields are ids,
//! numbers and names of the configuration; nobody may give a span a text of a person.

mod context;
mod export;
mod layer;
mod page;
mod wire;

use std::{sync::OnceLock, time::Duration};

use http::HeaderMap;
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot};
use tracing::{Span, Subscriber};
use tracing_subscriber::{Layer, Registry, filter::filter_fn, registry::LookupSpan};

use self::{
    context::Context,
    export::Exporter,
    layer::{Recorded, SpanLayer},
};
use crate::config::OtlpConfig;

/// The target of spans that are only for traces, never for the log.
pub(crate) const TARGET: &str = "telemetry";
/// Records a span that has just ended, for work in several pieces: its name, how long it took, and fields.
macro_rules! ended {
    ($name:literal, $took:expr, $($fields:tt)*) => {
        drop(tracing::info_span!(
            target: $crate::telemetry::TARGET,
            $name,
            took_ns = u64::try_from($took.as_nanos()).unwrap_or(u64::MAX),
            $($fields)*
        ))
    };
}
pub(crate) use ended;

/// The span that every request has.
const REQUEST: &str = "request";
/// Spans that wait to be sent. Further ones are dropped and counted.
const MAX_QUEUED_SPANS: usize = 4096;

/// What the exporter is sent.
enum Item {
    /// A span that has ended.
    Span(Box<Recorded>),
    /// Everything is to be sent now.
    Flush(oneshot::Sender<()>),
}

/// The queue of this process, and its end that the exporter takes.
struct Queue {
    items: mpsc::Sender<Item>,
    end: Mutex<Option<mpsc::Receiver<Item>>>,
}

static QUEUED: OnceLock<Queue> = OnceLock::new();

/// The layer of the log that records spans; `None` when no collector is configured.
pub(crate) fn layer<S>(config: &OtlpConfig) -> Option<impl Layer<S> + use<S>>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    config.endpoint.as_ref()?;
    let (items, end) = mpsc::channel(MAX_QUEUED_SPANS);
    let queue = QUEUED.get_or_init(|| Queue { items, end: Mutex::new(Some(end)) });
    rag::trace::set_context(traceparent);
    let is_recorded = filter_fn(|span| span.is_span() && (span.target() == TARGET || span.name() == REQUEST));
    Some(SpanLayer::new(queue.items.clone()).with_filter(is_recorded))
}

/// Starts to send spans and the page of metrics, when a collector is configured.
///
/// # Errors
/// When the HTTP client cannot be made.
pub(crate) fn start(
    config: &OtlpConfig,
    page: impl Fn() -> String + Send + Sync + 'static,
) -> Result<(), reqwest::Error> {
    let Some(endpoint) = &config.endpoint else { return Ok(()) };
    let Some(items) = QUEUED.get().and_then(|queue| queue.end.lock().take()) else { return Ok(()) };
    let exporter = Exporter::new(endpoint, config.headers(), items, Box::new(page))?;
    // It outlives the tasks that are waited for at the stop, because their spans end with them.
    tokio::spawn(exporter.run());
    Ok(())
}

/// Sends what is queued, and the metrics, within `limit`.
pub(crate) async fn flush(limit: Duration) {
    let Some(queue) = QUEUED.get() else { return };
    let (done, sent) = oneshot::channel();
    let flushed = async {
        if queue.items.send(Item::Flush(done)).await.is_ok() {
            let _ = sent.await;
        }
    };
    if tokio::time::timeout(limit, flushed).await.is_err() {
        tracing::warn!("otlp.not_flushed: the collector did not answer by the end of the stop");
    }
}

/// Continues the trace of a request's client.
pub(crate) fn continue_trace(span: &Span, headers: &HeaderMap) {
    let mut values = headers.get_all(context::HEADER).iter();
    // Of two headers none is the right one.
    let (Some(value), None) = (values.next(), values.next()) else { return };
    let Some(parent) = value.to_str().ok().and_then(Context::parse) else { return };
    edit(span, |recorded| recorded.continue_from(parent));
}

/// Notes the status of a request's answer.
pub(crate) fn answered(span: &Span, status: u16) {
    edit(span, |recorded| recorded.answered(status));
}

fn edit(span: &Span, change: impl FnOnce(&mut Recorded)) {
    span.with_subscriber(|(id, dispatch)| {
        let span = dispatch.downcast_ref::<Registry>()?.span(id)?;
        span.extensions_mut().get_mut::<Recorded>().map(change)
    });
}

/// The header `traceparent` for a call within a span.
fn traceparent(span: &Span) -> Option<String> {
    let header = span.with_subscriber(|(id, dispatch)| {
        let span = dispatch.downcast_ref::<Registry>()?.span(id)?;
        span.scope().find_map(|span| span.extensions().get::<Recorded>().map(|recorded| recorded.context().header()))
    });
    header.flatten()
}
