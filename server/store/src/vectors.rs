//! Where the vectors of passages are searched. The database holds every passage with its vector and decides which of them
//! exist; a store outside of it is an index of them, which can be made anew at any time.

mod database;
mod error;
mod qdrant;

use std::collections::HashSet;

use contract::{ChatbotId, TenantId};
use futures::future::BoxFuture;
use uuid::Uuid;

use crate::passages::NewPassage;

pub use self::{
    database::PgVector,
    error::VectorError,
    qdrant::{Qdrant, QdrantSettings},
};

/// The collection of a chatbot: its passages and nobody else's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Collection {
    /// Whose chatbot it is.
    pub tenant: TenantId,
    pub chatbot: ChatbotId,
}

/// A passage's vector.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub id: Uuid,
    pub embedding: Vec<f32>,
}

/// The passages nearest to a vector, as far as the store knows them.
#[derive(Debug, Clone, PartialEq)]
pub enum Nearest {
    /// The database's own index has them; it is asked in the transaction that reads the passages.
    InDatabase(Vec<f32>),
    /// Ids with their cosine, nearest first. Some may have been replaced or not been committed.
    Ranked(Vec<(Uuid, f64)>),
}

/// A result of a store.
pub type VectorResult<'a, T> = BoxFuture<'a, Result<T, VectorError>>;

/// A place where vectors are searched. Every wait is bounded, and nothing is called within a transaction.
pub trait VectorStore: Send + Sync {
    /// The store outside of the database; `None` when the database's own index is searched.
    fn external(&self) -> Option<&dyn ExternalStore>;

    /// Creates the collection for vectors of so many numbers; does nothing when it exists.
    fn create(&self, collection: Collection, dimensions: usize) -> VectorResult<'_, ()>;

    /// Adds points, or replaces those with the same id; they are found when this returns.
    fn put<'a>(&'a self, collection: Collection, points: &'a [Point]) -> VectorResult<'a, ()>;

    /// Removes points; unknown ones are no error.
    fn remove<'a>(&'a self, collection: Collection, ids: &'a [Uuid]) -> VectorResult<'a, ()>;

    /// Deletes the whole collection; does nothing when there is none.
    fn delete(&self, collection: Collection) -> VectorResult<'_, ()>;

    /// The points nearest to a vector, at most `limit`.
    fn nearest<'a>(&'a self, collection: Collection, vector: &'a [f32], limit: usize) -> VectorResult<'a, Nearest>;

    /// Whether the store answers and lets us in.
    fn ping(&self) -> VectorResult<'_, ()>;
}

/// What a store outside of the database is compared with the database by.
pub trait ExternalStore: Send + Sync {
    /// Names of the collections that stand.
    fn names(&self) -> VectorResult<'_, HashSet<String>>;

    /// How many points a collection has.
    fn count(&self, collection: Collection) -> VectorResult<'_, u64>;

    /// The ids of all points of a collection.
    fn ids(&self, collection: Collection) -> VectorResult<'_, HashSet<Uuid>>;
}

impl Collection {
    /// The collection's name in every store.
    #[must_use]
    pub fn name(&self) -> String {
        format!("passages_{}", self.chatbot.0.simple())
    }
}

impl From<&NewPassage> for Point {
    fn from(passage: &NewPassage) -> Self {
        Self { id: passage.id, embedding: passage.embedding.clone() }
    }
}
