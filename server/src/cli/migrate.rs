//! `server migrate`: applies the migrations with the owner's connection.

use crate::config::{Config, ConfigError, Setting};

use super::CliError;

/// Applies what is missing.
pub(crate) async fn run(config: &Config) -> Result<(), CliError> {
    let url = config.database.admin_url.as_ref().ok_or_else(|| missing("database.admin_url", "`migrate`"))?;
    store::migrate(url.expose()).await?;
    println!("The database is up to date.");
    Ok(())
}

/// The error for a setting that a command needs; the key must be in the table.
pub(crate) fn missing(key: &'static str, command: &'static str) -> CliError {
    let setting = Setting::of(key);
    ConfigError::Missing { key, env: setting.env(), command, meaning: setting.meaning }.into()
}
