//! `server config`: shows every setting with its effective value and origin, or the documentation page.

use crate::config::{Config, Values, report};

use super::CliError;

/// What to show.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Show every setting with its value, where it came from and what it means (the default).
    #[arg(long, conflicts_with = "markdown")]
    explain: bool,
    /// Write the page docs/configuration.md to standard output.
    #[arg(long)]
    markdown: bool,
}

/// Prints the report; a value that is not allowed is an error after it.
pub(crate) fn run(arguments: &Arguments, values: &Values) -> Result<(), CliError> {
    if arguments.markdown {
        print!("{}", report::markdown());
        return Ok(());
    }
    print!("{}", report::explain(values));
    Config::from_values(values)?;
    Ok(())
}
