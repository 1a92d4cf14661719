//! The configured reranker: a cross-encoder's folder or an endpoint.

use std::{sync::Arc, time::Duration};

use rag::rerank::{EndpointReranker, EndpointSettings, LocalReranker, RerankError, Reranker, Reranking};

use super::{CliError, without_trailing_slash};
use crate::config::Config;

/// Loads the folder, or creates a client of the endpoint without sending anything; `None` when neither is configured.
pub(in crate::cli) async fn load(config: &Config) -> Result<Option<Reranking>, CliError> {
    let settings = &config.reranker;
    let reranker = match (&settings.url, settings.model_dir.clone()) {
        (Some(url), _) => EndpointReranker::new(EndpointSettings {
            base_url: without_trailing_slash(url),
            key: settings.api_key.as_ref().map(|key| key.expose().to_owned()),
            model: settings.model.clone(),
            protocol: settings.protocol,
        })
        .map(|reranker| Arc::new(reranker) as Arc<dyn Reranker>),
        (None, Some(folder)) => tokio::task::spawn_blocking(move || LocalReranker::load(&folder))
            .await
            .map_err(|error| CliError::Other(format!("loading the reranker: {error}")))?
            .map(|reranker| Arc::new(reranker) as Arc<dyn Reranker>),
        (None, None) => return Ok(None),
    };
    let refused = |error: RerankError| CliError::Other(format!("{error}. Check reranker.* (SVC_RERANKER_MODEL_DIR)."));
    Ok(Some(Reranking {
        reranker: reranker.map_err(refused)?,
        depth: settings.candidates,
        timeout: Duration::from_millis(settings.timeout_ms),
    }))
}
