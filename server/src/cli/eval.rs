//! `server eval`: asks a chatbot the questions of a file, and prints how many were found, answered, answered rightly and
//! refused.

use std::path::PathBuf;

use indicatif::ProgressBar;

use crate::{config::Config, eval, service::knowledge::ingestion};

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
    /// Also write the figures and the result of each question as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Search for each question alone, which shows what its history gains.
    #[arg(long)]
    ignore_history: bool,
    /// One JSON object a line: question, history, kind, document, passage, words (docs/answers.md).
    #[arg(value_name = "QUESTIONS")]
    questions: PathBuf,
}

/// Asks the questions and prints the report.
pub(crate) async fn run(arguments: &Arguments, config: &Config) -> Result<(), CliError> {
    let Arguments { chatbot, tenant, json, ignore_history, questions } = arguments;
    let mut questions = eval::read(questions).map_err(|error| CliError::Other(error.to_string()))?;
    if *ignore_history {
        questions.iter_mut().for_each(|question| question.history.clear());
    }
    let url = config.database.url.as_ref().ok_or_else(|| migrate::missing("database.url", "`eval`"))?;
    let embedders = platform::load_embedders(config, std::convert::identity).await?;
    let app = platform::build_app(config, url.expose(), embedders).await?;
    let chatbot = ingestion::find_chatbot(&app, chatbot, tenant.as_deref()).await;
    let chatbot = chatbot.map_err(|error| CliError::Other(error.to_string()))?;
    let progress = ProgressBar::new(questions.len() as u64);
    let outcomes = eval::run(&app, &chatbot, questions, || progress.inc(1)).await;
    let outcomes = outcomes.map_err(|error| CliError::Other(error.to_string()))?;
    progress.finish_and_clear();
    app.db.close().await;
    print!("{}", eval::text(&outcomes));
    if let Some(path) = json {
        std::fs::write(path, format!("{:#}\n", eval::json(&outcomes))).map_err(CliError::file(path))?;
        println!("\n{} is written.", path.display());
    }
    Ok(())
}
