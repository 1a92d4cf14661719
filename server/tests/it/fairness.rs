//! Many questions at once: what is refused, and that a flood of one chatbot leaves the others their turns.

use std::{sync::Arc, time::Duration};

use rag::embed::Embedder;
use serde_json::{Value, json};
use server::admission::{answer_queue::Bounds, rate_limit::Quota};
use tokio::task::JoinHandle;

use crate::support::{Answer, Database, Gated, ORIGIN, Platform, Tenant, embedder, send};

const QUESTION: &str = "Within how many days can I return an item?";

async fn gated(answers: Bounds) -> (Platform, Arc<Gated>, Tenant, Tenant) {
    let gate = Arc::new(Gated::new(embedder().await));
    let embedder = Arc::clone(&gate) as Arc<dyn Embedder>;
    let platform = Platform::start_on(Database::create().await, embedder, |known| known.answers = answers).await;
    let (one, other) = (platform.add_tenant("one").await, platform.add_tenant("other").await);
    gate.close();
    (platform, gate, one, other)
}

fn bounds(at_once: usize, per_chatbot: usize) -> Bounds {
    Bounds { at_once, per_chatbot, waiting: 100, patience: Duration::from_secs(60) }
}

/// How many are worked on, and how many wait.
fn load(platform: &Platform) -> (usize, usize) {
    let load = platform.app.turns().load();
    (load.running, load.waiting)
}

/// A figure of `/metrics`.
async fn metric(platform: &Platform, name: &str) -> u64 {
    let text = platform.anonymous().get("/metrics").await.text;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {name}: {text}")).parse().unwrap()
}

fn request(platform: &Platform, tenant: Tenant) -> reqwest::RequestBuilder {
    let path = format!("{}/api/v1/widget/chatbots/{}/query", platform.base_url, tenant.chatbot);
    let body = json!({ "session_id": null, "question": QUESTION });
    platform.http.post(path).header("origin", ORIGIN).json(&body)
}

fn ask(platform: &Platform, tenant: Tenant) -> JoinHandle<Answer> {
    tokio::spawn(send(request(platform, tenant)))
}

async fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..1000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{what} does not come about");
}

#[tokio::test]
async fn a_flooded_chatbot_takes_its_share_and_another_ones_question_is_worked_on_at_once() {
    let (platform, gate, one, other) = gated(bounds(2, 1)).await;
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
async fn a_visitor_who_leaves_gives_up_his_place_and_his_turn() {
    let (platform, gate, one, _) = gated(bounds(1, 1)).await;
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
async fn waiting_is_bounded_in_number_and_in_time() {
    let bounds = Bounds { waiting: 1, patience: Duration::from_millis(300), ..bounds(1, 1) };
    let (platform, gate, one, other) = gated(bounds).await;
    let working = ask(&platform, one);
    until("the first turn", || gate.arrived() == 1).await;
    let waiting = ask(&platform, one);
    until("a waiting one", || load(&platform) == (1, 1)).await;
    let full = send(request(&platform, one).header("accept", "text/event-stream")).await;
    assert_eq!((full.status, full.detail(), full.header("retry-after")), (429, "rate_limited", Some("2")));
    for late in [waiting.await.unwrap(), send(request(&platform, other)).await] {
        assert_eq!((late.status, late.detail()), (503, "service_unavailable"));
        assert!(late.header("retry-after").is_some());
    }
    for (name, value) in [("running", 1), ("waiting", 0), ("refused_total{reason=\"full\"}", 1)] {
        assert_eq!(metric(&platform, &format!("svc_answers_{name}")).await, value, "{name}");
    }
    assert_eq!(metric(&platform, "svc_answers_refused_total{reason=\"late\"}").await, 2);
    gate.open();
    assert_eq!(working.await.unwrap().status, 200);
}

#[tokio::test]
async fn a_chatbot_is_limited_whoever_asks_and_the_others_are_not() {
    let change = |known: &mut server::state::AppSettings| {
        known.rate_limit.limits.chatbot = Quota::new(1, 5);
        known.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    };
    let platform = Platform::start_with(change).await;
    let (one, other) = (platform.add_tenant("one").await, platform.add_tenant("other").await);
    let mut refused = None;
    for client in 0..50 {
        let asked = request(&platform, one).header("x-forwarded-for", format!("192.0.2.{client}"));
        let answer = send(asked).await;
        if answer.status == 429 {
            refused = Some((client, answer));
            break;
        }
        assert_eq!(answer.status, 200);
    }
    let (passed, answer) = refused.expect("the chatbot is limited");
    assert!((5..15).contains(&passed), "{passed}");
    assert_eq!((answer.detail(), answer.header("retry-after")), ("rate_limited", Some("1")));
    assert_eq!(send(request(&platform, other)).await.status, 200);
    let history = format!("/api/v1/widget/config/{}", one.chatbot);
    assert_eq!(platform.widget().get(&history).await.status, 200, "only questions are counted");
    let path = format!("/api/v1/widget/chatbots/{}/query", one.chatbot);
    let foreign = platform.widget_on("https://evil.example.com").post(&path, &Value::Null).await;
    assert_eq!(foreign.status, 403, "who may not ask is told so, and is not counted");
}
