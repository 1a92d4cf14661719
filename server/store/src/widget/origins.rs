//! Which origins requested a chatbot, by day and outcome: written in batches, bounded, read by the tenant.

use chrono::{DateTime, NaiveDate, Utc};
use contract::{
    ChatbotId, TenantId,
    embed::{EMBED_ORIGINS, EmbedOutcome},
};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// Requests of one origin for one chatbot with one outcome on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginRequests {
    /// The origin; empty when the requests had none.
    pub origin: String,
    /// The day in UTC.
    pub day: NaiveDate,
    pub outcome: EmbedOutcome,
    pub requests: i64,
    pub last_seen_at: DateTime<Utc>,
    /// The version in the page's snippet: empty when it has none, `None` when no request could tell.
    pub widget_version: Option<String>,
}

#[derive(FromRow)]
struct Row {
    origin: String,
    day: NaiveDate,
    outcome: String,
    requests: i64,
    last_seen_at: DateTime<Utc>,
    widget_version: Option<String>,
}

/// Adds requests to the record and returns the chatbots that got a new row (system scope). Leaves out chatbots that do
/// not exist, and those reported as deactivated that are not.
pub async fn add(connection: &mut PgConnection, requests: &[(ChatbotId, OriginRequests)]) -> Result<Vec<ChatbotId>> {
    let rows: Vec<(Uuid, bool)> = sqlx::query_as(
        "insert into widget_origins as w
             (tenant_id, chatbot_id, origin, day, outcome, requests, last_seen_at, widget_version)
         select c.tenant_id, c.id, a.origin, a.day, a.outcome, a.requests, a.last_seen_at, a.widget_version
         from unnest($1::uuid[], $2::text[], $3::date[], $4::text[], $5::bigint[], $6::timestamptz[], $7::text[])
             as a (chatbot_id, origin, day, outcome, requests, last_seen_at, widget_version)
         join chatbots c on c.id = a.chatbot_id and (a.outcome <> 'chatbot_deactivated' or c.status = 'deactivated')
         join tenants t on t.id = c.tenant_id and t.deleted_at is null
         order by 1, 2, 3, 4, 5
         on conflict (tenant_id, chatbot_id, origin, day, outcome) do update
         set requests = w.requests + excluded.requests,
             last_seen_at = greatest(w.last_seen_at, excluded.last_seen_at),
             widget_version = coalesce(excluded.widget_version, w.widget_version)
         returning w.chatbot_id, w.xmax = 0",
    )
    .bind(requests.iter().map(|(chatbot, _)| chatbot.0).collect::<Vec<_>>())
    .bind(requests.iter().map(|(_, of)| of.origin.as_str()).collect::<Vec<_>>())
    .bind(requests.iter().map(|(_, of)| of.day).collect::<Vec<_>>())
    .bind(requests.iter().map(|(_, of)| of.outcome.as_str()).collect::<Vec<_>>())
    .bind(requests.iter().map(|(_, of)| of.requests).collect::<Vec<_>>())
    .bind(requests.iter().map(|(_, of)| of.last_seen_at).collect::<Vec<_>>())
    .bind(requests.iter().map(|(_, of)| of.widget_version.as_deref()).collect::<Vec<_>>())
    .fetch_all(connection)
    .await?;
    let mut grown: Vec<_> =
        rows.into_iter().filter(|(_, is_new)| *is_new).map(|(chatbot, _)| ChatbotId(chatbot)).collect();
    grown.sort_unstable_by_key(|chatbot| chatbot.0);
    grown.dedup();
    Ok(grown)
}

/// Keeps for each of these chatbots the origins with the latest requests: [`EMBED_ORIGINS`] that were ever accepted,
/// and as many that never were (system scope).
pub async fn trim(connection: &mut PgConnection, chatbots: &[ChatbotId]) -> Result<()> {
    sqlx::query(
        "delete from widget_origins w
         using (
             select tenant_id, chatbot_id, origin,
                    row_number() over (
                        partition by tenant_id, chatbot_id, bool_or(outcome = 'accepted')
                        order by max(last_seen_at) desc, origin
                    ) as place
             from widget_origins
             where chatbot_id = any($1)
             group by tenant_id, chatbot_id, origin
         ) ranked
         where w.tenant_id = ranked.tenant_id and w.chatbot_id = ranked.chatbot_id and w.origin = ranked.origin
           and ranked.place > $2",
    )
    .bind(chatbots.iter().map(|chatbot| chatbot.0).collect::<Vec<_>>())
    .bind(EMBED_ORIGINS)
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes records that are older than `first` and returns how many rows (system scope).
pub async fn expire(connection: &mut PgConnection, first: NaiveDate) -> Result<u64> {
    let done = sqlx::query("delete from widget_origins where day < $1").bind(first).execute(connection).await?;
    Ok(done.rows_affected())
}

/// The records of a chatbot since `first`, newest day first.
pub async fn list(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    first: NaiveDate,
) -> Result<Vec<OriginRequests>> {
    let rows: Vec<Row> = sqlx::query_as(
        "select origin, day, outcome, requests, last_seen_at, widget_version
         from widget_origins
         where tenant_id = $1 and chatbot_id = $2 and day >= $3
         order by day desc, last_seen_at desc, origin, outcome",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(first)
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(Row::read).collect()
}

impl Row {
    fn read(self) -> Result<OriginRequests> {
        Ok(OriginRequests {
            outcome: self.outcome.parse()?,
            origin: self.origin,
            day: self.day,
            requests: self.requests,
            last_seen_at: self.last_seen_at,
            widget_version: self.widget_version,
        })
    }
}
