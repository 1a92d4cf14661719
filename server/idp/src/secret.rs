//! Random values, their digests, and comparison in constant time.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// SHA-256 of a secret: what is stored in place of the secret itself.
pub(crate) type Hash = [u8; 32];

/// 256 random bits as 43 characters of base64url.
pub(crate) fn random() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())
}

/// SHA-256 of a text.
pub(crate) fn hash(text: &str) -> Hash {
    Sha256::digest(text.as_bytes()).into()
}

/// SHA-256 of a text as base64url: the S256 method of PKCE (RFC 7636, 4.2).
pub(crate) fn hash_base64url(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(hash(text))
}

/// Whether a presented text is the secret with this hash, in constant time.
pub(crate) fn matches_hash(presented: &str, expected: &Hash) -> bool {
    hash(presented).ct_eq(expected).into()
}

/// Whether two texts are equal. Both are hashed first, so not even their lengths can be timed.
pub(crate) fn matches(presented: &str, expected: &str) -> bool {
    matches_hash(presented, &hash(expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_match_and_others_do_not() {
        assert!(matches("swordfish", "swordfish"));
        assert!(!matches("swordfish", "swordfisk"));
        assert!(!matches("", "swordfish"));
    }

    #[test]
    fn the_pkce_digest_is_that_of_the_rfc() {
        // RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        assert_eq!(hash_base64url(verifier), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn random_secrets_differ() {
        assert_ne!(random(), random());
        assert_eq!(random().len(), 43);
    }
}
