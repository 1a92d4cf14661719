//! Vectors in Qdrant, through its REST API (version 1.11 and later): a collection for each embedding model, with a
//! partition for each chatbot. Each point carries its tenant and its chatbot, and every call filters by them.

mod batch;
mod calls;
mod former;
mod wire;

use std::{collections::HashSet, fmt, time::Duration};

use futures::FutureExt;
use parking_lot::Mutex;
use reqwest::{
    Method, StatusCode,
    header::{HeaderMap, HeaderValue},
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    Collection, ExternalStore, Nearest, NearestSearch, Point, VectorError, VectorResult, VectorSpace, VectorStore,
};
use former::FormerCollections;
use wire::{Collections, Counted, Exists, Page, QueryResult, Written};

/// Maximum points of one request.
const MAX_POINTS: usize = 128;
/// Ids per page of a collection.
const PAGE_SIZE: usize = 1000;
/// A collection that no model uses, to check the key.
const NOBODY: &str = "passages_nobody";
/// The prefix of the names of models' collections.
const MODEL_PREFIX: &str = "passages_model_";
/// Maximum characters of a model's name in the name of its collection.
const LONGEST_NAME: usize = 100;
/// The first version that stores the points of a tenant together.
const MINIMUM: (u32, u32) = (1, 11);

/// The location of Qdrant.
#[derive(Clone)]
pub struct QdrantSettings {
    /// URL of its REST API, for example `http://127.0.0.1:6333`.
    pub url: String,
    /// Its API key, if it requires one.
    pub api_key: Option<String>,
    /// Timeout of a search; writes may take ten times as long.
    pub timeout: Duration,
}

/// A Qdrant server or cluster.
pub struct Qdrant {
    client: reqwest::Client,
    url: String,
    timeout: Duration,
    /// The collections whose payload indexes this process has ensured.
    indexed: Mutex<HashSet<String>>,
    former: FormerCollections,
}

impl fmt::Debug for QdrantSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url, timeout, .. } = self;
        f.debug_struct("QdrantSettings").field("url", url).field("timeout", timeout).finish_non_exhaustive()
    }
}

impl Qdrant {
    /// Creates a client without sending anything.
    ///
    /// # Errors
    /// When the key is not a valid header value or the client cannot be created.
    pub fn new(settings: &QdrantSettings) -> Result<Self, VectorError> {
        let mut headers = HeaderMap::new();
        if let Some(key) = &settings.api_key {
            let mut value = HeaderValue::from_str(key).map_err(|_| VectorError::Key)?;
            value.set_sensitive(true);
            headers.insert("api-key", value);
        }
        let client = tls::http_client()
            .default_headers(headers)
            .connect_timeout(calls::CONNECT)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(VectorError::Client)?;
        Ok(Self {
            client,
            url: settings.url.trim_end_matches('/').to_owned(),
            timeout: settings.timeout,
            indexed: Mutex::default(),
            former: FormerCollections::default(),
        })
    }

    /// The name of the collection of a model.
    pub fn collection_name(model: &str) -> String {
        collection_of(model)
    }

    /// Refuses a server that is too old. If it is unreachable, the check is repeated when a collection is created.
    ///
    /// # Errors
    /// [`VectorError::Version`], or the error of the request.
    pub async fn check_version(&self) -> Result<(), VectorError> {
        let version = self.version().await?;
        let mut numbers = version.split('.').map(|number| number.parse::<u32>().ok());
        match (numbers.next().flatten(), numbers.next().flatten()) {
            (Some(major), Some(minor)) if (major, minor) >= MINIMUM => Ok(()),
            (Some(_), Some(_)) => Err(VectorError::Version(version)),
            _ => Err(VectorError::Malformed("an invalid version")),
        }
    }

    async fn create(&self, space: VectorSpace<'_>, dimensions: usize) -> Result<(), VectorError> {
        let name = collection_of(space.model);
        let path = format!("/collections/{name}");
        if !self.exists(&name).await? {
            self.check_version().await?;
            // One graph for each chatbot instead of one for all.
            let body = json!({
                "vectors": { "size": dimensions, "distance": "Cosine" }, "hnsw_config": { "m": 0, "payload_m": 16 },
            });
            self.indexed.lock().remove(&name);
            match self.write::<bool>(Method::PUT, &path, &body).await {
                // Another process has just created it.
                Ok(_) | Err(VectorError::Status(409)) => {}
                Err(error) => return Err(error),
            }
        }
        if self.indexed.lock().contains(&name) {
            return Ok(());
        }
        let by_chatbot = json!({ "type": "keyword", "is_tenant": true });
        for (field, schema) in [("chatbot_id", by_chatbot), ("tenant_id", json!("keyword"))] {
            let index = json!({ "field_name": field, "field_schema": schema });
            self.write::<Written>(Method::PUT, &format!("{path}/index?wait=true"), &index).await?.applied()?;
        }
        self.indexed.lock().insert(name);
        Ok(())
    }

    async fn exists(&self, name: &str) -> Result<bool, VectorError> {
        Ok(self.read::<Exists>(Method::GET, &format!("/collections/{name}/exists"), None).await?.exists)
    }

    async fn names(&self) -> Result<Vec<String>, VectorError> {
        let existing: Collections = self.read(Method::GET, "/collections", None).await?;
        Ok(existing.collections.into_iter().map(|collection| collection.name).collect())
    }

    async fn upsert(&self, space: VectorSpace<'_>, points: &[Point]) -> Result<(), VectorError> {
        self.upsert_into(&collection_of(space.model), space.collection, points).await?;
        if let Some(former) = self.former_of(space).await? {
            let also = self.upsert_into(&former, space.collection, points).await;
            self.unless_gone(also, &former)?;
        }
        Ok(())
    }

    async fn upsert_into(&self, name: &str, collection: Collection, points: &[Point]) -> Result<(), VectorError> {
        let path = format!("/collections/{name}/points?wait=true");
        for batch in points.chunks(MAX_POINTS) {
            let points: Vec<_> = batch.iter().map(|point| wire::point(collection, point)).collect();
            self.write::<Written>(Method::PUT, &path, &json!({ "points": points })).await?.applied()?;
        }
        Ok(())
    }

    async fn remove(&self, collection: Collection, ids: &[Uuid]) -> Result<(), VectorError> {
        for name in self.collections_with(collection).await? {
            for batch in ids.chunks(PAGE_SIZE) {
                self.delete_where(&name, wire::own_with_ids(collection, batch)).await?;
            }
        }
        Ok(())
    }

    async fn delete_where(&self, name: &str, filter: Value) -> Result<(), VectorError> {
        let path = format!("/collections/{name}/points/delete?wait=true");
        match self.write::<Written>(Method::POST, &path, &json!({ "filter": filter })).await {
            Ok(written) => written.applied(),
            Err(VectorError::NoCollection) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn delete(&self, collection: Collection) -> Result<(), VectorError> {
        let former = former::name(collection);
        for name in self.collections_with(collection).await? {
            if name == former {
                self.drop_former(&former).await?;
            } else {
                self.delete_where(&name, wire::own(collection)).await?;
            }
        }
        Ok(())
    }

    /// The names of all collections that may have points of a chatbot.
    async fn collections_with(&self, collection: Collection) -> Result<Vec<String>, VectorError> {
        let (mut names, former) = (self.names().await?, former::name(collection));
        names.retain(|name| name.starts_with(MODEL_PREFIX) || *name == former);
        Ok(names)
    }

    async fn search(&self, space: VectorSpace<'_>, vector: &[f32], limit: usize) -> Result<Nearest, VectorError> {
        if let Some(former) = self.former_of(space).await? {
            match self.search_in(&former, space.collection, vector, limit).await {
                Err(VectorError::NoCollection) => self.former.forget(&former),
                ranking => return ranking,
            }
        }
        self.search_in(&collection_of(space.model), space.collection, vector, limit).await
    }

    async fn search_in(
        &self,
        name: &str,
        collection: Collection,
        vector: &[f32],
        limit: usize,
    ) -> Result<Nearest, VectorError> {
        let query = wire::query(collection, vector, limit);
        let result: QueryResult =
            self.read(Method::POST, &format!("/collections/{name}/points/query"), Some(&query)).await?;
        result.ranking(limit).map(Nearest::Ranked)
    }

    async fn count(&self, space: VectorSpace<'_>) -> Result<u64, VectorError> {
        let path = format!("/collections/{}/points/count", collection_of(space.model));
        let query = json!({ "exact": true, "filter": wire::own(space.collection) });
        let counted: Counted = self.read(Method::POST, &path, Some(&query)).await?;
        Ok(counted.count)
    }

    async fn all_ids(&self, space: VectorSpace<'_>) -> Result<HashSet<Uuid>, VectorError> {
        let path = format!("/collections/{}/points/scroll", collection_of(space.model));
        let (mut ids, mut offset) = (HashSet::new(), None::<Uuid>);
        loop {
            let query = json!({
                "filter": wire::own(space.collection), "limit": PAGE_SIZE, "offset": offset, "with_payload": false,
                "with_vector": false,
            });
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

    fn create<'a>(&'a self, space: VectorSpace<'a>, dimensions: usize) -> VectorResult<'a, ()> {
        self.create(space, dimensions).boxed()
    }

    fn upsert<'a>(&'a self, space: VectorSpace<'a>, points: &'a [Point]) -> VectorResult<'a, ()> {
        self.upsert(space, points).boxed()
    }

    fn remove<'a>(&'a self, collection: Collection, ids: &'a [Uuid]) -> VectorResult<'a, ()> {
        self.remove(collection, ids).boxed()
    }

    fn clear<'a>(&'a self, space: VectorSpace<'a>) -> VectorResult<'a, ()> {
        async move { self.delete_where(&collection_of(space.model), wire::own(space.collection)).await }.boxed()
    }

    fn delete(&self, collection: Collection) -> VectorResult<'_, ()> {
        self.delete(collection).boxed()
    }

    fn nearest<'a>(&'a self, space: VectorSpace<'a>, vector: &'a [f32], limit: usize) -> VectorResult<'a, Nearest> {
        self.search(space, vector, limit).boxed()
    }

    fn nearest_of_each<'a>(
        &'a self,
        searches: &'a [NearestSearch<'a>],
        limit: usize,
    ) -> VectorResult<'a, Vec<Nearest>> {
        self.search_each(searches, limit).boxed()
    }

    fn ping(&self) -> VectorResult<'_, ()> {
        async { self.exists(NOBODY).await.map(drop) }.boxed()
    }
}

impl ExternalStore for Qdrant {
    fn has_room<'a>(&'a self, model: &'a str) -> VectorResult<'a, bool> {
        async move { self.exists(&collection_of(model)).await }.boxed()
    }

    fn count<'a>(&'a self, space: VectorSpace<'a>) -> VectorResult<'a, u64> {
        self.count(space).boxed()
    }

    fn ids<'a>(&'a self, space: VectorSpace<'a>) -> VectorResult<'a, HashSet<Uuid>> {
        self.all_ids(space).boxed()
    }

    fn is_moving(&self, collection: Collection) -> VectorResult<'_, bool> {
        async move { Ok(self.former.find(self, collection).await?.is_some()) }.boxed()
    }

    fn completed(&self, collection: Collection) -> VectorResult<'_, ()> {
        async move {
            match self.former.find(self, collection).await? {
                Some(former) => self.drop_former(&former).await,
                None => Ok(()),
            }
        }
        .boxed()
    }

    fn check_version(&self) -> VectorResult<'_, ()> {
        self.check_version().boxed()
    }
}

/// The name of the collection of a model. Characters that are invalid in a path are replaced, and a hash keeps the
/// names unique.
fn collection_of(model: &str) -> String {
    let is_plain = |mark: char| mark.is_ascii_alphanumeric() || matches!(mark, '-' | '_' | '.');
    let plain: String = model.chars().take(LONGEST_NAME).map(|mark| if is_plain(mark) { mark } else { '_' }).collect();
    if plain == model {
        return format!("{MODEL_PREFIX}{plain}");
    }
    // FNV-1a: stable across versions of the program.
    let number = model
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{MODEL_PREFIX}{plain}_{number:016x}")
}

/// The error of a status.
fn refusal(status: StatusCode) -> VectorError {
    if status == StatusCode::NOT_FOUND { VectorError::NoCollection } else { VectorError::Status(status.as_u16()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_model_has_a_name_of_its_own() {
        assert_eq!(collection_of("all-minilm-l6-v2"), "passages_model_all-minilm-l6-v2");
        let names = ["BAAI/bge-m3", "BAAI_bge-m3", "BAAI:bge-m3", "ü", "é"].map(collection_of);
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "{names:?}");
        assert!(names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'/')), "{names:?}");
        assert!(collection_of(&"x".repeat(500)).len() < 255);
    }
}
