//! Parses path, query and body of a request. Invalid input is a 422 that names its place.

use std::any::TypeId;

use axum::{
    body::{Body, Bytes},
    extract::{FromRequestParts, Path, RawPathParams},
};
use contract::{ErrorCode, FieldError};
use futures::{Stream, StreamExt};
use http::{header, request::Parts};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::{
    DeserializeOwned,
    value::{Error as ValueError, UnitDeserializer},
};
use serde_json::Value;

use crate::{
    error::{ApiError, ApiResult},
    http::serving::BodyTimedOut,
};

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
    serde_path_to_error::deserialize(deserializer).map_err(|error| {
        let parameter = error.path().iter().next().is_none().then(|| find_bad_param::<T>(query)).flatten();
        located("query", &error, parameter)
    })
}

/// Limits of the search for a bad parameter or field: each probe leaves one of them out and reads the rest again.
const MAX_PROBES: usize = 64;
const MAX_PROBE_BYTES: usize = 64 * 1024;

/// Finds the parameter without which the query can be read. A flattened struct does not name the one that it refused.
///
/// For `limit=x&sort=name`, `sort=name` alone can be parsed, so `limit` is the bad one.
fn find_bad_param<T: DeserializeOwned>(query: &str) -> Option<String> {
    let parsed = url::form_urlencoded::parse(query.as_bytes());
    let pairs: Vec<_> = parsed.take(MAX_PROBES + 1).collect();
    if pairs.len() > MAX_PROBES || query.len() > MAX_PROBE_BYTES {
        return None;
    }
    let reads_without = |index: usize| {
        let others = pairs.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, pair)| pair);
        let text = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(others).finish();
        serde_urlencoded::from_str::<T>(&text).is_ok()
    };
    (0..pairs.len()).find(|index| reads_without(*index)).map(|index| pairs[index].0.to_string())
}

/// Finds the field without which the body fails for another reason or not at all, as [`find_bad_param`] does.
fn find_bad_field<T: DeserializeOwned>(bytes: &[u8]) -> Option<String> {
    if bytes.len() > MAX_PROBE_BYTES {
        return None;
    }
    let mut body: Value = serde_json::from_slice(bytes).ok()?;
    let fields: Vec<String> = body.as_object().filter(|map| map.len() <= MAX_PROBES)?.keys().cloned().collect();
    let fault = |body: &Value| T::deserialize(body).err().map(|error| error.to_string());
    let whole = fault(&body)?;
    fields.into_iter().find(|field| {
        let Some(value) = body.as_object_mut().and_then(|map| map.remove(field)) else { return false };
        let without = fault(&body);
        body[field] = value;
        without.is_none_or(|other| other != whole && !other.starts_with("missing field"))
    })
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
        let mut deserializer = serde_json::Deserializer::from_slice(bytes);
        let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
            let field = error.path().iter().next().is_none().then(|| find_bad_field::<T>(bytes)).flatten();
            located("body", &error, field)
        })?;
        match deserializer.end() {
            Ok(()) => Ok(value),
            Err(_) => Err(ApiError::field(&["body"], "must not have anything after the JSON value", "json")),
        }
    }

    /// The body's bytes, at most `limit`.
    pub(super) async fn bytes(&mut self, limit: usize) -> ApiResult<&Bytes> {
        if let Self::Unread(body) = self {
            let body = std::mem::take(body);
            let bytes = match Limited::new(body, limit).collect().await {
                Ok(collected) => collected.to_bytes(),
                Err(error) if error.is::<LengthLimitError>() => return Err(ErrorCode::PayloadTooLarge.into()),
                Err(error) => return Err(broken(error.as_ref())),
            };
            *self = Self::Read(bytes);
        }
        match self {
            Self::Read(bytes) => Ok(bytes),
            Self::Unread(_) => Err(ErrorCode::InternalError.into()),
        }
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

/// The error with its place, or with `part` when the error does not name one. The message contains no input.
fn located<E: std::fmt::Display>(root: &str, error: &serde_path_to_error::Error<E>, part: Option<String>) -> ApiError {
    let text = error.inner().to_string();
    let mut loc = vec![root.to_owned()];
    loc.extend(error.path().iter().filter_map(|segment| {
        use serde_path_to_error::Segment;
        match segment {
            Segment::Seq { index } => Some(index.to_string()),
            Segment::Map { key } => Some(key.clone()),
            Segment::Enum { .. } | Segment::Unknown => None,
        }
    }));
    loc.extend(part);
    let mut kind = "type";
    let mut msg = text.split(" at line ").next().unwrap_or(&text).to_owned();
    if let Some(field) = msg.strip_prefix("missing field `").and_then(|rest| rest.split('`').next()) {
        loc.push(field.to_owned());
        (msg, kind) = ("is required".to_owned(), "missing");
    } else if loc.len() == 1 && root == "body" && !msg.starts_with("invalid type") {
        kind = "json";
    }
    ApiError::validation(vec![FieldError { loc, msg, kind: kind.to_owned(), limit: None, used: None }])
}

/// The name of the path argument that did not parse: the one in the message, or the last.
fn failing_name(pattern: &str, message: &str) -> String {
    let names = || pattern.split('/').filter_map(|part| part.strip_prefix('{').and_then(|p| p.strip_suffix('}')));
    let named = names().find(|name| message.contains(*name));
    named.or_else(|| names().next_back()).unwrap_or("path").to_owned()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use serde::{Deserialize, Deserializer, de::Error as _, de::IgnoredAny};

    use super::*;

    thread_local! {
        static READS: Cell<usize> = const { Cell::new(0) };
    }

    /// Refuses every input and counts how often it is read.
    struct Unreadable;

    impl<'de> Deserialize<'de> for Unreadable {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            READS.set(READS.get() + 1);
            IgnoredAny::deserialize(deserializer)?;
            Err(D::Error::custom("refused"))
        }
    }

    fn reads<T>(of: impl FnOnce() -> Option<T>) -> usize {
        READS.set(0);
        assert!(of().is_none());
        READS.get()
    }

    #[test]
    fn probing_a_query_is_bounded() {
        assert_eq!(reads(|| find_bad_param::<Unreadable>("a&b&c")), 3);
        assert_eq!(reads(|| find_bad_param::<Unreadable>(&["a"; MAX_PROBES].join("&"))), MAX_PROBES);
        assert_eq!(reads(|| find_bad_param::<Unreadable>(&["a"; MAX_PROBES + 1].join("&"))), 0);
        assert_eq!(reads(|| find_bad_param::<Unreadable>(&["a"; 32_000].join("&"))), 0);
        assert_eq!(reads(|| find_bad_param::<Unreadable>(&format!("a&b={}", "x".repeat(MAX_PROBE_BYTES)))), 0);
    }

    #[test]
    fn probing_a_body_is_bounded() {
        let body = |fields: usize, padding: usize| {
            let fields = (0..fields).map(|field| (field.to_string(), Value::from("x".repeat(padding))));
            serde_json::to_vec(&fields.collect::<serde_json::Map<_, _>>()).unwrap()
        };
        assert_eq!(reads(|| find_bad_field::<Unreadable>(&body(3, 0))), 4, "once whole, once without each");
        assert_eq!(reads(|| find_bad_field::<Unreadable>(&body(MAX_PROBES + 1, 0))), 0);
        assert_eq!(reads(|| find_bad_field::<Unreadable>(&body(3, MAX_PROBE_BYTES / 3))), 0);
    }
}
