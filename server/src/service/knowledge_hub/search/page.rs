//! The page of results: its passages are read in the caller's scope, and passages that the scope hides are not results.

use std::collections::{HashMap, HashSet};

use contract::{
    ChatbotId,
    id::PassageId,
    knowledge_hub::{AlsoIn, SearchHit, Why},
};
use rag::{query_words, snippet};
use store::knowledge_hub::{
    hits::{self, DocumentLocation, ReadPassage},
    search::FoundPassage,
};
use uuid::Uuid;

use super::{
    super::{
        ranking::Ranked,
        snippets::{self, unmarked},
    },
    Request, Searcher,
    collections::Collections,
};
use crate::{error::ApiResult, state::App};

/// Passages that are searched for a correction of a word.
const MAX_SCANNED: usize = 10;
/// Maximum other places that are listed.
const MAX_ALSO_IN: usize = 10;

pub(super) async fn read(
    app: &App,
    searcher: &Searcher,
    request: &Request<'_>,
    collections: &Collections,
    page: &[Ranked],
) -> ApiResult<Vec<SearchHit>> {
    let ids: Vec<_> = page.iter().map(|ranked| id(&ranked.passage)).collect();
    let others: Vec<Uuid> = page.iter().flat_map(|ranked| ranked.also_in.iter().take(MAX_ALSO_IN).copied()).collect();
    let mut tx = app.db.read(&searcher.scope).await?;
    let read = hits::passages(&mut tx, searcher.tenant, &ids, &collections.marked_words()).await?;
    let locations =
        if others.is_empty() { Vec::new() } else { hits::locations(&mut tx, searcher.tenant, &others).await? };
    let mut read: HashMap<Uuid, ReadPassage> =
        read.into_iter().filter_map(|passage| Some((passage.id?, passage))).collect();
    let locations: HashMap<Uuid, DocumentLocation> =
        locations.into_iter().map(|location| (location.document, location)).collect();
    let results = page.iter().filter_map(|ranked| {
        let passage = read.remove(&ranked.passage.id)?;
        let also_in = ranked.also_in.iter().filter_map(|document| locations.get(document).cloned());
        let why = request.explain.then(|| why(ranked));
        Some(hit(passage, also_in.map(AlsoIn::from).collect(), why))
    });
    Ok(results.collect())
}

fn why(ranked: &Ranked) -> Why {
    let FoundPassage { cosine, words, in_heading, .. } = ranked.passage;
    let rounded = |value: f64| (value * 10_000.0).round() / 10_000.0;
    Why { cosine: rounded(cosine), words: rounded(words), heading: in_heading, rerank: ranked.rerank }
}

/// The result of a passage that was read.
pub(super) fn hit(passage: ReadPassage, also_in: Vec<AlsoIn>, why: Option<Why>) -> SearchHit {
    let ReadPassage { id, location, heading, anchor, marked } = passage;
    let (snippet, highlights) = snippets::snippet(&marked);
    let url = location.url.map(|url| match &anchor {
        Some(anchor) => format!("{url}#{}", snippet::escaped(anchor)),
        None => url,
    });
    SearchHit {
        document_id: location.version,
        passage_id: id.map(PassageId),
        title: location.title,
        heading,
        snippet,
        highlights,
        anchor,
        url,
        source: location.source,
        chatbot: location.chatbot,
        language: location.language,
        updated_at: location.updated_at,
        also_in,
        why,
    }
}

/// The corrected query, when a word of it is in no passage and the nearest passages have one with a similar spelling.
pub(super) async fn suggestion(
    app: &App,
    searcher: &Searcher,
    q: &str,
    collections: &Collections,
    nearly: &[FoundPassage],
) -> ApiResult<Option<String>> {
    let unknown = collections.unknown_words();
    if unknown.is_empty() || nearly.is_empty() {
        return Ok(None);
    }
    let ids: Vec<_> = nearly.iter().take(MAX_SCANNED).map(id).collect();
    let mut tx = app.db.read(&searcher.scope).await?;
    let read = hits::passages(&mut tx, searcher.tenant, &ids, &[]).await?;
    let texts: Vec<String> =
        read.iter().map(|passage| format!("{} {}", passage.heading, unmarked(&passage.marked))).collect();
    let models: HashSet<&str> = collections.models().map(|(_, model)| model).collect();
    let embedders: Vec<_> = models.into_iter().filter_map(|model| app.embedders.find(model)).collect();
    let is_word = |word: &str| embedders.iter().any(|embedder| embedder.has_word(word));
    let meant = query_words::corrected(q, &unknown, texts.iter().map(String::as_str), is_word);
    Ok(Some(meant).filter(|meant| meant.to_lowercase() != q.to_lowercase()))
}

/// A passage as it is read by.
pub(super) fn id(passage: &FoundPassage) -> (ChatbotId, Uuid) {
    (ChatbotId(passage.chatbot_id), passage.id)
}
