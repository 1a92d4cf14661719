//! Shared responses.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use url::{Url, form_urlencoded};

/// A response that must not be cached.
pub(crate) fn no_store(answer: impl IntoResponse) -> Response {
    let mut response = answer.into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.headers_mut().insert(header::PRAGMA, HeaderValue::from_static("no-cache"));
    response
}

/// Sends the browser elsewhere with a GET. An address that cannot be a header is 500; checked addresses can.
pub(crate) fn see_other(location: &str) -> Response {
    match HeaderValue::from_str(location) {
        Ok(location) => no_store((StatusCode::SEE_OTHER, [(header::LOCATION, location)])),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Adds parameters to the query or the fragment of a checked address.
pub(crate) fn with_params(uri: &str, fragment: bool, params: &[(&str, &str)]) -> String {
    let Ok(mut url) = Url::parse(uri) else { return uri.to_owned() };
    if fragment {
        url.set_fragment(Some(&form_urlencoded::Serializer::new(String::new()).extend_pairs(params).finish()));
    } else {
        url.query_pairs_mut().extend_pairs(params);
    }
    url.into()
}
