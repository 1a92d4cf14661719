//! `server ingest`: reads documents into a chatbot's collection, by a job that a server on the same machine or this
//! process runs. Changed documents are replaced; unreadable ones are skipped with a reason.

use std::path::{Path, PathBuf};

use contract::chatbots::Chatbot;
use rag::embed::LocalEmbedder;

use crate::{
    config::Config,
    service::{
        knowledge::{self, ingestion},
        queued_ingestion::{follow, watch},
    },
    shutdown::Stop,
    state::App,
};

use super::{CliError, migrate, platform, stop};

/// Which chatbot and which documents.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The chatbot's id, or its slug together with --tenant when several tenants use that slug.
    #[arg(long, value_name = "ID_OR_SLUG")]
    chatbot: String,
    /// The tenant's slug.
    #[arg(long, value_name = "SLUG")]
    tenant: Option<String>,
    /// Remove documents of the named paths whose files are gone.
    #[arg(long)]
    prune: bool,
    /// Keep a source equal to this folder until Ctrl+C: ingest it with --prune, and again whenever its files change.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["paths", "prune"])]
    watch: Option<PathBuf>,
    /// Files, folders and archives: Markdown, HTML, plain text, PDF, DOCX, XLSX, PPTX, ODT, EPUB, pictures of text, questions and answers in CSV or JSONL, zip, tar.
    #[arg(required_unless_present = "watch", value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// Ingests and prints a summary, once or for each change of a folder. Ctrl+C cancels the job.
pub(crate) async fn run(arguments: &Arguments, config: &Config) -> Result<(), CliError> {
    let stop = stop::on_signal(Stop::without_drain())?;
    let url = config.database.url.as_ref().ok_or_else(|| migrate::missing("database.url", "`ingest`"))?;
    let embedders = platform::load_embedders(config, LocalEmbedder::without_questions).await?;
    let app = platform::build_app(config, url.expose(), embedders).await?;
    let done = ingest(&app, arguments, &stop).await;
    app.db.close().await;
    done.map_err(|error| CliError::Other(error.to_string()))
}

async fn ingest(app: &App, arguments: &Arguments, stop: &Stop) -> Result<(), knowledge::Error> {
    let chatbot = ingestion::find_chatbot(app, &arguments.chatbot, arguments.tenant.as_deref()).await?;
    if let Some(embedder) = app.embedders.of_chatbot(chatbot.embedding_model.as_deref(), &chatbot.language) {
        println!("embedding model: {}", embedder.model());
    }
    if let Some(folder) = &arguments.watch {
        return keep_equal(app, &chatbot, folder, stop).await;
    }
    let wanted = (arguments.paths.as_slice(), arguments.prune);
    let report = follow::run(app, &chatbot, wanted, follow::WORKER_TIMEOUT, stop.token()).await?;
    println!("{report}");
    Ok(())
}

async fn keep_equal(app: &App, chatbot: &Chatbot, folder: &Path, stop: &Stop) -> Result<(), knowledge::Error> {
    println!("watching {} until Ctrl+C", folder.display());
    watch::until(app, chatbot, folder, watch::Intervals::default(), stop.token(), |report| println!("{report}")).await
}
