//! The certificate authorities that outgoing connections trust: those of the system, the public ones that are compiled in, for
//! systems without any, and those of one file. All crates make their clients here, so that no connection trusts others.
//!
//! The authorities belong to the process, as those of the system do.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock, OnceLock},
};

use base64::{Engine, engine::general_purpose::STANDARD};
use tokio_rustls::rustls::{
    self, ClientConfig, RootCertStore,
    pki_types::{CertificateDer, pem::PemObject},
};

/// A file of authorities that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It cannot be read.
    #[error("the file of certificate authorities {} cannot be read: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// It has no certificate, or something that is none.
    #[error(
        "the file of certificate authorities {} cannot be used: {reason}. It must have certificates in PEM form \
         (-----BEGIN CERTIFICATE-----).",
        .path.display()
    )]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: &'static str,
    },
}

static OF_FILE: OnceLock<Vec<CertificateDer<'static>>> = OnceLock::new();
static OF_SYSTEM: LazyLock<Vec<CertificateDer<'static>>> = LazyLock::new(|| {
    let mut certificates = rustls_native_certs::load_native_certs().certs;
    certificates.retain(is_usable);
    certificates
});
static CONFIG: LazyLock<Arc<ClientConfig>> = LazyLock::new(|| {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    roots.add_parsable_certificates(all().cloned());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = versions.expect("the provider has ciphers for TLS 1.2 and 1.3");
    Arc::new(config.with_root_certificates(roots).with_no_client_auth())
});

/// Trusts the authorities of a file too. To be called once, before the first client is made.
///
/// # Errors
/// When the file cannot be read, or is not a list of certificates.
pub fn trust_file(path: &Path) -> Result<(), Error> {
    let _ = OF_FILE.set(read(path)?);
    Ok(())
}

fn read(path: &Path) -> Result<Vec<CertificateDer<'static>>, Error> {
    let refused = |reason| Error::Content { path: path.to_owned(), reason };
    let bytes = std::fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    let certificates = certificates.map_err(|_| refused("it is damaged"))?;
    if certificates.is_empty() {
        return Err(refused("it has no certificate"));
    }
    if !certificates.iter().all(is_usable) {
        return Err(refused("it has something that is not a certificate"));
    }
    Ok(certificates)
}

fn is_usable(certificate: &CertificateDer<'static>) -> bool {
    RootCertStore::empty().add(certificate.clone()).is_ok()
}

/// Those of the system and of the file.
fn all() -> impl Iterator<Item = &'static CertificateDer<'static>> {
    OF_SYSTEM.iter().chain(of_file())
}

/// Those of the file, for HTTP clients that another library makes.
#[must_use]
pub fn of_file() -> &'static [CertificateDer<'static>] {
    OF_FILE.get().map_or(&[], Vec::as_slice)
}

/// The start of every HTTP client.
pub fn http_client() -> reqwest::ClientBuilder {
    // The client itself adds the authorities of the system and those that are compiled in.
    let own = of_file().iter().filter_map(|certificate| reqwest::Certificate::from_der(certificate).ok());
    own.fold(reqwest::Client::builder(), reqwest::ClientBuilder::add_root_certificate)
}

/// For connections without such a client.
#[must_use]
pub fn config() -> Arc<ClientConfig> {
    Arc::clone(&CONFIG)
}

/// The authorities of the system and of the file as text, for libraries and programs that read such a text.
#[must_use]
pub fn pem() -> String {
    all().map(|certificate| in_pem(certificate)).collect()
}

fn in_pem(certificate: &[u8]) -> String {
    let text = STANDARD.encode(certificate);
    let lines: Vec<&str> = text.as_bytes().chunks(64).filter_map(|line| std::str::from_utf8(line).ok()).collect();
    format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const AUTHORITY: &str = include_str!("../../tests/it/support/tls/authority.pem");

    fn refusal(text: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("authorities.pem");
        std::fs::write(&path, text).unwrap();
        read(&path).unwrap_err().to_string()
    }

    #[test]
    fn a_file_without_usable_certificates_is_refused_in_one_sentence() {
        let empty = refusal("");
        assert!(empty.contains("authorities.pem cannot be used: it has no certificate."), "{empty}");
        assert!(refusal("hello\n").contains("no certificate"));
        let cut = AUTHORITY.lines().take(4).collect::<Vec<_>>().join("\n");
        assert!(refusal(&cut).contains("damaged") || refusal(&cut).contains("no certificate"));
        let other = in_pem(b"not a certificate");
        assert!(refusal(&format!("{AUTHORITY}{other}")).contains("something that is not a certificate"));
        assert!(read(Path::new("/nowhere/ca.pem")).unwrap_err().to_string().contains("cannot be read: No such file"));
    }

    #[test]
    fn certificates_become_text_and_are_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("authorities.pem");
        std::fs::write(&path, AUTHORITY).unwrap();
        let certificates = read(&path).unwrap();
        std::fs::write(&path, certificates.iter().map(|certificate| in_pem(certificate)).collect::<String>().repeat(2))
            .unwrap();
        assert_eq!(read(&path).unwrap(), [certificates.clone(), certificates].concat());
    }
}
