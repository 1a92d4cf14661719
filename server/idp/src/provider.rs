//! The provider that the server starts.

use std::sync::Arc;

use crate::{
    clock::{self, Clock},
    error::Error,
    http,
    realm::Realm,
    settings::Settings,
    state::ProviderState,
};

/// The embedded OpenID provider. Cloning is cheap; all clones share one state.
#[derive(Clone)]
pub struct Provider {
    state: Arc<ProviderState>,
}

impl Provider {
    /// Reads the realm files and the signing keys; generates missing keys.
    ///
    /// # Errors
    /// Every [`Error`] names the file, variable or setting.
    pub fn load(settings: Settings) -> Result<Self, Error> {
        Self::load_with_clock(settings, clock::system())
    }

    /// Like [`Provider::load`] with a clock of the caller's, for tests.
    ///
    /// # Errors
    /// Like [`Provider::load`].
    pub fn load_with_clock(settings: Settings, clock: Clock) -> Result<Self, Error> {
        Ok(Self { state: Arc::new(ProviderState::load(&settings, clock)?) })
    }

    /// All routes. Serve them with connect info of type `SocketAddr`: throttling and events need the address.
    pub fn router(&self) -> axum::Router {
        http::router(Arc::clone(&self.state))
    }

    /// The realms, in the order of the files.
    pub fn realms(&self) -> impl Iterator<Item = &Realm> {
        self.state.realms.iter().map(|loaded| &loaded.realm)
    }

    /// Generates a new signing key for a realm and returns its id. The old key stays published while its tokens are
    /// valid. Takes up to a second of computation.
    ///
    /// # Errors
    /// [`Error::UnknownRealm`], [`Error::TooManyKeys`], or a key that cannot be written.
    pub fn rotate_keys(&self, realm: &str) -> Result<String, Error> {
        self.state.rotate_keys(realm)
    }
}
