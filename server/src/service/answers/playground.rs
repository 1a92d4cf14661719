//! Trying a chatbot out in the console: the same answer that a visitor would get, with what it rests on. Nothing is
//! stored: no conversation, no row of the output filter.

use std::time::Instant;

use contract::{
    ChatbotId, ErrorCode, SessionId,
    chatbots::ChatbotStatus,
    playground::{PlaygroundFinding, PlaygroundPassage, PlaygroundReply, PlaygroundTimes},
    widget::Confidence,
};
use rag::{filter::Trigger, retrieve::Candidate};
use store::widget::lookup::WidgetChatbot;
use uuid::Uuid;

use super::{
    compose::{self, Found},
    events,
    exchange::{Exchange, Session},
    small_talk::{self, Message},
    stream::{AnswerStream, Draft},
};
use crate::{caller::Caller, error::ApiResult, state::App};

/// Answers a question of the tenant's own people.
///
/// # Errors
/// `chatbot_not_found`, `chatbot_not_active`; `rate_limited` when too many questions wait for the chatbot;
/// `generator_unavailable`; `service_unavailable` when the question waits too long or the database is down.
pub async fn try_out(app: &App, caller: &Caller, id: ChatbotId, question: &str) -> ApiResult<PlaygroundReply> {
    let chatbot = find(app, caller, id).await?;
    let permit = super::acquire(app, &chatbot).await?;
    let session = Session { id: SessionId(Uuid::new_v4()), is_new: true };
    let exchange = Exchange {
        app: app.clone(),
        chatbot,
        session,
        messages: Vec::new(),
        question: question.trim().to_owned(),
        generator: app.settings.generator.clone(),
        is_visitors: false,
    };
    permit.run(reply(&exchange)).await
}

async fn reply(exchange: &Exchange) -> ApiResult<PlaygroundReply> {
    let prepared = match small_talk::read(exchange).await? {
        Message::SmallTalk(draft) => return Ok(small_talk_reply(exchange, draft)),
        Message::Question => None,
        Message::Prepared(question) => Some(Exchange { question, ..exchange.clone() }),
    };
    let exchange = prepared.as_ref().unwrap_or(exchange);
    let app = &exchange.app;
    let started = Instant::now();
    let found = compose::find(exchange).await?;
    let searched = Instant::now();
    // Nobody reads the parts: the whole answer is what counts here.
    let (sender, _unread) = events::channel();
    let rules = &app.settings.output_filter;
    let mut stream = AnswerStream::new(rules, &exchange.chatbot, &exchange.question, &sender);
    let draft = compose::answer(exchange, &found, &mut stream).await?;
    let answer = stream.finish(draft);
    let kind = answer.kind();
    let milliseconds = |from: Instant, to: Instant| i64::try_from((to - from).as_millis()).unwrap_or(i64::MAX);
    Ok(PlaygroundReply {
        passages: passages(app, &found),
        findings: answer.triggers.iter().map(finding).collect(),
        times: PlaygroundTimes {
            search_ms: milliseconds(started, searched),
            answer_ms: milliseconds(searched, Instant::now()),
        },
        answer: answer.text,
        answered: answer.confidence == Confidence::High,
        confidence: answer.confidence,
        kind,
        relevance_threshold: f64::from(app.settings.relevance_threshold),
        filtered: answer.filtered,
        sources: answer.sources,
        citations: answer.citations,
    })
}

/// A friendly word, for which nothing was searched.
fn small_talk_reply(exchange: &Exchange, draft: Draft) -> PlaygroundReply {
    let app = &exchange.app;
    let (sender, _unread) = events::channel();
    let rules = &app.settings.output_filter;
    let answer = AnswerStream::new(rules, &exchange.chatbot, &exchange.question, &sender).finish(draft);
    PlaygroundReply {
        kind: answer.kind(),
        answer: answer.text,
        answered: true,
        confidence: answer.confidence,
        filtered: false,
        sources: Vec::new(),
        citations: Vec::new(),
        passages: Vec::new(),
        relevance_threshold: f64::from(app.settings.relevance_threshold),
        findings: Vec::new(),
        times: PlaygroundTimes { search_ms: 0, answer_ms: 0 },
    }
}

/// The caller's active chatbot as its widget sees it.
async fn find(app: &App, caller: &Caller, id: ChatbotId) -> ApiResult<WidgetChatbot> {
    let tenant = caller.tenant()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    let known = store::chatbots::find(&mut tx, tenant, id).await?.ok_or(ErrorCode::ChatbotNotFound)?;
    if known.status == ChatbotStatus::Deactivated {
        return Err(ErrorCode::ChatbotNotActive.into());
    }
    drop(tx);
    let chatbot = store::widget::lookup::find(&app.db, known.id).await?;
    Ok(chatbot.ok_or(ErrorCode::ChatbotNotFound)?)
}

/// Everything that was found: first what is relevant enough to answer from, in its order, then the rest.
fn passages(app: &App, found: &Found) -> Vec<PlaygroundPassage> {
    let relevant = found.relevant().iter().cloned().map(|candidate| passage(candidate, true));
    let others = found.others().iter().cloned().map(|candidate| passage(candidate, false));
    relevant.chain(others).take(app.settings.top_k).collect()
}

fn passage(found: Candidate<Uuid>, relevant: bool) -> PlaygroundPassage {
    PlaygroundPassage {
        relevant,
        source_title: match found.heading.as_str() {
            "" => found.title,
            heading => format!("{} › {heading}", found.title),
        },
        score: f64::from(found.cosine.clamp(0.0, 1.0)),
        content: found.content,
    }
}

fn finding(trigger: &Trigger) -> PlaygroundFinding {
    PlaygroundFinding {
        rule: trigger.rule.clone(),
        category: trigger.category.as_str().to_owned(),
        monitor_only: trigger.monitor_only,
    }
}
