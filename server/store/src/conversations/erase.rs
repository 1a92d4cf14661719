//! How conversations end. No role may delete a message by hand; two functions of the database remove sessions that were
//! silent for long, and erase one.

use crate::connection::PgConnection;
use contract::{ChatbotId, SessionId, TenantId};
use uuid::Uuid;

use crate::error::{Error, Result};

/// How much of a session was erased.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Erased {
    pub messages: i64,
    /// Feedback that lost session, message and comment.
    pub feedback: i64,
    /// Rows of the output-filter audit whose texts are gone.
    pub filter_rows: i64,
}

/// Removes at most `batch` sessions (at least 1) that were silent for more than `days` days (at least 1), longest silent
/// first, with their messages, and tells how many sessions (system scope). Their feedback stays without session and message.
/// Sessions that another transaction uses are left to a later run.
///
/// # Errors
/// When the database fails, or `days` or `batch` is below 1.
pub async fn expire_batch(connection: &mut PgConnection, days: i32, batch: i32) -> Result<u64> {
    let removed: i64 =
        sqlx::query_scalar("select expire_chat_sessions($1, $2)").bind(days).bind(batch).fetch_one(connection).await?;
    u64::try_from(removed).map_err(|_| Error::Stored(format!("the number of sessions {removed}")))
}

/// Erases a session of the chatbot (operator scope); `None` when neither the session nor a row of the output-filter audit
/// that names it stands.
pub async fn erase(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    session: SessionId,
) -> Result<Option<Erased>> {
    let (known, messages, feedback, filter_rows): (bool, i64, i64, i64) =
        sqlx::query_as("select known, messages, feedback, filter_rows from erase_chat_session($1, $2, $3)")
            .bind(tenant.0)
            .bind(chatbot.0)
            .bind(session.0)
            .fetch_one(connection)
            .await?;
    Ok(known.then_some(Erased { messages, feedback, filter_rows }))
}

/// Erases a session of the tenant as [`erase`] does, and tells whose it was; `None` when the tenant has no such session (any
/// more): the transaction is to be discarded then.
pub async fn erase_own(connection: &mut PgConnection, session: SessionId) -> Result<Option<(ChatbotId, Erased)>> {
    let row: Option<(Uuid, i64, i64, i64)> =
        sqlx::query_as("select chatbot, messages, feedback, filter_rows from erase_own_chat_session($1)")
            .bind(session.0)
            .fetch_optional(connection)
            .await?;
    // A session begins with its first message: one without any was erased by somebody else while this call waited for it.
    let row = row.filter(|(_, messages, ..)| *messages > 0);
    Ok(row.map(|(chatbot, messages, feedback, filter_rows)| {
        (ChatbotId(chatbot), Erased { messages, feedback, filter_rows })
    }))
}
