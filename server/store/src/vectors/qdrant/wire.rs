//! The requests and responses of Qdrant that are used.

use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::vectors::{Collection, Point, VectorError};

#[derive(Deserialize)]
pub(super) struct Envelope<T> {
    pub(super) result: T,
}

/// The server's information about itself, without an envelope.
#[derive(Deserialize)]
pub(super) struct About {
    pub(super) version: String,
}

/// Whether a collection exists.
#[derive(Deserialize)]
pub(super) struct Exists {
    pub(super) exists: bool,
}

#[derive(Deserialize)]
pub(super) struct Collections {
    pub(super) collections: Vec<Named>,
}

#[derive(Deserialize)]
pub(super) struct Named {
    pub(super) name: String,
}

/// The result of a write.
#[derive(Deserialize)]
pub(super) struct Written {
    status: String,
}

impl Written {
    /// # Errors
    /// When the write was only acknowledged, although the request asked to wait for it.
    pub(super) fn applied(&self) -> Result<(), VectorError> {
        if self.status == "completed" { Ok(()) } else { Err(VectorError::Malformed("a change that is not complete")) }
    }
}

/// How many points there are.
#[derive(Deserialize)]
pub(super) struct Counted {
    pub(super) count: u64,
}

/// Nearest points.
#[derive(Deserialize)]
pub(super) struct QueryResult {
    points: Vec<Scored>,
}

#[derive(Deserialize)]
struct Scored {
    id: Uuid,
    score: f64,
}

impl QueryResult {
    /// # Errors
    /// When it is not a ranking of cosines with at most `limit` points.
    pub(super) fn ranking(self, limit: usize) -> Result<Vec<(Uuid, f64)>, VectorError> {
        // A value slightly above 1 is a rounding error.
        let cosines = self.points.iter().all(|point| point.score.abs() <= 1.001);
        let sorted = self.points.is_sorted_by(|left, right| left.score >= right.score);
        if !cosines || !sorted || self.points.len() > limit {
            return Err(VectorError::Malformed("an invalid ranking"));
        }
        Ok(self.points.into_iter().map(|point| (point.id, point.score.clamp(-1.0, 1.0))).collect())
    }
}

/// A page of a collection's points.
#[derive(Deserialize)]
pub(super) struct Page {
    pub(super) points: Vec<Listed>,
    pub(super) next_page_offset: Option<Uuid>,
}

/// A point of a page.
#[derive(Deserialize)]
pub(super) struct Listed {
    pub(super) id: Uuid,
}

/// A point with its tenant and chatbot.
pub(super) fn point(collection: Collection, point: &Point) -> Value {
    json!({
        "id": point.id, "vector": point.embedding,
        "payload": { "tenant_id": collection.tenant, "chatbot_id": collection.chatbot },
    })
}

/// The query for the nearest points of a chatbot.
pub(super) fn query(collection: Collection, vector: &[f32], limit: usize) -> Value {
    json!({
        "query": vector, "filter": own(collection), "limit": limit, "with_payload": false, "with_vector": false,
    })
}

/// The filter for a chatbot's own points.
pub(super) fn own(collection: Collection) -> Value {
    json!({ "must": own_conditions(collection) })
}

/// The filter for those of a chatbot's own points that have one of the ids.
pub(super) fn own_with_ids(collection: Collection, ids: &[Uuid]) -> Value {
    let [tenant, chatbot] = own_conditions(collection);
    json!({ "must": [tenant, chatbot, { "has_id": ids }] })
}

fn own_conditions(collection: Collection) -> [Value; 2] {
    [
        json!({ "key": "tenant_id", "match": { "value": collection.tenant } }),
        json!({ "key": "chatbot_id", "match": { "value": collection.chatbot } }),
    ]
}
