//! The generator with endpoints that misbehave in every way.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use rag::generate::{
    openai::{GenerateError, Generator, Settings},
    prompt::{Message, Role},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
const DONE: &str = "data: [DONE]\n\n";
/// A timeout that no test reaches, also on a busy machine.
const LONG: Duration = Duration::from_secs(60);

fn token(text: &str) -> String {
    format!("data: {{\"choices\":[{{\"delta\":{{\"content\":{}}}}}]}}\n\n", serde_json::to_string(text).unwrap())
}

/// What an endpoint does after it has read the request.
#[derive(Clone)]
enum Act {
    Send(String),
    Forever(String),
    Silence,
}

struct Endpoint {
    url: String,
    requests: Arc<Mutex<Vec<String>>>,
    closed: Arc<tokio::sync::Notify>,
}

async fn endpoint(acts: Vec<Act>) -> Endpoint {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let (requests, closed) = (Arc::new(Mutex::new(Vec::new())), Arc::new(tokio::sync::Notify::new()));
    let (recorder, notifier) = (Arc::clone(&requests), Arc::clone(&closed));
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut request = Vec::new();
            let mut buffer = [0; 4096];
            while !String::from_utf8_lossy(&request).contains("\"temperature\"") {
                let read = socket.read(&mut buffer).await.unwrap();
                request.extend_from_slice(&buffer[..read]);
            }
            recorder.lock().unwrap().push(String::from_utf8(request).unwrap());
            for act in acts.clone() {
                match act {
                    Act::Send(text) => socket.write_all(text.as_bytes()).await.unwrap(),
                    Act::Forever(text) => while socket.write_all(text.as_bytes()).await.is_ok() {},
                    Act::Silence => while socket.read(&mut buffer).await.is_ok_and(|read| read > 0) {},
                }
            }
            notifier.notify_one();
        }
    });
    Endpoint { url, requests, closed }
}

fn generator(url: &str) -> Generator {
    Generator::new(Settings {
        base_url: url.to_owned(),
        key: Some("the-key".to_owned()),
        model: "small".to_owned(),
        timeout: LONG,
        first_token: LONG,
        silence: Duration::from_secs(1),
        max_tokens: 50,
        max_concurrent: 2,
    })
    .unwrap()
}

async fn answer(generator: &Generator) -> (String, Result<(), GenerateError>) {
    let mut text = String::new();
    let question = Message { role: Role::User, content: "When?".to_owned() };
    let result = async {
        let mut words = generator.start(&[question]).await?;
        while let Some(part) = words.next().await? {
            text.push_str(&part);
        }
        Ok(())
    };
    let result = result.await;
    (text, result)
}

async fn against(acts: Vec<Act>) -> (String, Result<(), GenerateError>) {
    answer(&generator(&endpoint(acts).await.url)).await
}

#[tokio::test]
async fn an_answer_arrives_in_its_parts_and_the_request_is_complete() {
    let acts = [OK.to_owned(), token("At "), token("nine."), DONE.to_owned()].map(Act::Send).to_vec();
    let endpoint = endpoint(acts).await;
    let (text, result) = answer(&generator(&endpoint.url)).await;
    assert_eq!(text, "At nine.");
    assert!(result.is_ok(), "{result:?}");
    let request = endpoint.requests.lock().unwrap()[0].clone();
    assert!(request.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{request}");
    assert!(request.contains("authorization: Bearer the-key"), "{request}");
    let body: serde_json::Value = serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!((&body["model"], &body["stream"], &body["max_tokens"]), (&"small".into(), &true.into(), &50.into()));
    assert_eq!(body["messages"], serde_json::json!([{ "role": "user", "content": "When?" }]));
}

#[tokio::test]
async fn an_empty_reason_in_a_chunk_ends_no_answer() {
    for reason in ["\"\"", "\"null\"", "null"] {
        let part = |text: &str| token(text).replace("}]}", &format!(",\"finish_reason\":{reason}}}]}}"));
        let last = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n".to_owned();
        let (text, result) = against([OK.to_owned(), part("At "), part("nine."), last].map(Act::Send).to_vec()).await;
        assert_eq!(text, "At nine.", "{reason}");
        assert!(result.is_ok(), "{result:?}");
    }
}

#[tokio::test]
async fn statuses_are_failures_and_are_not_tried_again() {
    for status in [429, 500, 302] {
        let head = format!("HTTP/1.1 {status} No\r\ncontent-length: 0\r\nlocation: /x\r\nconnection: close\r\n\r\n");
        let endpoint = endpoint(vec![Act::Send(head)]).await;
        let (_, result) = answer(&generator(&endpoint.url)).await;
        assert!(matches!(result, Err(GenerateError::Status(code)) if code == status), "{result:?}");
        assert_eq!(endpoint.requests.lock().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn an_answer_that_is_cut_off_is_a_failure() {
    let (text, result) = against([OK.to_owned(), token("At ")].map(Act::Send).to_vec()).await;
    assert_eq!(text, "At ");
    assert!(matches!(result, Err(GenerateError::Cut)), "{result:?}");
    let (_, result) = against(vec![]).await;
    assert!(matches!(result, Err(GenerateError::Cut)), "{result:?}");
}

#[tokio::test]
async fn silence_in_the_middle_of_an_answer_ends_it() {
    let (_, result) = against(vec![Act::Send(OK.to_owned()), Act::Send(token("At ")), Act::Silence]).await;
    assert!(matches!(result, Err(GenerateError::Timeout)), "{result:?}");
}

#[tokio::test]
async fn an_endpoint_that_never_begins_is_given_up_after_the_timeout() {
    let endpoint = endpoint(vec![Act::Silence]).await;
    let settings = Settings {
        base_url: endpoint.url.clone(),
        key: None,
        model: "small".to_owned(),
        timeout: Duration::from_millis(200),
        first_token: LONG,
        silence: LONG,
        max_tokens: 9,
        max_concurrent: 1,
    };
    let start = Instant::now();
    let generator = Generator::new(settings).unwrap();
    let question = Message { role: Role::User, content: "When?".to_owned() };
    let mut words = generator.start(&[question]).await.unwrap();
    let first = words.next().await;
    assert!(matches!(first, Err(GenerateError::Timeout)), "{first:?}");
    assert!(start.elapsed() < LONG);
    assert!(words.usage().prompt > 0, "it may have read the prompt");
    assert!(generator.tokens_within(LONG).is_some(), "it is known to be slow");
}

#[tokio::test]
async fn malformed_events_and_reported_failures_are_failures() {
    for (event, malformed) in [("data: {oops\n\n", true), ("data: {\"error\":{}}\n\n", false)] {
        let (_, result) = against([OK, event].map(|text| Act::Send(text.to_owned())).to_vec()).await;
        match result {
            Err(GenerateError::Malformed) => assert!(malformed),
            Err(GenerateError::Failed) => assert!(!malformed),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn endless_output_is_ended_and_endless_lines_are_malformed() {
    let (text, result) = against(vec![Act::Send(OK.to_owned()), Act::Forever(token("again and "))]).await;
    assert!(result.is_ok() && (800..900).contains(&text.len()), "{result:?}, {} bytes", text.len());
    let (_, result) = against(vec![Act::Send(OK.to_owned()), Act::Forever("data: x".to_owned())]).await;
    assert!(matches!(result, Err(GenerateError::Malformed)), "{result:?}");
}

#[tokio::test]
async fn dropping_the_answer_closes_the_connection() {
    let endpoint = endpoint(vec![Act::Send(OK.to_owned()), Act::Send(token("At ")), Act::Silence]).await;
    let generator = generator(&endpoint.url);
    let mut words = generator.start(&[]).await.unwrap();
    assert_eq!(words.next().await.unwrap().as_deref(), Some("At "));
    drop(words);
    tokio::time::timeout(LONG, endpoint.closed.notified()).await.expect("the endpoint sees it");
}

#[tokio::test]
async fn a_connection_that_fails_is_tried_again() {
    // Bound, so that no other test gets the port, but not listening, so that it refuses connections.
    let unused = tokio::net::TcpSocket::new_v4().unwrap();
    unused.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = unused.local_addr().unwrap();
    let start = Instant::now();
    let (_, result) = answer(&generator(&format!("http://{address}/v1"))).await;
    assert!(matches!(result, Err(GenerateError::Connect(_))), "{result:?}");
    assert!(start.elapsed() >= Duration::from_millis(300), "two pauses between three tries");
    assert!(!format!("{:?} {}", generator("http://x"), result.unwrap_err()).contains("the-key"));
}

#[tokio::test]
async fn the_first_word_is_awaited_for_a_while_only() {
    let endpoint = endpoint(vec![Act::Send(OK.to_owned()), Act::Silence]).await;
    let settings = Settings {
        base_url: endpoint.url.clone(),
        key: None,
        model: "small".to_owned(),
        timeout: LONG,
        first_token: Duration::from_millis(200),
        silence: LONG,
        max_tokens: 9,
        max_concurrent: 1,
    };
    let start = Instant::now();
    let generator = Generator::new(settings).unwrap();
    let (_, result) = answer(&generator).await;
    assert!(matches!(result, Err(GenerateError::Timeout)), "{result:?}");
    assert!(start.elapsed() < LONG);
    assert!(generator.tokens_within(LONG).is_some(), "it is known to be slow");
}

#[tokio::test]
async fn an_answer_beyond_the_limit_waits_until_another_is_dropped() {
    let endpoint = endpoint(vec![Act::Send(OK.to_owned()), Act::Send(token("At ")), Act::Silence]).await;
    let settings = Settings {
        base_url: endpoint.url.clone(),
        key: None,
        model: "small".to_owned(),
        timeout: LONG,
        first_token: Duration::from_secs(1),
        silence: LONG,
        max_tokens: 9,
        max_concurrent: 1,
    };
    let generator = Generator::new(settings).unwrap();
    let first = generator.start(&[]).await.unwrap();
    assert!(matches!(generator.start(&[]).await, Err(GenerateError::Busy)));
    drop(first);
    assert!(generator.start(&[]).await.is_ok());
}

#[tokio::test]
async fn an_endpoint_that_fails_repeatedly_is_not_asked_for_a_while() {
    let head = "HTTP/1.1 500 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_owned();
    let endpoint = endpoint(vec![Act::Send(head)]).await;
    let generator = generator(&endpoint.url);
    for _ in 0..3 {
        assert!(matches!(answer(&generator).await.1, Err(GenerateError::Status(500))));
    }
    assert!(matches!(answer(&generator).await.1, Err(GenerateError::Paused)));
    assert_eq!(endpoint.requests.lock().unwrap().len(), 3);
}

#[tokio::test]
async fn an_answer_that_is_stopped_early_ends_a_row_of_failures() {
    let endpoint = endpoint([OK.to_owned(), token("At ")].map(Act::Send).to_vec()).await;
    let generator = generator(&endpoint.url);
    for _ in 0..2 {
        for _ in 0..2 {
            let (_, result) = answer(&generator).await;
            assert!(matches!(result, Err(GenerateError::Cut)), "{result:?}");
        }
        let mut words = generator.start(&[]).await.unwrap();
        assert_eq!(words.next().await.unwrap().as_deref(), Some("At "));
    }
}
