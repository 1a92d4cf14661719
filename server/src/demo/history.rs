//! Two months of conversations with ratings, open questions and a refused website, as for a tenant who has used the
//! platform for a while. Those of the last two weeks are written out, the others are generated from topics.

pub(super) mod growth;
mod spread;

use std::{cmp::Reverse, collections::BTreeMap};

use chrono::{Duration, NaiveDate, NaiveTime, Utc};
use contract::{
    MessageId, SessionId, Timestamp,
    chatbots::Chatbot,
    conversations::AnsweredBy,
    embed::EmbedOutcome,
    feedback::{FeedbackCategory, Rating},
    widget::{Citation, Confidence, MessageRole, SmallTalk, WidgetSource},
};
use rag::{
    generate::{
        language::Language,
        unsure::{self, Unsure},
    },
    retrieve::Candidate,
};
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

use crate::{error::ApiError, state::App};

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
    /// `None` when nothing was found.
    answer: Option<String>,
    source: Option<String>,
    /// The sections that the chatbot suggested with low confidence.
    #[serde(default)]
    sections: Vec<String>,
    small_talk: Option<SmallTalk>,
    rating: Option<Rating>,
    category: Option<FeedbackCategory>,
    comment: Option<String>,
}

fn history() -> Vec<Conversation> {
    let history: History = toml::from_str(TEXT).expect("the demo's history is part of the program");
    history.conversation
}

/// Writes the conversations of one chatbot, which the files call `name`.
pub(super) async fn write(app: &App, chatbot: &Chatbot, name: &str) -> Result<(), ApiError> {
    let today = Utc::now().date_naive();
    let mut conversations: Vec<_> = history().into_iter().filter(|known| known.chatbot == name).collect();
    conversations.extend(spread::conversations(name, today));
    conversations.sort_by_key(|conversation| (Reverse(conversation.days), conversation.at));
    let past: Vec<_> = conversations.iter().map(|conversation| Past::of(chatbot, conversation, today)).collect();
    insert(app, chatbot, &past).await?;
    resolve(app, chatbot, &past).await
}

async fn insert(app: &App, chatbot: &Chatbot, past: &[Past<'_>]) -> Result<(), ApiError> {
    let owner = owner(chatbot);
    let sessions: Vec<_> = past.iter().map(Past::session).collect();
    let messages: Vec<_> =
        past.iter().flat_map(|past| past.said.iter().flat_map(move |said| said.messages(past.id))).collect();
    let feedback: Vec<_> =
        past.iter().flat_map(|past| past.said.iter().filter_map(move |said| said.feedback(past.id))).collect();
    let mut questions = BTreeMap::new();
    for said in past.iter().flat_map(|past| &past.said).filter(|said| said.exchange.small_talk.is_none()) {
        *questions.entry(said.at.date_naive()).or_insert(0) += 1;
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
    let is_old_and_open = |said: &&Said<'_>| said.at < at && !said.is_answered();
    let said = past.iter().flat_map(|past| &past.said).filter(is_old_and_open);
    let questions: Vec<_> = said.map(|said| said.exchange.question.clone()).collect();
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
    said: Vec<Said<'a>>,
}

impl<'a> Past<'a> {
    fn of(chatbot: &Chatbot, conversation: &'a Conversation, today: NaiveDate) -> Self {
        let day = today - Duration::days(conversation.days);
        let first = day.and_time(conversation.at).and_utc();
        let said = (0..).zip(&conversation.exchanges);
        let said = said.map(|(minute, exchange)| Said::of(chatbot, exchange, first + Duration::minutes(minute)));
        Self { id: SessionId(Uuid::new_v4()), said: said.collect() }
    }

    fn session(&self) -> PastSession {
        let time = |said: Option<&Said<'_>>| said.map_or_else(Utc::now, |said| said.at);
        PastSession { id: self.id, first: time(self.said.first()), last: time(self.said.last()) }
    }
}

/// A question and the chatbot's answer.
struct Said<'a> {
    exchange: &'a Exchange,
    /// The question's language, if its words identify one.
    language: Option<&'static str>,
    at: Timestamp,
    answer_id: MessageId,
    text: String,
    sources: Vec<WidgetSource>,
    citations: Vec<Citation>,
    confidence: Confidence,
}

impl<'a> Said<'a> {
    fn of(chatbot: &Chatbot, exchange: &'a Exchange, at: Timestamp) -> Self {
        let answer_id = MessageId(Uuid::now_v7());
        let language = Language::detect(&exchange.question, &chatbot.language);
        if !exchange.sections.is_empty() {
            let (text, sources, citations) = exchange.unsure(&chatbot.language);
            return Self { exchange, language, at, answer_id, text, sources, citations, confidence: Confidence::Low };
        }
        let (sources, citations) = exchange.sources();
        let confidence = if sources.is_empty() { Confidence::None } else { Confidence::High };
        let text = exchange.answer.clone().unwrap_or_else(|| chatbot.fallback_message.clone());
        Self { exchange, language, at, answer_id, text, sources, citations, confidence }
    }

    fn is_answered(&self) -> bool {
        self.exchange.answer.is_some()
    }

    fn messages(&self, session: SessionId) -> [PastMessage<'_>; 2] {
        let asked = NewMessage {
            language: self.language,
            ..NewMessage::new(MessageId(Uuid::now_v7()), MessageRole::User, &self.exchange.question)
        };
        let answer = NewMessage {
            sources: &self.sources,
            citations: &self.citations,
            answered: self.is_answered(),
            confidence: Some(self.confidence),
            answered_by: Some(AnsweredBy::Quoted).filter(|_| self.confidence == Confidence::High),
            small_talk: self.exchange.small_talk,
            ..NewMessage::new(self.answer_id, MessageRole::Assistant, &self.text)
        };
        [
            PastMessage { session, message: asked, at: self.at },
            PastMessage { session, message: answer, at: self.at + Duration::seconds(2) },
        ]
    }

    fn feedback(&self, session: SessionId) -> Option<PastFeedback<'_>> {
        Some(PastFeedback {
            session,
            message: self.answer_id,
            rating: self.exchange.rating?,
            category: self.exchange.category,
            comment: self.exchange.comment.as_deref(),
            at: self.at + Duration::seconds(40),
        })
    }
}

impl Exchange {
    /// The quoted section with its marker; nothing without one.
    fn sources(&self) -> (Vec<WidgetSource>, Vec<Citation>) {
        let Some(title) = &self.source else { return (Vec::new(), Vec::new()) };
        let snippet = self.answer.as_deref().unwrap_or_default().replace(" [1]", "");
        (vec![source(title, snippet)], vec![Citation { marker: "[1]".to_owned(), source_index: 0 }])
    }

    /// The reply with low confidence, worded by [`unsure::answer`].
    fn unsure(&self, language: &str) -> (String, Vec<WidgetSource>, Vec<Citation>) {
        let candidates: Vec<_> = self.sections.iter().map(|section| candidate(section)).collect();
        let Unsure { text, citations, .. } = unsure::answer(language, None, &[], &candidates);
        let sources = self.sections.iter().map(|section| source(section, String::new())).collect();
        let citation =
            |known: rag::citation::Citation| Citation { marker: known.marker, source_index: known.source_index };
        (text, sources, citations.into_iter().map(citation).collect())
    }
}

fn source(title: &str, content_snippet: String) -> WidgetSource {
    WidgetSource {
        source_title: title.to_owned(),
        heading: parts(title).1.to_owned(),
        content_snippet,
        score: 0.8,
        url: None,
        passage_id: None,
        as_of: None,
    }
}

fn candidate(section: &str) -> Candidate<()> {
    let (title, heading) = parts(section);
    Candidate::new((), title, heading, "")
}

/// The title of a document and the heading in it.
fn parts(section: &str) -> (&str, &str) {
    section.split_once(" › ").unwrap_or((section, ""))
}

/// Records that a site which is not allowed requested the chatbot on the last three days.
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
    Ok(tx.commit_exempt(Exemption::EmbedRecord).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Invariants of every exchange of the history.
    pub(super) fn assert_is_whole(exchange: &Exchange) {
        let question = &exchange.question;
        let is_quoted = exchange.answer.is_some() && exchange.small_talk.is_none();
        assert_eq!(exchange.source.is_some(), is_quoted, "{question}");
        assert!(exchange.sections.is_empty() || exchange.answer.is_none(), "{question}");
        assert!(exchange.category.is_none() || exchange.rating == Some(Rating::Down), "{question}");
        assert!(exchange.comment.is_none() || exchange.rating == Some(Rating::Down), "{question}");
    }

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
        exchanges().for_each(assert_is_whole);
    }

    #[test]
    fn every_answer_is_quoted_from_the_demos_documents() {
        let text = documents(&["shop", "kurs"].map(|folder| format!("deploy/demo-site/{folder}")));
        for exchange in history().into_iter().flat_map(|conversation| conversation.exchanges) {
            if let (Some(answer), Some(_)) = (&exchange.answer, &exchange.source) {
                let quoted = answer.replace(" [1]", "");
                assert!(text.contains(&quoted), "{quoted}");
            }
        }
    }

    /// The Markdown files of folders, in one line.
    pub(super) fn documents(folders: &[String]) -> String {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let files = folders.iter().flat_map(|folder| crate::demo::files(&root.join(folder), ".md"));
        let texts: Vec<String> = files.map(|file| std::fs::read_to_string(file).unwrap()).collect();
        texts.iter().flat_map(|text| text.split_whitespace()).collect::<Vec<_>>().join(" ")
    }
}
