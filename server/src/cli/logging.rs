//! Starts the log on standard error, so that standard output contains only the result of a subcommand.

use tracing_subscriber::{EnvFilter, Layer, layer::SubscriberExt, util::SubscriberInitExt};

use crate::{
    config::{LogFormat, LoggingConfig, OtlpConfig},
    telemetry,
};

/// PostgreSQL's remarks, such as that something exists already, are of no use to an operator. Spans of traces are for their
/// collector.
const QUIET: [&str; 2] = ["sqlx::postgres::notice=error", "telemetry=off"];

/// Installs the subscriber; a second call does nothing.
pub(crate) fn start(config: &LoggingConfig, otlp: &OtlpConfig) {
    let mut filter = EnvFilter::new(&config.level);
    for quiet in QUIET.iter().filter_map(|directive| directive.parse().ok()) {
        filter = filter.add_directive(quiet);
    }
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let lines = match config.format {
        LogFormat::Json => lines.json().flatten_event(true).with_filter(filter).boxed(),
        LogFormat::Text => {
            let colours = std::io::IsTerminal::is_terminal(&std::io::stderr());
            lines.with_ansi(colours).with_target(false).with_filter(filter).boxed()
        }
    };
    if tracing_subscriber::registry().with(lines).with(telemetry::layer(otlp)).try_init().is_err() {
        tracing::debug!("log.started_already");
    }
}
