//! Rerankers: endpoints that behave well and badly, and cross-encoders in this process, which the tests write
//! themselves.

mod cross_encoder;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use rag::rerank::{EndpointReranker, EndpointSettings, LocalReranker, Protocol, RerankError, Reranker, Reranking};
use rag::retrieve::Candidate;
use serde_json::{Value, json};
use uuid::Uuid;

use self::cross_encoder::write;
use crate::endpoint::{Says, listen};

type Requests = Arc<Mutex<Vec<String>>>;

async fn behind(says: Says, protocol: Protocol) -> (EndpointReranker, Requests) {
    let (base_url, requests) = listen(Arc::new(Mutex::new(says))).await;
    let settings = EndpointSettings { base_url, key: Some("secret".into()), model: "small".into(), protocol };
    (EndpointReranker::new(settings).unwrap(), requests)
}

async fn scores(says: Says, protocol: Protocol) -> Result<Vec<f32>, RerankError> {
    let (reranker, _) = behind(says, protocol).await;
    reranker.scores("Which?".into(), vec!["one".into(), "three".into()]).await
}

/// The length of each text as its score, the last text first.
fn lengths(texts: &Value, name: &str) -> Vec<Value> {
    let item = |(index, text): (usize, &Value)| json!({ "index": index, name: text.as_str().unwrap().len(), "document": null });
    texts.as_array().unwrap().iter().enumerate().rev().map(item).collect()
}

#[tokio::test]
async fn scores_come_in_the_order_of_the_texts_in_both_protocols() {
    let jina: Says = |body| {
        assert_eq!((&body["model"], &body["query"], &body["top_n"]), (&json!("small"), &json!("Which?"), &json!(2)));
        ("200 OK", json!({ "model": "small", "results": lengths(&body["documents"], "relevance_score") }))
    };
    assert_eq!(scores(jina, Protocol::Jina).await.unwrap(), [3.0, 5.0]);
    let tei: Says = |body| ("200 OK", Value::Array(lengths(&body["texts"], "score")));
    assert_eq!(scores(tei, Protocol::Tei).await.unwrap(), [3.0, 5.0]);
    let (reranker, requests) = behind(tei, Protocol::Tei).await;
    reranker.scores("Which?".into(), vec!["one".into()]).await.unwrap();
    let request = requests.lock().unwrap()[0].clone();
    assert!(request.starts_with("POST /v1/rerank ") && request.contains("Bearer secret"), "{request}");
}

#[tokio::test]
async fn every_bad_answer_is_an_error_that_says_what_was_wrong() {
    let cases: [(Says, &str); 7] = [
        (|_| ("500 No", json!({})), "status 500"),
        (|_| ("302 Found", json!({})), "status 302"),
        (|_| ("200 OK", json!({ "data": [] })), "no scores"),
        (|_| ("200 OK", json!({ "results": [{ "index": 0 }] })), "no scores"),
        (|_| ("200 OK", json!({ "results": [{ "index": 0, "relevance_score": 1 }] })), "no score for a passage"),
        (|_| ("200 OK", json!([{ "index": 0, "score": 1 }, { "index": 2, "score": 1 }])), "a score for no passage"),
        (|_| ("200 OK", json!([{ "index": 1, "score": 1 }, { "index": 1, "score": 2 }])), "two scores for one passage"),
    ];
    for (says, reason) in cases {
        let error = scores(says, Protocol::Jina).await.unwrap_err().to_string();
        assert!(error.contains(reason), "{error} instead of {reason}");
    }
    let nowhere = EndpointSettings {
        base_url: "http://127.0.0.1:9/v1".into(),
        key: None,
        model: "small".into(),
        protocol: Protocol::Jina,
    };
    let error = EndpointReranker::new(nowhere).unwrap().scores("?".into(), vec!["x".into()]).await.unwrap_err();
    assert!(matches!(error, RerankError::Unreachable(_)), "{error:?}");
}

#[tokio::test]
async fn a_silent_endpoint_times_out_and_keeps_the_order() {
    let (reranker, requests) = behind(|_| ("silence", Value::Null), Protocol::Jina).await;
    let reranking = Reranking { reranker: Arc::new(reranker), depth: 20, timeout: Duration::from_secs(1) };
    let mut candidates: Vec<Candidate> = ["a", "b"].into_iter().zip(0..).map(candidate).collect();
    let error = reranking.order("Which?", &mut candidates).await.unwrap_err();
    assert!(matches!(error, RerankError::Timeout(_)), "{error:?}");
    assert_eq!((candidates[0].id.as_u128(), candidates[1].id.as_u128()), (0, 1));
    // The request may not even have arrived in time.
    assert!(requests.lock().unwrap().len() <= 1, "nothing is tried twice");
}

fn candidate((content, id): (&str, u128)) -> Candidate {
    Candidate { cosine: 0.5, ..Candidate::new(Uuid::from_u128(id), "", "", content) }
}

#[tokio::test]
async fn cross_encoder_scores_do_not_depend_on_the_batch() {
    for family in ["bert", "xlm-roberta"] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), family);
        let reranker = LocalReranker::load(folder.path()).unwrap();
        let long = "stone ".repeat(900);
        let texts: Vec<String> = ["stone", "walrus", "stone walrus stone stone", "", "sea sea walrus walrus", &long]
            .into_iter()
            .map(str::to_owned)
            .collect();
        let many = texts.iter().cycle().take(9 * texts.len()).cloned().collect();
        let together = reranker.scores("stone".into(), many).await.unwrap();
        assert!(together[1] > together[2] && together[2] > together[0], "{family}: {together:?}");
        for (at, text) in texts.iter().enumerate() {
            let alone = reranker.scores("stone".into(), vec![text.clone()]).await.unwrap()[0];
            assert!((alone - together[at]).abs() < 1e-5 && alone.is_finite(), "{family}, text {at}: {alone}");
            assert!((together[at] - together[at + 5 * texts.len()]).abs() < 1e-5, "{family}, text {at}");
        }
        assert!(reranker.scores("stone".into(), Vec::new()).await.unwrap().is_empty());
    }
}

/// XLM-RoBERTa has one more token between question and passage, so that one word less gives the same mean.
#[tokio::test]
async fn both_families_of_cross_encoders_give_the_same_scores() {
    let mut scores = Vec::new();
    for (family, texts) in [("bert", ["walrus sea", "stone"]), ("xlm-roberta", ["walrus", ""])] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), family);
        let reranker = LocalReranker::load(folder.path()).unwrap();
        scores.push(reranker.scores("walrus".into(), texts.map(str::to_owned).to_vec()).await.unwrap());
    }
    let difference = scores[0].iter().zip(&scores[1]).map(|(one, other)| (one - other).abs());
    assert!(difference.fold(0.0, f32::max) < 1e-5, "{scores:?}");
    assert!(scores[0][0] > scores[0][1] + 0.05, "{scores:?}");
}

#[test]
fn a_folder_without_a_cross_encoder_is_refused_with_the_reason() {
    let refusal = |folder: &std::path::Path| LocalReranker::load(folder).err().unwrap().to_string();
    let folder = tempfile::tempdir().unwrap();
    assert!(refusal(folder.path()).contains("config.json"));
    write(folder.path(), "gpt2");
    assert!(refusal(folder.path()).contains("expected `bert` or `xlm-roberta`"));
    write(folder.path(), "bert");
    std::fs::remove_file(folder.path().join("model.safetensors")).unwrap();
    assert!(refusal(folder.path()).contains("model.safetensors"));
    let embedder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../var/parts/all-minilm-l6-v2");
    let embedder = std::env::var_os("MODEL_DIR").map_or(embedder, Into::into);
    assert!(refusal(&embedder).contains("model.safetensors"), "an embedding model has no classifier");
}
