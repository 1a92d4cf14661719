//! Streams answers from a language model behind a chat endpoint with OpenAI's protocol.
//!
//! Only failed connections are retried, because the model may already be working on a request that was sent. Dropping
//! [`WordStream`] closes the connection, which stops the model and frees its slot. An endpoint that fails several times in a
//! row is paused.

use std::{
    collections::VecDeque,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde::Serialize;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, timeout_at},
};
use tracing::{Instrument as _, Span};

use super::{
    breaker::{Attempt, Breaker},
    events::{Event, Events},
    prompt::Message,
    span,
    speed::Speed,
};
pub use super::{events::Usage, failure::GenerateError};
use crate::{chunk::estimate_tokens, trace::with_context};

/// Maximum connection attempts.
const MAX_ATTEMPTS: u32 = 3;
/// Delay before the second attempt; doubled before each further one.
const PAUSE: Duration = Duration::from_millis(100);
/// Connection timeout.
const CONNECT: Duration = Duration::from_secs(3);
/// Maximum bytes of a token. An endpoint that sends more than `max_tokens` times this is cut off.
const BYTES_PER_TOKEN: usize = 16;
/// Timeout for the token usage after the last word.
const USAGE: Duration = Duration::from_millis(300);

/// The location of a model and its limits.
#[derive(Clone)]
pub struct Settings {
    /// Base URL without `/chat/completions`, for example `http://127.0.0.1:8090/v1`.
    pub base_url: String,
    /// Bearer token, if the endpoint requires one.
    pub key: Option<String>,
    /// The model's name at the endpoint.
    pub model: String,
    /// Timeout for a whole answer.
    pub timeout: Duration,
    /// Timeout for a free slot at the endpoint and for the first word.
    pub first_token: Duration,
    /// Timeout between two parts of an answer.
    pub silence: Duration,
    /// Maximum tokens of an answer.
    pub max_tokens: u32,
    /// Maximum concurrent answers of the endpoint.
    pub max_concurrent: usize,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("base_url", &self.base_url).field("model", &self.model).finish_non_exhaustive()
    }
}

/// A language model. Clones share its slots and its circuit breaker.
#[derive(Debug, Clone)]
pub struct Generator {
    client: reqwest::Client,
    settings: Settings,
    places: Arc<Semaphore>,
    breaker: Arc<Breaker>,
    /// Whether the endpoint rejects the request for token usage in a stream.
    refuses_usage: Arc<AtomicBool>,
    speed: Arc<Speed>,
}

/// A stream of the words of an answer.
#[derive(Debug)]
pub struct WordStream {
    /// `None` if the endpoint did not respond in time.
    response: Option<reqwest::Response>,
    events: Events,
    queue: VecDeque<Event>,
    settings: Settings,
    attempt: Attempt,
    /// The deadlines of the first and the last word.
    first_by: Option<Instant>,
    last_by: Instant,
    length: usize,
    is_cut: bool,
    has_ended: bool,
    speed: Arc<Speed>,
    asked_at: Instant,
    first_after: Option<Duration>,
    /// How long the endpoint read the prompt, if it says so.
    read_in: Option<Duration>,
    /// The reported token usage, and our own count.
    reported: Option<Usage>,
    counted: Usage,
    span: Span,
    _place: OwnedSemaphorePermit,
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: &'a [Message],
    stream: bool,
    max_tokens: u32,
    temperature: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

impl Generator {
    /// Creates a client without sending anything.
    ///
    /// # Errors
    /// [`GenerateError::Client`].
    pub fn new(settings: Settings) -> Result<Self, GenerateError> {
        let client = tls::http_client()
            .connect_timeout(CONNECT)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(GenerateError::Client)?;
        let places = Arc::new(Semaphore::new(settings.max_concurrent));
        Ok(Self {
            client,
            settings,
            places,
            breaker: Arc::default(),
            refuses_usage: Arc::default(),
            speed: Arc::default(),
        })
    }

    /// The model's name at the endpoint.
    pub fn model(&self) -> &str {
        &self.settings.model
    }

    /// Maximum concurrent answers of the endpoint.
    pub fn max_concurrent(&self) -> usize {
        self.settings.max_concurrent
    }

    /// Maximum tokens of an answer.
    pub fn max_tokens(&self) -> usize {
        usize::try_from(self.settings.max_tokens).unwrap_or(usize::MAX)
    }

    /// Whether the circuit breaker is open: several failures in a row, and no success since.
    pub fn is_paused(&self) -> bool {
        self.breaker.is_open()
    }

    /// Timeout for the first word.
    pub fn first_token(&self) -> Duration {
        self.settings.first_token
    }

    /// About how many tokens of a prompt the endpoint reads within `time`, as counted by
    /// [`crate::chunk::estimate_tokens`]; `None` before it has answered, or been silent for too long, for the first time.
    pub fn tokens_within(&self, time: Duration) -> Option<usize> {
        self.speed.tokens_within(time)
    }

    /// Sends the prompt to the model as soon as it has a free slot. An endpoint that does not respond in time may have
    /// read the prompt, so that its words are returned: their usage counts, and the first of them times out.
    ///
    /// # Errors
    /// See [`GenerateError`].
    pub async fn start(&self, messages: &[Message]) -> Result<WordStream, GenerateError> {
        if !self.breaker.allows(std::time::Instant::now()) {
            return Err(GenerateError::Paused);
        }
        let now = Instant::now();
        let (last_by, first_by) = (now + self.settings.timeout, now + self.settings.first_token);
        let place = timeout_at(first_by, Arc::clone(&self.places).acquire_owned()).await;
        let Ok(Ok(place)) = place else { return Err(GenerateError::Busy) };
        let span = span::chat(&self.settings.model, self.settings.max_tokens);
        let asked_at = Instant::now();
        let counted = Usage { prompt: estimate(messages), ..Usage::default() };
        let response = match timeout_at(first_by.min(last_by), self.connect(messages).instrument(span.clone())).await {
            Ok(connected) => Some(connected.inspect_err(|error| self.note_failure(&span, error))?),
            Err(_) => None,
        };
        Ok(WordStream {
            response,
            events: Events::default(),
            queue: VecDeque::new(),
            settings: self.settings.clone(),
            attempt: Attempt::new(&self.breaker),
            first_by: Some(first_by),
            last_by,
            length: 0,
            is_cut: false,
            has_ended: false,
            speed: Arc::clone(&self.speed),
            asked_at,
            first_after: None,
            read_in: None,
            reported: None,
            counted,
            span,
            _place: place,
        })
    }

    /// Lets the endpoint read a prompt into its cache, for at most `time`. A failure does not pause the endpoint.
    ///
    /// # Errors
    /// See [`GenerateError`].
    pub async fn read(&self, messages: &[Message], time: Duration) -> Result<(), GenerateError> {
        let settings =
            Settings { timeout: time, first_token: time, silence: time, max_tokens: 1, ..self.settings.clone() };
        let patient = Self { settings, breaker: Arc::default(), ..self.clone() };
        let mut words = patient.start(messages).await?;
        while words.next().await?.is_some() {}
        Ok(())
    }

    fn note_failure(&self, span: &Span, error: &GenerateError) {
        span::note_error(span, error);
        self.breaker.failed(std::time::Instant::now());
    }

    async fn connect(&self, messages: &[Message]) -> Result<reqwest::Response, GenerateError> {
        let counts = !self.refuses_usage.load(Ordering::Relaxed);
        match self.send(messages, counts).await {
            // An endpoint that does not know the option rejects the whole request.
            Err(GenerateError::Status(400 | 422)) if counts => {
                let response = self.send(messages, false).await?;
                self.refuses_usage.store(true, Ordering::Relaxed);
                Ok(response)
            }
            sent => sent,
        }
    }

    async fn send(&self, messages: &[Message], counts: bool) -> Result<reqwest::Response, GenerateError> {
        let Settings { base_url, key, model, max_tokens, .. } = &self.settings;
        // Temperature 0: the most likely words stay close to the passages, and the same question gets the same answer.
        let body = Body {
            model,
            messages,
            stream: true,
            max_tokens: *max_tokens,
            temperature: 0.0,
            stream_options: counts.then_some(StreamOptions { include_usage: true }),
        };
        let url = format!("{}/chat/completions", base_url.trim_end_matches('/'));
        let mut pause = PAUSE;
        for attempt in 1.. {
            let request = self.client.post(&url).header("accept", "text/event-stream");
            let mut request = with_context(request.json(&body));
            if let Some(key) = key {
                request = request.bearer_auth(key);
            }
            match request.send().await {
                Ok(response) if response.status().is_success() => return Ok(response),
                Ok(response) => return Err(GenerateError::Status(response.status().as_u16())),
                Err(error) if error.is_connect() && attempt < MAX_ATTEMPTS => tokio::time::sleep(pause).await,
                Err(error) if error.is_connect() => return Err(GenerateError::Connect(error.without_url())),
                Err(_) => return Err(GenerateError::Cut),
            }
            pause *= 2;
        }
        unreachable!("the last try returns")
    }
}

impl Drop for WordStream {
    fn drop(&mut self) {
        span::note_usage(&self.span, self.usage());
    }
}

/// The approximate number of tokens of a prompt.
fn estimate(messages: &[Message]) -> u32 {
    let tokens: usize = messages.iter().map(|message| estimate_tokens(&message.content)).sum();
    u32::try_from(tokens).unwrap_or(u32::MAX)
}

impl WordStream {
    /// The next words; `None` at the end. An answer far beyond the requested tokens ends as well.
    ///
    /// # Errors
    /// See [`GenerateError`].
    pub async fn next(&mut self) -> Result<Option<String>, GenerateError> {
        let next = self.read().await;
        match &next {
            Ok(Some(_)) => self.attempt.answers(),
            Ok(None) => self.attempt.succeeded(),
            Err(error) => {
                span::note_error(&self.span, error);
                if matches!(error, GenerateError::Timeout) && self.first_after.is_none() {
                    self.speed.observe_silence(self.counted.prompt, self.asked_at.elapsed());
                }
                self.attempt.failed(std::time::Instant::now());
            }
        }
        next
    }

    /// Whether the answer was cut at a length limit.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The tokens used so far: as reported by the endpoint after the last word, estimated before.
    pub fn usage(&self) -> Usage {
        self.reported.unwrap_or(self.counted)
    }

    async fn read(&mut self) -> Result<Option<String>, GenerateError> {
        let tokens = usize::try_from(self.settings.max_tokens).unwrap_or(usize::MAX);
        let most = tokens.saturating_mul(BYTES_PER_TOKEN);
        while !self.has_ended {
            match self.queue.pop_front() {
                None => self.receive().await?,
                Some(Event::Failed) => return Err(GenerateError::Failed),
                Some(Event::End { is_cut }) => {
                    self.has_ended = true;
                    self.is_cut = is_cut;
                    self.read_usage().await;
                    if let (Some(usage), Some(read)) = (self.reported, self.read_in.or(self.first_after)) {
                        self.speed.observe(usage, self.counted.prompt, read);
                    }
                }
                Some(Event::Done) => self.has_ended = true,
                Some(Event::Read(time)) => self.read_in = Some(time),
                Some(Event::Usage(usage)) => self.reported = Some(usage),
                Some(Event::Text(text)) if text.is_empty() => {}
                Some(Event::Text(text)) => {
                    self.first_by = None;
                    let asked_at = self.asked_at;
                    self.first_after.get_or_insert_with(|| asked_at.elapsed());
                    self.length += text.len();
                    self.counted.answer = self.counted.answer.saturating_add(1);
                    self.has_ended = self.length >= most;
                    self.is_cut = self.has_ended;
                    return Ok(Some(text));
                }
            }
        }
        Ok(None)
    }

    /// Waits briefly for the token usage, which some endpoints send after the last word.
    async fn read_usage(&mut self) {
        let until = Instant::now() + USAGE;
        while self.reported.is_none() {
            match self.queue.pop_front() {
                Some(Event::Read(time)) => self.read_in = Some(time),
                Some(Event::Usage(usage)) => self.reported = Some(usage),
                Some(Event::Done | Event::Failed) => return,
                Some(Event::Text(_) | Event::End { .. }) => {}
                None => match timeout_at(until, self.receive()).await {
                    Ok(Ok(())) => {}
                    _ => return,
                },
            }
        }
    }

    async fn receive(&mut self) -> Result<(), GenerateError> {
        let until = self.first_by.unwrap_or_else(|| Instant::now() + self.settings.silence).min(self.last_by);
        let Some(response) = &mut self.response else { return Err(GenerateError::Timeout) };
        let next = timeout_at(until, response.chunk()).await;
        let bytes = next.map_err(|_| GenerateError::Timeout)?.map_err(|_| GenerateError::Cut)?;
        let bytes = bytes.ok_or(GenerateError::Cut)?;
        self.queue.extend(self.events.take(&bytes).map_err(|_| GenerateError::Malformed)?);
        Ok(())
    }
}
