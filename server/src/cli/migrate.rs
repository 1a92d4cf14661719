//! `server migrate`: applies the migrations with the owner's connection.

use url::Url;

use crate::{
    backup,
    config::{Config, ConfigError, Secret, Setting},
};

use super::CliError;

/// The role that logs in.
const LOGIN_ROLE: &str = "svc_app";

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Also give the role svc_app the password that database.url has.
    #[arg(long)]
    set_password: bool,
}

/// Applies what is missing.
pub(crate) async fn run(arguments: &Arguments, config: &Config) -> Result<(), CliError> {
    let url = config.database.admin_url.as_ref().ok_or_else(|| missing("database.admin_url", "`migrate`"))?;
    let password = if arguments.set_password {
        let url = config.database.url.as_ref();
        Some(login_password(url.ok_or_else(|| missing("database.url", "`migrate --set-password`"))?)?)
    } else {
        None
    };
    store::migrate(url.expose()).await?;
    if let Some(password) = password {
        store::bootstrap::set_login_password(url.expose(), LOGIN_ROLE, &password).await?;
    }
    println!("The database is up to date.");
    Ok(())
}

/// The password of the login role in its address.
fn login_password(url: &Secret) -> Result<String, CliError> {
    let url = Url::parse(url.expose()).ok().filter(|url| url.username() == LOGIN_ROLE);
    let password = url.and_then(|url| backup::password(&url)).filter(|password| !password.is_empty());
    password.ok_or_else(|| {
        CliError::Other(format!(
            "`migrate --set-password` needs a database.url with the role {LOGIN_ROLE} and its password."
        ))
    })
}

/// The error for a setting that a command needs; the key must be in the table.
pub(crate) fn missing(key: &'static str, command: &'static str) -> CliError {
    let setting = Setting::of(key);
    ConfigError::Missing { key, env: setting.env(), command, meaning: setting.meaning }.into()
}
