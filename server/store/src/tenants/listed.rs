//! The list of tenants. The modules of the tenants are read once for the whole page: the database returns each tenant's
//! own modules and the registry, which are merged here.

use contract::{
    ModuleId, Page, TenantId, Timestamp,
    page::PageQuery,
    tenants::{TENANT_SORT_FIELDS, Tenant},
    usage::Quotas,
};
use sqlx::{AssertSqlSafe, FromRow, Row, postgres::PgRow, types::Json};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result, list};

#[derive(FromRow)]
struct ListRow {
    id: Uuid,
    slug: String,
    display_name: String,
    default_language: String,
    /// The tenant's modules of the registry, in any order; `None` when it has none.
    own_modules: Option<Vec<String>>,
    quotas: Json<Quotas>,
    answer_model: Option<String>,
    answer_models: Vec<String>,
    api_keys_allowed: bool,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// The registry's modules in its order, and which of them every tenant has.
struct Registry(Vec<(ModuleId, bool)>);

impl Registry {
    /// Every row of a page contains the registry.
    fn read(row: &PgRow) -> Result<Self> {
        let (ids, always_on): (Vec<String>, Vec<bool>) = (row.try_get("registry")?, row.try_get("always_on")?);
        let ids = ids.into_iter().map(ModuleId::try_from).collect::<Result<Vec<_>, _>>()?;
        Ok(Self(ids.into_iter().zip(always_on).collect()))
    }

    fn enabled(&self, own: &[String]) -> Vec<ModuleId> {
        let has = |(id, always_on): &&(ModuleId, bool)| *always_on || own.iter().any(|one| one == id.as_str());
        self.0.iter().filter(has).map(|(id, _)| id.clone()).collect()
    }

    fn tenant(&self, row: &PgRow) -> Result<Tenant> {
        let row = ListRow::from_row(row)?;
        Ok(Tenant {
            id: TenantId(row.id),
            slug: row.slug,
            display_name: row.display_name,
            default_language: row.default_language,
            enabled_modules: self.enabled(row.own_modules.as_deref().unwrap_or_default()),
            quotas: row.quotas.0,
            answer_model: row.answer_model,
            answer_models: row.answer_models,
            api_keys_allowed: row.api_keys_allowed,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }
}

/// A page of live tenants.
pub async fn list(connection: &mut PgConnection, page: &PageQuery) -> Result<Page<Tenant>> {
    let pattern = list::search(page).unwrap_or_default();
    let rows: Vec<PgRow> = sqlx::query(AssertSqlSafe(statement(page)))
        .bind(&pattern)
        .bind(page.limit)
        .bind(page.offset)
        .fetch_all(&mut *connection)
        .await?;
    let (items, total) = match rows.first() {
        Some(first) => {
            let registry = Registry::read(first)?;
            (rows.iter().map(|row| registry.tenant(row)).collect::<Result<_>>()?, first.try_get("total")?)
        }
        None if page.offset == 0 => (Vec::new(), 0),
        None => {
            let sql = format!("select count(*) {} and $1::text is not null", live(page));
            (Vec::new(), sqlx::query_scalar(AssertSqlSafe(sql)).bind(&pattern).fetch_one(connection).await?)
        }
    };
    Ok(Page { items, total, limit: page.limit, offset: page.offset })
}

/// The live tenants that match the search. Without a search the order's index gives the page; a pattern that matches
/// everything would read every tenant.
fn live(page: &PageQuery) -> String {
    let search = list::search(page).map_or("", |_| " and (t.slug ilike $1 or t.display_name ilike $1)");
    format!("from tenants t where t.deleted_at is null{search}")
}

fn statement(page: &PageQuery) -> String {
    let (live, order) = (live(page), list::order_by(page, TENANT_SORT_FIELDS, "display_name"));
    format!(
        "with page as materialized (
             select t.id, t.slug, t.display_name, t.default_language, t.quotas, t.answer_model, t.answer_models,
                    t.api_keys_allowed, t.created_at, t.updated_at
             {live} and $1::text is not null {order} limit $2 offset $3
         ), own as (
             select tm.tenant_id, array_agg(tm.module_id) as ids from tenant_modules tm
             where tm.tenant_id = any (array(select id from page)) group by tm.tenant_id
         )
         select page.*, own.ids as own_modules, (select count(*) {live}) as total,
                array(select m.id from modules m order by m.position, m.id) as registry,
                array(select m.is_always_on from modules m order by m.position, m.id) as always_on
         from page left join own on own.tenant_id = page.id {order}"
    )
}
