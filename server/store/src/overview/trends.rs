//! The most frequent questions of one tenant's visitors in the last days, and the documents that answer them.

use chrono::{DateTime, Utc};
use contract::TenantId;
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result, unanswered::QUESTION};

/// The newest answers that are scanned for these lists.
const MAX_SCANNED: i64 = 5000;
/// Maximum lines of each list.
const MAX_LINES: i64 = 5;
/// Maximum passages whose document is looked up: the most cited ones.
const MAX_PASSAGES: i64 = 200;

/// A question of visitors; equal ones are counted together.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct TopQuestion {
    /// Its latest wording.
    pub question: String,
    pub times: i64,
    /// Whether it had an answer the last time.
    pub answered: bool,
    /// The conversation in which it was asked the last time.
    pub session: Uuid,
}

/// A document that answers cited.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct TopDocument {
    pub chatbot: Uuid,
    /// The document as the list of documents shows it: an upload, or a document of another source.
    pub document: Uuid,
    /// Its title; the question of an own answer.
    pub title: String,
    /// Number of answers that cited it.
    pub answers: i64,
}

/// The most frequent questions since `first`.
pub async fn questions(
    connection: &mut PgConnection,
    tenant: TenantId,
    first: DateTime<Utc>,
) -> Result<Vec<TopQuestion>> {
    let sql = format!(
        "with looked as materialized (
             select tenant_id, session_id, position, created_at, answered from chat_messages
             where tenant_id = $1 and role = 'assistant' and created_at >= $2 and small_talk is null and not over_quota
             order by created_at desc limit {MAX_SCANNED}
         ), asked as (
             select m.session_id, m.created_at, m.answered, q.content, question_key(rtrim(q.content, ' ?!.')) as question_key
             from looked m
             cross join lateral {QUESTION}
         )
         select (array_agg(content order by created_at desc))[1] as question, count(*) as times,
                (array_agg(answered order by created_at desc))[1] as answered,
                (array_agg(session_id order by created_at desc))[1] as session
         from asked
         group by question_key
         order by count(*) desc, max(created_at) desc
         limit {MAX_LINES}"
    );
    Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(first).fetch_all(connection).await?)
}

/// The most cited documents since `first`, as far as they still exist.
pub async fn documents(
    connection: &mut PgConnection,
    tenant: TenantId,
    first: DateTime<Utc>,
) -> Result<Vec<TopDocument>> {
    let sql = format!(
        "with looked as materialized (
             select id, chatbot_id, sources from chat_messages
             where tenant_id = $1 and role = 'assistant' and created_at >= $2 and answered
             order by created_at desc limit {MAX_SCANNED}
         ), cited as materialized (
             select m.chatbot_id, (source ->> 'passage_id')::uuid as passage_id, array_agg(distinct m.id) as answers
             from looked m
             cross join lateral jsonb_array_elements(m.sources) source
             where source ->> 'passage_id' is not null
             group by 1, 2
             order by count(*) desc
             limit {MAX_PASSAGES}
         )
         select d.chatbot_id as chatbot, coalesce(d.upload_id, d.id) as document, coalesce(f.question, d.title) as title,
                count(distinct m.id) as answers
         from cited c
         cross join lateral (
             select p.document_id from passages p
             where p.tenant_id = $1 and p.chatbot_id = c.chatbot_id and p.id = c.passage_id
             offset 0
         ) p
         join documents d on d.tenant_id = $1 and d.chatbot_id = c.chatbot_id and d.id = p.document_id
         left join chatbot_faq f on f.tenant_id = $1 and f.chatbot_id = d.chatbot_id and f.id::text = d.path
         cross join lateral unnest(c.answers) as m(id)
         group by d.chatbot_id, d.id, d.upload_id, d.title, f.question
         order by count(distinct m.id) desc, title, d.id
         limit {MAX_LINES}"
    );
    Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(first).fetch_all(connection).await?)
}
