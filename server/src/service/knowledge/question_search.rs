//! Searches a chatbot's passages for a question: with the chatbot's own model, with the one of its second vectors when
//! the question is in another language, and with both when its language is unclear. A model of many languages needs no
//! second vectors: a question in another language is searched with it in both ways, as one in the passages' language and as
//! one in another.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rag::{
    embed::{EmbedError, Embedder, MULTILINGUAL_MODEL, Purpose},
    follow_up::Search,
    generate::language::{Language, QuestionLanguage},
    retrieve::{Calibration, Candidate, DEPTH},
};
use store::{
    Scope,
    passages::{Hit, VectorKind},
    vectors::Collection,
};

use tracing::{Instrument as _, info_span};

use super::{
    likeness,
    retrieval::{self, FoundPassage, Hits, RetrievalRequest},
};
use crate::{state::App, telemetry::TARGET};

/// The share of a question's rare words in a passage from which on the question is certainly in the chatbot's language.
const COVERED: f32 = 0.8;

/// Why a question could not be searched for.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The chatbot's vectors are of a model that the platform does not have.
    #[error("the chatbot's embedding model {0} is not configured")]
    UnknownModel(String),
    /// A model failed.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// The database or the vector store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// The chatbot to search.
#[derive(Debug, Clone, Copy)]
pub struct Searched<'a> {
    /// The chatbot's passages and vectors.
    pub collection: Collection,
    /// The chatbot's language.
    pub language: &'a str,
    /// The model of its own vectors.
    pub model: Option<&'a str>,
    /// The model of its second vectors; `None` when questions in other languages are not answered.
    pub second_model: Option<&'a str>,
}

/// The results of one model.
pub struct Finding {
    /// The model of the vectors.
    pub embedder: Arc<dyn Embedder>,
    /// Turns scores of this search into a confidence.
    pub calibration: Calibration,
    /// The chatbot's language.
    pub language: String,
    /// The vectors of the search's texts.
    pub vectors: Vec<Vec<f32>>,
    /// The results for each text.
    pub hits: Vec<Hits>,
}

/// The results of each model, and the duration.
pub struct Findings {
    /// The results of each model; at least one.
    pub all: Vec<Finding>,
    /// Turning the question into vectors.
    pub embedding: Duration,
    /// Searching, by vector and by words.
    pub searching: Duration,
}

impl Finding {
    /// For each text the results of the search by vector and of the search by words, with ids mapped by the caller.
    pub fn candidates<I>(&self, id: impl Fn(&Hit) -> I) -> Vec<[Vec<Candidate<I>>; 2]> {
        let candidates = |hits: &[FoundPassage]| hits.iter().map(|found| found.clone().candidate(&id)).collect();
        self.hits.iter().map(|hits| [candidates(&hits.nearest), candidates(&hits.matching)]).collect()
    }

    /// The text whose words an answer must contain, see [`Search::answer_query`], with typing errors corrected.
    pub fn answer_query<'a>(&'a self, search: &'a Search) -> &'a str {
        as_searched(search.answer_query(), search, &self.hits)
    }

    /// Whether hardly a passage has one of the words of the question itself.
    pub fn has_unfamiliar_words(&self) -> bool {
        self.hits.first().is_some_and(|hits| hits.has_unfamiliar_words)
    }

    /// Whether a passage has nearly all of the question's words.
    fn covers_question(&self) -> bool {
        let best = self.hits.iter().flat_map(|hits| &hits.matching).map(|found| found.coverage).fold(0.0, f32::max);
        best >= COVERED
    }
}

/// The text of `search` in the form that was searched for.
fn as_searched<'a>(text: &'a str, search: &Search, hits: &'a [Hits]) -> &'a str {
    let mut searched = search.texts().iter().zip(hits);
    searched.find(|(known, _)| *known == text).map_or(text, |(_, hits)| hits.text.as_str())
}

/// Searches the chatbot's own collection.
///
/// # Errors
/// When a model, the database or the vector store fails. The model for other languages is not needed while the chatbot's own one
/// may have the answer.
pub async fn search(app: &App, scope: &Scope, searched: &Searched<'_>, search: &Search) -> Result<Findings, Error> {
    let mut findings = Findings { all: Vec::new(), embedding: Duration::ZERO, searching: Duration::ZERO };
    let second = second_model(app, searched);
    let own = app.embedders.of_chatbot(searched.model, searched.language);
    let language = match second {
        None if !knows_languages(own, searched.language) => QuestionLanguage::Same,
        _ => Language::compare(search.combined_query(), searched.language),
    };
    let is_other = language == QuestionLanguage::Other;
    if !is_other || second.is_none() {
        // Documents may be in another language than their chatbot, too.
        let own = own.ok_or_else(|| Error::UnknownModel(searched.model.unwrap_or_default().to_owned()))?;
        let asked = Asked { embedder: own, kind: VectorKind::Own, is_same_language: true };
        findings.add(app, scope, searched, search, asked).await?;
    }
    let is_covered = findings.all.iter().any(Finding::covers_question);
    let across = match second {
        Some(second) => Some(Asked { embedder: second, kind: VectorKind::Second, is_same_language: false }),
        None => {
            own.filter(|_| is_other).map(|own| Asked { embedder: own, kind: VectorKind::Own, is_same_language: false })
        }
    };
    if let Some(asked) = across.filter(|_| language != QuestionLanguage::Same && !is_covered) {
        let added = findings.add(app, scope, searched, search, asked).await;
        match added {
            Err(error) if is_other => return Err(error),
            Err(error) => tracing::warn!(%error, "second_vectors.not_searched"),
            Ok(()) => {}
        }
    }
    Ok(findings)
}

/// The model for questions in other languages, when the platform has the one of the second vectors.
fn second_model<'a>(app: &'a App, searched: &Searched<'_>) -> Option<&'a Arc<dyn Embedder>> {
    let model = searched.second_model?;
    app.embedders.multilingual().filter(|known| known.model() == model && searched.model != Some(model))
}

/// Whether the chatbot's own model understands questions in other languages, and the chatbot's language has words by which
/// they are told apart.
fn knows_languages(own: Option<&Arc<dyn Embedder>>, language: &str) -> bool {
    own.is_some_and(|own| own.model() == MULTILINGUAL_MODEL) && Language::known(language).is_some()
}

/// How a question is searched with one model.
struct Asked<'a> {
    embedder: &'a Arc<dyn Embedder>,
    /// The vectors of passages that are of this model.
    kind: VectorKind,
    /// Whether the question may be in the language of the passages.
    is_same_language: bool,
}

impl Findings {
    async fn add(
        &mut self,
        app: &App,
        scope: &Scope,
        searched: &Searched<'_>,
        search: &Search,
        Asked { embedder, kind, is_same_language }: Asked<'_>,
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
            collection: searched.collection,
            language: searched.language,
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
            gen_ai.data_source.id = %searched.collection.chatbot,
        );
        let mut hits = retrieval::search(app, scope, &request).instrument(retrieving).await?;
        let threshold = app.settings.relevance_threshold;
        let calibration = if is_same_language {
            Calibration::of(embedder.model(), threshold)
        } else {
            Calibration::across_languages(embedder.model(), threshold)
        };
        likeness::compare(embedder.as_ref(), &calibration, &mut hits).await?;
        self.embedding += embedded;
        self.searching += started.elapsed().saturating_sub(embedded);
        let language = searched.language.to_owned();
        self.all.push(Finding { embedder: Arc::clone(embedder), calibration, language, vectors, hits });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(texts: &[&str]) -> Vec<Hits> {
        texts.iter().map(|text| Hits { text: (*text).to_owned(), ..Hits::default() }).collect()
    }

    #[test]
    fn an_answer_has_the_corrected_words_of_its_question() {
        let alone = Search::new("evenings for pottres", &[], "en");
        let of = |search: &Search, found: &[&str]| as_searched(search.answer_query(), search, &hits(found)).to_owned();
        assert_eq!(of(&alone, &["evenings for potters"]), "evenings for potters");
        assert_eq!(of(&alone, &[]), "evenings for pottres");
        let why = Search::new("Why?", &["How long is the pottres course?"], "en");
        assert_eq!(of(&why, &["Why?", "How long is the potters course? Why?"]), "How long is the potters course? Why?");
    }
}
