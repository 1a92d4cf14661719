//! Finds passages for a question: with the chatbot's own model, with the one of its second vectors when the question is in
//! another language, and with both when its language is unclear. A model of many languages needs no
//! second vectors: a question in another language is searched with it in both ways, as one in the passages' language and as
//! one in another.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rag::{
    embed::{Embedder, MULTILINGUAL_MODEL, Purpose},
    follow_up::Search,
    generate::language::{Language, QuestionLanguage},
    retrieve::{Calibration, DEPTH},
};
use store::{Scope, passages::VectorKind};

use tracing::{Instrument as _, info_span};

use super::{
    Error, SearchTarget, likeness,
    retrieval::{self, RetrievalRequest, TextResults},
};
use crate::{state::App, telemetry::TARGET};

/// The share of a question's rare words in a passage from which on the question is certainly in the chatbot's language.
const FULL_COVERAGE: f32 = 0.8;

/// The results of one model.
pub struct ModelResults {
    /// The model of the vectors.
    pub embedder: Arc<dyn Embedder>,
    /// Turns scores of this search into a confidence.
    pub calibration: Calibration,
    /// The chatbot's language.
    pub language: String,
    /// The vectors of the search's texts.
    pub vectors: Vec<Vec<f32>>,
    /// The results for each text.
    pub texts: Vec<TextResults>,
}

/// The results of each model, and the duration.
pub struct Results {
    /// The results of each model; at least one.
    pub models: Vec<ModelResults>,
    /// Turning the question into vectors.
    pub embedding: Duration,
    /// Searching, by vector and by words.
    pub searching: Duration,
}

impl ModelResults {
    /// The text whose words an answer must contain, see [`Search::answer_query`], with typing errors corrected.
    pub fn answer_query<'a>(&'a self, search: &'a Search) -> &'a str {
        as_searched(search.answer_query(), search, &self.texts)
    }

    /// Whether hardly a passage has one of the words of the question itself.
    pub fn has_unfamiliar_words(&self) -> bool {
        self.texts.first().is_some_and(|text| text.has_unfamiliar_words)
    }

    /// Whether a passage has nearly all of the question's words.
    fn covers_question(&self) -> bool {
        let matching = self.texts.iter().flat_map(|text| &text.matching);
        let best = matching.map(|passage| passage.coverage).fold(0.0, f32::max);
        best >= FULL_COVERAGE
    }
}

/// The text of `search` in the form that was searched for.
fn as_searched<'a>(text: &'a str, search: &Search, results: &'a [TextResults]) -> &'a str {
    let mut searched = search.texts().iter().zip(results);
    searched.find(|(searched_text, _)| *searched_text == text).map_or(text, |(_, results)| results.text.as_str())
}

/// Searches the chatbot's own collection.
///
/// # Errors
/// When a model, the database or the vector store fails. The model for other languages is not needed while the chatbot's own one
/// may have the answer.
pub async fn find(app: &App, scope: &Scope, target: &SearchTarget<'_>, search: &Search) -> Result<Results, Error> {
    let mut results = Results { models: Vec::new(), embedding: Duration::ZERO, searching: Duration::ZERO };
    let second = second_model(app, target);
    let own = app.embedders.of_chatbot(target.model, target.language);
    let language = match second {
        None if !knows_languages(own, target.language) => QuestionLanguage::Same,
        _ => Language::compare(search.combined_query(), target.language),
    };
    let is_other = language == QuestionLanguage::Other;
    if !is_other || second.is_none() {
        // Documents may be in another language than their chatbot, too.
        let own = own.ok_or_else(|| Error::UnknownModel(target.model.unwrap_or_default().to_owned()))?;
        let pass = Pass { embedder: own, kind: VectorKind::Own, is_same_language: true };
        results.add(app, scope, target, search, pass).await?;
    }
    let is_covered = results.models.iter().any(ModelResults::covers_question);
    let across = match second {
        Some(second) => Some(Pass { embedder: second, kind: VectorKind::Second, is_same_language: false }),
        None => {
            own.filter(|_| is_other).map(|own| Pass { embedder: own, kind: VectorKind::Own, is_same_language: false })
        }
    };
    if let Some(pass) = across.filter(|_| language != QuestionLanguage::Same && !is_covered) {
        let added = results.add(app, scope, target, search, pass).await;
        match added {
            Err(error) if is_other => return Err(error),
            Err(error) => tracing::warn!(%error, "second_vectors.not_searched"),
            Ok(()) => {}
        }
    }
    Ok(results)
}

/// The model for questions in other languages, when the platform has the one of the second vectors.
fn second_model<'a>(app: &'a App, target: &SearchTarget<'_>) -> Option<&'a Arc<dyn Embedder>> {
    let model = target.second_model?;
    app.embedders.multilingual().filter(|embedder| embedder.model() == model && target.model != Some(model))
}

/// Whether the chatbot's own model understands questions in other languages, and the chatbot's language has words by which
/// they are told apart.
fn knows_languages(own: Option<&Arc<dyn Embedder>>, language: &str) -> bool {
    own.is_some_and(|own| own.model() == MULTILINGUAL_MODEL) && Language::find(language).is_some()
}

/// How a question is searched with one model.
struct Pass<'a> {
    embedder: &'a Arc<dyn Embedder>,
    /// The vectors of passages that are of this model.
    kind: VectorKind,
    /// Whether the question may be in the language of the passages.
    is_same_language: bool,
}

impl Results {
    async fn add(
        &mut self,
        app: &App,
        scope: &Scope,
        target: &SearchTarget<'_>,
        search: &Search,
        Pass { embedder, kind, is_same_language }: Pass<'_>,
    ) -> Result<(), Error> {
        let started = Instant::now();
        let embeddings = info_span!(
            target: TARGET, "embeddings",
            gen_ai.operation.name = "embeddings",
            gen_ai.request.model = embedder.model(),
            gen_ai.embeddings.dimension.count = embedder.dimensions(),
        );
        let vectors = embedder.embed(search.texts().to_vec(), Purpose::Query).instrument(embeddings).await?;
        let embedded = started.elapsed();
        let request = RetrievalRequest {
            collection: target.collection,
            language: target.language,
            model: embedder.model(),
            kind,
            is_same_language,
            limit: DEPTH,
            texts: search.texts(),
            vectors: &vectors,
        };
        let retrieving = info_span!(
            target: TARGET, "retrieval",
            gen_ai.operation.name = "retrieval",
            gen_ai.data_source.id = %target.collection.chatbot,
        );
        let mut texts = retrieval::search(app, scope, &request).instrument(retrieving).await?;
        let threshold = app.settings.relevance_threshold;
        let calibration = if is_same_language {
            Calibration::of(embedder.model(), threshold)
        } else {
            Calibration::across_languages(embedder.model(), threshold)
        };
        likeness::compare(embedder.as_ref(), &calibration, &mut texts).await?;
        self.embedding += embedded;
        self.searching += started.elapsed().saturating_sub(embedded);
        let language = target.language.to_owned();
        self.models.push(ModelResults { embedder: Arc::clone(embedder), calibration, language, vectors, texts });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(texts: &[&str]) -> Vec<TextResults> {
        texts.iter().map(|text| TextResults { text: (*text).to_owned(), ..TextResults::default() }).collect()
    }

    #[test]
    fn an_answer_has_the_corrected_words_of_its_question() {
        let alone = Search::new("evenings for pottres", &[], "en");
        let of =
            |search: &Search, texts: &[&str]| as_searched(search.answer_query(), search, &results(texts)).to_owned();
        assert_eq!(of(&alone, &["evenings for potters"]), "evenings for potters");
        assert_eq!(of(&alone, &[]), "evenings for pottres");
        let why = Search::new("Why?", &["How long is the pottres course?"], "en");
        assert_eq!(of(&why, &["Why?", "How long is the potters course? Why?"]), "How long is the potters course? Why?");
    }
}
