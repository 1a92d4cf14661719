//! Streams an answer to the visitor while it is generated. Each word passes the output filter first, and the sent part
//! is known when the visitor disconnects.

use std::{
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

use chrono::NaiveDate;
use contract::{
    conversations::AnsweredBy,
    widget::{Confidence, SmallTalk},
};
use rag::{
    citation::Citation,
    filter::{FilterOutcome, OutputFilter, Step, Stream},
    generate::{
        cited::{self, LISTED},
        openai::Usage,
    },
    retrieve::Candidate,
};
use store::widget::lookup::WidgetChatbot;

use super::{
    events::{Event, EventSender},
    filtered::{self, Answer, Screen},
};
use crate::{
    metrics::{self, AnswerStep},
    telemetry,
};

/// The end of an answer after all its words were pushed.
pub(super) enum ComposedAnswer {
    /// The documents have no answer: the tenant's own words.
    Fallback(String),
    /// The tenant's questions of the month are used up: the tenant's own words.
    OverQuota(String),
    /// A friendly reply to a message that is not a question.
    SmallTalk { text: String, topic: SmallTalk },
    /// Low confidence: what is closest to the question, as streamed.
    Unsure {
        /// The passages that are quoted or named.
        sources: Vec<Candidate>,
        /// The citations of the markers.
        citations: Vec<Citation>,
        /// The quoted texts, each with the index of its source.
        closest: Vec<(String, usize)>,
    },
    /// The answer that was streamed.
    Answer {
        /// The passages, those that `citations` point to first.
        sources: Vec<Candidate>,
        /// The citations of the markers.
        citations: Vec<Citation>,
    },
}

/// An answer on its way to the visitor.
pub(super) struct AnswerStream<'a> {
    rules: &'a Arc<OutputFilter>,
    chatbot: &'a WidgetChatbot,
    question: &'a str,
    events: &'a EventSender,
    started: Option<(Started, Stream)>,
    /// Time that the filter took so far.
    filtering: Duration,
    /// The language model's token usage, even if its text was not used.
    usage: Option<Usage>,
    /// The version of the prompt that the language model was asked with, even if its text was not used.
    prompt_version: Option<&'static str>,
    /// Whether the language model refused.
    is_refused: bool,
    /// The day that the question was counted for in the tenant's quota.
    counted_on: Option<NaiveDate>,
}

/// The sources of an answer, and how much of it was sent.
struct Started {
    passages: Vec<Candidate>,
    /// What each of them was read as: its own text, or more of its section.
    texts: Vec<String>,
    screen: Screen,
    sent: String,
    answered_by: AnsweredBy,
    model: Option<String>,
    is_truncated: bool,
}

impl<'a> AnswerStream<'a> {
    pub(super) fn new(
        rules: &'a Arc<OutputFilter>,
        chatbot: &'a WidgetChatbot,
        question: &'a str,
        events: &'a EventSender,
    ) -> Self {
        Self {
            rules,
            chatbot,
            question,
            events,
            started: None,
            filtering: Duration::ZERO,
            usage: None,
            prompt_version: None,
            is_refused: false,
            counted_on: None,
        }
    }

    /// Starts an answer that names `passages`, and sends the first of them. Replaces an answer of a language model
    /// without any text; passages that were already sent stay until the end.
    pub(super) fn start(&mut self, passages: &[Candidate]) {
        self.start_made(passages, passages, contents(passages), None);
    }

    /// Starts an answer that quotes `passages`, each of which was read as the text of `texts` at its place.
    pub(super) fn start_quoted(&mut self, passages: &[Candidate], texts: Vec<String>) {
        self.start_made(passages, passages, texts, None);
    }

    /// Starts an answer that a language model makes of `passages`, and sends the first of `relevant`.
    pub(super) fn start_generated(&mut self, passages: &[Candidate], relevant: &[Candidate], model: &str) {
        self.start_made(passages, relevant, contents(passages), Some(model.to_owned()));
    }

    fn start_made(
        &mut self,
        passages: &[Candidate],
        relevant: &[Candidate],
        texts: Vec<String>,
        model: Option<String>,
    ) {
        let screen = Screen::new(self.rules, self.chatbot, self.question, texts.clone());
        if self.started.is_none() {
            self.events.send(Event::Sources(screen.sources(&relevant[..relevant.len().min(LISTED)])));
        }
        let (passages, stream) = (passages.to_vec(), screen.stream());
        let answered_by = if model.is_some() { AnsweredBy::Generated } else { AnsweredBy::Quoted };
        let started = Started { passages, texts, screen, sent: String::new(), answered_by, model, is_truncated: false };
        self.started = Some((started, stream));
    }

    /// The text that a source of the answer was read as.
    pub(super) fn text_of<'b>(&'b self, source: &'b Candidate) -> &'b str {
        let read = self.started.as_ref().and_then(|(started, _)| {
            let place = started.passages.iter().position(|passage| passage.id == source.id)?;
            started.texts.get(place)
        });
        read.map_or(source.content.as_str(), String::as_str)
    }

    /// Reports the position in the queue for the language model.
    pub(super) fn send_position(&self, place: usize) {
        self.events.send(Event::Waiting(place));
    }

    /// Records that the language model was asked with a prompt of this version.
    pub(super) fn note_prompt(&mut self, version: &'static str) {
        self.prompt_version = Some(version);
    }

    /// Records the tokens that the language model has used so far.
    pub(super) fn note_usage(&mut self, usage: Usage) {
        self.usage = Some(usage);
    }

    /// The tokens that the language model has used so far.
    pub(super) fn usage(&self) -> Usage {
        self.usage.unwrap_or_default()
    }

    /// Records that the language model refused.
    pub(super) fn note_refusal(&mut self) {
        self.is_refused = true;
    }

    /// Whether the language model refused.
    pub(super) fn is_refused(&self) -> bool {
        self.is_refused
    }

    /// Records that the question was counted for the tenant's quota.
    pub(super) fn note_count(&mut self, day: NaiveDate) {
        self.counted_on = Some(day);
    }

    /// Records that the language model's words broke off.
    pub(super) fn truncate(&mut self) {
        if let Some((started, _)) = &mut self.started {
            started.is_truncated = true;
        }
    }

    /// Pushes the next words of the answer; breaks when a rule has blocked it.
    pub(super) fn push(&mut self, words: &str) -> ControlFlow<()> {
        let Some((answer, stream)) = &mut self.started else { return ControlFlow::Break(()) };
        if words.is_empty() {
            return ControlFlow::Continue(());
        }
        let started = Instant::now();
        let step = stream.push(words);
        self.filtering += started.elapsed();
        match step {
            Step::Pass(text) => {
                answer.sent.push_str(&text);
                send(self.events, text);
                ControlFlow::Continue(())
            }
            Step::Blocked => ControlFlow::Break(()),
        }
    }

    /// The time that the filter took so far.
    pub(super) fn filtering(&self) -> Duration {
        self.filtering
    }

    /// Ends the answer as it was composed. The tenant's own words, such as a fallback message, are not a model's answer
    /// and pass no filter.
    pub(super) fn finish(self, composed: ComposedAnswer) -> Answer {
        let (events, usage, prompt_version, counted_on) =
            (self.events, self.usage, self.prompt_version, self.counted_on);
        if self.started.is_none() {
            events.send(Event::Sources(Vec::new()));
        }
        let confidence = match composed {
            ComposedAnswer::Fallback(_) | ComposedAnswer::OverQuota(_) | ComposedAnswer::SmallTalk { .. } => {
                Confidence::None
            }
            ComposedAnswer::Unsure { .. } => Confidence::Low,
            ComposedAnswer::Answer { .. } => Confidence::High,
        };
        let (composed, closest) = match composed {
            ComposedAnswer::Unsure { sources, citations, closest } => {
                (ComposedAnswer::Answer { sources, citations }, closest)
            }
            composed => (composed, Vec::new()),
        };
        let answer = match (composed, self.conclude()) {
            (ComposedAnswer::Answer { sources, citations }, Some((started, outcome))) => {
                // Words that a rule for whole answers changed are sent with the end alone.
                let rest = outcome.text.strip_prefix(&started.sent).filter(|_| !outcome.blocked);
                send(events, rest.unwrap_or_default().to_owned());
                let closest = if outcome.blocked { Vec::new() } else { started.screen.closest(closest) };
                Answer { confidence, closest, ..started.answer(outcome, &sources, citations) }
            }
            (ComposedAnswer::Answer { .. } | ComposedAnswer::Unsure { .. }, _) => Answer::default(),
            (ComposedAnswer::Fallback(text), _) => {
                send(events, text.clone());
                Answer { text, ..Answer::default() }
            }
            (ComposedAnswer::OverQuota(text), _) => {
                send(events, text.clone());
                Answer { text, over_quota: true, ..Answer::default() }
            }
            (ComposedAnswer::SmallTalk { text, topic }, _) => {
                send(events, text.clone());
                Answer { text, small_talk: Some(topic), ..Answer::default() }
            }
        };
        Answer { usage, prompt_version, counted_on, ..answer }
    }

    /// The part of the answer that was sent; empty when none was.
    pub(super) fn abort(self) -> Answer {
        let (usage, prompt_version, counted_on) = (self.usage, self.prompt_version, self.counted_on);
        let Some((started, mut outcome)) = self.conclude() else {
            return Answer { usage, counted_on, ..Answer::default() };
        };
        if !outcome.blocked && outcome.text.starts_with(&started.sent) {
            outcome.text.clone_from(&started.sent);
        }
        let (citations, sources) = cited::of_sent(&started.sent, &started.passages, &started.texts);
        Answer { usage, prompt_version, counted_on, ..started.answer(outcome, &sources, citations) }
    }

    /// No answer; keeps the filter's findings so far.
    pub(super) fn fail(self) -> Answer {
        let (usage, counted_on) = (self.usage, self.counted_on);
        let Some((_, FilterOutcome { triggers, raw, .. })) = self.conclude() else {
            return Answer { usage, counted_on, ..Answer::default() };
        };
        Answer { triggers, draft: raw, usage, counted_on, ..Answer::default() }
    }

    fn conclude(self) -> Option<(Started, FilterOutcome)> {
        let (answer, stream) = self.started?;
        let started = Instant::now();
        let outcome = stream.finish();
        let took = self.filtering + started.elapsed();
        metrics::answer_step(AnswerStep::Filter, took);
        telemetry::ended!("filter", took, svc.filter.matches = outcome.triggers.len());
        filtered::report(self.chatbot.config.chatbot_id, &outcome.triggers);
        Some((answer, outcome))
    }
}

impl Started {
    fn answer(self, outcome: FilterOutcome, sources: &[Candidate], citations: Vec<Citation>) -> Answer {
        let Self { screen, answered_by, model, is_truncated, .. } = self;
        let answer = screen.answer(outcome, sources, citations);
        Answer { answered_by: Some(answered_by), model, truncated: is_truncated, ..answer }
    }
}

fn contents(passages: &[Candidate]) -> Vec<String> {
    passages.iter().map(|passage| passage.content.clone()).collect()
}

fn send(events: &EventSender, text: String) {
    if !text.is_empty() {
        events.send(Event::Token(text));
    }
}
