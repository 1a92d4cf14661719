//! The language models of answers: that of `generator.url`, and those of `[[generator.endpoint]]`.

use std::{sync::Arc, time::Duration};

use contract::{answer_models::DEFAULT_MODEL, conversations::TokenUsage};
use rag::generate::openai::Generator;

use crate::{
    admission::answer_queue::{AnswerQueue, QueueLimits},
    config::Prices,
    state::{AppSettings, cached_bases::CachedBases},
};

/// A language model with its settings.
#[derive(Debug, Clone)]
pub struct ModelEndpoint {
    /// Its name in the settings.
    pub name: String,
    /// The client of its endpoint.
    pub generator: Generator,
    /// Its prices per million tokens.
    pub prices: Prices,
    /// Tokens of prompt and answer together; the setting's value when `None`.
    pub window_tokens: Option<usize>,
}

impl ModelEndpoint {
    /// The model of `generator.url`.
    pub fn default_of(generator: Generator, prices: Prices, window_tokens: Option<usize>) -> Self {
        Self { name: DEFAULT_MODEL.to_owned(), generator, prices, window_tokens }
    }

    /// The cost of an answer, in millionths of the currency.
    #[expect(clippy::cast_possible_truncation, reason = "an answer costs far less than 2^63 millionths")]
    pub fn cost_micros(&self, tokens: TokenUsage) -> i64 {
        let Prices { prompt, cached, answer } = self.prices;
        let in_cache = tokens.cached_tokens.min(tokens.prompt_tokens);
        let fresh = f64::from(tokens.prompt_tokens - in_cache);
        (fresh * prompt + f64::from(in_cache) * cached + f64::from(tokens.answer_tokens) * answer).round() as i64
    }
}

/// A language model with the queue of those who wait for it.
#[derive(Debug)]
pub struct AnswerModel {
    endpoint: ModelEndpoint,
    queue: AnswerQueue,
    /// The whole knowledge bases that the endpoint has in its cache.
    pub bases: CachedBases,
}

impl AnswerModel {
    /// Its queue admits as many answers as the endpoint supports, and lets them wait as long as the first word may
    /// take.
    pub fn new(endpoint: ModelEndpoint, answers: QueueLimits) -> Self {
        Self::with(endpoint, answers, CachedBases::default())
    }

    /// The same with what its endpoint has in its cache.
    pub fn with(endpoint: ModelEndpoint, answers: QueueLimits, bases: CachedBases) -> Self {
        let max_concurrent = endpoint.generator.max_concurrent();
        let queue_timeout: Duration = endpoint.generator.first_token();
        let limits =
            QueueLimits { max_concurrent, max_concurrent_per_chatbot: max_concurrent, queue_timeout, ..answers };
        Self { queue: AnswerQueue::new(limits), endpoint, bases }
    }

    /// Limits concurrent answers.
    pub fn queue(&self) -> &AnswerQueue {
        &self.queue
    }
}

impl std::ops::Deref for AnswerModel {
    type Target = ModelEndpoint;
    fn deref(&self) -> &ModelEndpoint {
        &self.endpoint
    }
}

/// Every language model of the settings, the default one first.
pub(super) fn all(settings: &AppSettings) -> Vec<Arc<AnswerModel>> {
    let default = settings
        .generator
        .clone()
        .map(|generator| ModelEndpoint::default_of(generator, settings.prices, settings.window_tokens));
    let endpoints = default.into_iter().chain(settings.endpoints.iter().cloned());
    endpoints.map(|endpoint| Arc::new(AnswerModel::new(endpoint, settings.answers))).collect()
}

#[cfg(test)]
mod tests {
    use rag::generate::openai::Settings;

    use super::*;

    #[test]
    fn tokens_of_the_cache_have_a_price_of_their_own() {
        let generator = Generator::new(Settings {
            base_url: "http://127.0.0.1:1/v1".to_owned(),
            key: None,
            model: "small".to_owned(),
            timeout: Duration::from_secs(1),
            first_token: Duration::from_secs(1),
            silence: Duration::from_secs(1),
            max_tokens: 1,
            max_concurrent: 1,
        });
        let prices = Prices { prompt: 2.0, cached: 0.5, answer: 8.0 };
        let endpoint = ModelEndpoint::default_of(generator.unwrap(), prices, None);
        let tokens = TokenUsage { prompt_tokens: 1000, cached_tokens: 400, answer_tokens: 100 };
        assert_eq!(endpoint.cost_micros(tokens), 600 * 2 + 200 + 800);
    }
}
