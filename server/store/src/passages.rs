//! Vector collections: the passages of a chatbot, searched by vector and by words.
//!
//! Each collection is a partition of one table. No statement here is kept prepared (`persistent(false)`): from its
//! sixth run on, the database would try to plan a prepared one for every chatbot at once, which locks every collection
//! and takes seconds among a thousand. Vectors are sent as `real[]`, because a type that the connection has to look up
//! first would cost it the statement.

pub mod kept;
mod language;
mod section;
mod words;

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use contract::{ChatbotId, TenantId, id::DocumentId};
use pgvector::Vector;
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result, vectors::Point};

pub(crate) use self::words::rarity;
pub use self::{
    language::{note_stale_words, renew_words, tenants_with_stale_words},
    section::{Neighbour, Section, SectionPassage, neighbours, section},
    words::{FoundByWords, KnownStem, WordForm, best_by_words},
};

/// The planner assumes that comparing two vectors is as cheap as comparing two numbers, and would compare all of ten
/// thousand. The index keeps at least 400 candidates: more find more of the nearest ones but cost more. It continues
/// until it has as many as requested.
const SEARCH_SETTINGS: &str = "set local cpu_operator_cost = 0.05; set local hnsw.ef_search = 400; \
                               set local hnsw.iterative_scan = strict_order";

/// Which of a passage's vectors is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VectorKind {
    /// The vector of the chatbot's own model, which every passage has.
    Own,
    /// The vector of the multilingual model, for questions in other languages.
    Second,
}

impl VectorKind {
    pub(crate) fn column(self) -> &'static str {
        match self {
            Self::Own => "embedding",
            Self::Second => "second_embedding",
        }
    }

    pub(crate) fn sql_type(self) -> &'static str {
        match self {
            Self::Own => "vector",
            Self::Second => "halfvec",
        }
    }
}

#[derive(Debug, Clone)]
pub struct NewPassage {
    /// Its id, new with each version of its document.
    pub id: Uuid,
    /// The position within the document, from 0.
    pub ordinal: i32,
    /// The headings above it.
    pub heading: String,
    /// The anchor within the document.
    pub anchor: Option<String>,
    pub content: String,
    pub embedding: Vec<f32>,
}

impl From<&NewPassage> for Point {
    fn from(passage: &NewPassage) -> Self {
        Self { id: passage.id, embedding: passage.embedding.clone() }
    }
}

/// A search result.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct Hit {
    pub id: Uuid,
    /// The title of its document.
    pub title: String,
    /// The path of its document.
    pub path: String,
    /// The headings above it.
    pub heading: String,
    /// The anchor within the document.
    pub anchor: Option<String>,
    pub content: String,
    /// The address of its page, when it belongs to a website.
    pub url: Option<String>,
    /// When the content of its document last changed.
    pub as_of: DateTime<Utc>,
    /// Whether it is a prepared answer: the tenant's own or the template's, under its question.
    pub prepared: bool,
    /// Whether another passage of its document follows.
    pub has_next: bool,
    /// Cosine similarity to the question, -1 to 1.
    pub cosine: f64,
    /// The requested stems that it contains.
    pub stems: Vec<String>,
    /// The number of occurrences of each.
    pub counts: Vec<i32>,
    /// Whether each of them is in its headings or in the title of its document.
    pub in_heading: Vec<bool>,
}

const COLUMNS: &str = "p.id, d.title, d.path, p.heading, p.anchor, p.content, d.updated_at as as_of,
    (select d.path from chatbot_sources s
     where s.tenant_id = d.tenant_id and s.id = d.source_id and s.kind = 'website') as url,
    exists (select from chatbot_sources s
            where s.tenant_id = d.tenant_id and s.id = d.source_id and s.kind in ('faq', 'faq_seed')) as prepared,
    p.ordinal + 1 < d.passage_count as has_next, m.stems, m.counts, m.in_heading";

/// The requested stems of each passage `p`, from the array inserted for `{stems}`.
const MATCHES: &str = "cross join lateral (
        select coalesce(array_agg(k.lexeme), '{}') as stems, coalesce(array_agg(cardinality(k.positions)), '{}') as counts,
               coalesce(array_agg('A' = any (k.weights)), '{}') as in_heading
        from unnest(p.keywords) k
        where k.lexeme = any ({stems})
    ) m";

/// The questions of a chatbot's prepared answers with at most `longest` bytes, oldest first.
pub async fn prepared_questions(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    longest: usize,
) -> Result<Vec<String>> {
    Ok(sqlx::query_scalar(
        "select p.heading
         from chatbot_sources s
         join documents d on d.tenant_id = s.tenant_id and d.chatbot_id = s.chatbot_id and d.source_id = s.id
         join passages p on p.tenant_id = d.tenant_id and p.chatbot_id = d.chatbot_id and p.document_id = d.id
         where s.tenant_id = $1 and s.chatbot_id = $2 and s.kind in ('faq', 'faq_seed')
           and octet_length(p.heading) between 1 and $3
         order by d.created_at, d.id, p.ordinal",
    )
    .persistent(false)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(i32::try_from(longest).unwrap_or(i32::MAX))
    .fetch_all(connection)
    .await?)
}

/// Replaces the passages of a document and returns the ids of the former ones.
///
/// # Errors
/// When the database fails, or the chatbot has no collection.
pub async fn replace(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    document: DocumentId,
    language: &str,
    passages: &[NewPassage],
) -> Result<Vec<Uuid>> {
    let former = remove(connection, tenant, chatbot, document).await?;
    for passage in passages {
        sqlx::query(
            "insert into passages (id, tenant_id, chatbot_id, document_id, ordinal, heading, anchor, content,
                                   embedding, keywords)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9,
                     passage_words($10, coalesce((select title from documents where tenant_id = $2 and id = $4), ''), $6, $8))",
        )
        .bind(passage.id)
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(document.0)
        .bind(passage.ordinal)
        .bind(&passage.heading)
        .bind(&passage.anchor)
        .bind(&passage.content)
        .bind(Vector::from(passage.embedding.clone()))
        .bind(language)
        .execute(&mut *connection)
        .await?;
    }
    Ok(former)
}

/// Removes the passages of a document and returns the ids of those that were in a collection.
async fn remove(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    document: DocumentId,
) -> Result<Vec<Uuid>> {
    Ok(sqlx::query_scalar(
        "with kept as (
             delete from kept_passages where tenant_id = $1 and chatbot_id = $2 and document_id = $3
         )
         delete from passages where tenant_id = $1 and chatbot_id = $2 and document_id = $3 returning id",
    )
    .persistent(false)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(document.0)
    .fetch_all(connection)
    .await?)
}

/// The passages of a ranking that exist, in its order.
pub async fn ranked(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    ranking: &[(Uuid, f64)],
    stems: &[&str],
) -> Result<Vec<Hit>> {
    let matches = MATCHES.replace("{stems}", "$5");
    let (ids, cosines): (Vec<Uuid>, Vec<f64>) = ranking.iter().copied().unzip();
    let sql = format!(
        "select {COLUMNS}, r.cosine
         from unnest($3::uuid[], $4::float8[]) with ordinality r (id, cosine, place)
         join passages p on p.id = r.id
         join documents d on d.id = p.document_id
         {matches}
         where p.tenant_id = $1 and p.chatbot_id = $2
         order by r.place"
    );
    Ok(sqlx::query_as(AssertSqlSafe(sql))
        .persistent(false)
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(ids)
        .bind(cosines)
        .bind(stems)
        .fetch_all(connection)
        .await?)
}

/// The passages nearest to a vector, nearest first, without those that have no vector of this kind.
pub async fn nearest(
    connection: &mut PgConnection,
    (tenant, chatbot): (TenantId, ChatbotId),
    (kind, embedding): (VectorKind, &[f32]),
    limit: i64,
    stems: &[&str],
) -> Result<Vec<Hit>> {
    let matches = MATCHES.replace("{stems}", "$5");
    let (column, sql_type, dimensions) = (kind.column(), kind.sql_type(), embedding.len());
    sqlx::raw_sql(SEARCH_SETTINGS).execute(&mut *connection).await?;
    // The expression must equal that of the partition's index. Documents are joined afterwards: planned together, their
    // number is estimated so low that the database compares every passage.
    let sql = format!(
        "with p as materialized (
             select id, document_id, ordinal, heading, anchor, content, keywords,
                    {column}::{sql_type}({dimensions}) <=> $3::real[]::{sql_type} as distance
             from passages
             where tenant_id = $1 and chatbot_id = $2 and {column} is not null
             order by {column}::{sql_type}({dimensions}) <=> $3::real[]::{sql_type}
             limit $4
         )
         select {COLUMNS}, 1 - p.distance as cosine
         from p join documents d on d.id = p.document_id
         {matches}
         order by p.distance"
    );
    Ok(sqlx::query_as(AssertSqlSafe(sql))
        .persistent(false)
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(embedding)
        .bind(limit)
        .bind(stems)
        .fetch_all(connection)
        .await?)
}

/// The passages that exist, in the order of `ids`. One without a vector of this kind has a cosine of 0.
pub async fn with_ids(
    connection: &mut PgConnection,
    (tenant, chatbot): (TenantId, ChatbotId),
    ids: &[Uuid],
    (kind, embedding): (VectorKind, &[f32]),
    stems: &[&str],
) -> Result<Vec<Hit>> {
    let matches = MATCHES.replace("{stems}", "$5");
    let (column, sql_type) = (kind.column(), kind.sql_type());
    let sql = format!(
        "select {COLUMNS}, coalesce(1 - (p.{column} <=> $4::real[]::{sql_type}), 0) as cosine
         from unnest($3::uuid[]) with ordinality r (id, place)
         join passages p on p.id = r.id
         join documents d on d.id = p.document_id
         {matches}
         where p.tenant_id = $1 and p.chatbot_id = $2
         order by r.place"
    );
    Ok(sqlx::query_as(AssertSqlSafe(sql))
        .persistent(false)
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(ids)
        .bind(embedding)
        .bind(stems)
        .fetch_all(connection)
        .await?)
}

/// All passages of a chatbot in the order of their documents' paths; none if there are more than `most`, or if they have more
/// than `most_bytes`. At most one passage more than that is read.
pub async fn whole(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    (most, most_bytes): (i64, i64),
) -> Result<Vec<Hit>> {
    let matches = MATCHES.replace("{stems}", "'{}'::text[]");
    let sql = format!(
        "with p as materialized (
             select id, document_id, ordinal, heading, anchor, content, keywords
             from passages where tenant_id = $1 and chatbot_id = $2 limit $3 + 1
         )
         select {COLUMNS}, 0::float8 as cosine
         from p join documents d on d.id = p.document_id
         {matches}
         where (select count(*) <= $3 and sum(octet_length(content)) <= $4 from p)
         order by d.path, d.id, p.ordinal"
    );
    Ok(sqlx::query_as(AssertSqlSafe(sql))
        .persistent(false)
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(most)
        .bind(most_bytes)
        .fetch_all(connection)
        .await?)
}

/// The ids of all passages of a chatbot that have a vector of this kind.
pub async fn ids(
    connection: &mut PgConnection,
    (tenant, chatbot): (TenantId, ChatbotId),
    kind: VectorKind,
) -> Result<HashSet<Uuid>> {
    let column = kind.column();
    let sql = format!("select id from passages where tenant_id = $1 and chatbot_id = $2 and {column} is not null");
    let ids: Vec<Uuid> = sqlx::query_scalar(AssertSqlSafe(sql))
        .persistent(false)
        .bind(tenant.0)
        .bind(chatbot.0)
        .fetch_all(connection)
        .await?;
    Ok(ids.into_iter().collect())
}

/// How many passages of a chatbot have a vector of this kind.
pub async fn count(
    connection: &mut PgConnection,
    (tenant, chatbot): (TenantId, ChatbotId),
    kind: VectorKind,
) -> Result<u64> {
    let column = kind.column();
    let sql =
        format!("select count(*) from passages where tenant_id = $1 and chatbot_id = $2 and {column} is not null");
    let count: i64 = sqlx::query_scalar(AssertSqlSafe(sql))
        .persistent(false)
        .bind(tenant.0)
        .bind(chatbot.0)
        .fetch_one(connection)
        .await?;
    Ok(u64::try_from(count).unwrap_or(0))
}

/// The vectors of this kind of those passages of a chatbot that exist and have one.
pub async fn points(
    connection: &mut PgConnection,
    (tenant, chatbot): (TenantId, ChatbotId),
    ids: &[Uuid],
    kind: VectorKind,
) -> Result<Vec<Point>> {
    let column = kind.column();
    let sql = format!(
        "select id, {column}::real[] from passages
         where tenant_id = $1 and chatbot_id = $2 and id = any ($3) and {column} is not null"
    );
    let rows: Vec<(Uuid, Vec<f32>)> = sqlx::query_as(AssertSqlSafe(sql))
        .persistent(false)
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(ids)
        .fetch_all(connection)
        .await?;
    Ok(rows.into_iter().map(|(id, embedding)| Point { id, embedding }).collect())
}
