//! Password hashes: PBKDF2 with HMAC-SHA-256 (RFC 8018, 5.2), each with its own salt.

use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
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

/// The first block, which is all that is needed of 32 bytes.
fn derive(password: &str, salt: &[u8], rounds: u32) -> [u8; 32] {
    let keyed = Hmac::<Sha256>::new_from_slice(password.as_bytes()).expect("HMAC takes keys of every length");
    let one = |parts: &[&[u8]]| -> [u8; 32] {
        let mut mac = keyed.clone();
        parts.iter().for_each(|part| mac.update(part));
        mac.finalize().into_bytes().into()
    };
    let mut last = one(&[salt, &1_u32.to_be_bytes()]);
    let mut sum = last;
    for _ in 1..rounds {
        last = one(&[&last]);
        sum.iter_mut().zip(last).for_each(|(sum, byte)| *sum ^= byte);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_derived_key_is_that_of_the_published_vector() {
        // RFC 7914, 11: PBKDF2-HMAC-SHA-256 (P="passwd", S="salt", c=1), its first 32 bytes.
        let key = derive("passwd", b"salt", 1);
        let text: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(text, "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc");
    }

    #[test]
    fn a_hash_knows_its_password_only() {
        let hash = PasswordHash::new("swordfish");
        assert!(hash.matches("swordfish") && !hash.matches("swordfisk") && !hash.matches(""));
        assert_ne!(hash.hash, PasswordHash::new("swordfish").hash);
    }
}
