//! The bare contender: the tenant list with axum and sqlx only. No token, no row security, no transaction.

use std::sync::Arc;

use axum::{Json, Router, extract::State, routing::get};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{
    FromRow, PgPool,
    postgres::{PgPoolOptions, PgRow},
};
use uuid::Uuid;

use crate::{Result, server::POOL};

/// The platform's own statement.
pub(crate) const LIST: &str = "with page as materialized (
        select t.id, t.slug, t.display_name, t.default_language, t.quotas, t.answer_model, t.answer_models,
               t.api_keys_allowed, t.created_at, t.updated_at
        from tenants t where t.deleted_at is null order by display_name asc, id asc limit $1 offset $2
    ), own as (
        select tm.tenant_id, array_agg(tm.module_id) as ids from tenant_modules tm
        where tm.tenant_id = any (array(select id from page)) group by tm.tenant_id
    )
    select page.*, own.ids as own_modules, (select count(*) from tenants t where t.deleted_at is null) as total,
           array(select m.id from modules m order by m.position, m.id) as registry,
           array(select m.is_always_on from modules m order by m.position, m.id) as always_on
    from page left join own on own.tenant_id = page.id order by display_name asc, id asc";

#[derive(FromRow, Serialize)]
struct Tenant {
    id: Uuid,
    slug: String,
    display_name: String,
    default_language: String,
    #[sqlx(skip)]
    enabled_modules: Vec<String>,
    quotas: sqlx::types::Json<contract::usage::Quotas>,
    answer_model: Option<String>,
    answer_models: Vec<String>,
    api_keys_allowed: bool,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

#[derive(FromRow)]
struct Row {
    #[sqlx(flatten)]
    tenant: Tenant,
    own_modules: Option<Vec<String>>,
}

#[derive(FromRow)]
struct Shared {
    registry: Vec<String>,
    always_on: Vec<bool>,
    total: i64,
}

impl Shared {
    fn tenant(&self, row: Row) -> Tenant {
        let own = row.own_modules.unwrap_or_default();
        let has = |(id, always_on): &(&String, &bool)| **always_on || own.contains(id);
        let enabled = self.registry.iter().zip(&self.always_on).filter(has).map(|(id, _)| id.clone());
        Tenant { enabled_modules: enabled.collect(), ..row.tenant }
    }
}

#[derive(Serialize)]
struct Page {
    items: Vec<Tenant>,
    total: i64,
    limit: i64,
    offset: i64,
}

/// Serves the list on `BARE_ADDRESS` from the database `BARE_DATABASE_URL`.
pub(crate) async fn serve() -> Result<()> {
    let pool = PgPoolOptions::new().max_connections(u32::try_from(POOL)?);
    let pool = pool.connect(&std::env::var("BARE_DATABASE_URL")?).await?;
    let listener = tokio::net::TcpListener::bind(std::env::var("BARE_ADDRESS")?).await?;
    let router = Router::new().route("/api/v1/platform/tenants", get(list)).with_state(Arc::new(pool));
    Ok(axum::serve(listener, router).await?)
}

async fn list(State(pool): State<Arc<PgPool>>) -> std::result::Result<Json<Page>, String> {
    let (limit, offset) = (50_i64, 0_i64);
    let text = |error: sqlx::Error| error.to_string();
    let rows: Vec<PgRow> = sqlx::query(LIST).bind(limit).bind(offset).fetch_all(&*pool).await.map_err(text)?;
    let Some(first) = rows.first() else { return Ok(Json(Page { items: Vec::new(), total: 0, limit, offset })) };
    let shared = Shared::from_row(first).map_err(text)?;
    let items = rows.iter().map(|row| Row::from_row(row).map(|row| shared.tenant(row)));
    let items = items.collect::<std::result::Result<Vec<_>, _>>().map_err(text)?;
    Ok(Json(Page { items, total: shared.total, limit, offset }))
}
