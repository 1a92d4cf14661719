//! Activity on the whole platform over some days, and the tenants behind it. Questions are those that count for quotas.

use chrono::NaiveDate;
use contract::TenantId;
use sqlx::FromRow;
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// Maximum tenants that are listed.
const MAX_TENANTS: i64 = 8;

/// A range of days in UTC, and the equally long range before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Periods {
    /// The first day of the range before.
    pub before: NaiveDate,
    /// The first day.
    pub first: NaiveDate,
    /// The day after the last one.
    pub end: NaiveDate,
}

/// The totals of a range of days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct Sums {
    pub questions: i64,
    /// Conversations that began.
    pub conversations: i64,
    /// Live tenants that were created.
    pub new_tenants: i64,
    /// Active chatbots of live tenants that were created.
    pub new_chatbots: i64,
}

/// The totals from `first` until the day before `end` (operator, vendor).
pub async fn sums(connection: &mut PgConnection, first: NaiveDate, end: NaiveDate) -> Result<Sums> {
    Ok(sqlx::query_as(
        "with span as (select $1::date::timestamp at time zone 'UTC' as first, $2::date::timestamp at time zone 'UTC' as until),
              live as (select id, created_at from tenants where deleted_at is null)
         select (select coalesce(sum(questions), 0)::bigint from usage_days
                 where day >= $1::date and day < $2::date) as questions,
                (select count(*) from chat_sessions
                 where created_at >= (select first from span) and created_at < (select until from span))
                    as conversations,
                (select count(*) from live, span
                 where live.created_at >= span.first and live.created_at < span.until) as new_tenants,
                (select count(*) from span, chatbots c join live on live.id = c.tenant_id
                 where c.status = 'active' and c.created_at >= span.first and c.created_at < span.until)
                    as new_chatbots",
    )
    .bind(first)
    .bind(end)
    .fetch_one(connection)
    .await?)
}

/// The number of questions of a tenant's visitors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantActivity {
    pub tenant_id: TenantId,
    pub tenant_name: String,
    pub questions: i64,
    /// Questions in the range before.
    pub before: i64,
}

#[derive(FromRow)]
struct ActivityRow {
    tenant_id: Uuid,
    tenant_name: String,
    asked: i64,
    asked_before: i64,
}

/// The live tenants with the most questions, most first (operator, vendor).
pub async fn most_active(connection: &mut PgConnection, periods: Periods) -> Result<Vec<TenantActivity>> {
    let rows: Vec<ActivityRow> = sqlx::query_as(
        "select t.id as tenant_id, t.display_name as tenant_name,
                coalesce(sum(u.questions) filter (where u.day >= $2::date), 0)::bigint as asked,
                coalesce(sum(u.questions) filter (where u.day < $2::date), 0)::bigint as asked_before
         from usage_days u
         join tenants t on t.id = u.tenant_id
         where t.deleted_at is null and u.day >= $1::date and u.day < $3::date
         group by t.id, t.display_name
         having sum(u.questions) filter (where u.day >= $2::date) > 0
         order by asked desc, t.display_name, t.id
         limit $4",
    )
    .bind(periods.before)
    .bind(periods.first)
    .bind(periods.end)
    .bind(MAX_TENANTS)
    .fetch_all(connection)
    .await?;
    let activity = |row: ActivityRow| TenantActivity {
        tenant_id: TenantId(row.tenant_id),
        tenant_name: row.tenant_name,
        questions: row.asked,
        before: row.asked_before,
    };
    Ok(rows.into_iter().map(activity).collect())
}

/// How many live tenants had no question since `first` (operator, vendor).
pub async fn without_questions(connection: &mut PgConnection, first: NaiveDate) -> Result<i64> {
    Ok(sqlx::query_scalar(
        "select count(*) from tenants t
         where t.deleted_at is null
           and not exists (select from usage_days u
                           where u.tenant_id = t.id and u.day >= $1::date and u.questions > 0)",
    )
    .bind(first)
    .fetch_one(connection)
    .await?)
}
