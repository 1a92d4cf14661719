//! Lists of a chatbot's sources and documents for its tenant.

pub mod one;
pub mod reading;

use contract::{
    ChatbotId, Page, TenantId, Timestamp,
    documents::{
        ChatbotSource, DOCUMENT_SORT_FIELDS, DocumentFailure, DocumentListQuery, DocumentProblem, DocumentProgress,
        DocumentState, IndexedDocument, Omission, SkippedFile, SourceListQuery,
    },
    id::{DocumentId, PassageId, SourceId},
    uploads::{DocumentPassage, PassageListQuery},
    websites::{Website, WebsitePages, WebsiteSettings},
};
use sqlx::{AssertSqlSafe, FromRow, types::Json};
use uuid::Uuid;

use crate::{
    connection::PgConnection,
    error::{Error, Result},
    list,
    reader::READER_VERSION,
    websites::pages::{self, failure},
};

#[derive(FromRow)]
struct SourceRow {
    id: Uuid,
    kind: String,
    name: String,
    documents: i64,
    pending: i64,
    failed: i64,
    passages: i64,
    characters: i64,
    bytes: i64,
    outdated: i64,
    visitors_open_files: bool,
    created_at: Timestamp,
    updated_at: Timestamp,
    #[sqlx(flatten)]
    website: WebsiteColumns,
}

/// The columns of a website; null for other sources.
#[derive(FromRow)]
struct WebsiteColumns {
    url: Option<String>,
    include: Option<Vec<String>>,
    exclude: Option<Vec<String>>,
    max_pages: Option<i32>,
    max_depth: Option<i32>,
    schedule: Option<String>,
    is_paused: Option<bool>,
    is_approved: Option<bool>,
    token: Option<String>,
    proven_by: Option<String>,
    proven_at: Option<Timestamp>,
    state: Option<String>,
    code: Option<String>,
    detail: Option<String>,
    synced_at: Option<Timestamp>,
    next_sync_at: Option<Timestamp>,
    pages: Option<Json<WebsitePages>>,
}

impl WebsiteColumns {
    fn website(self) -> Result<Option<Website>> {
        let (Some(url), Some(state), Some(schedule)) = (self.url, self.state, self.schedule) else { return Ok(None) };
        Ok(Some(Website {
            url,
            settings: WebsiteSettings {
                include: self.include.unwrap_or_default(),
                exclude: self.exclude.unwrap_or_default(),
                max_pages: self.max_pages.unwrap_or_default(),
                max_depth: self.max_depth.unwrap_or_default(),
                schedule: schedule.parse()?,
            },
            state: state.parse()?,
            problem: failure(self.code, self.detail)?,
            paused: self.is_paused.unwrap_or_default(),
            approved: self.is_approved.unwrap_or_default(),
            proven_by: self.proven_by.map(|proof| proof.parse()).transpose()?,
            proven_at: self.proven_at,
            token: self.token.unwrap_or_default(),
            pages: self.pages.map(|pages| pages.0).unwrap_or_default(),
            synced_at: self.synced_at,
            next_sync_at: self.next_sync_at,
        }))
    }
}

impl TryFrom<SourceRow> for ChatbotSource {
    type Error = Error;
    fn try_from(row: SourceRow) -> Result<Self> {
        Ok(Self {
            id: SourceId(row.id),
            kind: row.kind.parse()?,
            name: row.name,
            documents: row.documents,
            pending: row.pending,
            failed: row.failed,
            passages: row.passages,
            characters: row.characters,
            bytes: row.bytes,
            outdated: row.outdated,
            visitors_open_files: row.visitors_open_files,
            website: row.website.website()?,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }
}

/// Files are named by the path that was ingested. The tenant sees only the last part, because the rest is the
/// operator's.
const SOURCES: &str = "select s.id, s.kind,
        case when s.kind = 'files' then regexp_replace(s.name, '^/(.*/)?(?=[^/]+$)', '') else s.name end as name,
        coalesce(d.documents, 0) as documents, coalesce(u.pending, 0) + case when w.state = 'reading' then coalesce(g.open, 0) else 0 end as pending,
        coalesce(u.failed, 0) + coalesce(g.failed, 0) as failed,
        coalesce(d.passages, 0) as passages, coalesce(d.characters, 0) as characters,
        coalesce(u.bytes, 0)::bigint as bytes, coalesce(d.outdated, 0) as outdated, s.file_key is not null as visitors_open_files,
        s.created_at,
        greatest(d.updated_at, u.updated_at, s.created_at) as updated_at,
        w.url, w.include, w.exclude, w.max_pages, w.max_depth, w.schedule, w.is_paused, w.is_approved, w.token, w.proven_by,
        w.proven_at, w.state, w.code, w.detail, w.synced_at, w.next_sync_at, g.pages
    from chatbot_sources s
    left join websites w on w.tenant_id = s.tenant_id and w.source_id = s.id
    left join lateral (
        select count(*) filter (where p.state = 'failed') as failed,
               count(*) filter (where p.job_id is distinct from w.job_id) as open,
               {page_counts} as pages
        from website_pages p where p.tenant_id = w.tenant_id and p.source_id = w.source_id
    ) g on w.source_id is not null
    left join lateral (
        select count(*) as documents, sum(passage_count) as passages, sum(characters) as characters,
               count(*) filter (where reader_version < {reader_version} and s.kind not in ('faq', 'faq_seed')) as outdated,
               max(updated_at) as updated_at
        from documents d
        where d.tenant_id = s.tenant_id and d.chatbot_id = s.chatbot_id and d.source_id = s.id
    ) d on true
    left join lateral (
        select count(*) filter (where state in ('waiting', 'reading')) as pending,
               count(*) filter (where state = 'failed') as failed, sum(bytes) as bytes, max(updated_at) as updated_at
        from uploads u where u.tenant_id = s.tenant_id and u.source_id = s.id
    ) u on true
    where s.tenant_id = $1 and s.chatbot_id = $2";

fn select_sources() -> String {
    SOURCES.replace("{reader_version}", &READER_VERSION.to_string()).replace("{page_counts}", pages::COUNTS)
}

/// A page of the sources of a chatbot, by kind and name.
pub async fn sources(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    query: &SourceListQuery,
) -> Result<Page<ChatbotSource>> {
    let total = "select count(*) from chatbot_sources where tenant_id = $1 and chatbot_id = $2";
    let total = sqlx::query_scalar(total).bind(tenant.0).bind(chatbot.0).fetch_one(&mut *connection).await?;
    let sql = format!("{} order by s.kind, s.name, s.id limit $3 offset $4", select_sources());
    let rows: Vec<SourceRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(query.limit)
        .bind(query.offset)
        .fetch_all(connection)
        .await?;
    let items = rows.into_iter().map(ChatbotSource::try_from).collect::<Result<_>>()?;
    Ok(Page { items, total, limit: query.limit, offset: query.offset })
}

/// A source of a chatbot with its figures.
pub async fn source(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: SourceId,
) -> Result<Option<ChatbotSource>> {
    let row: Option<SourceRow> = sqlx::query_as(AssertSqlSafe(format!("{} and s.id = $3", select_sources())))
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(id.0)
        .fetch_optional(connection)
        .await?;
    row.map(ChatbotSource::try_from).transpose()
}

#[derive(FromRow)]
struct DocumentRow {
    id: Uuid,
    source_id: Uuid,
    source_kind: String,
    title: String,
    path: String,
    state: String,
    code: Option<String>,
    detail: Option<String>,
    skipped: Json<Vec<SkippedFile>>,
    done: Option<i32>,
    expected: Option<i32>,
    files: i64,
    ocr_pages: i64,
    omissions: Json<Vec<Omission>>,
    bytes: Option<i64>,
    content_hash: String,
    version: i32,
    passages: i64,
    characters: i64,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl TryFrom<DocumentRow> for IndexedDocument {
    type Error = Error;
    fn try_from(row: DocumentRow) -> Result<Self> {
        let state: DocumentState = row.state.parse()?;
        let code = row.code.map(|code| code.parse::<DocumentProblem>()).transpose()?;
        let detail = row.detail.unwrap_or_default();
        let failure = |code: DocumentProblem| DocumentFailure { code, advice: code.advice().to_owned(), detail };
        let progress = row.done.filter(|_| state == DocumentState::Reading);
        Ok(Self {
            id: DocumentId(row.id),
            source_id: SourceId(row.source_id),
            source_kind: row.source_kind.parse()?,
            title: row.title,
            path: row.path,
            state,
            problem: code.map(failure),
            progress: progress.map(|done| DocumentProgress { done, total: row.expected }),
            files: row.files,
            skipped: row.skipped.0,
            ocr_pages: row.ocr_pages,
            omissions: row.omissions.0,
            bytes: row.bytes,
            content_hash: row.content_hash,
            version: row.version,
            passages: row.passages,
            characters: row.characters,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }
}

/// Every document: uploaded files, an archive once, and the documents of other sources. A tenant's own answer is named
/// by its question, because all of them have the same title for visitors. `$3` is a source, or null.
const DOCUMENTS: &str = "
    select u.id, u.source_id, u.tenant_id, coalesce(d.title, u.external_id) as title, u.external_id as path, u.state,
           u.code, u.detail, u.skipped, u.job_id, coalesce(d.files, 0) as files,
           coalesce(d.ocr_pages, 0) as ocr_pages, u.bytes, u.content_hash,
           coalesce(d.version, 0) as version, coalesce(d.passages, 0) as passages,
           coalesce(d.characters, 0) as characters, u.created_at, greatest(u.updated_at, d.updated_at) as updated_at
    from uploads u
    left join lateral (
        select case when count(*) = 1 then min(title) end as title, count(*) as files, max(version) as version,
               sum(passage_count) as passages, sum(characters) as characters, sum(cardinality(ocr_pages)) as ocr_pages,
               max(updated_at) as updated_at
        from documents d where d.tenant_id = u.tenant_id and d.upload_id = u.id
    ) d on true
    where u.tenant_id = $1 and u.chatbot_id = $2 and ($3::uuid is null or u.source_id = $3)
    union all
    select d.id, d.source_id, d.tenant_id, coalesce(f.question, d.title), d.path, 'ready', null, null, '[]', null, 1,
           cardinality(d.ocr_pages), null,
           d.content_hash, d.version, d.passage_count, d.characters, d.created_at, d.updated_at
    from documents d
    left join chatbot_faq f on f.tenant_id = d.tenant_id and f.chatbot_id = d.chatbot_id and f.id::text = d.path
    where d.tenant_id = $1 and d.chatbot_id = $2 and d.upload_id is null and ($3::uuid is null or d.source_id = $3)";

/// The columns of a listed document. What the documents of an archive leave out is added up.
const SHOWN: &str = "(
        select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'count', count) order by kind), '[]')
        from (select o.kind, sum(o.count) as count
              from documents r cross join jsonb_to_recordset(r.omissions) as o(kind text, count bigint)
              where r.tenant_id = d.tenant_id and (r.upload_id = d.id or r.id = d.id)
              group by o.kind) o
    ) as omissions, d.id, d.source_id, s.kind as source_kind, d.title, d.path, d.state, d.code, d.detail, d.skipped,
    j.done, j.total as expected, d.files, d.ocr_pages, d.bytes, d.content_hash, d.version, d.passages, d.characters, d.created_at,
    d.updated_at";

/// The joins for these columns.
const JOINED: &str = "join chatbot_sources s on s.tenant_id = d.tenant_id and s.id = d.source_id
    left join jobs j on j.tenant_id = d.tenant_id and j.id = d.job_id";

/// A page of the documents of a chatbot.
pub async fn documents(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    query: &DocumentListQuery,
) -> Result<Page<IndexedDocument>> {
    const MATCHING: &str =
        "where ($4::text is null or title ilike $4 or path ilike $4) and ($5::text is null or state = $5)";
    let order = list::order_by(&query.page, DOCUMENT_SORT_FIELDS, "title");
    let (source, search) = (query.source_id.map(|id| id.0), list::search(&query.page));
    let state = query.state.map(DocumentState::as_str);
    // Selects the page first, so that sources and jobs are read for its documents only.
    let sql = format!(
        "select {SHOWN}
         from (
             select *, row_number() over ({order}) as place from ({DOCUMENTS}) found {MATCHING}
             order by place limit $6 offset $7
         ) d {JOINED} order by d.place"
    );
    let rows: Vec<DocumentRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(source)
        .bind(&search)
        .bind(state)
        .bind(query.page.limit)
        .bind(query.page.offset)
        .fetch_all(&mut *connection)
        .await?;
    let total = sqlx::query_scalar(AssertSqlSafe(format!("select count(*) from ({DOCUMENTS}) found {MATCHING}")))
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(source)
        .bind(&search)
        .bind(state)
        .fetch_one(connection)
        .await?;
    let items = rows.into_iter().map(IndexedDocument::try_from).collect::<Result<_>>()?;
    Ok(Page { items, total, limit: query.page.limit, offset: query.page.offset })
}

/// The documents of a source with these paths.
pub async fn with_paths(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    source: SourceId,
    paths: &[String],
) -> Result<Vec<IndexedDocument>> {
    let sql = format!("select {SHOWN} from ({DOCUMENTS}) d {JOINED} where d.path = any ($4)");
    let rows: Vec<DocumentRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(source.0)
        .bind(paths)
        .fetch_all(connection)
        .await?;
    rows.into_iter().map(IndexedDocument::try_from).collect()
}

#[derive(FromRow)]
struct PassageRow {
    id: Uuid,
    path: String,
    title: String,
    ordinal: i32,
    heading: String,
    anchor: Option<String>,
    content: String,
    is_ocr: bool,
}

/// A page of the passages of a document, which is an uploaded file or a document of another source.
pub async fn passages(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    document: DocumentId,
    query: &PassageListQuery,
) -> Result<Page<DocumentPassage>> {
    const FROM: &str = "from documents d
        join passages p on p.tenant_id = d.tenant_id and p.chatbot_id = d.chatbot_id and p.document_id = d.id
        where d.tenant_id = $1 and d.chatbot_id = $2 and p.tenant_id = $1 and p.chatbot_id = $2
          and (d.upload_id = $3 or d.id = $3)";
    let sql = format!(
        "select p.id, d.path, d.title, p.ordinal, p.heading, p.anchor, p.content,
                coalesce(substring(p.anchor from '^page=([0-9]{{1,9}})$')::integer, 1) = any (d.ocr_pages) as is_ocr {FROM}
         order by d.path, p.ordinal, p.id limit $4 offset $5"
    );
    let rows: Vec<PassageRow> = sqlx::query_as(AssertSqlSafe(sql))
        .persistent(false)
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(document.0)
        .bind(query.limit)
        .bind(query.offset)
        .fetch_all(&mut *connection)
        .await?;
    let total = sqlx::query_scalar(AssertSqlSafe(format!("select count(*) {FROM}")))
        .persistent(false)
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(document.0)
        .fetch_one(connection)
        .await?;
    let passage = |row: PassageRow| DocumentPassage {
        id: PassageId(row.id),
        path: row.path,
        title: row.title,
        ordinal: row.ordinal,
        heading: row.heading,
        anchor: row.anchor,
        content: row.content,
        is_ocr: row.is_ocr,
    };
    let items = rows.into_iter().map(passage).collect();
    Ok(Page { items, total, limit: query.limit, offset: query.offset })
}
