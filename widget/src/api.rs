//! The three widget endpoints and the liveness check, over `fetch`: every answer is a contract type or a [`Fault`].

use contract::widget::{WidgetConfig, WidgetReply};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Request, RequestInit, RequestMode, Response};

use crate::backoff::retry_after_seconds;
use crate::dom;
use crate::json::{self, Turn};
use crate::options::Options;

/// An answer may take as long as a slow generator: 90 s.
const QUERY_TIMEOUT_MS: i32 = 90_000;
/// Everything else: 10 s.
const READ_TIMEOUT_MS: i32 = 10_000;

/// Why there is no answer, as far as the visitor is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// 403: this site may not, or the chatbot is not there.
    Forbidden,
    /// 404 `session_not_found`: the session ended.
    SessionNotFound,
    /// 413 and 422: the question was refused.
    Invalid,
    /// 429, with the seconds to wait where the header could be read.
    RateLimited(Option<u32>),
    /// 5xx and everything unforeseen.
    Unavailable,
    /// No answer at all.
    Unreachable,
}

/// Fetches the configuration.
pub(crate) async fn config(options: &Options) -> Result<WidgetConfig, Fault> {
    let url = options.endpoint(&["config/", &options.chatbot_id]);
    let body =
        exchange(&url, &RequestInit::new(), &AbortController::new().map_err(|_| Fault::Unavailable)?, READ_TIMEOUT_MS)
            .await?;
    json::config(&body).ok_or(Fault::Unavailable)
}

/// Reads the configuration that the loader fetched: its body, or the status of a failure.
pub(crate) fn early_config(outcome: &JsValue) -> Result<WidgetConfig, Fault> {
    match outcome.as_f64() {
        Some(status) => Err(fault(status as u16, None, None)),
        None => json::config(outcome).ok_or(Fault::Unavailable),
    }
}

/// Asks a question; `abort` stops waiting for the answer.
pub(crate) async fn query(
    options: &Options,
    session_id: Option<&str>,
    question: &str,
    abort: &AbortController,
) -> Result<WidgetReply, Fault> {
    let url = options.endpoint(&["chatbots/", &options.chatbot_id, "/query"]);
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_body(&JsValue::from_str(&json::query(session_id, question)));
    let body = exchange(&url, &init, abort, QUERY_TIMEOUT_MS).await?;
    json::reply(&body).ok_or(Fault::Unavailable)
}

/// Fetches the messages of a session, oldest first.
pub(crate) async fn history(options: &Options, session_id: &str) -> Result<Vec<Turn>, Fault> {
    let url = options.endpoint(&["chatbots/", &options.chatbot_id, "/sessions/", session_id, "/messages"]);
    let abort = AbortController::new().map_err(|_| Fault::Unavailable)?;
    let body = exchange(&url, &RequestInit::new(), &abort, READ_TIMEOUT_MS).await?;
    Ok(json::history(&body))
}

/// Whether the platform answers at all. The answer itself is not readable from another origin and need not be.
pub(crate) async fn is_reachable(options: &Options) -> bool {
    let init = RequestInit::new();
    init.set_mode(RequestMode::NoCors);
    let Ok(abort) = AbortController::new() else { return false };
    send(&options.health(), &init, &abort, READ_TIMEOUT_MS).await.is_some()
}

async fn exchange(url: &str, init: &RequestInit, abort: &AbortController, timeout_ms: i32) -> Result<JsValue, Fault> {
    let response = send(url, init, abort, timeout_ms).await.ok_or(Fault::Unreachable)?;
    let body = match response.json() {
        Ok(promise) => JsFuture::from(promise).await,
        Err(error) => Err(error),
    };
    if response.ok() {
        return body.map_err(|_| Fault::Unreachable);
    }
    let wait = response.headers().get("retry-after").ok().flatten();
    let detail = body.ok().and_then(|body| json::detail(&body));
    Err(fault(response.status(), detail.as_deref(), wait.as_deref()))
}

/// Sends a request without cookies; `None` when nothing came back in time.
async fn send(url: &str, init: &RequestInit, abort: &AbortController, timeout_ms: i32) -> Option<Response> {
    init.set_credentials(web_sys::RequestCredentials::Omit);
    init.set_signal(Some(&abort.signal()));
    let request = Request::new_with_str_and_init(url, init).ok()?;
    let _ = request.headers().set("accept", "application/json");
    if request.method() == "POST" {
        let _ = request.headers().set("content-type", "application/json");
    }
    let late = abort.clone();
    let expire = dom::callback(move |_| late.abort());
    let timer = dom::window().set_timeout_with_callback_and_timeout_and_arguments_0(&expire, timeout_ms).ok();
    let outcome = JsFuture::from(dom::window().fetch_with_request(&request)).await;
    if let Some(timer) = timer {
        dom::window().clear_timeout_with_handle(timer);
    }
    outcome.ok()?.dyn_into().ok()
}

fn fault(status: u16, detail: Option<&str>, retry_after: Option<&str>) -> Fault {
    match status {
        0 => Fault::Unreachable,
        403 => Fault::Forbidden,
        404 if detail == Some("session_not_found") => Fault::SessionNotFound,
        413 | 422 => Fault::Invalid,
        429 => Fault::RateLimited(retry_after.and_then(retry_after_seconds)),
        _ => Fault::Unavailable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_is_the_fault_that_the_visitor_should_read_about() {
        assert_eq!(fault(0, None, None), Fault::Unreachable);
        assert_eq!(fault(403, Some("origin_not_allowed"), None), Fault::Forbidden);
        assert_eq!(fault(404, Some("session_not_found"), None), Fault::SessionNotFound);
        assert_eq!(fault(404, Some("Not Found"), None), Fault::Unavailable);
        assert_eq!(fault(422, None, None), Fault::Invalid);
        assert_eq!(fault(429, None, Some("7")), Fault::RateLimited(Some(7)));
        assert_eq!(fault(429, None, None), Fault::RateLimited(None));
        assert_eq!(fault(503, Some("generator_unavailable"), None), Fault::Unavailable);
    }
}
