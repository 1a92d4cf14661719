//! One document of a chatbot, and the answers to visitors that cite its passages.

use contract::{
    ChatbotId, MessageId, SessionId, TenantId, Timestamp,
    documents::IndexedDocument,
    id::{DocumentId, PassageId},
    knowledge_hub::Quotation,
};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use super::{DOCUMENTS, DocumentRow, JOINED, SHOWN};
use crate::{connection::PgConnection, error::Result, unanswered::QUESTION};

/// The period in which answers are counted, in days.
const CITATION_DAYS: i32 = 30;
/// The newest answers of a chatbot that are scanned.
const MAX_SCANNED: i64 = 5000;
/// Maximum answers that are listed per passage.
const MAX_ANSWERS: i64 = 3;

/// A document by its id: an uploaded file, or a document of another source.
pub async fn by_id(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: DocumentId,
) -> Result<Option<IndexedDocument>> {
    let sql = format!("select {SHOWN} from ({DOCUMENTS}) d {JOINED} where d.id = $4");
    let row: Option<DocumentRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(None::<Uuid>)
        .bind(id.0)
        .fetch_optional(connection)
        .await?;
    row.map(IndexedDocument::try_from).transpose()
}

/// The answers of the last 30 days that cite a document.
#[derive(Debug, Default)]
pub struct Citations {
    /// Number of answers.
    pub answers: i64,
    /// Whether the chatbot gave more answers in this period than are scanned.
    pub is_cut: bool,
    /// The answers of the requested passages, without passages that have none.
    pub passages: Vec<PassageCitations>,
}

/// The answers that cite a passage.
#[derive(Debug)]
pub struct PassageCitations {
    pub passage: PassageId,
    pub answers: i64,
    /// The newest three.
    pub newest: Vec<Quotation>,
}

#[derive(FromRow)]
struct CitationRow {
    total: i64,
    is_cut: bool,
    passage_id: Option<Uuid>,
    answers: Option<i64>,
    session_id: Option<Uuid>,
    message_id: Option<Uuid>,
    question: Option<String>,
    asked_at: Option<Timestamp>,
}

impl CitationRow {
    /// The answer; `None` when no answer cites one of the passages.
    fn quotation(self) -> Option<(PassageId, i64, Quotation)> {
        let quotation = Quotation {
            session_id: SessionId(self.session_id?),
            message_id: MessageId(self.message_id?),
            question: self.question.unwrap_or_default(),
            asked_at: self.asked_at?,
        };
        Some((PassageId(self.passage_id?), self.answers?, quotation))
    }
}

/// The answers that cite a document, with the newest of each of `passages`.
pub async fn citations(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    document: DocumentId,
    passages: &[PassageId],
) -> Result<Citations> {
    let passages: Vec<Uuid> = passages.iter().map(|passage| passage.0).collect();
    let rows: Vec<CitationRow> = sqlx::query_as(AssertSqlSafe(statement()))
        .persistent(false)
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(document.0)
        .bind(&passages)
        .fetch_all(connection)
        .await?;
    let mut citations = Citations::default();
    for row in rows {
        (citations.answers, citations.is_cut) = (row.total, row.is_cut);
        let Some((passage, answers, quotation)) = row.quotation() else { continue };
        match citations.passages.last_mut() {
            Some(last) if last.passage == passage => last.newest.push(quotation),
            _ => citations.passages.push(PassageCitations { passage, answers, newest: vec![quotation] }),
        }
    }
    Ok(citations)
}

fn statement() -> String {
    format!(
        "with own as materialized (
             select p.id from documents d
             join passages p on p.tenant_id = d.tenant_id and p.chatbot_id = d.chatbot_id and p.document_id = d.id
             where d.tenant_id = $1 and d.chatbot_id = $2 and p.tenant_id = $1 and p.chatbot_id = $2
               and (d.upload_id = $3 or d.id = $3)
         ), looked as materialized (
             select id, tenant_id, session_id, position, created_at, sources from chat_messages
             where tenant_id = $1 and chatbot_id = $2 and role = 'assistant' and answered
               and created_at >= now() - make_interval(days => {CITATION_DAYS})
             order by created_at desc limit {MAX_SCANNED}
         ), cited as materialized (
             select distinct own.id as passage_id, m.id as message_id, m.tenant_id, m.session_id, m.position, m.created_at
             from looked m
             cross join lateral jsonb_array_elements(m.sources) source
             join own on own.id::text = source ->> 'passage_id'
         ), numbered as (
             select c.*, count(*) over (partition by passage_id) as answers,
                    row_number() over (partition by passage_id order by position desc) as place
             from cited c
         )
         select t.total, t.is_cut, m.passage_id, m.answers, m.session_id, m.message_id, q.content as question,
                m.created_at as asked_at
         from (
             select (select count(distinct message_id) from cited) as total,
                    (select count(*) from looked) = {MAX_SCANNED} as is_cut
         ) t
         left join numbered m on m.place <= {MAX_ANSWERS} and m.passage_id = any ($4)
         left join lateral {QUESTION} on true
         order by m.passage_id, m.place"
    )
}
