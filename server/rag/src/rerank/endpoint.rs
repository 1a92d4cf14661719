//! A reranker behind an endpoint: `POST {url}/rerank` in the protocol of Jina, Cohere, vLLM and llama.cpp, or of
//! Hugging Face's text-embeddings-inference. Every wait is bounded, and nothing is retried, because the caller already
//! has an order.

use std::{fmt, time::Duration};

use futures::future::BoxFuture;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::{RerankError, Reranker};
use crate::trace::with_context;

/// Maximum concurrent requests.
const MAX_CONCURRENT_REQUESTS: usize = 8;
/// Maximum bytes of a response.
const MAX_RESPONSE_BYTES: usize = 4 * 1024 * 1024;
/// Connection timeout.
const CONNECT: Duration = Duration::from_secs(3);

/// The format of requests and responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// `{model, query, documents}`, answered with `{results: [{index, relevance_score}]}`.
    Jina,
    /// `{query, texts}`, answered with `[{index, score}]`.
    Tei,
}

/// The location of a reranker.
#[derive(Clone)]
pub struct EndpointSettings {
    /// Base URL without `/rerank`, for example `http://127.0.0.1:8090/v1`.
    pub base_url: String,
    /// Bearer token, if the endpoint requires one.
    pub key: Option<String>,
    /// The model's name at the endpoint.
    pub model: String,
    pub protocol: Protocol,
}

/// A model behind an endpoint.
pub struct EndpointReranker {
    client: reqwest::Client,
    settings: EndpointSettings,
    running: Semaphore,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RerankResponse {
    Jina { results: Vec<Item> },
    Tei(Vec<Item>),
}

#[derive(Deserialize)]
struct Item {
    index: usize,
    #[serde(alias = "score")]
    relevance_score: f32,
}

impl fmt::Debug for EndpointSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { base_url, model, protocol, .. } = self;
        let mut output = f.debug_struct("EndpointSettings");
        output.field("base_url", base_url).field("model", model).field("protocol", protocol).finish_non_exhaustive()
    }
}

impl EndpointReranker {
    /// Creates a client without sending anything.
    ///
    /// # Errors
    /// [`RerankError::Unreachable`] when the client cannot be created.
    pub fn new(settings: EndpointSettings) -> Result<Self, RerankError> {
        let client = tls::http_client()
            .connect_timeout(CONNECT)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(unreachable)?;
        Ok(Self { client, settings, running: Semaphore::new(MAX_CONCURRENT_REQUESTS) })
    }

    async fn ask(&self, question: &str, texts: &[String]) -> Result<Vec<f32>, RerankError> {
        let EndpointSettings { base_url, key, .. } = &self.settings;
        let _turn = self.running.acquire().await.map_err(|_| RerankError::Malformed("nothing, it is closed"))?;
        let url = format!("{}/rerank", base_url.trim_end_matches('/'));
        let mut request = with_context(self.client.post(url).json(&self.body(question, texts)));
        if let Some(key) = key {
            request = request.bearer_auth(key);
        }
        let response = request.send().await.map_err(unreachable)?;
        if !response.status().is_success() {
            return Err(RerankError::Status(response.status().as_u16()));
        }
        let bytes = read(response).await?;
        let answer: RerankResponse = serde_json::from_slice(&bytes).map_err(|_| RerankError::Malformed("no scores"))?;
        in_order(answer, texts.len())
    }

    fn body(&self, question: &str, texts: &[String]) -> Value {
        match self.settings.protocol {
            Protocol::Jina => json!({
                "model": self.settings.model, "query": question, "documents": texts, "top_n": texts.len(),
                "return_documents": false,
            }),
            Protocol::Tei => json!({ "query": question, "texts": texts, "truncate": true }),
        }
    }
}

impl Reranker for EndpointReranker {
    fn model(&self) -> &str {
        &self.settings.model
    }

    fn scores(&self, question: String, texts: Vec<String>) -> BoxFuture<'_, Result<Vec<f32>, RerankError>> {
        Box::pin(async move { self.ask(&question, &texts).await })
    }
}

fn unreachable(error: reqwest::Error) -> RerankError {
    RerankError::Unreachable(error.without_url())
}

async fn read(mut response: reqwest::Response) -> Result<Vec<u8>, RerankError> {
    let mut bytes = Vec::new();
    while let Some(part) = response.chunk().await.map_err(unreachable)? {
        bytes.extend_from_slice(&part);
        if bytes.len() > MAX_RESPONSE_BYTES {
            return Err(RerankError::Malformed("an endless answer"));
        }
    }
    Ok(bytes)
}

/// The scores in the order of their texts, each once.
fn in_order(answer: RerankResponse, texts: usize) -> Result<Vec<f32>, RerankError> {
    let (RerankResponse::Jina { results } | RerankResponse::Tei(results)) = answer;
    let mut scores = vec![None; texts];
    for Item { index, relevance_score } in results {
        let place = scores.get_mut(index).ok_or(RerankError::Malformed("a score for no passage"))?;
        if place.replace(relevance_score).is_some() {
            return Err(RerankError::Malformed("two scores for one passage"));
        }
    }
    let scores: Option<Vec<f32>> = scores.into_iter().collect();
    scores.ok_or(RerankError::Malformed("no score for a passage"))
}
