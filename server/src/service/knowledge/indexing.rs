//! Splits a document into passages and stores them, for files of the command line and for uploads.

use std::sync::Arc;

use contract::{
    ChatbotId, TenantId, UploadId,
    documents::{Omission, OmissionKind},
    id::{DocumentId, SourceId},
};
use rag::{
    chunk::{ChunkLimits, chunk},
    document::{self, Document, Layout},
    embed::{Embedder, Purpose},
    repeated,
};
use store::{
    Scope, WriteTx,
    documents::{self, NewDocument},
    passages::{self, NewPassage},
};
use uuid::Uuid;

use super::{Error, characters, second_vectors};
use crate::state::App;

/// Whose passages are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct DocumentOwner {
    pub tenant: TenantId,
    pub chatbot: ChatbotId,
    pub source: SourceId,
    /// The file that it was read from, if a tenant uploaded it.
    pub upload: Option<UploadId>,
}

/// The embedding model of a chatbot's vectors.
///
/// # Errors
/// [`Error::UnknownChatbot`], and [`Error::OtherModel`] when the platform does not have the model.
pub(super) async fn embedder(app: &App, tenant: TenantId, chatbot: ChatbotId) -> Result<Arc<dyn Embedder>, Error> {
    let mut tx = app.db.read(&Scope::tenant(tenant)).await?;
    let chatbot_model = store::chatbots::embedding_model(&mut tx, tenant, chatbot).await?;
    drop(tx);
    let (language, model) = chatbot_model.ok_or_else(|| Error::UnknownChatbot(chatbot.to_string()))?;
    let embedder = app.embedders.of_chatbot(model.as_deref(), &language);
    embedder.map(Arc::clone).ok_or_else(|| Error::OtherModel(model.unwrap_or_default()))
}

/// The chatbot's language, which stays as it is until the transaction ends, as does the embedding model: it must be `model`.
///
/// # Errors
/// [`Error::UnknownChatbot`], [`Error::ModelChanged`].
pub(super) async fn lock(
    app: &App,
    tx: &mut WriteTx,
    (tenant, chatbot): (TenantId, ChatbotId),
    model: &str,
) -> Result<String, Error> {
    let chatbot_model = store::chatbots::lock_for_passages(tx, tenant, chatbot).await?;
    let (language, current) = chatbot_model.ok_or_else(|| Error::UnknownChatbot(chatbot.to_string()))?;
    let current = app.embedders.of_chatbot(current.as_deref(), &language);
    if current.is_some_and(|embedder| embedder.model() == model) { Ok(language) } else { Err(Error::ModelChanged) }
}

/// Passages with their vectors.
pub(super) struct Embedded {
    pub passages: Vec<NewPassage>,
    /// The model of the vectors.
    pub model: String,
    /// Blocks that repeat on other pages and were left out.
    pub repeated: usize,
}

/// Cuts a document into passages, without blocks that repeat on other pages of its source, and embeds them with the
/// chatbot's model.
///
/// # Errors
/// Like [`embedder`]; also when the model fails.
pub(super) async fn embed(app: &App, owner: DocumentOwner, document: &Document) -> Result<Embedded, Error> {
    let embedder = embedder(app, owner.tenant, owner.chatbot).await?;
    let own = without_repeated(app, owner, document).await?;
    let (own, repeated) = own.as_ref().map_or((document, 0), |(own, repeated)| (own, *repeated));
    let pieces = chunk(own, &ChunkLimits::default());
    let texts = pieces.iter().map(|piece| piece.embedding_text(&document.title)).collect();
    let vectors = embedder.embed(texts, Purpose::Document).await?;
    let passages = pieces.into_iter().zip(vectors).map(|(piece, embedding)| NewPassage {
        id: Uuid::now_v7(),
        ordinal: piece.ordinal,
        heading: piece.heading,
        anchor: piece.anchor,
        content: piece.content,
        embedding,
    });
    Ok(Embedded { passages: passages.collect(), model: embedder.model().to_owned(), repeated })
}

/// What a document leaves out, as the API says it.
fn omissions(document: &Document) -> Vec<Omission> {
    let kind = |kind: document::Omission| match kind {
        document::Omission::StruckText => OmissionKind::StruckText,
        document::Omission::HiddenText => OmissionKind::HiddenText,
        document::Omission::HiddenRows => OmissionKind::HiddenRows,
        document::Omission::HiddenColumns => OmissionKind::HiddenColumns,
        document::Omission::HiddenSheets => OmissionKind::HiddenSheets,
        document::Omission::HiddenSlides => OmissionKind::HiddenSlides,
        document::Omission::MissingValues => OmissionKind::MissingValues,
        document::Omission::UnknownCharacters => OmissionKind::UnknownCharacters,
        document::Omission::EmbeddedObjects => OmissionKind::EmbeddedObjects,
        document::Omission::BeyondMaximum => OmissionKind::BeyondMaximum,
    };
    document.omissions.iter().map(|(what, count)| Omission { kind: kind(*what), count: i64::from(*count) }).collect()
}

/// An HTML page without blocks that repeat on other pages of its source, and the number of these, if there are any.
async fn without_repeated(
    app: &App,
    owner: DocumentOwner,
    document: &Document,
) -> Result<Option<(Document, usize)>, Error> {
    if document.layout != Layout::WebPage {
        return Ok(None);
    }
    let DocumentOwner { tenant, source, .. } = owner;
    let mut tx = app.db.read(&Scope::tenant(tenant)).await?;
    let limit = repeated::COMPARED_PAGES;
    let earlier = documents::blocks_of_earlier_pages(&mut tx, tenant, source, &document.path, limit).await?;
    drop(tx);
    Ok(repeated::leave_out(document, &repeated::on_most(&earlier)))
}

/// The result of storing a document.
pub(super) struct Replaced {
    pub document: DocumentId,
    /// The passages that it had before.
    pub former: Vec<Uuid>,
}

/// Stores a document, or its next version, with its passages in place of the former ones.
pub(super) async fn replace(
    app: &App,
    tx: &mut WriteTx,
    owner: DocumentOwner,
    document: &Document,
    Embedded { passages, model, .. }: &Embedded,
) -> Result<Replaced, Error> {
    let DocumentOwner { tenant, chatbot, source, upload } = owner;
    let new = NewDocument {
        source,
        upload,
        path: &document.path,
        title: &document.title,
        content_hash: &document.content_hash,
        passage_count: passages.len(),
        characters: characters(passages),
        ocr_pages: document.ocr_pages.iter().filter_map(|page| i32::try_from(*page).ok()).collect(),
        omissions: omissions(document),
        block_hashes: repeated::hashes(document),
    };
    let language = lock(app, tx, (tenant, chatbot), model).await?;
    store::chatbots::provision_collection(tx, chatbot, app.dimensions_in_database()).await?;
    let id = documents::upsert(tx, tenant, chatbot, &new).await?;
    second_vectors::queue(app, tx, tenant, chatbot).await?;
    let former = passages::replace(tx, tenant, chatbot, id, &language, passages).await?;
    Ok(Replaced { document: id, former })
}
