//! Creates the embedding models, from their folders or with an endpoint, and compares them with those of the chatbots.

use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rag::embed::{EndpointEmbedder, EndpointSettings, LazyEmbedder, LocalEmbedder, Prefixes, Purpose};
use store::vectors::VectorError;

use super::{CliError, without_trailing_slash};
use crate::config::Config;
use crate::state::{App, embedders::Embedders};

/// Checks the folders of the embedding models on a separate thread while the database starts, or connects to the
/// endpoint if one is configured. A model is loaded with the first text; `prepare` configures it for this process.
pub(crate) fn load_embedders(
    config: &Config,
    prepare: fn(LocalEmbedder) -> LocalEmbedder,
) -> impl Future<Output = Result<Embedders, CliError>> + use<> {
    let loading = match endpoint(config) {
        Some(settings) => tokio::spawn(async {
            let embedder = EndpointEmbedder::connect(settings).await.map_err(|error| error.to_string())?;
            Ok(Embedders::only(Arc::new(embedder)))
        }),
        None => {
            let folders = [config.rag.model_dir.clone(), config.rag.multilingual_model_dir.clone()];
            tokio::task::spawn_blocking(move || open_models(&folders, prepare))
        }
    };
    let remedy = match config.embeddings.url {
        Some(_) => {
            "Check embeddings.url, embeddings.api_key and embeddings.model (SVC_EMBEDDINGS_URL, _API_KEY, _MODEL)."
        }
        None => "Run `make setup`, or set SVC_RAG_MODEL_DIR and SVC_RAG_MULTILINGUAL_MODEL_DIR to the models' folders.",
    };
    async move {
        let loaded = loading.await.map_err(|error| CliError::Other(format!("the embedding models: {error}")))?;
        loaded.map_err(|error| CliError::Other(format!("{error}. {remedy}")))
    }
}

fn open_models(folders: &[PathBuf; 2], prepare: fn(LocalEmbedder) -> LocalEmbedder) -> Result<Embedders, String> {
    let open = |folder: &PathBuf| LazyEmbedder::open(folder, prepare).map_err(|error| error.to_string());
    let [english, multilingual] = folders;
    let english = Arc::new(open(english)?);
    Embedders::by_language(english, Arc::new(open(multilingual)?)).map_err(|error| error.to_string())
}

fn endpoint(config: &Config) -> Option<EndpointSettings> {
    let settings = &config.embeddings;
    Some(EndpointSettings {
        base_url: without_trailing_slash(settings.url.as_ref()?),
        key: settings.api_key.as_ref().map(|key| key.expose().to_owned()),
        model: settings.model.clone(),
        timeout: Duration::from_secs(settings.timeout_seconds),
        prefixes: Prefixes { query: prefix(&settings.query_prefix), document: prefix(&settings.document_prefix) },
    })
}

/// A prefix with the space between it and the text.
fn prefix(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{text} ") }
}

/// Refuses a vector store that is too old, and chatbots with vectors of a model that the platform does not have,
/// because no question could be compared with them. Loads the chatbots' models in the background, so that no question
/// waits for that.
pub(crate) async fn check_collections(app: &App) -> Result<(), CliError> {
    if let Some(external) = app.vectors.external() {
        match external.check_version().await {
            Err(error @ VectorError::Version(_)) => return Err(CliError::Other(error.to_string())),
            // The platform starts without it, and checks again before it makes a collection.
            Err(error) => tracing::warn!(%error, "vectors.version_not_checked"),
            Ok(()) => {}
        }
    }
    let mut tx = app.db.read(&store::Scope::system()).await?;
    let in_use = store::chatbots::embeddings_in_use(&mut tx).await?;
    drop(tx);
    for (model, length, chatbots) in in_use {
        let embedder = app.embedders.find(&model);
        let matching = embedder
            .filter(|embedder| i32::try_from(embedder.dimensions()).is_ok_and(|dimensions| dimensions == length));
        let Some(embedder) = matching.map(Arc::clone) else {
            return Err(CliError::Other(format!(
                "the collections of {chatbots} chatbots were filled by the embedding model {model} ({length} dimensions), but \
                 configured is {} ({} dimensions). Set embeddings.*, rag.model_dir or rag.multilingual_model_dir back.",
                app.embedders.names().join(" and "),
                app.embedders.dimensions(),
            )));
        };
        app.tasks.spawn(async move {
            if let Err(error) = embedder.embed(vec![model], Purpose::Query).await {
                tracing::error!(%error, "embedding.failed");
            }
        });
    }
    Ok(())
}
