//! Settings of each transaction besides its scope. Nothing is set per session, because a pooler such as PgBouncer
//! assigns a session to another client with each transaction.

use std::{fmt, sync::Arc, time::Duration};

use crate::open::CLIENT_CHECK_INTERVAL_MS;

const LOCK_TIMEOUT: Duration = Duration::from_secs(5);
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Lets the database detect during a statement that its client has gone. Not every system supports this.
pub(crate) fn client_check() -> String {
    format!("set local client_connection_check_interval = {CLIENT_CHECK_INTERVAL_MS}; ")
}

/// Settings of a transaction, as SQL statements.
#[derive(Debug, Clone, Default)]
pub(crate) struct LocalSettings(Arc<str>);

impl fmt::Display for LocalSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl LocalSettings {
    /// The settings of a transaction with this `statement_timeout`; zero is unlimited. Without `prepared_statements` it
    /// also removes statements that an earlier transaction of any client left prepared in the session: sqlx names every
    /// statement, and another client may have used the name.
    pub(crate) fn new(statement_timeout: Duration, prepared_statements: bool, checks_client: bool) -> Self {
        let forget = if prepared_statements { "" } else { "deallocate all; " };
        let check = if checks_client { client_check() } else { String::new() };
        let set: String = Self::values(statement_timeout)
            .into_iter()
            .map(|(name, value)| format!("set local {name} = '{value}'; "))
            .collect();
        Self(format!("{forget}{set}{check}").into())
    }

    /// Names and values, as in `pg_settings`.
    pub(crate) fn values(statement_timeout: Duration) -> [(&'static str, String); 4] {
        let milliseconds = |duration: Duration| duration.as_millis().to_string();
        [
            ("statement_timeout", milliseconds(statement_timeout)),
            ("lock_timeout", milliseconds(LOCK_TIMEOUT)),
            ("idle_in_transaction_session_timeout", milliseconds(IDLE_TIMEOUT)),
            ("TimeZone", "UTC".to_owned()),
        ]
    }
}
