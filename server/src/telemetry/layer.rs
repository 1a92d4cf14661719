//! Records spans: their place in a trace, times, and attributes.

use std::{
    fmt,
    time::{Duration, Instant, SystemTime},
};

use parking_lot::Mutex;
use tokio::sync::mpsc;
use tracing::{
    Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};
use tracing_subscriber::{Layer, layer::Context as LayerContext, registry::LookupSpan};

use super::{Item, REQUEST, context::Context};
use crate::metrics;

/// Maximum number of traces that this process begins in a second. A trace that a client began follows the client's flag.
const TRACES_PER_SECOND: u32 = 20;
/// Maximum characters of an attribute.
const MAX_ATTRIBUTE_CHARS: usize = 256;
/// The requests that are recorded; not the files for browsers and the checks of health.
const RECORDED_ROUTES: [&str; 2] = ["/api/", "/v1/"];
/// Fields of the log's span of a request, and the attributes that they become.
const REQUEST_FIELDS: [(&str, &str); 3] =
    [("request_id", "svc.request_id"), ("method", "http.request.method"), ("route", "http.route")];
/// The methods of the conventions; a client may send any text.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/// The field of a span that is recorded when it has ended: the nanoseconds that it took.
pub(super) const DURATION_FIELD: &str = "took_ns";

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Text(String),
    Number(i64),
    Float(f64),
    Flag(bool),
}

/// The kinds of spans, with their numbers in the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Internal = 1,
    Server = 2,
    Client = 3,
}

/// A span.
#[derive(Debug)]
pub(super) struct Recorded {
    context: Context,
    pub(super) parent: Option<u64>,
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) started_at: SystemTime,
    started: Instant,
    pub(super) duration: Duration,
    pub(super) is_error: bool,
    pub(super) attributes: Vec<(&'static str, Value)>,
}

impl Recorded {
    fn new(name: &'static str, parent: Option<Context>, context: Context) -> Self {
        let kind = match name {
            REQUEST => Kind::Server,
            "chat" | "transaction" | "query" => Kind::Client,
            _ => Kind::Internal,
        };
        Self {
            context,
            parent: parent.map(|parent| parent.span),
            name,
            kind,
            started_at: SystemTime::now(),
            started: Instant::now(),
            duration: Duration::ZERO,
            is_error: false,
            attributes: Vec::new(),
        }
    }

    pub(super) fn context(&self) -> Context {
        self.context
    }

    /// Makes this a span of the trace of a request's client.
    pub(super) fn continue_from(&mut self, parent: Context) {
        self.context = parent.child();
        self.parent = Some(parent.span);
    }

    /// Notes the status of an answer.
    pub(super) fn answered(&mut self, status: u16) {
        self.is_error = status >= 500;
        self.attributes.push(("http.response.status_code", Value::Number(status.into())));
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find_map(|(attribute, value)| match value {
            Value::Text(text) if *attribute == name => Some(text.as_str()),
            _ => None,
        })
    }

    fn end(&mut self) {
        if self.duration.is_zero() {
            self.duration = self.started.elapsed();
        } else {
            self.started_at = self.started_at.checked_sub(self.duration).unwrap_or(self.started_at);
        }
    }

    fn note(&mut self, field: &'static str, value: Value) {
        match (field, value) {
            (DURATION_FIELD, Value::Number(took)) => self.duration = Duration::from_nanos(took.unsigned_abs().max(1)),
            (field, value) => {
                self.is_error |= field == "error.type";
                self.attributes.retain(|(attribute, _)| *attribute != field);
                self.attributes.push((field, value));
            }
        }
    }
}

impl Visit for Recorded {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.record_str(field, &format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let is_request = self.name == REQUEST;
        let request_field = REQUEST_FIELDS.iter().find(|(field_name, _)| is_request && *field_name == field.name());
        let value = match request_field {
            Some((_, "http.request.method")) if !METHODS.contains(&value) => "_OTHER",
            _ => value,
        };
        let name = request_field.map_or(field.name(), |(_, attribute)| *attribute);
        self.note(name, Value::Text(value.chars().take(MAX_ATTRIBUTE_CHARS).collect()));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.note(field.name(), Value::Number(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.record_i64(field, i64::try_from(value).unwrap_or(i64::MAX));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.note(field.name(), Value::Float(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.note(field.name(), Value::Flag(value));
    }
}

/// Puts the spans of recorded traces into the exporter's queue when they end.
pub(super) struct SpanLayer {
    items: mpsc::Sender<Item>,
    /// The current second, and the traces that began in it.
    started_traces: Mutex<(Instant, u32)>,
}

impl SpanLayer {
    pub(super) fn new(items: mpsc::Sender<Item>) -> Self {
        Self { items, started_traces: Mutex::new((Instant::now(), 0)) }
    }

    /// Whether a trace that begins now is recorded.
    fn samples(&self) -> bool {
        let mut started = self.started_traces.lock();
        if started.0.elapsed() >= Duration::from_secs(1) {
            *started = (Instant::now(), 0);
        }
        started.1 += 1;
        started.1 <= TRACES_PER_SECOND
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for SpanLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: LayerContext<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let parent = span.scope().skip(1).find_map(|span| span.extensions().get::<Recorded>().map(Recorded::context));
        let name = span.name();
        let recorded = match parent {
            Some(parent) => {
                let mut recorded = Recorded::new(name, Some(parent), parent.child());
                attributes.record(&mut recorded);
                recorded
            }
            None if name == REQUEST => {
                let mut recorded = Recorded::new(name, None, Context::root(false));
                attributes.record(&mut recorded);
                let route = recorded.text("http.route").unwrap_or_default();
                if !RECORDED_ROUTES.iter().any(|prefix| route.starts_with(prefix)) {
                    return;
                }
                recorded.context.is_sampled = self.samples();
                recorded
            }
            // Only requests begin traces.
            None => return,
        };
        span.extensions_mut().insert(recorded);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: LayerContext<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(recorded) = span.extensions_mut().get_mut::<Recorded>() {
            values.record(recorded);
        }
    }

    fn on_close(&self, id: Id, context: LayerContext<'_, S>) {
        let Some(mut recorded) = context.span(&id).and_then(|span| span.extensions_mut().remove::<Recorded>()) else {
            return;
        };
        if !recorded.context.is_sampled {
            return;
        }
        recorded.end();
        if self.items.try_send(Item::Span(Box::new(recorded))).is_err() {
            metrics::spans_dropped(1);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;
    use crate::telemetry::{self, TARGET};

    /// Runs `work` with a layer whose queue has this many places; returns the ended spans.
    fn spans(places: usize, work: impl FnOnce()) -> Vec<Recorded> {
        let (items, mut ended) = mpsc::channel(places);
        let subscriber = tracing_subscriber::registry().with(SpanLayer::new(items));
        tracing::subscriber::with_default(subscriber, work);
        let mut spans = Vec::new();
        while let Ok(Item::Span(span)) = ended.try_recv() {
            spans.push(*span);
        }
        spans
    }

    /// This many ended spans.
    pub(in crate::telemetry) fn spans_of_requests(count: usize) -> Vec<Recorded> {
        spans(count, || (0..count).for_each(|_| drop(request("/v1/models"))))
    }

    fn request(route: &str) -> tracing::Span {
        tracing::info_span!("request", request_id = "r1", method = "BREW", route)
    }

    fn headers(traceparent: &str) -> http::HeaderMap {
        [(http::HeaderName::from_static("traceparent"), traceparent.parse().unwrap())].into_iter().collect()
    }

    #[test]
    fn spans_are_children_of_the_span_that_they_began_in() {
        let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let spans = spans(8, || {
            let request = request("/api/v1/x");
            telemetry::continue_trace(&request, &headers(parent));
            request.in_scope(|| {
                let outer = tracing::info_span!(target: TARGET, "outer", count = tracing::field::Empty);
                outer.record("count", 3_u64);
                outer.in_scope(|| drop(tracing::info_span!(target: TARGET, "inner", took_ns = 5_000_u64)));
            });
            telemetry::answered(&request, 503);
        });
        let [inner, outer, request] = &spans[..] else { panic!("{spans:?}") };
        assert_eq!(request.parent, Some(0xb7ad_6b71_6920_3331));
        assert_eq!((outer.parent, inner.parent), (Some(request.context().span), Some(outer.context().span)));
        assert!(spans.iter().all(|span| span.context().trace == 0x0af7_6519_16cd_43dd_8448_eb21_1c80_319c));
        assert_eq!(outer.attributes, [("count", Value::Number(3))]);
        assert_eq!(inner.duration, Duration::from_micros(5));
        assert_eq!(request.text("http.request.method"), Some("_OTHER"));
        assert!(request.is_error && request.kind == Kind::Server);
    }

    #[test]
    fn a_client_that_does_not_record_its_trace_gets_no_span() {
        let unsampled = headers("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00");
        let spans = spans(8, || {
            let request = request("/api/v1/x");
            telemetry::continue_trace(&request, &unsampled);
            let called = request.in_scope(|| telemetry::traceparent(&tracing::Span::current())).unwrap();
            assert!(called.starts_with("00-0af7651916cd43dd8448eb211c80319c-") && called.ends_with("-00"), "{called}");
        });
        assert_eq!(spans.len(), 0);
    }

    #[test]
    fn only_requests_of_the_api_begin_traces_and_only_so_many() {
        let spans = spans(100, || {
            drop(tracing::info_span!(target: TARGET, "alone"));
            drop(request("/health/live"));
            (0..50).for_each(|_| drop(request("/v1/models")));
        });
        assert_eq!(spans.len(), usize::try_from(TRACES_PER_SECOND).unwrap());
    }

    #[test]
    fn a_full_queue_drops_spans() {
        assert_eq!(spans(2, || (0..5).for_each(|_| drop(request("/v1/models")))).len(), 2);
    }
}
