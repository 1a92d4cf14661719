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

/// The passages of a section around the requested one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The passages in the order of the document.
    pub passages: Vec<SectionPassage>,
    /// Whether the section goes on after them.
    pub is_cut: bool,
}

/// The passages around one of a chatbot that have its headings; none when the passage does not exist.
pub async fn section(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    passage: PassageId,
) -> Result<Section> {
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
    .bind(PASSAGES_PER_SIDE + 1)
    .fetch_all(connection)
    .await?;
    Ok(bounded(contiguous(around)))
}

/// A passage next to one that was found.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct Neighbour {
    /// The id of the passage that was found.
    pub passage: Uuid,
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
    passages: &[Uuid],
    near: i32,
) -> Result<Vec<Neighbour>> {
    Ok(sqlx::query_as(
        "select o.id as passage, p.id, p.ordinal, p.content
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
    .bind(passages)
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

/// At most [`PASSAGES_PER_SIDE`] of the passages on each side of the requested one. What continues a section begins with `…`
/// by itself.
fn bounded(mut passages: Vec<SectionPassage>) -> Section {
    let last = |passages: &[SectionPassage]| passages.last().map(|passage| passage.ordinal);
    let end = last(&passages);
    if let Some(own) = passages.iter().find(|passage| passage.is_own).map(|passage| passage.ordinal) {
        passages.retain(|passage| (own - PASSAGES_PER_SIDE..=own + PASSAGES_PER_SIDE).contains(&passage.ordinal));
    }
    Section { is_cut: last(&passages) != end, passages }
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;

    use super::*;

    fn passage(ordinal: i32, own: i32) -> SectionPassage {
        SectionPassage {
            ordinal,
            document_id: Uuid::nil(),
            title: "Guide".into(),
            heading: "A".into(),
            content: "Text.".into(),
            anchor: None,
            is_own: ordinal == own,
        }
    }

    #[test]
    fn sections_longer_than_the_read_passages_are_cut() {
        let read = |passages: RangeInclusive<i32>| {
            let section = bounded(passages.map(|ordinal| passage(ordinal, 50)).collect());
            let ordinal = |passage: Option<&SectionPassage>| passage.map(|passage| passage.ordinal);
            (ordinal(section.passages.first()), ordinal(section.passages.last()), section.is_cut)
        };
        assert_eq!(read(10..=90), (Some(10), Some(90), false));
        assert_eq!(read(9..=90), (Some(10), Some(90), false));
        assert_eq!(read(10..=91), (Some(10), Some(90), true));
        assert_eq!(read(1..=9), (Some(1), Some(9), false));
    }

    #[test]
    fn a_section_ends_where_another_one_stands_between() {
        let passages = |ordinals: &[i32], own: i32| -> Vec<i32> {
            let around = ordinals.iter().map(|ordinal| passage(*ordinal, own)).collect();
            contiguous(around).iter().map(|passage| passage.ordinal).collect()
        };
        assert_eq!(passages(&[1, 2, 4, 5, 6, 9], 5), [4, 5, 6]);
        assert_eq!(passages(&[1, 2], 1), [1, 2]);
        assert_eq!(passages(&[7], 7), [7]);
        assert!(passages(&[1, 2], 3).is_empty());
    }
}
