//! `server eval`: asks a chatbot a file of questions and prints how well it found and answered.

use std::path::PathBuf;

use indicatif::ProgressBar;

use crate::config::Config;
use crate::{eval, service::knowledge::ingestion};

use super::{CliError, migrate, platform};

/// Which chatbot and which questions.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The chatbot's id, or its slug together with --tenant when several tenants use that slug.
    #[arg(long, value_name = "ID_OR_SLUG")]
    chatbot: String,
    /// The tenant's slug.
    #[arg(long, value_name = "SLUG")]
    tenant: Option<String>,
    /// Also write the report as an HTML page.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Search for each question alone, which shows what its history gains.
    #[arg(long)]
    ignore_history: bool,
    /// One JSON object a line: question, history, kind, document, passage (docs/answers.md).
    #[arg(value_name = "QUESTIONS")]
    questions: PathBuf,
}

/// Asks and prints.
pub(crate) async fn run(arguments: &Arguments, config: &Config) -> Result<(), CliError> {
    let mut questions = eval::read(&arguments.questions).map_err(|error| CliError::Other(error.to_string()))?;
    if arguments.ignore_history {
        questions.iter_mut().for_each(|question| question.history.clear());
    }
    let url = config.database.url.as_ref().ok_or_else(|| migrate::missing("database.url", "`eval`"))?;
    let embedder = platform::load_embedder(config, std::convert::identity).await?;
    let app = platform::build_app(config, url.expose(), embedder).await?;
    let chatbot = ingestion::find_chatbot(&app, &arguments.chatbot, arguments.tenant.as_deref()).await;
    let chatbot = chatbot.map_err(|error| CliError::Other(error.to_string()))?;
    let progress = ProgressBar::new(questions.len() as u64);
    let outcomes = eval::run(&app, &chatbot, questions, || progress.inc(1)).await;
    let outcomes = outcomes.map_err(|error| CliError::Other(error.to_string()))?;
    progress.finish_and_clear();
    app.db.close().await;
    let figures = eval::Figures::of(&outcomes);
    print!("{}", eval::text(&outcomes, &figures));
    if let Some(path) = &arguments.html {
        let page = eval::html(&format!("Evaluation of {}", chatbot.slug), &outcomes, &figures);
        std::fs::write(path, page).map_err(CliError::file(path))?;
        println!("\n{} is written.", path.display());
    }
    Ok(())
}
