//! The signing keys of a realm: generated, stored in files, rotated, published.
//!
//! A key's file is named after the time of its creation and its thumbprint. The newest key signs. An older one is
//! published until the last token that it signed has expired, and then its file is deleted.

mod files;
mod pair;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use jsonwebtoken::{Algorithm, Header, Validation};
use parking_lot::RwLock;
use serde_json::{Map, Value, json};

use crate::error::Error;
use pair::KeyPair;

/// Maximum number of published keys.
const MAX_KEYS: usize = 8;

/// The keys of one realm, oldest first; never empty.
pub(crate) struct Keys {
    folder: PathBuf,
    keep_millis: i64,
    pairs: RwLock<Vec<Arc<KeyPair>>>,
}

impl Keys {
    /// Reads the keys in a folder, or makes the first one. `keep` is the longest life of a token in seconds.
    pub(crate) fn load(folder: &Path, keep: i64, now_millis: i64) -> Result<Self, Error> {
        install_crypto();
        files::make_folder(folder)?;
        let mut pairs = files::read_all(folder)?;
        if pairs.is_empty() {
            pairs.push(files::create(folder, now_millis)?);
        }
        let keys = Self {
            folder: folder.to_owned(),
            keep_millis: keep * 1_000,
            pairs: RwLock::new(pairs.into_iter().map(Arc::new).collect()),
        };
        keys.drop_outlived(now_millis);
        Ok(keys)
    }

    /// Makes a new signing key; the previous one stays published while its tokens live.
    pub(crate) fn rotate(&self, now_millis: i64) -> Result<String, Error> {
        self.drop_outlived(now_millis);
        if self.all().len() >= MAX_KEYS {
            return Err(Error::TooManyKeys);
        }
        let newest = self.active().created_millis;
        let pair = Arc::new(files::create(&self.folder, now_millis.max(newest + 1))?);
        let kid = pair.kid.clone();
        self.pairs.write().push(pair);
        Ok(kid)
    }

    /// The public keys as a JSON Web Key Set.
    pub(crate) fn jwks(&self, now_millis: i64) -> Value {
        self.drop_outlived(now_millis);
        let keys: Vec<_> = self.all().iter().rev().map(|pair| pair.jwk()).collect();
        json!({ "keys": keys })
    }

    /// Signs claims with the newest key.
    pub(crate) fn sign(&self, claims: &Map<String, Value>) -> Result<String, jsonwebtoken::errors::Error> {
        let pair = self.active();
        let mut header = Header::new(Algorithm::RS256);
        header.kid = Some(pair.kid.clone());
        jsonwebtoken::encode(&header, claims, &pair.encoding)
    }

    /// The claims of a token that one of these keys signed. Times, issuer and type are the caller's to check.
    pub(crate) fn verify(&self, token: &str) -> Option<Map<String, Value>> {
        let kid = jsonwebtoken::decode_header(token).ok()?.kid?;
        let pair = self.all().into_iter().find(|pair| pair.kid == kid)?;
        let mut validation = Validation::new(Algorithm::RS256);
        validation.validate_exp = false;
        validation.validate_aud = false;
        validation.required_spec_claims.clear();
        let data = jsonwebtoken::decode::<Map<String, Value>>(token, &pair.decoding, &validation);
        data.ok().map(|data| data.claims)
    }

    fn all(&self) -> Vec<Arc<KeyPair>> {
        self.pairs.read().clone()
    }

    fn active(&self) -> Arc<KeyPair> {
        let pairs = self.pairs.read();
        pairs.last().cloned().expect("a key set is made with a key and the newest is never dropped")
    }

    /// A key is outlived when its successor is older than the longest life of a token.
    fn drop_outlived(&self, now_millis: i64) {
        let mut pairs = self.pairs.write();
        while pairs.len() > 1 && pairs[1].created_millis + self.keep_millis < now_millis {
            let pair = pairs.remove(0);
            if let Err(error) = files::delete(&self.folder, &pair) {
                tracing::warn!(key_id = %pair.kid, %error, "idp.key_not_deleted: no valid token was signed with it");
            }
        }
    }
}

/// Selects the pure Rust backend, unless this process has already selected one.
fn install_crypto() {
    let _ = jsonwebtoken::crypto::rust_crypto::DEFAULT_PROVIDER.install_default();
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn claims() -> Map<String, Value> {
        Map::from_iter([("azp".to_owned(), json!("svc-api"))])
    }

    #[test]
    fn a_token_stays_valid_over_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let token = Keys::load(folder.path(), 300, 0).unwrap().sign(&claims()).unwrap();
        let again = Keys::load(folder.path(), 300, 1_000).unwrap();
        assert_eq!(again.verify(&token), Some(claims()));
    }

    #[test]
    fn the_old_key_is_published_until_its_tokens_have_expired() {
        let folder = tempfile::tempdir().unwrap();
        let keys = Keys::load(folder.path(), 300, 0).unwrap();
        let old = keys.sign(&claims()).unwrap();
        let kid = keys.rotate(10_000).unwrap();
        assert_eq!(keys.jwks(310_000)["keys"].as_array().unwrap().len(), 2);
        assert!(keys.verify(&old).is_some());
        let after = keys.jwks(310_001);
        assert_eq!(after["keys"].as_array().unwrap().len(), 1);
        assert_eq!(after["keys"][0]["kid"], json!(kid));
        assert!(keys.verify(&old).is_none());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn keys_are_readable_by_their_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("keys");
        Keys::load(&below, 300, 0).unwrap();
        assert_eq!(std::fs::metadata(&below).unwrap().permissions().mode() & 0o777, 0o700);
        for entry in std::fs::read_dir(&below).unwrap() {
            let entry = entry.unwrap();
            assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600);
            assert!(std::fs::read_to_string(entry.path()).unwrap().starts_with("-----BEGIN PRIVATE KEY-----"));
        }
    }

    #[test]
    fn a_broken_key_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("5-abc.pem"), "nonsense").unwrap();
        let error = Keys::load(folder.path(), 300, 0).err().unwrap();
        assert!(error.to_string().contains("5-abc.pem"), "{error}");
    }

    #[test]
    fn a_token_with_a_changed_payload_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let keys = Keys::load(folder.path(), 300, 0).unwrap();
        let token = keys.sign(&claims()).unwrap();
        let parts: Vec<_> = token.split('.').collect();
        let forged = format!("{}.{}.{}", parts[0], "eyJhenAiOiJvdGhlciJ9", parts[2]);
        assert!(keys.verify(&forged).is_none());
    }
}
