//! Counts about the sources of a tenant. No statement here returns titles, paths, addresses of pages or texts.

use contract::{
    ChatbotId, Page, TenantId, Timestamp,
    documents::{SourceKind, SourceListQuery},
    id::SourceId,
    tenant_sources::{SourceDocuments, SourceReason, SourceState, TenantSource},
    websites::{WebsitePages, WebsiteState},
};
use sqlx::{AssertSqlSafe, FromRow, types::Json};
use uuid::Uuid;

use crate::{
    connection::PgConnection,
    error::{Error, Result},
    list::collated,
    websites::pages,
};

#[derive(FromRow)]
struct Row {
    id: Uuid,
    chatbot_id: Uuid,
    chatbot_name: String,
    kind: String,
    website_state: Option<String>,
    paused: bool,
    host: Option<String>,
    waiting: i64,
    reading: i64,
    ready: i64,
    failed: i64,
    pages: Option<Json<WebsitePages>>,
    reasons: Json<Vec<SourceReason>>,
    bytes: i64,
    passages: i64,
    last_read_at: Option<Timestamp>,
    next_read_at: Option<Timestamp>,
}

impl TryFrom<Row> for TenantSource {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let kind: SourceKind = row.kind.parse()?;
        let documents =
            SourceDocuments { waiting: row.waiting, reading: row.reading, ready: row.ready, failed: row.failed };
        let website = row.website_state.map(|state| state.parse::<WebsiteState>()).transpose()?;
        Ok(Self {
            id: SourceId(row.id),
            chatbot_id: ChatbotId(row.chatbot_id),
            chatbot_name: row.chatbot_name,
            kind,
            state: website.map_or_else(|| documents.state(), SourceState::from),
            paused: row.paused,
            host: row.host,
            documents,
            pages: row.pages.map(|pages| pages.0),
            reasons: row.reasons.0,
            bytes: row.bytes,
            passages: row.passages,
            last_read_at: row.last_read_at,
            next_read_at: row.next_read_at,
        })
    }
}

/// An uploaded file counts as one document, even when it is an archive. Documents without a file are ready.
const SOURCES: &str = "select s.id, s.chatbot_id, c.name as chatbot_name, s.kind, w.state as website_state,
        coalesce(w.is_paused, false) as paused,
        substring(w.url from '^[A-Za-z]+://(?:[^/?#@]*@)?([^/:?#]+)') as host,
        u.waiting, u.reading, u.ready + d.others as ready, u.failed, g.pages, r.reasons, u.bytes, d.passages,
        case when s.kind = 'website' then w.synced_at else greatest(d.updated_at, u.read_at) end as last_read_at,
        w.next_sync_at as next_read_at
    from chatbot_sources s
    join chatbots c on c.tenant_id = s.tenant_id and c.id = s.chatbot_id
    left join websites w on w.tenant_id = s.tenant_id and w.source_id = s.id
    left join lateral (
        select {page_counts} as pages
        from website_pages p where p.tenant_id = s.tenant_id and p.source_id = s.id
    ) g on w.source_id is not null
    left join lateral (
        select count(*) filter (where d.upload_id is null) as others,
               coalesce(sum(d.passage_count), 0)::bigint as passages, max(d.updated_at) as updated_at
        from documents d where d.tenant_id = s.tenant_id and d.chatbot_id = s.chatbot_id and d.source_id = s.id
    ) d on true
    left join lateral (
        select count(*) filter (where u.state = 'waiting') as waiting, count(*) filter (where u.state = 'reading') as reading,
               count(*) filter (where u.state = 'ready') as ready, count(*) filter (where u.state = 'failed') as failed,
               coalesce(sum(u.bytes), 0)::bigint as bytes,
               max(u.updated_at) filter (where u.state in ('ready', 'failed')) as read_at
        from uploads u where u.tenant_id = s.tenant_id and u.source_id = s.id
    ) u on true
    left join lateral (
        select coalesce(
                   jsonb_agg(jsonb_build_object('code', t.code, 'count', t.times) order by t.times desc, t.code), '[]'
               ) as reasons
        from (
            select f.code, count(*) as times
            from (
                select u.code from uploads u where u.tenant_id = s.tenant_id and u.source_id = s.id
                union all
                select k.skipped ->> 'code'
                from uploads u, jsonb_array_elements(u.skipped) k (skipped)
                where u.tenant_id = s.tenant_id and u.source_id = s.id
                union all
                select v.code from websites v where v.tenant_id = s.tenant_id and v.source_id = s.id
                union all
                select p.code from website_pages p where p.tenant_id = s.tenant_id and p.source_id = s.id
            ) f
            where f.code is not null
            group by f.code
        ) t
    ) r on true
    where s.tenant_id = $1";

/// A page of the sources of a tenant, by chatbot and kind.
pub async fn list(
    connection: &mut PgConnection,
    tenant: TenantId,
    query: &SourceListQuery,
) -> Result<Page<TenantSource>> {
    let total = sqlx::query_scalar(
        "select count(*) from chatbot_sources s
         join chatbots c on c.tenant_id = s.tenant_id and c.id = s.chatbot_id
         where s.tenant_id = $1",
    )
    .bind(tenant.0)
    .fetch_one(&mut *connection)
    .await?;
    let sql = format!(
        "{sources} order by {by_name}, s.chatbot_id, s.kind, s.created_at, s.id limit $2 offset $3",
        sources = SOURCES.replace("{page_counts}", pages::COUNTS),
        by_name = collated("c.name"),
    );
    let rows: Vec<Row> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(tenant.0)
        .bind(query.limit)
        .bind(query.offset)
        .fetch_all(connection)
        .await?;
    let items = rows.into_iter().map(TenantSource::try_from).collect::<Result<_>>()?;
    Ok(Page { items, total, limit: query.limit, offset: query.offset })
}
