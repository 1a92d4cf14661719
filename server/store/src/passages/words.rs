//! Search by words: finds the passages with the words of a question; rare words count more. Reads a bounded number of
//! passages, whatever the collection's size; rare words select them.

use contract::{ChatbotId, TenantId};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// Maximum passages that one word selects. A word in at least as many passages is common.
const CANDIDATES: i64 = 500;

/// Maximum passages with a common word that are counted.
const COUNTED: i64 = 4000;

/// Maximum words of a question that are looked up. Longer ones come first, because they are rarer.
const LOOKED_UP: i64 = 40;

/// Maximum candidates in which common words are looked up.
const COMPARED: i64 = 300;

/// A form of a word to search for.
#[derive(Debug, Clone, PartialEq)]
pub struct WordForm {
    /// The written form; the database reduces it to its stem.
    pub text: String,
    /// The position of the question's word that this is a form of.
    pub word: i32,
    /// The weight of a match of this form, 0 to 1.
    pub weight: f32,
}

/// A stem with its frequency.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct KnownStem {
    pub stem: String,
    /// The position of the question's word.
    pub word: i32,
    /// As in [`WordForm`].
    pub weight: f32,
    /// The number of passages of the collection that have it, counted up to 4,000.
    pub passages: i64,
}

/// The result of a search by words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoundByWords {
    /// The stems of the question.
    pub stems: Vec<KnownStem>,
    /// How many passages the collection has.
    pub passages: i64,
    /// The passages with most of the words, best first.
    pub ids: Vec<Uuid>,
}

/// The passages with most words of a question, best first, at most `limit`, and the frequency of each word.
///
/// While words of passages are still in a former language of the chatbot, the question is also parsed in that language.
///
/// Runs in a transaction of [`Scope::system`](crate::Scope::system): the full-text search operator is not leakproof, so
/// under the policy of a tenant or a widget the database would read every passage of the collection. The ids alone
/// reveal nothing; [`chosen`](super::chosen) reads their passages in the caller's scope.
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

/// The stems of the forms, each with the number of its passages in the collection. Leaves out derived forms that no
/// passage has.
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
             cross join lateral unnest(text_words(language, f.text))
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

/// The passages with most of the stems, weighted by rarity.
async fn ids(
    connection: &mut PgConnection,
    (tenant, chatbot): (TenantId, ChatbotId),
    stems: &[KnownStem],
    passages: i64,
    limit: i64,
) -> Result<Vec<Uuid>> {
    let (lexemes, words, values, common) = columns(stems, passages);
    if lexemes.is_empty() {
        return Ok(Vec::new());
    }
    // The best form of each word counts. A common word alone selects no candidates; passages with all common words are
    // candidates, too.
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

/// The stems that passages have: lexemes, words, values, and whether each is common.
fn columns(stems: &[KnownStem], passages: i64) -> (Vec<&str>, Vec<i32>, Vec<f64>, Vec<bool>) {
    let (mut lexemes, mut words, mut values, mut common) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for stem in stems.iter().filter(|stem| stem.passages > 0) {
        lexemes.push(stem.stem.as_str());
        words.push(stem.word);
        values.push(f64::from(stem.weight) * rarity(stem.passages, passages));
        common.push(stem.passages > CANDIDATES);
    }
    (lexemes, words, values, common)
}

/// The weight of a stem that `having` of `all` passages have: the inverse document frequency of BM25.
pub(crate) fn rarity(having: i64, all: i64) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "numbers of passages")]
    let (having, all) = (having as f64, all.max(having) as f64);
    (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
}
