//! The bare contender: the tenant list as axum and sqlx alone give it. No token, no row security, no transaction.

use std::sync::Arc;

use axum::{Json, Router, extract::State, routing::get};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{FromRow, PgPool, postgres::PgPoolOptions};
use uuid::Uuid;

use crate::{Result, server::POOL};

/// The platform's own statement.
pub(crate) const LIST: &str = "select t.id, t.slug, t.display_name, t.default_language, t.created_at, t.updated_at,
    array(select m.id from modules m
          where m.is_always_on or exists (select from tenant_modules tm
                                          where tm.tenant_id = t.id and tm.module_id = m.id)
          order by m.position, m.id) as enabled_modules,
    (select count(*) from tenants t where t.deleted_at is null) as total
    from tenants t where t.deleted_at is null order by display_name asc, id asc limit $1 offset $2";

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

#[derive(FromRow)]
struct Row {
    #[sqlx(flatten)]
    tenant: Tenant,
    total: i64,
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
    let rows: Vec<Row> =
        sqlx::query_as(LIST).bind(limit).bind(offset).fetch_all(&*pool).await.map_err(|error| error.to_string())?;
    let total = rows.first().map_or(0, |row| row.total);
    Ok(Json(Page { items: rows.into_iter().map(|row| row.tenant).collect(), total, limit, offset }))
}
