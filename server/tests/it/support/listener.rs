//! A client of an event stream: a visitor during an answer, or a user of a tenant during reading.

use std::time::Duration;

use reqwest::{RequestBuilder, Response, header::HeaderMap};
use serde_json::{Value, json};

use super::{ORIGIN, Platform, Tenant, TestResponse, session_tokens};

/// The longest wait for the next event.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Events that are being streamed.
pub struct Listener {
    pub headers: HeaderMap,
    response: Response,
    received: String,
}

/// An event: its name and its data.
pub type Event = (String, Value);

impl Platform {
    /// Requests a stream; another response is returned as an error.
    pub async fn listen(&self, tenant: Tenant, session: &Value, question: &str) -> Result<Listener, TestResponse> {
        let path = format!("{}/api/v1/widget/chatbots/{}/query", self.base_url, tenant.chatbot);
        let request = self.http.post(path).header("origin", ORIGIN);
        let body = session_tokens::add(&json!({ "session_id": session, "question": question }));
        Listener::open(request.json(&body)).await
    }

    /// Requests a stream and reads it to its end.
    pub async fn hear(&self, tenant: Tenant, session: &Value, question: &str) -> Vec<Event> {
        let listener = self.listen(tenant, session, question).await;
        listener.unwrap_or_else(|answer| panic!("no stream: {answer:?}")).rest().await
    }
}

impl Listener {
    /// Sends a request for a stream; another response is returned as an error.
    pub async fn open(request: RequestBuilder) -> Result<Self, TestResponse> {
        let response = request.header("accept", "text/event-stream").send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        if headers["content-type"] == "text/event-stream" {
            assert_eq!(status, 200);
            return Ok(Self { headers, response, received: String::new() });
        }
        let text = response.text().await.unwrap();
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        Err(TestResponse { status, headers, text, body })
    }

    /// The next event; `None` when the stream has ended or was cut off.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            while let Some((event, rest)) = self.received.split_once("\n\n") {
                let (event, rest) = (event.to_owned(), rest.to_owned());
                self.received = rest;
                if let Some(event) = parse(&event) {
                    session_tokens::remember(&event.1);
                    return Some(event);
                }
            }
            let chunk = tokio::time::timeout(TIMEOUT, self.response.chunk()).await.expect("an event arrives");
            self.received.push_str(std::str::from_utf8(&chunk.ok()??).unwrap());
        }
    }

    /// All events until the end.
    pub async fn rest(mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }

    /// Reads until at least this many characters were received; returns them.
    pub async fn words(&mut self, least: usize) -> String {
        let mut text = String::new();
        while text.len() < least {
            let (name, data) = self.next().await.expect("more is said");
            if name == "token" {
                text.push_str(data["text"].as_str().unwrap());
            }
        }
        text
    }
}

/// The received words, concatenated.
pub fn words(events: &[Event]) -> String {
    events.iter().filter(|(name, _)| name == "token").map(|(_, data)| data["text"].as_str().unwrap()).collect()
}

/// The names of events; consecutive tokens count once.
pub fn names(events: &[Event]) -> Vec<&str> {
    let mut names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    names.dedup();
    names
}

/// Parses an event; `None` for a comment.
fn parse(event: &str) -> Option<Event> {
    let (mut name, mut data) = (None, None);
    for line in event.lines() {
        match line.split_once(':').unwrap() {
            ("", _) => {}
            ("event", value) => name = Some(value.trim().to_owned()),
            ("data", value) => data = Some(serde_json::from_str(value).unwrap()),
            other => panic!("no field of ours: {other:?}"),
        }
    }
    name.zip(data)
}
