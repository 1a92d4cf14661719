//! The secrets of a demo world: generated at its first start, stored in a file that only its owner can read, and
//! marked, so that `serve` recognises and refuses them.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use contract::clients;
use serde::{Deserialize, Serialize};

use super::private_file;
use crate::embedded::postgres::random_password;

/// The prefix of every generated secret.
const MARK: &str = "demo-";

/// The password of all users of the demo world. The sign-in page shows it, so it is not a secret.
pub const DEMO_PASSWORD: &str = "demo-password";

/// The secrets of a demo world.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DemoSecrets {
    /// Secrets of the identity provider's clients, by the name of their placeholder in the realm files.
    pub clients: BTreeMap<String, String>,
    /// Password of the restricted login role.
    pub database: String,
    /// Value of the header that bypasses rate limits.
    pub loadtest: String,
}

impl DemoSecrets {
    /// Reads the file, makes what is missing (a realm file may have got a new client), and writes it back.
    ///
    /// # Errors
    /// A file that cannot be read, understood or written.
    pub fn load(path: &Path, realm_files: &[impl AsRef<Path>]) -> io::Result<Self> {
        let mut secrets: Self = match fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::default(),
            Err(error) => return Err(error),
        };
        for file in realm_files {
            for name in placeholders(&fs::read_to_string(file)?).filter(|name| name.ends_with("_SECRET")) {
                secrets.clients.entry(name).or_insert_with(generate);
            }
        }
        for secret in [&mut secrets.database, &mut secrets.loadtest] {
            if secret.is_empty() {
                *secret = generate();
            }
        }
        private_file::write(path, serde_json::to_string_pretty(&secrets)?.as_bytes())?;
        Ok(secrets)
    }

    /// The secret of a client that the operator console can sign in with.
    #[must_use]
    pub fn of_client(&self, client: &str) -> Option<&str> {
        let placeholder = match client {
            clients::BREAKGLASS => "SVC_BREAKGLASS_CLIENT_SECRET",
            clients::TUNNEL => "SVC_TUNNEL_CLIENT_SECRET",
            _ => return None,
        };
        self.clients.get(placeholder).map(String::as_str)
    }

    /// The values of all placeholders of the realm files.
    #[must_use]
    pub fn variables(&self, base_url: &str) -> BTreeMap<String, String> {
        let mut variables = self.clients.clone();
        variables.insert("SVC_BASE_URL".to_owned(), base_url.to_owned());
        variables.insert("SVC_DEMO_PASSWORD".to_owned(), DEMO_PASSWORD.to_owned());
        // The password grant of svc-api, for scripts and tests; off by default.
        variables.insert("SVC_DIRECT_GRANTS".to_owned(), "true".to_owned());
        variables
    }
}

/// A new secret of a demo world: 37 characters that need no escaping in a URL.
#[must_use]
pub fn generate() -> String {
    format!("{MARK}{}", random_password())
}

/// Whether a text is, or a connection address contains, a secret of a demo world.
#[must_use]
pub fn is_demo(text: &str) -> bool {
    let password = url::Url::parse(text).ok().and_then(|url| url.password().map(str::to_owned));
    text.starts_with(MARK) || password.is_some_and(|password| password.starts_with(MARK))
}

/// The names in `${NAME}` and `${NAME:default}`.
fn placeholders(text: &str) -> impl Iterator<Item = String> {
    text.split("${").skip(1).filter_map(|rest| {
        let name = rest.split_once('}')?.0;
        Some(name.split(':').next().unwrap_or(name).to_owned())
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn secrets_are_made_once_and_only_their_owner_reads_them() {
        let folder = tempfile::tempdir().unwrap();
        let realm = folder.path().join("a-realm.json");
        fs::write(&realm, r#"{"secret": "${SVC_API_CLIENT_SECRET}", "url": "${SVC_BASE_URL}/x"}"#).unwrap();
        let path = folder.path().join("secrets.json");
        let first = DemoSecrets::load(&path, std::slice::from_ref(&realm)).unwrap();
        assert_eq!(first.clients.keys().collect::<Vec<_>>(), ["SVC_API_CLIENT_SECRET"]);
        assert!(first.clients.values().all(|secret| is_demo(secret)));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let second = DemoSecrets::load(&path, std::slice::from_ref(&realm)).unwrap();
        assert_eq!(first.clients, second.clients);
        assert_eq!(first.variables("http://x")["SVC_BASE_URL"], "http://x");
    }

    #[test]
    fn ordinary_secrets_are_not_taken_for_demo_ones() {
        assert!(!is_demo("a-real-secret"));
        assert!(!is_demo("postgres://svc_app:secret@db.example/demo-platform"));
    }
}
