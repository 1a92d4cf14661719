//! Search by words: which passages share most words with a question. Only a bounded number of them is ranked, whatever the
//! collection's size, and rare words choose them.

use contract::{ChatbotId, TenantId};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// The candidates that are ranked, and the passages with a word from which on it is a common one.
const CANDIDATES: i64 = 500;

/// Words that choose candidates. Longer ones, which are rarer, come first; all of a question's words rank.
const CHOOSING: i64 = 12;

/// The passages that share most words with a question, best first, at most `limit`.
///
/// While words of passages are still in a former language of the chatbot, the question is read in that language, too.
///
/// Runs in a transaction of [`Scope::system`](crate::Scope::system): the operator of full-text search is not leakproof, so under
/// the policy of a tenant or a widget the database reads every passage of the collection. The ids tell nothing by themselves;
/// [`chosen`](super::chosen) reads their passages in the scope of whoever asks.
pub async fn best_by_words(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    question: &str,
    language: &str,
    limit: i64,
) -> Result<Vec<Uuid>> {
    // A word in more passages than can be ranked chooses those that hold all such words.
    let ids = sqlx::query_scalar(
        "with languages as (
             select $4::text as language
             union
             select unnest(stale_words) from chatbots where tenant_id = $1 and id = $2
         ), words as materialized (
             select distinct lexeme, quote_literal(lexeme)::tsquery as word
             from languages cross join lateral unnest(to_tsvector(text_search_config(language), $3))
         ), question as materialized (
             select string_agg(word::text, ' | ')::tsquery as words from words
         ), found as materialized (
             select w.word, p.id, count(*) over (partition by w.word) as many
             from (select * from words order by length(lexeme) desc, lexeme limit $6) w
             cross join lateral (
                 select id from passages
                 where tenant_id = $1 and chatbot_id = $2 and keywords @@ w.word
                 limit $5 + 1
             ) p
         ), common as materialized (
             select string_agg(distinct word::text, ' & ')::tsquery as words from found where many > $5
         ), candidates as (
             (select id from found
              group by id
              order by sum(case when many > $5 then 0 else 1.0 / many end) desc, count(*) desc, id
              limit $5)
             union
             (select id from passages
              where tenant_id = $1 and chatbot_id = $2 and keywords @@ (select words from common)
              limit $5)
         )
         select p.id
         from candidates c join passages p on p.id = c.id
         where p.tenant_id = $1 and p.chatbot_id = $2
         order by ts_rank_cd(p.keywords, (select words from question), 1) desc, p.id
         limit $7",
    )
    .persistent(false)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(question)
    .bind(language)
    .bind(CANDIDATES)
    .bind(CHOOSING)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    Ok(ids)
}
