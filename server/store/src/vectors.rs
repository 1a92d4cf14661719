//! Where the vectors of passages are searched. The database holds every passage with its vector and decides which of them
//! exist; a store outside of it is an index of them, which can be made again at any time.

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

/// The collection of a chatbot: its passages and nobody else's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Collection {
    pub tenant: TenantId,
    pub chatbot: ChatbotId,
}

/// The vectors that one embedding model made of a collection's passages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct VectorSpace<'a> {
    pub collection: Collection,
    /// The model's name.
    pub model: &'a str,
    /// Whether it is the chatbot's own model, and not one that it moves to or that finds its passages in other languages.
    pub is_own: bool,
}

/// A passage's vector.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub id: Uuid,
    pub embedding: Vec<f32>,
}

/// A search of one space among many.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestSearch<'a> {
    pub space: VectorSpace<'a>,
    pub vector: &'a [f32],
}

/// The passages nearest to a vector, as far as the store knows them.
#[derive(Debug, Clone, PartialEq)]
pub enum Nearest {
    /// The database's own index has them; it is asked in the transaction that reads the passages.
    InDatabase(Vec<f32>),
    /// Ids with their cosine, nearest first. Some may have been replaced or not been committed.
    Ranked(Vec<(Uuid, f64)>),
}

pub type VectorResult<'a, T> = BoxFuture<'a, Result<T, VectorError>>;

/// A place where vectors are searched. Every wait is bounded, and nothing is called within a transaction.
pub trait VectorStore: Send + Sync {
    /// The store outside of the database; `None` when the database's own index is searched.
    fn external(&self) -> Option<&dyn ExternalStore>;

    /// Makes room for a model's vectors of so many numbers; does nothing when there is room.
    fn create<'a>(&'a self, space: VectorSpace<'a>, dimensions: usize) -> VectorResult<'a, ()>;

    /// Adds points, or replaces those with the same id; they are found when this returns.
    fn put<'a>(&'a self, space: VectorSpace<'a>, points: &'a [Point]) -> VectorResult<'a, ()>;

    /// Removes points, whichever model made them; unknown ones are no error.
    fn remove<'a>(&'a self, collection: Collection, ids: &'a [Uuid]) -> VectorResult<'a, ()>;

    /// Removes all points of one model.
    fn clear<'a>(&'a self, space: VectorSpace<'a>) -> VectorResult<'a, ()>;

    /// Removes all points of the collection; does nothing when there are none.
    fn delete(&self, collection: Collection) -> VectorResult<'_, ()>;

    /// The points nearest to a vector, at most `limit`.
    fn nearest<'a>(&'a self, space: VectorSpace<'a>, vector: &'a [f32], limit: usize) -> VectorResult<'a, Nearest>;

    /// The same for many spaces, in their order, with as few calls as the store needs.
    fn nearest_of_each<'a>(&'a self, searches: &'a [NearestSearch<'a>], limit: usize)
    -> VectorResult<'a, Vec<Nearest>>;

    /// Whether the store answers and lets us in.
    fn ping(&self) -> VectorResult<'_, ()>;
}

/// What a store outside of the database is compared with the database by.
pub trait ExternalStore: Send + Sync {
    /// Whether there is room for a model's vectors.
    fn has_room<'a>(&'a self, model: &'a str) -> VectorResult<'a, bool>;

    /// How many points of the model a collection has.
    fn count<'a>(&'a self, space: VectorSpace<'a>) -> VectorResult<'a, u64>;

    /// The ids of these points.
    fn ids<'a>(&'a self, space: VectorSpace<'a>) -> VectorResult<'a, HashSet<Uuid>>;

    /// Whether points of an earlier version still answer in the place of those of the chatbot's own model.
    fn is_moving(&self, collection: Collection) -> VectorResult<'_, bool>;

    /// Says that the points of the chatbot's own model are complete: those of an earlier version go.
    fn completed(&self, collection: Collection) -> VectorResult<'_, ()>;

    /// Refuses a version of the store that cannot be used.
    fn check_version(&self) -> VectorResult<'_, ()>;
}

impl Collection {
    /// The name of its partition in the database.
    #[must_use]
    pub fn name(&self) -> String {
        format!("passages_{}", self.chatbot.0.simple())
    }
}
