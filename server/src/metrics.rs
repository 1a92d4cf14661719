//! What this process counts, and its page in Prometheus' text format: requests by class of status and their time, connections,
//! matches of the output filter, outcomes of the reranker, the steps of answers and their queue, and memory.

use std::{
    fmt::Write as _,
    sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

use rag::{
    filter::{Action, Category},
    generate::verify::Counts,
};

use crate::admission::answer_queue::Load;

/// Upper bounds of the duration histogram in milliseconds.
const BOUNDS_MS: [u64; 8] = [1, 5, 10, 25, 50, 100, 500, 2000];

static REQUESTS: [AtomicU64; 5] = [const { AtomicU64::new(0) }; 5];
static BUCKETS: [AtomicU64; 8] = [const { AtomicU64::new(0) }; 8];
static TOTAL_US: AtomicU64 = AtomicU64::new(0);
static IN_FLIGHT: AtomicU64 = AtomicU64::new(0);
/// How many and how long, in the order of [`AnswerStep`].
static ANSWER_STEPS: [(AtomicU64, AtomicU64); STEPS.len()] =
    [const { (AtomicU64::new(0), AtomicU64::new(0)) }; STEPS.len()];
/// Failed, ordered.
static RERANKED: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];
/// Sentences of the language model: supported, unsupported, invented.
static SENTENCES: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];
static GENERATOR_FAILURES: AtomicU64 = AtomicU64::new(0);
/// By category, then by effect.
static FILTERED: [[AtomicU64; EFFECTS.len()]; Category::ALL.len()] =
    [const { [const { AtomicU64::new(0) }; EFFECTS.len()] }; Category::ALL.len()];
const EFFECTS: [&str; 3] = ["block", "mask", "monitor"];

/// A request that is being answered, until this is dropped.
pub(crate) struct RequestInFlight(Instant);

/// Counts a request that has arrived.
pub(crate) fn request_started() -> RequestInFlight {
    IN_FLIGHT.fetch_add(1, Relaxed);
    RequestInFlight(Instant::now())
}

impl RequestInFlight {
    /// Counts the response and the time until it began.
    pub(crate) fn answered(self, status: u16) {
        let elapsed = self.0.elapsed();
        let class = usize::from(status / 100).clamp(1, 5) - 1;
        REQUESTS[class].fetch_add(1, Relaxed);
        TOTAL_US.fetch_add(u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX), Relaxed);
        let millis = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        if let Some(bucket) = BOUNDS_MS.iter().position(|bound| millis < *bound) {
            BUCKETS[bucket].fetch_add(1, Relaxed);
        }
    }
}

impl Drop for RequestInFlight {
    fn drop(&mut self) {
        IN_FLIGHT.fetch_sub(1, Relaxed);
    }
}

/// Counts a match that the output filter found in an answer.
pub(crate) fn output_filter_triggered(category: Category, action: Action, monitor_only: bool) {
    let effect = match action {
        _ if monitor_only => 2,
        Action::Block => 0,
        Action::Mask => 1,
    };
    for (known, counts) in Category::ALL.iter().zip(&FILTERED) {
        if *known == category {
            counts[effect].fetch_add(1, Relaxed);
        }
    }
}

/// A step of an answer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AnswerStep {
    /// The question becomes vectors.
    Embed,
    /// Passages are searched by vector and by words.
    Search,
    /// Rankings are fused, and ordered by a reranker.
    Rank,
    /// Words are chosen or made, without the time of the filter.
    Generate,
    /// The words pass the output filter.
    Filter,
    /// Question and answer are stored.
    Store,
}

/// Open connections.
static CONNECTIONS: AtomicI64 = AtomicI64::new(0);
/// In the order of [`Refusal`].
static CONNECTIONS_REFUSED: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

/// Why a connection was refused, or got one answer only.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Refusal {
    /// Its address has all that it may have.
    Address,
    /// All places are taken.
    Full,
}

/// Counts a connection that was opened (1) or closed (-1).
pub(crate) fn connections(change: i64) {
    CONNECTIONS.fetch_add(change, Relaxed);
}

/// Counts a connection that was refused, or got one answer only.
pub(crate) fn connection_refused(why: Refusal) {
    CONNECTIONS_REFUSED[why as usize].fetch_add(1, Relaxed);
}

fn show_connections(text: &mut String) {
    text.push_str("# HELP svc_http_connections Open connections.\n# TYPE svc_http_connections gauge\n");
    let _ = writeln!(text, "svc_http_connections {}", CONNECTIONS.load(Relaxed));
    text.push_str(
        "# HELP svc_http_connections_refused_total Connections beyond a bound: of their address, or of all.\n",
    );
    text.push_str("# TYPE svc_http_connections_refused_total counter\n");
    for (reason, count) in ["address", "full"].iter().zip(&CONNECTIONS_REFUSED) {
        let _ = writeln!(text, "svc_http_connections_refused_total{{reason=\"{reason}\"}} {}", count.load(Relaxed));
    }
}

/// In the order of [`AnswerStep`].
const STEPS: [&str; 6] = ["embed", "search", "rank", "generate", "filter", "store"];

/// Adds the time that a step of an answer took.
pub(crate) fn answer_step(step: AnswerStep, took: Duration) {
    let (count, nanos) = &ANSWER_STEPS[step as usize];
    count.fetch_add(1, Relaxed);
    nanos.fetch_add(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX), Relaxed);
}

fn show_answer_steps(text: &mut String) {
    text.push_str("# HELP svc_answer_step_seconds Time that the steps of answers took.\n");
    text.push_str("# TYPE svc_answer_step_seconds summary\n");
    for (step, (count, nanos)) in STEPS.iter().zip(&ANSWER_STEPS) {
        let seconds = Duration::from_nanos(nanos.load(Relaxed)).as_secs_f64();
        let _ = writeln!(text, "svc_answer_step_seconds_sum{{step=\"{step}\"}} {seconds}");
        let _ = writeln!(text, "svc_answer_step_seconds_count{{step=\"{step}\"}} {}", count.load(Relaxed));
    }
}

/// Counts questions whose passages a reranker ordered, and those whose order stayed because it failed.
pub(crate) fn reranked(ordered: bool) {
    RERANKED[usize::from(ordered)].fetch_add(1, Relaxed);
}

/// Counts the sentences of a language model by what became of them.
pub(crate) fn verified(counts: Counts) {
    let Counts { supported, unsupported, invented } = counts;
    for (count, counter) in [supported, unsupported, invented].into_iter().zip(&SENTENCES) {
        counter.fetch_add(u64::from(count), Relaxed);
    }
}

/// Counts a question that the language model could not be asked.
pub(crate) fn generator_failed() {
    GENERATOR_FAILURES.fetch_add(1, Relaxed);
}

fn show_generated(text: &mut String) {
    text.push_str("# HELP svc_generator_sentences_total Sentences of the language model by what became of them.\n");
    text.push_str("# TYPE svc_generator_sentences_total counter\n");
    for (outcome, count) in ["supported", "unsupported", "invented"].iter().zip(&SENTENCES) {
        let _ = writeln!(text, "svc_generator_sentences_total{{outcome=\"{outcome}\"}} {}", count.load(Relaxed));
    }
    text.push_str("# HELP svc_generator_failures_total Questions that the language model could not be asked.\n");
    text.push_str("# TYPE svc_generator_failures_total counter\n");
    let _ = writeln!(text, "svc_generator_failures_total {}", GENERATOR_FAILURES.load(Relaxed));
}

fn show_reranked(text: &mut String) {
    text.push_str("# HELP svc_rerank_total Questions whose passages went to the reranker.\n");
    text.push_str("# TYPE svc_rerank_total counter\n");
    for (outcome, count) in ["failed", "ordered"].iter().zip(&RERANKED) {
        let _ = writeln!(text, "svc_rerank_total{{outcome=\"{outcome}\"}} {}", count.load(Relaxed));
    }
}

fn show_answer_queue(text: &mut String, load: Load) {
    for (name, help, value) in [
        ("svc_answers_running", "Questions that are worked on.", load.running),
        ("svc_answers_waiting", "Questions that wait.", load.waiting),
    ] {
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}");
    }
    text.push_str(
        "# HELP svc_answers_refused_total Questions refused: the chatbot's queue was full, or the wait too long.\n",
    );
    text.push_str("# TYPE svc_answers_refused_total counter\n");
    for (reason, count) in [("full", load.full), ("late", load.timed_out)] {
        let _ = writeln!(text, "svc_answers_refused_total{{reason=\"{reason}\"}} {count}");
    }
}

fn show_output_filter(text: &mut String) {
    text.push_str("# HELP svc_output_filter_triggers_total Matches of the output filter's rules in answers.\n");
    text.push_str("# TYPE svc_output_filter_triggers_total counter\n");
    for (category, counts) in Category::ALL.iter().zip(&FILTERED) {
        for (effect, count) in EFFECTS.iter().zip(counts) {
            let (category, count) = (category.as_str(), count.load(Relaxed));
            let _ = writeln!(
                text,
                "svc_output_filter_triggers_total{{category=\"{category}\",effect=\"{effect}\"}} {count}"
            );
        }
    }
}

/// The page of metrics; `load` is that of the answer queue.
pub(crate) fn render(load: Load) -> String {
    let mut text = String::from("# HELP svc_http_requests_total Requests answered, by class of status.\n");
    text.push_str("# TYPE svc_http_requests_total counter\n");
    for (class, count) in REQUESTS.iter().enumerate() {
        let _ = writeln!(text, "svc_http_requests_total{{class=\"{}xx\"}} {}", class + 1, count.load(Relaxed));
    }
    text.push_str("# HELP svc_http_requests_in_flight Requests being answered.\n");
    text.push_str("# TYPE svc_http_requests_in_flight gauge\n");
    let _ = writeln!(text, "svc_http_requests_in_flight {}", IN_FLIGHT.load(Relaxed));
    text.push_str("# HELP svc_http_request_seconds Time until the answer began.\n");
    text.push_str("# TYPE svc_http_request_seconds histogram\n");
    let mut below = 0;
    for (bound, count) in BOUNDS_MS.iter().zip(&BUCKETS) {
        below += count.load(Relaxed);
        let seconds = std::time::Duration::from_millis(*bound).as_secs_f64();
        let _ = writeln!(text, "svc_http_request_seconds_bucket{{le=\"{seconds}\"}} {below}");
    }
    let total: u64 = REQUESTS.iter().map(|count| count.load(Relaxed)).sum();
    let seconds = std::time::Duration::from_micros(TOTAL_US.load(Relaxed)).as_secs_f64();
    let _ = writeln!(text, "svc_http_request_seconds_bucket{{le=\"+Inf\"}} {total}");
    let _ = writeln!(text, "svc_http_request_seconds_sum {seconds}\nsvc_http_request_seconds_count {total}");
    show_connections(&mut text);
    show_output_filter(&mut text);
    show_generated(&mut text);
    show_reranked(&mut text);
    show_answer_steps(&mut text);
    if let Some(bytes) = resident_bytes() {
        text.push_str("# HELP process_resident_memory_bytes Memory of this process that is in use.\n");
        text.push_str("# TYPE process_resident_memory_bytes gauge\n");
        let _ = writeln!(text, "process_resident_memory_bytes {bytes}");
    }
    show_answer_queue(&mut text, load);
    text
}

/// The memory of this process that is in use, where the system tells it.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
}
