//! Re-indexes the words of passages after the language of their chatbot changed, in batches that are committed one by
//! one.

use crate::connection::PgConnection;
use contract::{ChatbotId, TenantId};
use uuid::Uuid;

use crate::error::Result;

/// Passages of one batch.
const BATCH_PASSAGES: i64 = 500;

/// Records that words of the chatbot's passages are still in the language `from`. Does nothing for languages with the
/// same search configuration.
pub async fn note_stale_words(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    from: &str,
    to: &str,
) -> Result<()> {
    sqlx::query(
        "update chatbots
         set stale_words = array(select distinct unnest(stale_words || $3::text)), words_done = null
         where tenant_id = $1 and id = $2 and text_search_config($3) <> text_search_config($4)",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(from)
    .bind(to)
    .execute(connection)
    .await?;
    Ok(())
}

/// Tenants with a chatbot whose passages have words in a former language (system scope).
pub async fn tenants_with_stale_words(connection: &mut PgConnection) -> Result<Vec<TenantId>> {
    let tenants: Vec<Uuid> =
        sqlx::query_scalar("select distinct tenant_id from chatbots where stale_words <> '{}' order by tenant_id")
            .fetch_all(connection)
            .await?;
    Ok(tenants.into_iter().map(TenantId).collect())
}

/// Re-indexes one batch of words, of the tenant's first chatbot that needs it. Returns `None` when no chatbot does, or
/// when another process is working on the tenant; otherwise the chatbot and the number of passages in the batch, which
/// is 0 at the end.
pub async fn renew_words(connection: &mut PgConnection, tenant: TenantId) -> Result<Option<(ChatbotId, usize)>> {
    let is_ours: bool =
        sqlx::query_scalar("select pg_try_advisory_xact_lock(hashtextextended('words:' || $1::uuid::text, 0))")
            .bind(tenant.0)
            .fetch_one(&mut *connection)
            .await?;
    if !is_ours {
        return Ok(None);
    }
    // The lock prevents a change of the language while documents and this batch write words.
    let stale: Option<(Uuid, String, Option<Uuid>)> = sqlx::query_as(
        "select id, language, words_done from chatbots
         where tenant_id = $1 and stale_words <> '{}'
         order by id limit 1
         for no key update",
    )
    .bind(tenant.0)
    .fetch_optional(&mut *connection)
    .await?;
    let Some((chatbot, language, done)) = stale else { return Ok(None) };
    let renewed = batch(connection, (tenant.0, chatbot), &language, done.unwrap_or_default()).await?;
    sqlx::query(
        "update chatbots
         set words_done = $3::uuid, stale_words = case when $3::uuid is null then '{}' else stale_words end
         where tenant_id = $1 and id = $2",
    )
    .bind(tenant.0)
    .bind(chatbot)
    .bind(renewed.iter().max())
    .execute(connection)
    .await?;
    Ok(Some((ChatbotId(chatbot), renewed.len())))
}

/// Re-indexes the passages after `done`.
async fn batch(
    connection: &mut PgConnection,
    (tenant, chatbot): (Uuid, Uuid),
    language: &str,
    done: Uuid,
) -> Result<Vec<Uuid>> {
    Ok(sqlx::query_scalar(
        "with batch as (
             select id from passages
             where tenant_id = $1 and chatbot_id = $2 and id > $3
             order by id
             limit $5
         )
         update passages p
         set keywords = passage_words(
             $4, coalesce((select title from documents d where d.tenant_id = $1 and d.id = p.document_id), ''), p.heading, p.content)
         from batch
         where p.tenant_id = $1 and p.chatbot_id = $2 and p.id = batch.id
         returning p.id",
    )
    .persistent(false)
    .bind(tenant)
    .bind(chatbot)
    .bind(done)
    .bind(language)
    .bind(BATCH_PASSAGES)
    .fetch_all(connection)
    .await?)
}
