//! How much tenants stored, by day.

use chrono::{DateTime, NaiveDate, Utc};
use contract::{TenantId, usage::StoredDay};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// The first `limit` active tenants with an id above `after` whose day `today` was never recorded, or not since
/// `before` (system scope).
pub async fn due(
    connection: &mut PgConnection,
    today: NaiveDate,
    before: DateTime<Utc>,
    (after, limit): (Option<TenantId>, i64),
) -> Result<Vec<TenantId>> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "select t.id from tenants t
         where t.deleted_at is null and ($3::uuid is null or t.id > $3)
           and not exists (select from stored_days s where s.tenant_id = t.id and s.day = $1 and s.recorded_at >= $2)
         order by t.id
         limit $4",
    )
    .bind(today)
    .bind(before)
    .bind(after.map(|tenant| tenant.0))
    .bind(limit)
    .fetch_all(connection)
    .await?;
    Ok(ids.into_iter().map(TenantId).collect())
}

/// Records the numbers of days and replaces earlier ones.
pub async fn record(connection: &mut PgConnection, tenant: TenantId, days: &[StoredDay]) -> Result<()> {
    let numbers = |of: fn(&StoredDay) -> i64| days.iter().map(of).collect::<Vec<_>>();
    sqlx::query(
        "insert into stored_days (tenant_id, day, documents, bytes, passages, pages, chatbots)
         select $1, d.day, d.documents, d.bytes, d.passages, d.pages, d.chatbots
         from unnest($2::date[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
                  d (day, documents, bytes, passages, pages, chatbots)
         on conflict on constraint stored_days_pkey do update
             set documents = excluded.documents,
                 bytes = excluded.bytes,
                 passages = excluded.passages,
                 pages = excluded.pages,
                 chatbots = excluded.chatbots,
                 recorded_at = excluded.recorded_at",
    )
    .bind(tenant.0)
    .bind(days.iter().map(|day| day.date).collect::<Vec<_>>())
    .bind(numbers(|day| day.documents))
    .bind(numbers(|day| day.bytes))
    .bind(numbers(|day| day.passages))
    .bind(numbers(|day| day.pages))
    .bind(numbers(|day| day.chatbots))
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes the tenant's days before `first`.
pub async fn expire(connection: &mut PgConnection, tenant: TenantId, first: NaiveDate) -> Result<()> {
    sqlx::query("delete from stored_days where tenant_id = $1 and day < $2")
        .bind(tenant.0)
        .bind(first)
        .execute(connection)
        .await?;
    Ok(())
}

#[derive(FromRow)]
struct DayRow {
    day: NaiveDate,
    documents: i64,
    bytes: i64,
    passages: i64,
    pages: i64,
    chatbots: i64,
}

/// The days from `first` to `last` that are not before the first record. A day without a record has the numbers of the
/// last one before it.
pub async fn days(
    connection: &mut PgConnection,
    tenant: TenantId,
    (first, last): (NaiveDate, NaiveDate),
) -> Result<Vec<StoredDay>> {
    let rows: Vec<DayRow> = sqlx::query_as(
        "select listed.day::date as day, s.documents, s.bytes, s.passages, s.pages, s.chatbots
         from generate_series($2::date, $3::date, interval '1 day') listed (day)
         cross join lateral (
             select documents, bytes, passages, pages, chatbots
             from stored_days
             where tenant_id = $1 and day <= listed.day::date
             order by day desc
             limit 1
         ) s
         order by listed.day",
    )
    .bind(tenant.0)
    .bind(first)
    .bind(last)
    .fetch_all(connection)
    .await?;
    let day = |row: DayRow| StoredDay {
        date: row.day,
        documents: row.documents,
        bytes: row.bytes,
        passages: row.passages,
        pages: row.pages,
        chatbots: row.chatbots,
    };
    Ok(rows.into_iter().map(day).collect())
}

/// Whether a day before `today` was recorded.
pub async fn has_past(connection: &mut PgConnection, tenant: TenantId, today: NaiveDate) -> Result<bool> {
    Ok(sqlx::query_scalar("select exists (select from stored_days where tenant_id = $1 and day < $2)")
        .bind(tenant.0)
        .bind(today)
        .fetch_one(connection)
        .await?)
}
