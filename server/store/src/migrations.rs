//! Applies the migrations, and refuses a database that lacks one.

use sqlx::{ConnectOptions, PgPool, Row, migrate::Migrator, postgres::PgConnectOptions};

use crate::{
    db::Db,
    error::{Error, Result},
    scope::Scope,
    session,
};

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations");

/// Applies the migrations as the owner.
///
/// # Errors
/// [`Error::Unavailable`] when the database is unreachable, [`Error::Migrate`] when a migration fails or was edited
/// after it was applied, [`Error::Pooler`] when a pooler in between shares the session.
pub async fn migrate(owner_url: &str) -> Result<()> {
    let options = owner_url.parse::<PgConnectOptions>()?.extra_float_digits(None);
    let mut connection = options.connect().await?;
    session::refuse_shared_session(&mut connection, &options).await?;
    let available: bool =
        sqlx::query_scalar("select exists (select from pg_available_extensions where name = 'vector')")
            .fetch_one(&mut connection)
            .await?;
    if !available {
        return Err(Error::UnsafeRole("this PostgreSQL lacks the extension pgvector; install it first".to_owned()));
    }
    MIGRATIONS.run(&mut connection).await?;
    Ok(())
}

/// Refuses a database without tables.
pub(crate) async fn refuse_empty_database(pool: &PgPool) -> Result<()> {
    let row = sqlx::raw_sql("select to_regclass('_sqlx_migrations') is null").fetch_one(pool).await?;
    if row.try_get(0)? { Err(not_migrated()) } else { Ok(()) }
}

/// Refuses a schema that lacks a migration. Accepts a newer schema, so that processes can be replaced one by one.
pub(crate) async fn refuse_old_tables(db: &Db) -> Result<()> {
    let mut tx = db.read(&Scope::system()).await?;
    let applied: Option<i64> =
        match sqlx::query_scalar("select max(version) from _sqlx_migrations").fetch_one(&mut *tx).await {
            Ok(applied) => applied,
            // Before migration 22 only the owner may read the table of migrations.
            Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some("42501") => None,
            Err(error) => return Err(error.into()),
        };
    if applied >= Some(newest_migration()) { Ok(()) } else { Err(not_migrated()) }
}

/// The migrations of this program that are not among the applied ones.
pub(crate) fn pending(applied: &[i64]) -> Vec<i64> {
    MIGRATIONS.iter().map(|migration| migration.version).filter(|version| !applied.contains(version)).collect()
}

fn not_migrated() -> Error {
    Error::NotMigrated { newest: newest_migration() }
}

fn newest_migration() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}
