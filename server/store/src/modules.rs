//! The module registry, and the modules of each tenant. The policy of a tenant's role hides internal modules.

use contract::{
    ModuleId, Page, TenantId,
    modules::{MODULE_SORT_FIELDS, Module, TenantModule},
    page::PageQuery,
};
use sqlx::{AssertSqlSafe, FromRow};

use crate::{
    connection::PgConnection,
    error::{Error, Result},
    list,
};

const COLUMNS: &str =
    "m.id, m.name, m.description, m.category, m.is_always_on, m.internal_only, m.self_service, m.position";
const MATCHING: &str = "from modules m where (m.id ilike $1 or m.name ilike $1)";

#[derive(FromRow)]
struct ModuleRow {
    id: String,
    name: String,
    description: String,
    category: String,
    is_always_on: bool,
    internal_only: bool,
    self_service: bool,
    position: i32,
}

impl TryFrom<ModuleRow> for Module {
    type Error = Error;

    fn try_from(row: ModuleRow) -> Result<Self> {
        Ok(Self {
            id: module_id(row.id)?,
            name: row.name,
            description: row.description,
            category: row.category,
            is_always_on: row.is_always_on,
            internal_only: row.internal_only,
            self_service: row.self_service,
            position: row.position,
        })
    }
}

#[derive(FromRow)]
struct TenantModuleRow {
    #[sqlx(flatten)]
    module: ModuleRow,
    enabled: bool,
}

impl TryFrom<TenantModuleRow> for TenantModule {
    type Error = Error;

    fn try_from(row: TenantModuleRow) -> Result<Self> {
        Ok(Self { module: row.module.try_into()?, enabled: row.enabled })
    }
}

/// A page of the registry.
pub async fn list(connection: &mut PgConnection, page: &PageQuery) -> Result<Page<Module>> {
    let order = list::order_by(page, MODULE_SORT_FIELDS, "position");
    let rows: Vec<ModuleRow> =
        sqlx::query_as(AssertSqlSafe(format!("select {COLUMNS} {MATCHING} {order} limit $2 offset $3")))
            .bind(list::pattern(page))
            .bind(page.limit)
            .bind(page.offset)
            .fetch_all(&mut *connection)
            .await?;
    let items = rows.into_iter().map(Module::try_from).collect::<Result<_>>()?;
    Ok(Page { items, total: count(connection, page).await?, limit: page.limit, offset: page.offset })
}

/// A page of the registry with the state for a tenant.
pub async fn list_of_tenant(
    connection: &mut PgConnection,
    tenant: TenantId,
    page: &PageQuery,
) -> Result<Page<TenantModule>> {
    let order = list::order_by(page, MODULE_SORT_FIELDS, "position");
    let sql = format!("select {COLUMNS}, {} {MATCHING} {order} limit $2 offset $3", enabled_for("$4"));
    let rows: Vec<TenantModuleRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(list::pattern(page))
        .bind(page.limit)
        .bind(page.offset)
        .bind(tenant.0)
        .fetch_all(&mut *connection)
        .await?;
    let items = rows.into_iter().map(TenantModule::try_from).collect::<Result<_>>()?;
    Ok(Page { items, total: count(connection, page).await?, limit: page.limit, offset: page.offset })
}

/// A module of the registry.
pub async fn find(connection: &mut PgConnection, id: &ModuleId) -> Result<Option<Module>> {
    select_one(connection, id, "").await
}

/// A module of the registry, locked until the transaction ends.
pub async fn find_for_update(connection: &mut PgConnection, id: &ModuleId) -> Result<Option<Module>> {
    select_one(connection, id, "for update").await
}

/// A module with its state for a tenant.
pub async fn find_of_tenant(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: &ModuleId,
) -> Result<Option<TenantModule>> {
    let sql = format!("select {COLUMNS}, {} from modules m where m.id = $1", enabled_for("$2"));
    let row: Option<TenantModuleRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(id.as_str()).bind(tenant.0).fetch_optional(connection).await?;
    row.map(TenantModule::try_from).transpose()
}

/// Whether a tenant has the module. Services check this before they serve it.
pub async fn is_enabled(connection: &mut PgConnection, tenant: TenantId, id: &str) -> Result<bool> {
    let sql = format!("select coalesce((select {} from modules m where m.id = $1), false)", enabled_for("$2"));
    Ok(sqlx::query_scalar(AssertSqlSafe(sql)).bind(id).bind(tenant.0).fetch_one(connection).await?)
}

/// The existing ones of these modules, in the registry's order.
pub async fn existing(connection: &mut PgConnection, ids: &[ModuleId]) -> Result<Vec<Module>> {
    let sql = format!("select {COLUMNS} from modules m where m.id = any ($1) order by m.position, m.id");
    let rows: Vec<ModuleRow> = sqlx::query_as(AssertSqlSafe(sql)).bind(texts(ids)).fetch_all(connection).await?;
    rows.into_iter().map(Module::try_from).collect()
}

/// Registers a module.
///
/// # Errors
/// Constraint `modules_pkey` when the id is taken.
pub async fn insert(connection: &mut PgConnection, module: &Module) -> Result<()> {
    sqlx::query(
        "insert into modules (id, name, description, category, is_always_on, internal_only, position, self_service)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(module.id.as_str())
    .bind(&module.name)
    .bind(&module.description)
    .bind(&module.category)
    .bind(module.is_always_on)
    .bind(module.internal_only)
    .bind(module.position)
    .bind(module.self_service)
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes every field of a module except its id.
pub async fn update(connection: &mut PgConnection, module: &Module) -> Result<()> {
    sqlx::query(
        "update modules set name = $2, description = $3, category = $4, is_always_on = $5, internal_only = $6,
                            position = $7, self_service = $8
         where id = $1",
    )
    .bind(module.id.as_str())
    .bind(&module.name)
    .bind(&module.description)
    .bind(&module.category)
    .bind(module.is_always_on)
    .bind(module.internal_only)
    .bind(module.position)
    .bind(module.self_service)
    .execute(connection)
    .await?;
    Ok(())
}

/// Locks a tenant's modules against concurrent changes until the transaction ends.
pub async fn lock_tenant(connection: &mut PgConnection, tenant: TenantId) -> Result<()> {
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('tenant_modules:' || $1::text, 0))")
        .bind(tenant.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// The optional modules that a tenant has, in the registry's order.
pub async fn optional_of_tenant(connection: &mut PgConnection, tenant: TenantId) -> Result<Vec<ModuleId>> {
    let ids: Vec<String> = sqlx::query_scalar(
        "select m.id from modules m join tenant_modules tm on tm.module_id = m.id
         where tm.tenant_id = $1 and not m.is_always_on
         order by m.position, m.id",
    )
    .bind(tenant.0)
    .fetch_all(connection)
    .await?;
    ids.into_iter().map(module_id).collect()
}

/// Enables modules for a tenant; does nothing for those that are enabled already.
pub async fn enable(connection: &mut PgConnection, tenant: TenantId, ids: &[ModuleId]) -> Result<()> {
    sqlx::query(
        "insert into tenant_modules (tenant_id, module_id) select $1, unnest($2::text[]) on conflict do nothing",
    )
    .bind(tenant.0)
    .bind(texts(ids))
    .execute(connection)
    .await?;
    Ok(())
}

/// Disables modules for a tenant.
pub async fn disable(connection: &mut PgConnection, tenant: TenantId, ids: &[ModuleId]) -> Result<()> {
    sqlx::query("delete from tenant_modules where tenant_id = $1 and module_id = any ($2)")
        .bind(tenant.0)
        .bind(texts(ids))
        .execute(connection)
        .await?;
    Ok(())
}

/// SQL for whether the tenant of a parameter has the module.
fn enabled_for(parameter: &str) -> String {
    format!(
        "m.is_always_on or exists (select from tenant_modules tm
                                   where tm.tenant_id = {parameter} and tm.module_id = m.id) as enabled"
    )
}

async fn select_one(connection: &mut PgConnection, id: &ModuleId, lock: &str) -> Result<Option<Module>> {
    let sql = format!("select {COLUMNS} from modules m where m.id = $1 {lock}");
    let row: Option<ModuleRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(id.as_str()).fetch_optional(connection).await?;
    row.map(Module::try_from).transpose()
}

async fn count(connection: &mut PgConnection, page: &PageQuery) -> Result<i64> {
    let sql = format!("select count(*) {MATCHING}");
    Ok(sqlx::query_scalar(AssertSqlSafe(sql)).bind(list::pattern(page)).fetch_one(connection).await?)
}

fn texts(ids: &[ModuleId]) -> Vec<&str> {
    ids.iter().map(ModuleId::as_str).collect()
}

fn module_id(text: String) -> Result<ModuleId> {
    Ok(ModuleId::try_from(text)?)
}
