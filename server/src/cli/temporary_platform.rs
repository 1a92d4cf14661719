//! The platform on an empty temporary PostgreSQL, for programs that measure it.

use std::sync::Arc;

use rag::embed::{Embedder, LocalEmbedder};

use super::{CliError, demo, platform, with_postgres};
use crate::{
    config::Config,
    embedded::postgres::{EmbeddedPostgres, erase, random_password},
    state::{App, embedders::Embedders},
};

/// Runs `work` on a platform that is erased afterwards. `wrap` may cache the vectors of a model.
///
/// # Errors
/// When the platform does not start, or `work` fails.
pub async fn with_temporary_platform<T>(
    config: &Config,
    wrap: impl Fn(Arc<dyn Embedder>) -> Result<Arc<dyn Embedder>, CliError>,
    work: impl AsyncFnOnce(&App) -> Result<T, CliError>,
) -> Result<T, CliError> {
    let settings = with_postgres::temporary_settings(config).await?;
    let server = EmbeddedPostgres::start(&settings).await?;
    let result = run(config, &server, wrap, work).await;
    server.stop().await;
    erase(&settings).await?;
    result
}

async fn run<T>(
    config: &Config,
    server: &EmbeddedPostgres,
    wrap: impl Fn(Arc<dyn Embedder>) -> Result<Arc<dyn Embedder>, CliError>,
    work: impl AsyncFnOnce(&App) -> Result<T, CliError>,
) -> Result<T, CliError> {
    let urls = demo::prepare_database(server, &random_password()).await?;
    let embedders = platform::load_embedders(config, LocalEmbedder::without_questions).await?;
    let english = wrap(Arc::clone(embedders.of_language("en")))?;
    let wrapped = match embedders.multilingual() {
        Some(multilingual) => Embedders::by_language(english, wrap(Arc::clone(multilingual))?)
            .map_err(|error| CliError::Other(error.to_string()))?,
        None => Embedders::only(english),
    };
    let app = platform::build_app(config, &urls.app, wrapped).await?;
    let result = work(&app).await;
    app.db.close().await;
    result
}
