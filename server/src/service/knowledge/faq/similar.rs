//! Finds own answers to similar questions, so that the same question is not answered twice.

use std::collections::HashMap;

use contract::{
    ChatbotId, ErrorCode, FaqId,
    faq::similar::{MAX_SIMILAR_FAQ, SimilarFaq, SimilarFaqEntry, SimilarFaqQuery},
};
use rag::{
    embed::{Purpose, cosine},
    follow_up::Search,
};
use store::{Scope, chatbots, faq, vectors::Collection};

use crate::{
    caller::Caller,
    error::ApiResult,
    service::{
        chatbot_tx,
        knowledge::search::{self, SearchTarget, models},
    },
    state::App,
};

/// Phrasings that are compared with the question.
const COMPARED: usize = 12;

/// The entries of a chatbot that ask nearly the same as a question. The chatbot's own search finds the candidates; their questions
/// alone are then compared with this one, because a passage's vector has the answer in it.
///
/// # Errors
/// `chatbot_not_found`; `generator_unavailable` when the embedding model fails.
pub async fn similar(app: &App, caller: &Caller, chatbot: ChatbotId, query: &SimilarFaqQuery) -> ApiResult<SimilarFaq> {
    let question = query.question.trim();
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, chatbot).await?;
    let chatbot_model = chatbots::embedding_model(&mut tx, tenant, chatbot).await?;
    drop(tx);
    let (language, model) = chatbot_model.ok_or(ErrorCode::ChatbotNotFound)?;
    let collection = Collection { tenant, chatbot };
    let target = SearchTarget {
        collection,
        language: &language,
        model: model.as_deref(),
        second_model: None,
        is_reindexing: false,
    };
    let search = Search::new(question, &[], &language);
    let outcome = models::find(app, &Scope::tenant(tenant), &target, &search).await?;
    let Some(results) = outcome.models.into_iter().next() else { return Ok(SimilarFaq::default()) };
    let passages = results.texts.iter().flat_map(|text| text.nearest.iter().chain(&text.matching));
    let mut phrasings: Vec<(FaqId, String)> = Vec::new();
    for passage in passages.filter(|passage| passage.prepared) {
        // The template's answers have no id.
        let Ok(id) = passage.path.parse() else { continue };
        let phrasing = (FaqId(id), passage.heading.clone());
        if phrasings.len() < COMPARED && !phrasings.contains(&phrasing) {
            phrasings.push(phrasing);
        }
    }
    let texts = [question.to_owned()].into_iter().chain(phrasings.iter().map(|(_, text)| text.clone())).collect();
    let vectors = results.embedder.embed(texts, Purpose::Query).await.map_err(search::Error::from)?;
    let Some((own, others)) = vectors.split_first() else { return Ok(SimilarFaq::default()) };
    let threshold = threshold(results.embedder.model());
    let similar = phrasings.into_iter().zip(others).map(|((id, phrasing), vector)| (id, phrasing, cosine(own, vector)));
    let mut similar: Vec<_> = similar.filter(|(_, _, similarity)| *similarity >= threshold).collect();
    similar.sort_by(|(.., a), (.., b)| b.total_cmp(a));
    let ids: Vec<FaqId> = similar.iter().map(|(id, ..)| *id).collect();
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, chatbot).await?;
    // Removed when it is listed, so that an entry with several phrasings is listed once.
    let mut questions: HashMap<FaqId, String> =
        faq::questions(&mut tx, tenant, chatbot, &ids).await?.into_iter().collect();
    let entries = similar.into_iter().filter_map(|(id, phrasing, similarity)| {
        let question = questions.remove(&id)?;
        Some(SimilarFaqEntry { id, question, phrasing, similarity: f64::from(similarity.clamp(0.0, 1.0)) })
    });
    Ok(SimilarFaq { items: entries.take(MAX_SIMILAR_FAQ).collect() })
}

/// The cosine of two questions from which on they ask nearly the same, by embedding model: a first estimate. The cosines of
/// `multilingual-e5-small` are all high.
fn threshold(model: &str) -> f32 {
    match model {
        "multilingual-e5-small" => 0.9,
        _ => 0.75,
    }
}
