//! Evaluates sets of questions in a temporary PostgreSQL, so that earlier runs have no influence.

use std::{path::Path, sync::Arc};

use rag::embed::{Embedder, LocalEmbedder};

use crate::config::Config;
use crate::embedded::postgres::{EmbeddedPostgres, erase, random_password};
use crate::eval::{self, SetReport, Sets, StoredVectors};
use crate::state::{App, embedders::Embedders};

use super::super::{CliError, demo, platform, with_postgres};
use super::{Arguments, write_json};

/// Evaluates every set of the file, or one of them, and prints a report for each and a table of all.
pub(super) async fn run(file: &Path, arguments: &Arguments, config: &Config) -> Result<(), CliError> {
    let sets = read(file, arguments.set.as_deref()).map_err(|error| CliError::Other(error.to_string()))?;
    let settings = with_postgres::temporary_settings(config).await?;
    let server = EmbeddedPostgres::start(&settings).await?;
    let reports = ask(&sets, &server, config).await;
    server.stop().await;
    erase(&settings).await?;
    let reports = reports?;
    print!("{}", eval::summary(&reports));
    write_json(arguments, &eval::json(&reports))
}

pub(super) fn read(file: &Path, only: Option<&str>) -> Result<Sets, eval::SetsError> {
    let sets = Sets::read(file)?;
    match only {
        Some(name) => sets.only(name),
        None => Ok(sets),
    }
}

async fn ask(sets: &Sets, server: &EmbeddedPostgres, config: &Config) -> Result<Vec<SetReport>, CliError> {
    let app = app(server, config).await?;
    let print = |report: &SetReport| {
        println!("\n{}\n\n{}", report.name, eval::text(&report.outcomes, &report.figures));
    };
    let reports = sets.run(&app, &config.paths.parts_dir, |line| println!("{line}"), print).await;
    app.db.close().await;
    reports.map_err(|error| CliError::Other(error.to_string()))
}

/// A platform on the temporary server that caches the vectors of documents for the next run.
pub(super) async fn app(server: &EmbeddedPostgres, config: &Config) -> Result<App, CliError> {
    let urls = demo::prepare_database(server, &random_password()).await?;
    let embedders = platform::load_embedders(config, LocalEmbedder::without_questions).await?;
    let folder = config.paths.var_dir.join("eval-vectors");
    let store = |embedder: &Arc<dyn Embedder>| {
        StoredVectors::open(Arc::clone(embedder), &folder).map(Arc::new).map_err(CliError::file(&folder))
    };
    let english = store(embedders.of_language("en"))?;
    let stored = match embedders.multilingual() {
        Some(multilingual) => {
            Embedders::by_language(english, store(multilingual)?).map_err(|error| CliError::Other(error.to_string()))?
        }
        None => Embedders::only(english),
    };
    platform::build_app(config, &urls.app, stored).await
}
