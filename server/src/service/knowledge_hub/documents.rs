//! Documents and sources for readers.

use contract::{
    ErrorCode,
    id::{DocumentVersionId, SourceId},
    knowledge_hub::{KnowledgeDocument, KnowledgeDocumentQuery, KnowledgeSource, KnowledgeSourceQuery},
};
use store::knowledge_hub::documents;

use super::begin_read;
use crate::{caller::Caller, error::ApiResult, state::App};

/// A document by the id of any of its versions, with the newest passages.
///
/// # Errors
/// `module_not_enabled`, `document_not_found`.
pub async fn get(
    app: &App,
    caller: &Caller,
    id: DocumentVersionId,
    query: &KnowledgeDocumentQuery,
) -> ApiResult<KnowledgeDocument> {
    let (mut tx, tenant) = begin_read(app, caller).await?;
    documents::find(&mut tx, tenant, id, query).await?.ok_or_else(|| ErrorCode::DocumentNotFound.into())
}

/// A source with a page of its documents.
///
/// # Errors
/// `module_not_enabled`, `source_not_found`.
pub async fn source(
    app: &App,
    caller: &Caller,
    id: SourceId,
    query: &KnowledgeSourceQuery,
) -> ApiResult<KnowledgeSource> {
    let (mut tx, tenant) = begin_read(app, caller).await?;
    documents::source(&mut tx, tenant, id, query).await?.ok_or_else(|| ErrorCode::SourceNotFound.into())
}
