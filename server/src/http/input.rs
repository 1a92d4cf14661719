//! Parses path, query and body of a request. Invalid input is a 422 that names its place.

use std::any::TypeId;

use axum::{
    body::{Body, Bytes},
    extract::{FromRequestParts, Path, RawPathParams},
};
use contract::{ErrorCode, FieldError, input::InputError};
use futures::{Stream, StreamExt};
use http::{header, request::Parts};
use serde::de::{
    DeserializeOwned,
    value::{Error as ValueError, UnitDeserializer},
};

use crate::{
    error::{ApiError, ApiResult},
    http::serving::BodyTimedOut,
};

/// Maximum bytes of a body beyond its limit that are read.
const MAX_DROPPED_BYTES: usize = 4 << 20;

/// The arguments in the path.
pub(super) async fn path<T: DeserializeOwned + Send + 'static>(pattern: &str, parts: &mut Parts) -> ApiResult<T> {
    if let Some(unit) = unit::<T>() {
        return Ok(unit);
    }
    match Path::<T>::from_request_parts(parts, &()).await {
        Ok(Path(value)) => Ok(value),
        Err(rejection) => {
            let name = failing_name(pattern, &rejection.body_text());
            Err(ApiError::field(&["path", &name], "is not a valid id", "path"))
        }
    }
}

/// One raw argument of the path by its name.
pub(super) async fn raw_path(name: &str, parts: &mut Parts) -> Option<String> {
    let params = RawPathParams::from_request_parts(parts, &()).await.ok()?;
    params.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
}

/// The query parameters. Unknown ones are ignored.
pub(super) fn query<T: DeserializeOwned + 'static>(parts: &Parts) -> ApiResult<T> {
    if let Some(unit) = unit::<T>() {
        return Ok(unit);
    }
    let query = parts.uri.query().unwrap_or("");
    let deserializer = serde_urlencoded::Deserializer::new(url::form_urlencoded::parse(query.as_bytes()));
    contract::input::read(deserializer).map_err(|error| located("query", error))
}

/// A request's body, read at most once and only on demand.
#[derive(Debug)]
pub enum Content {
    /// Not read yet.
    Unread(Body),
    /// The bytes of the body.
    Read(Bytes),
}

impl Content {
    /// The JSON object in the body, at most `limit` bytes; `()` reads nothing.
    pub(super) async fn json<T: DeserializeOwned + 'static>(&mut self, parts: &Parts, limit: usize) -> ApiResult<T> {
        if let Some(unit) = unit::<T>() {
            return Ok(unit);
        }
        if !is_json(parts) {
            return Err(ApiError::field(&["body"], "must have content type application/json", "content_type"));
        }
        let bytes = self.bytes(limit).await?;
        // A structure could be read from an array, too, its fields by position.
        if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
            return Err(ApiError::field(&["body"], "must be a JSON object", "type"));
        }
        // serde_json does not look at the bytes of texts that it skips.
        let text = std::str::from_utf8(bytes).map_err(|_| ApiError::field(&["body"], "must be in UTF-8", "json"))?;
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let value = contract::input::read(&mut deserializer).map_err(|error| located("body", error))?;
        match deserializer.end() {
            Ok(()) => Ok(value),
            Err(_) => Err(ApiError::field(&["body"], "must not have anything after the JSON value", "json")),
        }
    }

    /// The body's bytes, at most `limit`.
    pub(super) async fn bytes(&mut self, limit: usize) -> ApiResult<&Bytes> {
        if let Self::Unread(body) = self {
            *self = Self::Read(collected(std::mem::take(body), limit).await?);
        }
        match self {
            Self::Read(bytes) => Ok(bytes),
            Self::Unread(_) => Err(ErrorCode::InternalError.into()),
        }
    }
}

/// The bytes of a body. Bytes beyond the limit are read and dropped, up to a second limit: a client that is still sending when
/// the connection closes would not read the answer.
async fn collected(body: Body, limit: usize) -> ApiResult<Bytes> {
    let (mut bytes, mut length) = (Vec::new(), 0_usize);
    let mut pieces = pieces(body);
    while let Some(piece) = pieces.next().await {
        let piece = piece?;
        length = length.saturating_add(piece.len());
        if length <= limit {
            bytes.extend_from_slice(&piece);
        } else if length - limit > MAX_DROPPED_BYTES {
            break;
        }
    }
    if length > limit { Err(ErrorCode::PayloadTooLarge.into()) } else { Ok(bytes.into()) }
}

/// The bytes of an uploaded file, at most `limit`, which the error names.
pub(super) async fn file(body: Body, limit: usize) -> ApiResult<Bytes> {
    match Content::Unread(body).bytes(limit).await {
        Ok(bytes) => Ok(bytes.clone()),
        Err(error) if error.is(ErrorCode::PayloadTooLarge) => Err(ApiError::too_large(limit as u64)),
        Err(error) => Err(error),
    }
}

/// The body a piece at a time.
pub(super) fn pieces(body: Body) -> impl Stream<Item = ApiResult<Bytes>> + Unpin + Send {
    body.into_data_stream().map(|piece| piece.map_err(|error| broken(&error)))
}

/// A body that did not arrive.
pub(super) fn broken(error: &(dyn std::error::Error + 'static)) -> ApiError {
    if is_late(error) {
        return ApiError::field(&["body"], "did not arrive in time", "timeout");
    }
    ApiError::field(&["body"], "could not be read", "body")
}

/// The value of a type that reads nothing, that is `()`.
fn unit<T: DeserializeOwned + 'static>() -> Option<T> {
    if TypeId::of::<T>() != TypeId::of::<()>() {
        return None;
    }
    T::deserialize(UnitDeserializer::<ValueError>::new()).ok()
}

/// Whether the client stopped sending, as the serving loop found.
fn is_late(error: &(dyn std::error::Error + 'static)) -> bool {
    error.is::<BodyTimedOut>() || error.source().is_some_and(is_late)
}

fn is_json(parts: &Parts) -> bool {
    let value = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let essence = value.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

/// The error with its place. A missing or repeated field is named only in serde's message.
fn located(root: &str, InputError { path, message }: InputError) -> ApiError {
    let mut loc = vec![root.to_owned()];
    loc.extend(path);
    let field_after = |prefix: &str| message.strip_prefix(prefix)?.split('`').next().map(str::to_owned);
    let (field, msg, kind) = if let Some(field) = field_after("missing field `") {
        (Some(field), "is required".to_owned(), "missing")
    } else if let Some(field) = field_after("duplicate field `") {
        (Some(field), "must appear only once".to_owned(), "type")
    } else if loc.len() == 1 && root == "body" && !message.starts_with("invalid type") {
        (None, rule(root, &message), "json")
    } else {
        (None, rule(root, &message), "type")
    };
    loc.extend(field);
    ApiError::validation(vec![FieldError::new(loc.iter().map(String::as_str), msg, kind)])
}

/// serde's message as a sentence that follows the field's name, without the names of Rust's types.
fn rule(root: &str, message: &str) -> String {
    let begins_with = |ways: &[&str]| ways.iter().any(|way| message.starts_with(way));
    if message.starts_with("UUID parsing failed") {
        return "is not a valid id".to_owned();
    }
    if let Some(values) = message.strip_prefix("provided string was not ") {
        return format!("must be {values}");
    }
    if !begins_with(&["invalid type: ", "invalid value: ", "invalid length ", "unknown variant "]) {
        // The messages of our own types are such sentences. All others of a body are about its syntax.
        let is_syntax = root == "body" && !begins_with(&["must ", "is "]);
        return if is_syntax { format!("is not valid JSON: {message}") } else { message.to_owned() };
    }
    // The input comes first in the message and may contain the same words.
    let expected = message.rsplit_once(", expected ").map_or("of another type", |(_, expected)| expected);
    match expected {
        "a formatted UUID string" => "is not a valid id".to_owned(),
        "a map" => "must be an object".to_owned(),
        "a sequence" => "must be a list".to_owned(),
        "string or map" => "must be a string".to_owned(),
        "i32" | "i64" | "u32" | "u64" if begins_with(&["invalid value"]) => "is out of range".to_owned(),
        "i32" | "i64" | "u32" | "u64" => "must be a whole number".to_owned(),
        expected if expected.starts_with("struct ") => "must be an object".to_owned(),
        expected => format!("must be {expected}"),
    }
}

/// The name of the path argument that did not parse: the one in the message, or the last.
fn failing_name(pattern: &str, message: &str) -> String {
    let names = || pattern.split('/').filter_map(|part| part.strip_prefix('{').and_then(|p| p.strip_suffix('}')));
    let from_message = names().find(|name| message.contains(*name));
    from_message.or_else(|| names().next_back()).unwrap_or("path").to_owned()
}

#[cfg(test)]
mod tests {
    use contract::{
        audit::{AuditCsvQuery, AuditListQuery},
        chatbots::ChatbotListQuery,
        conversations::ConversationListQuery,
        knowledge_hub::SearchQuery,
        output_filter::events::OutputFilterEventsQuery,
    };
    use http::Request;

    use super::*;

    fn read<T: DeserializeOwned + 'static>(text: &str) -> ApiResult<T> {
        let (parts, ()) = Request::get(format!("/?{text}")).body(()).unwrap().into_parts();
        query(&parts)
    }

    /// The place and the message of the error.
    fn error<T: DeserializeOwned + 'static>(text: &str) -> (String, String) {
        let Err(error) = read::<T>(text) else { panic!("{text} is good") };
        let error = error.into_body().errors.remove(0);
        (error.loc.join("/"), error.msg)
    }

    #[test]
    fn a_bad_parameter_is_named() {
        for (place, expected) in [
            (error::<AuditListQuery>("limit=5&tenant_id=x"), "query/tenant_id"),
            (error::<AuditCsvQuery>("chatbot_id=x"), "query/chatbot_id"),
            (error::<AuditCsvQuery>("include_details=x"), "query/include_details"),
            (error::<ChatbotListQuery>("q=a&status=x"), "query/status"),
            (error::<ConversationListQuery>("q=a&outcome=x"), "query/outcome"),
            (error::<ConversationListQuery>("rating=x&limit=5"), "query/rating"),
            (error::<OutputFilterEventsQuery>("tenant=x"), "query/tenant"),
            (error::<SearchQuery>("explain=x"), "query/explain"),
        ] {
            assert_eq!(place.0, expected);
        }
    }

    #[test]
    fn the_message_of_a_wrong_type_completes_a_sentence() {
        for (message, sentence) in [
            ("invalid type: integer `7`, expected a string", "must be a string"),
            ("invalid type: string \"a, expected b\", expected a boolean", "must be a boolean"),
            ("invalid type: null, expected struct QuotasPatch", "must be an object"),
            ("invalid type: map, expected a sequence", "must be a list"),
            ("invalid type: sequence, expected string or map", "must be a string"),
            ("invalid type: string \"x\", expected i64", "must be a whole number"),
            ("invalid value: integer `10000000000000000000`, expected i64", "is out of range"),
            ("invalid type: integer `7`, expected a formatted UUID string", "is not a valid id"),
            ("UUID parsing failed: invalid length: found 0", "is not a valid id"),
            ("unknown variant `x`, expected `up` or `down`", "must be `up` or `down`"),
            ("unknown variant `x`, expected one of `a`, `b`, `c`", "must be one of `a`, `b`, `c`"),
            ("provided string was not `true` or `false`", "must be `true` or `false`"),
            ("must be true or false", "must be true or false"),
            ("EOF while parsing a value", "is not valid JSON: EOF while parsing a value"),
        ] {
            assert_eq!(rule("body", message), sentence, "{message}");
        }
        let expected = ("query/tenant_id".to_owned(), "is not a valid id".to_owned());
        assert_eq!(error::<AuditListQuery>("tenant_id=x"), expected);
    }

    #[test]
    fn a_repeated_parameter_is_named_among_many() {
        let expected = ("query/limit".to_owned(), "must appear only once".to_owned());
        assert_eq!(error::<ChatbotListQuery>(&format!("{}limit=1&limit=1", "a&".repeat(20_000))), expected);
    }

    #[test]
    fn unknown_parameters_are_ignored_and_text_is_read_as_numbers() {
        let query = read::<ChatbotListQuery>("unknown=x&limit=7&unknown=y&offset=14").unwrap();
        assert_eq!((query.page.limit, query.page.offset, query.status), (7, 14, None));
    }
}
