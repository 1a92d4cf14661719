//! The metrics of this process (crate `metrics`), and their page for Prometheus: requests by status class and duration,
//! connections, matches of the output filter, outcomes of the reranker, the steps of answers and their queue, and
//! memory. Every counter is on the page from the start.

use std::{
    sync::LazyLock,
    time::{Duration, Instant},
};

use metrics::{
    Counter, Gauge, Histogram, Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use rag::{
    filter::{Action, Category},
    generate::verify::Counts,
};

use tokio_util::sync::CancellationToken;

use crate::admission::answer_queue::Load;

/// Upper bounds of the histograms in seconds.
const BOUNDS: [f64; 8] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.0];
/// Interval at which recorded times are added to their histograms, so that they do not accumulate while nobody reads
/// the page.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// The metrics of this process.
struct Metrics {
    page: PrometheusHandle,
    requests: [Counter; 5],
    in_flight: Gauge,
    request_seconds: Histogram,
    connections: Gauge,
    /// In the order of [`Refusal`].
    connections_refused: [Counter; 2],
    /// In the order of [`AnswerStep`].
    answer_steps: [Histogram; STEPS.len()],
    answers_running: Gauge,
    answers_waiting: Gauge,
    /// Answers refused because the queue was full, and because the wait was too long.
    answers_refused: [Counter; 2],
    /// Rerankings that failed, and that succeeded.
    reranked: [Counter; 2],
    /// Sentences that were supported, unsupported, and invented.
    sentences: [Counter; 3],
    generator_failures: Counter,
    /// Without results, with results.
    knowledge_searches: [Counter; 2],
    knowledge_search_seconds: Histogram,
    /// By category, then by effect.
    filtered: [[Counter; EFFECTS.len()]; Category::ALL.len()],
    resident_bytes: Gauge,
    spans_dropped: Counter,
}

const EFFECTS: [&str; 3] = ["block", "mask", "monitor"];
/// In the order of [`AnswerStep`].
const STEPS: [&str; 6] = ["embed", "search", "rank", "generate", "filter", "store"];

static METRICS: LazyLock<Metrics> = LazyLock::new(Metrics::new);

impl Metrics {
    /// Registers every metric with a recorder of this process.
    fn new() -> Self {
        // Only an empty list of bounds is refused.
        let builder = PrometheusBuilder::new().set_buckets(&BOUNDS).unwrap_or_default();
        let recorder = builder.build_recorder();
        let page = recorder.handle();
        metrics::with_local_recorder(&recorder, || Self::register(page))
    }

    fn register(page: PrometheusHandle) -> Self {
        describe();
        Self {
            page,
            requests: ["1xx", "2xx", "3xx", "4xx", "5xx"]
                .map(|class| counter!("svc_http_requests_total", "class" => class)),
            in_flight: gauge!("svc_http_requests_in_flight"),
            request_seconds: histogram!("svc_http_request_seconds"),
            connections: gauge!("svc_http_connections"),
            connections_refused: ["address", "full"]
                .map(|reason| counter!("svc_http_connections_refused_total", "reason" => reason)),
            answer_steps: STEPS.map(|step| histogram!("svc_answer_step_seconds", "step" => step)),
            answers_running: gauge!("svc_answers_running"),
            answers_waiting: gauge!("svc_answers_waiting"),
            answers_refused: ["full", "late"].map(|reason| counter!("svc_answers_refused_total", "reason" => reason)),
            reranked: ["failed", "ordered"].map(|outcome| counter!("svc_rerank_total", "outcome" => outcome)),
            sentences: ["supported", "unsupported", "invented"]
                .map(|outcome| counter!("svc_generator_sentences_total", "outcome" => outcome)),
            generator_failures: counter!("svc_generator_failures_total"),
            knowledge_searches: ["empty", "found"]
                .map(|outcome| counter!("svc_knowledge_searches_total", "outcome" => outcome)),
            knowledge_search_seconds: histogram!("svc_knowledge_search_seconds"),
            filtered: Category::ALL.map(|category| {
                EFFECTS.map(|effect| {
                    let labels = [("category", category.as_str()), ("effect", effect)];
                    counter!("svc_output_filter_triggers_total", &labels)
                })
            }),
            resident_bytes: gauge!("process_resident_memory_bytes"),
            spans_dropped: counter!("svc_otlp_spans_dropped_total"),
        }
    }
}

fn describe() {
    describe_counter!("svc_http_requests_total", "Requests answered, by class of status.");
    describe_gauge!("svc_http_requests_in_flight", "Requests whose answer has not started.");
    describe_histogram!("svc_http_request_seconds", Unit::Seconds, "Time until the answer started.");
    describe_gauge!("svc_http_connections", "Open connections.");
    describe_counter!("svc_http_connections_refused_total", "Connections beyond a bound: of their address, or of all.");
    describe_histogram!("svc_answer_step_seconds", Unit::Seconds, "Time that the steps of answers took.");
    describe_gauge!("svc_answers_running", "Questions in progress.");
    describe_gauge!("svc_answers_waiting", "Questions in the queue.");
    describe_counter!(
        "svc_answers_refused_total",
        "Questions refused: the chatbot's queue was full, or the wait too long."
    );
    describe_counter!("svc_rerank_total", "Questions whose passages went to the reranker.");
    describe_counter!("svc_generator_sentences_total", "Sentences of the language model by what became of them.");
    describe_counter!("svc_generator_failures_total", "Questions that the language model could not be asked.");
    describe_counter!("svc_knowledge_searches_total", "Searches of the knowledge hub, with results or without.");
    describe_histogram!("svc_knowledge_search_seconds", Unit::Seconds, "Time that searches of the knowledge hub took.");
    describe_counter!("svc_output_filter_triggers_total", "Matches of the output filter's rules in answers.");
    describe_counter!("svc_otlp_spans_dropped_total", "Spans of traces that the collector did not get.");
    describe_gauge!("process_resident_memory_bytes", Unit::Bytes, "Memory of this process that is in use.");
}

/// A request that is being answered, until this is dropped.
pub(crate) struct RequestInFlight(Instant);

/// Counts a request that has arrived.
pub(crate) fn request_started() -> RequestInFlight {
    METRICS.in_flight.increment(1.0);
    RequestInFlight(Instant::now())
}

impl RequestInFlight {
    /// Counts the response and the time until it began.
    pub(crate) fn answered(self, status: u16) {
        let class = usize::from(status / 100).clamp(1, 5) - 1;
        METRICS.requests[class].increment(1);
        METRICS.request_seconds.record(self.0.elapsed());
    }
}

impl Drop for RequestInFlight {
    fn drop(&mut self) {
        METRICS.in_flight.decrement(1.0);
    }
}

/// Counts a match that the output filter found in an answer.
pub(crate) fn output_filter_triggered(category: Category, action: Action, monitor_only: bool) {
    let effect = match action {
        _ if monitor_only => 2,
        Action::Block => 0,
        Action::Mask => 1,
    };
    for (labelled, counts) in Category::ALL.iter().zip(&METRICS.filtered) {
        if *labelled == category {
            counts[effect].increment(1);
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum AnswerStep {
    /// Embedding the question.
    Embed,
    /// Passages are searched by vector and by words.
    Search,
    /// Rankings are fused, and ordered by a reranker.
    Rank,
    /// Choosing or generating the text, without the time of the filter.
    Generate,
    /// The words pass the output filter.
    Filter,
    /// Question and answer are stored.
    Store,
}

/// Why a connection was refused, or got one answer only.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Refusal {
    /// Its address has all that it may have.
    Address,
    /// All slots are taken.
    Full,
}

/// Counts a connection that was opened (1) or closed (-1).
pub(crate) fn connections(change: i8) {
    METRICS.connections.increment(f64::from(change));
}

/// Counts a connection that was refused, or got one answer only.
pub(crate) fn connection_refused(why: Refusal) {
    METRICS.connections_refused[why as usize].increment(1);
}

/// Records the time that a step of an answer took.
pub(crate) fn answer_step(step: AnswerStep, took: Duration) {
    METRICS.answer_steps[step as usize].record(took);
}

/// Counts questions whose passages a reranker ordered, and those whose order stayed because it failed.
pub(crate) fn reranked(ordered: bool) {
    METRICS.reranked[usize::from(ordered)].increment(1);
}

/// Counts the sentences of a language model by the result of their verification.
pub(crate) fn verified(counts: Counts) {
    let Counts { supported, unsupported, invented } = counts;
    for (count, counter) in [supported, unsupported, invented].into_iter().zip(&METRICS.sentences) {
        counter.increment(u64::from(count));
    }
}

/// Counts a question for which the language model was unavailable.
pub(crate) fn generator_failed() {
    METRICS.generator_failures.increment(1);
}

/// Counts a search of the knowledge hub.
pub(crate) fn knowledge_searched(found: bool, took: Duration) {
    METRICS.knowledge_searches[usize::from(found)].increment(1);
    METRICS.knowledge_search_seconds.record(took);
}

/// Counts spans that the collector of traces did not get.
pub(crate) fn spans_dropped(count: usize) {
    METRICS.spans_dropped.increment(count.try_into().unwrap_or(u64::MAX));
}

/// The page of metrics; `load` is that of the answer queue.
pub(crate) fn render(load: Load) -> String {
    let Load { running, waiting, full, timed_out } = load;
    METRICS.answers_running.set(as_value(running));
    METRICS.answers_waiting.set(as_value(waiting));
    for (counter, count) in METRICS.answers_refused.iter().zip([full, timed_out]) {
        counter.absolute(count);
    }
    if let Some(bytes) = resident_bytes() {
        METRICS.resident_bytes.set(as_value(bytes));
    }
    METRICS.page.render()
}

/// Adds recorded times to their histograms every few seconds, until `stop` is cancelled.
pub(crate) async fn upkeep_until(stop: CancellationToken) {
    while stop.run_until_cancelled(tokio::time::sleep(UPKEEP_INTERVAL)).await.is_some() {
        METRICS.page.run_upkeep();
    }
}

/// A count as a gauge's value.
#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn as_value(count: usize) -> f64 {
    count as f64
}

/// The resident memory of this process, where the system reports it.
fn resident_bytes() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<usize>().ok()? * 1024)
}
