//! The realms as they are imported: the files of the demo world with secrets of their own and without its people.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use super::Secrets;
use crate::{
    cli::CliError,
    embedded::{postgres::random_password, private_file},
};

/// The first operator.
pub(super) struct Operator {
    pub(super) username: String,
    pub(super) email: String,
}

impl Operator {
    /// The operator as Keycloak reads it, with a password that must be changed at the first sign-in.
    pub(super) fn user(&self, password: &str) -> Value {
        json!({
            "username": self.username,
            "email": self.email,
            "emailVerified": true,
            "firstName": self.username,
            "lastName": "Operator",
            "enabled": true,
            "credentials": [{ "type": "password", "value": password, "temporary": true }],
            "realmRoles": ["operator"],
        })
    }

    /// Adds the operator to the people of a realm.
    pub(super) fn add_to(&self, realm: &mut Value, password: &str) {
        if let Some(users) = realm["users"].as_array_mut() {
            users.push(self.user(password));
        }
    }
}

/// A realm with new secrets of its clients, other than those that the platform knows.
pub(super) fn content(folder: &Path, realm: &str, base_url: &str, secrets: &Secrets) -> Result<Value, CliError> {
    let names = ["API", "BREAKGLASS", "TUNNEL", "TENANTS_API"];
    let mut variables: BTreeMap<String, String> =
        names.map(|name| (format!("SVC_{name}_CLIENT_SECRET"), random_password())).into();
    for (name, value) in [
        ("SVC_AUDIT_CLIENT_SECRET", secrets.audit.as_str()),
        ("SVC_PEOPLE_CLIENT_SECRET", &secrets.people),
        ("SVC_BASE_URL", base_url),
        // Of the people who are left out.
        ("SVC_DEMO_PASSWORD", ""),
    ] {
        variables.insert(name.to_owned(), value.to_owned());
    }
    let mut content = idp::realm::read_file(&file(folder, realm), &variables)
        .map_err(|error| CliError::Other(format!("the realm {realm}: {error}")))?;
    if let Some(users) = content["users"].as_array_mut() {
        users.retain(|user| user["serviceAccountClientId"].is_string());
    }
    Ok(content)
}

/// The file of a realm, as Keycloak's import names it.
pub(super) fn file(folder: &Path, realm: &str) -> PathBuf {
    folder.join(format!("{realm}-realm.json"))
}

/// The secret of a client in a file that was written before.
pub(super) fn secret_in_file(folder: &Path, realm: &str, client: &str) -> Option<String> {
    let content: Value = serde_json::from_str(&fs::read_to_string(file(folder, realm)).ok()?).ok()?;
    let client = content["clients"].as_array()?.iter().find(|realm_client| realm_client["clientId"] == client)?;
    client["secret"].as_str().map(str::to_owned)
}

/// Writes a file that only its owner can read.
pub(super) fn write(path: &Path, content: &Value) -> Result<(), CliError> {
    let text = serde_json::to_string_pretty(content).map_err(|error| CliError::Other(error.to_string()))?;
    private_file::write(path, text.as_bytes()).map_err(CliError::file(path))
}
