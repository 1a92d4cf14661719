//! Many concurrent questions: the limits, and that a flood of one chatbot does not starve the others.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures::future::join_all;
use rag::embed::Embedder;
use serde_json::{Value, json};
use server::admission::{answer_queue::QueueLimits, rate_limit::Quota};
use tokio::task::JoinHandle;

use crate::support::{Database, Gated, ORIGIN, Platform, Tenant, TestResponse, embedder, moment, send};

const QUESTION: &str = "Within how many days can I return an item?";

async fn gated(answers: QueueLimits) -> (Platform, Arc<Gated>, Tenant, Tenant) {
    let gate = Arc::new(Gated::new(embedder().await));
    let embedder = Arc::clone(&gate) as Arc<dyn Embedder>;
    let platform = Platform::start_on(Database::create().await, embedder, |settings| settings.answers = answers).await;
    let (one, other) = (platform.add_tenant("one").await, platform.add_tenant("other").await);
    gate.close();
    (platform, gate, one, other)
}

fn limits(max_concurrent: usize, max_concurrent_per_chatbot: usize) -> QueueLimits {
    QueueLimits { max_concurrent, max_concurrent_per_chatbot, max_queued: 100, queue_timeout: Duration::from_secs(60) }
}

/// How many requests are running, and how many are queued.
fn load(platform: &Platform) -> (usize, usize) {
    let load = platform.app.answer_queue().load();
    (load.running, load.waiting)
}

/// Waits until `/metrics` has this figure: the platform of another test may write its own between figure and page.
async fn until_metric(platform: &Platform, name: &str, value: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let line_expected = format!("{name} {value}");
    loop {
        let text = platform.anonymous().get("/metrics").await.text;
        if text.lines().any(|line| line == line_expected) {
            return;
        }
        assert!(Instant::now() < deadline, "no {line_expected}: {text}");
        moment().await;
    }
}

fn request(platform: &Platform, tenant: Tenant) -> reqwest::RequestBuilder {
    let path = format!("{}/api/v1/widget/chatbots/{}/query", platform.base_url, tenant.chatbot);
    let body = json!({ "session_id": null, "question": QUESTION });
    platform.http.post(path).header("origin", ORIGIN).json(&body)
}

fn ask(platform: &Platform, tenant: Tenant) -> JoinHandle<TestResponse> {
    tokio::spawn(send(request(platform, tenant)))
}

async fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..6000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{what} does not come about");
}

#[tokio::test]
async fn a_burst_at_one_chatbot_delays_no_other_one() {
    let (platform, gate, one, other) = gated(limits(2, 1)).await;
    let flood: Vec<_> = (0..10).map(|_| ask(&platform, one)).collect();
    until("a full line", || load(&platform) == (1, 9)).await;
    let question = ask(&platform, other);
    until("the other's question", || gate.arrived() == 2).await;
    assert_eq!(load(&platform), (2, 9));
    gate.open();
    assert_eq!(question.await.unwrap().status, 200);
    for answer in flood {
        assert_eq!(answer.await.unwrap().status, 200);
    }
    until("an empty queue", || load(&platform) == (0, 0)).await;
}

#[tokio::test]
async fn a_visitor_who_disconnects_leaves_the_queue() {
    let (platform, gate, one, _) = gated(limits(1, 1)).await;
    let working = ask(&platform, one);
    until("the first turn", || gate.arrived() == 1).await;
    let waiting = ask(&platform, one);
    until("a waiting one", || load(&platform) == (1, 1)).await;
    waiting.abort();
    until("a place given up", || load(&platform) == (1, 0)).await;
    working.abort();
    until("a turn given up", || load(&platform) == (0, 0)).await;
}

#[tokio::test]
async fn the_queue_is_bounded_in_length_and_in_time() {
    let bounds = QueueLimits { max_queued: 1, queue_timeout: Duration::from_secs(2), ..limits(1, 1) };
    let (platform, gate, one, other) = gated(bounds).await;
    let working = ask(&platform, one);
    until("the first turn", || gate.arrived() == 1).await;
    let (mut full, mut late) = (None, Vec::new());
    // On a busy machine the second one may have waited too long before the third one comes: then both are late.
    for _ in 0..10 {
        let waiting = ask(&platform, one);
        until("a waiting one", || load(&platform) == (1, 1) || waiting.is_finished()).await;
        let third = send(request(&platform, one).header("accept", "text/event-stream")).await;
        late.push(waiting.await.unwrap());
        if third.status == 429 {
            full = Some(third);
            break;
        }
        late.push(third);
    }
    let full = full.expect("the queue is full while one waits");
    assert_eq!((full.detail(), full.header("retry-after")), ("rate_limited", Some("2")));
    late.push(send(request(&platform, other)).await);
    for late in &late {
        assert_eq!((late.status, late.detail()), (503, "service_unavailable"));
        assert!(late.header("retry-after").is_some());
    }
    for (name, value) in [
        ("running", 1),
        ("waiting", 0),
        ("refused_total{reason=\"full\"}", 1),
        ("refused_total{reason=\"late\"}", late.len()),
    ] {
        until_metric(&platform, &format!("svc_answers_{name}"), value).await;
    }
    gate.open();
    assert_eq!(working.await.unwrap().status, 200);
}

#[tokio::test]
async fn the_rate_limit_of_a_chatbot_counts_all_visitors() {
    let change = |settings: &mut server::state::AppSettings| {
        settings.rate_limit.limits.chatbot = Quota::new(1, 5);
        settings.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    };
    let platform = Platform::start_with(change).await;
    let (one, other) = (platform.add_tenant("one").await, platform.add_tenant("other").await);
    let started = Instant::now();
    let from = |client: u8| send(request(&platform, one).header("x-forwarded-for", format!("192.0.2.{client}")));
    let answers = join_all((0..30).map(from)).await;
    // The burst, and one a second while the machine answers.
    let most = 5 + started.elapsed().as_secs() + 1;
    let (passed, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert!(passed.len() >= 5 && passed.len() as u64 <= most, "{} of at most {most}", passed.len());
    for answer in refused {
        assert_eq!((answer.status, answer.detail()), (429, "rate_limited"));
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
    assert_eq!(send(request(&platform, other)).await.status, 200);
    let history = format!("/api/v1/widget/config/{}", one.chatbot);
    assert_eq!(platform.widget().get(&history).await.status, 200, "only questions are counted");
    let path = format!("/api/v1/widget/chatbots/{}/query", one.chatbot);
    let foreign = platform.widget_on("https://evil.example.com").post(&path, &Value::Null).await;
    assert_eq!(foreign.status, 403, "a refused website is not counted");
}
