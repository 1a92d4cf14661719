//! What a language model reads for a question: the whole knowledge base if it is small, otherwise the best passages.

use std::sync::Arc;

use contract::widget::{MessageRole, WidgetMessage};
use rag::{
    chunk::estimate_tokens,
    generate::{
        language::Language,
        openai::Generator,
        prompt::{self, MAX_PASSAGES, Message, PromptInput, Role},
        section,
    },
    retrieve::Candidate,
};
use store::{Scope, vectors::Collection};
use uuid::Uuid;

use super::{base::Base, exchange::Exchange, sections};
use crate::{
    error::ApiResult,
    state::{GenerationSettings, answer_models::AnswerModel},
};

/// Tokens of passages that every prompt has room for, however slow the endpoint is: the best passage, and often a second one.
const MIN_PASSAGE_TOKENS: usize = 350;
/// Passages on each side of a found one that are read: a prompt has room for a few.
const NEAR: i32 = 8;
/// Approximate tokens of rules and worked examples.
const RULES_TOKENS: usize = 700;

/// What a model reads for a question.
pub(super) struct PromptTexts {
    pub(super) passages: Vec<Candidate>,
    /// Maximum tokens of the conversation.
    history_tokens: usize,
    /// All passages of the chatbot, if they are small enough.
    base: Option<Base>,
    /// Whether `passages` are those of the base.
    is_whole_base: bool,
}

impl PromptTexts {
    /// Those of the whole base if the endpoint can read it in time, otherwise the best of `found`.
    pub(super) async fn of(
        exchange: &Exchange,
        model: &AnswerModel,
        language: &Language,
        candidates: &[Candidate],
    ) -> ApiResult<Self> {
        let (_, room) = room(exchange, model);
        let base = Base::read(exchange, language, exchange.app.settings.generation.base_tokens.min(room)).await?;
        Self::with(base, exchange, model, candidates).await
    }

    /// The same in reverse order.
    pub(super) async fn turned(
        &self,
        exchange: &Exchange,
        model: &AnswerModel,
        language: &Language,
        candidates: &[Candidate],
    ) -> ApiResult<Self> {
        let reversed: Vec<Candidate> = self.passages.iter().rev().cloned().collect();
        if self.is_whole_base {
            let base = Base::of(exchange, language, reversed);
            return Self::with(Some(base), exchange, model, candidates).await;
        }
        Ok(Self { passages: reversed, history_tokens: self.history_tokens, base: None, is_whole_base: false })
    }

    async fn with(
        mut base: Option<Base>,
        exchange: &Exchange,
        model: &AnswerModel,
        candidates: &[Candidate],
    ) -> ApiResult<Self> {
        let settings = &exchange.app.settings.generation;
        let (history_tokens, room) = room(exchange, model);
        let most = settings.passage_tokens.min(room);
        if let Some(whole_base) = base.as_mut().filter(|base| base.is_readable(model, settings, most)) {
            let passages = std::mem::take(&mut whole_base.passages);
            return Ok(Self { passages, history_tokens, base, is_whole_base: true });
        }
        let passages = match candidates {
            [] => Vec::new(),
            candidates => {
                whole_sections(exchange, candidates, passage_tokens(&model.generator, settings, most)).await?
            }
        };
        Ok(Self { passages, history_tokens, base, is_whole_base: false })
    }

    /// The prompt.
    pub(super) fn messages(&self, exchange: &Exchange, language: &'static Language) -> Vec<Message> {
        messages(exchange, language, &self.passages, self.is_whole_base, self.history_tokens)
    }

    /// Records whether the endpoint has read the prompt.
    pub(super) fn note(&self, model: &AnswerModel, is_read: bool) {
        if let Some(base) = self.base.as_ref().filter(|_| self.is_whole_base) {
            base.note(model, is_read);
        }
    }

    /// Lets the endpoint read a base that was too long for this visitor.
    pub(super) fn read_ahead(&self, exchange: &Exchange, model: &Arc<AnswerModel>, language: &'static Language) {
        let Some(base) = self.base.as_ref().filter(|_| !self.is_whole_base) else { return };
        let alone = Exchange { messages: Vec::new(), ..exchange.clone() };
        base.read_ahead(model, messages(&alone, language, &base.passages, true, 0));
    }
}

/// Maximum tokens of the conversation, and what the model's window leaves for the passages.
fn room(exchange: &Exchange, model: &AnswerModel) -> (usize, usize) {
    let history = exchange.app.settings.history_tokens;
    let Some(window) = model.window_tokens else { return (history, usize::MAX) };
    let fixed = RULES_TOKENS + estimate_tokens(&exchange.chatbot.system_prompt) + estimate_tokens(&exchange.question);
    let room = window.saturating_sub(fixed + model.generator.max_tokens());
    let history = history.min(room / 3);
    (history, room - history)
}

/// Maximum tokens of the passages: as many as the endpoint reads before its first word is due.
fn passage_tokens(generator: &Generator, settings: &GenerationSettings, most: usize) -> usize {
    let readable = settings.first_word.and_then(|due| generator.tokens_within(due));
    readable.map_or(most, |tokens| tokens.clamp(MIN_PASSAGE_TOKENS.min(most), most))
}

/// The passages of the prompt, with the rest of their sections while there is room. Each remains the source that was
/// found.
async fn whole_sections(exchange: &Exchange, candidates: &[Candidate], tokens: usize) -> ApiResult<Vec<Candidate>> {
    let Exchange { app, chatbot, .. } = exchange;
    let ids: Vec<Uuid> = candidates.iter().take(MAX_PASSAGES).map(|passage| passage.id).collect();
    let collection = Collection { tenant: chatbot.tenant_id, chatbot: chatbot.config.chatbot_id };
    let neighbours = sections::neighbours(app, &Scope::widget(chatbot.tenant_id), collection, &ids, NEAR).await?;
    Ok(section::select(candidates, &neighbours, tokens))
}

fn messages(
    exchange: &Exchange,
    language: &'static Language,
    passages: &[Candidate],
    is_whole_base: bool,
    history_tokens: usize,
) -> Vec<Message> {
    let history: Vec<Message> = exchange.messages.iter().map(message).collect();
    prompt::messages(&PromptInput {
        language,
        system_prompt: &exchange.chatbot.system_prompt,
        history: &history,
        history_tokens,
        passages,
        is_whole_base,
        question: &exchange.question,
    })
}

fn message(wire: &WidgetMessage) -> Message {
    let role = match wire.role {
        MessageRole::User => Role::User,
        MessageRole::Assistant => Role::Assistant,
    };
    Message { role, content: wire.content.clone() }
}
