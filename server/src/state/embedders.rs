//! The embedding models of the platform: one for English chatbots and one for all other languages, or a single one
//! behind an endpoint. Vectors of both have the same length, so that a chatbot's collection can move from one to the
//! other.

use std::sync::Arc;

use rag::embed::{CachingEmbedder, Embedder};

/// Maximum bytes of the cached vectors of sentences per model: about 10,000 sentences with 384 dimensions.
const EMBEDDING_CACHE_BYTES: usize = 16 * 1024 * 1024;

/// The models by the language of the chatbot that begins with them.
pub struct Embedders {
    english: Model,
    multilingual: Option<Model>,
}

struct Model {
    embedder: Arc<dyn Embedder>,
    sentences: CachingEmbedder,
}

/// Both models have vectors of different lengths.
#[derive(Debug, thiserror::Error)]
#[error("the vectors of the embedding models {0} and {1} have different lengths")]
pub struct UnequalDimensions(String, String);

impl Embedders {
    /// One model for all languages.
    pub fn only(embedder: Arc<dyn Embedder>) -> Self {
        Self { english: Model::new(embedder), multilingual: None }
    }

    /// One model for English and one for other languages; the same one twice is one for all.
    ///
    /// # Errors
    /// When their vectors have different lengths.
    pub fn by_language(english: Arc<dyn Embedder>, multilingual: Arc<dyn Embedder>) -> Result<Self, UnequalDimensions> {
        if english.dimensions() != multilingual.dimensions() {
            return Err(UnequalDimensions(english.model().to_owned(), multilingual.model().to_owned()));
        }
        let is_other = english.model() != multilingual.model();
        Ok(Self { english: Model::new(english), multilingual: is_other.then(|| Model::new(multilingual)) })
    }

    /// The model that a new chatbot gets.
    pub fn of_language(&self, language: &str) -> &Arc<dyn Embedder> {
        &self.model_of_language(language).embedder
    }

    /// The model of a chatbot: that of its vectors, or if it has none, that of its language. `None` when the platform
    /// does not have it.
    pub fn of_chatbot(&self, model: Option<&str>, language: &str) -> Option<&Arc<dyn Embedder>> {
        match model {
            Some(model) => self.find(model),
            None => Some(self.of_language(language)),
        }
    }

    /// The model of this name.
    pub fn find(&self, model: &str) -> Option<&Arc<dyn Embedder>> {
        self.models().map(|configured| &configured.embedder).find(|embedder| embedder.model() == model)
    }

    /// The model for other languages than English, if it is another one than English chatbots have.
    pub fn multilingual(&self) -> Option<&Arc<dyn Embedder>> {
        self.multilingual.as_ref().map(|model| &model.embedder)
    }

    /// Turns sentences of documents into vectors with the model of this name, and remembers those. Never for what visitors write.
    pub fn sentences(&self, model: &str) -> &dyn Embedder {
        let configured = self.models().find(|configured| configured.embedder.model() == model);
        &configured.unwrap_or(&self.english).sentences
    }

    /// The models, each with whether it is for English alone.
    pub fn all(&self) -> impl Iterator<Item = (&Arc<dyn Embedder>, bool)> {
        let has_other = self.multilingual.is_some();
        self.models().enumerate().map(move |(index, model)| (&model.embedder, has_other && index == 0))
    }

    /// The models' names.
    pub fn names(&self) -> Vec<&str> {
        self.models().map(|model| model.embedder.model()).collect()
    }

    /// How many numbers a vector has.
    pub fn dimensions(&self) -> usize {
        self.english.embedder.dimensions()
    }

    fn model_of_language(&self, language: &str) -> &Model {
        let is_english = language.split('-').next().is_some_and(|main| main.eq_ignore_ascii_case("en"));
        self.multilingual.as_ref().filter(|_| !is_english).unwrap_or(&self.english)
    }

    fn models(&self) -> impl Iterator<Item = &Model> {
        std::iter::once(&self.english).chain(&self.multilingual)
    }
}

impl Model {
    fn new(embedder: Arc<dyn Embedder>) -> Self {
        Self { sentences: CachingEmbedder::new(Arc::clone(&embedder), EMBEDDING_CACHE_BYTES), embedder }
    }
}

#[cfg(test)]
mod tests {
    use futures::future::BoxFuture;
    use rag::embed::{EmbedError, Purpose};

    use super::*;

    struct Named(&'static str, usize);

    impl Embedder for Named {
        fn model(&self) -> &str {
            self.0
        }

        fn dimensions(&self) -> usize {
            self.1
        }

        fn embed(&self, texts: Vec<String>, _: Purpose) -> BoxFuture<'_, Result<Vec<Vec<f32>>, EmbedError>> {
            Box::pin(async move { Ok(vec![vec![0.0; self.1]; texts.len()]) })
        }
    }

    #[test]
    fn a_new_chatbot_has_the_model_of_its_language() {
        let embedders = Embedders::by_language(Arc::new(Named("small", 2)), Arc::new(Named("large", 2))).unwrap();
        let model = |language| embedders.of_language(language).model().to_owned();
        assert_eq!(
            ["en", "en-GB", "EN", "de", "pl", "enm"].map(model),
            ["small", "small", "small", "large", "large", "large"]
        );
    }

    #[test]
    fn vectors_decide_before_the_language() {
        let embedders = Embedders::by_language(Arc::new(Named("small", 2)), Arc::new(Named("large", 2))).unwrap();
        let model = |stored_model, language| {
            embedders.of_chatbot(stored_model, language).map(|embedder| embedder.model().to_owned())
        };
        assert_eq!(model(Some("small"), "de").as_deref(), Some("small"));
        assert_eq!(model(None, "de").as_deref(), Some("large"));
        assert_eq!(model(Some("gone"), "de"), None);
    }

    #[test]
    fn models_with_vectors_of_different_lengths_are_refused() {
        assert!(Embedders::by_language(Arc::new(Named("small", 2)), Arc::new(Named("large", 3))).is_err());
    }

    #[test]
    fn a_single_model_serves_all_languages() {
        let embedders = Embedders::only(Arc::new(Named("endpoint", 2)));
        assert_eq!((embedders.of_language("de").model(), embedders.names()), ("endpoint", vec!["endpoint"]));
        assert!(embedders.multilingual().is_none());
    }
}
