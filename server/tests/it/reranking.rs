//! Answers with a reranker, with a fake endpoint: its order is used, and its failures never affect the visitor.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{Json, Router, http::StatusCode, response::IntoResponse, routing::post};
use rag::rerank::{EndpointReranker, EndpointSettings, Protocol, Reranking};
use serde_json::{Value, json};
use server::{
    eval::{self, Question, QuestionOutcome},
    state::AppSettings,
};
use store::Scope;

use crate::support::{Platform, Tenant, TestResponse};

const DOCUMENT: &str = "# Returns\n\nYou can return any item within 30 days of delivery. We pay for the parcel.\n\n\
                        # Damaged items\n\nYou can return a damaged item without the receipt, even after a year.\n\n\
                        # Vouchers\n\nAn item that was paid with a voucher can be returned for another voucher.\n";
const QUESTION: &str = "When can I return an item?";
/// Makes a section long enough for its own passage.
const FILL: &str = " Please keep in mind that our shop is a small one and that we read every letter by hand, so that it \
                     may take a few days until you hear from us, above all around the holidays.";

type Bodies = Arc<Mutex<Vec<Value>>>;

/// The endpoint's answer to a body.
type Says = fn(&Value) -> (StatusCode, Value);

async fn endpoint(says: Says) -> (Reranking, Bodies) {
    let requests = Bodies::default();
    let recorder = Arc::clone(&requests);
    let answer = async move |Json(body): Json<Value>| {
        recorder.lock().unwrap().push(body.clone());
        let (status, answer) = says(&body);
        if status == StatusCode::REQUEST_TIMEOUT {
            std::future::pending::<()>().await;
        }
        (status, Json(answer)).into_response()
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    let router = Router::new().route("/v1/rerank", post(answer));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let settings = EndpointSettings { base_url, key: None, model: "small".into(), protocol: Protocol::Jina };
    let reranker = Arc::new(EndpointReranker::new(settings).unwrap());
    (Reranking { reranker, depth: 20, timeout: Duration::from_secs(20) }, requests)
}

async fn platform(reranking: Option<Reranking>) -> (Platform, Tenant) {
    platform_with(reranking, 20).await
}

async fn platform_with(reranking: Option<Reranking>, top_k: usize) -> (Platform, Tenant) {
    let change = |settings: &mut AppSettings| (settings.reranking, settings.top_k) = (reranking, top_k);
    let platform = Platform::start_with(change).await;
    let tenant = platform.add_tenant("one").await;
    let fill = FILL.repeat(3);
    let document = DOCUMENT.replace(".\n\n#", &format!(".{fill}\n\n#")) + &fill;
    platform.ingest(tenant, "shop.md", &document).await;
    (platform, tenant)
}

async fn ask(platform: &Platform, tenant: Tenant, session: Value, question: &str) -> TestResponse {
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let answer = platform.widget().post(&path, &json!({ "session_id": session, "question": question })).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer
}

/// The passages of an answer, best first.
async fn passages(platform: &Platform, tenant: Tenant) -> Vec<(String, bool)> {
    let path = format!("/api/v1/tenants/me/chatbots/{}/playground", tenant.chatbot);
    let tried = platform.viewer(tenant.id).post(&path, &json!({ "question": QUESTION })).await;
    assert_eq!(tried.status, 200, "{tried:?}");
    let passages = tried.body["passages"].as_array().unwrap();
    let content_and_relevance =
        |passage: &Value| (passage["content"].as_str().unwrap().to_owned(), passage["relevant"].as_bool().unwrap());
    passages.iter().map(content_and_relevance).collect()
}

async fn counted(platform: &Platform, outcome: &str) -> u64 {
    let metrics = platform.http.get(format!("{}/metrics", platform.base_url)).send().await.unwrap();
    let metrics = metrics.text().await.unwrap();
    let name = format!("svc_rerank_total{{outcome=\"{outcome}\"}} ");
    metrics.lines().find_map(|line| line.strip_prefix(&name)).unwrap().parse().unwrap()
}

/// The more of a text is about vouchers, the better it is.
fn vouchers(body: &Value) -> (StatusCode, Value) {
    let score = |text: &Value| text.as_str().unwrap().matches("voucher").count();
    let texts = body["documents"].as_array().unwrap().iter().enumerate();
    let results: Vec<Value> =
        texts.map(|(index, text)| json!({ "index": index, "relevance_score": score(text) })).collect();
    (StatusCode::OK, json!({ "results": results }))
}

#[tokio::test]
async fn answers_use_the_best_passages_in_the_rerankers_order() {
    let (plain, tenant) = platform(None).await;
    let fused = passages(&plain, tenant).await;
    assert!(fused.iter().filter(|(_, relevant)| *relevant).count() >= 3, "{fused:?}");
    assert!(!fused[0].0.contains("voucher"), "{fused:?}");
    let (reranking, requests) = endpoint(vouchers).await;
    let (reranked, tenant) = platform_with(Some(reranking), 1).await;
    let before = counted(&reranked, "ordered").await;
    let ordered = passages(&reranked, tenant).await;
    assert!(ordered[0].0.contains("voucher") && ordered[0].1, "{ordered:?}");
    assert!(ordered[1..].iter().all(|(_, relevant)| !relevant), "one is taken: {ordered:?}");
    let answer = ask(&reranked, tenant, Value::Null, QUESTION).await;
    assert!(answer.body["sources"][0]["source_title"].as_str().unwrap().contains("Vouchers"), "{answer:?}");
    assert!(counted(&reranked, "ordered").await >= before + 2);
    assert!(requests.lock().unwrap().iter().all(|body| body["query"] == QUESTION));
}

/// The question as an evaluation measures it.
async fn measured(platform: &Platform, tenant: Tenant) -> QuestionOutcome {
    let mut tx = platform.app.db.read(&Scope::tenant(tenant.id)).await.unwrap();
    let chatbot = store::chatbots::find(&mut tx, tenant.id, tenant.chatbot).await.unwrap().unwrap();
    drop(tx);
    let question = Question {
        question: QUESTION.to_owned(),
        history: vec![],
        kind: "direct".to_owned(),
        document: Some("shop.md".to_owned()),
        passage: None,
        words: vec![],
        half: None,
        ..Question::default()
    };
    eval::run(&platform.app, &chatbot, vec![question], || ()).await.unwrap().remove(0)
}

#[tokio::test]
async fn an_evaluation_decides_the_confidence_before_the_reranker() {
    let (plain, tenant) = platform(None).await;
    let fused = measured(&plain, tenant).await;
    let (reranking, _) = endpoint(vouchers).await;
    let (reranked, tenant) = platform(Some(reranking)).await;
    let ordered = measured(&reranked, tenant).await;
    let first = |outcome: &QuestionOutcome| outcome.passages[0].content.contains("voucher");
    assert!(!first(&fused) && first(&ordered), "{ordered:?}");
    assert!((ordered.evidence - fused.evidence).abs() < 1e-4, "{} {}", ordered.evidence, fused.evidence);
    let confidence = |outcome: &QuestionOutcome| outcome.judgement.confidence;
    assert_eq!(confidence(&ordered), confidence(&fused));
}

#[tokio::test]
async fn a_reranker_that_fails_leaves_the_fused_order_and_is_counted() {
    let (plain, tenant) = platform(None).await;
    let fused = passages(&plain, tenant).await;
    let cases: [Says; 4] = [
        |_| (StatusCode::INTERNAL_SERVER_ERROR, json!({})),
        |_| (StatusCode::OK, json!({ "results": "none" })),
        |_| (StatusCode::OK, json!({ "results": [{ "index": 99, "relevance_score": 1.0 }] })),
        |_| (StatusCode::REQUEST_TIMEOUT, json!({})),
    ];
    for (number, says) in cases.into_iter().enumerate() {
        let (mut reranking, requests) = endpoint(says).await;
        if number == 3 {
            reranking.timeout = Duration::from_secs(1);
        }
        let (failing, tenant) = platform(Some(reranking)).await;
        let before = counted(&failing, "failed").await;
        assert_eq!(passages(&failing, tenant).await, fused, "case {number}");
        assert!(counted(&failing, "failed").await > before, "case {number}");
        // A request that is late may not even have arrived.
        let times = requests.lock().unwrap().len();
        assert!(times == 1 || (number == 3 && times == 0), "case {number}: asked {times} times");
    }
}

#[tokio::test]
async fn a_follow_up_question_is_ranked_with_the_one_before() {
    let (reranking, requests) = endpoint(vouchers).await;
    let (platform, tenant) = platform(Some(reranking)).await;
    let first = ask(&platform, tenant, Value::Null, QUESTION).await;
    ask(&platform, tenant, first.body["session_id"].clone(), "And why?").await;
    let queries: Vec<Value> = requests.lock().unwrap().iter().map(|body| body["query"].clone()).collect();
    assert_eq!(queries, [json!(QUESTION), json!(format!("{QUESTION} And why?"))]);
}

#[tokio::test]
async fn questions_without_relevant_passages_skip_the_reranker() {
    let (reranking, requests) = endpoint(vouchers).await;
    let (platform, tenant) = platform(Some(reranking)).await;
    let answer = ask(&platform, tenant, Value::Null, "Who painted the Mona Lisa?").await;
    assert_eq!(answer.body["answer"], "No idea, sorry.");
    assert!(requests.lock().unwrap().is_empty());
}
