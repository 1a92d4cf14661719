//! Error responses in Keycloak's format.

use axum::{
    Json,
    body::Bytes,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::people::Refused;

pub(in crate::http::admin) enum Refusal {
    Unknown,
    UnknownRole,
    SameUsername,
    SameEmail,
    /// A field and the key of its message.
    Value(&'static str, &'static str),
    Password,
    Malformed,
    Failed,
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Unknown => Self::Unknown,
            Refused::SameUsername => Self::SameUsername,
            Refused::SameEmail => Self::SameEmail,
            Refused::Full => Self::Failed,
            Refused::Unwritten(error) => {
                tracing::error!(%error, "idp.people_not_written");
                Self::Failed
            }
        }
    }
}

pub(in crate::http::admin) fn refuse(refusal: Refusal) -> Response {
    let (status, body) = match refusal {
        Refusal::Unknown => (StatusCode::NOT_FOUND, json!({ "error": "User not found" })),
        Refusal::UnknownRole => (StatusCode::NOT_FOUND, json!({ "error": "Could not find role" })),
        Refusal::SameUsername => (StatusCode::CONFLICT, json!({ "errorMessage": "User exists with same username" })),
        Refusal::SameEmail => (StatusCode::CONFLICT, json!({ "errorMessage": "User exists with same email" })),
        Refusal::Value(field, message) => {
            (StatusCode::BAD_REQUEST, json!({ "field": field, "errorMessage": message, "params": [field] }))
        }
        Refusal::Password => (StatusCode::BAD_REQUEST, json!({ "error": "invalidPasswordMinLengthMessage" })),
        Refusal::Malformed => (StatusCode::BAD_REQUEST, json!({ "error": "Cannot parse the JSON" })),
        Refusal::Failed => (StatusCode::INTERNAL_SERVER_ERROR, json!({ "error": "unknown_error" })),
    };
    (status, Json(body)).into_response()
}

/// The JSON of a body.
pub(in crate::http::admin) fn body<T: DeserializeOwned>(bytes: &Bytes) -> Result<T, Refusal> {
    serde_json::from_slice(bytes).map_err(|_| Refusal::Malformed)
}
