//! `server ingest`: reads documents into a chatbot's collection, by a job that a server on the same machine or this
//! process runs. Changed documents are replaced; unreadable ones are skipped with a reason.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use contract::chatbots::Chatbot;
use rag::embed::LocalEmbedder;

use crate::{
    config::Config,
    service::{
        knowledge::{
            self,
            ingestion::{self, Report},
        },
        queued_ingestion::{follow, watch},
    },
    shutdown::Stop,
    state::App,
};

use super::{CliError, migrate, platform, stop};

/// The exit code of a strict run that left out files which could not be read. As with rsync's 23, all others are done.
const INCOMPLETE: u8 = 3;

/// The exit codes, at the end of the help.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  the run ended; the report names the files that were skipped
  1  the run failed or was canceled; documents that were read until then stay
  2  the command line is wrong
  3  with --strict: the run ended, but some files could not be read";

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
    /// End with exit code 3 if some files could not be read.
    #[arg(long)]
    strict: bool,
    /// Keep a source equal to this folder until Ctrl+C: ingest it with --prune, and again whenever its files change.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["paths", "prune", "strict"])]
    watch: Option<PathBuf>,
    /// Files, folders and archives: Markdown, HTML, plain text, PDF, DOCX, XLSX, PPTX, ODT, EPUB, pictures of text, questions and answers in CSV or JSONL, zip, tar.
    #[arg(required_unless_present = "watch", value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// Ingests and prints a summary, once or for each change of a folder. Ctrl+C cancels the job.
pub(crate) async fn run(arguments: &Arguments, config: &Config) -> Result<ExitCode, CliError> {
    let stop = stop::on_signal(Stop::without_drain())?;
    let url = config.database.url.as_ref().ok_or_else(|| migrate::missing("database.url", "`ingest`"))?;
    let embedders = platform::load_embedders(config, LocalEmbedder::without_questions).await?;
    let app = platform::build_app(config, url.expose(), embedders).await?;
    let done = ingest(&app, arguments, &stop).await;
    app.db.close().await;
    done.map_err(|error| CliError::Other(error.to_string()))
}

async fn ingest(app: &App, arguments: &Arguments, stop: &Stop) -> Result<ExitCode, knowledge::Error> {
    let chatbot = ingestion::find_chatbot(app, &arguments.chatbot, arguments.tenant.as_deref()).await?;
    if let Some(embedder) = app.embedders.of_chatbot(chatbot.embedding_model.as_deref(), &chatbot.language) {
        println!("embedding model: {}", embedder.model());
    }
    if let Some(folder) = &arguments.watch {
        keep_equal(app, &chatbot, folder, stop).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let request = (arguments.paths.as_slice(), arguments.prune);
    let report = follow::run(app, &chatbot, request, follow::WORKER_TIMEOUT, stop.token()).await?;
    println!("{report}");
    Ok(ExitCode::from(code(&report, arguments.strict)))
}

fn code(report: &Report, is_strict: bool) -> u8 {
    if is_strict && report.unread > 0 { INCOMPLETE } else { 0 }
}

async fn keep_equal(app: &App, chatbot: &Chatbot, folder: &Path, stop: &Stop) -> Result<(), knowledge::Error> {
    println!("watching {} until Ctrl+C", folder.display());
    watch::until(app, chatbot, folder, watch::Intervals::default(), stop.token(), |report| println!("{report}")).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_that_could_not_be_read_have_a_code() {
        let skipped = vec![("a.png".to_owned(), "this kind of file is not read".to_owned())];
        assert_eq!(code(&Report { unchanged: 2, skipped: skipped.clone(), ..Report::default() }, true), 0);
        let incomplete = Report { unchanged: 2, skipped, unread: 1, ..Report::default() };
        assert_eq!((code(&incomplete, true), code(&incomplete, false)), (3, 0));
        assert!(EXIT_CODES.contains(&format!("\n  {INCOMPLETE}  with --strict")));
    }
}
