//! A search without words: the documents that match the filters, newest first, each with its beginning.

use contract::{
    TenantId,
    knowledge_hub::{Facets, SearchHit, SearchResults},
    page::TotalIs,
};
use store::{
    PgConnection,
    knowledge_hub::{hits, reach},
};

use super::{Request, page};
use crate::error::ApiResult;

pub(super) async fn newest(
    connection: &mut PgConnection,
    tenant: TenantId,
    request: &Request<'_>,
    facets: Facets,
) -> ApiResult<SearchResults> {
    let (documents, total) =
        reach::newest(connection, tenant, &request.filters, (request.limit, request.offset)).await?;
    let read = hits::first_passages(connection, tenant, &documents).await?;
    let in_order =
        documents.iter().filter_map(|(_, document)| read.iter().find(|hit| hit.location.document == *document));
    let results: Vec<SearchHit> = in_order.map(|hit| page::hit(hit.clone(), Vec::new(), None)).collect();
    Ok(SearchResults {
        results,
        facets,
        total,
        total_is: TotalIs::Exact,
        limit: request.limit,
        offset: request.offset,
        took_ms: contract::knowledge_hub::SearchTimes::default(),
        degraded: Vec::new(),
        search_id: None,
        nearest: Vec::new(),
        suggestion: None,
    })
}
