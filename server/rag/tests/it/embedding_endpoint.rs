//! Embeddings from endpoints that behave well and badly.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use rag::embed::{EmbedError, Embedder, EndpointEmbedder, EndpointSettings, Prefixes, Purpose};
use serde_json::{Value, json};

use crate::endpoint::{Says, listen};

type Expected = fn(&EmbedError) -> bool;

/// An endpoint that answers as `says`, and the requests that it received.
async fn endpoint(says: Arc<Mutex<Says>>) -> (EndpointSettings, Arc<Mutex<Vec<String>>>) {
    let (base_url, requests) = listen(says).await;
    let timeout = Duration::from_secs(2);
    let (key, prefixes) = (Some("secret".into()), Prefixes::default());
    (EndpointSettings { base_url, key, model: "small".into(), timeout, prefixes }, requests)
}

/// A vector for each text, the last one first; its length is the text's.
fn well(body: &Value) -> (&'static str, Value) {
    let texts = body["input"].as_array().unwrap();
    let vector = |text: &Value| json!([3.0, text.as_str().unwrap().len() as f64, 0.0]);
    let item = |(index, text): (usize, &Value)| json!({ "index": index, "embedding": vector(text) });
    let data: Vec<Value> = texts.iter().enumerate().rev().map(item).collect();
    ("200 OK", json!({ "object": "list", "data": data }))
}

#[tokio::test]
async fn vectors_come_in_the_order_of_the_texts_with_norm_one() {
    let (settings, requests) = endpoint(Arc::new(Mutex::new(well))).await;
    let embedder = EndpointEmbedder::connect(settings).await.unwrap();
    assert_eq!((embedder.model(), embedder.dimensions()), ("small", 3));
    assert_eq!(embedder.embed(vec!["four".into()], Purpose::Document).await.unwrap(), [[0.6, 0.8, 0.0]]);
    let many = embedder.embed((0..130).map(|length| "x".repeat(length)).collect(), Purpose::Document).await.unwrap();
    assert!(many.windows(2).all(|pair| pair[0][1] < pair[1][1]), "{many:?}");
    assert!(embedder.embed(Vec::new(), Purpose::Document).await.unwrap().is_empty());
    let requests = requests.lock().unwrap();
    assert_eq!(requests.len(), 5, "a probe, one text, and three batches");
    assert!(requests[0].starts_with("POST /v1/embeddings ") && requests[0].contains("Bearer secret"));
}

#[tokio::test]
async fn texts_are_sent_with_the_prefix_of_their_purpose() {
    let (mut settings, requests) = endpoint(Arc::new(Mutex::new(well))).await;
    settings.prefixes = Prefixes { query: "query: ".into(), document: "passage: ".into() };
    let embedder = EndpointEmbedder::connect(settings).await.unwrap();
    for purpose in [Purpose::Query, Purpose::Document] {
        embedder.embed(vec!["hello".into()], purpose).await.unwrap();
    }
    let requests = requests.lock().unwrap();
    assert!(requests[1].contains(r#"["query: hello"]"#) && requests[2].contains(r#"["passage: hello"]"#));
}

#[tokio::test]
async fn a_bad_answer_is_an_error_within_its_time() {
    let says: Arc<Mutex<Says>> = Arc::new(Mutex::new(well));
    let (settings, _) = endpoint(Arc::clone(&says)).await;
    let embedder = EndpointEmbedder::connect(settings).await.unwrap();
    let bad: [(Says, Expected); 8] = [
        (|_| ("429 Slow down", json!({})), |error| matches!(error, EmbedError::Status(429))),
        (|_| ("500 No", json!({})), |error| matches!(error, EmbedError::Status(500))),
        (|_| ("silence", json!({})), |error| matches!(error, EmbedError::Timeout)),
        (|_| ("200 OK", json!({ "data": [] })), |error| matches!(error, EmbedError::Malformed(_))),
        (|_| ("200 OK", json!("hello")), |error| matches!(error, EmbedError::Malformed(_))),
        (
            |_| ("200 OK", json!({ "data": [{ "index": 0, "embedding": [1.0, 2.0] }] })),
            |error| matches!(error, EmbedError::Malformed(_)),
        ),
        (
            |_| ("200 OK", json!({ "data": [{ "index": 0, "embedding": [0.0, 0.0, 0.0] }] })),
            |error| matches!(error, EmbedError::NoDirection) && error.is_of_the_texts(),
        ),
        (
            |_| ("200 OK", json!({ "data": [{ "index": 7, "embedding": [1.0, 2.0, 3.0] }] })),
            |error| matches!(error, EmbedError::Malformed(_)),
        ),
    ];
    for (number, (answer, expected)) in bad.into_iter().enumerate() {
        *says.lock().unwrap() = answer;
        let start = Instant::now();
        let error = embedder.embed(vec!["hello".into()], Purpose::Document).await.unwrap_err();
        assert!(expected(&error) && !error.to_string().contains("hello"), "{number}: {error}");
        assert!(start.elapsed() < Duration::from_secs(60));
    }
}

#[tokio::test]
async fn an_endpoint_that_is_not_there_is_said_so() {
    let settings = EndpointSettings {
        base_url: "http://127.0.0.1:9/v1".into(),
        key: None,
        model: "small".into(),
        timeout: Duration::from_secs(60),
        prefixes: Prefixes::default(),
    };
    assert!(matches!(EndpointEmbedder::connect(settings).await.err(), Some(EmbedError::Unreachable(_))));
}
