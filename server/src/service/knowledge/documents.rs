//! Sources and documents of a chatbot for its tenant.

use contract::{
    ChatbotId, Page,
    documents::{ChatbotSource, DocumentListQuery, IndexedDocument, SourceListQuery},
};
use store::documents::list;

use crate::service::chatbot_tx;
use crate::{caller::Caller, error::ApiResult, state::App};

/// A page of the sources of a chatbot.
///
/// # Errors
/// `chatbot_not_found`.
pub async fn sources(
    app: &App,
    caller: &Caller,
    chatbot: ChatbotId,
    query: &SourceListQuery,
) -> ApiResult<Page<ChatbotSource>> {
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, chatbot).await?;
    let page = list::sources(&mut tx, tenant, chatbot, query).await?;
    Ok(page)
}

/// A page of the documents of a chatbot that are indexed.
///
/// # Errors
/// `chatbot_not_found`.
pub async fn documents(
    app: &App,
    caller: &Caller,
    chatbot: ChatbotId,
    query: &DocumentListQuery,
) -> ApiResult<Page<IndexedDocument>> {
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, chatbot).await?;
    let page = list::documents(&mut tx, tenant, chatbot, query).await?;
    Ok(page)
}
