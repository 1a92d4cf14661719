//! A chat endpoint that sends the same words immediately, token by token, so that only the platform's time is measured.

use axum::{Router, http::header, response::IntoResponse, routing::post};

use crate::Result;

const WORDS: &str = "A document is read, cut into passages and embedded [1]. Nothing else is said here, so that the time of an \
                     answer is the time of everything around the model.";

/// Serves the endpoint and gives its address up to `/v1`.
pub(super) fn serve() -> Result<String> {
    Ok(format!("{}/v1", on_own_thread(Router::new().route("/v1/chat/completions", post(answer)))?))
}

/// Serves a router on a thread of its own and gives its address.
pub(crate) fn on_own_thread(router: Router) -> Result<String> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = format!("http://{}", listener.local_addr()?);
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
            // The process ends with the benchmark.
            let _ = axum::serve(listener, router).await;
        });
    });
    Ok(address)
}

async fn answer() -> impl IntoResponse {
    let event = |word: &str| {
        let delta = serde_json::json!({ "choices": [{ "delta": { "content": word } }] });
        format!("data: {delta}\n\n")
    };
    let mut body: String = WORDS.split_inclusive(' ').map(event).collect();
    body.push_str("data: [DONE]\n\n");
    ([(header::CONTENT_TYPE, "text/event-stream")], body)
}
