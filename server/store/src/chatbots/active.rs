//! The active chatbots of a tenant, as its own programs name them.

use contract::{ChatbotId, TenantId, Timestamp};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// Maximum chatbots of a list: more than a tenant may have by default.
const MAX_CHATBOTS: i64 = 1000;

/// An active chatbot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveChatbot {
    pub id: ChatbotId,
    pub slug: String,
    pub created_at: Timestamp,
}

#[derive(FromRow)]
struct ActiveRow {
    id: Uuid,
    slug: String,
    created_at: Timestamp,
}

impl From<ActiveRow> for ActiveChatbot {
    fn from(row: ActiveRow) -> Self {
        Self { id: ChatbotId(row.id), slug: row.slug, created_at: row.created_at }
    }
}

/// The tenant's active chatbots by slug.
pub async fn active(connection: &mut PgConnection, tenant: TenantId) -> Result<Vec<ActiveChatbot>> {
    let rows: Vec<ActiveRow> = sqlx::query_as(
        "select id, slug, created_at
         from chatbots
         where tenant_id = $1 and status = 'active'
         order by slug, id
         limit $2",
    )
    .bind(tenant.0)
    .bind(MAX_CHATBOTS)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(ActiveChatbot::from).collect())
}

/// The tenant's active chatbot with this id or slug.
pub async fn find_active(connection: &mut PgConnection, tenant: TenantId, name: &str) -> Result<Option<ActiveChatbot>> {
    let row: Option<ActiveRow> = sqlx::query_as(
        "select id, slug, created_at
         from chatbots
         where tenant_id = $1 and status = 'active' and (slug = $2 or id::text = $2)
         order by id::text = $2 desc
         limit 1",
    )
    .bind(tenant.0)
    .bind(name)
    .fetch_optional(connection)
    .await?;
    Ok(row.map(ActiveChatbot::from))
}
