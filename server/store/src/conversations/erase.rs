//! Erases conversations. No role may delete a message directly; two database functions remove sessions that were
//! inactive for long, and erase a single one.

use crate::connection::PgConnection;
use contract::{ChatbotId, SessionId, TenantId};
use uuid::Uuid;

use crate::error::{Error, Result};

/// The result of erasing a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Erased {
    pub messages: i64,
    /// Feedback that lost its session, message and comment.
    pub feedback: i64,
    /// Rows of the output-filter audit whose texts were removed.
    pub filter_rows: i64,
}

/// Removes at most `batch` sessions (at least 1) without messages for more than `days` days (at least 1), longest
/// inactive first, and returns how many (system scope). Their feedback stays without session and message. Skips
/// sessions that another transaction uses.
///
/// # Errors
/// When the database fails, or `days` or `batch` is below 1.
pub async fn expire_batch(connection: &mut PgConnection, days: i32, batch: i32) -> Result<u64> {
    let removed: i64 =
        sqlx::query_scalar("select expire_chat_sessions($1, $2)").bind(days).bind(batch).fetch_one(connection).await?;
    u64::try_from(removed).map_err(|_| Error::Stored(format!("the number of sessions {removed}")))
}

/// Erases a session of the chatbot (operator scope). Returns `None` when neither the session nor a row of the
/// output-filter audit with its id exists.
pub async fn erase(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    session: SessionId,
) -> Result<Option<Erased>> {
    let (exists, messages, feedback, filter_rows): (bool, i64, i64, i64) =
        sqlx::query_as("select known, messages, feedback, filter_rows from erase_chat_session($1, $2, $3)")
            .bind(tenant.0)
            .bind(chatbot.0)
            .bind(session.0)
            .fetch_one(connection)
            .await?;
    Ok(exists.then_some(Erased { messages, feedback, filter_rows }))
}

/// Erases a session of the tenant like [`erase`] and returns its chatbot. When the tenant has no such session any more,
/// returns `None`; the transaction must then be discarded.
pub async fn erase_own(connection: &mut PgConnection, session: SessionId) -> Result<Option<(ChatbotId, Erased)>> {
    let row: Option<(Uuid, i64, i64, i64)> =
        sqlx::query_as("select chatbot, messages, feedback, filter_rows from erase_own_chat_session($1)")
            .bind(session.0)
            .fetch_optional(connection)
            .await?;
    // A session begins with its first message: one without messages was erased by another call while this one waited
    // for it.
    let row = row.filter(|(_, messages, ..)| *messages > 0);
    Ok(row.map(|(chatbot, messages, feedback, filter_rows)| {
        (ChatbotId(chatbot), Erased { messages, feedback, filter_rows })
    }))
}
