//! The command line: one file per subcommand, without rules of the service.
#![allow(clippy::print_stdout, reason = "subcommands answer on the terminal; the server itself logs")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::config::{Config, Values};

pub use self::{error::CliError, temporary_platform::with_temporary_platform};

mod backup;
mod config;
mod demo;
mod doctor;
mod error;
mod eval;
mod health;
mod ingest;
mod init;
mod keycloak_login;
mod listen;
mod logging;
mod migrate;
mod openapi;
mod parse;
mod platform;
mod serve;
mod sessions;
mod stop;
mod temporary_platform;
mod terminal;
mod upgrade;
mod with_postgres;
mod worker;

/// A multi-tenant chatbot platform: answers with sources, from each tenant's own documents.
#[derive(Debug, Parser)]
#[command(name = "server", display_name = "chatbot-platform", version, max_term_width = 100)]
struct Arguments {
    /// Configuration file (TOML); the variable SVC_CONFIG names one too.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the platform in production: with a database and an identity provider of its own.
    Serve,
    /// Work on background jobs only, such as reading uploaded files, while `serve` runs elsewhere.
    Worker,
    /// Run the platform with a demo world: embedded PostgreSQL, identity provider, documents, demo site.
    Demo(demo::Arguments),
    /// Bring the database's tables up to date.
    Migrate(migrate::Arguments),
    /// Set up a new platform: database, realms, secrets, settings and the first operator.
    Init(init::Arguments),
    /// Write a backup: database, uploaded files, and a manifest with their hashes.
    Backup(backup::Arguments),
    /// Restore a backup into an empty database and an empty storage, and compare the result with it.
    Restore(backup::Arguments),
    /// Show what an upgrade to this version would do.
    #[command(after_help = upgrade::EXIT_CODES)]
    Upgrade(upgrade::Arguments),
    /// Read documents into a chatbot's collection.
    #[command(after_help = ingest::EXIT_CODES)]
    Ingest(ingest::Arguments),
    /// Ask a chatbot a file of questions and measure how well it finds and answers.
    Eval(eval::Arguments),
    /// Erase a conversation of a visitor.
    Sessions(sessions::Arguments),
    /// Write docs/openapi.json, or check that it is up to date.
    Openapi(openapi::Arguments),
    /// Check the installation: database, identity provider, models, certificates, machine.
    Doctor(doctor::Arguments),
    /// Ask the running server of this machine whether it is alive, with the settings of `serve`: exit code 0 or 1.
    Health,
    /// Show the settings.
    Config(config::Arguments),
    /// Read an untrusted document on the standard input: the server starts this for each.
    #[command(hide = true)]
    Parse(parse::Arguments),
    /// Run a command with a temporary PostgreSQL, whose address is in TEST_DATABASE_URL.
    WithPostgres(with_postgres::Arguments),
}

/// Runs the command line of this process. Returns 0 for success, 1 for a failure (explained in one sentence on standard
/// error), and 2 for a wrong command line; `ingest --strict` returns 3 if files could not be read, `upgrade
/// --check` 3 if there is something to do, and `with-postgres` the status of its command.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // Before there are threads or secrets.
    if let Command::Parse(arguments) = &arguments.command {
        return parse::run(arguments);
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&CliError::Other(format!("the runtime could not be started: {error}"))),
    };
    let ended = runtime.block_on(run(arguments));
    // A parser that is still busy with a file is not waited for.
    runtime.shutdown_background();
    match ended {
        Ok(code) => code,
        Err(error) => fail(&error),
    }
}

async fn run(arguments: Arguments) -> Result<ExitCode, CliError> {
    let values = match arguments.command {
        // The file of settings may not be there yet.
        Command::Init(_) if !init::file(arguments.config.as_deref()).exists() => Values::from_environment()?,
        Command::Init(_) => Values::load(Some(&init::file(arguments.config.as_deref())))?,
        _ => Values::load(arguments.config.as_deref())?,
    };
    let done = |()| ExitCode::SUCCESS;
    match arguments.command {
        Command::Config(arguments) => config::run(&arguments, &values).map(done),
        Command::Parse(arguments) => Ok(parse::run(&arguments)),
        Command::Openapi(arguments) => openapi::run(&arguments).map(done),
        Command::Serve => serve::run(load(&values)?).await.map(done),
        Command::Worker => worker::run(load(&values)?).await.map(done),
        Command::Doctor(arguments) => doctor::run(&arguments, &load(&values)?).await,
        Command::Health => health::run(&Config::from_values(&values)?).map(done),
        Command::Demo(arguments) => demo::run(&arguments, load(&demo::implied(values))?).await.map(done),
        Command::Init(settings) => {
            init::run(&settings, &init::file(arguments.config.as_deref()), &values, &load(&values)?).await.map(done)
        }
        Command::Migrate(arguments) => migrate::run(&arguments, &load(&values)?).await.map(done),
        Command::Backup(arguments) => backup::create(&arguments, &load(&values)?).await,
        Command::Restore(arguments) => backup::restore(&arguments, &load(&values)?).await,
        Command::Upgrade(_) => upgrade::run(&load(&values)?).await,
        Command::Ingest(arguments) => ingest::run(&arguments, &load(&values)?).await,
        Command::Eval(arguments) => eval::run(&arguments, &load(&values)?).await.map(done),
        Command::Sessions(arguments) => sessions::run(&arguments, &load(&values)?).await.map(done),
        Command::WithPostgres(arguments) => with_postgres::run(&arguments, &load(&values)?).await,
    }
}

/// The checked settings of this file and the environment, for another program of the project. Starts the log.
///
/// # Errors
/// When a setting is refused.
pub fn load_config(file: Option<&Path>) -> Result<Config, CliError> {
    load(&Values::load(file)?)
}

/// Checks the values and starts the log.
fn load(values: &Values) -> Result<Config, CliError> {
    let config = Config::from_values(values)?;
    logging::start(&config.logging, &config.otlp);
    if let Some(path) = &config.tls.ca_file {
        tls::trust_file(path)?;
    }
    values.warn_about_former_names();
    Ok(config)
}

#[allow(clippy::print_stderr, reason = "the last word to the person at the terminal, also when the log is off")]
fn fail(error: &CliError) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::FAILURE
}
