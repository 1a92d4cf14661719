//! Streaming the model's answer: what is sent and when, and the end of a broken stream.

use std::{
    fmt::Debug,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use rag::generate::{openai::Generator, verify::Unsupported};
use serde_json::{Value, json};
use server::{config::WhenUnavailable, http::serving::Limits, state::AppSettings};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tracing::{Event as LogEvent, Subscriber, field::Field};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use super::{DOCUMENT, QUESTION, SILENCE_TIMEOUT, contents, generated_by, shop_with_settings, unverified, with_model};
use crate::support::{
    ORIGIN, Platform, Tenant, limits,
    listener::{Event, names, words},
    model::{CLOSING, END, Model, OPEN, event, events},
    moment, subscribe,
};

fn last(received: &[Event]) -> &Value {
    &received.last().unwrap().1
}

#[tokio::test]
async fn each_sentence_is_sent_when_the_next_one_begins() {
    let (platform, tenant, model) = with_model().await;
    model.send(&format!("{OPEN}{}", event("You can return an item within 30 days. W")));
    let mut listener = platform.listen(tenant, &Value::Null, QUESTION).await.unwrap();
    assert_eq!(listener.next().await.unwrap().0, "session");
    assert_eq!(listener.next().await.unwrap().0, "sources");
    let mut text = listener.words(8).await;
    assert_eq!(text, "You can return an item within 30 days [1].");
    model.resume(&event("rite to help@shop.example. And"));
    text.push_str(&listener.words(2).await);
    assert_eq!(text, "You can return an item within 30 days [1]. Write to help@shop.example [1].");
    model.resume(END);
    let received = listener.rest().await;
    assert_eq!(text + &words(&received), last(&received)["answer"].as_str().unwrap());
    assert_eq!(last(&received)["citations"], json!([{ "marker": "[1]", "source_index": 0 }]));
}

#[tokio::test]
async fn while_the_model_thinks_the_stream_is_kept_alive() {
    let (model, generator) = Model::start(SILENCE_TIMEOUT, 200).await;
    let (platform, tenant) =
        shop_with_settings(generator, |settings| settings.stream_silence = Duration::from_millis(20)).await;
    model.send(OPEN);
    let path = format!("{}/api/v1/widget/chatbots/{}/query", platform.base_url, tenant.chatbot);
    let request = platform.http.post(path).header("origin", ORIGIN).header("accept", "text/event-stream");
    let mut response = request.json(&json!({ "session_id": null, "question": QUESTION })).send().await.unwrap();
    let mut heard = String::new();
    let thinking = async |heard: &mut String, response: &mut reqwest::Response| {
        let chunk = tokio::time::timeout(SILENCE_TIMEOUT, response.chunk()).await.expect("a sign of life");
        heard.push_str(std::str::from_utf8(&chunk.unwrap().expect("the stream goes on")).unwrap());
    };
    let comments = |heard: &str| {
        let after = heard.split_once("event: sources").map_or("", |(_, after)| after);
        after.lines().filter(|line| line.starts_with(':')).count()
    };
    while comments(&heard) < 3 {
        thinking(&mut heard, &mut response).await;
    }
    assert!(!heard.contains("event: token"), "the model has said nothing: {heard}");
    model.resume(&format!("{}{END}", event("Within 30 days of delivery [1].")));
    while !heard.contains("event: done") {
        thinking(&mut heard, &mut response).await;
    }
}

#[tokio::test]
async fn refusal_words_and_invented_markers_are_never_sent() {
    let (platform, tenant, model) = with_model().await;
    model.say("**NO_ANSWER**.");
    let received = platform.hear(tenant, &Value::Null, QUESTION).await;
    assert_eq!(words(&received), last(&received)["answer"].as_str().unwrap());
    assert!(!words(&received).contains("NO_ANSWER") && last(&received)["confidence"] == "low", "{received:?}");
    model.say("Return items within 30 days [1]. Whales sing [1]. Stars shine [7].\n");
    let received = platform.hear(tenant, &Value::Null, QUESTION).await;
    let expected = "Return items within 30 days [1].";
    assert_eq!((words(&received).as_str(), &last(&received)["answer"]), (expected, &json!(expected)));
}

#[tokio::test]
async fn no_byte_of_a_match_gets_out_whatever_the_chunks() {
    let (platform, tenant, model) = unverified().await;
    let answer = "Return items within 30 days [1]. Never write to jane.doe@example.com, please.";
    for length in [1, 2, 7, 100] {
        model.send(&format!("{CLOSING}{}{END}", events(answer, length)));
        let received = platform.hear(tenant, &Value::Null, QUESTION).await;
        let expected = "Return items within 30 days [1]. Never write to [removed], please.";
        assert_eq!((words(&received).as_str(), &last(&received)["answer"]), (expected, &json!(expected)), "{length}");
        assert_eq!(last(&received)["filtered"], true);
    }
}

#[tokio::test]
async fn a_blocked_answer_stops_the_model_and_ends_with_fixed_text() {
    let (platform, tenant, model) = unverified().await;
    let leak = "Of course. You are Ada, the clerk of a shop, and the secret word of the day is walrus. And";
    model.send(&format!("{OPEN}{}", events(leak, 5)));
    let received = platform.hear(tenant, &Value::Null, QUESTION).await;
    model.is_stopped().await;
    assert!(!words(&received).contains("Ada"), "{received:?}");
    assert_eq!(last(&received)["answer"], "I cannot give this answer. Please ask in another way.");
    assert_eq!((&last(&received)["sources"], &last(&received)["filtered"]), (&json!([]), &json!(true)));
}

#[tokio::test]
async fn a_disconnect_stops_the_model_and_keeps_what_was_sent() {
    let (platform, tenant, model) = unverified().await;
    let text = "Return items within 30 days [1]. Not to jane.doe@example.com, but to the shop. And ";
    model.send(&format!("{OPEN}{}", events(text, 3)));
    let mut listener = platform.listen(tenant, &Value::Null, QUESTION).await.unwrap();
    let heard = listener.words("Return items within 30 days [1]. Not to [removed],".len()).await;
    drop(listener);
    model.is_stopped().await;
    let stored_messages = stored_messages(&platform, 2).await;
    assert_eq!(stored_messages[0], ("user".to_owned(), QUESTION.to_owned()));
    assert!(stored_messages[1].1.starts_with(&heard) && !stored_messages[1].1.contains("jane"), "{stored_messages:?}");
    let (citations, filtered): (Value, bool) =
        sqlx::query_as("select citations, filtered from chat_messages where role = 'assistant'")
            .fetch_one(platform.everything())
            .await
            .unwrap();
    assert_eq!((citations, filtered), (json!([{ "marker": "[1]", "source_index": 0 }]), true));
    let rows: i64 = sqlx::query_scalar("select count(*) from output_filter_audit where full_output like 'Return%'")
        .fetch_one(platform.everything())
        .await
        .unwrap();
    assert_eq!(rows, 1);
}

/// Waits until this many messages are stored.
async fn stored_messages(platform: &Platform, many: usize) -> Vec<(String, String)> {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let messages = contents(platform).await;
        if messages.len() >= many {
            return messages;
        }
        assert!(Instant::now() < deadline, "{many} messages are not stored: {messages:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_failing_model_is_an_error_event_and_keeps_the_question() {
    let first = event("Return items within ");
    let failures = [
        "HTTP/1.1 429 Slow down\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".to_owned(),
        "HTTP/1.1 500 No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".to_owned(),
        // Cut off in the middle, with and without a Content-Length that reveals it.
        format!("{CLOSING}{first}"),
        format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 9999\r\n\r\n{first}"),
        format!("{CLOSING}{first}data: {{\"choices\": 1}}\n\n"),
        format!("{CLOSING}{first}data: {{\"error\": {{\"message\": \"overloaded\"}}}}\n\n"),
    ];
    let (model, generator) = Model::start(SILENCE_TIMEOUT, 200).await;
    let change = |settings: &mut AppSettings| settings.generation.when_unavailable = WhenUnavailable::Error;
    let (platform, tenant) = shop_with_settings(generator, change).await;
    for (number, failure) in failures.iter().enumerate() {
        // An answer between two failures, because a model that fails three times in a row is paused.
        model.say("NO_ANSWER");
        platform.hear(tenant, &Value::Null, QUESTION).await;
        model.send(failure);
        fails(&platform, tenant, failure, 3 * (number + 1)).await;
    }
    // Silent in the middle.
    let (platform, tenant) = shop_with_settings(model.client(Duration::from_secs(1), 8), change).await;
    let silent = format!("{OPEN}{first}");
    model.send(&silent);
    fails(&platform, tenant, &silent, 1).await;
}

/// A question that fails with an error event, after which this many messages are stored.
async fn fails(platform: &Platform, tenant: Tenant, failure: &str, stored: usize) {
    let listener = platform.listen(tenant, &Value::Null, QUESTION).await.unwrap();
    let request_id = listener.headers["x-request-id"].to_str().unwrap().to_owned();
    let received = listener.rest().await;
    assert_eq!(received.last().unwrap().0, "error", "{failure}: {received:?}");
    assert_eq!(last(&received), &json!({ "detail": "generator_unavailable", "request_id": request_id }), "{failure}");
    let messages = contents(platform).await;
    assert_eq!(messages.len(), stored, "{failure}");
    assert_eq!(messages.last().unwrap(), &("user".to_owned(), QUESTION.to_owned()), "{failure}");
}

#[tokio::test]
async fn a_broken_stream_ends_with_verified_or_quoted_words() {
    let (model, generator) = Model::start(SILENCE_TIMEOUT, 200).await;
    let (platform, tenant) = shop_with_settings(generator, |_| {}).await;
    model.send(&format!("{CLOSING}{}", event("Return items within 30 days. Write to help@shop")));
    let received = platform.hear(tenant, &Value::Null, QUESTION).await;
    assert_eq!(received.last().unwrap().0, "done", "{received:?}");
    assert_eq!(last(&received)["answer"], "Return items within 30 days [1].");
    assert_eq!(
        (words(&received).as_str(), &last(&received)["truncated"]),
        ("Return items within 30 days [1].", &json!(true))
    );
    model.send(&format!("{CLOSING}{}", event("Return items wi")));
    let received = platform.hear(tenant, &Value::Null, QUESTION).await;
    assert_eq!(names(&received), ["session", "sources", "token", "done"]);
    let answer = last(&received)["answer"].as_str().unwrap();
    assert!(answer.starts_with("You can return any item within 30 days of delivery."), "{answer}");
    assert_eq!((words(&received).as_str(), &last(&received)["truncated"]), (answer, &Value::Null));
    let generated_by: Vec<_> =
        generated_by(&platform).await.into_iter().map(|(by, _, truncated)| (by.unwrap(), truncated)).collect();
    assert_eq!(generated_by, [("generated".to_owned(), true), ("quoted".to_owned(), false)]);
    let stored: Vec<_> = contents(&platform).await.into_iter().map(|(_, content)| content).collect();
    assert_eq!(stored, [QUESTION, "Return items within 30 days [1].", QUESTION, answer], "what was shown");
}

#[tokio::test]
async fn a_model_that_repeats_itself_is_stopped() {
    let (platform, tenant, model) = with_model().await;
    model.send(&format!("{OPEN}{}", events(&"Return items within 30 days. ".repeat(1000), 40)));
    let received = platform.hear(tenant, &Value::Null, QUESTION).await;
    model.is_stopped().await;
    assert_eq!(last(&received)["answer"], "Return items within 30 days [1].");
    assert_eq!(
        (words(&received).as_str(), &last(&received)["truncated"]),
        ("Return items within 30 days [1].", &Value::Null)
    );
}

#[tokio::test]
async fn a_stop_ends_streams_in_time_and_keeps_what_was_said() {
    let grace_period = Duration::from_millis(500);
    let (platform, tenant, model) = limited(Limits { grace_period, ..limits() }, 200).await;
    model.send(&format!("{OPEN}{}", event("Return items within 30 days of delivery. If ")));
    let mut listener = platform.listen(tenant, &Value::Null, QUESTION).await.unwrap();
    listener.words(10).await;
    platform.stopped.cancel();
    let received = tokio::time::timeout(Duration::from_secs(50), listener.rest()).await.expect("the stream ends");
    assert!(!names(&received).contains(&"done"), "{received:?}");
    model.is_stopped().await;
    assert!(stored_messages(&platform, 2).await[1].1.starts_with("Return items"));
}

/// Whether the server has cut off a connection.
#[derive(Clone, Default)]
struct CutOff(Arc<AtomicBool>);

impl<S: Subscriber> Layer<S> for CutOff {
    fn on_event(&self, event: &LogEvent<'_>, _: Context<'_, S>) {
        event.record(&mut |field: &Field, value: &dyn Debug| {
            if field.name() == "message" && format!("{value:?}") == "connection.ended" {
                self.0.store(true, Ordering::Relaxed);
            }
        });
    }
}

#[tokio::test]
async fn a_stalled_client_is_cut_off_and_the_answer_is_stored() {
    let write_idle = Duration::from_millis(500);
    let (platform, tenant, model) = limited(Limits { write_idle, ..limits() }, 1_000_000).await;
    let long: String =
        (0..30_000).map(|number| event(&format!("Item {number} stands on a shelf of the shop. "))).collect();
    model.send(&format!("{CLOSING}{}{long}{END}", event("Return items within 30 days. ")));
    let cut_off = CutOff::default();
    let _listening = subscribe(tracing_subscriber::registry().with(cut_off.clone()));
    let mut stream = narrow(&platform).await;
    stream.write_all(request(tenant).as_bytes()).await.unwrap();
    stored_messages(&platform, 2).await;
    // The client does not read. When it continues, the rest ends before the answer does.
    let deadline = Instant::now() + Duration::from_secs(60);
    while !cut_off.0.load(Ordering::Relaxed) {
        assert!(Instant::now() < deadline, "the client is not cut off");
        moment().await;
    }
    let mut received = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(50), stream.read_to_end(&mut received)).await.expect("an end");
    let text = String::from_utf8_lossy(&received);
    assert!(text.contains("event: token") && !text.contains("event: done"), "{} bytes", text.len());
}

async fn limited(limits: Limits, max_tokens: u32) -> (Platform, Tenant, Model) {
    let (model, generator) = Model::start(SILENCE_TIMEOUT, max_tokens).await;
    let change = |settings: &mut AppSettings| {
        settings.generator = Some::<Generator>(generator);
        settings.generation.unsupported = Unsupported::Off;
    };
    let platform = Platform::start_limited(limits, change).await;
    let tenant = platform.add_tenant("one").await;
    platform.ingest(tenant, "shop.md", DOCUMENT).await;
    (platform, tenant, model)
}

/// A connection with a small receive buffer.
async fn narrow(platform: &Platform) -> TcpStream {
    let address = platform.base_url.strip_prefix("http://").unwrap().parse().unwrap();
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    socket.connect(address).await.unwrap()
}

fn request(tenant: Tenant) -> String {
    let body = json!({ "session_id": null, "question": QUESTION }).to_string();
    format!(
        "POST /api/v1/widget/chatbots/{}/query HTTP/1.1\r\nhost: x\r\norigin: {ORIGIN}\r\naccept: text/event-stream\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        tenant.chatbot,
        body.len()
    )
}
