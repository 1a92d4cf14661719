//! Documents and sources of a tenant's active chatbots, for readers of the knowledge hub.

mod passages;

use contract::{
    ChatbotId, TenantId, Timestamp,
    id::{DocumentVersionId, SourceId},
    knowledge_hub::{
        ChatbotName, DocumentVersion, KnowledgeDocument, KnowledgeDocumentQuery, KnowledgeSource, KnowledgeSourceQuery,
        SourceDocument, SourceName,
    },
};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use super::{SOURCE_NAME, quotations};
use crate::{connection::PgConnection, error::Result};

/// Versions of a document that are shown.
const MAX_VERSIONS: i64 = 20;

#[derive(FromRow)]
struct DocumentRow {
    version_id: Uuid,
    title: String,
    path: String,
    version: i32,
    created_at: Timestamp,
    newest_id: Uuid,
    external_id: Option<String>,
    own_id: Uuid,
    passage_total: i64,
    #[sqlx(flatten)]
    source: SourceRow,
}

#[derive(FromRow)]
struct SourceRow {
    source_id: Uuid,
    source_name: String,
    source_kind: String,
    chatbot_id: Uuid,
    chatbot_name: String,
    language: String,
}

impl SourceRow {
    fn names(self) -> Result<(SourceName, ChatbotName, String)> {
        let source =
            SourceName { id: SourceId(self.source_id), name: self.source_name, kind: self.source_kind.parse()? };
        Ok((source, ChatbotName { id: ChatbotId(self.chatbot_id), name: self.chatbot_name }, self.language))
    }
}

const NAMES: &str = "s.id as source_id, {source_name} as source_name, s.kind as source_kind, c.id as chatbot_id,
    c.name as chatbot_name, c.language";

/// A document by the id of any of its versions, with its passages by the document's own id.
pub async fn find(
    connection: &mut PgConnection,
    tenant: TenantId,
    version: DocumentVersionId,
    query: &KnowledgeDocumentQuery,
) -> Result<Option<KnowledgeDocument>> {
    let names = NAMES.replace("{source_name}", SOURCE_NAME);
    let sql = format!(
        "select v.id as version_id, v.title, d.path, v.version, v.created_at, n.id as newest_id, u.external_id,
                d.id as own_id, d.passage_count::bigint as passage_total, {names}
         from document_versions v
         join documents d on d.tenant_id = v.tenant_id and d.id = v.document_id
         join document_versions n on n.tenant_id = d.tenant_id and n.document_id = d.id and n.version = d.version
         join chatbot_sources s on s.tenant_id = d.tenant_id and s.id = d.source_id
         join chatbots c on c.tenant_id = d.tenant_id and c.id = d.chatbot_id and c.status = 'active'
         left join uploads u on u.tenant_id = d.tenant_id and u.id = d.upload_id and u.original_id is not null
         where v.tenant_id = $1 and v.id = $2"
    );
    let row: Option<DocumentRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(version.0).fetch_optional(&mut *connection).await?;
    let Some(row) = row else { return Ok(None) };
    let own = row.own_id;
    let (source, chatbot, language) = row.source.names()?;
    let of = (tenant, chatbot.id, own);
    let offset = passages::offset(connection, of, query, row.passage_total).await?;
    let passages = passages::page(connection, of, (query.limit, offset)).await?;
    let outline = passages::outline(connection, of).await?;
    let quoted_in = quotations::of_document(connection, tenant, chatbot.id.0, own).await?;
    let is_website = source.kind == contract::documents::SourceKind::Website;
    Ok(Some(KnowledgeDocument {
        document_id: DocumentVersionId(row.version_id),
        title: row.title,
        url: is_website.then(|| row.path.clone()),
        path: row.path,
        version: row.version,
        created_at: row.created_at,
        superseded_by: Some(DocumentVersionId(row.newest_id)).filter(|newest| newest.0 != row.version_id),
        external_id: row.external_id,
        source,
        chatbot,
        language,
        versions: versions(connection, tenant, own).await?,
        passages,
        passage_total: row.passage_total,
        limit: query.limit,
        offset,
        outline,
        quoted_in,
        bookmark_id: super::bookmarks::on_version(connection, tenant, version).await?,
    }))
}

/// Whether the version exists.
pub async fn version_exists(
    connection: &mut PgConnection,
    tenant: TenantId,
    version: DocumentVersionId,
) -> Result<bool> {
    Ok(sqlx::query_scalar("select exists (select from document_versions where tenant_id = $1 and id = $2)")
        .bind(tenant.0)
        .bind(version.0)
        .fetch_one(connection)
        .await?)
}

async fn versions(connection: &mut PgConnection, tenant: TenantId, document: Uuid) -> Result<Vec<DocumentVersion>> {
    let rows: Vec<(Uuid, i32, String, Timestamp)> = sqlx::query_as(
        "select id, version, title, created_at from document_versions
         where tenant_id = $1 and document_id = $2 order by version desc limit $3",
    )
    .bind(tenant.0)
    .bind(document)
    .bind(MAX_VERSIONS)
    .fetch_all(connection)
    .await?;
    let version = |(id, version, title, created_at)| DocumentVersion {
        document_id: DocumentVersionId(id),
        version,
        title,
        created_at,
    };
    Ok(rows.into_iter().map(version).collect())
}

#[derive(FromRow)]
struct WholeSourceRow {
    url: Option<String>,
    created_at: Timestamp,
    total: i64,
    #[sqlx(flatten)]
    source: SourceRow,
}

#[derive(FromRow)]
struct SourceDocumentRow {
    id: Uuid,
    title: String,
    path: String,
    version: i32,
    passages: i64,
    updated_at: Timestamp,
}

/// A source of an active chatbot with a page of its documents, the most recently changed first.
pub async fn source(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: SourceId,
    query: &KnowledgeSourceQuery,
) -> Result<Option<KnowledgeSource>> {
    let names = NAMES.replace("{source_name}", SOURCE_NAME);
    let sql = format!(
        "select w.url, s.created_at, {names},
                (select count(*) from documents d where d.tenant_id = s.tenant_id and d.source_id = s.id) as total
         from chatbot_sources s
         join chatbots c on c.tenant_id = s.tenant_id and c.id = s.chatbot_id and c.status = 'active'
         left join websites w on w.tenant_id = s.tenant_id and w.source_id = s.id
         where s.tenant_id = $1 and s.id = $2"
    );
    let row: Option<WholeSourceRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(id.0).fetch_optional(&mut *connection).await?;
    let Some(WholeSourceRow { url, created_at, total, source }) = row else { return Ok(None) };
    let rows: Vec<SourceDocumentRow> = sqlx::query_as(
        "select v.id, d.title, d.path, d.version, d.passage_count::bigint as passages, v.created_at as updated_at
         from documents d
         join document_versions v on v.tenant_id = d.tenant_id and v.document_id = d.id and v.version = d.version
         where d.tenant_id = $1 and d.source_id = $2
         order by v.created_at desc, v.id limit $3 offset $4",
    )
    .bind(tenant.0)
    .bind(id.0)
    .bind(query.limit)
    .bind(query.offset)
    .fetch_all(connection)
    .await?;
    let document = |row: SourceDocumentRow| SourceDocument {
        document_id: DocumentVersionId(row.id),
        title: row.title,
        path: row.path,
        version: row.version,
        passages: row.passages,
        updated_at: row.updated_at,
    };
    let (source, chatbot, language) = source.names()?;
    let documents = rows.into_iter().map(document).collect();
    Ok(Some(KnowledgeSource {
        source,
        chatbot,
        language,
        url,
        created_at,
        documents,
        total,
        limit: query.limit,
        offset: query.offset,
    }))
}
