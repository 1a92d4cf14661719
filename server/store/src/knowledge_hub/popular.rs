//! The sources that a tenant's users open most.

use contract::{
    ChatbotId, TenantId,
    id::SourceId,
    knowledge_hub::{ChatbotName, PopularSource, SourceName},
};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use super::SOURCE_NAME;
use crate::{
    connection::PgConnection,
    error::{Error, Result},
};

#[derive(FromRow)]
struct PopularRow {
    source_id: Uuid,
    source_name: String,
    source_kind: String,
    chatbot_id: Uuid,
    chatbot_name: String,
    documents: i64,
    opened: i64,
}

impl TryFrom<PopularRow> for PopularSource {
    type Error = Error;

    fn try_from(row: PopularRow) -> Result<Self> {
        Ok(Self {
            source: SourceName { id: SourceId(row.source_id), name: row.source_name, kind: row.source_kind.parse()? },
            chatbot: ChatbotName { id: ChatbotId(row.chatbot_id), name: row.chatbot_name },
            documents: row.documents,
            opened: row.opened,
        })
    }
}

/// The sources of active chatbots by how often many users opened them in the last four complete weeks, and then by their documents.
pub async fn sources(connection: &mut PgConnection, tenant: TenantId, limit: i64) -> Result<Vec<PopularSource>> {
    let sql = format!(
        "select s.id as source_id, {SOURCE_NAME} as source_name, s.kind as source_kind, c.id as chatbot_id,
                c.name as chatbot_name, d.documents, coalesce(o.opened, 0) as opened
         from chatbot_sources s
         join chatbots c on c.tenant_id = s.tenant_id and c.id = s.chatbot_id
              and c.status = 'active' and c.provisioning = 'ready'
         join (select source_id, count(*) as documents from documents where tenant_id = $1 group by source_id) d
              on d.source_id = s.id
         left join knowledge_popular_sources() o on o.source_id = s.id
         where s.tenant_id = $1
         order by opened desc, documents desc, source_name, source_id limit $2"
    );
    let rows: Vec<PopularRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(limit).fetch_all(connection).await?;
    rows.into_iter().map(PopularSource::try_from).collect()
}
