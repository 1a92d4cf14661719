//! Checksums of tables, which detect whether anything changed, and where.

use std::collections::BTreeMap;

use contract::TenantId;
use sqlx::{AssertSqlSafe, PgPool};

/// A checksum of each table's rows.
pub type Checksums = BTreeMap<String, String>;

/// The checksum of every table of the platform, and of the names of all database objects.
pub async fn of_everything(pool: &PgPool) -> Checksums {
    let mut sums = checksums(pool, |_, _| "true".to_owned()).await;
    let names = "select md5(string_agg(relname, '|' order by relname)) from pg_class where relnamespace = 'public'::regnamespace";
    sums.insert("pg_class".to_owned(), sqlx::query_scalar(names).fetch_one(pool).await.unwrap());
    sums
}

/// The checksum of a tenant's rows in every table that has some.
pub async fn of_tenant(pool: &PgPool, tenant: TenantId) -> Checksums {
    checksums(pool, |table, has_tenant| match (table, has_tenant) {
        ("tenants", _) => format!("t.id = '{tenant}'"),
        (_, true) => format!("t.tenant_id = '{tenant}'"),
        _ => "false".to_owned(),
    })
    .await
}

/// The tables that differ.
pub fn changed<'a>(before: &'a Checksums, after: &'a Checksums) -> Vec<&'a str> {
    let names = before.keys().chain(after.keys().filter(|name| !before.contains_key(*name)));
    names.filter(|name| before.get(*name) != after.get(*name)).map(String::as_str).collect()
}

async fn checksums(pool: &PgPool, rows: impl Fn(&str, bool) -> String) -> Checksums {
    let tables: Vec<(String, bool)> = sqlx::query_as(
        "select c.relname::text, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id')
         from pg_class c
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
           and c.relname <> '_sqlx_migrations'
         order by 1",
    )
    .fetch_all(pool)
    .await
    .unwrap();
    let parts: Vec<String> = tables
        .iter()
        .map(|(table, has_tenant)| {
            let rows = rows(table, *has_tenant);
            // The use of a key is written in the background.
            let row = if table == "api_keys" { "(to_jsonb(t) - 'last_used_at')::text" } else { "t::text" };
            format!(
                "select '{table}', md5(coalesce(string_agg({row}, '|' order by {row}), '')) from {table} t where {rows}"
            )
        })
        .collect();
    let sums: Vec<(String, String)> =
        sqlx::query_as(AssertSqlSafe(parts.join(" union all "))).fetch_all(pool).await.unwrap();
    sums.into_iter().collect()
}
