//! The section of a passage: the adjacent passages with the same headings. For answers, the neighbours of several
//! passages.

use contract::{ChatbotId, TenantId, id::PassageId};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// Passages on each side that are read: a section has only a few.
const PASSAGES_PER_SIDE: i32 = 40;

#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct SectionPassage {
    pub ordinal: i32,
    pub document_id: Uuid,
    /// The title of its document.
    pub title: String,
    /// The headings above it.
    pub heading: String,
    pub content: String,
    /// Its location in the document as a URL fragment: `page=2` of a PDF.
    pub anchor: Option<String>,
    /// Whether it is the requested passage.
    pub is_own: bool,
}

/// The passages around one of a chatbot that have its headings, in their order; empty when the passage does not exist.
pub async fn section(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    passage: PassageId,
) -> Result<Vec<SectionPassage>> {
    let around: Vec<SectionPassage> = sqlx::query_as(
        "select p.ordinal, p.document_id, d.title, p.heading, p.content, p.anchor, p.id = $3 as is_own
         from passages o
         join passages p on p.tenant_id = $1 and p.chatbot_id = $2 and p.document_id = o.document_id
              and p.heading = o.heading and p.ordinal between o.ordinal - $4 and o.ordinal + $4
         join documents d on d.tenant_id = $1 and d.id = p.document_id
         where o.tenant_id = $1 and o.chatbot_id = $2 and o.id = $3
         order by p.ordinal",
    )
    .persistent(false)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(passage.0)
    .bind(PASSAGES_PER_SIDE)
    .fetch_all(connection)
    .await?;
    Ok(contiguous(around))
}

/// A passage next to one that was found.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct Neighbour {
    /// The one that was found.
    pub found: Uuid,
    pub id: Uuid,
    pub ordinal: i32,
    pub content: String,
}

/// For each of these passages of a chatbot, up to `near` on each side of it with its headings and its anchor, including
/// itself, in document order.
pub async fn neighbours(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    found: &[Uuid],
    near: i32,
) -> Result<Vec<Neighbour>> {
    Ok(sqlx::query_as(
        "select o.id as found, p.id, p.ordinal, p.content
         from passages o
         join passages p on p.tenant_id = $1 and p.chatbot_id = $2 and p.document_id = o.document_id
              and p.heading = o.heading and p.anchor is not distinct from o.anchor
              and p.ordinal between o.ordinal - $4 and o.ordinal + $4
         where o.tenant_id = $1 and o.chatbot_id = $2 and o.id = any ($3)
         order by o.id, p.ordinal",
    )
    .persistent(false)
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(found)
    .bind(near)
    .fetch_all(connection)
    .await?)
}

/// Only the passages that are connected with the requested one without another section between.
fn contiguous(mut around: Vec<SectionPassage>) -> Vec<SectionPassage> {
    let Some(own) = around.iter().position(|passage| passage.is_own) else { return Vec::new() };
    let follows = |pair: &[SectionPassage]| pair[0].ordinal + 1 == pair[1].ordinal;
    let end = own + 1 + around[own..].windows(2).take_while(|pair| follows(pair)).count();
    let begin = own - around[..=own].windows(2).rev().take_while(|pair| follows(pair)).count();
    around.truncate(end);
    around.split_off(begin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_ends_where_another_one_stands_between() {
        let passages = |ordinals: &[i32], own: i32| -> Vec<i32> {
            let passage = |ordinal: &i32| SectionPassage {
                ordinal: *ordinal,
                document_id: Uuid::nil(),
                title: "Guide".into(),
                heading: "A".into(),
                content: "Text.".into(),
                anchor: None,
                is_own: *ordinal == own,
            };
            contiguous(ordinals.iter().map(passage).collect()).iter().map(|passage| passage.ordinal).collect()
        };
        assert_eq!(passages(&[1, 2, 4, 5, 6, 9], 5), [4, 5, 6]);
        assert_eq!(passages(&[1, 2], 1), [1, 2]);
        assert_eq!(passages(&[7], 7), [7]);
        assert!(passages(&[1, 2], 3).is_empty());
    }
}
