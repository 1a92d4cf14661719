//! Token usage of language models, by chatbot and month.

use chrono::NaiveDate;
use contract::{
    ChatbotId, TenantId,
    conversations::{ModelUsage, TokenUsage},
};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// Adds an answer's usage, with its cost in millionths of the currency, to the current month in UTC.
///
/// # Errors
/// Constraint `model_usage_chatbot_fkey` when the chatbot is not the tenant's.
pub async fn add(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    (usage, cost_micros): (TokenUsage, i64),
) -> Result<()> {
    sqlx::query(
        "insert into model_usage as u (tenant_id, chatbot_id, month, answers, prompt_tokens, cached_tokens, answer_tokens,
                                       cost_micros)
         values ($1, $2, date_trunc('month', now() at time zone 'UTC')::date, 1, $3, $4, $5, $6)
         on conflict on constraint model_usage_pkey do update
             set answers = u.answers + 1,
                 prompt_tokens = u.prompt_tokens + excluded.prompt_tokens,
                 cached_tokens = u.cached_tokens + excluded.cached_tokens,
                 answer_tokens = u.answer_tokens + excluded.answer_tokens,
                 cost_micros = u.cost_micros + excluded.cost_micros",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(i64::from(usage.prompt_tokens))
    .bind(i64::from(usage.cached_tokens))
    .bind(i64::from(usage.answer_tokens))
    .bind(cost_micros)
    .execute(connection)
    .await?;
    Ok(())
}

#[derive(FromRow)]
struct MonthRow {
    chatbot_id: Uuid,
    name: String,
    month: NaiveDate,
    answers: i64,
    prompt_tokens: i64,
    cached_tokens: i64,
    answer_tokens: i64,
}

/// The tenant's last twelve months, newest first, each with its chatbots by name.
pub async fn by_month(connection: &mut PgConnection, tenant: TenantId) -> Result<Vec<ModelUsage>> {
    let rows: Vec<MonthRow> = sqlx::query_as(
        "select u.chatbot_id, c.name, u.month, u.answers, u.prompt_tokens, u.cached_tokens, u.answer_tokens
         from model_usage u
         join chatbots c on c.tenant_id = u.tenant_id and c.id = u.chatbot_id
         where u.tenant_id = $1 and u.month > now() at time zone 'UTC' - interval '12 months'
         order by u.month desc, c.name, u.chatbot_id",
    )
    .bind(tenant.0)
    .fetch_all(connection)
    .await?;
    let month = |row: MonthRow| ModelUsage {
        chatbot_id: ChatbotId(row.chatbot_id),
        chatbot_name: row.name,
        month: row.month,
        answers: row.answers,
        prompt_tokens: row.prompt_tokens,
        cached_tokens: row.cached_tokens,
        answer_tokens: row.answer_tokens,
    };
    Ok(rows.into_iter().map(month).collect())
}
