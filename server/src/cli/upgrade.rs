//! `server upgrade --check`: what an upgrade to this version would do.

use std::process::ExitCode;

use store::upgrade::{self, UpgradeState};

use crate::config::Config;

use super::{CliError, migrate};

pub(crate) const EXIT_CODES: &str = "Exit codes: 0 nothing to do, 1 the upgrade is not possible or the database does not answer, 3 there are changes to make.";

/// How to upgrade.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only say what would be done. `migrate` does it.
    #[arg(long, required = true)]
    check: bool,
}

/// Prints the plan.
pub(crate) async fn run(config: &Config) -> Result<ExitCode, CliError> {
    let url = config.database.admin_url.as_ref().ok_or_else(|| migrate::missing("database.admin_url", "`upgrade`"))?;
    let state = upgrade::state(url.expose()).await?;
    print!("{}", text(&state));
    Ok(if state.pending.is_empty() && state.outdated_files == 0 { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

fn text(state: &UpgradeState) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut lines = Vec::new();
    match state.newest_applied {
        None => lines.push(format!("The database is empty: {version} would make all tables.")),
        Some(newest) => lines
            .push(format!("The database is at migration {newest}; every version before {version} can be upgraded.")),
    }
    if state.pending.is_empty() {
        lines.push("No migration is needed.".to_owned());
    } else {
        lines.push(format!("`server migrate` would apply {} migrations:", state.pending.len()));
        lines.extend(state.pending.iter().map(|(number, name)| format!("  {number:04} {name}")));
    }
    match state.outdated_files {
        0 => lines.push("No document is read again.".to_owned()),
        files => lines.push(format!("{files} uploaded files would be read again in the background, because this version reads them in another way.")),
    }
    lines.push(String::new());
    lines.join("\n")
}
