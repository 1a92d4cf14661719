//! The uploaded documents of a chatbot that are queued or being read.

use contract::{
    ChatbotId, TenantId,
    documents::{DocumentProgress, DocumentState, IndexedDocument},
    id::DocumentId,
};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use super::{DOCUMENTS, DocumentRow, JOINED, SHOWN};
use crate::{
    connection::PgConnection,
    error::{Error, Result},
};

/// A document that is not read yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unread {
    pub id: DocumentId,
    pub state: DocumentState,
    pub progress: DocumentProgress,
}

#[derive(FromRow)]
struct UnreadRow {
    id: Uuid,
    state: String,
    done: Option<i32>,
    expected: Option<i32>,
}

impl TryFrom<UnreadRow> for Unread {
    type Error = Error;
    fn try_from(row: UnreadRow) -> Result<Self> {
        let progress = DocumentProgress { done: row.done.unwrap_or_default(), total: row.expected };
        Ok(Self { id: DocumentId(row.id), state: row.state.parse()?, progress })
    }
}

/// The first `limit` documents that are queued or being read.
pub async fn unread(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    limit: i64,
) -> Result<Vec<Unread>> {
    // 'reading' comes before 'waiting'.
    let rows: Vec<UnreadRow> = sqlx::query_as(
        "select u.id, u.state, j.done, j.total as expected
         from uploads u
         left join jobs j on j.tenant_id = u.tenant_id and j.id = u.job_id
         where u.tenant_id = $1 and u.chatbot_id = $2 and u.state in ('reading', 'waiting')
         order by u.state, u.id limit $3",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(Unread::try_from).collect()
}

/// The documents with these ids that still exist.
pub async fn by_ids(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    ids: &[DocumentId],
) -> Result<Vec<IndexedDocument>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let sql = format!("select {SHOWN} from ({DOCUMENTS}) d {JOINED} where d.id = any ($4) order by d.id");
    let rows: Vec<DocumentRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(None::<Uuid>)
        .bind(&ids)
        .fetch_all(connection)
        .await?;
    rows.into_iter().map(IndexedDocument::try_from).collect()
}
