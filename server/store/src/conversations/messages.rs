//! Widget sessions and their messages.

use contract::{
    ChatbotId, MessageId, SessionId, TenantId,
    conversations::{AnsweredBy, TokenUsage},
    generated_by::GeneratedBy,
    widget::{Citation, Confidence, MessageRole, SmallTalk, WidgetMessage, WidgetSource},
};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// Maximum messages of a history.
const HISTORY_LIMIT: i64 = 200;

/// The SHA-256 of a session's token.
pub type TokenHash = [u8; 32];

#[derive(Debug, Clone)]
pub struct NewMessage<'a> {
    pub id: MessageId,
    pub role: MessageRole,
    pub content: &'a str,
    /// The passages that an answer is based on.
    pub sources: &'a [WidgetSource],
    /// The citation markers of an answer.
    pub citations: &'a [Citation],
    /// Whether the documents had an answer. Also true for messages that are not a question.
    pub answered: bool,
    pub confidence: Option<Confidence>,
    pub answered_by: Option<AnsweredBy>,
    /// The language model whose words an answer is.
    pub answer_model: Option<&'a str>,
    /// The version of the language model's prompt.
    pub prompt_version: Option<&'a str>,
    /// Whether the language model's answer was cut off.
    pub truncated: bool,
    /// The topic of a reply to small talk.
    pub small_talk: Option<SmallTalk>,
    /// Whether the question exceeded the tenant's quota, so that nothing was searched.
    pub over_quota: bool,
    /// Whether the output filter changed it.
    pub filtered: bool,
    /// The language model's token usage.
    pub usage: Option<TokenUsage>,
    /// The page on which a question was asked.
    pub page_url: Option<&'a str>,
    /// The language of a question, if its words identify one.
    pub language: Option<&'a str>,
    /// Whether it was said with the session's token.
    pub with_token: bool,
}

impl<'a> NewMessage<'a> {
    /// A message that has only words, as most questions.
    pub fn new(id: MessageId, role: MessageRole, content: &'a str) -> Self {
        Self {
            id,
            role,
            content,
            sources: &[],
            citations: &[],
            answered: true,
            confidence: None,
            answered_by: None,
            answer_model: None,
            prompt_version: None,
            truncated: false,
            small_talk: None,
            over_quota: false,
            filtered: false,
            usage: None,
            page_url: None,
            language: None,
            with_token: false,
        }
    }
}

/// Whether the session belongs to the chatbot and had a message in the last 30 days.
pub async fn session_exists(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    session: SessionId,
) -> Result<bool> {
    Ok(sqlx::query_scalar(
        "select exists (select from chat_sessions
                        where tenant_id = $1 and chatbot_id = $2 and id = $3
                          and last_message_at > now() - interval '30 days')",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(session.0)
    .fetch_one(connection)
    .await?)
}

/// How far a token opens a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct SessionAccess {
    /// Whether the session has a token; sessions from before version 2.1 have none at first.
    pub has_token: bool,
    /// Whether the token is the session's.
    pub is_open: bool,
}

/// How far a token opens a session of the chatbot; `None` when the chatbot has no such session, or it had no message in the last 30
/// days.
pub async fn session_access(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    session: SessionId,
    token: Option<&TokenHash>,
) -> Result<Option<SessionAccess>> {
    Ok(sqlx::query_as(
        "select token_hash is not null as has_token, coalesce(token_hash = $4, false) as is_open
         from chat_sessions
         where tenant_id = $1 and chatbot_id = $2 and id = $3
           and last_message_at > now() - interval '30 days'",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(session.0)
    .bind(token.map(TokenHash::as_slice))
    .fetch_optional(connection)
    .await?)
}

/// Gives a session without a token its token, and returns whether it did.
pub async fn set_first_token(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    session: SessionId,
    token: &TokenHash,
) -> Result<bool> {
    let updated = sqlx::query(
        "update chat_sessions set token_hash = $4
         where tenant_id = $1 and chatbot_id = $2 and id = $3 and token_hash is null",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(session.0)
    .bind(token.as_slice())
    .execute(connection)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Whether the message is an answer of the chatbot and, if a session is given, of that session. False when its session
/// had no message for 30 days.
pub async fn answer_exists(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    session: Option<SessionId>,
    message: MessageId,
) -> Result<bool> {
    Ok(sqlx::query_scalar(
        "select exists (select from chat_messages m
                        join chat_sessions s
                            on s.tenant_id = m.tenant_id and s.chatbot_id = m.chatbot_id and s.id = m.session_id
                        where m.tenant_id = $1 and m.chatbot_id = $2 and m.id = $4 and m.role = 'assistant'
                          and ($3::uuid is null or m.session_id = $3)
                          and s.last_message_at > now() - interval '30 days')",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(session.map(|id| id.0))
    .bind(message.0)
    .fetch_one(connection)
    .await?)
}

/// Begins a session. `visitor_ref` is the name that the tenant's own program gives to the visitor.
pub async fn start_session(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    session: SessionId,
    (token, visitor_ref): (Option<&TokenHash>, Option<&str>),
) -> Result<()> {
    sqlx::query(
        "insert into chat_sessions (id, tenant_id, chatbot_id, token_hash, visitor_ref) values ($3, $1, $2, $4, $5)",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(session.0)
    .bind(token.map(TokenHash::as_slice))
    .bind(visitor_ref)
    .execute(connection)
    .await?;
    Ok(())
}

/// Updates the time of a session's last message and returns whether the session still exists: a session that was erased
/// in the meantime stays erased.
pub async fn continue_session(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    session: SessionId,
) -> Result<bool> {
    let continued = sqlx::query(
        "update chat_sessions set last_message_at = now() where tenant_id = $1 and chatbot_id = $2 and id = $3",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(session.0)
    .execute(connection)
    .await?;
    Ok(continued.rows_affected() == 1)
}

pub async fn insert_message(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    session: SessionId,
    message: &NewMessage<'_>,
) -> Result<()> {
    sqlx::query(
        "insert into chat_messages (id, tenant_id, chatbot_id, session_id, role, content, sources, citations,
                                    answered, confidence, filtered, answered_by, prompt_version, truncated,
                                    small_talk, prompt_tokens, cached_tokens, answer_tokens,
                                    over_quota, page_url, language, with_token, answer_model)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
                 $22, $23)",
    )
    .bind(message.id.0)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(session.0)
    .bind(message.role.as_str())
    .bind(message.content)
    .bind(Json(message.sources))
    .bind(Json(message.citations))
    .bind(message.answered)
    .bind(message.confidence.map(Confidence::as_str))
    .bind(message.filtered)
    .bind(message.answered_by.map(AnsweredBy::as_str))
    .bind(message.prompt_version)
    .bind(message.truncated)
    .bind(message.small_talk.map(SmallTalk::as_str))
    .bind(message.usage.map(|usage| usage.prompt_tokens))
    .bind(message.usage.map(|usage| usage.cached_tokens))
    .bind(message.usage.map(|usage| usage.answer_tokens))
    .bind(message.over_quota)
    .bind(message.page_url)
    .bind(message.language)
    .bind(message.with_token)
    .bind(message.answer_model)
    .execute(connection)
    .await?;
    Ok(())
}

#[derive(FromRow)]
struct MessageRow {
    id: Uuid,
    role: String,
    content: String,
    sources: Json<Vec<WidgetSource>>,
    citations: Json<Vec<Citation>>,
    filtered: bool,
    answered_by: Option<String>,
    answer_model: Option<String>,
    created_at: contract::Timestamp,
    /// Whether it offers to contact a person: a fallback message, or the reply to a visitor who asked for a person.
    offers_contact: bool,
}

/// Who made an answer, from what is stored with it.
pub(super) fn generated_by(answered_by: Option<&str>, model: Option<String>) -> Result<Option<GeneratedBy>> {
    let answered_by: Option<AnsweredBy> = answered_by.map(str::parse).transpose()?;
    Ok(answered_by.map(|answered_by| GeneratedBy::new(answered_by, model)))
}

/// The last messages of a session that were said with its token, oldest first. Those that offer to contact a person have a `contact_url`.
pub async fn messages(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    session: SessionId,
    contact_url: Option<&str>,
) -> Result<Vec<WidgetMessage>> {
    let mut rows: Vec<MessageRow> = sqlx::query_as(
        "select id, role, content, sources, citations, filtered, answered_by, answer_model, created_at,
                coalesce(role = 'assistant' and case when small_talk is null then confidence = 'none'
                                                     else small_talk = 'human' end, false) as offers_contact
         from chat_messages
         where tenant_id = $1 and chatbot_id = $2 and session_id = $3 and with_token
         order by position desc
         limit $4",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(session.0)
    .bind(HISTORY_LIMIT)
    .fetch_all(connection)
    .await?;
    rows.reverse();
    let message = |row: MessageRow| {
        Ok(WidgetMessage {
            message_id: MessageId(row.id),
            role: row.role.parse()?,
            content: row.content,
            sources: row.sources.0,
            citations: row.citations.0,
            filtered: row.filtered,
            generated_by: generated_by(row.answered_by.as_deref(), row.answer_model)?,
            created_at: row.created_at,
            contact_url: contact_url.filter(|_| row.offers_contact).map(str::to_owned),
            rating: None,
        })
    };
    rows.into_iter().map(message).collect()
}
