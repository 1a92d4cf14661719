//! Traces and metrics of a real process, received by a collector of the tests.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{Router, body::Bytes, http::HeaderMap, routing::post};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::{
    crash::process::Process,
    support::{ORIGIN, Platform, Tenant, model::Model, shop},
};

/// The trace of the client, and its span.
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CLIENT_SPAN: &str = "b7ad6b7169203331";
/// A question with words that nothing else has.
const QUESTION: &str = "Can I return the item that zebedee@quagga.example bought?";

/// The path, the headers and the body of a request.
type Received = (&'static str, HeaderMap, Bytes);

/// What a collector received.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<Received>>>);

impl Collector {
    async fn start() -> (Self, String) {
        let collector = Self::default();
        let route = |path: &'static str| {
            let collector = collector.clone();
            post(async move |headers: HeaderMap, body: Bytes| {
                collector.0.lock().unwrap().push((path, headers, body));
                "{}"
            })
        };
        let (traces, metrics) = ("/base/v1/traces", "/base/v1/metrics");
        let router = Router::new().route(traces, route(traces)).route(metrics, route(metrics));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/base", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        (collector, url)
    }

    fn received(&self, path: &str) -> Vec<Value> {
        let received = self.0.lock().unwrap();
        let bodies = received.iter().filter(|(called, ..)| called.ends_with(path));
        bodies.map(|(_, _, body)| serde_json::from_slice(body).unwrap()).collect()
    }

    /// The spans of the client's trace.
    fn spans(&self) -> Vec<Value> {
        let received = self.received("/v1/traces");
        let spans =
            received.iter().flat_map(|body| body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap());
        spans.filter(|span| span["traceId"] == TRACE).cloned().collect()
    }

    /// The metrics that were sent last.
    fn metrics(&self) -> Vec<Value> {
        let last = self.received("/v1/metrics").pop().unwrap();
        last["resourceMetrics"][0]["scopeMetrics"][0]["metrics"].as_array().unwrap().clone()
    }
}

async fn start(platform: &Platform, settings: &[(&str, &str)]) -> Process {
    let settings = [settings, &[("SVC_HTTP_DRAIN_SECONDS", "0"), ("SVC_LOGGING_LEVEL", "warn")]].concat();
    Process::start_with(&platform.db.login_url(), &platform.keys.auth_url, &settings).await
}

/// Asks as a widget whose page is part of a trace; returns the answer.
async fn ask(process: &Process, tenant: Tenant) -> Value {
    let url = format!("{}/api/v1/widget/chatbots/{}/query", process.base_url, tenant.chatbot);
    let request = reqwest::Client::new().post(url).header("origin", ORIGIN);
    let request = request.header("traceparent", format!("00-{TRACE}-{CLIENT_SPAN}-01"));
    let answer = request.json(&json!({ "session_id": null, "question": QUESTION })).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.json().await.unwrap()
}

static NULL: Value = Value::Null;

fn attribute<'a>(span: &'a Value, key: &str) -> &'a Value {
    let attributes = span["attributes"].as_array().unwrap();
    let attribute = attributes.iter().find(|attribute| attribute["key"] == key);
    attribute.map_or(&NULL, |attribute| attribute["value"].as_object().unwrap().values().next().unwrap())
}

fn find<'a>(spans: &'a [Value], name: &str) -> &'a Value {
    spans.iter().find(|span| span["name"] == name).unwrap_or_else(|| panic!("no span {name} in {spans:#?}"))
}

#[tokio::test]
async fn a_question_is_one_trace_from_the_client_to_the_model() {
    let (platform, one, _) = shop::with_documents().await;
    let (model, _) = Model::start(Duration::from_secs(60), 200).await;
    model.say("You can return any item within 30 days of delivery [1].");
    let (collector, url) = Collector::start().await;
    let process = start(
        &platform,
        &[
            ("SVC_OTLP_ENDPOINT", &url),
            ("SVC_OTLP_HEADERS", "authorization=Basic%20c2VjcmV0,x-tenant=ours"),
            ("SVC_GENERATOR_URL", model.url()),
            ("SVC_GENERATOR_MODEL", "small"),
        ],
    )
    .await;
    let answer = ask(&process, one).await;
    assert_eq!(answer["answer"], "You can return any item within 30 days of delivery [1].");
    process.stop().await;

    let spans = collector.spans();
    let route = "POST /api/v1/widget/chatbots/{chatbot_id}/query";
    let request = find(&spans, route);
    assert_eq!((&request["parentSpanId"], &request["kind"]), (&json!(CLIENT_SPAN), &json!(2)));
    assert_eq!(attribute(request, "http.response.status_code"), "200");
    // Every other span is below the request's.
    for span in spans.iter().filter(|span| span["name"] != route) {
        let parent = spans.iter().find(|parent| parent["spanId"] == span["parentSpanId"]);
        assert!(parent.is_some(), "{span:#?}");
        let nanoseconds = |field: &str| span[field].as_str().unwrap().parse::<u64>().unwrap();
        assert!(nanoseconds("startTimeUnixNano") <= nanoseconds("endTimeUnixNano"));
    }
    let agent = find(&spans, "invoke_agent");
    assert_eq!(agent["parentSpanId"], request["spanId"]);
    assert_eq!(attribute(agent, "gen_ai.agent.id"), &one.chatbot.to_string());
    for step in ["embeddings all-minilm-l6-v2", "retrieval", "rank", "generate", "filter", "store"] {
        assert!(find(&spans, step)["parentSpanId"].is_string(), "{step}");
    }
    assert_eq!(find(&spans, "rank")["parentSpanId"], agent["spanId"]);
    assert_eq!(attribute(find(&spans, "transaction"), "db.system.name"), "postgresql");

    let chat = find(&spans, "chat small");
    assert_eq!((&chat["parentSpanId"], &chat["kind"]), (&find(&spans, "generate")["spanId"], &json!(3)));
    assert_eq!(attribute(chat, "gen_ai.operation.name"), "chat");
    assert_eq!(attribute(chat, "gen_ai.request.model"), "small");
    for tokens in ["gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"] {
        assert!(attribute(chat, tokens).as_str().unwrap().parse::<u32>().unwrap() > 0, "{tokens}");
    }
    let sent = format!("traceparent: 00-{TRACE}-{}-01\r\n", chat["spanId"].as_str().unwrap());
    assert!(model.head().contains(&sent), "{}", model.head());
    no_text_was_sent(&collector);
    metrics_were_sent(&collector);
}

fn no_text_was_sent(collector: &Collector) {
    let received = collector.0.lock().unwrap();
    let sent: String = received.iter().map(|(.., body)| String::from_utf8_lossy(body).to_lowercase()).collect();
    assert!(sent.len() > 1000);
    for text in ["zebedee", "quagga", "return", "delivery", "shop", "127.0.0.1", "session", "you are", "c2vjcmv0"] {
        assert!(!sent.contains(text), "{text} in {sent}");
    }
    for (_, headers, _) in received.iter() {
        assert_eq!([&headers["authorization"], &headers["x-tenant"]], ["Basic c2VjcmV0", "ours"]);
        assert_eq!(headers["content-type"], "application/json");
    }
}

fn metrics_were_sent(collector: &Collector) {
    let metrics = collector.metrics();
    let requests = metrics.iter().find(|metric| metric["name"] == "svc_http_requests_total").unwrap();
    let points = requests["sum"]["dataPoints"].as_array().unwrap();
    let answered = points.iter().find(|point| point["attributes"][0]["value"]["stringValue"] == "2xx").unwrap();
    assert!(answered["asDouble"].as_f64().unwrap() >= 1.0, "{answered}");
    let steps = metrics.iter().find(|metric| metric["name"] == "svc_answer_step_seconds").unwrap();
    let points = steps["histogram"]["dataPoints"].as_array().unwrap();
    assert!(points.iter().any(|point| point["count"] == "1"), "{steps}");
}

#[tokio::test]
async fn a_collector_that_is_silent_or_not_there_slows_no_answer() {
    let (platform, one, _) = shop::with_documents().await;
    // It accepts connections, and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent = format!("http://{}", silent.local_addr().unwrap());
    for url in [silent.as_str(), "http://127.0.0.1:9"] {
        let process = start(&platform, &[("SVC_OTLP_ENDPOINT", url)]).await;
        ask(&process, one).await;
        let started = Instant::now();
        for _ in 0..5 {
            ask(&process, one).await;
        }
        // One call that waited for the collector would take its whole timeout of five seconds.
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
        let stopped = process.stop().await;
        assert!(stopped < Duration::from_secs(8), "{stopped:?}");
    }
}

#[tokio::test]
async fn without_a_collector_no_model_is_told_of_a_trace() {
    let (platform, one, _) = shop::with_documents().await;
    let (model, _) = Model::start(Duration::from_secs(60), 200).await;
    model.say("You can return any item within 30 days of delivery [1].");
    let process = start(&platform, &[("SVC_GENERATOR_URL", model.url()), ("SVC_GENERATOR_MODEL", "small")]).await;
    ask(&process, one).await;
    assert!(model.head().starts_with("POST /v1/chat/completions") && !model.head().contains("traceparent"));
}
