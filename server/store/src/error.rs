//! The errors of the database layer.

/// The result of a database call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

const CERTIFICATE: &str = "check the server's certificate, tls.ca_file, and sslmode in its address";

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A constraint was violated. The service maps the constraint's name to an error.
    #[error("constraint {0} was violated")]
    Constraint(String),
    /// The database is unreachable, starting or shutting down, read-only, did not respond in time, or had no free
    /// connection in time.
    #[error("the database is unavailable: {0}")]
    Unavailable(#[source] sqlx::Error),
    /// The tenant uses its full share of the database connections, and too many of its calls are waiting.
    #[error("the tenant's share of the database connections is taken")]
    TenantBusy,
    /// The service refuses to start because the role has too many rights.
    #[error("{0}")]
    UnsafeRole(String),
    /// The server or the role cannot have the platform's tables.
    #[error("{0}")]
    Unfit(String),
    /// A pooler between the program and the database does not preserve what a transaction or a session needs.
    #[error("{0}")]
    Pooler(String),
    /// Migrations of this program were not applied to the database.
    #[error("the database lacks migrations that this program needs, up to number {newest}: run `server migrate` first")]
    NotMigrated {
        /// The newest one of this program.
        newest: i64,
    },
    /// A newer program has migrated the database.
    #[error(
        "a newer version has migrated the database, up to number {newest}, and this program knows only {supported}: use the newer \
         version"
    )]
    Newer {
        /// The newest one of the database.
        newest: i64,
        /// The newest one of this program.
        supported: i64,
    },
    /// A text contains characters that the database cannot store (NUL).
    #[error("a text contains characters that cannot be stored")]
    Text,
    /// A stored value has an unexpected form.
    #[error("a stored value is not readable: {0}")]
    Stored(String),
    /// An external vector store failed.
    #[error(transparent)]
    Vectors(#[from] crate::vectors::VectorError),
    /// Any other error, which is a bug.
    #[error("database error: {0}")]
    Database(#[source] sqlx::Error),
    /// The migrations could not be applied.
    #[error("migrations failed: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
}

impl Error {
    /// Whether the values caused the error (they cannot be stored, or are too large), so that other values may succeed.
    pub fn is_of_the_values(&self) -> bool {
        let class = |code: &str| ["22", "54"].iter().any(|class| code.starts_with(class));
        match self {
            Self::Text => true,
            Self::Database(sqlx::Error::Database(inner)) => inner.code().is_some_and(|code| class(&code)),
            _ => false,
        }
    }

    /// What a person may do who cannot connect.
    pub fn advice(&self) -> Option<&'static str> {
        let (Self::Unavailable(error) | Self::Database(error)) = self else { return None };
        match error {
            // The handshake fails as an error of the connection.
            sqlx::Error::Io(inner) if inner.kind() == std::io::ErrorKind::InvalidData => Some(CERTIFICATE),
            sqlx::Error::Io(_) => Some("check that PostgreSQL runs, and host and port in its address"),
            sqlx::Error::Tls(_) => Some(CERTIFICATE),
            sqlx::Error::PoolTimedOut => Some("check the address, and max_connections of PostgreSQL"),
            sqlx::Error::Database(inner) => match inner.code().as_deref() {
                Some("28P01" | "28000") => {
                    Some("check role and password in the address, and percent-encode @, / and # in it")
                }
                Some("3D000") => Some("create the database, or correct its name at the end of the address"),
                Some("53300") => Some("raise max_connections of PostgreSQL"),
                Some("53100") => Some("make room on the disk of PostgreSQL"),
                _ => None,
            },
            _ => None,
        }
    }

    /// The violated constraint's name.
    pub fn constraint(&self) -> Option<&str> {
        match self {
            Self::Constraint(name) => Some(name),
            _ => None,
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Tls(_) => {
                Self::Unavailable(error)
            }
            sqlx::Error::Database(inner) => {
                if matches!(inner.code().as_deref(), Some("22021" | "22P05")) {
                    return Self::Text;
                }
                let unavailable = inner.code().is_some_and(|code| {
                    // Connection, resource and operator-intervention classes, lock and statement timeouts, deadlock
                    // victims, a database in recovery or read-only, and terminated transactions: the same call may
                    // succeed a moment later.
                    ["08", "53", "57"].iter().any(|class| code.starts_with(class))
                        || matches!(code.as_ref(), "55P03" | "40P01" | "25006" | "25P03" | "25P04")
                });
                // The error for a value that is too large for an index carries the index's name.
                let violated = inner.constraint().filter(|_| !inner.code().is_some_and(|code| code.starts_with("54")));
                match violated {
                    Some(name) if !unavailable => Self::Constraint(name.to_owned()),
                    _ if unavailable => Self::Unavailable(error),
                    _ => Self::Database(error),
                }
            }
            _ => Self::Database(error),
        }
    }
}

impl From<contract::UnknownValue> for Error {
    fn from(error: contract::UnknownValue) -> Self {
        Self::Stored(error.to_string())
    }
}

impl From<contract::id::InvalidTextId> for Error {
    fn from(error: contract::id::InvalidTextId) -> Self {
        Self::Stored(error.to_string())
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Stored(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::Error;

    #[test]
    fn a_certificate_that_is_not_trusted_is_not_a_wrong_address() {
        let advice = |kind| Error::from(sqlx::Error::Io(io::Error::new(kind, "refused"))).advice();
        assert!(advice(io::ErrorKind::InvalidData).is_some_and(|advice| advice.contains("tls.ca_file")));
        assert!(advice(io::ErrorKind::ConnectionRefused).is_some_and(|advice| advice.contains("host and port")));
    }
}
