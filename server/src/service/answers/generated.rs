//! The language model's answer: builds the prompt and streams the text that the passages support.

use std::sync::Arc;

use contract::ErrorCode;
use rag::generate::{
    self,
    cited::Cited,
    language::Language,
    openai::{GenerateError, WordStream},
    prompt,
    verify::{Basis, Ending, Release, Unsupported, Verdict, Verification, VerificationInput},
};

use super::{
    exchange::Exchange,
    prompt_texts::PromptTexts,
    stream::{AnswerStream, ComposedAnswer},
};
use crate::{
    config::WhenUnavailable,
    error::{ApiError, ApiResult},
    metrics,
    service::knowledge::search::SearchOutcome,
    state::answer_models::AnswerModel,
};

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
    outcome: &SearchOutcome,
    quoted: Option<&generate::Answer>,
    stream: &mut AnswerStream<'_>,
) -> ApiResult<Generated> {
    let chatbot = &exchange.chatbot;
    let language = Language::of_question(&exchange.question, &chatbot.config.language);
    let texts = PromptTexts::of(exchange, model, language, outcome.relevant()).await?;
    if texts.passages.is_empty() {
        texts.read_ahead(exchange, model, language);
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
    let is_read_twice = texts.passages.len() > 1 && exchange.app.settings.generation.unsupported != Unsupported::Off;
    let release = match quoted {
        Some(answer) => Release::Core { headings: &headings, text: &answer.core },
        None if is_read_twice => Release::End,
        None => Release::Verified,
    };
    let reading = Reading { exchange, model, language, outcome, release };
    let result = match reading.read(&texts, stream).await {
        Err(error) => unavailable(exchange, &error),
        Ok(first) => match (&first.verdict, quoted) {
            (Verdict::Answer(_), None) | (Verdict::Refused, Some(_)) if is_read_twice => {
                reading.decide(first, &texts, stream).await
            }
            _ => conclude(exchange, stream, first),
        },
    };
    drop((permit, pause));
    texts.read_ahead(exchange, model, language);
    result
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

/// How a model reads passages for a question.
struct Reading<'a> {
    exchange: &'a Exchange,
    model: &'a Arc<AnswerModel>,
    language: &'static Language,
    outcome: &'a SearchOutcome,
    release: Release<'a>,
}

/// What came of a reading.
struct Read {
    verdict: Verdict,
    basis: Basis,
    /// Why the text broke off.
    broken: Option<GenerateError>,
    is_cut: bool,
}

impl Reading<'_> {
    /// Streams the answer from these texts.
    async fn read(&self, texts: &PromptTexts, stream: &mut AnswerStream<'_>) -> Result<Read, GenerateError> {
        let Self { exchange, model, language, outcome, release } = *self;
        let (generator, passages) = (&model.generator, texts.passages.as_slice());
        let Exchange { app, chatbot, question, .. } = exchange;
        stream.start_generated(passages, outcome.relevant(), generator.model());
        let started = generator.start(&texts.messages(exchange, language)).await;
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
            embedder: Some(outcome.sentences(app)),
        });
        let broken = listen(&mut words, &mut verification, stream).await.err();
        let is_cut = broken.is_some() || words.is_cut();
        // The model need not go on.
        drop(words);
        texts.note(model, broken.is_none());
        let verdict = verification.finish(if is_cut { Ending::Cut } else { Ending::Whole }).await;
        metrics::verified(verification.counts());
        Ok(Read { verdict, basis: verification.basis().clone(), broken, is_cut })
    }

    /// Decides by a second reading: a model that guesses guesses otherwise when the passages come in another order. It must find
    /// the same as the first one, or if that refused, what is quoted.
    async fn decide(&self, first: Read, texts: &PromptTexts, stream: &mut AnswerStream<'_>) -> ApiResult<Generated> {
        let Self { exchange, model, language, outcome, .. } = *self;
        let turned = texts.turned(exchange, model, language, outcome.relevant()).await?;
        if turned.passages.is_empty() {
            turned.read_ahead(exchange, model, language);
            return Ok(Generated::Unsure);
        }
        let second = match self.read(&turned, stream).await {
            Ok(second) => second,
            Err(error) => {
                tracing::warn!(%error, "generator.not_read_again");
                return Ok(Generated::Unsure);
            }
        };
        turned.read_ahead(exchange, model, language);
        match (&first.verdict, &second.verdict) {
            (Verdict::Refused, Verdict::Answer(_)) => conclude(exchange, stream, second),
            (Verdict::Refused, _) => Ok(Generated::Refused),
            (_, Verdict::Answer(_)) if first.basis.agrees_with(&second.basis) => {
                stream.start_generated(&texts.passages, outcome.relevant(), model.generator.model());
                conclude(exchange, stream, first)
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
