//! Sends spans and metrics in the background. A collector that fails costs no request anything: its spans are dropped
//! and counted.

use std::time::{Duration, SystemTime};

use http::HeaderMap;
use reqwest::StatusCode;
use serde_json::Value as Json;
use tokio::sync::mpsc;
use url::Url;

use super::{Item, layer::Recorded, page, wire};
use crate::{metrics, shutdown::ticks};

/// Spans of one request.
const MAX_BATCH_SPANS: usize = 512;
/// How long a span waits for others.
const SPANS_INTERVAL: Duration = Duration::from_secs(5);
/// How often the metrics are sent.
const METRICS_INTERVAL: Duration = Duration::from_secs(30);
/// Timeout of a request.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Pauses before spans are sent again that the collector could not take.
const RETRY_DELAYS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(4)];

/// Sends what the layer records.
pub(super) struct Exporter {
    client: reqwest::Client,
    traces: String,
    metrics: String,
    resource: Json,
    started: SystemTime,
    items: mpsc::Receiver<Item>,
    page: Box<dyn Fn() -> String + Send + Sync>,
    is_failing: bool,
}

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("the collector cannot be reached: {0}")]
    Unreachable(reqwest::Error),
    #[error("the collector answered with status {0}")]
    Status(StatusCode),
}

impl Failure {
    /// Whether the same request may succeed later (OTLP, "Failures").
    fn is_temporary(&self) -> bool {
        match self {
            Self::Unreachable(_) => true,
            Self::Status(status) => matches!(status.as_u16(), 429 | 502 | 503 | 504),
        }
    }
}

impl Exporter {
    pub(super) fn new(
        endpoint: &Url,
        headers: HeaderMap,
        items: mpsc::Receiver<Item>,
        page: Box<dyn Fn() -> String + Send + Sync>,
    ) -> Result<Self, reqwest::Error> {
        let client = tls::http_client()
            .timeout(TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .default_headers(headers)
            .build()?;
        let endpoint = endpoint.as_str().trim_end_matches('/');
        Ok(Self {
            client,
            traces: format!("{endpoint}/v1/traces"),
            metrics: format!("{endpoint}/v1/metrics"),
            resource: wire::resource(),
            started: SystemTime::now(),
            items,
            page,
            is_failing: false,
        })
    }

    /// Sends until the process ends.
    pub(super) async fn run(mut self) {
        let mut spans: Vec<Recorded> = Vec::new();
        let (mut spans_due, mut metrics_due) = (ticks(SPANS_INTERVAL), ticks(METRICS_INTERVAL));
        loop {
            tokio::select! {
                item = self.items.recv() => match item {
                    Some(Item::Span(span)) => {
                        spans.push(*span);
                        if spans.len() >= MAX_BATCH_SPANS {
                            self.send_spans(&mut spans, &RETRY_DELAYS).await;
                        }
                    }
                    Some(Item::Flush(done)) => {
                        self.send_spans(&mut spans, &[]).await;
                        self.send_metrics().await;
                        let _ = done.send(());
                    }
                    None => return,
                },
                _ = spans_due.tick() => self.send_spans(&mut spans, &RETRY_DELAYS).await,
                _ = metrics_due.tick() => self.send_metrics().await,
            }
        }
    }

    /// Sends the spans, again after each pause while the collector cannot take them, and leaves none.
    async fn send_spans(&mut self, spans: &mut Vec<Recorded>, pauses: &[Duration]) {
        if spans.is_empty() {
            return;
        }
        let body = wire::spans(&self.resource, spans);
        let mut sent = self.post(&self.traces, &body).await;
        for pause in pauses {
            if !sent.as_ref().is_err_and(Failure::is_temporary) {
                break;
            }
            tokio::time::sleep(*pause).await;
            sent = self.post(&self.traces, &body).await;
        }
        if sent.is_err() {
            metrics::spans_dropped(spans.len());
        }
        spans.clear();
        self.note(sent);
    }

    /// Sends the metrics; after a failure, the next ones have all counts.
    async fn send_metrics(&mut self) {
        let body = page::metrics(&self.resource, &(self.page)(), self.started);
        let sent = self.post(&self.metrics, &body).await;
        self.note(sent);
    }

    async fn post(&self, url: &str, body: &Json) -> Result<(), Failure> {
        let sent = self.client.post(url).json(body).send().await;
        let mut response = sent.map_err(|error| Failure::Unreachable(error.without_url()))?;
        // A short answer is read, so that the connection can be used again.
        let _ = response.chunk().await;
        if response.status().is_success() { Ok(()) } else { Err(Failure::Status(response.status())) }
    }

    /// Logs the first failure and the first success after it.
    fn note(&mut self, sent: Result<(), Failure>) {
        match &sent {
            Err(error) if !self.is_failing => {
                tracing::warn!(%error, "otlp.failed: spans are dropped until it works again");
            }
            Ok(()) if self.is_failing => tracing::info!("otlp.recovered"),
            _ => {}
        }
        self.is_failing = sent.is_err();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::telemetry::layer::tests::spans_of_requests;

    fn dropped() -> u64 {
        let page = metrics::render(crate::admission::answer_queue::Load::default());
        let line = page.lines().find_map(|line| line.strip_prefix("svc_otlp_spans_dropped_total "));
        line.unwrap().parse().unwrap()
    }

    #[tokio::test]
    async fn spans_that_no_collector_takes_are_counted() {
        let (_items, end) = mpsc::channel(1);
        let endpoint = Url::parse("http://127.0.0.1:9").unwrap();
        let mut exporter = Exporter::new(&endpoint, HeaderMap::new(), end, Box::new(String::new)).unwrap();
        let (mut spans, before) = (spans_of_requests(3), dropped());
        exporter.send_spans(&mut spans, &[Duration::ZERO]).await;
        assert!(spans.is_empty() && exporter.is_failing);
        assert!(dropped() >= before + 3, "{before}");
    }

    #[tokio::test]
    async fn a_batch_is_sent_again_while_the_collector_is_overloaded() {
        use axum::{Router, http::StatusCode, routing::post};
        let answers = Arc::new(parking_lot::Mutex::new(vec![200, 503, 429]));
        let remaining_answers = Arc::clone(&answers);
        let answer = async move || StatusCode::from_u16(remaining_answers.lock().pop().unwrap_or(400)).unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        tokio::spawn(async move { axum::serve(listener, Router::new().route("/v1/traces", post(answer))).await });
        let (_items, end) = mpsc::channel(1);
        let mut exporter = Exporter::new(&endpoint, HeaderMap::new(), end, Box::new(String::new)).unwrap();
        exporter.send_spans(&mut spans_of_requests(1), &[Duration::ZERO; 2]).await;
        assert!(answers.lock().is_empty() && !exporter.is_failing);
        // What the collector refuses for good is not sent again.
        exporter.send_spans(&mut spans_of_requests(1), &[Duration::MAX]).await;
        assert!(exporter.is_failing);
    }
}
