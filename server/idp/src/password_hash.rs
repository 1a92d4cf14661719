//! Password hashes: PBKDF2 with HMAC-SHA-256 (RFC 8018, 5.2), each with its own salt.

use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// Rounds of a new hash. Few, for the demo world's processor: this is not a provider for production.
const ROUNDS: u32 = 20_000;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PasswordHash {
    salt: String,
    rounds: u32,
    hash: String,
}

impl PasswordHash {
    /// Hashes a password with a new salt.
    pub(crate) fn new(password: &str) -> Self {
        let salt: [u8; 16] = rand::random();
        let hash = STANDARD_NO_PAD.encode(derive(password, &salt, ROUNDS));
        Self { salt: STANDARD_NO_PAD.encode(salt), rounds: ROUNDS, hash }
    }

    /// Whether this is the password.
    pub(crate) fn matches(&self, password: &str) -> bool {
        let (Ok(salt), Ok(hash)) = (STANDARD_NO_PAD.decode(&self.salt), STANDARD_NO_PAD.decode(&self.hash)) else {
            return false;
        };
        derive(password, &salt, self.rounds).as_slice().ct_eq(&hash).into()
    }
}

fn derive(password: &str, salt: &[u8], rounds: u32) -> [u8; 32] {
    pbkdf2::pbkdf2_hmac_array::<Sha256, 32>(password.as_bytes(), salt, rounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_knows_its_password_only() {
        let hash = PasswordHash::new("swordfish");
        assert!(hash.matches("swordfish") && !hash.matches("swordfisk") && !hash.matches(""));
        assert_ne!(hash.hash, PasswordHash::new("swordfish").hash);
    }
}
