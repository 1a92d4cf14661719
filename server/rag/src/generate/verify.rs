//! Verifies a model's answer against the passages while it is streamed. Each sentence gets the markers of the passages
//! that support it, and is dropped when none does.
//!
//! A sentence is released as soon as the next one begins. Verification does not rely on the model's obedience: it reads
//! markers wherever they are and writes them again, and drops everything that is not a sentence about the passages:
//! repeated headings and rules, lists of sources, loops, words that were cut off.

mod agreement;
mod cells;
mod confidential;
mod copied;
mod demanded;
mod draft;
mod evidence;
mod facts;
mod judge;
mod lone_value;
mod markers;
mod measures;
#[cfg(test)]
mod mutation;
mod noise;
mod quoted_block;
#[cfg(test)]
mod recorded;
mod refusal;
mod segments;
mod stems;
mod subject;
mod swapped;
#[cfg(test)]
mod tests;

pub use self::agreement::{Basis, Release};
use self::{
    agreement::Agreement,
    confidential::Confidential,
    demanded::demands,
    draft::Draft,
    evidence::{Evidence, plain},
    judge::{Judge, Ruling},
    markers::Read,
    noise::{headings, visible, without_reference},
    quoted_block::QuotedBlock,
    segments::{Kind, Segment, Segments},
};
use super::{
    cited::{Cited, in_order},
    echo::Echo,
    language::Language,
    table,
};
use crate::{embed::Embedder, price, retrieve::Candidate};

/// The mark after an unsupported sentence with [`Unsupported::Mark`].
pub const UNSUPPORTED_MARK: &str = "[?]";
/// Consecutive unsupported sentences after which the model is stopped.
const MAX_UNSUPPORTED: usize = 6;

/// What to do with sentences that no passage supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unsupported {
    /// Drop them.
    #[default]
    Strict,
    /// Keep them, marked with [`UNSUPPORTED_MARK`], but drop those with invented facts.
    Mark,
    /// Verify only the markers.
    Off,
}

/// What an answer is verified against.
#[derive(Clone, Copy)]
pub struct VerificationInput<'a> {
    pub language: &'static Language,
    /// The passages of the prompt.
    pub passages: &'a [Candidate],
    pub question: &'a str,
    /// The chatbot's own instructions, which no answer may repeat.
    pub system_prompt: &'a str,
    /// The chatbot's own names, which an answer may mention.
    pub names: &'a str,
    pub unsupported: Unsupported,
    /// When verified text is released; without verification always at once.
    pub release: Release<'a>,
    /// Whether the code, list or table behind a sentence of a passage is quoted with a sentence that rests on it.
    pub quotes_blocks: bool,
    /// Compares meanings where words are not decisive; without it words alone decide.
    pub embedder: Option<&'a dyn Embedder>,
}

/// The result of verification.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Verified sentences. `rest` is the part that was held back.
    Answer(Cited),
    /// The model said that the passages have no answer.
    Refused,
    /// No sentence could be verified, or none says what the search is sure of.
    Unusable,
}

/// How many sentences the model wrote, and how they were judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub supported: u32,
    pub unsupported: u32,
    pub invented: u32,
}

/// How a model's answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The model finished.
    Whole,
    /// The connection broke, or a limit cut the answer: the last sentence counts only when it is complete.
    Cut,
}

/// The verification of an answer that is still being generated.
pub struct Verification<'a> {
    input: VerificationInput<'a>,
    judge: Judge,
    confidential: Confidential,
    echo: Echo,
    segments: Segments,
    answer: Draft,
    block: QuotedBlock,
    /// Headings and titles of the passages, and whether one was repeated already.
    headings: Vec<String>,
    repeated_headings: usize,
    /// The column headers of the current table.
    head: Option<Vec<String>>,
    refused: bool,
    stopped: bool,
    counts: Counts,
    /// Verified text that is held back until it has the price that is asked for, and what the question names.
    held: Option<String>,
    /// The question as far as the answer must have what it names; empty if that is nothing.
    demands: String,
    agreement: Agreement,
    unsupported_run: usize,
    repetitions: usize,
}

impl<'a> Verification<'a> {
    pub fn new(input: VerificationInput<'a>) -> Self {
        let VerificationInput { language, passages, question, system_prompt, names, unsupported, .. } = input;
        let title = |passage: &Candidate| format!("{} {}", passage.title, passage.heading);
        let evidence = passages.iter().map(|passage| Evidence::new(&title(passage), &passage.content, language));
        let judge = Judge {
            language,
            passages: evidence.collect(),
            question: Evidence::new("", question, language),
            own: Evidence::new("", names, language),
        };
        let confidential = Confidential::new(language, system_prompt, &judge.passages, &judge.question);
        let is_verified = unsupported != Unsupported::Off;
        let demands = if is_verified { demands(question, language) } else { String::new() };
        let agreement = if is_verified { Agreement::new(&input) } else { Agreement::default() };
        let is_held = agreement.is_held || agreement.has_core() || !demands.is_empty();
        Self {
            input,
            judge,
            confidential,
            echo: Echo::new(),
            segments: Segments::default(),
            answer: Draft::default(),
            block: QuotedBlock::default(),
            headings: passages.iter().flat_map(headings).collect(),
            repeated_headings: 0,
            head: None,
            refused: false,
            stopped: false,
            counts: Counts::default(),
            held: (is_held || is_verified && price::is_asked(question)).then(String::new),
            demands,
            agreement,
            unsupported_run: 0,
            repetitions: 0,
        }
    }

    /// Takes the model's next words and returns the verified text.
    pub async fn push(&mut self, part: &str) -> String {
        let part = self.echo.push(part);
        self.segments.push(&part);
        let text = self.settle(false).await;
        let Some(mut held) = self.held.take() else { return text };
        held.push_str(&text);
        if !self.agreement.is_held && self.is_complete(&held) {
            return held;
        }
        self.held = Some(held);
        String::new()
    }

    /// Whether the model can be stopped: it refused, repeats itself or has lost the topic.
    pub fn has_enough(&self) -> bool {
        self.stopped
    }

    /// What the answer rests on.
    pub fn basis(&self) -> &Basis {
        &self.agreement.basis
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Verifies the rest of the answer after the last word, and returns the verdict on the whole.
    pub async fn finish(&mut self, ending: Ending) -> Verdict {
        let held = std::mem::replace(&mut self.echo, Echo::new()).finish();
        self.segments.push(&held);
        let mut rest = self.settle(false).await;
        while !self.stopped {
            let Some(segment) = self.segments.next(true) else { break };
            let is_cut = ending == Ending::Cut && !has_end(&segment);
            if !is_cut {
                rest.push_str(&self.take(segment).await);
            }
        }
        if !self.answer.is_started && !self.refused {
            rest.push_str(&self.release_value());
        }
        if !self.answer.is_started {
            return if self.refused { Verdict::Refused } else { Verdict::Unusable };
        }
        rest.push_str(&self.explain());
        rest.push_str(&self.quote_block());
        if let Some(held) = self.held.take() {
            rest.insert_str(0, &held);
            if !self.is_complete(&rest) {
                return if self.agreement.has_core() { Verdict::Unusable } else { Verdict::Refused };
            }
        }
        let (citations, sources) = in_order(std::mem::take(&mut self.answer.citations), self.input.passages);
        Verdict::Answer(Cited { rest, citations, sources })
    }

    async fn settle(&mut self, last: bool) -> String {
        let mut text = String::new();
        while !self.stopped {
            let Some(segment) = self.segments.next(last) else { break };
            text.push_str(&self.take(segment).await);
        }
        text
    }

    /// Judges a segment and returns its verified text.
    async fn take(&mut self, segment: Segment) -> String {
        if !segment.is_whole {
            // Code or a sentence without end: nothing useful follows.
            self.stopped = true;
            return String::new();
        }
        self.answer.follow(&segment.lead);
        if segment.kind != Kind::Row {
            self.head = None;
        }
        match segment.kind {
            Kind::Heading => {
                self.note_heading(segment.text.trim_start_matches('#'));
                self.answer.waiting.clear();
                String::new()
            }
            Kind::Code => self.code(&segment),
            Kind::Row | Kind::Sentence | Kind::Item => self.sentence(segment).await,
        }
    }

    fn code(&mut self, segment: &Segment) -> String {
        let source = self.judge.passages.iter().position(|passage| facts::is_code_supported(&segment.text, passage));
        if source.is_none() && self.input.unsupported != Unsupported::Off {
            return self.reject(Ruling::Invented);
        }
        self.counts.supported += 1;
        let cited: Vec<usize> = source.into_iter().collect();
        self.accept(segment, &segment.text, &cited)
    }

    async fn sentence(&mut self, segment: Segment) -> String {
        let is_row = segment.kind == Kind::Row;
        let is_header = is_row && self.head.is_none();
        let is_quoted = |words: &str| self.judge.passages.iter().any(|passage| passage.has(&plain(words)));
        let Read { text, indices } = markers::read(&segment.text, self.input.passages.len(), is_quoted);
        let text = without_reference(&visible(&text), self.input.language);
        if text.is_empty() || self.is_no_sentence(&segment, &text, &indices) {
            return String::new();
        }
        if is_row && !text.contains(char::is_alphanumeric) {
            // The rule below a table's header.
            return String::new();
        }
        if self.is_repeated(&text) {
            return String::new();
        }
        if self.is_refusal(&text, &indices) {
            return self.refuse();
        }
        if is_header {
            return self.header(&text);
        }
        if self.input.unsupported == Unsupported::Off {
            let cited = self.judge.unverified(&text, &indices);
            return self.accept(&segment, &text, &cited);
        }
        if self.confidential.is_in(&text, self.input.language) {
            return self.reject(Ruling::Invented);
        }
        let ruling = self.judge.sentence(&text, &indices);
        let ruling = match ruling {
            Ruling::Unsure(passage) => self.compare(&text, passage).await,
            ruling => ruling,
        };
        match ruling {
            Ruling::Supported(cited) => {
                (self.counts.supported, self.unsupported_run) = (self.counts.supported + 1, 0);
                self.agreement.note(&text, &cited, &self.judge, &self.input).await;
                self.accept(&segment, &text, &cited)
            }
            Ruling::Glue => {
                self.answer.wait(&segment, text);
                String::new()
            }
            Ruling::Unsupported if !is_row && self.is_marked(&text) => {
                self.counts.unsupported += 1;
                let text = format!("{text} {UNSUPPORTED_MARK}");
                self.accept(&segment, &text, &[])
            }
            ruling => self.reject(ruling),
        }
    }

    /// Stores the column headers of a table. They are repeated with each row.
    fn header(&mut self, text: &str) -> String {
        let is_known = self.input.unsupported == Unsupported::Off
            || self.judge.is_header_supported(text) && !self.confidential.is_in(text, self.input.language);
        self.head = Some(if is_known { table::cells(text) } else { Vec::new() });
        if is_known { String::new() } else { self.reject(Ruling::Invented) }
    }

    /// The text of a verified segment, behind the block of the sentence before it. A row of a table becomes a list item,
    /// because the widget shows no tables.
    fn accept(&mut self, segment: &Segment, text: &str, cited: &[usize]) -> String {
        let Some(block) = self.block_before(segment, text, cited) else { return String::new() };
        let Some(head) = self.head.as_ref().filter(|_| segment.kind == Kind::Row) else {
            return block + &self.answer.accept(segment, text, cited);
        };
        let item = table::item(head, &table::cells(text)).unwrap_or_default();
        block + &self.answer.accept(&Segment { kind: Kind::Item, ..segment.clone() }, &item, cited)
    }

    /// Whether an unsupported sentence stays with a mark. It cites no passage, so it may not have facts.
    fn is_marked(&self, sentence: &str) -> bool {
        self.input.unsupported == Unsupported::Mark && self.judge.needs_no_passage(sentence)
    }

    async fn compare(&self, sentence: &str, passage: usize) -> Ruling {
        let Some(embedder) = self.input.embedder else { return Ruling::Unsupported };
        let is_same = self.judge.means_the_same(sentence, passage, embedder).await;
        if is_same { Ruling::Supported(vec![passage]) } else { Ruling::Unsupported }
    }

    /// A refusal is final, whatever the model writes next. Verified sentences before it remain an answer.
    fn refuse(&mut self) -> String {
        self.refused = true;
        self.stopped = true;
        String::new()
    }

    fn reject(&mut self, ruling: Ruling) -> String {
        match ruling {
            Ruling::Invented => self.counts.invented += 1,
            _ => self.counts.unsupported += 1,
        }
        self.unsupported_run += 1;
        self.stopped |= self.unsupported_run >= MAX_UNSUPPORTED;
        self.answer.waiting.retain(|(_, text)| text.ends_with(':'));
        String::new()
    }

    /// Whether the sentence refuses. Documents may themselves be what the passages are about: "The document does not need
    /// a stamp."
    fn is_refusal(&self, text: &str, indices: &[usize]) -> bool {
        let is_stated =
            || !refusal::has_phrase(text) && matches!(self.judge.sentence(text, indices), Ruling::Supported(_));
        refusal::is_word(text) || refusal::is_refusal(text) && !self.is_quoted(text) && !is_stated()
    }

    /// Whether the sentence is almost a quotation of a passage: a document may itself say that something is unknown.
    fn is_quoted(&self, text: &str) -> bool {
        let text = plain(text);
        self.judge.passages.iter().any(|passage| passage.has(text.trim_end_matches(['.', '!', '?'])))
    }
}

/// Whether a segment at the end of a cut answer is complete nevertheless.
fn has_end(segment: &Segment) -> bool {
    let text = markers::read(&segment.text, usize::MAX, |_| false).text;
    segment.kind == Kind::Code || text.ends_with(['.', '!', '?', '。', ')', '"', '”'])
}
