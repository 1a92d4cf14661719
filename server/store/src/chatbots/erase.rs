//! Erases chatbots. No role may delete a chatbot directly: three database functions hide a deactivated one from every
//! role, remove its data, and remove its row. Rows of the output-filter audit stay without their texts.

use contract::{ChatbotId, TenantId};
use sqlx::FromRow;

use crate::{connection::PgConnection, error::Result};

/// The amount of data of a chatbot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct DataCounts {
    pub documents: i64,
    /// The tenant's own questions and answers.
    pub own_answers: i64,
    pub conversations: i64,
    pub messages: i64,
    pub feedback: i64,
}

/// Counts the data of a chatbot.
pub async fn count_data(connection: &mut PgConnection, tenant: TenantId, id: ChatbotId) -> Result<DataCounts> {
    Ok(sqlx::query_as(
        "select (select count(*) from documents where tenant_id = $1 and chatbot_id = $2) as documents,
                (select count(*) from chatbot_faq where tenant_id = $1 and chatbot_id = $2) as own_answers,
                (select count(*) from chat_sessions where tenant_id = $1 and chatbot_id = $2) as conversations,
                (select count(*) from chat_messages where tenant_id = $1 and chatbot_id = $2) as messages,
                (select count(*) from chatbot_feedback where tenant_id = $1 and chatbot_id = $2) as feedback",
    )
    .bind(tenant.0)
    .bind(id.0)
    .fetch_one(connection)
    .await?)
}

/// Hides a deactivated chatbot of the transaction's tenant from every role, and frees its slug. Returns how many rows of
/// the output-filter audit it has, which no tenant may read.
///
/// # Errors
/// When the tenant has no such chatbot.
pub async fn begin(connection: &mut PgConnection, id: ChatbotId) -> Result<i64> {
    Ok(sqlx::query_scalar("select begin_chatbot_erasure($1)").bind(id.0).fetch_one(connection).await?)
}

/// Removes at most `batch` rows of a hidden chatbot, or the texts of as many rows of the output-filter audit. Returns `false` when only its collection, its jobs and its own row
/// remain.
///
/// # Errors
/// When the transaction's tenant has no such chatbot.
pub async fn remove_batch(connection: &mut PgConnection, id: ChatbotId, batch: i32) -> Result<bool> {
    let removed: i64 =
        sqlx::query_scalar("select erase_chatbot_batch($1, $2)").bind(id.0).bind(batch).fetch_one(connection).await?;
    Ok(removed > 0)
}

/// Removes the row of a hidden chatbot, and its jobs.
///
/// # Errors
/// When another row still refers to it.
pub async fn end(connection: &mut PgConnection, id: ChatbotId) -> Result<()> {
    sqlx::query("select end_chatbot_erasure($1)").bind(id.0).execute(connection).await?;
    Ok(())
}
