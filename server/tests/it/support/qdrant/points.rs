//! The points of one collection of the fake.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use serde_json::{Value, json};
use uuid::Uuid;

/// What the fake Qdrant holds of one collection.
pub struct FakeCollection {
    dimensions: usize,
    /// The schema of each payload index by its field.
    pub indexed: BTreeMap<String, Value>,
    /// Vector and payload by id.
    pub points: BTreeMap<Uuid, (Vec<f32>, Value)>,
}

impl FakeCollection {
    pub fn new(dimensions: usize) -> Self {
        Self { dimensions, indexed: BTreeMap::new(), points: BTreeMap::new() }
    }

    /// Adds a point or replaces it.
    pub fn upsert(&mut self, point: &Value) -> Result<(), StatusCode> {
        let vector = self.vector(&point["vector"])?;
        let id = serde_json::from_value(point["id"].clone()).map_err(|_| StatusCode::BAD_REQUEST)?;
        self.points.insert(id, (vector, point["payload"].clone()));
        Ok(())
    }

    /// The answer to a query: the nearest points that the filter admits.
    pub(super) fn nearest(&self, query: &Value) -> Result<Vec<Value>, StatusCode> {
        let query_vector = self.vector(&query["query"])?;
        let admitted = self.admitted(&query["filter"]);
        let mut scored: Vec<(f32, Uuid)> = admitted.map(|(id, vector)| (cosine(&query_vector, vector), id)).collect();
        scored.sort_by(|(left, _), (right, _)| right.total_cmp(left));
        scored.truncate(usize::try_from(query["limit"].as_u64().unwrap()).unwrap());
        Ok(scored.into_iter().map(|(score, id)| json!({ "id": id, "version": 0, "score": score })).collect())
    }

    /// The points that a filter admits, in the order of their ids.
    pub(super) fn admitted(&self, filter: &Value) -> impl Iterator<Item = (Uuid, &Vec<f32>)> {
        self.points
            .iter()
            .filter(|(id, (_, payload))| admits(filter, **id, payload))
            .map(|(id, (vector, _))| (*id, vector))
    }

    fn vector(&self, value: &Value) -> Result<Vec<f32>, StatusCode> {
        let vector: Vec<f32> = serde_json::from_value(value.clone()).map_err(|_| StatusCode::BAD_REQUEST)?;
        if vector.len() == self.dimensions { Ok(vector) } else { Err(StatusCode::BAD_REQUEST) }
    }
}

/// Whether a filter admits a point. A call without tenant and chatbot, or with a filter that is not understood, is a mistake.
pub(super) fn admits(filter: &Value, id: Uuid, payload: &Value) -> bool {
    let Value::Object(parts) = filter else { panic!("no call is without a filter") };
    assert_eq!(parts.keys().collect::<Vec<_>>(), ["must"]);
    let must = filter["must"].as_array().unwrap();
    for key in ["tenant_id", "chatbot_id"] {
        assert!(must.iter().any(|condition| condition["key"] == key), "{filter}");
    }
    must.iter().all(|condition| match &condition["has_id"] {
        Value::Array(ids) => ids.contains(&json!(id)),
        _ => payload[condition["key"].as_str().unwrap()] == condition["match"]["value"],
    })
}

fn cosine(left: &[f32], right: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
    dot(left, right) / (dot(left, left) * dot(right, right)).sqrt()
}
