//! Vector stores. The database has every passage with its vector and decides which passages exist. An external store is
//! only an index of them, which can be rebuilt at any time: it returns ids, which are read under the caller's policies, and
//! is never called inside a transaction. It has one collection for each embedding model, because one for each chatbot
//! costs 10.3 MB of memory.

mod database;
mod error;
mod qdrant;

use std::collections::HashSet;

use contract::{ChatbotId, TenantId};
use futures::future::BoxFuture;
use uuid::Uuid;

pub use self::{
    database::PgVector,
    error::VectorError,
    qdrant::{Qdrant, QdrantSettings},
};

/// The collection of a chatbot: exactly its own passages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Collection {
    pub tenant: TenantId,
    pub chatbot: ChatbotId,
}

/// The vectors of a collection's passages made by one embedding model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct VectorSpace<'a> {
    pub collection: Collection,
    pub model: &'a str,
    /// Whether it is the chatbot's own model, and not its next one or the one for other languages.
    pub is_own: bool,
}

/// A passage's vector.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub id: Uuid,
    pub embedding: Vec<f32>,
}

/// One of several searches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestSearch<'a> {
    pub space: VectorSpace<'a>,
    pub vector: &'a [f32],
}

/// The passages nearest to a vector.
#[derive(Debug, Clone, PartialEq)]
pub enum Nearest {
    /// Search the database's own index with this vector, in the transaction that reads the passages.
    SearchDatabase(Vec<f32>),
    /// Ids with their cosine, nearest first. Some may have been replaced or not been committed.
    Ranked(Vec<(Uuid, f64)>),
}

pub type VectorResult<'a, T> = BoxFuture<'a, Result<T, VectorError>>;

/// A vector store. Every wait is bounded, and nothing is called within a transaction.
pub trait VectorStore: Send + Sync {
    /// The external store; `None` when the database's own index is searched.
    fn external(&self) -> Option<&dyn ExternalStore>;

    /// Prepares storage for a model's vectors of this length; does nothing when it exists.
    fn create<'a>(&'a self, space: VectorSpace<'a>, dimensions: usize) -> VectorResult<'a, ()>;

    /// Adds points, or replaces those with the same id. They are searchable when this returns.
    fn upsert<'a>(&'a self, space: VectorSpace<'a>, points: &'a [Point]) -> VectorResult<'a, ()>;

    /// Removes points of all models; unknown ids are not an error.
    fn remove<'a>(&'a self, collection: Collection, ids: &'a [Uuid]) -> VectorResult<'a, ()>;

    /// Removes all points of one model.
    fn clear<'a>(&'a self, space: VectorSpace<'a>) -> VectorResult<'a, ()>;

    /// Removes all points of the collection; does nothing when there are none.
    fn delete(&self, collection: Collection) -> VectorResult<'_, ()>;

    /// The points nearest to a vector, at most `limit`.
    fn nearest<'a>(&'a self, space: VectorSpace<'a>, vector: &'a [f32], limit: usize) -> VectorResult<'a, Nearest>;

    /// Like [`Self::nearest`] for many spaces, in their order, with as few calls as possible.
    fn nearest_of_each<'a>(&'a self, searches: &'a [NearestSearch<'a>], limit: usize)
    -> VectorResult<'a, Vec<Nearest>>;

    /// Checks that the store responds and accepts the credentials.
    fn ping(&self) -> VectorResult<'_, ()>;
}

/// The operations of an external store that compare it with the database.
pub trait ExternalStore: Send + Sync {
    /// Whether storage for a model's vectors exists.
    fn has_room<'a>(&'a self, model: &'a str) -> VectorResult<'a, bool>;

    /// How many points of the model a collection has.
    fn count<'a>(&'a self, space: VectorSpace<'a>) -> VectorResult<'a, u64>;

    /// The ids of the collection's points of the model.
    fn ids<'a>(&'a self, space: VectorSpace<'a>) -> VectorResult<'a, HashSet<Uuid>>;

    /// Whether points of an earlier version are still used instead of those of the chatbot's own model.
    fn is_moving(&self, collection: Collection) -> VectorResult<'_, bool>;

    /// Records that the points of the chatbot's own model are complete, and removes those of an earlier version.
    fn completed(&self, collection: Collection) -> VectorResult<'_, ()>;

    /// Refuses an unsupported version of the store.
    fn check_version(&self) -> VectorResult<'_, ()>;
}

impl Collection {
    /// The name of its partition in the database.
    #[must_use]
    pub fn name(&self) -> String {
        format!("passages_{}", self.chatbot.0.simple())
    }
}
