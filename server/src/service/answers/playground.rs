//! The playground of the console: the answer that a visitor would get, with its sources. Only the tokens of a language
//! model are recorded: no conversation, no row of the output filter.

use std::time::Instant;

use contract::{
    ChatbotId, ErrorCode,
    playground::{
        PlaygroundFinding, PlaygroundPassage, PlaygroundQuestion, PlaygroundReply, PlaygroundTimes, PlaygroundTurn,
        PlaygroundVariant, Strictness,
    },
    widget::{Confidence, MessageRole, WidgetMessage},
};
use rag::{filter::Trigger, retrieve::Candidate, source_title::source_title};
use tracing::Instrument;

use super::{
    compose,
    events::{self, EventSender},
    exchange::{self, Exchange},
    filtered::Answer,
    message, persist,
    session::Session,
    small_talk::{self, Message},
    stream::{AnswerStream, ComposedAnswer},
};
use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    service::{answer_models, knowledge::search::SearchOutcome, template_update},
    state::App,
};

/// By how much the other degrees of strictness shift the required evidence: the odds change by the factor e.
const SHIFT: f32 = 1.0;

/// Answers a question of the tenant's own people.
///
/// # Errors
/// `chatbot_not_found`, `chatbot_not_active`; a validation error for a variant that the platform or the chatbot does not have;
/// `rate_limited` when too many questions wait for the chatbot; `generator_unavailable`; `service_unavailable` when the question waits
/// too long or the database is down.
pub async fn try_out(
    app: &App,
    caller: &Caller,
    id: ChatbotId,
    request: PlaygroundQuestion,
) -> ApiResult<PlaygroundReply> {
    let PlaygroundQuestion { question, history, variant } = request;
    let chatbot = super::find_own(app, caller, id).await?;
    let model = super::model_of(app, &chatbot, chatbot.answer_model.as_deref());
    let mut exchange = Exchange {
        app: app.clone(),
        chatbot,
        session: Session::new(),
        messages: history.into_iter().flat_map(messages).collect(),
        question: question.trim().to_owned(),
        model,
        is_visitors: false,
        page_url: None,
        evidence_shift: 0.0,
        permit: None,
    };
    if let Some(variant) = variant {
        vary(&mut exchange, caller, variant).await?;
    }
    exchange.permit = Some(super::acquire(app, &exchange.chatbot).await?);
    // In a separate task: when the caller leaves, the events are dropped, which stops the model, and its tokens are still
    // recorded.
    let (sender, _unread) = events::channel();
    let replying = async move { exchange.within_permit(reply(&exchange, &sender)).await };
    app.tasks.spawn(replying.in_current_span()).await.map_err(|_| ErrorCode::InternalError)?
}

/// The two messages of a turn.
fn messages(turn: PlaygroundTurn) -> [WidgetMessage; 2] {
    [(MessageRole::User, turn.question), (MessageRole::Assistant, turn.answer)]
        .map(|(role, content)| exchange::transient_message(role, content))
}

/// Applies the settings of the variant.
async fn vary(exchange: &mut Exchange, caller: &Caller, variant: PlaygroundVariant) -> ApiResult<()> {
    if let Some(name) = &variant.answer_model {
        check_choice(&exchange.app, caller, name).await?;
        exchange.model = super::model_of(&exchange.app, &exchange.chatbot, Some(name));
    }
    exchange.evidence_shift = match variant.strictness {
        Some(Strictness::Lenient) => SHIFT,
        Some(Strictness::Strict) => -SHIFT,
        Some(Strictness::Usual) | None => 0.0,
    };
    let chatbot = &mut exchange.chatbot;
    if variant.template_update {
        let updated = template_update::preview(&exchange.app, caller, chatbot.config.chatbot_id).await?;
        let Some(updated) = updated else {
            let msg = "needs a pending update of the template";
            return Err(ApiError::field(&["body", "variant", "template_update"], msg, "no_template_update"));
        };
        chatbot.system_prompt = updated.system_prompt;
        chatbot.fallback_message = updated.fallback_message;
    }
    if let Some(prompt) = variant.system_prompt {
        chatbot.system_prompt = prompt;
    }
    Ok(())
}

async fn reply(exchange: &Exchange, sender: &EventSender) -> ApiResult<PlaygroundReply> {
    let prepared = match small_talk::read(exchange).await? {
        Message::SmallTalk(composed) => return Ok(small_talk_reply(exchange, composed)),
        Message::Question => None,
        Message::Prepared(question) => Some(Exchange { question, messages: Vec::new(), ..exchange.clone() }),
    };
    let exchange = prepared.as_ref().unwrap_or(exchange);
    let app = &exchange.app;
    let started = Instant::now();
    let outcome = compose::find(&message::first(exchange)).await?;
    let searched = Instant::now();
    let answer = answer(exchange, &outcome, sender).await?;
    let (kind, generated_by) = (answer.kind(), answer.generated_by());
    let passages = passages(exchange, &outcome);
    let milliseconds = |from: Instant, to: Instant| i64::try_from((to - from).as_millis()).unwrap_or(i64::MAX);
    Ok(PlaygroundReply {
        passages,
        findings: answer.triggers.iter().map(finding).collect(),
        times: PlaygroundTimes {
            search_ms: milliseconds(started, searched),
            answer_ms: milliseconds(searched, Instant::now()),
        },
        answer: answer.text,
        answered: answer.confidence == Confidence::High,
        confidence: answer.confidence,
        kind,
        answered_by: answer.answered_by,
        generated_by,
        relevance_threshold: f64::from(app.settings.relevance_threshold),
        usage: answer.usage.map(persist::tokens),
        filtered: answer.filtered,
        sources: answer.sources,
        citations: answer.citations,
    })
}

/// Composes the answer while the caller is connected. The model's tokens are recorded even when there is no answer.
async fn answer(exchange: &Exchange, outcome: &SearchOutcome, sender: &EventSender) -> ApiResult<Answer> {
    let rules = &exchange.app.settings.output_filter;
    // The parts are ignored: only the whole answer counts.
    let mut stream = AnswerStream::new(rules, &exchange.chatbot, &exchange.question, sender);
    let composed = tokio::select! {
        composed = message::answer(exchange, outcome, &mut stream) => composed,
        () = sender.closed() => Err(ApiError::from(ErrorCode::InternalError)),
    };
    let (answer, error) = match composed {
        Ok(composed) => (stream.finish(composed), None),
        Err(error) => (stream.fail(), Some(error)),
    };
    persist::record_usage(exchange, &answer).await?;
    error.map_or(Ok(answer), Err)
}

/// A friendly word, for which nothing was searched.
fn small_talk_reply(exchange: &Exchange, composed: ComposedAnswer) -> PlaygroundReply {
    let app = &exchange.app;
    let (sender, _unread) = events::channel();
    let rules = &app.settings.output_filter;
    let answer = AnswerStream::new(rules, &exchange.chatbot, &exchange.question, &sender).finish(composed);
    PlaygroundReply {
        kind: answer.kind(),
        answer: answer.text,
        answered: true,
        confidence: answer.confidence,
        answered_by: None,
        generated_by: None,
        usage: None,
        filtered: false,
        sources: Vec::new(),
        citations: Vec::new(),
        passages: Vec::new(),
        relevance_threshold: f64::from(app.settings.relevance_threshold),
        findings: Vec::new(),
        times: PlaygroundTimes { search_ms: 0, answer_ms: 0 },
    }
}

/// Refuses a language model that the caller's tenant may not use.
async fn check_choice(app: &App, caller: &Caller, name: &str) -> ApiResult<()> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let tenant = store::tenants::find(&mut tx, caller.tenant()?).await?.ok_or(ErrorCode::TenantNotActive)?;
    answer_models::check_choice(app, &tenant, name, &["body", "variant", "answer_model"])
}

/// All results: first those relevant enough to answer from, in order, then the rest.
fn passages(exchange: &Exchange, outcome: &SearchOutcome) -> Vec<PlaygroundPassage> {
    let Exchange { app, chatbot, .. } = exchange;
    let passage = |(passage, relevant): (&Candidate, bool)| PlaygroundPassage {
        relevant,
        source_title: source_title(passage, &chatbot.config.language),
        path: passage.path.clone(),
        heading: passage.heading.clone(),
        score: f64::from(passage.cosine.clamp(0.0, 1.0)),
        content: passage.content.clone(),
    };
    let relevant = outcome.relevant().iter().map(|passage| (passage, true));
    let others = outcome.others().iter().map(|passage| (passage, false));
    relevant.chain(others).take(app.settings.top_k).map(passage).collect()
}

fn finding(trigger: &Trigger) -> PlaygroundFinding {
    PlaygroundFinding {
        rule: trigger.rule.clone(),
        category: trigger.category.as_str().to_owned(),
        monitor_only: trigger.monitor_only,
    }
}
