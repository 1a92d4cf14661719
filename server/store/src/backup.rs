//! What a backup reads in one snapshot of the database, and what a restore finds and completes. The owner's connection sees every
//! row: a role that row security would restrict is refused by PostgreSQL.

use futures::{Stream, TryStreamExt};
use serde::{Deserialize, Serialize};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, FromRow, PgConnection};
use uuid::Uuid;

use crate::{
    address,
    error::{Error, Result},
    migrations,
    requirements::Server,
    uploads::StorageId,
};

/// Forms of values that depend on settings are the same at both ends. Tables and types are named with their schema.
const FORMS: &str = "set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC';
                     set bytea_output = 'hex'; set extra_float_digits = 1; set row_security = off;
                     set statement_timeout = 0; set idle_in_transaction_session_timeout = 0";

/// The rows of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableSum {
    pub name: String,
    pub rows: i64,
    /// The sum of the rows' hashes, without generated columns, which another version may compute in another way.
    pub sum: String,
}

/// A rule of row security for the owner of the tables, whose name may be another one elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromRow)]
pub struct OwnerPolicy {
    pub table: String,
    pub name: String,
    pub command: String,
    pub condition: Option<String>,
    pub check: Option<String>,
}

/// A database as its owner sees it.
#[derive(Debug)]
pub struct OwnerConnection(PgConnection);

/// What must be known of a database before it is read or filled.
#[derive(Debug, Clone)]
pub struct DatabaseState {
    pub server: Server,
    pub database: String,
    /// Applied migrations.
    pub applied: Vec<i64>,
    /// Whether the database has no tables and functions but those of extensions.
    pub is_empty: bool,
}

impl OwnerConnection {
    /// Connects to PostgreSQL itself.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when it does not answer.
    pub async fn open(owner_url: &str) -> Result<Self> {
        let options = address::options(owner_url)?.extra_float_digits(None).disable_statement_logging();
        let mut connection = options.connect().await?;
        sqlx::raw_sql(FORMS).execute(&mut connection).await?;
        Ok(Self(connection))
    }

    pub(crate) fn connection(&mut self) -> &mut PgConnection {
        &mut self.0
    }

    /// Begins to read one snapshot; returns its name for other connections.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn begin_snapshot(&mut self) -> Result<String> {
        sqlx::raw_sql("begin isolation level repeatable read read only").execute(&mut self.0).await?;
        Ok(sqlx::query_scalar("select pg_export_snapshot()").fetch_one(&mut self.0).await?)
    }

    /// The database's state.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn state(&mut self) -> Result<DatabaseState> {
        let (database, is_empty, has_migrations): (String, bool, bool) = sqlx::query_as(
            "select current_database()::text,
                    not exists (select from pg_class c where c.relnamespace = 'public'::regnamespace
                                and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e'))
                    and not exists (select from pg_proc p where p.pronamespace = 'public'::regnamespace
                                    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')),
                    to_regclass('public._sqlx_migrations') is not null",
        )
        .fetch_one(&mut self.0)
        .await?;
        let applied = if has_migrations {
            sqlx::query_scalar("select version from public._sqlx_migrations where success order by version")
                .fetch_all(&mut self.0)
                .await?
        } else {
            Vec::new()
        };
        let server = Server::read(&mut self.0).await?;
        Ok(DatabaseState { server, database, applied, is_empty })
    }

    /// Number and hash of the rows of every table.
    ///
    /// # Errors
    /// When the database does not answer, or would hide rows.
    pub async fn table_sums(&mut self) -> Result<Vec<TableSum>> {
        let tables: Vec<(String, String)> = sqlx::query_as(
            "select c.relname::text, string_agg(format('t.%I', a.attname), ', ' order by a.attname)
             from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
             where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
               and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
             group by c.relname order by c.relname",
        )
        .fetch_all(&mut self.0)
        .await?;
        let mut sums = Vec::with_capacity(tables.len());
        for (name, columns) in tables {
            let quoted = name.replace('"', "\"\"");
            // Rows come in any order, and none is kept: a sum needs no memory.
            let statement = format!(
                "select count(*), coalesce(sum(('x' || left(encode(sha256(convert_to(row({columns})::text, 'UTF8')), 'hex'), 15))
                        ::bit(60)::bigint::numeric), 0)::text
                 from public.\"{quoted}\" t"
            );
            let (rows, sum) = sqlx::query_as(AssertSqlSafe(statement)).fetch_one(&mut self.0).await?;
            sums.push(TableSum { name, rows, sum });
        }
        Ok(sums)
    }

    /// The rules for the owner: those that are for none of the platform's roles.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn owner_policies(&mut self) -> Result<Vec<OwnerPolicy>> {
        let policies = sqlx::query_as(
            r#"select tablename::text as "table", policyname::text as name, cmd as command, qual as condition, with_check as "check"
               from pg_policies p
               where schemaname = 'public'
                 and not exists (select from unnest(p.roles) role where role = 'public' or role ^@ 'svc_')
               order by 1, 2"#,
        );
        Ok(policies.fetch_all(&mut self.0).await?)
    }

    /// Makes these rules for the connection's role.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn make_owner_policies(&mut self, policies: &[OwnerPolicy]) -> Result<()> {
        let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
        let statements = policies.iter().map(|policy| {
            let condition = policy.condition.as_ref().map(|text| format!(" using ({text})")).unwrap_or_default();
            let check = policy.check.as_ref().map(|text| format!(" with check ({text})")).unwrap_or_default();
            let (name, table) = (quoted(&policy.name), quoted(&policy.table));
            format!("create policy {name} on public.{table} for {} to current_user{condition}{check};", policy.command)
        });
        // Without parameters, several statements are one transaction.
        sqlx::raw_sql(AssertSqlSafe(statements.collect::<String>())).execute(&mut self.0).await?;
        Ok(())
    }

    /// Tenant and id of every uploaded file in a storage, a row at a time.
    pub fn originals(&mut self, storage: StorageId) -> impl Stream<Item = Result<(Uuid, Uuid)>> {
        sqlx::query_as(
            "select tenant_id, id from public.originals where storage_id is null or storage_id = $1 order by id",
        )
        .bind(storage.0)
        .fetch(&mut self.0)
        .map_err(Error::from)
    }

    /// Uploaded files in other storages.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn count_originals_elsewhere(&mut self, storage: StorageId) -> Result<i64> {
        let count = sqlx::query_scalar("select count(*) from public.originals where storage_id <> $1");
        Ok(count.bind(storage.0).fetch_one(&mut self.0).await?)
    }

    /// Makes the roles that the database's rights name. Returns whether the login role is new.
    ///
    /// # Errors
    /// When the role may not do so.
    pub async fn make_roles(&mut self) -> Result<bool> {
        let is_there = "select exists (select from pg_roles where rolname = 'svc_app')";
        let is_there: bool = sqlx::query_scalar(is_there).fetch_one(&mut self.0).await?;
        sqlx::raw_sql(migrations::roles()).execute(&mut self.0).await?;
        Ok(!is_there)
    }

    /// Takes the right that a new database gives to everybody. A dump of one database does not have it.
    ///
    /// # Errors
    /// When the role may not do so.
    pub async fn restrict_database(&mut self) -> Result<()> {
        let statement = "select format('revoke temporary on database %I from public', current_database())";
        let statement: String = sqlx::query_scalar(statement).fetch_one(&mut self.0).await?;
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut self.0).await?;
        Ok(())
    }

    /// Ends the connection, and the snapshot.
    pub async fn close(self) {
        // The server ends the session of a closed connection anyway.
        let _ = self.0.close().await;
    }
}
