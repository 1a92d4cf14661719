//! The administrator of Keycloak, from the environment or from the terminal.

use crate::config::Secret;
use crate::doctor::admin::AdminLogin;

use super::{CliError, terminal};

const USER: &str = "KEYCLOAK_ADMIN_USER";
const PASSWORD: &str = "KEYCLOAK_ADMIN_PASSWORD";

/// The credentials; they are not kept.
pub(super) fn ask() -> Result<AdminLogin, CliError> {
    let instead = format!("set {USER} and {PASSWORD}");
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let username = match variable(USER) {
        Some(username) => username,
        None => terminal::ask("Keycloak administrator: ", false, &instead)?,
    };
    let password = match variable(PASSWORD) {
        Some(password) => password,
        None => terminal::ask("Password: ", true, &instead)?,
    };
    Ok(AdminLogin { username, password: Secret::new(password) })
}
