//! An RSA key pair in the forms for signing, verifying and publishing.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{DecodingKey, EncodingKey};
use rsa::{
    RsaPrivateKey,
    pkcs1::EncodeRsaPrivateKey,
    pkcs8::{DecodePrivateKey, EncodePrivateKey, LineEnding},
    traits::PublicKeyParts,
};
use serde_json::{Value, json};

use crate::secret;

const BITS: usize = 2_048;

/// A key pair; its id is the thumbprint of RFC 7638.
pub(super) struct KeyPair {
    pub(super) kid: String,
    pub(super) created_millis: i64,
    pub(super) encoding: EncodingKey,
    pub(super) decoding: DecodingKey,
    modulus: String,
    exponent: String,
}

impl KeyPair {
    /// Generates a key and returns it with its PKCS#8 PEM.
    pub(super) fn generate(created_millis: i64) -> Result<(Self, String), String> {
        let private = RsaPrivateKey::new(&mut rsa::rand_core::OsRng, BITS).map_err(|error| error.to_string())?;
        let pem = private.to_pkcs8_pem(LineEnding::LF).map_err(|error| error.to_string())?;
        Ok((Self::from_pem(&pem, created_millis)?, pem.to_string()))
    }

    /// Reads a private key in PKCS#8, as PEM.
    pub(super) fn from_pem(pem: &str, created_millis: i64) -> Result<Self, String> {
        let private = RsaPrivateKey::from_pkcs8_pem(pem).map_err(|error| error.to_string())?;
        let der = private.to_pkcs1_der().map_err(|error| error.to_string())?;
        let modulus = URL_SAFE_NO_PAD.encode(private.n().to_bytes_be());
        let exponent = URL_SAFE_NO_PAD.encode(private.e().to_bytes_be());
        Ok(Self {
            kid: secret::hash_base64url(&format!(r#"{{"e":"{exponent}","kty":"RSA","n":"{modulus}"}}"#)),
            created_millis,
            encoding: EncodingKey::from_rsa_der(der.as_bytes()),
            decoding: DecodingKey::from_rsa_components(&modulus, &exponent).map_err(|error| error.to_string())?,
            modulus,
            exponent,
        })
    }

    /// The public half as a JSON Web Key.
    pub(super) fn jwk(&self) -> Value {
        json!({
            "kid": self.kid, "kty": "RSA", "alg": "RS256", "use": "sig", "n": self.modulus, "e": self.exponent,
        })
    }
}
