//! Stores both messages of an exchange and the output filter's rows in one transaction.

use std::collections::BTreeMap;

use contract::{
    ChatbotId, MessageId, SessionId, TenantId,
    conversations::TokenUsage,
    widget::{Confidence, MessageRole},
};
use rag::{
    filter::Layer,
    generate::{language::Language, openai::Usage},
    small_talk,
};
use store::{
    Exemption, Scope, WriteTx,
    conversations::{self, NewMessage},
    model_usage,
    output_filter::{self, FilterLayer, Trigger},
    usage::{self, Spent},
    widget::lookup::WidgetChatbot,
};
use uuid::Uuid;

use super::{exchange::Exchange, filtered::Answer};
use crate::error::ApiResult;

/// Stores question, answer and triggers: all of them or nothing. An answer without words leaves no message.
///
/// # Errors
/// `session_not_found` when the session was erased meanwhile; `service_unavailable` when the database is down.
pub(super) async fn store(exchange: &Exchange, message_id: MessageId, answer: &Answer) -> ApiResult<()> {
    let Exchange { app, chatbot, session, question, page_url, .. } = exchange;
    let (tenant, id) = (chatbot.tenant_id, chatbot.config.chatbot_id);
    let mut tx = app.db.write(&Scope::widget(tenant)).await?;
    session.store(&mut tx, chatbot).await?;
    let with_token = session.token.is_some();
    let question_message = NewMessage {
        page_url: page_url.as_deref(),
        language: language_of(exchange, answer),
        with_token,
        ..NewMessage::new(MessageId(Uuid::now_v7()), MessageRole::User, question)
    };
    conversations::insert_message(&mut tx, tenant, id, session.id, &question_message).await?;
    let answer_message = NewMessage {
        sources: &answer.sources,
        citations: &answer.citations,
        answered: answer.confidence == Confidence::High || answer.small_talk.is_some() || answer.over_quota,
        confidence: Some(answer.confidence),
        answered_by: answer.answered_by,
        answer_model: answer.model.as_deref(),
        prompt_version: answer.prompt_version,
        truncated: answer.truncated,
        small_talk: answer.small_talk,
        over_quota: answer.over_quota,
        filtered: answer.filtered,
        usage: answer.usage.map(tokens),
        with_token,
        ..NewMessage::new(message_id, MessageRole::Assistant, &answer.text)
    };
    if !answer_message.content.is_empty() {
        conversations::insert_message(&mut tx, tenant, id, session.id, &answer_message).await?;
    }
    insert_triggers(&mut tx, chatbot, session.id, question, answer).await?;
    add_spending(&mut tx, tenant, id, spent(exchange, answer)).await?;
    count_interrupted(&mut tx, exchange, answer).await?;
    Ok(tx.commit_exempt(Exemption::Conversation).await?)
}

/// Counts a question for the quota that its visitor's departure kept from being counted. Beyond the quota it was refused.
async fn count_interrupted(tx: &mut WriteTx, exchange: &Exchange, answer: &Answer) -> ApiResult<()> {
    let Some(limit) = exchange.questions_per_month() else { return Ok(()) };
    if answer.counted_on.is_some() || answer.small_talk.is_some() || answer.over_quota {
        return Ok(());
    }
    let tenant = exchange.chatbot.tenant_id;
    if usage::count_question(tx, tenant, limit).await?.is_none() {
        usage::add(tx, tenant, Spent { refused_questions: 1, ..Spent::default() }).await?;
    }
    Ok(())
}

/// Takes back the count of a question that got no answer and is not stored.
///
/// # Errors
/// `service_unavailable` when the database is down.
pub(super) async fn revert_count(exchange: &Exchange, answer: &Answer) -> ApiResult<()> {
    let Some(day) = answer.counted_on else { return Ok(()) };
    let tenant = exchange.chatbot.tenant_id;
    let mut tx = exchange.app.db.write(&Scope::widget(tenant)).await?;
    usage::uncount_question(&mut tx, tenant, day).await?;
    Ok(tx.commit_exempt(Exemption::Conversation).await?)
}

/// Records the usage of an answer in the playground, of which nothing else is stored.
///
/// # Errors
/// `service_unavailable` when the database is down.
pub(super) async fn record_usage(exchange: &Exchange, answer: &Answer) -> ApiResult<()> {
    if answer.usage.is_none() {
        return Ok(());
    }
    let (tenant, id) = (exchange.chatbot.tenant_id, exchange.chatbot.config.chatbot_id);
    let mut tx = exchange.app.db.write(&Scope::widget(tenant)).await?;
    let spent = Spent { questions: 0, ..spent(exchange, answer) };
    add_spending(&mut tx, tenant, id, spent).await?;
    Ok(tx.commit_exempt(Exemption::Conversation).await?)
}

/// Adds to the usage of a chatbot and of its tenant. The day's row comes last, because it blocks other writers until
/// the transaction ends.
pub(in crate::service) async fn add_spending(
    tx: &mut WriteTx,
    tenant: TenantId,
    chatbot: ChatbotId,
    spent: Spent,
) -> ApiResult<()> {
    if let Some(tokens) = spent.tokens {
        model_usage::add(tx, tenant, chatbot, (tokens, spent.cost_micros)).await?;
    }
    Ok(usage::add(tx, tenant, spent).await?)
}

/// The exchange's usage.
fn spent(exchange: &Exchange, answer: &Answer) -> Spent {
    let is_counted = exchange.questions_per_month().is_some() || answer.small_talk.is_some() || answer.over_quota;
    Spent {
        questions: i64::from(!is_counted),
        refused_questions: i64::from(answer.over_quota),
        tokens: answer.usage.map(tokens),
        cost_micros: exchange
            .model
            .as_ref()
            .zip(answer.usage)
            .map_or(0, |(model, taken)| model.cost_micros(tokens(taken))),
    }
}

/// The language of the question, if its words identify one.
fn language_of(exchange: &Exchange, answer: &Answer) -> Option<&'static str> {
    let usual = &exchange.chatbot.config.language;
    let recognised = answer.small_talk.and_then(|_| small_talk::recognise(&exchange.question, usual));
    recognised.map(|small_talk| small_talk.language).or_else(|| Language::detect(&exchange.question, usual))
}

/// The language model's token usage in its stored form.
pub(in crate::service) fn tokens(usage: Usage) -> TokenUsage {
    let number = |tokens: u32| i32::try_from(tokens).unwrap_or(i32::MAX);
    TokenUsage {
        prompt_tokens: number(usage.prompt),
        cached_tokens: number(usage.cached),
        answer_tokens: number(usage.answer),
    }
}

/// One row for each match that was blocked or masked (specification, Output-filter audit row). What rules only watched is
/// counted.
async fn insert_triggers(
    tx: &mut WriteTx,
    chatbot: &WidgetChatbot,
    session: SessionId,
    question: &str,
    answer: &Answer,
) -> ApiResult<()> {
    let mut watched = BTreeMap::<(&str, &str), i64>::new();
    for found_trigger in &answer.triggers {
        if found_trigger.monitor_only {
            *watched.entry((&found_trigger.rule, found_trigger.category.as_str())).or_default() += 1;
            continue;
        }
        let trigger = Trigger {
            tenant_id: chatbot.tenant_id,
            chatbot_id: chatbot.config.chatbot_id,
            session_id: Some(session),
            user_question: question.to_owned(),
            matched_pattern: found_trigger.rule.clone(),
            category: found_trigger.category.as_str().to_owned(),
            filter_layer: match found_trigger.layer {
                Layer::Inline => FilterLayer::Inline,
                Layer::PostStream => FilterLayer::PostStream,
            },
            language: Some(chatbot.config.language.clone()).filter(|language| !language.is_empty()),
            excerpt: found_trigger.excerpt.clone(),
            full_output: answer.draft.clone(),
        };
        output_filter::insert(tx, &trigger).await?;
    }
    for (rule, matches) in watched {
        output_filter::count_watched(tx, chatbot.tenant_id, chatbot.config.chatbot_id, rule, matches).await?;
    }
    Ok(())
}
