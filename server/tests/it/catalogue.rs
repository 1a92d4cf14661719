//! Isolation rules checked in the catalogue: every tenant table has forced row security, policies for its roles, a
//! leading index and composite foreign keys.

use sqlx::PgPool;

use crate::support::{Database, World};

async fn names(pool: &PgPool, sql: &'static str) -> Vec<String> {
    sqlx::query_scalar(sql).fetch_all(pool).await.unwrap()
}

#[tokio::test]
async fn every_tenant_table_has_forced_row_security_and_policies() {
    let db = Database::create().await;
    let tables = names(
        &db.superuser,
        "select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid
         where a.attname = 'tenant_id' and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace",
    )
    .await;
    assert!(tables.len() >= 10, "{tables:?}");
    let unprotected = names(
        &db.superuser,
        "select c.relname::text from pg_class c
         where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
           and c.relname <> '_sqlx_migrations' and not (c.relrowsecurity and c.relforcerowsecurity)",
    )
    .await;
    assert!(unprotected.is_empty(), "{unprotected:?}");
    let uncovered = names(
        &db.superuser,
        "select format('%s for %s', g.table_name, g.grantee)
         from information_schema.role_table_grants g
         where g.grantee like 'svc\\_%' and g.table_schema = 'public'
           and not exists (select from pg_policies p where p.tablename = g.table_name and g.grantee = any (p.roles))
         group by 1",
    )
    .await;
    assert!(uncovered.is_empty(), "{uncovered:?}");
}

#[tokio::test]
async fn a_tenants_or_widgets_policy_always_names_the_tenant() {
    let db = Database::create().await;
    let open = names(
        &db.superuser,
        // One that only narrows what others admit need not name it.
        "select format('%s.%s', tablename, policyname) from pg_policies
         where permissive = 'PERMISSIVE' and (roles && array['svc_tenant', 'svc_widget']::name[])
           and tablename not in ('modules', 'chatbot_templates', 'user_preferences')
           and not (coalesce(qual, 'app_tenant_id') ~ 'app_tenant_id'
                    and coalesce(with_check, qual) ~ 'app_tenant_id')",
    )
    .await;
    assert!(open.is_empty(), "{open:?}");
}

#[tokio::test]
async fn every_tenant_table_has_an_index_that_begins_with_the_tenant() {
    let db = Database::create().await;
    let missing = names(
        &db.superuser,
        "select c.relname::text from pg_class c
         join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
         where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
           and not exists (select from pg_index i where i.indrelid = c.oid and i.indkey[0] = a.attnum)",
    )
    .await;
    assert!(missing.is_empty(), "{missing:?}");
}

#[tokio::test]
async fn the_usage_of_a_period_is_found_by_its_days() {
    let db = Database::create().await;
    let mut connection = db.superuser.acquire().await.unwrap();
    // A small table is read as a whole.
    sqlx::query("set enable_seqscan = off").execute(&mut *connection).await.unwrap();
    let plan: Vec<String> = sqlx::query_scalar(
        "explain select day, sum(questions) from usage_days where day >= current_date - 30 group by day",
    )
    .fetch_all(&mut *connection)
    .await
    .unwrap();
    assert!(plan.iter().any(|line| line.contains("usage_days_day_idx")), "{plan:?}");
}

#[tokio::test]
async fn a_foreign_key_between_tenant_tables_carries_the_tenant() {
    let db = Database::create().await;
    let loose = names(
        &db.superuser,
        "select k.conname::text from pg_constraint k
         join pg_attribute mine on mine.attrelid = k.conrelid and mine.attname = 'tenant_id'
         join pg_attribute theirs on theirs.attrelid = k.confrelid and theirs.attname = 'tenant_id'
         where k.contype = 'f' and not (mine.attnum = any (k.conkey))",
    )
    .await;
    assert!(loose.is_empty(), "{loose:?}");
}

#[tokio::test]
async fn nobody_has_rights_on_a_partition_or_through_public() {
    // With partitions: there is none without a chatbot.
    let (db, _, _) = World::database().await;
    let open = names(
        &db.superuser,
        "select format('%s for %s', table_name, grantee) from information_schema.role_table_grants
         where table_schema = 'public' and (grantee = 'PUBLIC' or table_name like 'passages\\_%') and grantee <> 'postgres'",
    )
    .await;
    assert!(open.is_empty(), "{open:?}");
}
