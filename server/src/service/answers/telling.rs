//! Tells the visitor an answer while it is made: each word passes the output filter first, and what was told is known when
//! he leaves in the middle.

use std::{
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

use rag::{
    filter::{Outcome, OutputFilter, Step, Stream},
    generate::cited::{Cited, Citing, LISTED},
    retrieve::Candidate,
};
use store::widget::lookup::WidgetChatbot;
use uuid::Uuid;

use super::{
    compose::Draft,
    events::{Event, Visitor},
    filtered::{self, Answer, Screen},
};
use crate::http::metrics::{self, AnswerStep};

/// An answer on its way to the visitor.
pub(super) struct Telling<'a> {
    rules: &'a Arc<OutputFilter>,
    chatbot: &'a WidgetChatbot,
    question: &'a str,
    visitor: &'a Visitor,
    begun: Option<(Begun, Stream)>,
    /// Time that the filter took so far.
    filtering: Duration,
}

/// What an answer is made from, and how far it was told.
struct Begun {
    passages: Vec<Candidate<Uuid>>,
    screen: Screen,
    told: String,
}

impl<'a> Telling<'a> {
    /// Nothing is known yet.
    pub(super) fn new(
        rules: &'a Arc<OutputFilter>,
        chatbot: &'a WidgetChatbot,
        question: &'a str,
        visitor: &'a Visitor,
    ) -> Self {
        Self { rules, chatbot, question, visitor, begun: None, filtering: Duration::ZERO }
    }

    /// Begins an answer that is made from `passages`, and shows the first of them.
    pub(super) fn begin(&mut self, passages: &[Candidate<Uuid>]) {
        let screen = Screen::new(self.rules, self.chatbot, self.question, passages);
        self.visitor.tell(Event::Sources(screen.sources(&passages[..passages.len().min(LISTED)])));
        let stream = screen.stream();
        self.begun = Some((Begun { passages: passages.to_vec(), screen, told: String::new() }, stream));
    }

    /// The next words of the answer that was begun; breaks when a rule has blocked it.
    pub(super) fn say(&mut self, words: &str) -> ControlFlow<()> {
        let Some((begun, stream)) = &mut self.begun else { return ControlFlow::Break(()) };
        if words.is_empty() {
            return ControlFlow::Continue(());
        }
        let started = Instant::now();
        let step = stream.push(words);
        self.filtering += started.elapsed();
        match step {
            Step::Pass(text) => {
                begun.told.push_str(&text);
                tell(self.visitor, text);
                ControlFlow::Continue(())
            }
            Step::Blocked => ControlFlow::Break(()),
        }
    }

    /// The time that the filter took so far.
    pub(super) fn filtering(&self) -> Duration {
        self.filtering
    }

    /// Ends the answer as drafted. The tenant's own fallback message is no model's answer and passes no filter.
    pub(super) fn finish(self, draft: Draft) -> Answer {
        let visitor = self.visitor;
        match (draft, self.conclude()) {
            (Draft::Answer { sources, citations }, Some((begun, outcome))) => {
                // Words that a rule for whole answers changed are told by the end alone.
                let rest = outcome.text.strip_prefix(&begun.told).filter(|_| !outcome.blocked);
                tell(visitor, rest.unwrap_or_default().to_owned());
                begun.screen.answer(outcome, &sources, citations)
            }
            (Draft::Answer { .. }, None) => Answer::default(),
            (Draft::Fallback(text), _) => {
                tell(visitor, text.clone());
                Answer { text, ..Answer::default() }
            }
        }
    }

    /// The answer of which the visitor heard no more than what was told: no words when he heard none.
    pub(super) fn break_off(self) -> Answer {
        let Some((begun, mut outcome)) = self.conclude() else { return Answer::default() };
        if !outcome.blocked && outcome.text.starts_with(&begun.told) {
            outcome.text.clone_from(&begun.told);
        }
        let mut citing = Citing::new(&begun.passages);
        citing.push(&begun.told);
        let (sources, citations) = match citing.finish() {
            Some(Cited { sources, citations, .. }) => (sources, citations),
            None => (Vec::new(), Vec::new()),
        };
        begun.screen.answer(outcome, &sources, citations)
    }

    /// No answer; what the filter found in its beginning is not forgotten.
    pub(super) fn fail(self) -> Answer {
        let Some((_, Outcome { triggers, raw, .. })) = self.conclude() else { return Answer::default() };
        Answer { triggers, draft: raw, ..Answer::default() }
    }

    fn conclude(self) -> Option<(Begun, Outcome)> {
        let (begun, stream) = self.begun?;
        let started = Instant::now();
        let outcome = stream.finish();
        metrics::answer_step(AnswerStep::Filter, self.filtering + started.elapsed());
        filtered::report(self.chatbot, &outcome.triggers);
        Some((begun, outcome))
    }
}

fn tell(visitor: &Visitor, text: String) {
    if !text.is_empty() {
        visitor.tell(Event::Token(text));
    }
}
