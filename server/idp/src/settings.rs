//! Settings of the provider.

use std::{collections::BTreeMap, fmt, path::PathBuf};

/// Everything that [`Provider::load`](crate::Provider::load) needs.
#[derive(Clone)]
pub struct Settings {
    /// Keycloak realm files, one realm each.
    pub realm_files: Vec<PathBuf>,
    /// Values of the `${NAME}` placeholders in the realm files.
    pub variables: BTreeMap<String, String>,
    /// Address of this provider as browsers and the platform see it: scheme, host and port, no path.
    pub auth_url: String,
    /// Folder of the signing keys; created when missing, readable only by its owner.
    pub state_dir: PathBuf,
    /// Whether the sign-in page lists the demo accounts with their password. For demo worlds only.
    pub show_demo_accounts: bool,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("realm_files", &self.realm_files)
            .field("variables", &self.variables.keys().collect::<Vec<_>>())
            .field("auth_url", &self.auth_url)
            .field("state_dir", &self.state_dir)
            .field("show_demo_accounts", &self.show_demo_accounts)
            .finish()
    }
}
