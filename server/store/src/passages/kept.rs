//! Passages of chatbots whose collection was dropped, stored without indexes until the chatbot is provisioned again.

use crate::connection::PgConnection;
use contract::{ChatbotId, TenantId};

use crate::error::Result;

/// Moves at most `limit` passages out of a chatbot's collection and returns how many.
pub async fn keep(connection: &mut PgConnection, tenant: TenantId, chatbot: ChatbotId, limit: i64) -> Result<u64> {
    let number: i64 = sqlx::query_scalar(
        "with moved as (
             delete from passages p
             where p.tenant_id = $1 and p.chatbot_id = $2
               and p.id in (select id from passages where tenant_id = $1 and chatbot_id = $2 order by id limit $3)
             returning p.id, p.tenant_id, p.chatbot_id, p.document_id, p.ordinal, p.heading, p.anchor, p.content, p.embedding
         ), kept as (
             insert into kept_passages
                 (id, tenant_id, chatbot_id, document_id, ordinal, heading, anchor, content, embedding)
             select id, tenant_id, chatbot_id, document_id, ordinal, heading, anchor, content, embedding from moved
         )
         select count(*) from moved",
    )
    .persistent(false)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(limit)
    .fetch_one(connection)
    .await?;
    Ok(u64::try_from(number).unwrap_or(0))
}

/// Moves at most `limit` passages back to a chatbot's collection, with the words of `language`, and returns how many.
pub async fn restore(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    language: &str,
    limit: i64,
) -> Result<u64> {
    let moved: i64 = sqlx::query_scalar(
        "with moved as (
             delete from kept_passages k
             where k.tenant_id = $1 and k.chatbot_id = $2
               and k.id in (select id from kept_passages where tenant_id = $1 and chatbot_id = $2 order by id limit $4)
             returning k.*
         ), restored as (
             insert into passages
                 (id, tenant_id, chatbot_id, document_id, ordinal, heading, anchor, content, embedding, keywords)
             select id, tenant_id, chatbot_id, document_id, ordinal, heading, anchor, content, embedding,
                    passage_words($3, coalesce((select title from documents d where d.tenant_id = $1 and d.id = document_id), ''),
                                  heading, content)
             from moved
         )
         select count(*) from moved",
    )
    .persistent(false)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(language)
    .bind(limit)
    .fetch_one(connection)
    .await?;
    Ok(u64::try_from(moved).unwrap_or(0))
}
