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
        knowledge::question_search::{self, Error, Searched},
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
    let found = chatbots::embedding_model(&mut tx, tenant, chatbot).await?;
    drop(tx);
    let (language, model) = found.ok_or(ErrorCode::ChatbotNotFound)?;
    let collection = Collection { tenant, chatbot };
    let searched = Searched { collection, language: &language, model: model.as_deref(), second_model: None };
    let search = Search::new(question, &[], &language);
    let found = question_search::search(app, &Scope::tenant(tenant), &searched, &search).await;
    let Some(finding) = found.map_err(refusal)?.all.into_iter().next() else { return Ok(SimilarFaq::default()) };
    let hits = finding.hits.iter().flat_map(|hits| hits.nearest.iter().chain(&hits.matching));
    let mut phrasings: Vec<(FaqId, String)> = Vec::new();
    for hit in hits.map(|found| &found.hit).filter(|hit| hit.prepared) {
        // The template's answers have no id.
        let Ok(id) = hit.path.parse() else { continue };
        let phrasing = (FaqId(id), hit.heading.clone());
        if phrasings.len() < COMPARED && !phrasings.contains(&phrasing) {
            phrasings.push(phrasing);
        }
    }
    let texts = [question.to_owned()].into_iter().chain(phrasings.iter().map(|(_, text)| text.clone())).collect();
    let vectors = finding.embedder.embed(texts, Purpose::Query).await.map_err(|error| refusal(error.into()))?;
    let Some((own, others)) = vectors.split_first() else { return Ok(SimilarFaq::default()) };
    let threshold = threshold(finding.embedder.model());
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

fn refusal(error: Error) -> crate::error::ApiError {
    match error {
        Error::Store(error) => error.into(),
        error => {
            tracing::error!(%error, "embedding.failed");
            ErrorCode::GeneratorUnavailable.into()
        }
    }
}
