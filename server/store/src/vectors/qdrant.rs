//! Vectors in Qdrant, over its REST interface (version 1.10 and later): a collection for each chatbot, and in each point the
//! tenant and the chatbot, which every search asks for again.

mod calls;
mod wire;

use std::{collections::HashSet, fmt, time::Duration};

use futures::FutureExt;
use reqwest::{
    Method, StatusCode,
    header::{HeaderMap, HeaderValue},
};
use serde_json::json;
use uuid::Uuid;

use super::{Collection, ExternalStore, Nearest, Point, VectorError, VectorResult, VectorStore};
use wire::{Collections, Counted, Exists, Found, Page, Written};

/// Points in one request at most.
const BATCH: usize = 128;
/// Ids in one page of a collection.
const PAGE: usize = 1000;
/// A collection that no chatbot has, to ask whether the key is good.
const NOBODY: &str = "passages_nobody";

/// Where Qdrant is.
#[derive(Clone)]
pub struct QdrantSettings {
    /// Address of its REST interface, for example `http://127.0.0.1:6333`.
    pub url: String,
    /// Its API key, if it wants one.
    pub api_key: Option<String>,
    /// Longest time for one search; writing may take ten times as long.
    pub timeout: Duration,
}

/// A Qdrant server or cluster.
pub struct Qdrant {
    client: reqwest::Client,
    url: String,
    timeout: Duration,
}

impl fmt::Debug for QdrantSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url, timeout, .. } = self;
        f.debug_struct("QdrantSettings").field("url", url).field("timeout", timeout).finish_non_exhaustive()
    }
}

impl Qdrant {
    /// A client; nothing is sent yet.
    ///
    /// # Errors
    /// When the key cannot be sent or the client cannot be made.
    pub fn new(settings: &QdrantSettings) -> Result<Self, VectorError> {
        let mut headers = HeaderMap::new();
        if let Some(key) = &settings.api_key {
            let mut value = HeaderValue::from_str(key).map_err(|_| VectorError::Key)?;
            value.set_sensitive(true);
            headers.insert("api-key", value);
        }
        let client = reqwest::Client::builder()
            .default_headers(headers)
            .connect_timeout(calls::CONNECT)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(VectorError::Client)?;
        Ok(Self { client, url: settings.url.trim_end_matches('/').to_owned(), timeout: settings.timeout })
    }

    async fn create(&self, collection: Collection, dimensions: usize) -> Result<(), VectorError> {
        let name = collection.name();
        if self.stands(&name).await? {
            return Ok(());
        }
        let vectors = json!({ "vectors": { "size": dimensions, "distance": "Cosine" } });
        let path = format!("/collections/{name}");
        match self.write::<bool>(Method::PUT, &path, &vectors).await {
            // Somebody else has just made it.
            Ok(_) | Err(VectorError::Status(409)) => {}
            Err(error) => return Err(error),
        }
        for field in ["tenant_id", "chatbot_id"] {
            let index = json!({ "field_name": field, "field_schema": "keyword" });
            self.write::<Written>(Method::PUT, &format!("{path}/index?wait=true"), &index).await?.applied()?;
        }
        Ok(())
    }

    async fn stands(&self, name: &str) -> Result<bool, VectorError> {
        Ok(self.read::<Exists>(Method::GET, &format!("/collections/{name}/exists"), None).await?.exists)
    }

    async fn put(&self, collection: Collection, points: &[Point]) -> Result<(), VectorError> {
        let path = format!("/collections/{}/points?wait=true", collection.name());
        for batch in points.chunks(BATCH) {
            let points: Vec<_> = batch.iter().map(|point| wire::point(collection, point)).collect();
            self.write::<Written>(Method::PUT, &path, &json!({ "points": points })).await?.applied()?;
        }
        Ok(())
    }

    async fn remove(&self, collection: Collection, ids: &[Uuid]) -> Result<(), VectorError> {
        let path = format!("/collections/{}/points/delete?wait=true", collection.name());
        for batch in ids.chunks(PAGE) {
            match self.write::<Written>(Method::POST, &path, &json!({ "points": batch })).await {
                Ok(written) => written.applied()?,
                Err(VectorError::NoCollection) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    async fn delete(&self, collection: Collection) -> Result<(), VectorError> {
        let path = format!("/collections/{}", collection.name());
        match self.write::<bool>(Method::DELETE, &path, &json!({})).await {
            Ok(_) | Err(VectorError::NoCollection) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn search(&self, collection: Collection, vector: &[f32], limit: usize) -> Result<Nearest, VectorError> {
        let path = format!("/collections/{}/points/query", collection.name());
        let query = json!({
            "query": vector, "filter": wire::own(collection), "limit": limit, "with_payload": false, "with_vector": false,
        });
        let found: Found = self.read(Method::POST, &path, Some(&query)).await?;
        found.ranking(limit).map(Nearest::Ranked)
    }

    async fn all_ids(&self, collection: Collection) -> Result<HashSet<Uuid>, VectorError> {
        let path = format!("/collections/{}/points/scroll", collection.name());
        let (mut ids, mut offset) = (HashSet::new(), None::<Uuid>);
        loop {
            let query = json!({ "limit": PAGE, "offset": offset, "with_payload": false, "with_vector": false });
            let page: Page = self.read(Method::POST, &path, Some(&query)).await?;
            let before = ids.len();
            ids.extend(page.points.into_iter().map(|point| point.id));
            match page.next_page_offset {
                None => return Ok(ids),
                Some(_) if ids.len() == before => return Err(VectorError::Malformed("a page without an end")),
                next => offset = next,
            }
        }
    }
}

impl VectorStore for Qdrant {
    fn external(&self) -> Option<&dyn ExternalStore> {
        Some(self)
    }

    fn create(&self, collection: Collection, dimensions: usize) -> VectorResult<'_, ()> {
        self.create(collection, dimensions).boxed()
    }

    fn put<'a>(&'a self, collection: Collection, points: &'a [Point]) -> VectorResult<'a, ()> {
        self.put(collection, points).boxed()
    }

    fn remove<'a>(&'a self, collection: Collection, ids: &'a [Uuid]) -> VectorResult<'a, ()> {
        self.remove(collection, ids).boxed()
    }

    fn delete(&self, collection: Collection) -> VectorResult<'_, ()> {
        self.delete(collection).boxed()
    }

    fn nearest<'a>(&'a self, collection: Collection, vector: &'a [f32], limit: usize) -> VectorResult<'a, Nearest> {
        self.search(collection, vector, limit).boxed()
    }

    fn ping(&self) -> VectorResult<'_, ()> {
        async { self.stands(NOBODY).await.map(drop) }.boxed()
    }
}

impl ExternalStore for Qdrant {
    fn names(&self) -> VectorResult<'_, HashSet<String>> {
        async {
            let known: Collections = self.read(Method::GET, "/collections", None).await?;
            Ok(known.collections.into_iter().map(|collection| collection.name).collect())
        }
        .boxed()
    }

    fn count(&self, collection: Collection) -> VectorResult<'_, u64> {
        async move {
            let path = format!("/collections/{}/points/count", collection.name());
            let counted: Counted = self.read(Method::POST, &path, Some(&json!({ "exact": true }))).await?;
            Ok(counted.count)
        }
        .boxed()
    }

    fn ids(&self, collection: Collection) -> VectorResult<'_, HashSet<Uuid>> {
        self.all_ids(collection).boxed()
    }
}

/// What a status means.
fn refusal(status: StatusCode) -> VectorError {
    if status == StatusCode::NOT_FOUND { VectorError::NoCollection } else { VectorError::Status(status.as_u16()) }
}
