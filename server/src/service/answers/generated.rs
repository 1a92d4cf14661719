//! The language model's answer: builds the prompt and streams the text that the passages support.

use std::sync::Arc;

use contract::{
    ErrorCode,
    widget::{MessageRole, WidgetMessage},
};
use rag::{
    chunk::estimate_tokens,
    generate::{
        self,
        cited::Cited,
        language::Language,
        openai::{GenerateError, Generator, WordStream},
        prompt::{self, MAX_PASSAGES, Message, PromptInput, Role},
        section,
        verify::{Ending, Release, Rests, Unsupported, Verdict, Verification, VerificationInput},
    },
    retrieve::Candidate,
};
use store::{Scope, vectors::Collection};
use uuid::Uuid;

use super::{
    base::Base,
    exchange::Exchange,
    sections,
    stream::{AnswerStream, ComposedAnswer},
};
use crate::{
    config::WhenUnavailable,
    error::{ApiError, ApiResult},
    metrics,
    service::knowledge::search::SearchOutcome,
    state::{GenerationSettings, answer_models::AnswerModel},
};

/// Tokens of passages that every prompt has room for, however slow the endpoint is: the best passage, and often a second one.
const MIN_PASSAGE_TOKENS: usize = 350;
/// Passages on each side of a found one that are read: a prompt has room for a few.
const NEAR: i32 = 8;
/// Approximate tokens of rules and worked examples.
const RULES_TOKENS: usize = 700;

/// The result of a language model.
pub(super) enum Generated {
    /// A verified answer, as it was streamed.
    Answer(ComposedAnswer),
    /// The model said that the passages have no answer.
    Refused,
    /// Two readings found something else, and the search is not sure either; nothing was streamed.
    Unsure,
    /// Nothing could be verified, or the model is unavailable or was not asked; nothing was streamed.
    Unusable,
}

/// What a model reads for a question.
struct PromptTexts {
    passages: Vec<Candidate>,
    /// Maximum tokens of the conversation.
    history_tokens: usize,
    /// All passages of the chatbot, if they are small enough.
    base: Option<Base>,
    /// Whether `passages` are those of the base.
    is_whole_base: bool,
}

/// Streams the model's answer from the whole knowledge base if it is small, otherwise from the best passages, given the
/// conversation so far. Dropping the future, for example on disconnect, stops the model, and so does a blocking rule. If the
/// text breaks off after verified sentences, these are the answer.
///
/// # Errors
/// `generator_unavailable`, if that is configured for an unavailable model; `service_unavailable` when the database is
/// down.
pub(super) async fn answer(
    exchange: &Exchange,
    model: &Arc<AnswerModel>,
    found: &SearchOutcome,
    quoted: Option<&generate::Answer>,
    stream: &mut AnswerStream<'_>,
) -> ApiResult<Generated> {
    let chatbot = &exchange.chatbot;
    let language = Language::of_question(&exchange.question, &chatbot.config.language);
    let generator = &model.generator;
    let texts = prompt_texts(exchange, model, language, found.relevant()).await?;
    let PromptTexts { passages, base, is_whole_base, .. } = &texts;
    if passages.is_empty() {
        read_ahead(exchange, model, language, &texts);
        return Ok(Generated::Unusable);
    }
    // While this question waits for the model, others can be searched and quoted.
    let pause = exchange.permit.as_ref().map(|permit| permit.pause());
    let tell = |place| stream.send_position(place);
    let queue = model.queue();
    let Ok(permit) = queue.acquire_with_position(chatbot.tenant_id, chatbot.config.chatbot_id, tell).await else {
        return unavailable(exchange, &GenerateError::Busy);
    };
    let headings = quoted.map(headings).unwrap_or_default();
    // Another order of one passage is the same, and unverified sentences rest on nothing.
    let is_read_twice = passages.len() > 1 && exchange.app.settings.generation.unsupported != Unsupported::Off;
    let release = match quoted {
        Some(answer) => Release::Core { headings: &headings, text: &answer.core },
        None if is_read_twice => Release::End,
        None => Release::Verified,
    };
    let reading = Reading { exchange, generator, language, found, texts: &texts, release };
    let first = reading.read(passages, stream).await;
    if let (Some(base), Ok(first)) = (base.as_ref().filter(|_| *is_whole_base), &first) {
        base.note(model, first.broken.is_none());
    }
    let result = match first {
        Err(error) => unavailable(exchange, &error),
        // A model that guesses guesses otherwise when the passages come in another order.
        Ok(first) => match (&first.verdict, quoted) {
            (Verdict::Answer(_), None) | (Verdict::Refused, Some(_)) if is_read_twice => {
                let turned: Vec<Candidate> = passages.iter().rev().cloned().collect();
                reading.decide(first, &turned, stream).await
            }
            _ => conclude(exchange, stream, first),
        },
    };
    drop((permit, pause));
    read_ahead(exchange, model, language, &texts);
    result
}

/// The passages for a question: those of the whole base if the endpoint can read it in time, otherwise the best of `found`.
async fn prompt_texts(
    exchange: &Exchange,
    model: &AnswerModel,
    language: &Language,
    found: &[Candidate],
) -> ApiResult<PromptTexts> {
    let settings = &exchange.app.settings.generation;
    let (history_tokens, room) = room(exchange, model);
    let mut base = Base::read(exchange, language, settings.base_tokens.min(room)).await?;
    let most = settings.passage_tokens.min(room);
    if let Some(known) = base.as_mut().filter(|base| base.is_readable(model, settings, most)) {
        let passages = std::mem::take(&mut known.passages);
        return Ok(PromptTexts { passages, history_tokens, base, is_whole_base: true });
    }
    let passages = match found {
        [] => Vec::new(),
        found => whole_sections(exchange, found, passage_tokens(&model.generator, settings, most)).await?,
    };
    Ok(PromptTexts { passages, history_tokens, base, is_whole_base: false })
}

/// Lets the endpoint read a base that was too long for this visitor.
fn read_ahead(exchange: &Exchange, model: &Arc<AnswerModel>, language: &'static Language, texts: &PromptTexts) {
    let Some(base) = texts.base.as_ref().filter(|_| !texts.is_whole_base) else { return };
    let alone = Exchange { messages: Vec::new(), ..exchange.clone() };
    base.read_ahead(model, messages(&alone, language, &base.passages, true, 0));
}

/// Ends the answer by the verdict on its text.
fn conclude(exchange: &Exchange, stream: &mut AnswerStream<'_>, read: Read) -> ApiResult<Generated> {
    match read.verdict {
        Verdict::Answer(Cited { rest, citations, sources }) => {
            // A block is found again at the end.
            let _ = stream.push(&rest);
            if read.is_cut {
                stream.truncate();
            }
            Ok(Generated::Answer(ComposedAnswer::Answer { sources, citations }))
        }
        Verdict::Refused => Ok(Generated::Refused),
        Verdict::Unusable => read.broken.map_or(Ok(Generated::Unusable), |error| unavailable(exchange, &error)),
    }
}

/// The title and headings of the quotation's first passage.
fn headings(answer: &generate::Answer) -> String {
    answer.sources.first().map(|source| format!("{} {}", source.title, source.heading)).unwrap_or_default()
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
async fn whole_sections(exchange: &Exchange, found: &[Candidate], tokens: usize) -> ApiResult<Vec<Candidate>> {
    let Exchange { app, chatbot, .. } = exchange;
    let ids: Vec<Uuid> = found.iter().take(MAX_PASSAGES).map(|passage| passage.id).collect();
    let collection = Collection { tenant: chatbot.tenant_id, chatbot: chatbot.config.chatbot_id };
    let neighbours = sections::neighbours(app, &Scope::widget(chatbot.tenant_id), collection, &ids, NEAR).await?;
    Ok(section::select(found, &neighbours, tokens))
}

/// How a model reads passages for a question.
struct Reading<'a> {
    exchange: &'a Exchange,
    generator: &'a Generator,
    language: &'static Language,
    found: &'a SearchOutcome,
    texts: &'a PromptTexts,
    release: Release<'a>,
}

/// What came of a reading.
struct Read {
    verdict: Verdict,
    rests: Rests,
    /// Why the text broke off.
    broken: Option<GenerateError>,
    is_cut: bool,
}

impl Reading<'_> {
    /// Streams the answer from these passages.
    async fn read(&self, passages: &[Candidate], stream: &mut AnswerStream<'_>) -> Result<Read, GenerateError> {
        let Self { exchange, generator, language, found, texts, release } = *self;
        let Exchange { app, chatbot, question, .. } = exchange;
        stream.start_generated(passages, found.relevant(), generator.model());
        let messages = messages(exchange, language, passages, texts.is_whole_base, texts.history_tokens);
        let started = generator.start(&messages).await;
        if !matches!(started, Err(GenerateError::Busy | GenerateError::Paused | GenerateError::Connect(_))) {
            stream.note_prompt(prompt::version(language));
        }
        let mut words = started?;
        let header = chatbot.config.branding.fields.header_title.as_deref().unwrap_or_default();
        let names = format!("{} {header}", chatbot.config.name);
        let mut verification = Verification::new(VerificationInput {
            language,
            passages,
            question,
            system_prompt: &chatbot.system_prompt,
            names: &names,
            unsupported: app.settings.generation.unsupported,
            release,
            quotes_blocks: true,
            embedder: Some(found.sentences(app)),
        });
        let broken = listen(&mut words, &mut verification, stream).await.err();
        let is_cut = broken.is_some() || words.is_cut();
        // The model need not go on.
        drop(words);
        let verdict = verification.finish(if is_cut { Ending::Cut } else { Ending::Whole }).await;
        metrics::verified(verification.counts());
        Ok(Read { verdict, rests: verification.rests().clone(), broken, is_cut })
    }

    /// Decides by a second reading: it must find the same as the first one, or if that refused, what is quoted.
    async fn decide(&self, first: Read, passages: &[Candidate], stream: &mut AnswerStream<'_>) -> ApiResult<Generated> {
        let second = match self.read(passages, stream).await {
            Ok(second) => second,
            Err(error) => {
                tracing::warn!(%error, "generator.not_read_again");
                return Ok(Generated::Unsure);
            }
        };
        match &first.verdict {
            Verdict::Refused => conclude(self.exchange, stream, second),
            _ if matches!(second.verdict, Verdict::Answer(_)) && first.rests.agrees_with(&second.rests) => {
                stream.start_generated(&self.texts.passages, self.found.relevant(), self.generator.model());
                conclude(self.exchange, stream, first)
            }
            _ => Ok(Generated::Unsure),
        }
    }
}

/// Streams the verified text until the model ends, a rule blocks it, or nothing useful follows.
async fn listen(
    words: &mut WordStream,
    verification: &mut Verification<'_>,
    stream: &mut AnswerStream<'_>,
) -> Result<(), GenerateError> {
    let before = stream.usage();
    // The prompt counts even if no word follows.
    stream.note_usage(before.with(words.usage()));
    while let Some(part) = words.next().await? {
        stream.note_usage(before.with(words.usage()));
        let text = verification.push(&part).await;
        if stream.push(&text).is_break() || verification.has_enough() {
            break;
        }
    }
    stream.note_usage(before.with(words.usage()));
    Ok(())
}

/// The model is unavailable, or failed before anything was verified.
fn unavailable(exchange: &Exchange, error: &GenerateError) -> ApiResult<Generated> {
    tracing::error!(%error, "generator.failed");
    metrics::generator_failed();
    match exchange.app.settings.generation.when_unavailable {
        WhenUnavailable::Quoted => Ok(Generated::Unusable),
        WhenUnavailable::Error => Err(ApiError::from(ErrorCode::GeneratorUnavailable)),
    }
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

fn message(known: &WidgetMessage) -> Message {
    let role = match known.role {
        MessageRole::User => Role::User,
        MessageRole::Assistant => Role::Assistant,
    };
    Message { role, content: known.content.clone() }
}
