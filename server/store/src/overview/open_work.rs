//! Open tasks of a tenant: counts for each active chatbot that has any.

use contract::{ChatbotId, TenantId};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result, list::collated, unanswered::QUESTION};

/// The newest fallback answers of a chatbot that are scanned.
const MAX_SCANNED: i64 = 200;
/// Maximum chatbots that are listed.
const MAX_CHATBOTS: i64 = 20;

/// The open tasks of one chatbot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenWork {
    pub chatbot: ChatbotId,
    pub chatbot_name: String,
    /// Unanswered questions that nobody resolved.
    pub questions: i64,
    /// Negative ratings that nobody resolved.
    pub ratings: i64,
    /// Websites that requested the chatbot in the last seven days and are still refused.
    pub websites: i64,
    /// Uploaded documents that could not be read.
    pub documents: i64,
    /// Websites to answer from that could not be read at the last attempt or did not prove their owner, without paused
    /// ones.
    pub unread_websites: i64,
    /// Whether its template has a newer version.
    pub has_template_update: bool,
}

#[derive(FromRow)]
struct OpenWorkRow {
    id: Uuid,
    name: String,
    questions: i64,
    ratings: i64,
    websites: i64,
    documents: i64,
    unread_websites: i64,
    has_template_update: bool,
}

/// The open tasks of each active chatbot of a tenant, or of one of them, by name; without chatbots that have none.
pub async fn of_tenant(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: Option<ChatbotId>,
) -> Result<Vec<OpenWork>> {
    let sql = format!(
        "with counted as (
             select b.id, b.name,
                    (select count(distinct question_key(q.content))
                     from (select m.tenant_id, m.session_id, m.position, m.created_at from chat_messages m
                           where m.tenant_id = $1 and m.chatbot_id = b.id and m.role = 'assistant' and not m.answered
                           order by m.position desc limit $2) m
                     cross join lateral {QUESTION}
                     where not exists (select from handled_questions h
                                       where h.tenant_id = $1 and h.chatbot_id = b.id
                                         and h.question_key = question_key(q.content)
                                         and h.handled_at >= m.created_at)) as questions,
                    (select count(*) from chatbot_feedback f
                     where f.tenant_id = $1 and f.chatbot_id = b.id and f.rating = 'down' and f.handled_at is null)
                        as ratings,
                    (select count(distinct w.origin) from widget_origins w
                     where w.tenant_id = $1 and w.chatbot_id = b.id and w.day > current_date - 7
                       and w.outcome in ('origin_not_listed', 'no_origins_listed')
                       and not exists (select from widget_origins a
                                       where a.tenant_id = $1 and a.chatbot_id = b.id and a.origin = w.origin
                                         and a.outcome = 'accepted' and a.last_seen_at >= w.last_seen_at)) as websites,
                    (select count(*) from uploads u
                     where u.tenant_id = $1 and u.chatbot_id = b.id and u.state = 'failed') as documents,
                    (select count(*) from websites s
                     where s.tenant_id = $1 and s.chatbot_id = b.id and s.state in ('failed', 'unproven') and not s.is_paused)
                        as unread_websites,
                    exists (select from chatbot_templates t
                            where t.id = b.template_id and t.status = 'active' and t.version > b.template_version)
                        as has_template_update
             from chatbots b
             where b.tenant_id = $1 and b.status = 'active' and ($4::uuid is null or b.id = $4))
         select * from counted
         where questions + ratings + websites + documents + unread_websites > 0 or has_template_update
         order by {by_name}, id
         limit $3",
        by_name = collated("name"),
    );
    let query = sqlx::query_as(AssertSqlSafe(sql))
        .bind(tenant.0)
        .bind(MAX_SCANNED)
        .bind(MAX_CHATBOTS)
        .bind(chatbot.map(|of| of.0));
    let rows: Vec<OpenWorkRow> = query.fetch_all(connection).await?;
    let work = |row: OpenWorkRow| OpenWork {
        chatbot: ChatbotId(row.id),
        chatbot_name: row.name,
        questions: row.questions,
        ratings: row.ratings,
        websites: row.websites,
        documents: row.documents,
        unread_websites: row.unread_websites,
        has_template_update: row.has_template_update,
    };
    Ok(rows.into_iter().map(work).collect())
}
