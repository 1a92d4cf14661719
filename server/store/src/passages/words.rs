//! Search by words: which passages have the words of a question, rare ones before common ones. Only a bounded number of passages is
//! looked at, whatever the collection's size, and rare words choose them.

use contract::{ChatbotId, TenantId};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// Passages that one word chooses at most, and the passages with a word from which on it is a common one.
const CANDIDATES: i64 = 500;

/// Passages with a common word that are counted at most.
const COUNTED: i64 = 4000;

/// Words of a question that are looked up. Longer ones, which are rarer, come first.
const LOOKED_UP: i64 = 40;

/// Candidates in which common words are looked up, too.
const COMPARED: i64 = 300;

/// A form of a word to search for.
#[derive(Debug, Clone, PartialEq)]
pub struct WordForm {
    /// The form as it is written; the database reduces it to its stem.
    pub text: String,
    /// The place of the question's word that it is a form of.
    pub word: i32,
    /// How much a passage with this form counts for the word, 0 to 1.
    pub weight: f32,
}

/// A stem that was searched for.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct KnownStem {
    pub stem: String,
    /// The place of the question's word.
    pub word: i32,
    /// As in [`WordForm`].
    pub weight: f32,
    /// How many passages of the collection have it, counted up to 4,000.
    pub passages: i64,
}

/// What a search by words found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoundByWords {
    /// The stems of the question.
    pub stems: Vec<KnownStem>,
    /// How many passages the collection has.
    pub passages: i64,
    /// The passages with most of the words, best first.
    pub ids: Vec<Uuid>,
}

/// The passages that have most words of a question, best first, at most `limit`, and how common each word is.
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
    forms: &[WordForm],
    language: &str,
    limit: i64,
) -> Result<FoundByWords> {
    let stems = stems(connection, (tenant, chatbot), forms, language).await?;
    let passages: i64 = sqlx::query_scalar(
        "select coalesce(sum(passage_count), 0)::bigint from documents where tenant_id = $1 and chatbot_id = $2",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .fetch_one(&mut *connection)
    .await?;
    let ids = ids(connection, (tenant, chatbot), &stems, passages, limit).await?;
    Ok(FoundByWords { stems, passages, ids })
}

/// The stems of the forms that the collection may have, each with the number of its passages. A form that is no word of the question
/// itself and that no passage has is left out.
async fn stems(
    connection: &mut PgConnection,
    (tenant, chatbot): (TenantId, ChatbotId),
    forms: &[WordForm],
    language: &str,
) -> Result<Vec<KnownStem>> {
    let texts: Vec<&str> = forms.iter().map(|form| form.text.as_str()).collect();
    let words: Vec<i32> = forms.iter().map(|form| form.word).collect();
    let weights: Vec<f32> = forms.iter().map(|form| form.weight).collect();
    Ok(sqlx::query_as(
        "with languages as (
             select $6::text as language
             union
             select unnest(stale_words) from chatbots where tenant_id = $1 and id = $2
         ), forms as materialized (
             select lexeme, f.word, max(f.weight) as weight
             from unnest($3::text[], $4::int[], $5::real[]) f (text, word, weight)
             cross join languages
             cross join lateral unnest(to_tsvector(text_search_config(language), f.text))
             group by lexeme, f.word
             order by max(f.weight) desc, length(lexeme) desc, lexeme
             limit $7
         )
         select f.lexeme as stem, f.word, f.weight, n.passages
         from forms f
         cross join lateral (
             select count(*) as passages
             from (select from passages
                   where tenant_id = $1 and chatbot_id = $2 and keywords @@ quote_literal(f.lexeme)::tsquery
                   limit $8) p
         ) n
         where n.passages > 0 or f.weight >= 1
         order by f.word, f.weight desc, f.lexeme",
    )
    .persistent(false)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(texts)
    .bind(words)
    .bind(weights)
    .bind(language)
    .bind(LOOKED_UP)
    .bind(COUNTED)
    .fetch_all(connection)
    .await?)
}

/// The passages that have most of the stems by rarity.
async fn ids(
    connection: &mut PgConnection,
    (tenant, chatbot): (TenantId, ChatbotId),
    stems: &[KnownStem],
    passages: i64,
    limit: i64,
) -> Result<Vec<Uuid>> {
    let (mut lexemes, mut words, mut values, mut common) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for known in stems.iter().filter(|known| known.passages > 0) {
        lexemes.push(known.stem.as_str());
        words.push(known.word);
        values.push(f64::from(known.weight) * rarity(known.passages, passages));
        common.push(known.passages > CANDIDATES);
    }
    if lexemes.is_empty() {
        return Ok(Vec::new());
    }
    // Of the forms of one word, the best one counts. A common word chooses no candidates by itself; those that have all common words
    // are candidates as well.
    Ok(sqlx::query_scalar(
        "with stems as materialized (
             select word, value, common, quote_literal(lexeme)::tsquery as query
             from unnest($3::text[], $4::int[], $5::float8[], $6::bool[]) s (lexeme, word, value, common)
         ), rare as materialized (
             select p.id, s.word, max(s.value) as value
             from stems s
             cross join lateral (
                 select id from passages
                 where tenant_id = $1 and chatbot_id = $2 and keywords @@ s.query
                 limit $7
             ) p
             where not s.common
             group by p.id, s.word
         ), candidates as materialized (
             (select id, sum(value) as value from rare group by id order by 2 desc, id limit $8)
             union all
             (select p.id, 0
              from passages p
              where p.tenant_id = $1 and p.chatbot_id = $2
                and p.keywords @@ (select string_agg(query::text, ' & ')::tsquery from stems where common)
                and not exists (select from rare r where r.id = p.id)
              limit $8)
         )
         select c.id
         from candidates c join passages p on p.id = c.id
         where p.tenant_id = $1 and p.chatbot_id = $2
         order by c.value + coalesce((select sum(s.value) from stems s where s.common and p.keywords @@ s.query), 0) desc,
                  p.id
         limit $9",
    )
    .persistent(false)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(lexemes)
    .bind(words)
    .bind(values)
    .bind(common)
    .bind(CANDIDATES)
    .bind(COMPARED)
    .bind(limit)
    .fetch_all(connection)
    .await?)
}

/// How much a stem tells that `having` of `all` passages have: the inverse document frequency of BM25.
pub(crate) fn rarity(having: i64, all: i64) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "numbers of passages")]
    let (having, all) = (having as f64, all.max(having) as f64);
    (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
}
