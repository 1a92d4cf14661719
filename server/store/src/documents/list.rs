//! Sources and documents of a chatbot as its tenant reads them.

use contract::{
    ChatbotId, Page, TenantId, Timestamp,
    documents::{ChatbotSource, DOCUMENT_SORT_FIELDS, DocumentListQuery, IndexedDocument, SourceListQuery},
    id::{DocumentId, SourceId},
};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result, list};

#[derive(FromRow)]
struct SourceRow {
    id: Uuid,
    kind: String,
    name: String,
    documents: i64,
    passages: i64,
    characters: i64,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// A page of the sources of a chatbot, by kind and name. Files are known by the path that was ingested, of which the tenant sees the last
/// part: the rest is the operator's.
pub async fn sources(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    query: &SourceListQuery,
) -> Result<Page<ChatbotSource>> {
    let total = "select count(*) from chatbot_sources where tenant_id = $1 and chatbot_id = $2";
    let total = sqlx::query_scalar(total).bind(tenant.0).bind(chatbot.0).fetch_one(&mut *connection).await?;
    let rows: Vec<SourceRow> = sqlx::query_as(
        "select s.id, s.kind, regexp_replace(s.name, '^/(.*/)?(?=[^/]+$)', '') as name, count(d.id) as documents,
                coalesce(sum(d.passage_count), 0) as passages,
                coalesce(sum(d.characters), 0) as characters, s.created_at,
                coalesce(max(d.updated_at), s.created_at) as updated_at
         from chatbot_sources s
         left join documents d
             on d.tenant_id = s.tenant_id and d.chatbot_id = s.chatbot_id and d.source_id = s.id
         where s.tenant_id = $1 and s.chatbot_id = $2
         group by s.id, s.kind, s.name, s.created_at
         order by s.kind, s.name, s.id
         limit $3 offset $4",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(query.limit)
    .bind(query.offset)
    .fetch_all(connection)
    .await?;
    let source = |row: SourceRow| {
        Ok(ChatbotSource {
            id: SourceId(row.id),
            kind: row.kind.parse()?,
            name: row.name,
            documents: row.documents,
            passages: row.passages,
            characters: row.characters,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    };
    let items = rows.into_iter().map(source).collect::<Result<_>>()?;
    Ok(Page { items, total, limit: query.limit, offset: query.offset })
}

#[derive(FromRow)]
struct DocumentRow {
    id: Uuid,
    source_id: Uuid,
    title: String,
    path: String,
    version: i32,
    passages: i64,
    characters: i64,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl From<DocumentRow> for IndexedDocument {
    fn from(row: DocumentRow) -> Self {
        Self {
            id: DocumentId(row.id),
            source_id: SourceId(row.source_id),
            title: row.title,
            path: row.path,
            version: row.version,
            passages: row.passages,
            characters: row.characters,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

/// A page of the documents of a chatbot that are indexed.
pub async fn documents(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    query: &DocumentListQuery,
) -> Result<Page<IndexedDocument>> {
    // A tenant's own answer is known by its question: all of them have the title that visitors see.
    const MATCHING: &str = "from (
            select d.*, coalesce(f.question, d.title) as name
            from documents d
            left join chatbot_faq f
                on f.tenant_id = d.tenant_id and f.chatbot_id = d.chatbot_id and f.id::text = d.path
            where d.tenant_id = $1 and d.chatbot_id = $2 and ($3::uuid is null or d.source_id = $3)
        ) d
        where ($4::text is null or name ilike $4 or path ilike $4)";
    let order = list::order_by(&query.page, DOCUMENT_SORT_FIELDS, "title");
    let (source, search) = (query.source_id.map(|id| id.0), list::search(&query.page));
    let rows: Vec<DocumentRow> = sqlx::query_as(AssertSqlSafe(format!(
        "select * from (
             select id, source_id, name as title, path, version, passage_count::bigint as passages,
                    characters::bigint as characters, created_at, updated_at {MATCHING}
         ) found {order} limit $5 offset $6"
    )))
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(source)
    .bind(&search)
    .bind(query.page.limit)
    .bind(query.page.offset)
    .fetch_all(&mut *connection)
    .await?;
    let total = sqlx::query_scalar(AssertSqlSafe(format!("select count(*) {MATCHING}")))
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(source)
        .bind(&search)
        .fetch_one(connection)
        .await?;
    let items = rows.into_iter().map(IndexedDocument::from).collect();
    Ok(Page { items, total, limit: query.page.limit, offset: query.page.offset })
}
