//! Two months of conversations with ratings, open questions and a refused website, as for a tenant who has used the
//! platform for a while. The questions of the last two weeks are written out, the others are generated from topics; the
//! chatbots themselves answer them.

pub(super) mod growth;
mod spread;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use chrono::{Duration, NaiveDate, NaiveTime, Utc};
use contract::{
    MessageId, SessionId, Timestamp,
    answer_models::QUOTED,
    chatbots::Chatbot,
    embed::EmbedOutcome,
    feedback::{FeedbackCategory, Rating},
    playground::{PlaygroundQuestion, PlaygroundReply, PlaygroundTurn, PlaygroundVariant},
    widget::{Confidence, MessageRole, ReplyKind, SmallTalk},
};
use rag::{generate::language::Language, small_talk};
use serde::Deserialize;
use store::{
    Exemption, Scope,
    conversations::{
        NewMessage, past,
        past::{Owner, PastFeedback, PastMessage, PastSession},
    },
    widget::origins::{self, OriginRequests},
};
use uuid::Uuid;

use super::caller;
use crate::{error::ApiError, service::answers::playground, state::App};

const TEXT: &str = include_str!("../../assets/demo-history.toml");
/// A site that loads the widget and is not among the tenant's allowed ones.
const REFUSED: &str = "https://staging.harbor-supply.example";
/// Days in which questions and feedback are still open.
const OPEN_DAYS: i64 = 14;
/// The user who resolved older ones.
const RESOLVED_BY: &str = "hanna";

#[derive(Deserialize)]
struct History {
    conversation: Vec<Conversation>,
}

#[derive(Clone, Deserialize, Debug, PartialEq)]
struct Conversation {
    days: i64,
    at: NaiveTime,
    chatbot: String,
    exchanges: Vec<Exchange>,
}

#[derive(Clone, Default, Deserialize, Debug, PartialEq)]
struct Exchange {
    question: String,
    rating: Option<Rating>,
    category: Option<FeedbackCategory>,
    comment: Option<String>,
    /// The mood of a visitor whose rating depends on the answer.
    #[serde(skip)]
    mood: Option<Mood>,
}

/// How a visitor rates what it gets.
#[derive(Clone, Debug, PartialEq)]
struct Mood {
    /// 0 to 99: the lower, the more readily it praises.
    percentile: usize,
    /// What it complains about.
    category: Option<FeedbackCategory>,
    comment: Option<String>,
}

impl Mood {
    fn rating(&self, confidence: Confidence) -> Option<Rating> {
        let (good, bad) = match confidence {
            Confidence::High => (24, 5),
            Confidence::Low => (4, 14),
            Confidence::None => (0, 8),
        };
        match self.percentile {
            percentile if percentile < good => Some(Rating::Up),
            percentile if percentile < good + bad => Some(Rating::Down),
            _ => None,
        }
    }
}

fn history() -> Vec<Conversation> {
    let history: History = toml::from_str(TEXT).expect("the demo's history is part of the program");
    history.conversation
}

/// Writes the conversations of one chatbot, which the files call `name`.
pub(super) async fn write(app: &App, chatbot: &Chatbot, name: &str) -> Result<(), ApiError> {
    let today = Utc::now().date_naive();
    let mut conversations: Vec<_> = history().into_iter().filter(|conversation| conversation.chatbot == name).collect();
    conversations.extend(spread::conversations(name, today));
    conversations.sort_by_key(|conversation| (Reverse(conversation.days), conversation.at));
    let mut answers = Answers { app, chatbot, replies: HashMap::new() };
    let mut past = Vec::with_capacity(conversations.len());
    for conversation in &conversations {
        past.push(Past::of(&mut answers, conversation, today).await?);
    }
    insert(app, chatbot, &past).await?;
    resolve(app, chatbot, &past).await
}

/// The chatbot's answers, each asked for once.
struct Answers<'a> {
    app: &'a App,
    chatbot: &'a Chatbot,
    replies: HashMap<Vec<String>, PlaygroundReply>,
}

impl Answers<'_> {
    /// What the chatbot says to a question after earlier turns. It quotes, because a language model would take hours.
    async fn to(&mut self, question: &str, history: &[PlaygroundTurn]) -> Result<PlaygroundReply, ApiError> {
        let questions = history.iter().map(|turn| turn.question.clone()).chain([question.to_owned()]).collect();
        if let Some(reply) = self.replies.get(&questions) {
            return Ok(reply.clone());
        }
        let variant = PlaygroundVariant { answer_model: Some(QUOTED.to_owned()), ..PlaygroundVariant::default() };
        let question =
            PlaygroundQuestion { question: question.to_owned(), history: history.to_vec(), variant: Some(variant) };
        let admin = caller(Some(self.chatbot.tenant_id));
        let reply = playground::try_out(self.app, &admin, self.chatbot.id, question).await?;
        self.replies.insert(questions, reply.clone());
        Ok(reply)
    }
}

async fn insert(app: &App, chatbot: &Chatbot, past: &[Past<'_>]) -> Result<(), ApiError> {
    let owner = owner(chatbot);
    let sessions: Vec<_> = past.iter().map(Past::session).collect();
    let messages: Vec<_> = past
        .iter()
        .flat_map(|past| past.exchanges.iter().flat_map(move |exchange| exchange.messages(past.id)))
        .collect();
    let feedback: Vec<_> = past
        .iter()
        .flat_map(|past| past.exchanges.iter().filter_map(move |exchange| exchange.feedback(past.id)))
        .collect();
    let mut questions = BTreeMap::new();
    for exchange in past.iter().flat_map(|past| &past.exchanges).filter(|exchange| exchange.small_talk.is_none()) {
        *questions.entry(exchange.at.date_naive()).or_insert(0) += 1;
    }
    let mut tx = app.db.write(&Scope::widget(owner.tenant)).await?;
    past::insert_sessions(&mut tx, owner, &sessions).await?;
    past::insert_messages(&mut tx, owner, &messages).await?;
    past::insert_feedback(&mut tx, owner, &feedback).await?;
    past::count_questions(&mut tx, owner.tenant, &Vec::from_iter(questions)).await?;
    Ok(tx.commit_exempt(Exemption::Conversation).await?)
}

/// Marks what is older than two weeks as resolved.
async fn resolve(app: &App, chatbot: &Chatbot, past: &[Past<'_>]) -> Result<(), ApiError> {
    let owner = owner(chatbot);
    let at = Utc::now() - Duration::days(OPEN_DAYS);
    let is_old_and_open = |exchange: &&PastExchange<'_>| exchange.at < at && !exchange.is_answered();
    let open = past.iter().flat_map(|past| &past.exchanges).filter(is_old_and_open);
    let questions: Vec<_> = open.map(|exchange| exchange.exchange.question.clone()).collect();
    let mut tx = app.db.write(&Scope::tenant(owner.tenant)).await?;
    past::resolve(&mut tx, owner, &questions, (at, RESOLVED_BY)).await?;
    Ok(tx.commit_exempt(Exemption::Conversation).await?)
}

fn owner(chatbot: &Chatbot) -> Owner {
    Owner { tenant: chatbot.tenant_id, chatbot: chatbot.id }
}

/// A conversation with its times and ids.
struct Past<'a> {
    id: SessionId,
    exchanges: Vec<PastExchange<'a>>,
}

impl<'a> Past<'a> {
    async fn of(answers: &mut Answers<'_>, conversation: &'a Conversation, today: NaiveDate) -> Result<Self, ApiError> {
        let day = today - Duration::days(conversation.days);
        let first = day.and_time(conversation.at).and_utc();
        let (mut exchanges, mut turns) = (Vec::new(), Vec::new());
        for (minute, exchange) in (0..).zip(&conversation.exchanges) {
            // Topics that were picked at random do not follow from each other.
            let history = if exchange.mood.is_some() { &[] } else { turns.as_slice() };
            let reply = answers.to(&exchange.question, history).await?;
            turns.push(PlaygroundTurn { question: exchange.question.clone(), answer: reply.answer.clone() });
            exchanges.push(PastExchange::of(answers.chatbot, exchange, reply, first + Duration::minutes(minute)));
        }
        Ok(Self { id: SessionId(Uuid::new_v4()), exchanges })
    }

    fn session(&self) -> PastSession {
        let time = |exchange: Option<&PastExchange<'_>>| exchange.map_or_else(Utc::now, |exchange| exchange.at);
        PastSession { id: self.id, first: time(self.exchanges.first()), last: time(self.exchanges.last()) }
    }
}

/// A question and the chatbot's answer.
struct PastExchange<'a> {
    exchange: &'a Exchange,
    /// The question's language, if its words identify one.
    language: Option<&'static str>,
    at: Timestamp,
    answer_id: MessageId,
    reply: PlaygroundReply,
    small_talk: Option<SmallTalk>,
}

impl<'a> PastExchange<'a> {
    fn of(chatbot: &Chatbot, exchange: &'a Exchange, reply: PlaygroundReply, at: Timestamp) -> Self {
        let language = Language::detect(&exchange.question, &chatbot.language);
        let recognised = small_talk::recognise(&exchange.question, &chatbot.language);
        let small_talk = recognised.filter(|_| reply.kind == ReplyKind::SmallTalk);
        let small_talk = small_talk.and_then(|small_talk| small_talk.topic.as_str().parse().ok());
        Self { exchange, language, at, answer_id: MessageId(Uuid::now_v7()), reply, small_talk }
    }

    fn is_answered(&self) -> bool {
        self.reply.confidence == Confidence::High || self.small_talk.is_some()
    }

    fn messages(&self, session: SessionId) -> [PastMessage<'_>; 2] {
        let question = NewMessage {
            language: self.language,
            ..NewMessage::new(MessageId(Uuid::now_v7()), MessageRole::User, &self.exchange.question)
        };
        let answer = NewMessage {
            sources: &self.reply.sources,
            citations: &self.reply.citations,
            answered: self.is_answered(),
            confidence: Some(self.reply.confidence),
            answered_by: self.reply.answered_by,
            filtered: self.reply.filtered,
            small_talk: self.small_talk,
            ..NewMessage::new(self.answer_id, MessageRole::Assistant, &self.reply.answer)
        };
        [
            PastMessage { session, message: question, at: self.at },
            PastMessage { session, message: answer, at: self.at + Duration::seconds(2) },
        ]
    }

    fn feedback(&self, session: SessionId) -> Option<PastFeedback<'_>> {
        let Exchange { rating, category, comment, mood, .. } = self.exchange;
        let (rating, category, comment) = match mood {
            Some(mood) => (mood.rating(self.reply.confidence)?, mood.category, &mood.comment),
            // Nobody praises an answer that found nothing.
            None => ((*rating).filter(|rating| *rating == Rating::Down || self.is_answered())?, *category, comment),
        };
        let is_bad = rating == Rating::Down;
        Some(PastFeedback {
            session,
            message: self.answer_id,
            rating,
            category: category.filter(|_| is_bad),
            comment: comment.as_deref().filter(|_| is_bad),
            at: self.at + Duration::seconds(40),
        })
    }
}

/// Records that a site which is not allowed requested the chatbot on the last three days.
pub(super) async fn refuse_a_website(app: &App, chatbot: &Chatbot) -> Result<(), ApiError> {
    let refusals = (1..=3).map(|days| {
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
    origins::add(&mut tx, &refusals.collect::<Vec<_>>()).await?;
    Ok(tx.commit_exempt(Exemption::EmbedRecord).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_is_two_weeks_of_questions_and_ratings() {
        let all = history();
        let exchanges = || all.iter().flat_map(|conversation| &conversation.exchanges);
        let count = |of: fn(&&Exchange) -> bool| exchanges().filter(of).count();
        assert!(all.len() >= 25 && all.iter().all(|conversation| (1..=13).contains(&conversation.days)));
        assert!(all.iter().any(|conversation| conversation.days == 13));
        assert!(count(|exchange| exchange.rating == Some(Rating::Up)) >= 8, "good ratings");
        assert!(count(|exchange| exchange.rating == Some(Rating::Down)) >= 3, "bad ratings");
        for exchange in exchanges() {
            let is_bad = exchange.rating == Some(Rating::Down);
            assert!(is_bad || exchange.category.is_none() && exchange.comment.is_none(), "{}", exchange.question);
        }
    }
}
