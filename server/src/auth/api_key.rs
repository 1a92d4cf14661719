//! The text of an API key: `cbp_`, eight characters by which the key is looked up and shown, 32 secret ones, and six that
//! prove that none is missing or wrong. The platform stores an HMAC of the whole.
//!
//! 32 characters of 62 are 190 bits, so that no hash needs to be slow. The HMAC's secret is the installation's own and stays in
//! the database, because the settings have none that every replica knows and that never changes: with a new one, every key
//! would end.

use contract::api_keys::KEY_MARK;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX_CHARS: usize = 8;
const SECRET_CHARS: usize = 32;
const CHECKSUM_CHARS: usize = 6;

/// A key whose form is right.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct KeyText<'a>(&'a str);

/// The key itself never reaches a log.
impl std::fmt::Debug for KeyText<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KeyText({KEY_MARK}{}..)", self.prefix())
    }
}

/// Whether a bearer token is meant as an API key.
pub fn is_key(token: &str) -> bool {
    token.starts_with(KEY_MARK)
}

impl<'a> KeyText<'a> {
    /// The key, unless the text is malformed.
    pub fn parse(text: &'a str) -> Option<Self> {
        let rest = text.strip_prefix(KEY_MARK)?;
        let fits = rest.len() == PREFIX_CHARS + SECRET_CHARS + CHECKSUM_CHARS
            && rest.bytes().all(|byte| byte.is_ascii_alphanumeric());
        // The checksum is no secret: anybody can compute it.
        (fits && checksum(&rest[..PREFIX_CHARS + SECRET_CHARS]) == rest[PREFIX_CHARS + SECRET_CHARS..])
            .then_some(Self(text))
    }

    /// The characters after the mark by which the key is looked up.
    pub fn prefix(&self) -> &'a str {
        &self.0[KEY_MARK.len()..][..PREFIX_CHARS]
    }

    /// The HMAC-SHA-256 that the platform stores.
    pub fn hash(&self, secret: &[u8]) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("an HMAC takes a secret of any length");
        mac.update(self.0.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// A digest for memory of this process.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.0).into()
    }
}

/// A new key.
pub fn generate() -> String {
    let body: String =
        (0..PREFIX_CHARS + SECRET_CHARS).map(|_| char::from(ALPHABET[rand::random_range(0..ALPHABET.len())])).collect();
    format!("{KEY_MARK}{body}{}", checksum(&body))
}

/// Six characters of the body's SHA-256.
fn checksum(body: &str) -> String {
    let digest = Sha256::digest(body);
    let character = |byte: &u8| char::from(ALPHABET[usize::from(*byte) % ALPHABET.len()]);
    digest[..CHECKSUM_CHARS].iter().map(character).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_only_as_a_whole() {
        let key = generate();
        assert_eq!(key.len(), 50);
        let read = KeyText::parse(&key).unwrap();
        assert_eq!(read.prefix(), &key[4..12]);
        for end in 0..key.len() {
            assert_eq!(KeyText::parse(&key[..end]), None, "{end}");
        }
        for place in KEY_MARK.len()..key.len() {
            let mut other = key.clone().into_bytes();
            other[place] = if other[place] == b'a' { b'b' } else { b'a' };
            assert_eq!(KeyText::parse(std::str::from_utf8(&other).unwrap()), None, "{place}");
        }
        for bad in
            [format!("{key}0"), format!(" {key}"), key.replace("cbp_", "CBP_"), key.replacen(&key[10..12], "é", 1)]
        {
            assert_eq!(KeyText::parse(&bad), None, "{bad}");
        }
    }

    #[test]
    fn the_hash_depends_on_every_character_and_on_the_secret() {
        let (one, other) = (generate(), generate());
        assert_ne!(one, other);
        let hash = |key: &str, secret: &[u8]| KeyText::parse(key).unwrap().hash(secret);
        assert_eq!(hash(&one, b"secret"), hash(&one, b"secret"));
        assert_ne!(hash(&one, b"secret"), hash(&one, b"other"));
        assert_ne!(hash(&one, b"secret"), hash(&other, b"secret"));
    }

    #[test]
    fn a_debugged_key_shows_its_prefix_only() {
        let key = generate();
        let debug_text = format!("{:?}", KeyText::parse(&key).unwrap());
        assert!(debug_text.contains(&key[..12]) && !debug_text.contains(&key[12..]), "{debug_text}");
    }
}
