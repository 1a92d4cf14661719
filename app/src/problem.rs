//! The error of a call, with a message for the user and the request id of the server's log.

use contract::{ErrorBody, ErrorCode, FieldError, client::ClientError};

use crate::{
    error_messages,
    i18n::{Localized, texts},
    server_fns::ConsoleError,
};

/// A failed call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The API's error body.
    pub body: ErrorBody,
    /// The request id to report to the operators, if there was a response.
    pub request_id: Option<String>,
}

impl Problem {
    /// The machine-readable code, if this version knows it.
    pub fn code(&self) -> Option<ErrorCode> {
        self.body.code()
    }

    /// Whether what the call is about does not exist, or not for this user.
    pub fn is_missing(&self) -> bool {
        self.code().is_some_and(|code| code.status() == 404)
    }

    /// What went wrong, in words for people.
    pub fn sentence(&self) -> Localized {
        error_messages::quota(self.code(), self.fields())
            .unwrap_or_else(|| error_messages::sentence(self.code()).into())
    }

    /// The sentence with the request id, when there is one.
    pub fn message(&self) -> Localized {
        let sentence = self.sentence();
        match self.request_id.clone() {
            Some(id) => Localized::new(move || format!("{} ({}: {id})", sentence.get(), texts::REQUEST_ID.get())),
            None => sentence,
        }
    }

    /// Whether a quota is exhausted: then the errors contain its numbers, and no field is invalid.
    pub fn is_quota(&self) -> bool {
        self.body.errors.iter().any(|error| error.limit.is_some())
    }

    /// The broken rules of a validation error.
    pub fn fields(&self) -> &[FieldError] {
        &self.body.errors
    }
}

impl From<ErrorCode> for Problem {
    fn from(code: ErrorCode) -> Self {
        Self { body: code.into(), request_id: None }
    }
}

impl From<ClientError> for Problem {
    fn from(error: ClientError) -> Self {
        Self { body: error.error, request_id: error.request_id }
    }
}

impl From<ConsoleError> for Problem {
    fn from(error: ConsoleError) -> Self {
        Self { body: error.0, request_id: None }
    }
}
