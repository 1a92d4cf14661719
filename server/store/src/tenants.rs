//! Tenants.

pub mod erase;
mod listed;

use contract::{
    ModuleId, TenantId,
    tenants::{NewTenant, Tenant},
    usage::Quotas,
};
use sqlx::{AssertSqlSafe, FromRow, types::Json};
use uuid::Uuid;

use crate::connection::PgConnection;

use crate::error::{Error, Result};

pub use listed::list;

const COLUMNS: &str = "t.id, t.slug, t.display_name, t.default_language, t.quotas, t.answer_model, t.answer_models, t.api_keys_allowed, t.created_at, t.updated_at,
    array(select m.id from modules m
          where m.is_always_on or exists (select from tenant_modules tm
                                          where tm.tenant_id = t.id and tm.module_id = m.id)
          order by m.position, m.id) as enabled_modules";

#[derive(FromRow)]
struct TenantRow {
    id: Uuid,
    slug: String,
    display_name: String,
    default_language: String,
    enabled_modules: Vec<String>,
    quotas: Json<Quotas>,
    answer_model: Option<String>,
    answer_models: Vec<String>,
    api_keys_allowed: bool,
    created_at: contract::Timestamp,
    updated_at: contract::Timestamp,
}

impl TryFrom<TenantRow> for Tenant {
    type Error = Error;

    fn try_from(row: TenantRow) -> Result<Self> {
        Ok(Self {
            id: TenantId(row.id),
            slug: row.slug,
            display_name: row.display_name,
            default_language: row.default_language,
            enabled_modules: row.enabled_modules.into_iter().map(ModuleId::try_from).collect::<Result<_, _>>()?,
            quotas: row.quotas.0,
            answer_model: row.answer_model,
            answer_models: row.answer_models,
            api_keys_allowed: row.api_keys_allowed,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }
}

/// A live tenant.
pub async fn find(connection: &mut PgConnection, id: TenantId) -> Result<Option<Tenant>> {
    let sql = format!("select {COLUMNS} from tenants t where t.id = $1 and t.deleted_at is null");
    let row: Option<TenantRow> = sqlx::query_as(AssertSqlSafe(sql)).bind(id.0).fetch_optional(connection).await?;
    row.map(Tenant::try_from).transpose()
}

/// A live tenant, locked until the transaction ends.
pub async fn find_for_update(connection: &mut PgConnection, id: TenantId) -> Result<Option<Tenant>> {
    let sql = format!("select {COLUMNS} from tenants t where t.id = $1 and t.deleted_at is null for update of t");
    let row: Option<TenantRow> = sqlx::query_as(AssertSqlSafe(sql)).bind(id.0).fetch_optional(connection).await?;
    row.map(Tenant::try_from).transpose()
}

/// Inserts a tenant.
///
/// # Errors
/// Constraint `tenants_live_slug_key` when a live tenant has the slug.
pub async fn insert(connection: &mut PgConnection, id: TenantId, new: &NewTenant) -> Result<()> {
    sqlx::query("insert into tenants (id, slug, display_name, default_language) values ($1, $2, $3, $4)")
        .bind(id.0)
        .bind(&new.slug)
        .bind(new.display_name.trim())
        .bind(&new.default_language)
        .execute(connection)
        .await?;
    Ok(())
}

/// Writes the editable fields of a tenant.
///
/// # Errors
/// Constraint `tenants_live_slug_key` when a live tenant has the slug.
pub async fn update(connection: &mut PgConnection, tenant: &Tenant) -> Result<()> {
    sqlx::query(
        "update tenants set slug = $2, display_name = $3, default_language = $4, quotas = $5, answer_model = $6,
                            answer_models = $7, api_keys_allowed = $8, updated_at = now()
         where id = $1",
    )
    .bind(tenant.id.0)
    .bind(&tenant.slug)
    .bind(&tenant.display_name)
    .bind(&tenant.default_language)
    .bind(Json(tenant.quotas))
    .bind(&tenant.answer_model)
    .bind(&tenant.answer_models)
    .bind(tenant.api_keys_allowed)
    .execute(connection)
    .await?;
    Ok(())
}

/// Locks the live ones of these tenants until the transaction ends and counts them, after transactions that write for
/// them ([`share_lock_active`]) have ended. Locks in the order of the ids, so that two such calls never deadlock.
pub async fn lock_active(connection: &mut PgConnection, ids: &[TenantId]) -> Result<usize> {
    let mut sorted: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    sorted.sort_unstable();
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('tenant:' || id::text, 0)) from unnest($1::uuid[]) id")
        .bind(&sorted)
        .execute(&mut *connection)
        .await?;
    let sql = "select from tenants where id = any ($1) and deleted_at is null order by id for update";
    Ok(sqlx::query(sql).bind(sorted).fetch_all(connection).await?.len())
}

/// Whether the tenant is live, with a lock that keeps it so until the transaction ends: deletion ([`lock_active`])
/// waits. A tenant's own role may not lock its row.
pub async fn share_lock_active(connection: &mut PgConnection, id: TenantId) -> Result<bool> {
    // Two statements with a row each: the second must see a deletion that happened while the first one waited.
    let sql = format!(
        "select pg_advisory_xact_lock_shared(hashtextextended('tenant:{id}', 0));
         select from tenants where id = '{id}' and deleted_at is null"
    );
    Ok(sqlx::raw_sql(AssertSqlSafe(sql)).fetch_all(connection).await?.len() > 1)
}

/// Marks tenants as deleted.
pub async fn soft_delete_all(connection: &mut PgConnection, ids: &[TenantId]) -> Result<()> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    sqlx::query("update tenants set deleted_at = now(), updated_at = now() where id = any ($1) and deleted_at is null")
        .bind(ids)
        .execute(connection)
        .await?;
    Ok(())
}

/// Whether the tenant was soft-deleted.
pub async fn is_deleted(connection: &mut PgConnection, id: TenantId) -> Result<bool> {
    Ok(sqlx::query_scalar("select exists (select from tenants where id = $1 and deleted_at is not null)")
        .bind(id.0)
        .fetch_one(connection)
        .await?)
}

/// Whether the tenant exists and is not soft-deleted.
pub async fn is_active(connection: &mut PgConnection, id: TenantId) -> Result<bool> {
    Ok(sqlx::query_scalar("select exists (select from tenants where id = $1 and deleted_at is null)")
        .bind(id.0)
        .fetch_one(connection)
        .await?)
}
