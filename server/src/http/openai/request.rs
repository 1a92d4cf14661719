//! The request for a chat completion. A parameter that would change the answer and is not supported is an error that names it; one
//! that only tunes a language model is ignored and named in the response.

use contract::{
    SessionId, Validate,
    ask::AskQuestion,
    widget::{MAX_QUESTION, MessageRole, SessionToken, WidgetMessage},
};
use serde_json::{Map, Value};

use super::{Result, citations::Citations, refusal::Refusal};
use crate::service::answers::Question;

/// Parameters that change nothing: the chatbot's own settings decide.
const IGNORED: [&str; 17] = [
    "frequency_penalty",
    "logit_bias",
    "max_completion_tokens",
    "max_tokens",
    "parallel_tool_calls",
    "presence_penalty",
    "prompt_cache_key",
    "prompt_cache_retention",
    "reasoning_effort",
    "seed",
    "service_tier",
    "store",
    "temperature",
    "tool_choice",
    "top_k",
    "top_p",
    "verbosity",
];
/// Parameters that change nothing with these values, which clients send as defaults.
const ONLY: [(&str, &[&str]); 6] = [
    ("logprobs", &["false"]),
    ("modalities", &[r#"["text"]"#]),
    ("n", &["1"]),
    ("response_format", &[r#"{"type":"text"}"#]),
    ("stop", &["[]"]),
    ("tools", &["[]"]),
];
/// Parameters that this module reads.
const READ: [&str; 8] =
    ["citations", "messages", "metadata", "model", "safety_identifier", "stream", "stream_options", "user"];
/// The name in the list of ignored parameters for messages of the roles `system` and `developer`.
const SYSTEM_MESSAGES: &str = "messages.system";
/// Maximum earlier messages that are context, the newest.
const MAX_EARLIER: usize = 20;
/// Maximum characters of an earlier answer; the rest is cut off.
const MAX_EARLIER_ANSWER: usize = 20_000;

/// A request for a chat completion.
#[derive(Debug)]
pub(super) struct Completion {
    pub(super) model: String,
    pub(super) question: Question,
    pub(super) is_streamed: bool,
    pub(super) includes_usage: bool,
    pub(super) citations: Citations,
    /// Parameters that change nothing.
    pub(super) ignored: Vec<&'static str>,
}

/// Reads the body.
///
/// # Errors
/// 400 with the first parameter that is not valid or not supported.
pub(super) fn read(mut body: Map<String, Value>) -> Result<Completion> {
    body.retain(|_, value| !value.is_null());
    let mut ignored = check_names(&body)?;
    let model = text(&body, "model")?.ok_or_else(|| missing("model"))?;
    let includes_usage = match body.get("stream_options") {
        None => false,
        Some(Value::Object(options)) => flag(options, "include_usage", "stream_options.include_usage")?,
        Some(_) => return Err(wrong_type("stream_options", "an object")),
    };
    let visitor = text(&body, "safety_identifier")?.map(|visitor| ("safety_identifier", visitor));
    let visitor = text(&body, "user")?.map(|visitor| ("user", visitor)).or(visitor);
    let (session_id, session_token) = session(&body, &mut ignored)?;
    let Messages { question, place, earlier, has_system } = messages(&body)?;
    if has_system {
        ignored.push(SYSTEM_MESSAGES);
    }
    let visitor_ref = visitor.as_ref().map(|(_, visitor)| visitor.clone());
    let question = AskQuestion { session_id, session_token, question, visitor_ref };
    if let Some(error) = question.validate().first() {
        let is_visitor = error.loc.last().is_some_and(|field| field == "visitor_ref");
        let param = visitor.filter(|_| is_visitor).map_or(place, |(name, _)| name.to_owned());
        let message = format!("'{param}' {}.", error.msg);
        return Err(Refusal::parameter(param, "invalid_value", message));
    }
    Ok(Completion {
        model,
        question: Question { earlier: Some(earlier), ..Question::from(question) },
        is_streamed: flag(&body, "stream", "stream")?,
        includes_usage,
        citations: citations(&body)?,
        ignored,
    })
}

/// The parameters that change nothing.
fn check_names(body: &Map<String, Value>) -> Result<Vec<&'static str>> {
    for (name, value) in body {
        let only = ONLY.iter().find(|(parameter, _)| parameter == name);
        if let Some((_, harmless)) = only {
            if !harmless.contains(&value.to_string().as_str()) {
                let message = format!("'{name}' is not supported: the answer is text from the chatbot's documents.");
                return Err(Refusal::parameter(name.as_str(), "unsupported_parameter", message));
            }
        } else if !IGNORED.contains(&name.as_str()) && !READ.contains(&name.as_str()) {
            let short_name: String = name.chars().take(100).collect();
            let message = format!("'{short_name}' is not a supported parameter.");
            return Err(Refusal::parameter(short_name, "unsupported_parameter", message));
        }
    }
    let tool_choice = body.get("tool_choice").and_then(Value::as_str);
    if body.contains_key("tool_choice") && !matches!(tool_choice, Some("none" | "auto")) {
        return Err(unsupported("tool_choice"));
    }
    Ok(IGNORED.into_iter().filter(|name| body.contains_key(*name)).collect())
}

/// The session that `metadata` continues. Other metadata is ignored.
fn session(
    body: &Map<String, Value>,
    ignored: &mut Vec<&'static str>,
) -> Result<(Option<SessionId>, Option<SessionToken>)> {
    let metadata = match body.get("metadata") {
        None => return Ok((None, None)),
        Some(Value::Object(metadata)) => metadata,
        Some(_) => return Err(wrong_type("metadata", "an object")),
    };
    if metadata.keys().any(|key| key != "session_id" && key != "session_token") {
        ignored.push("metadata");
    }
    let id = match metadata.get("session_id") {
        None => None,
        Some(id) => Some(serde_json::from_value(id.clone()).map_err(|_| {
            Refusal::parameter("metadata.session_id", "invalid_value", "'metadata.session_id' is not a valid id.")
        })?),
    };
    let token = metadata.get("session_token").and_then(Value::as_str);
    Ok((id, token.map(|token| SessionToken(token.to_owned()))))
}

fn citations(body: &Map<String, Value>) -> Result<Citations> {
    match text(body, "citations")?.as_deref() {
        None | Some("annotations") => Ok(Citations::Annotations),
        Some("text") => Ok(Citations::Text),
        Some(_) => {
            Err(Refusal::parameter("citations", "invalid_value", "'citations' must be 'annotations' or 'text'."))
        }
    }
}

/// The messages of a request.
struct Messages {
    /// The last one, which is the visitor's.
    question: String,
    /// The parameter that it is in.
    place: String,
    /// Those before it.
    earlier: Vec<WidgetMessage>,
    /// Whether there are messages of the roles `system` and `developer`.
    has_system: bool,
}

fn messages(body: &Map<String, Value>) -> Result<Messages> {
    let list = body.get("messages").ok_or_else(|| missing("messages"))?;
    let list = list.as_array().ok_or_else(|| wrong_type("messages", "a list"))?;
    let (mut turns, mut has_system) = (Vec::new(), false);
    for (index, message) in list.iter().enumerate() {
        let place = format!("messages[{index}]");
        let message = message.as_object().ok_or_else(|| wrong_type(&place, "an object"))?;
        for field in ["tool_calls", "function_call", "audio"] {
            if message.get(field).is_some_and(|value| !value.is_null() && *value != Value::Array(Vec::new())) {
                return Err(unsupported(format!("{place}.{field}")));
            }
        }
        let role = match message.get("role").and_then(Value::as_str) {
            Some("user") => MessageRole::User,
            Some("assistant") => MessageRole::Assistant,
            Some("system" | "developer") => {
                has_system = true;
                continue;
            }
            Some("tool" | "function") => return Err(unsupported(format!("{place}.role"))),
            _ => {
                let rule = "must be 'user', 'assistant', 'system' or 'developer'";
                let param = format!("{place}.role");
                return Err(Refusal::parameter(&param, "invalid_value", format!("'{param}' {rule}.")));
            }
        };
        turns.push((role, content(message, &format!("{place}.content"))?));
    }
    let place = format!("messages[{}].content", list.len().saturating_sub(1));
    let last_is_visitors = list.last().is_some_and(|last| last["role"] == "user");
    let Some((_, question)) = turns.pop().filter(|_| last_is_visitors) else {
        return Err(Refusal::parameter("messages", "invalid_value", "'messages' must end with a message of the user."));
    };
    let newest = turns.split_off(turns.len().saturating_sub(MAX_EARLIER));
    let earlier = newest.into_iter().map(|(role, content)| {
        let limit = if role == MessageRole::User { MAX_QUESTION } else { MAX_EARLIER_ANSWER };
        Question::earlier_message(role, content.chars().take(limit).collect())
    });
    Ok(Messages { question, place, earlier: earlier.collect(), has_system })
}

/// The text of a message, or of its parts.
fn content(message: &Map<String, Value>, place: &str) -> Result<String> {
    let parts = match message.get("content") {
        Some(Value::String(text)) => return Ok(text.clone()),
        Some(Value::Array(parts)) => parts,
        None | Some(Value::Null) => return Err(missing(place)),
        Some(_) => return Err(wrong_type(place, "a text or a list of parts")),
    };
    let text = |(index, part): (usize, &Value)| match (part["type"].as_str(), part["text"].as_str()) {
        (Some("text"), Some(text)) => Ok(text.to_owned()),
        _ => Err(unsupported(format!("{place}[{index}]"))),
    };
    Ok(parts.iter().enumerate().map(text).collect::<Result<Vec<_>>>()?.join("\n"))
}

fn text(body: &Map<String, Value>, name: &str) -> Result<Option<String>> {
    match body.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(wrong_type(name, "a text")),
    }
}

fn flag(body: &Map<String, Value>, name: &str, place: &str) -> Result<bool> {
    match body.get(name) {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(_) => Err(wrong_type(place, "true or false")),
    }
}

fn missing(param: &str) -> Refusal {
    Refusal::parameter(param, "missing_required_parameter", format!("'{param}' is required."))
}

fn wrong_type(param: &str, expected: &str) -> Refusal {
    Refusal::parameter(param, "invalid_type", format!("'{param}' must be {expected}."))
}

fn unsupported(param: impl Into<String>) -> Refusal {
    let param = param.into();
    let message = format!("'{param}' is not supported.");
    Refusal::parameter(param, "unsupported_parameter", message)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn request(more: Value) -> Map<String, Value> {
        let mut body = json!({ "model": "shop", "messages": [{ "role": "user", "content": "When?" }] });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body.as_object().unwrap().clone()
    }

    fn param(more: Value) -> Value {
        read(request(more)).unwrap_err().body()["error"]["param"].clone()
    }

    #[test]
    fn unsupported_parameters_are_named() {
        for more in [
            json!({ "tools": [{ "type": "function" }] }),
            json!({ "n": 2 }),
            json!({ "response_format": { "type": "json_object" } }),
            json!({ "logprobs": true }),
            json!({ "stop": ["x"] }),
            json!({ "functions": [] }),
            json!({ "web_search_options": {} }),
            json!({ "made_up": 1 }),
            json!({ "tool_choice": "required" }),
            json!({ "citations": "none" }),
            json!({ "stream": "yes" }),
        ] {
            let name = more.as_object().unwrap().keys().next().unwrap().clone();
            assert_eq!(param(more), json!(name));
        }
    }

    #[test]
    fn harmless_parameters_are_ignored_and_named() {
        let more = json!({ "temperature": 0.2, "max_tokens": 5, "n": 1, "tools": null, "stop": null, "seed": 7,
                           "response_format": { "type": "text" }, "metadata": { "team": "x" },
                           "messages": [{ "role": "system", "content": "Be brief." }, { "role": "user", "content": "When?" }] });
        let completion = read(request(more)).unwrap();
        assert_eq!(completion.ignored, ["max_tokens", "seed", "temperature", "metadata", "messages.system"]);
    }

    #[test]
    fn the_last_message_is_the_question_and_others_are_context() {
        let parts = json!([{ "type": "text", "text": "And" }, { "type": "text", "text": "how?" }]);
        let messages = json!([
            { "role": "user", "content": "When?" },
            { "role": "assistant", "content": "Today." },
            { "role": "user", "content": parts },
        ]);
        let question = read(request(json!({ "messages": messages }))).unwrap().question;
        let earlier: Vec<_> = question.earlier.iter().flatten().map(|message| message.content.as_str()).collect();
        assert_eq!((question.text.as_str(), earlier), ("And\nhow?", vec!["When?", "Today."]));
    }

    #[test]
    fn messages_that_cannot_be_answered_are_named() {
        let user = json!({ "role": "user", "content": "x" });
        for (messages, place) in [
            (json!([]), "messages"),
            (json!([user, { "role": "assistant", "content": "y" }]), "messages"),
            (json!([{ "role": "system", "content": "y" }]), "messages"),
            (json!([{ "role": "tool", "content": "y" }, user]), "messages[0].role"),
            (json!([{ "role": "queen", "content": "y" }, user]), "messages[0].role"),
            (json!([{ "role": "user" }]), "messages[0].content"),
            (json!([{ "role": "user", "content": "" }]), "messages[0].content"),
            (json!([{ "role": "user", "content": "x".repeat(4001) }]), "messages[0].content"),
            (json!([{ "role": "user", "content": [{ "type": "image_url" }] }]), "messages[0].content[0]"),
            (json!([{ "role": "assistant", "content": null, "tool_calls": [{}] }, user]), "messages[0].tool_calls"),
        ] {
            assert_eq!(param(json!({ "messages": messages })), json!(place), "{messages}");
        }
    }
}
