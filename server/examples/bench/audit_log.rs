//! Fills the audit log with a year's rows of a platform with 500 tenants.

use sqlx::{AssertSqlSafe, Executor, PgConnection};

use crate::{Result, database};

/// Words in the details: the rare one is in 5 rows of a million, the common one in a tenth of the rows.
pub(crate) const RARE: &str = "Quetzalcoatlus";
pub(crate) const COMMON: &str = "Harbour";
pub(crate) const MISSING: &str = "Xylophagous";

/// The index of `json_search`.
pub(crate) const SEARCH_INDEX: &str = "platform_audit_log_details_idx";

/// Writes `rows` rows into the empty log. Its indexes are made again afterwards, all but the search index when
/// `searchable` is false.
pub(crate) async fn fill(connection: &mut PgConnection, rows: i64, searchable: bool) -> Result<()> {
    let indexes: Vec<(String, String)> = sqlx::query_as(
        "select indexname::text, indexdef from pg_indexes
         where tablename = 'platform_audit_log' and indexname <> 'platform_audit_log_pkey'",
    )
    .fetch_all(&mut *connection)
    .await?;
    for (name, _) in &indexes {
        connection.execute(AssertSqlSafe(format!("drop index {name}"))).await?;
    }
    sqlx::query(
        "insert into platform_audit_log (id, occurred_at, actor_role, actor_user, tenant_id, action, entity_type,
                                         entity_id, ip_address, session_id, details)
         select uuidv7(-(($1 - i) * interval '30 seconds')), now() - ($1 - i) * interval '30 seconds',
                case when i % 4 = 0 then 'operator' else 'tenant' end, 'user-' || i % 900,
                md5('tenant' || i % 500)::uuid, case when i % 3 = 0 then 'tenant.updated' else 'chatbot.updated' end,
                case when i % 3 = 0 then 'tenant' else 'chatbot' end, md5((i % 20000)::text)::uuid::text, '192.0.2.7',
                md5((i / 50)::text)::uuid::text,
                jsonb_build_object(
                    'before', jsonb_build_object('name', 'Help ' || md5(i::text), 'language', 'en'),
                    'after', jsonb_build_object('language', 'de', 'name', case when i % ($1 / 5) = 0 then $2
                        when i % 10 = 0 then $3 else 'Support ' || md5((i * 7)::text) end))
         from generate_series(1, $1) i",
    )
    .bind(rows)
    .bind(RARE)
    .bind(COMMON)
    .execute(&mut *connection)
    .await?;
    database::execute(connection, "set maintenance_work_mem = '256MB'").await?;
    for (_, definition) in indexes.iter().filter(|(name, _)| searchable || name != SEARCH_INDEX) {
        connection.execute(AssertSqlSafe(definition.clone())).await?;
    }
    database::execute(connection, "vacuum analyze platform_audit_log").await
}
