//! Answers to visitors that cite a document.

use contract::{MessageId, SessionId, TenantId, Timestamp, knowledge_hub::Quotation};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result, unanswered::QUESTION};

/// The newest answers of a chatbot that are scanned.
const MAX_SCANNED: i64 = 2000;
const MAX_QUOTATIONS: i64 = 5;

#[derive(FromRow)]
struct QuotationRow {
    session_id: Uuid,
    message_id: Uuid,
    question: String,
    asked_at: Timestamp,
}

/// The newest answers that cite the current passages of a document.
pub(super) async fn of_document(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: Uuid,
    document: Uuid,
) -> Result<Vec<Quotation>> {
    let sql = format!(
        "with p as materialized (
             select id from passages where tenant_id = $1 and chatbot_id = $2 and document_id = $3
         ), looked as materialized (
             select id, tenant_id, session_id, position, created_at, sources from chat_messages
             where tenant_id = $1 and chatbot_id = $2 and role = 'assistant'
             order by created_at desc limit {MAX_SCANNED}
         )
         select m.session_id, m.id as message_id, q.content as question, m.created_at as asked_at
         from looked m
         cross join lateral {QUESTION}
         where exists (select from jsonb_array_elements(m.sources) source
                       where source ->> 'passage_id' in (select id::text from p))
         order by m.created_at desc, m.position desc
         limit {MAX_QUOTATIONS}"
    );
    let rows: Vec<QuotationRow> = sqlx::query_as(AssertSqlSafe(sql))
        .persistent(false)
        .bind(tenant.0)
        .bind(chatbot)
        .bind(document)
        .fetch_all(connection)
        .await?;
    let quotation = |row: QuotationRow| Quotation {
        session_id: SessionId(row.session_id),
        message_id: MessageId(row.message_id),
        question: row.question,
        asked_at: row.asked_at,
    };
    Ok(rows.into_iter().map(quotation).collect())
}
