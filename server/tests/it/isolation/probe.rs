//! Tries every table with four verbs under each role and reports differences from the list: another tenant's row
//! reached, an own row not reached. Each attempt is rolled back.

use sqlx::{AssertSqlSafe, PgConnection, query_scalar, raw_sql};

use super::{
    reach::{self, Scope},
    rights::{ROLES, Rights, by_table_and_role},
};
use crate::support::SeededTenant;

/// What protects a row from a role in this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// Grants and policies, as they are.
    GrantsAndPolicies,
    /// Policies alone: the role is given every verb first. Needs the owner's connection.
    PoliciesAlone,
}

/// A table as the catalogue has it.
pub struct Table {
    pub name: String,
    /// The table whose partition it is.
    pub parent: Option<String>,
    /// Columns that an insert can name.
    columns: Vec<String>,
}

impl Table {
    /// Whether it is the table with this name, or one of its partitions.
    pub fn is_or_is_part_of(&self, name: &str) -> bool {
        self.name == name || self.parent.as_deref() == Some(name)
    }
}

/// Every table of the platform, partitions included.
pub async fn tables(owner: &mut PgConnection) -> Vec<Table> {
    let rows: Vec<(String, Option<String>, Vec<String>)> = sqlx::query_as(
        "select c.relname::text, p.relname::text,
                array_agg(a.attname::text order by a.attnum) filter (where a.attidentity <> 'a' and a.attgenerated = '')
         from pg_class c
         join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
         left join pg_inherits i on i.inhrelid = c.oid
         left join pg_class p on p.oid = i.inhparent
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> '_sqlx_migrations'
         group by 1, 2 order by 1",
    )
    .fetch_all(owner)
    .await
    .unwrap();
    rows.into_iter().map(|(name, parent, columns)| Table { name, parent, columns }).collect()
}

/// Copies every table into the schema `staged`, which each role may read: rows to try to insert.
pub async fn stage(owner: &mut PgConnection, tables: &[Table]) {
    let mut sql = "create schema staged;".to_owned();
    for Table { name, .. } in tables {
        sql += &format!("create table staged.{name} as select * from {name};");
    }
    for role in ROLES {
        sql +=
            &format!("grant usage on schema staged to {role}; grant select on all tables in schema staged to {role};");
    }
    raw_sql(AssertSqlSafe(sql)).execute(owner).await.unwrap();
}

/// Rolls back the previous attempt, even if it failed.
const BACK: &str = "rollback to savepoint attempt;";

/// The result of one attempt.
#[derive(Debug, PartialEq)]
enum Outcome {
    /// No right, or row security refused the row.
    Refused,
    /// Number of rows that were read or changed.
    Rows(u64),
    /// A later check than row security stopped it: the row was reached.
    Stopped(String),
}

impl Outcome {
    fn reached(&self) -> bool {
        !matches!(self, Self::Refused | Self::Rows(0))
    }
}

/// Runs every attempt on the tables for the roles; an empty result means that everything is as listed. The connection
/// must be inside a transaction and fresh, because a tenant that was never set differs from one that was set before.
pub async fn findings(
    connection: &mut PgConnection,
    guard: Guard,
    tables: &[&Table],
    roles: &[&str],
    one: SeededTenant,
) -> Vec<String> {
    let rights = by_table_and_role();
    let mut findings = Vec::new();
    raw_sql("savepoint attempt").execute(&mut *connection).await.unwrap();
    for scope in Scope::ALL {
        for table in tables {
            for role in roles {
                let key = (table.name.clone(), (*role).to_owned());
                let rights = rights.get(&key).cloned().unwrap_or_default();
                let attempt = Attempt { guard, table, role, scope, one };
                attempt.every_verb(connection, &rights, &mut findings).await;
            }
        }
    }
    findings
}

struct Attempt<'a> {
    guard: Guard,
    table: &'a Table,
    role: &'a str,
    scope: Scope,
    one: SeededTenant,
}

impl Attempt<'_> {
    async fn every_verb(&self, connection: &mut PgConnection, rights: &Rights, findings: &mut Vec<String>) {
        for verb in super::rights::VERBS {
            let granted = self.guard == Guard::PoliciesAlone || rights.granted.contains(verb);
            let allowed = granted && rights.admitted.contains(verb);
            let reach = reach::of(self.table, self.role, verb, self.scope, self.one);
            let statement = self.statement(connection, verb, &reach.own).await;
            let own = self.run(connection, &statement).await;
            // A policy that admits rows for no verb that could find them leaves nothing to change.
            let findable = verb == "insert" || rights.admitted.contains("select");
            if own.reached() != (allowed && reach.some && findable) {
                findings.push(self.describe(verb, &format!("own rows ({})", reach.own), &own));
            }
            let statement = self.statement(connection, verb, &reach.foreign).await;
            let foreign = self.run(connection, &statement).await;
            if foreign.reached() {
                findings.push(self.describe(verb, &format!("rows of others ({})", reach.foreign), &foreign));
            }
        }
        if let Some(away) = reach::give_away(self.table, self.role, self.scope, self.one) {
            let outcome = self.run(connection, &away).await;
            if outcome.reached() {
                findings.push(self.describe("update", "a row given to another tenant", &outcome));
            }
        }
    }

    fn describe(&self, verb: &str, what: &str, outcome: &Outcome) -> String {
        let Self { guard, table, role, scope, .. } = self;
        format!("{role} with {scope:?} tenant, {guard:?}: {verb} {} on {what}: {outcome:?}", table.name)
    }

    async fn statement(&self, connection: &mut PgConnection, verb: &str, rows: &str) -> String {
        let table = &self.table.name;
        match verb {
            "select" => format!("select from {table} where {rows}"),
            "delete" => format!("delete from {table} where {rows}"),
            "update" => {
                let columns = self.columns(connection, "update").await;
                let column = columns.first().unwrap_or(&self.table.columns[0]);
                format!("update {table} set {column} = {column} where {rows}")
            }
            _ => {
                let columns = self.columns(connection, "insert").await;
                let columns = if columns.is_empty() { self.table.columns.clone() } else { columns }.join(", ");
                format!("insert into {table} ({columns}) select {columns} from staged.{table} where {rows}")
            }
        }
    }

    /// The columns that the role may write with a verb.
    async fn columns(&self, connection: &mut PgConnection, verb: &str) -> Vec<String> {
        if self.guard == Guard::PoliciesAlone {
            return self.table.columns.clone();
        }
        raw_sql(BACK).execute(&mut *connection).await.unwrap();
        let sql = "select name from unnest($3::text[]) with ordinality as c (name, place)
                   where has_column_privilege($1, $2, name, $4) order by place";
        let columns = query_scalar(sql).bind(self.role).bind(&self.table.name).bind(&self.table.columns).bind(verb);
        columns.fetch_all(connection).await.unwrap()
    }

    /// Rolls back the previous attempt and runs a statement as the role in the scope.
    async fn run(&self, connection: &mut PgConnection, statement: &str) -> Outcome {
        let mut sql = BACK.to_owned();
        if self.guard == Guard::PoliciesAlone {
            let (table, role) = (&self.table.name, self.role);
            sql += &format!("grant select, insert, update, delete on {table} to {role};");
        }
        sql += &format!("set local role {}; {} {statement}", self.role, self.scope.settings(self.one));
        let result = raw_sql(AssertSqlSafe(sql)).execute(connection).await;
        match result {
            Ok(done) => Outcome::Rows(done.rows_affected()),
            Err(error) => match error.as_database_error().and_then(|error| error.code()).as_deref() {
                Some("42501") => Outcome::Refused,
                // A fault of the attempt itself would hide what it should find.
                Some(code) if code.starts_with("42") => {
                    panic!("{}: {error}", self.describe("?", statement, &Outcome::Refused))
                }
                _ => Outcome::Stopped(error.to_string()),
            },
        }
    }
}

/// Attempts that could find nothing: no own row, or no row of others.
pub async fn powerless(owner: &mut PgConnection, tables: &[Table], one: SeededTenant) -> Vec<String> {
    let mut powerless = Vec::new();
    for ((table, role), rights) in by_table_and_role() {
        let Some(table) = tables.iter().find(|own| own.name == table) else { continue };
        for verb in rights.admitted {
            let reach = reach::of(table, &role, &verb, Scope::Own, one);
            for rows in [&reach.own, &reach.foreign].into_iter().filter(|rows| *rows != "false") {
                let sql = format!("select exists (select from {} where {rows})", table.name);
                let some: bool = query_scalar(AssertSqlSafe(sql)).fetch_one(&mut *owner).await.unwrap();
                if !some {
                    powerless.push(format!("{role}: {verb} {} where {rows}", table.name));
                }
            }
        }
    }
    powerless
}
