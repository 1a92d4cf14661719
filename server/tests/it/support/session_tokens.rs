//! The tokens of sessions, kept as the widget keeps them: remembered from every reply and sent with every later call of the session.

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex},
};

use serde_json::{Value, json};

/// Session ids are random, so all tests can share them.
static TOKENS: LazyLock<Mutex<HashMap<String, String>>> = LazyLock::new(Mutex::default);

/// Remembers the token of a reply or of a stream's event.
pub fn remember(reply: &Value) {
    if let (Some(session), Some(token)) = (reply["session_id"].as_str(), reply["session_token"].as_str()) {
        TOKENS.lock().unwrap().insert(session.to_owned(), token.to_owned());
    }
}

pub fn of(session: &str) -> Option<String> {
    TOKENS.lock().unwrap().get(session).cloned()
}

/// The body of a question with the token of its session.
pub fn add(body: &Value) -> Value {
    let mut body = body.clone();
    if let Some(token) = body["session_id"].as_str().and_then(of)
        && body.get("session_token").is_none()
    {
        body["session_token"] = json!(token);
    }
    body
}

/// The `Accept` header of a request for the history.
pub fn accept(path: &str) -> Option<String> {
    let (_, session) = path.strip_suffix("/messages")?.split_once("/sessions/")?;
    Some(format!("application/json;session_token={}", of(session)?))
}
