//! Applies the migrations, and refuses a database that lacks one.

use sqlx::{
    ConnectOptions, Connection, Executor, PgConnection, PgPool, Row, migrate::Migrator, postgres::PgConnectOptions,
};

use crate::{
    address,
    error::{Error, Result},
    requirements::{Rights, Server},
    tx::ReadTx,
};

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations");

/// Applies the migrations as the owner.
///
/// # Errors
/// [`Error::Unavailable`] when the database is unreachable, [`Error::Unfit`] when the server or the role cannot have the
/// tables, or another program made them: nothing has changed then. [`Error::Migrate`] when a migration fails, [`Error::Pooler`]
/// when a pooler in between shares the session.
pub async fn migrate(owner_url: &str) -> Result<()> {
    let options = address::options(owner_url)?.extra_float_digits(None);
    let mut connection = options.connect().await?;
    refuse_shared_session(&mut connection, &options).await?;
    Server::read(&mut connection).await?.refuse()?;
    let has_migrations = "select to_regclass('public._sqlx_migrations') is not null";
    if sqlx::query_scalar(has_migrations).fetch_one(&mut connection).await? {
        let applied = "select version from public._sqlx_migrations where success";
        let applied: Vec<i64> = sqlx::query_scalar(applied).fetch_all(&mut connection).await?;
        refuse_newer(&applied)?;
        refuse_other(&mut connection).await?;
    } else if let Some(fault) = Rights::read(&mut connection).await?.fault() {
        return Err(Error::Unfit(fault));
    }
    MIGRATIONS.run(&mut connection).await?;
    Ok(())
}

/// Refuses a transaction pooler, because migrations hold a lock of their session.
async fn refuse_shared_session(first: &mut PgConnection, options: &PgConnectOptions) -> Result<()> {
    let pid = backend(first).await?;
    let mut second = PgConnection::connect_with(options).await?;
    second.execute("begin").await?;
    let is_shared = backend(&mut second).await? == pid || backend(first).await? != pid;
    second.execute("rollback").await?;
    second.close().await?;
    if !is_shared {
        return Ok(());
    }
    Err(Error::Pooler(
        "database.admin_url leads to a pooler that hands out connections by the transaction. Migrations take a lock of their \
         session: give the address of PostgreSQL itself (SVC_DATABASE_ADMIN_URL)."
            .to_owned(),
    ))
}

/// The process id of the database backend.
async fn backend(connection: &mut PgConnection) -> Result<String> {
    let row = sqlx::raw_sql("select pg_backend_pid()::text").fetch_one(connection).await?;
    Ok(row.try_get(0)?)
}

/// Refuses a database without tables.
pub(crate) async fn refuse_empty_database(pool: &PgPool) -> Result<()> {
    let row = sqlx::raw_sql("select to_regclass('_sqlx_migrations') is null").fetch_one(pool).await?;
    if row.try_get(0)? { Err(not_migrated()) } else { Ok(()) }
}

/// Refuses a schema that lacks a migration. Accepts a newer schema, so that processes can be replaced one by one.
pub(crate) async fn refuse_old_tables(mut tx: ReadTx) -> Result<()> {
    let applied: Option<i64> =
        match sqlx::query_scalar("select max(version) from _sqlx_migrations").fetch_one(&mut *tx).await {
            Ok(applied) => applied,
            // Before migration 22 only the owner may read the table of migrations.
            Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some("42501") => None,
            Err(error) => return Err(error.into()),
        };
    if applied >= Some(newest_migration()) { Ok(()) } else { Err(not_migrated()) }
}

/// The statement that makes the roles, which belong to the whole server.
pub(crate) fn roles() -> &'static str {
    const FIRST: &str = include_str!("../../../migrations/0001_roles.sql");
    FIRST.split("create extension").next().unwrap_or_default()
}

/// The migrations of this program that are not among the applied ones.
pub fn pending(applied: &[i64]) -> Vec<i64> {
    MIGRATIONS.iter().map(|migration| migration.version).filter(|version| !applied.contains(version)).collect()
}

/// Number and name of every migration.
pub(crate) fn names() -> impl Iterator<Item = (i64, String)> {
    MIGRATIONS.iter().map(|migration| (migration.version, migration.description.to_string()))
}

/// Refuses a database that a newer program has migrated.
///
/// # Errors
/// [`Error::Newer`].
pub fn refuse_newer(applied: &[i64]) -> Result<()> {
    newer(applied).map_or(Ok(()), |newest| Err(Error::Newer { newest, supported: newest_migration() }))
}

/// Refuses migrations that have the numbers of this program's, and not their text.
pub(crate) async fn refuse_other(connection: &mut PgConnection) -> Result<()> {
    let applied = "select version, checksum from public._sqlx_migrations order by version";
    let applied: Vec<(i64, Vec<u8>)> = sqlx::query_as(applied).fetch_all(connection).await?;
    let migration = |version: i64| MIGRATIONS.iter().find(|migration| migration.version == version);
    let is_other =
        |version: i64, checksum: &[u8]| migration(version).is_some_and(|migration| *migration.checksum != *checksum);
    let Some((version, _)) = applied.into_iter().find(|(version, checksum)| is_other(*version, checksum)) else {
        return Ok(());
    };
    Err(Error::Unfit(format!(
        "migration {version} of this database is not that of this version: another program made the tables. Use that program, or name \
         another database."
    )))
}

/// The newest applied migration, if this program is older than it.
pub(crate) fn newer(applied: &[i64]) -> Option<i64> {
    applied.iter().copied().max().filter(|version| *version > newest_migration())
}

fn not_migrated() -> Error {
    Error::NotMigrated { newest: newest_migration() }
}

fn newest_migration() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}
