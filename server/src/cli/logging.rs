//! Starts the log on standard error, so that standard output contains only the result of a subcommand.

use tracing_subscriber::EnvFilter;

use crate::config::{LogFormat, LoggingConfig};

/// PostgreSQL's remarks, such as that something exists already, are of no use to an operator.
const QUIET: &str = "sqlx::postgres::notice=error";

/// Installs the subscriber; a second call does nothing.
pub(crate) fn start(config: &LoggingConfig) {
    let mut filter = EnvFilter::new(&config.level);
    if let Ok(quiet) = QUIET.parse() {
        filter = filter.add_directive(quiet);
    }
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let installed = match config.format {
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
        LogFormat::Text => {
            let colours = std::io::IsTerminal::is_terminal(&std::io::stderr());
            builder.with_ansi(colours).with_target(false).try_init()
        }
    };
    if installed.is_err() {
        tracing::debug!("log.started_already");
    }
}
