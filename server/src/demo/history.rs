//! Two weeks of conversations, with ratings, open questions and a website that was refused: what a tenant finds who has used the
//! platform for a while.

use chrono::{Duration, NaiveTime, Utc};
use contract::{
    FeedbackId, MessageId, SessionId, Timestamp,
    chatbots::Chatbot,
    conversations::AnsweredBy,
    embed::EmbedOutcome,
    feedback::{FeedbackCategory, Rating},
    widget::{Citation, Confidence, MessageRole, SmallTalk, WidgetSource},
};
use rag::generate::language::Language;
use serde::Deserialize;
use store::{
    Exemption, Scope, WriteTx,
    conversations::{NewMessage, past, past::PastSession},
    widget::origins::{self, OriginRequests},
};
use uuid::Uuid;

use crate::{error::ApiError, state::App};

const TEXT: &str = include_str!("../../assets/demo-history.toml");
/// A site that loads the widget and is not among the tenant's own.
const REFUSED: &str = "https://staging.harbor-supply.example";

#[derive(Deserialize)]
struct History {
    conversation: Vec<Conversation>,
}

#[derive(Deserialize)]
struct Conversation {
    days: i64,
    at: NaiveTime,
    chatbot: String,
    exchanges: Vec<Exchange>,
}

#[derive(Clone, Deserialize)]
struct Exchange {
    question: String,
    /// None when nothing was found.
    answer: Option<String>,
    source: Option<String>,
    small_talk: Option<SmallTalk>,
    rating: Option<Rating>,
    category: Option<FeedbackCategory>,
    comment: Option<String>,
}

fn history() -> Vec<Conversation> {
    let history: History = toml::from_str(TEXT).expect("the demo's history is part of the program");
    history.conversation
}

/// Writes the conversations of one chatbot, which the file calls `name`.
///
/// # Errors
/// When the database fails.
pub(super) async fn write(app: &App, chatbot: &Chatbot, name: &str) -> Result<(), ApiError> {
    let mut tx = app.db.write(&Scope::widget(chatbot.tenant_id)).await?;
    let mut feedback = Vec::new();
    for conversation in history().into_iter().filter(|known| known.chatbot == name) {
        feedback.extend(converse(&mut tx, chatbot, &conversation).await?);
    }
    for (session, message, exchange, at) in &feedback {
        let Some(rating) = exchange.rating else { continue };
        let said = (rating, exchange.category, exchange.comment.as_deref());
        past::insert_feedback(&mut tx, *session, (FeedbackId(Uuid::now_v7()), *message), said, *at).await?;
    }
    let exempt = tx.exempt(Exemption::Conversation);
    Ok(tx.commit(exempt).await?)
}

/// Writes one conversation and gives its answers that were rated.
async fn converse(
    tx: &mut WriteTx,
    chatbot: &Chatbot,
    conversation: &Conversation,
) -> Result<Vec<(PastSession, MessageId, Exchange, Timestamp)>, ApiError> {
    let day = Utc::now().date_naive() - Duration::days(conversation.days);
    let first = day.and_time(conversation.at).and_utc();
    let session = PastSession { tenant: chatbot.tenant_id, chatbot: chatbot.id, id: SessionId(Uuid::new_v4()) };
    let count = i64::try_from(conversation.exchanges.len()).unwrap_or(1);
    past::insert_session(tx, session, (first, first + Duration::minutes(count - 1))).await?;
    let questions = conversation.exchanges.iter().filter(|exchange| exchange.small_talk.is_none()).count();
    past::add_questions(tx, chatbot.tenant_id, day, i64::try_from(questions).unwrap_or_default()).await?;
    let mut rated = Vec::new();
    for (minute, exchange) in (0..).zip(&conversation.exchanges) {
        let at = first + Duration::minutes(minute);
        let language = Language::detect(&exchange.question, &chatbot.language);
        let asked = NewMessage { role: MessageRole::User, language, ..message(&exchange.question) };
        past::insert_message(tx, session, &asked, at).await?;
        let (sources, citations) = exchange.sources();
        let said = NewMessage {
            sources: &sources,
            citations: &citations,
            answered: exchange.answer.is_some(),
            confidence: Some(if sources.is_empty() { Confidence::None } else { Confidence::High }),
            answered_by: Some(AnsweredBy::Quoted).filter(|_| !sources.is_empty()),
            small_talk: exchange.small_talk,
            ..message(exchange.answer.as_deref().unwrap_or(&chatbot.fallback_message))
        };
        past::insert_message(tx, session, &said, at + Duration::seconds(2)).await?;
        if exchange.rating.is_some() {
            rated.push((session, said.id, exchange.clone(), at + Duration::seconds(40)));
        }
    }
    Ok(rated)
}

fn message(content: &str) -> NewMessage<'_> {
    NewMessage {
        id: MessageId(Uuid::now_v7()),
        role: MessageRole::Assistant,
        content,
        sources: &[],
        citations: &[],
        answered: true,
        confidence: None,
        answered_by: None,
        prompt_version: None,
        truncated: false,
        small_talk: None,
        over_quota: false,
        filtered: false,
        usage: None,
        page_url: None,
        language: None,
    }
}

impl Exchange {
    fn sources(&self) -> (Vec<WidgetSource>, Vec<Citation>) {
        let Some(title) = &self.source else { return (Vec::new(), Vec::new()) };
        let heading = title.split_once(" › ").map_or("", |(_, heading)| heading);
        let source = WidgetSource {
            source_title: title.clone(),
            heading: heading.to_owned(),
            content_snippet: self.answer.as_deref().unwrap_or_default().replace(" [1]", ""),
            score: 0.8,
            url: None,
            passage_id: None,
            as_of: None,
        };
        (vec![source], vec![Citation { marker: "[1]".to_owned(), source_index: 0 }])
    }
}

/// Records that a site which is not allowed asked for the chatbot on the last three days.
///
/// # Errors
/// When the database fails.
pub(super) async fn refuse_a_website(app: &App, chatbot: &Chatbot) -> Result<(), ApiError> {
    let asked = (1..=3).map(|days| {
        let last_seen_at = Utc::now() - Duration::days(days);
        let requests = OriginRequests {
            origin: REFUSED.to_owned(),
            day: last_seen_at.date_naive(),
            outcome: EmbedOutcome::OriginNotListed,
            requests: 4 * days,
            last_seen_at,
            widget_version: Some(String::new()),
        };
        (chatbot.id, requests)
    });
    let mut tx = app.db.write(&Scope::system()).await?;
    origins::add(&mut tx, &asked.collect::<Vec<_>>()).await?;
    let exempt = tx.exempt(Exemption::EmbedRecord);
    Ok(tx.commit(exempt).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_is_two_weeks_of_every_kind() {
        let all = history();
        let exchanges = || all.iter().flat_map(|conversation| &conversation.exchanges);
        let count = |of: fn(&&Exchange) -> bool| exchanges().filter(of).count();
        assert!(all.len() >= 25 && all.iter().all(|conversation| (1..=13).contains(&conversation.days)));
        assert!(all.iter().any(|conversation| conversation.days == 13));
        assert!(count(|exchange| exchange.answer.is_none()) >= 5, "open questions");
        assert!(count(|exchange| exchange.rating == Some(Rating::Up)) >= 8, "good ratings");
        assert!(count(|exchange| exchange.rating == Some(Rating::Down)) >= 3, "bad ratings");
        assert!(count(|exchange| exchange.small_talk.is_some()) >= 3);
        for exchange in exchanges() {
            assert_eq!(
                exchange.source.is_some(),
                exchange.answer.is_some() && exchange.small_talk.is_none(),
                "{}",
                exchange.question
            );
            assert!(exchange.category.is_none() || exchange.rating == Some(Rating::Down), "{}", exchange.question);
        }
    }

    #[test]
    fn every_answer_is_quoted_from_the_demos_documents() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/demo-site");
        let mut text = String::new();
        for file in ["shop/delivery.md", "shop/goods.md", "shop/visit.md", "kurs/kurse.md", "kurs/verein.md"] {
            text += &std::fs::read_to_string(folder.join(file)).unwrap().replace('\n', " ");
        }
        for exchange in history().into_iter().flat_map(|conversation| conversation.exchanges) {
            if let (Some(answer), Some(_)) = (&exchange.answer, &exchange.source) {
                let quoted = answer.replace(" [1]", "");
                assert!(text.contains(&quoted), "{quoted}");
            }
        }
    }
}
