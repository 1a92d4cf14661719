//! A request to Qdrant: with a timeout, retried only when the connection fails, with a bounded response.

use std::time::Duration;

use reqwest::{Method, Response};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    Qdrant, refusal,
    wire::{About, Envelope},
};
use crate::vectors::VectorError;

/// Connection timeout.
pub(super) const CONNECT: Duration = Duration::from_secs(3);
/// Maximum connection attempts.
const MAX_ATTEMPTS: u32 = 3;
/// Delay before the second attempt; doubled before each further one.
const RETRY_DELAY: Duration = Duration::from_millis(50);
/// The timeout of a write as a multiple of that of a search.
const WRITE_TIMEOUT_FACTOR: u32 = 10;
/// Maximum bytes of a response.
const MAX_RESPONSE_BYTES: usize = 16 * 1024 * 1024;

impl Qdrant {
    /// Sends a request that reads.
    pub(super) async fn read<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<T, VectorError> {
        self.call(method, path, body, self.timeout).await
    }

    /// Sends a request that writes.
    pub(super) async fn write<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Result<T, VectorError> {
        self.call(method, path, Some(body), self.timeout * WRITE_TIMEOUT_FACTOR).await
    }

    /// The server's version, for example `1.16.3`.
    pub(super) async fn version(&self) -> Result<String, VectorError> {
        let work = async {
            let bytes = whole(self.send(Method::GET, "/", None).await?).await?;
            let about: About =
                serde_json::from_slice(&bytes).map_err(|_| VectorError::Malformed("an answer in another form"))?;
            Ok(about.version)
        };
        tokio::time::timeout(self.timeout, work).await.map_err(|_| VectorError::Timeout)?
    }

    async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        timeout: Duration,
    ) -> Result<T, VectorError> {
        let work = async {
            let bytes = whole(self.send(method, path, body).await?).await?;
            let answer: Envelope<T> =
                serde_json::from_slice(&bytes).map_err(|_| VectorError::Malformed("an answer in another form"))?;
            Ok(answer.result)
        };
        tokio::time::timeout(timeout, work).await.map_err(|_| VectorError::Timeout)?
    }

    async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Response, VectorError> {
        let url = format!("{}{path}", self.url);
        let mut pause = RETRY_DELAY;
        for attempt in 1.. {
            let mut request = self.client.request(method.clone(), &url);
            if let Some(body) = body {
                request = request.json(body);
            }
            match request.send().await {
                Ok(response) if response.status().is_success() => return Ok(response),
                Ok(response) => return Err(refusal(response.status())),
                Err(error) if error.is_connect() && attempt < MAX_ATTEMPTS => tokio::time::sleep(pause).await,
                Err(error) => return Err(VectorError::Unreachable(error.without_url())),
            }
            pause *= 2;
        }
        unreachable!("the last try returns")
    }
}

async fn whole(mut response: Response) -> Result<Vec<u8>, VectorError> {
    let mut bytes = Vec::new();
    while let Some(part) = response.chunk().await.map_err(|error| VectorError::Unreachable(error.without_url()))? {
        bytes.extend_from_slice(&part);
        if bytes.len() > MAX_RESPONSE_BYTES {
            return Err(VectorError::Malformed("an endless answer"));
        }
    }
    Ok(bytes)
}
