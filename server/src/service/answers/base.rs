//! A knowledge base that is small enough is in each prompt as a whole: the model reads what the search may miss. Its beginning is
//! the same for every question, so that an endpoint with a cache reads it once. One that would take too long for a visitor
//! gets passages of the search until it has read the base in the background.

use std::{sync::Arc, time::Duration};

use rag::{
    generate::{
        language::Language,
        prompt::{self, Message},
    },
    retrieve::Candidate,
};
use store::{Scope, passages};

use super::exchange::Exchange;
use crate::{
    error::ApiResult,
    service::knowledge::search::retrieval::passage,
    state::{GenerationSettings, answer_models::AnswerModel},
};

/// Maximum passages of a whole base: the verification compares each sentence of an answer with all of them.
const MAX_PASSAGES: i64 = 60;
/// Maximum bytes of a token, so that the database need not send what cannot fit.
const TOKEN_BYTES: usize = 5;
/// How long an endpoint may read a base in the background.
const READING_TIME: Duration = Duration::from_secs(300);

/// All passages of a chatbot, in an order that does not depend on the question.
pub(super) struct Base {
    pub(super) passages: Vec<Candidate>,
    /// The number of the prompt that begins with it.
    number: u64,
}

impl Base {
    /// All passages of the chatbot, if they have at most `tokens`.
    pub(super) async fn read(exchange: &Exchange, language: &Language, tokens: usize) -> ApiResult<Option<Self>> {
        let Exchange { app, chatbot, .. } = exchange;
        if tokens == 0 {
            return Ok(None);
        }
        let bytes = i64::try_from(tokens.saturating_mul(TOKEN_BYTES)).unwrap_or(i64::MAX);
        let mut tx = app.db.read(&Scope::widget(chatbot.tenant_id)).await?;
        let hits =
            passages::whole(&mut tx, chatbot.tenant_id, chatbot.config.chatbot_id, (MAX_PASSAGES, bytes)).await?;
        drop(tx);
        let passages: Vec<Candidate> = hits.into_iter().map(passage).collect();
        let fits = !passages.is_empty() && prompt::cost_of(&passages) <= tokens;
        Ok(fits.then(|| Self::of(exchange, language, passages)))
    }

    /// Passages that are all of the chatbot.
    pub(super) fn of(exchange: &Exchange, language: &Language, passages: Vec<Candidate>) -> Self {
        let number = prompt::beginning(language, &exchange.chatbot.system_prompt, &passages);
        Self { passages, number }
    }

    /// Whether the endpoint can answer from it in time: it has read it lately, or reads it fast enough. `usual` are the tokens of
    /// passages that an endpoint of unknown speed gets.
    pub(super) fn is_readable(&self, model: &AnswerModel, settings: &GenerationSettings, usual: usize) -> bool {
        let Some(due) = settings.first_word else { return true };
        let tokens = model.generator.tokens_within(due).unwrap_or(usual);
        model.bases.has(self.number) || prompt::cost_of(&self.passages) <= tokens
    }

    /// Records whether the endpoint has read the base.
    pub(super) fn note(&self, model: &AnswerModel, is_read: bool) {
        if is_read { model.bases.note(self.number) } else { model.bases.forget(self.number) }
    }

    /// Lets the endpoint read the base for later questions, unless it reads another one. `messages` begin with it.
    pub(super) fn read_ahead(&self, model: &Arc<AnswerModel>, messages: Vec<Message>) {
        let (model, number) = (Arc::clone(model), self.number);
        tokio::spawn(async move {
            let Some(reading) = model.bases.begin() else { return };
            match model.generator.read(&messages, READING_TIME).await {
                Ok(()) => model.bases.note(number),
                Err(error) => tracing::warn!(%error, "knowledge_base.not_read_ahead"),
            }
            drop(reading);
        });
    }
}
