//! Searches many collections in one statement: one arm per collection, joined by `union all`, with the chatbot as a
//! literal, so that the database plans one partition per arm. The results are not ranked across collections here.

use contract::{ChatbotId, TenantId};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use super::{BY_WORDS, words::QueryWords};
use crate::{connection::PgConnection, error::Result, passages::VectorKind};

/// Passages that each collection returns by vector, and again by words (specification, Knowledge hub).
pub const PER_COLLECTION: usize = 20;

const EXACT: &str =
    "set local jit = off; set local max_parallel_workers_per_gather = 0; set local enable_indexscan = off";
/// Candidate list of the indexes, divided by the number of collections.
const INDEX_CANDIDATES: usize = 2000;

#[derive(Debug, Clone)]
pub struct SearchedCollection<'a> {
    pub chatbot: ChatbotId,
    /// The kind of its vectors that match the query's model.
    pub kind: VectorKind,
    /// The query as a vector of that model.
    pub vector: &'a [f32],
    /// The query's words in the collection's language.
    pub words: Option<&'a QueryWords>,
}

/// A search result before the passage itself is read.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct FoundPassage {
    pub chatbot_id: Uuid,
    pub id: Uuid,
    /// The document by its own id.
    pub document_id: Uuid,
    /// The cosine of query and passage.
    pub cosine: f64,
    /// The share of the query's words that it has, 0 to 1.
    pub words: f64,
    /// Whether a word is in its headings or its title.
    pub in_heading: bool,
    pub content_hash: String,
}

/// How the nearest passages are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nearness {
    /// Compare all vectors.
    Exact,
    /// Use the indexes, perhaps in several statements.
    Indexed { collections: usize },
}

/// The passages of each collection that are nearest to its vector, at most [`PER_COLLECTION`] of each; only of
/// `documents` if the filters selected some.
pub async fn nearest(
    connection: &mut PgConnection,
    tenant: TenantId,
    collections: &[SearchedCollection<'_>],
    documents: Option<&[Uuid]>,
    nearness: Nearness,
) -> Result<Vec<FoundPassage>> {
    let settings = match nearness {
        Nearness::Exact => EXACT.to_owned(),
        Nearness::Indexed { collections } => index_settings(collections),
    };
    let arm = |collection: &SearchedCollection<'_>, vector: &str| {
        let (column, chatbot) = (typed(collection), collection.chatbot);
        format!(
            "select id, document_id, keywords, content, {column} <=> {vector} as distance
             from passages
             where tenant_id = $1 and chatbot_id = '{chatbot}' and {} is not null and ($2::uuid[] is null or document_id = any ($2))
             order by distance limit {PER_COLLECTION}",
            collection.kind.column()
        )
    };
    run(connection, (settings, tenant), collections, documents, &arm).await
}

/// The settings of an index search: the fewer collections, the more thoroughly each is searched.
pub fn index_settings(collections: usize) -> String {
    format!(
        "{BY_WORDS}; set local cpu_operator_cost = 0.05; set local hnsw.ef_search = {};
         set local hnsw.iterative_scan = strict_order",
        (INDEX_CANDIDATES / collections.max(1)).clamp(100, 1000)
    )
}

/// These passages of each collection, as far as they exist, with the ranking of another store.
pub async fn ranked(
    connection: &mut PgConnection,
    tenant: TenantId,
    collections: &[(SearchedCollection<'_>, Vec<Uuid>)],
    documents: Option<&[Uuid]>,
) -> Result<Vec<FoundPassage>> {
    let ids = |chatbot: ChatbotId| {
        let of = collections.iter().find(|(collection, _)| collection.chatbot == chatbot);
        of.map(|(_, ids)| ids.iter().map(Uuid::to_string).collect::<Vec<_>>().join(",")).unwrap_or_default()
    };
    let searched: Vec<_> = collections.iter().map(|(collection, _)| collection.clone()).collect();
    let arm = |collection: &SearchedCollection<'_>, vector: &str| {
        let (column, chatbot) = (typed(collection), collection.chatbot);
        format!(
            "select id, document_id, keywords, content, {column} <=> {vector} as distance
             from passages
             where tenant_id = $1 and chatbot_id = '{chatbot}' and id = any ('{{{}}}') and ($2::uuid[] is null or document_id = any ($2))",
            ids(chatbot)
        )
    };
    run(connection, (BY_WORDS.to_owned(), tenant), &searched, documents, &arm).await
}

/// The passages of each collection with most of the query's words, at most [`PER_COLLECTION`] of each. Runs in a
/// transaction of [`Scope::system`](crate::Scope::system), like every search by words.
pub async fn matching(
    connection: &mut PgConnection,
    tenant: TenantId,
    collections: &[SearchedCollection<'_>],
    documents: Option<&[Uuid]>,
) -> Result<Vec<FoundPassage>> {
    let with_words: Vec<_> = collections.iter().filter(|collection| collection.words.is_some()).cloned().collect();
    let arm = |collection: &SearchedCollection<'_>, vector: &str| {
        let (column, chatbot) = (typed(collection), collection.chatbot);
        let ((choosing, candidates), share) =
            collection.words.map(|words| (words.choosing(), words.share("stripped"))).unwrap_or_default();
        // Decompress the words once and not for each stem.
        format!(
            "select id, document_id, keywords, content, {column} <=> {vector} as distance
             from (
                 select id, document_id, keywords, content, embedding, second_embedding, strip(keywords) as stripped
                 from passages
                 where tenant_id = $1 and chatbot_id = '{chatbot}' and keywords @@ {choosing}::tsquery
                   and ($2::uuid[] is null or document_id = any ($2))
                 limit {candidates}
             ) chosen
             order by {share} desc, id limit {PER_COLLECTION}"
        )
    };
    run(connection, (BY_WORDS.to_owned(), tenant), &with_words, documents, &arm).await
}

/// The vectors of a collection's passages, with their type.
fn typed(collection: &SearchedCollection<'_>) -> String {
    format!("{}::{}({})", collection.kind.column(), collection.kind.sql_type(), collection.vector.len())
}

async fn run(
    connection: &mut PgConnection,
    (settings, tenant): (String, TenantId),
    collections: &[SearchedCollection<'_>],
    documents: Option<&[Uuid]>,
    arm: &(dyn Fn(&SearchedCollection<'_>, &str) -> String + Sync),
) -> Result<Vec<FoundPassage>> {
    if collections.is_empty() {
        return Ok(Vec::new());
    }
    sqlx::raw_sql(AssertSqlSafe(settings)).execute(&mut *connection).await?;
    // One parameter per distinct vector.
    let mut vectors: Vec<&[f32]> = Vec::new();
    let mut arms = Vec::with_capacity(collections.len());
    for collection in collections {
        let place = vectors.iter().position(|vector| std::ptr::eq(*vector, collection.vector)).unwrap_or_else(|| {
            vectors.push(collection.vector);
            vectors.len() - 1
        });
        let vector = format!("${}::real[]::{}", place + 3, collection.kind.sql_type());
        let (share, in_heading) = match collection.words {
            Some(words) => (words.share("stripped"), words.in_heading()),
            None => ("0::float8".to_owned(), "false".to_owned()),
        };
        arms.push(format!(
            "(select '{}'::uuid as chatbot_id, id, document_id, coalesce(1 - distance, 0) as cosine, {share} as words,
                     {in_heading} as in_heading, md5(content) as content_hash
              from (select found.*, strip(keywords) as stripped from ({}) found offset 0) found)",
            collection.chatbot,
            arm(collection, &vector)
        ));
    }
    let sql = arms.join(" union all ");
    let mut query = sqlx::query_as(AssertSqlSafe(sql)).persistent(false).bind(tenant.0).bind(documents);
    for vector in vectors {
        query = query.bind(vector);
    }
    Ok(query.fetch_all(connection).await?)
}
