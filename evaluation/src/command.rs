//! The command line. It evaluates every way of searching on sets of questions, with confidence intervals and halves of
//! development sets, and a language model next to quoted answers. `server eval` asks one chatbot a customer's own questions.
#![allow(clippy::print_stdout, reason = "a command line tool")]

mod model;
mod sets;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use clap::Parser;
use rag::embed::Embedder;
use serde_json::Value;
use server::{cli::CliError, config::Config};

use crate::measure::{Sets, StoredVectors};

/// Asks every set of a file, each corpus as a chatbot of a throw-away database (deploy/eval/sets.toml).
#[derive(Debug, Parser)]
#[command(name = "evaluation", version, max_term_width = 100)]
struct Arguments {
    /// The platform's configuration file (TOML); the variable SVC_CONFIG names one too.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The file of sets.
    #[arg(value_name = "SETS")]
    sets: PathBuf,
    /// The one set to ask.
    #[arg(long, value_name = "NAME")]
    set: Option<String>,
    /// Also write the figures as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Also write the report of the set as an HTML page.
    #[arg(long, value_name = "FILE", requires = "set", conflicts_with = "model")]
    html: Option<PathBuf>,
    /// Compare quoted answers with those of the language model: the one of generator.url, or the fetched one.
    #[arg(long)]
    model: bool,
    /// With --model: how many questions of each set are asked, or `all`.
    #[arg(long, value_name = "COUNT", default_value = "40", requires = "model")]
    sample: String,
    /// With --model: ask one half of the development sets only, `a` or `b`.
    #[arg(long, value_name = "HALF", requires = "model")]
    half: Option<String>,
}

/// Reads the command line, evaluates and gives the exit code.
pub fn main() -> ExitCode {
    // To read a document, the platform starts its own program again, in a sandbox.
    if std::env::args().nth(1).as_deref() == Some("parse") {
        return server::cli::main();
    }
    match evaluate(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

#[tokio::main]
async fn evaluate(arguments: &Arguments) -> Result<(), CliError> {
    let config = server::cli::load_config(arguments.config.as_deref())?;
    let sets = Sets::read(&arguments.sets).map_err(other)?;
    let sets = match &arguments.set {
        Some(name) => sets.only(name).map_err(other)?,
        None => sets,
    };
    if arguments.model {
        model::run(&sets, arguments, &config).await
    } else {
        sets::run(&sets, arguments, &config).await
    }
}

#[allow(clippy::print_stderr, reason = "the last word to the person at the terminal")]
fn fail(error: &CliError) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::FAILURE
}

/// Caches the vectors of documents for the next run.
fn stored(config: &Config) -> impl Fn(Arc<dyn Embedder>) -> Result<Arc<dyn Embedder>, CliError> {
    let folder = config.paths.var_dir.join("eval-vectors");
    move |embedder| Ok(Arc::new(StoredVectors::open(embedder, &folder).map_err(CliError::file(&folder))?))
}

fn other(error: impl std::error::Error) -> CliError {
    CliError::Other(error.to_string())
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
