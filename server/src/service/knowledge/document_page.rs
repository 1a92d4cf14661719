//! A document of a chatbot for its page in the tenant console.

use app::backend::{DocumentPage, DocumentPageQuery, PassageCitations};
use contract::{page::MAX_LIMIT, uploads::PassageListQuery};
use store::documents::list::{self, one};

use crate::{caller::Caller, error::ApiResult, service::chatbot_tx, state::App};

/// Passages of a page without a choice.
const PASSAGES: i64 = 25;

/// A document with a page of its passages and the answers that cited them; `None` when the chatbot has no such
/// document.
///
/// # Errors
/// `chatbot_not_found`.
pub async fn get(app: &App, caller: &Caller, query: &DocumentPageQuery) -> ApiResult<Option<DocumentPage>> {
    let (Some(chatbot), Some(id)) = (query.chatbot_id, query.document_id) else { return Ok(None) };
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, chatbot).await?;
    let Some(document) = one::by_id(&mut tx, tenant, chatbot, id).await? else { return Ok(None) };
    let source = list::source(&mut tx, tenant, chatbot, document.source_id).await?;
    let page = PassageListQuery {
        limit: query.limit.unwrap_or(PASSAGES).clamp(1, MAX_LIMIT),
        offset: query.offset.unwrap_or_default().max(0),
    };
    let passages = list::passages(&mut tx, tenant, chatbot, id, &page).await?;
    let passage_ids: Vec<_> = passages.items.iter().map(|passage| passage.id).collect();
    let cited = one::citations(&mut tx, tenant, chatbot, id, &passage_ids).await?;
    let citations =
        |of: one::PassageCitations| PassageCitations { passage_id: of.passage, answers: of.answers, newest: of.newest };
    Ok(Some(DocumentPage {
        document,
        source_name: source.map(|source| source.name).unwrap_or_default(),
        passages,
        answers: cited.answers,
        is_cut: cited.is_cut,
        citations: cited.passages.into_iter().map(citations).collect(),
    }))
}
