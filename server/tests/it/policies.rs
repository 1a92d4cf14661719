//! Removing or opening any policy makes the isolation test fail: each policy of the platform's roles is dropped, or
//! opened in each possible way, and the isolation test must then report a finding. Only permissive policies separate
//! tenants; the one that hides erased chatbots has its own tests.

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::{
    isolation::{
        probe::{self, Guard, Table},
        rights::ROLES,
    },
    support::{SeededTenant, World},
};

/// Something that weakens a table's row security.
struct Damage {
    table: String,
    roles: Vec<String>,
    sql: String,
}

#[derive(sqlx::FromRow)]
struct Policy {
    tablename: String,
    policyname: String,
    roles: Vec<String>,
    qual: Option<String>,
    with_check: Option<String>,
}

impl Policy {
    fn damages(&self) -> Vec<Damage> {
        let Self { tablename, policyname, .. } = self;
        let mut ways = vec![format!("drop policy {policyname} on {tablename}")];
        let narrows = |text: &Option<String>| text.as_deref().is_some_and(|text| text != "true");
        if narrows(&self.qual) {
            ways.push(format!("alter policy {policyname} on {tablename} using (true)"));
        }
        if narrows(&self.with_check) {
            ways.push(format!("alter policy {policyname} on {tablename} with check (true)"));
        }
        if narrows(&self.qual) && narrows(&self.with_check) {
            ways.push(format!("alter policy {policyname} on {tablename} using (true) with check (true)"));
        }
        let damage = |sql| Damage { table: tablename.clone(), roles: self.roles.clone(), sql };
        ways.into_iter().map(damage).collect()
    }
}

/// The findings of the isolation test with the damage, which is undone afterwards.
async fn findings_under(url: &str, damage: &Damage, tables: &[Table], one: SeededTenant) -> Vec<String> {
    let mut owner = PgConnection::connect(url).await.unwrap();
    owner.execute("begin").await.unwrap();
    owner.execute(AssertSqlSafe(damage.sql.clone())).await.unwrap();
    let tables: Vec<_> = tables.iter().filter(|table| table.is_or_is_part_of(&damage.table)).collect();
    let roles: Vec<_> = damage.roles.iter().map(String::as_str).collect();
    let findings = probe::findings(&mut owner, Guard::PoliciesAlone, &tables, &roles, one).await;
    owner.execute("rollback").await.unwrap();
    findings
}

#[tokio::test]
async fn the_isolation_test_notices_the_loss_of_any_one_policy() {
    let (database, one, _) = World::database().await;
    let mut owner = database.superuser.acquire().await.unwrap();
    let tables = probe::tables(&mut owner).await;
    probe::stage(&mut owner, &tables).await;
    let policies: Vec<Policy> = sqlx::query_as(
        "select tablename::text, policyname::text, roles::text[], qual, with_check from pg_policies
         where schemaname = 'public' and permissive = 'PERMISSIVE' and exists (select from unnest(roles) role where role like 'svc\\_%')
         order by 1, 2",
    )
    .fetch_all(&mut *owner)
    .await
    .unwrap();
    let mut unnoticed = Vec::new();
    let mut tried = 0;
    for damage in policies.iter().flat_map(Policy::damages) {
        tried += 1;
        if findings_under(&database.superuser_url(), &damage, &tables, one).await.is_empty() {
            unnoticed.push(damage.sql);
        }
    }
    assert!(unnoticed.is_empty(), "{unnoticed:#?}");
    assert!(tried > policies.len() && policies.len() > 70, "{tried} damages of {} policies", policies.len());
}

#[tokio::test]
async fn the_isolation_test_notices_a_table_without_row_security() {
    let (database, one, _) = World::database().await;
    let mut owner = database.superuser.acquire().await.unwrap();
    let tables = probe::tables(&mut owner).await;
    probe::stage(&mut owner, &tables).await;
    for table in &tables {
        let damage = Damage {
            table: table.name.clone(),
            roles: ROLES.map(str::to_owned).to_vec(),
            sql: format!("alter table {} disable row level security", table.name),
        };
        let findings = findings_under(&database.superuser_url(), &damage, &tables, one).await;
        assert!(!findings.is_empty(), "{}", damage.sql);
    }
}
