//! Server functions for needs of the consoles only (composed overviews). Everything that a script could use is a REST
//! endpoint instead.
//!
//! Their errors have the API's body and statuses, so that a console handles both alike.

mod client;
pub mod operator;
mod table;
pub mod tenant;

use contract::{ErrorBody, ErrorCode};
use leptos::server_fn::{
    codec::JsonEncoding,
    error::{FromServerFnError, ServerFnErrorErr},
};
use serde::{Deserialize, Serialize};

pub use client::ConsoleClient;
pub use table::{ServerFunction, table};

/// Why a server function gave no result: the API's error body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConsoleError(pub ErrorBody);

impl From<ErrorBody> for ConsoleError {
    fn from(body: ErrorBody) -> Self {
        Self(body)
    }
}

impl FromServerFnError for ConsoleError {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        let code = match error {
            ServerFnErrorErr::Request(_) => ErrorCode::ServiceUnavailable,
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) => ErrorCode::ValidationError,
            _ => ErrorCode::InternalError,
        };
        // Invalid arguments never reach the function, which would set the status of its own errors.
        #[cfg(feature = "ssr")]
        if let Some(request) = leptos::prelude::use_context::<crate::backend::FnRequest>() {
            (request.set_status)(code.status());
        }
        Self(code.into())
    }
}

/// Runs `work` with the server's part of the request and sets the status of its error.
#[cfg(feature = "ssr")]
async fn with_request<T, F>(work: F) -> Result<T, ConsoleError>
where
    F: AsyncFnOnce(&crate::backend::FnRequest) -> Result<T, ErrorBody>,
{
    let Some(request) = leptos::prelude::use_context::<crate::backend::FnRequest>() else {
        return Err(ConsoleError(ErrorCode::InternalError.into()));
    };
    work(&request).await.map_err(|body| {
        (request.set_status)(body.code().map_or(500, ErrorCode::status));
        ConsoleError(body)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_the_error_body_of_the_api() {
        let error = ConsoleError(ErrorCode::NotAuthenticated.into());
        assert_eq!(error.ser().as_ref(), br#"{"detail":"not_authenticated"}"#);
        assert_eq!(ConsoleError::de(error.ser()), error);
    }

    #[test]
    fn an_answer_that_is_no_error_body_is_an_internal_error() {
        let error = ConsoleError::de("<html>502 Bad Gateway</html>".into());
        assert_eq!(error.0.code(), Some(ErrorCode::InternalError));
    }

    #[test]
    fn every_address_is_fixed_and_below_its_console() {
        let paths: Vec<_> = table().iter().map(|function| function.path).collect();
        assert_eq!(
            paths,
            [
                "/admin/operator/_fn/overview",
                "/admin/operator/_fn/trends",
                "/admin/operator/_fn/health",
                "/admin/operator/_fn/template-adoption",
                "/tenant/_fn/overview",
                "/tenant/_fn/trends",
                "/tenant/_fn/open-work",
                "/tenant/_fn/text-recognition",
                "/tenant/_fn/document"
            ]
        );
    }
}
