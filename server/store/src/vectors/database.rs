//! The database's own vector index: a partition with an HNSW index for each chatbot, created and filled in the
//! transactions that write the chatbot and its passages. Outside of them there is nothing to do.

use futures::future::ready;
use uuid::Uuid;

use super::{Collection, ExternalStore, Nearest, NearestSearch, Point, VectorResult, VectorSpace, VectorStore};

/// Vectors in PostgreSQL with pgvector.
#[derive(Debug, Clone, Copy, Default)]
pub struct PgVector;

impl VectorStore for PgVector {
    fn external(&self) -> Option<&dyn ExternalStore> {
        None
    }

    fn create<'a>(&'a self, _: VectorSpace<'a>, _: usize) -> VectorResult<'a, ()> {
        Box::pin(ready(Ok(())))
    }

    fn upsert<'a>(&'a self, _: VectorSpace<'a>, _: &'a [Point]) -> VectorResult<'a, ()> {
        Box::pin(ready(Ok(())))
    }

    fn remove<'a>(&'a self, _: Collection, _: &'a [Uuid]) -> VectorResult<'a, ()> {
        Box::pin(ready(Ok(())))
    }

    fn clear<'a>(&'a self, _: VectorSpace<'a>) -> VectorResult<'a, ()> {
        Box::pin(ready(Ok(())))
    }

    fn delete(&self, _: Collection) -> VectorResult<'_, ()> {
        Box::pin(ready(Ok(())))
    }

    fn nearest<'a>(&'a self, _: VectorSpace<'a>, vector: &'a [f32], _: usize) -> VectorResult<'a, Nearest> {
        Box::pin(ready(Ok(Nearest::SearchDatabase(vector.to_vec()))))
    }

    fn nearest_of_each<'a>(&'a self, searches: &'a [NearestSearch<'a>], _: usize) -> VectorResult<'a, Vec<Nearest>> {
        let nearest = searches.iter().map(|search| Nearest::SearchDatabase(search.vector.to_vec())).collect();
        Box::pin(ready(Ok(nearest)))
    }

    fn ping(&self) -> VectorResult<'_, ()> {
        Box::pin(ready(Ok(())))
    }
}
