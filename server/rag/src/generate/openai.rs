//! Answers of a language model behind any chat endpoint that speaks OpenAI's protocol, streamed.
//!
//! A connection that does not come about is tried again; nothing else is, since a model may already be at work. Dropping
//! the future closes the connection, which stops the model.

use std::{fmt, ops::ControlFlow, time::Duration};

use serde::Serialize;

use super::{
    events::{Event, Events},
    prompt::Message,
};

/// Tries to connect.
const TRIES: u32 = 3;
/// Wait before the second try; doubled before each further one.
const PAUSE: Duration = Duration::from_millis(100);
/// Longest wait for a connection.
const CONNECT: Duration = Duration::from_secs(3);
/// Characters a token may have; an endpoint that sends more than it was asked for is cut off.
const BYTES_PER_TOKEN: usize = 16;

/// Where a model is and what it may do.
#[derive(Clone)]
pub struct Settings {
    /// Address up to and without `/chat/completions`, for example `http://127.0.0.1:8090/v1`.
    pub base_url: String,
    /// Bearer token, if the endpoint wants one.
    pub key: Option<String>,
    /// The model's name at the endpoint.
    pub model: String,
    /// Longest time for a whole answer.
    pub timeout: Duration,
    /// Longest silence within an answer.
    pub silence: Duration,
    /// Tokens that an answer may have.
    pub max_tokens: u32,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("base_url", &self.base_url).field("model", &self.model).finish_non_exhaustive()
    }
}

/// Why there is no answer. No variant holds a text of prompt or answer.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The client could not be made.
    #[error("the client for the model endpoint: {0}")]
    Client(#[source] reqwest::Error),
    /// No connection after several tries.
    #[error("the model endpoint cannot be reached: {0}")]
    Connect(#[source] reqwest::Error),
    /// The endpoint refused, for example with 429 or 500.
    #[error("the model endpoint answered with status {0}")]
    Status(u16),
    /// The endpoint reported a failure within the answer.
    #[error("the model endpoint reported a failure")]
    Failed,
    /// The answer was not an event stream of a chat endpoint.
    #[error("the model endpoint sent something that is no chat completion")]
    Malformed,
    /// The connection ended before the answer did.
    #[error("the answer was cut off")]
    Cut,
    /// The whole answer, or the next part of it, took too long.
    #[error("the model endpoint took too long")]
    Timeout,
}

/// A language model.
#[derive(Debug, Clone)]
pub struct Generator {
    client: reqwest::Client,
    settings: Settings,
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: &'a [Message],
    stream: bool,
    max_tokens: u32,
    temperature: f32,
}

impl Generator {
    /// Makes a client; nothing is sent.
    ///
    /// # Errors
    /// [`GenerateError::Client`].
    pub fn new(settings: Settings) -> Result<Self, GenerateError> {
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(GenerateError::Client)?;
        Ok(Self { client, settings })
    }

    /// Asks the model and hands each part of the answer to `each`, which may end it early. An answer that goes on far
    /// beyond `max_tokens` is ended as well: what came is the answer.
    ///
    /// # Errors
    /// See [`GenerateError`].
    pub async fn generate(
        &self,
        messages: &[Message],
        each: impl FnMut(&str) -> ControlFlow<()> + Send,
    ) -> Result<(), GenerateError> {
        let whole = async { self.read(self.connect(messages).await?, each).await };
        tokio::time::timeout(self.settings.timeout, whole).await.map_err(|_| GenerateError::Timeout)?
    }

    async fn connect(&self, messages: &[Message]) -> Result<reqwest::Response, GenerateError> {
        let Settings { base_url, key, model, max_tokens, .. } = &self.settings;
        let body = Body { model, messages, stream: true, max_tokens: *max_tokens, temperature: 0.2 };
        let url = format!("{}/chat/completions", base_url.trim_end_matches('/'));
        let mut pause = PAUSE;
        for attempt in 1.. {
            let mut request = self.client.post(&url).header("accept", "text/event-stream").json(&body);
            if let Some(key) = key {
                request = request.bearer_auth(key);
            }
            match request.send().await {
                Ok(response) if response.status().is_success() => return Ok(response),
                Ok(response) => return Err(GenerateError::Status(response.status().as_u16())),
                Err(error) if error.is_connect() && attempt < TRIES => tokio::time::sleep(pause).await,
                Err(error) if error.is_connect() => return Err(GenerateError::Connect(error.without_url())),
                Err(_) => return Err(GenerateError::Cut),
            }
            pause *= 2;
        }
        unreachable!("the last try returns")
    }

    async fn read(
        &self,
        mut response: reqwest::Response,
        mut each: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<(), GenerateError> {
        let most = usize::try_from(self.settings.max_tokens).unwrap_or(usize::MAX).saturating_mul(BYTES_PER_TOKEN);
        let (mut events, mut length) = (Events::default(), 0_usize);
        loop {
            let next = tokio::time::timeout(self.settings.silence, response.chunk()).await;
            let bytes = next.map_err(|_| GenerateError::Timeout)?.map_err(|_| GenerateError::Cut)?;
            let bytes = bytes.ok_or(GenerateError::Cut)?;
            for event in events.take(&bytes).map_err(|_| GenerateError::Malformed)? {
                match event {
                    Event::End => return Ok(()),
                    Event::Failed => return Err(GenerateError::Failed),
                    Event::Text(text) => {
                        length += text.len();
                        if each(&text).is_break() || length >= most {
                            return Ok(());
                        }
                    }
                }
            }
        }
    }
}
