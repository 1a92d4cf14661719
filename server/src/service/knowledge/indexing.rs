//! Turns a document that was read into passages and stores them: for files of the command line and for uploads.

use contract::{ChatbotId, TenantId, UploadId, chatbots::Chatbot, id::SourceId};
use rag::{
    chunk::{ChunkLimits, chunk},
    document::Document,
};
use store::{
    Scope, WriteTx,
    documents::{self, NewDocument},
    passages::{self, NewPassage},
};
use uuid::Uuid;

use super::{Error, characters};
use crate::state::App;

/// Whose document it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub tenant: TenantId,
    pub chatbot: ChatbotId,
    pub source: SourceId,
    /// The file that it came from, if a tenant uploaded it.
    pub upload: Option<UploadId>,
}

/// Refuses a chatbot whose vectors are of another embedding model.
pub(super) async fn refuse_other_model(app: &App, chatbot: &Chatbot) -> Result<(), Error> {
    let mut tx = app.db.read(&Scope::tenant(chatbot.tenant_id)).await?;
    let model = store::chatbots::embedding_model(&mut tx, chatbot.tenant_id, chatbot.id).await?;
    drop(tx);
    match model {
        Some(model) if model != app.embedder.model() => Err(Error::OtherModel(model, app.embedder.model().to_owned())),
        _ => Ok(()),
    }
}

/// Cuts a document into passages and embeds them.
pub(super) async fn embed(app: &App, document: &Document) -> Result<Vec<NewPassage>, Error> {
    let pieces = chunk(document, &ChunkLimits::default());
    let texts = pieces.iter().map(|piece| piece.embedding_text(&document.title)).collect();
    let vectors = app.embedder.embed(texts, rag::embed::Purpose::Document).await?;
    let passages = pieces.into_iter().zip(vectors).map(|(piece, embedding)| NewPassage {
        id: Uuid::now_v7(),
        ordinal: piece.ordinal,
        heading: piece.heading,
        anchor: piece.anchor,
        content: piece.content,
        embedding,
    });
    Ok(passages.collect())
}

/// Stores a document, or its next version, with its passages in place of the former ones; gives the former ones' ids.
pub(super) async fn replace(
    app: &App,
    tx: &mut WriteTx,
    place: Place,
    document: &Document,
    passages: &[NewPassage],
) -> Result<Vec<Uuid>, Error> {
    let Place { tenant, chatbot, source, upload } = place;
    let new = NewDocument {
        source,
        upload,
        path: &document.path,
        title: &document.title,
        content_hash: &document.content_hash,
        passage_count: passages.len(),
        characters: characters(passages),
    };
    let language = store::chatbots::lock_language(tx, tenant, chatbot).await?;
    let language = language.ok_or_else(|| Error::UnknownChatbot(chatbot.to_string()))?;
    store::chatbots::provision_collection(tx, chatbot, app.dimensions_in_database()).await?;
    let id = documents::upsert(tx, tenant, chatbot, &new).await?;
    Ok(passages::replace(tx, tenant, chatbot, id, &language, passages).await?)
}
