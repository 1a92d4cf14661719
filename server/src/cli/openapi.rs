//! `server openapi`: writes the OpenAPI file, or checks that it matches the endpoint table.

use std::fs;
use std::path::PathBuf;

use crate::http::openapi;

use super::CliError;

/// Where the file is and what to do with it.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Change nothing; fail when the file differs.
    #[arg(long)]
    check: bool,
    /// The file to write or to compare.
    #[arg(long, default_value = "docs/openapi.json")]
    file: PathBuf,
}

/// Writes or checks the file.
pub(crate) fn run(arguments: &Arguments) -> Result<(), CliError> {
    let (file, document) = (&arguments.file, openapi::document());
    if !arguments.check {
        fs::write(file, document).map_err(CliError::file(file))?;
        println!("{} is written.", file.display());
        return Ok(());
    }
    if fs::read_to_string(file).map_err(CliError::file(file))? == document {
        println!("{} is up to date.", file.display());
        return Ok(());
    }
    Err(CliError::Other(format!(
        "{} differs from the endpoint table. Run `make openapi` and commit it.",
        file.display()
    )))
}
