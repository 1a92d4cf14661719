//! `server eval`: asks a chatbot the questions of a file, or one chatbot per corpus of a file of sets, and prints how
//! well they found and answered.

mod model;
mod sets;

use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use serde_json::Value;

use crate::config::Config;
use crate::{
    eval::{self, SetReport},
    service::knowledge::ingestion,
};

use super::{CliError, migrate, platform};

/// Which chatbot and which questions.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The chatbot's id, or its slug together with --tenant when several tenants use that slug.
    #[arg(long, value_name = "ID_OR_SLUG", required_unless_present = "sets")]
    chatbot: Option<String>,
    /// The tenant's slug.
    #[arg(long, value_name = "SLUG")]
    tenant: Option<String>,
    /// Also write the report as an HTML page.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Also write the figures as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Search for each question alone, which shows what its history gains.
    #[arg(long)]
    ignore_history: bool,
    /// Ask every set of this file instead, each corpus as a chatbot of a throw-away database (deploy/eval/sets.toml).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["chatbot", "tenant", "html", "ignore_history", "questions"])]
    sets: Option<PathBuf>,
    /// The one set of --sets to ask.
    #[arg(long, value_name = "NAME", requires = "sets")]
    set: Option<String>,
    /// Compare quoted answers with those of the language model: the one of generator.url, or the fetched one.
    #[arg(long, requires = "sets")]
    model: bool,
    /// With --model: how many questions of each set are asked, or `all`.
    #[arg(long, value_name = "COUNT", default_value = "40", requires = "model")]
    sample: String,
    /// With --model: ask one half of the development sets only, `a` or `b`.
    #[arg(long, value_name = "HALF", requires = "model")]
    half: Option<String>,
    /// One JSON object a line: question, history, kind, document, passage, words, half (docs/answers.md).
    #[arg(value_name = "QUESTIONS", required_unless_present = "sets")]
    questions: Option<PathBuf>,
}

/// Asks the questions and prints the report.
pub(crate) async fn run(arguments: &Arguments, config: &Config) -> Result<(), CliError> {
    match (&arguments.sets, &arguments.chatbot, &arguments.questions) {
        (Some(file), _, _) if arguments.model => model::run(file, arguments, config).await,
        (Some(file), _, _) => sets::run(file, arguments, config).await,
        (None, Some(chatbot), Some(questions)) => ask_one(chatbot, questions, arguments, config).await,
        // The command line refuses this before.
        _ => Ok(()),
    }
}

async fn ask_one(name: &str, file: &Path, arguments: &Arguments, config: &Config) -> Result<(), CliError> {
    let mut questions = eval::read(file).map_err(|error| CliError::Other(error.to_string()))?;
    if arguments.ignore_history {
        questions.iter_mut().for_each(|question| question.history.clear());
    }
    let url = config.database.url.as_ref().ok_or_else(|| migrate::missing("database.url", "`eval`"))?;
    let embedders = platform::load_embedders(config, std::convert::identity).await?;
    let app = platform::build_app(config, url.expose(), embedders).await?;
    let chatbot = ingestion::find_chatbot(&app, name, arguments.tenant.as_deref()).await;
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
        write(path, &page)?;
    }
    let report = SetReport { name: chatbot.slug, language: chatbot.language, tuned: false, outcomes, figures };
    write_json(arguments, &eval::json(&[report]))
}

fn write_json(arguments: &Arguments, report: &Value) -> Result<(), CliError> {
    match &arguments.json {
        Some(path) => write(path, &format!("{report:#}\n")),
        None => Ok(()),
    }
}

fn write(path: &Path, text: &str) -> Result<(), CliError> {
    std::fs::write(path, text).map_err(CliError::file(path))?;
    println!("\n{} is written.", path.display());
    Ok(())
}
