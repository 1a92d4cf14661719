//! `server ingest`: reads documents into a chatbot's collection. What changed is replaced, what cannot be read is
//! skipped with its reason.

use std::path::PathBuf;

use rag::embed::LocalEmbedder;

use crate::config::Config;
use crate::service::knowledge::{self, ingestion};

use super::{CliError, migrate, platform};

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
    /// Files, folders and archives: Markdown, HTML, plain text, PDF, DOCX, XLSX, PPTX, ODT, EPUB, pictures of text, questions and answers in CSV or JSONL, zip, tar.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// Ingests and prints a summary.
pub(crate) async fn run(arguments: &Arguments, config: &Config) -> Result<(), CliError> {
    let url = config.database.url.as_ref().ok_or_else(|| migrate::missing("database.url", "`ingest`"))?;
    let embedders = platform::load_embedders(config, LocalEmbedder::without_questions).await?;
    let app = platform::build_app(config, url.expose(), embedders).await?;
    let failed = |error: knowledge::Error| CliError::Other(error.to_string());
    let chatbot =
        ingestion::find_chatbot(&app, &arguments.chatbot, arguments.tenant.as_deref()).await.map_err(failed)?;
    let report = ingestion::run(&app, &chatbot, &arguments.paths, arguments.prune).await.map_err(failed)?;
    app.db.close().await;
    println!("{report}");
    Ok(())
}
