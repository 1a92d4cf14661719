//! The address of a database.

use sqlx::postgres::{PgConnectOptions, PgSslMode};

use crate::error::Result;

/// The options of an address. A verified connection trusts the same authorities as all other connections, unless the address or
/// the environment names another file of them.
pub(crate) fn options(url: &str) -> Result<PgConnectOptions> {
    let options: PgConnectOptions = url.parse()?;
    let is_verified = matches!(options.get_ssl_mode(), PgSslMode::VerifyCa | PgSslMode::VerifyFull);
    let names_authority = ["sslrootcert=", "ssl-root-cert=", "ssl-ca="].iter().any(|name| url.contains(name))
        || std::env::var_os("PGSSLROOTCERT").is_some();
    if is_verified && !names_authority {
        return Ok(options.ssl_root_cert_from_pem(tls::pem().into_bytes()));
    }
    Ok(options)
}
