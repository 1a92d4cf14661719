//! The endpoints of the fake.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{Path, Query, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::{get, post, put},
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{FakeCollection, Memory, enveloped, points::admits};

type Store = State<Arc<Memory>>;

/// Whether a change is waited for; all of ours are.
#[derive(serde::Deserialize)]
struct Waits {
    wait: bool,
}

pub(super) fn router() -> Router<Arc<Memory>> {
    Router::new()
        .route("/", get(about))
        .route("/collections", get(list))
        .route("/collections/{name}", put(make).delete(end))
        .route("/collections/{name}/exists", get(exists))
        .route("/collections/{name}/index", put(index))
        .route("/collections/{name}/points", put(upsert))
        .route("/collections/{name}/points/delete", post(delete))
        .route("/collections/{name}/points/query", post(query))
        .route("/collections/{name}/points/query/batch", post(query_batch))
        .route("/collections/{name}/points/count", post(count))
        .route("/collections/{name}/points/scroll", post(scroll))
}

async fn about(State(memory): Store) -> Response {
    let version = memory.version.lock().unwrap().clone();
    Json(json!({ "title": "qdrant - vector search engine", "version": version })).into_response()
}

async fn list(State(memory): Store) -> Response {
    let names: Vec<Value> = memory.collections().keys().map(|name| json!({ "name": name })).collect();
    enveloped(json!({ "collections": names }))
}

async fn exists(State(memory): Store, Path(name): Path<String>) -> Response {
    enveloped(json!({ "exists": memory.collections().contains_key(&name) }))
}

async fn make(State(memory): Store, Path(name): Path<String>, Json(body): Json<Value>) -> Response {
    let mut collections = memory.collections();
    if collections.contains_key(&name) {
        return StatusCode::CONFLICT.into_response();
    }
    assert_eq!(body["vectors"]["distance"], "Cosine");
    let dimensions = body["vectors"]["size"].as_u64().unwrap();
    collections.insert(name, FakeCollection::new(usize::try_from(dimensions).unwrap()));
    enveloped(json!(true))
}

async fn end(State(memory): Store, Path(name): Path<String>) -> Response {
    enveloped(json!(memory.collections().remove(&name).is_some()))
}

async fn index(store: Store, name: Path<String>, Query(waits): Query<Waits>, Json(body): Json<Value>) -> Response {
    assert!(waits.wait, "{body}");
    let field = body["field_name"].as_str().unwrap().to_owned();
    with(store, name, |collection| {
        collection.indexed.insert(field, body["field_schema"].clone());
        Ok(completed())
    })
}

async fn upsert(store: Store, name: Path<String>, Query(waits): Query<Waits>, Json(body): Json<Value>) -> Response {
    assert!(waits.wait);
    with(store, name, |collection| {
        for point in body["points"].as_array().unwrap() {
            collection.upsert(point)?;
        }
        Ok(completed())
    })
}

async fn delete(store: Store, name: Path<String>, Query(waits): Query<Waits>, Json(body): Json<Value>) -> Response {
    assert!(waits.wait);
    with(store, name, |collection| {
        collection.points.retain(|id, (_, payload)| !admits(&body["filter"], *id, payload));
        Ok(completed())
    })
}

async fn query(store: Store, name: Path<String>, Json(body): Json<Value>) -> Response {
    with(store, name, |collection| Ok(json!({ "points": collection.nearest(&body)? })))
}

async fn query_batch(store: Store, name: Path<String>, Json(body): Json<Value>) -> Response {
    let searches = body["searches"].as_array().unwrap();
    store.0.batches.lock().unwrap().push(searches.len());
    with(store, name, |collection| {
        let points = |query| collection.nearest(query).map(|points| json!({ "points": points }));
        let results: Vec<Value> = searches.iter().map(points).collect::<Result<_, StatusCode>>()?;
        Ok(json!(results))
    })
}

async fn count(store: Store, name: Path<String>, Json(body): Json<Value>) -> Response {
    assert_eq!(body["exact"], true);
    with(store, name, |collection| Ok(json!({ "count": collection.admitted(&body["filter"]).count() })))
}

async fn scroll(store: Store, name: Path<String>, Json(body): Json<Value>) -> Response {
    let from: Option<Uuid> = serde_json::from_value(body["offset"].clone()).unwrap();
    let limit = usize::try_from(body["limit"].as_u64().unwrap()).unwrap();
    with(store, name, |collection| {
        let mut ids =
            collection.admitted(&body["filter"]).map(|(id, _)| id).filter(|id| from.is_none_or(|from| *id >= from));
        let page: Vec<Value> = ids.by_ref().take(limit).map(|id| json!({ "id": id })).collect();
        Ok(json!({ "points": page, "next_page_offset": ids.next() }))
    })
}

fn completed() -> Value {
    json!({ "operation_id": 1, "status": "completed" })
}

/// Runs a function on an existing collection.
fn with(
    State(memory): Store,
    Path(name): Path<String>,
    work: impl FnOnce(&mut FakeCollection) -> Result<Value, StatusCode>,
) -> Response {
    match memory.collections().get_mut(&name).map(work) {
        None => StatusCode::NOT_FOUND.into_response(),
        Some(Err(status)) => status.into_response(),
        Some(Ok(result)) => enveloped(result),
    }
}
