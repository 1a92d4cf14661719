//! Checks at startup: the login role, and whether a pooler in between preserves what a transaction needs.

use std::time::Duration;

use sqlx::{AssertSqlSafe, Executor, FromRow, Row, postgres::PgRow};

use super::Db;
use crate::{
    connection_limiter::ShareOwner,
    error::{Error, Result},
    local_settings::{LocalSettings, client_check},
    scope::Scope,
    tx::ReadTx,
};

/// Timeout for a second connection in the check of prepared statements.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);
const UNKNOWN_STATEMENT: &str = "26000";
const DOUBLE_STATEMENT: &str = "42P05";

/// Refuses a role that could read or write past row security.
pub(super) async fn refuse_unsafe_role(db: &Db) -> Result<()> {
    let row = sqlx::raw_sql(
        "select session_user::text, r.rolsuper, r.rolbypassrls,
                exists (select from pg_class c where c.relowner = r.oid),
                has_table_privilege(session_user, 'tenants', 'select')
         from pg_roles r where r.rolname = session_user",
    )
    .fetch_one(&db.pool)
    .await?;
    let (name, superuser, bypass, owns, inherits) = <(String, bool, bool, bool, bool)>::from_row(&row)?;
    let fault = if superuser {
        "is a superuser"
    } else if bypass {
        "may bypass row security"
    } else if owns {
        "owns tables"
    } else if inherits {
        "inherits the rights of its roles (it must be noinherit)"
    } else {
        return Ok(());
    };
    Err(Error::UnsafeRole(format!(
        "the database role {name} {fault}; tenants would not be isolated. Connect as svc_app (docs/configuration.md)."
    )))
}

/// Whether this database can detect clients that have gone.
pub(super) async fn can_check_client(db: &Db) -> Result<bool> {
    match db.simple_query(ShareOwner::Server, &format!("begin; {}rollback", client_check())).await {
        Ok(_) => Ok(true),
        Err(error @ Error::Unavailable(_)) => Err(error),
        // The database rejects the setting where the system cannot watch a connection.
        Err(_) => Ok(false),
    }
}

/// Refuses a connection on which a transaction's settings are lost before it ends.
pub(super) async fn refuse_lost_settings(mut tx: ReadTx, statement_timeout: Duration) -> Result<()> {
    let expected = LocalSettings::values(statement_timeout);
    // Reads each value with a separate message, as the platform's other statements are sent.
    let names = expected.iter().map(|(name, _)| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    let sql = format!(
        "select s.name, s.setting from pg_settings s where s.name in ({names})
         union all select 'role', current_user::text"
    );
    let rows = sqlx::raw_sql(AssertSqlSafe(sql)).fetch_all(&mut *tx).await?;
    let settings = rows.iter().map(pair).collect::<Result<Vec<_>>>()?;
    match lost(&expected, &settings) {
        None => Ok(()),
        Some(what) => Err(splits_transactions(&what)),
    }
}

fn splits_transactions(what: &str) -> Error {
    Error::Pooler(format!(
        "a transaction does not keep its settings on the way to the database: {what}. A pooler in between must keep each \
         transaction on one connection: set its pool_mode to transaction or session, or connect directly \
         (docs/operations.md)."
    ))
}

/// Adds advice to the error of a transaction that did not begin because PgBouncer pools by statement.
pub(super) fn advised(error: Error) -> Error {
    match error {
        Error::Unavailable(sqlx::Error::Database(error)) if error.code().as_deref() == Some("08P01") => {
            splits_transactions(error.message())
        }
        other => other,
    }
}

fn pair(row: &PgRow) -> Result<(String, String)> {
    Ok((row.try_get(0)?, row.try_get(1)?))
}

/// The first setting with an unexpected value.
fn lost(expected: &[(&'static str, String)], settings: &[(String, String)]) -> Option<String> {
    let role = [("role", "svc_system".to_owned())];
    let mut differing = expected.iter().chain(&role).filter_map(|(name, value)| {
        let is = settings.iter().find(|(setting, _)| setting == name).map_or("missing", |(_, is)| is.as_str());
        (is != value).then(|| format!("{name} is {is} instead of {value}"))
    });
    differing.next()
}

/// Refuses a pooler whose connections lose prepared statements between transactions.
pub(super) async fn refuse_foreign_statements(db: &Db) -> Result<()> {
    match tokio::time::timeout(PROBE_TIMEOUT, interleave(db)).await {
        Ok(Err(Error::Database(sqlx::Error::Database(error))))
            if matches!(error.code().as_deref(), Some(UNKNOWN_STATEMENT | DOUBLE_STATEMENT)) =>
        {
            Err(Error::Pooler(
                "a pooler between this server and the database hands out connections by the transaction, and prepared \
                 statements do not survive that: set database.prepared_statements to false \
                 (SVC_DATABASE_PREPARED_STATEMENTS=false), or let the pooler keep sessions (docs/operations.md)."
                    .to_owned(),
            ))
        }
        Ok(outcome) => outcome,
        // A session pooler with a single connection for this server: nothing is shared.
        Err(_) => Ok(()),
    }
}

/// Uses one prepared statement in two transactions of one client, with another client's transaction in between. A
/// transaction pooler gives that one the connection that just became free, and the first client another one. Detects
/// nothing with one connection.
async fn interleave(db: &Db) -> Result<()> {
    if db.max_connections() < 2 {
        return Ok(());
    }
    let scope = Scope::system();
    let mut first = db.begin(&scope, true).await?;
    probe(&mut first).await?;
    // The connection stays with this client, only outside of a transaction for a moment.
    first.execute("rollback").await?;
    let mut second = db.begin(&scope, true).await?;
    probe(&mut second).await?;
    first.execute(AssertSqlSafe(db.statements(&scope, true)?)).await?;
    probe(&mut first).await?;
    second.rollback().await?;
    first.rollback().await
}

/// Runs a statement that is prepared if statements are.
async fn probe(connection: &mut crate::PgConnection) -> Result<()> {
    sqlx::query("select 'prepared statements are kept'").execute(connection).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_was_lost_is_named_with_both_values() {
        let expected = LocalSettings::values(Duration::from_secs(10));
        let lost_setting = |timeout: &str, role: &str| {
            let mut settings: Vec<_> =
                expected.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
            settings[0].1 = timeout.to_owned();
            settings.push(("role".to_owned(), role.to_owned()));
            lost(&expected, &settings)
        };
        assert_eq!(lost_setting("10000", "svc_system"), None);
        assert_eq!(lost_setting("0", "svc_system").unwrap(), "statement_timeout is 0 instead of 10000");
        assert_eq!(lost_setting("10000", "svc_app").unwrap(), "role is svc_app instead of svc_system");
        assert_eq!(lost(&expected, &[]).unwrap(), "statement_timeout is missing instead of 10000");
    }
}
