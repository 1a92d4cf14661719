//! The header by which the endpoint of a model continues the trace of a call. The process that records traces says what
//! it is.

use std::sync::OnceLock;

use reqwest::RequestBuilder;
use tracing::Span;

/// The value of `traceparent` (W3C Trace Context) for a call within a span.
type Context = fn(&Span) -> Option<String>;

static CONTEXT: OnceLock<Context> = OnceLock::new();

/// Sends the header that `context` returns with each call to a model. Only the first call of this function counts.
pub fn set_context(context: Context) {
    let _ = CONTEXT.set(context);
}

/// Adds the header of the current span.
pub(crate) fn with_context(request: RequestBuilder) -> RequestBuilder {
    match CONTEXT.get().and_then(|context| context(&Span::current())) {
        Some(context) => request.header("traceparent", context),
        None => request,
    }
}
