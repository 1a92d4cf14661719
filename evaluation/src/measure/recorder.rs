//! A proxy between the platform and the measured chat endpoint. It stores each answer in a file named by the request
//! and replays it for the same request, so that an interrupted evaluation can continue, and a change of the platform's
//! verification can be measured without calling the model again.

use std::{
    net::Ipv4Addr,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Json, Router,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::post,
};
use parking_lot::Mutex;
use rag::generate::{
    openai::{GenerateError, Generator, Settings, Usage},
    prompt::{Message, Role},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Question, perfect};

/// Timeout of everything: a busy machine is slow, and nobody waits.
const TIMEOUT: Duration = Duration::from_secs(1200);
/// Characters of an event that is given again.
const PIECE: usize = 4;

/// A model's output and its duration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recording {
    /// The passages and the question of the prompt; empty in files of earlier versions.
    #[serde(default)]
    pub prompt: String,
    /// The words of the model.
    pub text: String,
    /// Whether they were cut off at a limit of their length.
    pub is_cut: bool,
    /// Milliseconds to the first word.
    pub first_ms: u64,
    /// Milliseconds to the last word.
    pub last_ms: u64,
    /// Tokens of the prompt, those of the cache included.
    pub prompt_tokens: u32,
    /// Tokens of the prompt that the endpoint had in its cache.
    pub cached_tokens: u32,
    /// Tokens of `text`.
    pub answer_tokens: u32,
}

/// The endpoint in between, until it is dropped.
#[derive(Debug)]
pub struct Recorder {
    state: Arc<Recorded>,
    generator: Generator,
    server: tokio::task::JoinHandle<()>,
}

#[derive(Debug)]
struct Recorded {
    upstream: Generator,
    model: String,
    folder: PathBuf,
    last: Mutex<Option<Recording>>,
    /// The question that is answered without the model, from its label.
    labelled: Mutex<Option<Question>>,
}

impl Recorder {
    /// Records the outputs of the model of `settings` in `folder`.
    ///
    /// # Errors
    /// When a folder or a port is not usable, or a client cannot be created.
    pub async fn start(settings: Settings, folder: PathBuf) -> std::io::Result<Self> {
        std::fs::create_dir_all(&folder)?;
        let patient = Settings { timeout: TIMEOUT, first_token: TIMEOUT, silence: TIMEOUT, ..settings };
        let upstream = Generator::new(patient.clone()).map_err(std::io::Error::other)?;
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let base_url = format!("http://{}/v1", listener.local_addr()?);
        let state = Arc::new(Recorded {
            upstream,
            model: patient.model.clone(),
            folder,
            last: Mutex::default(),
            labelled: Mutex::default(),
        });
        let router = Router::new().route("/v1/chat/completions", post(answer)).with_state(Arc::clone(&state));
        let server = tokio::spawn(async move {
            let _ = axum::serve(listener, router).await;
        });
        let generator = Generator::new(Settings { base_url, ..patient }).map_err(std::io::Error::other)?;
        Ok(Self { state, generator, server })
    }

    /// The model behind the proxy.
    pub fn generator(&self) -> &Generator {
        &self.generator
    }

    /// The model's output since the last call; `None` when it was not called.
    pub fn take(&self) -> Option<Recording> {
        self.state.last.lock().take()
    }

    /// Answers from this question's label instead of the model, until `None` is set.
    pub fn play_perfect(&self, question: Option<&Question>) {
        *self.state.labelled.lock() = question.cloned();
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn answer(State(state): State<Arc<Recorded>>, Json(body): Json<Value>) -> Response {
    let messages = messages(&body);
    let labelled = state.labelled.lock().clone();
    if let Some(question) = labelled {
        // Without a number of tokens nothing is learned about the speed of the endpoint.
        return events(stream(&perfect::answer(&question, &messages), false, json!(null)));
    }
    let path = state.folder.join(format!("{}.json", name(&state.model, &body)));
    let stored = std::fs::read(&path).ok().and_then(|bytes| serde_json::from_slice::<Recording>(&bytes).ok());
    let recording = match stored {
        Some(stored) => stored,
        None => match record(&state.upstream, &messages).await {
            Ok(recording) => {
                let stored = std::fs::write(&path, serde_json::to_vec_pretty(&recording).unwrap_or_default());
                if let Err(error) = stored {
                    tracing::warn!(%error, "evaluation.answer_not_stored");
                }
                recording
            }
            Err(error) => {
                tracing::error!(%error, "evaluation.model_failed");
                return StatusCode::BAD_GATEWAY.into_response();
            }
        },
    };
    let again = recorded(&recording);
    *state.last.lock() = Some(recording);
    events(again)
}

fn events(stream: String) -> Response {
    ([(header::CONTENT_TYPE, "text/event-stream")], stream).into_response()
}

async fn record(generator: &Generator, messages: &[Message]) -> Result<Recording, GenerateError> {
    let started = Instant::now();
    let passed = || u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut words = generator.start(messages).await?;
    let (mut text, mut first_ms) = (String::new(), None);
    while let Some(part) = words.next().await? {
        first_ms.get_or_insert_with(passed);
        text.push_str(&part);
    }
    let Usage { prompt, cached, answer } = words.usage();
    let last_ms = passed();
    Ok(Recording {
        prompt: prompt_text(messages),
        text,
        is_cut: words.is_cut(),
        first_ms: first_ms.unwrap_or(last_ms),
        last_ms,
        prompt_tokens: prompt,
        cached_tokens: cached,
        answer_tokens: answer,
    })
}

/// The passages and the question, whatever is between them.
fn prompt_text(messages: &[Message]) -> String {
    let Some(last) = messages.last() else { return String::new() };
    match perfect::with_passages(messages) {
        Some(first) if first != last => {
            let passages = first.content.rsplit_once("\n\n").map_or("", |(passages, _)| passages);
            format!("{passages}\n\n{}", last.content)
        }
        _ => last.content.clone(),
    }
}

/// The file name of a request: the same for the same messages to the same model.
fn name(model: &str, body: &Value) -> String {
    let request = json!([model, body["messages"], body["max_tokens"], body["temperature"]]).to_string();
    Sha256::digest(request.as_bytes())[..12].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn messages(body: &Value) -> Vec<Message> {
    let role = |message: &Value| match message["role"].as_str() {
        Some("system") => Role::System,
        Some("assistant") => Role::Assistant,
        _ => Role::User,
    };
    let content = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
    let message = |message: &Value| Message { role: role(message), content: content(message) };
    body["messages"].as_array().map(|all| all.iter().map(message).collect()).unwrap_or_default()
}

/// The events of a recorded answer. They say how long the model read the prompt, because they all come at once: the length
/// of the next prompt depends on it.
fn recorded(recording: &Recording) -> String {
    let end = json!({
        "choices": [],
        "usage": {
            "prompt_tokens": recording.prompt_tokens,
            "completion_tokens": recording.answer_tokens,
            "prompt_tokens_details": { "cached_tokens": recording.cached_tokens },
        },
        "timings": { "prompt_ms": recording.first_ms },
    });
    stream(&recording.text, recording.is_cut, end)
}

fn stream(text: &str, is_cut: bool, end: Value) -> String {
    let mut events = String::new();
    let mut event = |data: Value| events.push_str(&format!("data: {data}\n\n"));
    let characters: Vec<char> = text.chars().collect();
    for piece in characters.chunks(PIECE) {
        event(json!({ "choices": [{ "delta": { "content": piece.iter().collect::<String>() } }] }));
    }
    let reason = if is_cut { "length" } else { "stop" };
    event(json!({ "choices": [{ "delta": {}, "finish_reason": reason }] }));
    if !end.is_null() {
        event(end);
    }
    events.push_str("data: [DONE]\n\n");
    events
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn settings(base_url: String) -> Settings {
        Settings {
            base_url,
            key: None,
            model: "small".to_owned(),
            timeout: TIMEOUT,
            first_token: TIMEOUT,
            silence: TIMEOUT,
            max_tokens: 50,
            max_concurrent: 1,
        }
    }

    fn recording() -> Recording {
        Recording {
            prompt: String::new(),
            text: "Um neun Uhr. [1]".to_owned(),
            is_cut: false,
            first_ms: 13_000,
            last_ms: 15_000,
            prompt_tokens: 700,
            cached_tokens: 50,
            answer_tokens: 6,
        }
    }

    #[tokio::test]
    async fn the_same_question_is_asked_once_and_answered_the_same() {
        let requests = Arc::new(AtomicUsize::new(0));
        let recording = recording();
        let (count, response) = (Arc::clone(&requests), recorded(&recording));
        let upstream = Router::new().route(
            "/v1/chat/completions",
            post(move || {
                count.fetch_add(1, Ordering::Relaxed);
                std::future::ready(response.clone())
            }),
        );
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, upstream).await.unwrap() });
        let folder = tempfile::tempdir().unwrap();
        for (question, times) in [("When?", 1), ("When?", 1), ("Where?", 2)] {
            let recorder =
                Recorder::start(settings(format!("http://{address}/v1")), folder.path().to_owned()).await.unwrap();
            assert_eq!(recorder.take(), None);
            let message = Message { role: Role::User, content: question.to_owned() };
            let mut words = recorder.generator().start(&[message]).await.unwrap();
            let mut text = String::new();
            while let Some(part) = words.next().await.unwrap() {
                text.push_str(&part);
            }
            assert_eq!((text.as_str(), requests.load(Ordering::Relaxed)), ("Um neun Uhr. [1]", times));
            assert_eq!(words.usage(), Usage { prompt: 700, cached: 50, answer: 6 });
            let taken = recorder.take().unwrap();
            assert_eq!((taken.prompt.as_str(), taken.text.as_str()), (question, "Um neun Uhr. [1]"));
        }
    }

    #[tokio::test]
    async fn a_recorded_answer_is_as_slow_as_it_was() {
        let recording = recording();
        let response = recorded(&recording);
        let endpoint = Router::new().route("/v1/chat/completions", post(move || std::future::ready(response.clone())));
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let generator = Generator::new(settings(format!("http://{}/v1", listener.local_addr().unwrap()))).unwrap();
        tokio::spawn(async move { axum::serve(listener, endpoint).await.unwrap() });
        let message = Message { role: Role::User, content: "When?".to_owned() };
        let mut words = generator.start(&[message]).await.unwrap();
        while words.next().await.unwrap().is_some() {}
        // 650 tokens in 13 seconds, at 700 for the few that are estimated.
        let learned = generator.tokens_within(Duration::from_secs(13));
        assert!(learned.is_some_and(|tokens| tokens < 100), "{learned:?}");
    }

    #[tokio::test]
    async fn a_labelled_question_is_answered_without_the_model() {
        let folder = tempfile::tempdir().unwrap();
        let recorder =
            Recorder::start(settings("http://127.0.0.1:9/v1".to_owned()), folder.path().to_owned()).await.unwrap();
        let question: Question = serde_json::from_str(r#"{"question":"When?","words":["at nine"]}"#).unwrap();
        recorder.play_perfect(Some(&question));
        let content = "[1] Pool\nThe pool opens at nine. Bring a towel.\n\nQuestion: When?".to_owned();
        let mut words = recorder.generator().start(&[Message { role: Role::User, content }]).await.unwrap();
        let mut text = String::new();
        while let Some(part) = words.next().await.unwrap() {
            text.push_str(&part);
        }
        assert_eq!(text, "The pool opens at nine. [1]");
        assert_eq!(recorder.take(), None);
        assert_eq!(recorder.generator().tokens_within(Duration::from_secs(1)), None);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
