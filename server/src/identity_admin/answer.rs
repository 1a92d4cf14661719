//! The response of a call: empty, or a body of bounded size.

use reqwest::Response;

use super::{IdentityError, IdentityResult};

const MAX_BODY_BYTES: usize = 8 * 1024 * 1024;

/// The error of a call without a response; its text contains no address.
pub(super) fn unreachable_provider(error: reqwest::Error) -> IdentityError {
    let what = if error.is_timeout() { "it took too long" } else { "it cannot be reached" };
    IdentityError::Unavailable(what.to_owned())
}

/// The body of an answer, which is not longer than what is understood.
pub(super) async fn body(mut response: Response) -> IdentityResult<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable_provider)? {
        if body.len() + chunk.len() > MAX_BODY_BYTES {
            return Err(IdentityError::Unavailable("its answer is too long".to_owned()));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
