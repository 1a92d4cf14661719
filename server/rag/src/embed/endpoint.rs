//! Embeddings from an endpoint with OpenAI's protocol. The first request finds out its model and the length of its
//! vectors. Every wait is bounded.

use std::{fmt, time::Duration};

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use super::{EmbedError, Embedder, Prefixes, Purpose};
use crate::trace::with_context;

/// Maximum texts of one request.
const BATCH: usize = 64;
/// Maximum concurrent requests.
const MAX_CONCURRENT_REQUESTS: usize = 4;
/// Maximum bytes of a response.
const MAX_RESPONSE_BYTES: usize = 32 * 1024 * 1024;
/// Maximum length of a vector.
const MAX_DIMENSIONS: usize = 16_000;
/// Maximum connection attempts.
const MAX_ATTEMPTS: u32 = 3;
/// Delay before the second attempt; doubled before each further one.
const PAUSE: Duration = Duration::from_millis(100);
/// Connection timeout.
const CONNECT: Duration = Duration::from_secs(3);

/// The location of a model.
#[derive(Clone)]
pub struct EndpointSettings {
    /// Base URL without `/embeddings`, for example `http://127.0.0.1:8090/v1`.
    pub base_url: String,
    /// Bearer token, if the endpoint requires one.
    pub key: Option<String>,
    /// The model's name at the endpoint.
    pub model: String,
    /// Timeout of one request.
    pub timeout: Duration,
    /// Prefixes that the model expects.
    pub prefixes: Prefixes,
}

/// A model behind an endpoint.
pub struct EndpointEmbedder {
    client: reqwest::Client,
    settings: EndpointSettings,
    dimensions: usize,
    running: Semaphore,
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    input: &'a [String],
    encoding_format: &'static str,
}

#[derive(Deserialize)]
struct EmbeddingResponse {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: usize,
    embedding: Vec<f32>,
}

impl fmt::Debug for EndpointSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { base_url, model, timeout, .. } = self;
        let mut output = f.debug_struct("EndpointSettings");
        output.field("base_url", base_url).field("model", model).field("timeout", timeout).finish_non_exhaustive()
    }
}

impl EndpointEmbedder {
    /// Connects by embedding one word, which gives the length of the vectors.
    ///
    /// # Errors
    /// Any failure of the endpoint; see [`EmbedError`].
    pub async fn connect(settings: EndpointSettings) -> Result<Self, EmbedError> {
        let client = tls::http_client()
            .connect_timeout(CONNECT)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| EmbedError::Unreachable(error.without_url()))?;
        let mut embedder = Self { client, settings, dimensions: 0, running: Semaphore::new(MAX_CONCURRENT_REQUESTS) };
        let probe = embedder.request(&["dimensions".to_owned()]).await?;
        embedder.dimensions = probe.first().map_or(0, Vec::len);
        Ok(embedder)
    }

    async fn embed_all(&self, texts: Vec<String>, purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let texts: Vec<String> = texts.iter().map(|text| self.settings.prefixes.apply(text, purpose)).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            vectors.extend(self.request(batch).await?);
        }
        if vectors.iter().any(|vector| vector.len() != self.dimensions) {
            return Err(EmbedError::Malformed("a vector of another length"));
        }
        Ok(vectors)
    }

    /// Returns one vector of norm 1 per text, within the request timeout.
    async fn request(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let work = async {
            let _turn = self.running.acquire().await.map_err(|_| EmbedError::Interrupted)?;
            let bytes = read(self.send(texts).await?).await?;
            let answer: EmbeddingResponse =
                serde_json::from_slice(&bytes).map_err(|_| EmbedError::Malformed("no embeddings"))?;
            in_order(answer, texts.len())
        };
        tokio::time::timeout(self.settings.timeout, work).await.map_err(|_| EmbedError::Timeout)?
    }

    async fn send(&self, texts: &[String]) -> Result<reqwest::Response, EmbedError> {
        let EndpointSettings { base_url, key, model, .. } = &self.settings;
        let body = Body { model, input: texts, encoding_format: "float" };
        let url = format!("{}/embeddings", base_url.trim_end_matches('/'));
        let mut pause = PAUSE;
        for attempt in 1.. {
            let mut request = with_context(self.client.post(&url).json(&body));
            if let Some(key) = key {
                request = request.bearer_auth(key);
            }
            match request.send().await {
                Ok(response) if response.status().is_success() => return Ok(response),
                Ok(response) => return Err(EmbedError::Status(response.status().as_u16())),
                Err(error) if error.is_connect() && attempt < MAX_ATTEMPTS => tokio::time::sleep(pause).await,
                Err(error) => return Err(EmbedError::Unreachable(error.without_url())),
            }
            pause *= 2;
        }
        unreachable!("the last try returns")
    }
}

impl Embedder for EndpointEmbedder {
    fn model(&self) -> &str {
        &self.settings.model
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(&self, texts: Vec<String>, purpose: Purpose) -> BoxFuture<'_, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(self.embed_all(texts, purpose))
    }
}

async fn read(mut response: reqwest::Response) -> Result<Vec<u8>, EmbedError> {
    let mut bytes = Vec::new();
    while let Some(part) = response.chunk().await.map_err(|error| EmbedError::Unreachable(error.without_url()))? {
        bytes.extend_from_slice(&part);
        if bytes.len() > MAX_RESPONSE_BYTES {
            return Err(EmbedError::Malformed("an endless answer"));
        }
    }
    Ok(bytes)
}

/// Sorts the vectors by their texts, requires one for each text, and normalises them.
fn in_order(answer: EmbeddingResponse, texts: usize) -> Result<Vec<Vec<f32>>, EmbedError> {
    let mut vectors = vec![Vec::new(); texts];
    for Item { index, embedding } in answer.data {
        let place: &mut Vec<f32> = vectors.get_mut(index).ok_or(EmbedError::Malformed("a vector for no text"))?;
        *place = normalised(embedding)?;
    }
    if vectors.iter().any(Vec::is_empty) { Err(EmbedError::Malformed("a text without a vector")) } else { Ok(vectors) }
}

fn normalised(mut vector: Vec<f32>) -> Result<Vec<f32>, EmbedError> {
    let norm = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    if vector.len() > MAX_DIMENSIONS {
        return Err(EmbedError::Malformed("an endless vector"));
    }
    if !norm.is_normal() && !vector.is_empty() {
        return Err(EmbedError::NoDirection);
    }
    vector.iter_mut().for_each(|number| *number /= norm);
    Ok(vector)
}
