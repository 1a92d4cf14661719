//! The bare contender: the tenant list as axum and sqlx alone give it. No token, no row security, no transaction.

use std::sync::Arc;

use axum::{Json, Router, extract::State, routing::get};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{AssertSqlSafe, FromRow, PgPool, postgres::PgPoolOptions};
use uuid::Uuid;

use crate::{Result, server::POOL};

/// The statement of the list, the platform's own.
pub(crate) const LIST: &str = "select t.id, t.slug, t.display_name, t.default_language, t.created_at, t.updated_at,
    array(select m.id from modules m
          where m.is_always_on or exists (select from tenant_modules tm
                                          where tm.tenant_id = t.id and tm.module_id = m.id)
          order by m.position, m.id) as enabled_modules
    from tenants t where t.deleted_at is null and (t.slug ilike '%' or t.display_name ilike '%')
    order by display_name asc, id asc limit $1 offset $2";
/// The statement of the total.
pub(crate) const COUNT: &str =
    "select count(*) from tenants t where t.deleted_at is null and (t.slug ilike '%' or t.display_name ilike '%')";

#[derive(FromRow, Serialize)]
struct Tenant {
    id: Uuid,
    slug: String,
    display_name: String,
    default_language: String,
    enabled_modules: Vec<String>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
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
    let (limit, offset) = (50, 0);
    let mut connection = pool.acquire().await.map_err(|error| error.to_string())?;
    let items = sqlx::query_as(AssertSqlSafe(LIST)).bind(limit).bind(offset).fetch_all(&mut *connection).await;
    let items = items.map_err(|error| error.to_string())?;
    let total = sqlx::query_scalar(COUNT).fetch_one(&mut *connection).await.map_err(|error| error.to_string())?;
    Ok(Json(Page { items, total, limit, offset }))
}
