//! The passages of a document: pages of them, and the outline of the whole document.

use contract::{
    ChatbotId, TenantId,
    id::PassageId,
    knowledge_hub::{KnowledgeDocumentQuery, KnowledgePassage, OutlineHeading},
};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// Maximum headings of an outline.
const MAX_HEADINGS: i64 = 500;

/// A document with its tenant and chatbot.
type Of = (TenantId, ChatbotId, Uuid);

/// How many passages come before the page that `query` asks for, of a document with `total` passages.
pub(super) async fn offset(
    connection: &mut PgConnection,
    of: Of,
    query: &KnowledgeDocumentQuery,
    total: i64,
) -> Result<i64> {
    let Some(around) = query.around else { return Ok(query.offset) };
    let before: Option<i64> = sqlx::query_scalar(
        "select (select count(*) from passages q
                 where q.tenant_id = p.tenant_id and q.chatbot_id = p.chatbot_id and q.document_id = p.document_id
                   and (q.ordinal, q.id) < (p.ordinal, p.id))
         from passages p
         where p.tenant_id = $1 and p.chatbot_id = $2 and p.document_id = $3 and p.id = $4",
    )
    .persistent(false)
    .bind(of.0.0)
    .bind(of.1.0)
    .bind(of.2)
    .bind(around.0)
    .fetch_optional(connection)
    .await?;
    // The last page is a full page, too.
    let last = (total - query.limit).max(0);
    Ok(before.map_or(query.offset, |before| (before - query.limit / 2).clamp(0, last)))
}

/// `limit` passages in their order, after `offset` others.
pub(super) async fn page(
    connection: &mut PgConnection,
    of: Of,
    (limit, offset): (i64, i64),
) -> Result<Vec<KnowledgePassage>> {
    let rows: Vec<(Uuid, i32, String, Option<String>, String)> = sqlx::query_as(
        "select id, ordinal, heading, anchor, content from passages
         where tenant_id = $1 and chatbot_id = $2 and document_id = $3
         order by ordinal, id limit $4 offset $5",
    )
    .persistent(false)
    .bind(of.0.0)
    .bind(of.1.0)
    .bind(of.2)
    .bind(limit)
    .bind(offset)
    .fetch_all(connection)
    .await?;
    let passage = |(id, ordinal, heading, anchor, content)| KnowledgePassage {
        id: PassageId(id),
        ordinal,
        heading,
        anchor,
        content,
    };
    Ok(rows.into_iter().map(passage).collect())
}

/// The headings of the whole document, each where it begins.
pub(super) async fn outline(connection: &mut PgConnection, of: Of) -> Result<Vec<OutlineHeading>> {
    let rows: Vec<(Uuid, String, i64)> = sqlx::query_as(
        "select id, heading, place from (
             select id, heading, row_number() over w - 1 as place, lag(heading) over w as former from passages
             where tenant_id = $1 and chatbot_id = $2 and document_id = $3
             window w as (order by ordinal, id)
         ) p
         where heading <> '' and heading is distinct from former
         order by place limit $4",
    )
    .persistent(false)
    .bind(of.0.0)
    .bind(of.1.0)
    .bind(of.2)
    .bind(MAX_HEADINGS)
    .fetch_all(connection)
    .await?;
    let heading = |(id, heading, offset)| OutlineHeading { heading, passage_id: PassageId(id), offset };
    Ok(rows.into_iter().map(heading).collect())
}
