//! Our contender: the server's own binary, run as `server serve` in production.

use std::path::PathBuf;

use crate::{Result, database::Database, issuer::Issuer, load::Target, process::Contender, process::free_address};

/// Database connections of every contender together, the platform's default.
pub(crate) const POOL: usize = 16;
/// The header with which load tests pass the rate limit.
pub(crate) const BYPASS: &str = "a-benchmark-passes-the-rate-limit";

/// A running platform.
#[derive(Debug)]
pub(crate) struct Server {
    address: String,
    token: String,
    process: Contender,
}

impl Server {
    /// Starts the binary next to this example.
    pub(crate) async fn start(database: &Database, issuer: &Issuer) -> Result<Self> {
        Self::start_with(database, issuer, &[]).await
    }

    /// Like [`Self::start`], with further settings.
    pub(crate) async fn start_with(
        database: &Database,
        issuer: &Issuer,
        further: &[(&'static str, String)],
    ) -> Result<Self> {
        let address = free_address()?;
        let port = address.rsplit(':').next().unwrap_or_default().to_owned();
        let mut variables = vec![
            ("SVC_HTTP_PORT", port),
            ("SVC_AUTH_URL", issuer.auth_url.clone()),
            ("SVC_DATABASE_URL", database.login_url()?),
            ("SVC_DATABASE_POOL_SIZE", POOL.to_string()),
            ("SVC_LOADTEST_SECRET", BYPASS.to_owned()),
            ("SVC_LOGGING_LEVEL", "warn".to_owned()),
        ];
        variables.extend_from_slice(further);
        let ready = Target { address: address.clone(), path: "/health/live".to_owned(), headers: Vec::new() };
        let process = Contender::start(&binary()?, ["serve"], &variables, &ready).await?;
        Ok(Self { address, token: issuer.operator.clone(), process })
    }

    /// Its host and port.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn pid(&self) -> Option<u32> {
        self.process.pid()
    }

    /// A path, asked for by the operator.
    pub(crate) fn target(&self, path: &str) -> Target {
        self.target_with(&self.token, path)
    }

    /// A path, asked for with this token.
    pub(crate) fn target_with(&self, token: &str, path: &str) -> Target {
        let headers = vec![("authorization", format!("Bearer {token}")), ("x-loadtest-bypass", BYPASS.to_owned())];
        Target { address: self.address.clone(), path: path.to_owned(), headers }
    }
}

/// `server`, two folders above `examples/bench` of the same build.
pub(crate) fn binary() -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    let folder = own.parent().and_then(|folder| folder.parent()).ok_or("the benchmark has no folder")?;
    Ok(folder.join("server"))
}
