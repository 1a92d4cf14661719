//! Reads the passages of a page of results in the caller's scope.

use contract::{
    ChatbotId, TenantId, Timestamp,
    id::{DocumentVersionId, SourceId},
    knowledge_hub::{AlsoIn, ChatbotName, SourceName},
};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use super::{SOURCE_NAME, words::QueryWords};
use crate::{
    connection::PgConnection,
    error::{Error, Result},
};

/// Precedes a matched word in a marked text.
pub const MARK_START: char = '\u{e000}';
/// Follows a matched word in a marked text.
pub const MARK_END: char = '\u{e001}';

/// A passage with its location.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadPassage {
    /// `None` for a document without passages.
    pub id: Option<Uuid>,
    pub location: DocumentLocation,
    pub heading: String,
    pub anchor: Option<String>,
    /// The text, with marks around words of the query.
    pub marked: String,
}

/// The document, source and chatbot that a passage is in.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentLocation {
    /// The document by its own id.
    pub document: Uuid,
    /// The newest version.
    pub version: DocumentVersionId,
    pub title: String,
    /// The address of the page, when it belongs to a website.
    pub url: Option<String>,
    pub source: SourceName,
    pub chatbot: ChatbotName,
    pub language: String,
    pub updated_at: Timestamp,
}

impl From<DocumentLocation> for AlsoIn {
    fn from(location: DocumentLocation) -> Self {
        let DocumentLocation { version, title, source, chatbot, .. } = location;
        Self { document_id: version, title, source, chatbot }
    }
}

#[derive(FromRow)]
struct DocumentLocationRow {
    document_id: Uuid,
    version_id: Uuid,
    title: String,
    url: Option<String>,
    source_id: Uuid,
    source_name: String,
    source_kind: String,
    chatbot_id: Uuid,
    chatbot_name: String,
    language: String,
    updated_at: Timestamp,
}

impl TryFrom<DocumentLocationRow> for DocumentLocation {
    type Error = Error;

    fn try_from(row: DocumentLocationRow) -> Result<Self> {
        Ok(Self {
            document: row.document_id,
            version: DocumentVersionId(row.version_id),
            title: row.title,
            url: row.url,
            source: SourceName { id: SourceId(row.source_id), name: row.source_name, kind: row.source_kind.parse()? },
            chatbot: ChatbotName { id: ChatbotId(row.chatbot_id), name: row.chatbot_name },
            language: row.language,
            updated_at: row.updated_at,
        })
    }
}

#[derive(FromRow)]
struct PassageRow {
    id: Option<Uuid>,
    heading: Option<String>,
    anchor: Option<String>,
    marked: Option<String>,
    #[sqlx(flatten)]
    location: DocumentLocationRow,
}

/// The columns of a location: of a document `d` with its version `v`, source `s` and chatbot `c`.
fn location_columns() -> String {
    format!(
        "d.id as document_id, v.id as version_id, d.title, case when s.kind = 'website' then d.path end as url,
         s.id as source_id, {SOURCE_NAME} as source_name, s.kind as source_kind, c.id as chatbot_id, c.name as chatbot_name,
         c.language, v.created_at as updated_at"
    )
}

const LOCATION_JOINS: &str =
    "join document_versions v on v.tenant_id = d.tenant_id and v.document_id = d.id and v.version = d.version
    join chatbot_sources s on s.tenant_id = d.tenant_id and s.id = d.source_id
    join chatbots c on c.tenant_id = d.tenant_id and c.id = d.chatbot_id";

/// The existing ones of these passages, in any order. Words are marked in each collection's language.
pub async fn passages(
    connection: &mut PgConnection,
    tenant: TenantId,
    ids: &[(ChatbotId, Uuid)],
    words: &[(String, &QueryWords)],
) -> Result<Vec<ReadPassage>> {
    let of_chatbot = |chatbot: &ChatbotId, ids: &str| {
        format!(
            "select {} from passages where tenant_id = $1 and chatbot_id = '{chatbot}' and id = any ('{{{ids}}}')",
            passage_columns()
        )
    };
    let Some(arms) = arms(ids, of_chatbot) else { return Ok(Vec::new()) };
    let (languages, queries): (Vec<&str>, Vec<&str>) =
        words.iter().map(|(language, words)| (language.as_str(), words.marking())).unzip();
    let sql = format!(
        "with p as materialized ({arms})
         select p.id, p.heading, p.anchor,
                case when w.query is null then p.content
                     else ts_headline(text_search_config(c.language), p.content, w.query::tsquery,
                                      'HighlightAll=true, StartSel={MARK_START}, StopSel={MARK_END}')
                end as marked,
                {}
         from p
         join documents d on d.tenant_id = $1 and d.id = p.document_id
         {LOCATION_JOINS}
         left join unnest($2::text[], $3::text[]) w (language, query) on w.language = c.language",
        location_columns()
    );
    let rows: Vec<PassageRow> = sqlx::query_as(AssertSqlSafe(sql))
        .persistent(false)
        .bind(tenant.0)
        .bind(languages)
        .bind(queries)
        .fetch_all(connection)
        .await?;
    rows.into_iter().map(read).collect()
}

/// These documents, each with its first passage, in any order. Reads no other passages.
pub async fn first_passages(
    connection: &mut PgConnection,
    tenant: TenantId,
    ids: &[(ChatbotId, Uuid)],
) -> Result<Vec<ReadPassage>> {
    // The ordinals of a document are unique, so that the index alone finds the first one.
    let of_chatbot = |chatbot: &ChatbotId, ids: &str| {
        format!(
            "select f.*
             from unnest('{{{ids}}}'::uuid[]) wanted (id)
             cross join lateral (
                 select {} from passages
                 where tenant_id = $1 and chatbot_id = '{chatbot}' and document_id = wanted.id
                 order by ordinal
                 limit 1
             ) f",
            passage_columns()
        )
    };
    let Some(arms) = arms(ids, of_chatbot) else { return Ok(Vec::new()) };
    let documents: Vec<Uuid> = ids.iter().map(|(_, document)| *document).collect();
    let sql = format!(
        "with p as materialized ({arms})
         select p.id, p.heading, p.anchor, p.content as marked, {}
         from documents d
         {LOCATION_JOINS}
         left join p on p.document_id = d.id
         where d.tenant_id = $1 and d.id = any ($2)",
        location_columns()
    );
    let rows: Vec<PassageRow> = sqlx::query_as(AssertSqlSafe(sql))
        .persistent(false)
        .bind(tenant.0)
        .bind(documents)
        .fetch_all(connection)
        .await?;
    rows.into_iter().map(read).collect()
}

/// The locations of these documents, in any order.
pub async fn locations(
    connection: &mut PgConnection,
    tenant: TenantId,
    documents: &[Uuid],
) -> Result<Vec<DocumentLocation>> {
    let sql = format!(
        "select {} from documents d {LOCATION_JOINS} where d.tenant_id = $1 and d.id = any ($2)",
        location_columns()
    );
    let rows: Vec<DocumentLocationRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(documents).fetch_all(connection).await?;
    rows.into_iter().map(DocumentLocation::try_from).collect()
}

/// The columns of a passage, without marks in its text.
fn passage_columns() -> String {
    format!("id, document_id, heading, anchor, translate(content, '{MARK_START}{MARK_END}', '') as content")
}

/// One arm per chatbot, made from the chatbot and the ids that are requested of it; `None` when nothing is requested.
fn arms(ids: &[(ChatbotId, Uuid)], of_chatbot: impl Fn(&ChatbotId, &str) -> String) -> Option<String> {
    let mut chatbots: Vec<ChatbotId> = ids.iter().map(|(chatbot, _)| *chatbot).collect();
    chatbots.sort_unstable();
    chatbots.dedup();
    let arm = |chatbot: &ChatbotId| {
        let of = ids.iter().filter(|(owner, _)| owner == chatbot);
        let ids = of.map(|(_, id)| id.to_string()).collect::<Vec<_>>().join(",");
        of_chatbot(chatbot, &ids)
    };
    let arms: Vec<String> = chatbots.iter().map(arm).collect();
    (!arms.is_empty()).then(|| arms.join(" union all "))
}

fn read(row: PassageRow) -> Result<ReadPassage> {
    Ok(ReadPassage {
        id: row.id,
        location: row.location.try_into()?,
        heading: row.heading.unwrap_or_default(),
        anchor: row.anchor,
        marked: row.marked.unwrap_or_default(),
    })
}
