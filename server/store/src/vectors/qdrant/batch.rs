//! Searches many chatbots at once: one call per model, with a filter for each chatbot.

use std::collections::BTreeMap;

use futures::{FutureExt, StreamExt, TryFutureExt, TryStreamExt, stream};
use reqwest::Method;
use serde_json::{Value, json};

use super::{
    Nearest, NearestSearch, Qdrant, VectorError, VectorResult, collection_of,
    wire::{self, QueryResult},
};

/// Maximum queries of one call.
const MAX_QUERIES: usize = 50;
/// Maximum concurrent calls.
const MAX_CONCURRENT_CALLS: usize = 8;

/// A search with its index among all.
type Placed<'a> = (usize, NearestSearch<'a>);

impl Qdrant {
    /// The nearest points of each space, in the order of the searches.
    pub(super) async fn search_each(
        &self,
        searches: &[NearestSearch<'_>],
        limit: usize,
    ) -> Result<Vec<Nearest>, VectorError> {
        let (mut by_model, mut former) = (BTreeMap::<&str, Vec<Placed<'_>>>::new(), Vec::<Placed<'_>>::new());
        for (place, search) in searches.iter().copied().enumerate() {
            match self.former_of(search.space).await? {
                Some(_) => former.push((place, search)),
                None => by_model.entry(search.space.model).or_default().push((place, search)),
            }
        }
        let mut calls: Vec<VectorResult<'_, Vec<(usize, Nearest)>>> = Vec::new();
        for (model, placed) in &by_model {
            for batch in placed.chunks(MAX_QUERIES) {
                calls.push(self.search_batch(model, batch, limit).boxed());
            }
        }
        // Each former collection belongs to one chatbot.
        for (place, search) in former {
            let one = self.search(search.space, search.vector, limit);
            calls.push(one.map_ok(move |nearest| vec![(place, nearest)]).boxed());
        }
        let answers: Vec<Vec<(usize, Nearest)>> =
            stream::iter(calls).buffer_unordered(MAX_CONCURRENT_CALLS).try_collect().await?;
        let mut placed: Vec<(usize, Nearest)> = answers.into_iter().flatten().collect();
        placed.sort_by_key(|(place, _)| *place);
        Ok(placed.into_iter().map(|(_, nearest)| nearest).collect())
    }

    async fn search_batch(
        &self,
        model: &str,
        batch: &[Placed<'_>],
        limit: usize,
    ) -> Result<Vec<(usize, Nearest)>, VectorError> {
        let queries: Vec<Value> =
            batch.iter().map(|(_, search)| wire::query(search.space.collection, search.vector, limit)).collect();
        let path = format!("/collections/{}/points/query/batch", collection_of(model));
        let results: Vec<QueryResult> = self.read(Method::POST, &path, Some(&json!({ "searches": queries }))).await?;
        if results.len() != batch.len() {
            return Err(VectorError::Malformed("another number of answers than of queries"));
        }
        results
            .into_iter()
            .zip(batch)
            .map(|(result, (place, _))| result.ranking(limit).map(|ranking| (*place, Nearest::Ranked(ranking))))
            .collect()
    }
}
