//! What else speaks for an answer: a model that guesses writes true sentences about something else. An answer rests on the
//! unit that the search is sure of, or on the same unit as the answer of a second reading.

use std::collections::HashSet;

use super::{
    VerificationInput,
    evidence::{Evidence, number_forms, plain, rows},
    judge::{Judge, Ruling},
};

/// When verified text is released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release<'a> {
    /// At once.
    Verified,
    /// From the sentence on that says what this unit says, of which the search is sure. Without such a sentence there is no
    /// answer.
    Core {
        /// The title and headings above the unit.
        headings: &'a str,
        /// The unit.
        text: &'a str,
    },
    /// At the end, because another reading decides.
    End,
}

/// What an answer rests on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Basis {
    /// The units of passages that its sentences are made of, and whether the sentence has a negation.
    units: HashSet<(String, bool)>,
    /// The numbers of its sentences.
    numbers: HashSet<String>,
    /// Whether one of them needs two passages: models mix what does not belong together.
    is_mixed: bool,
}

impl Basis {
    /// Whether two readings found the same.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let is_shared = |own: &HashSet<String>, others: &HashSet<String>| {
            own.is_empty() && others.is_empty() || !own.is_disjoint(others)
        };
        !self.is_mixed && !self.units.is_disjoint(&other.units) && is_shared(&self.numbers, &other.numbers)
    }
}

/// The unit that an answer must rest on, and what it rests on so far.
#[derive(Debug, Default)]
pub(super) struct Agreement {
    core: Option<Core>,
    pub(super) is_held: bool,
    pub(super) basis: Basis,
}

/// A unit that an answer must say.
#[derive(Debug)]
struct Core {
    /// With the unit below its headings as the only passage.
    judge: Judge,
    unit: Evidence,
    denies: bool,
    is_said: bool,
}

impl Agreement {
    pub(super) fn new(input: &VerificationInput<'_>) -> Self {
        let VerificationInput { language, question, names, release, .. } = *input;
        let evidence = |headings, text| Evidence::new(headings, text, language);
        let core = match release {
            Release::Core { headings, text } => Some(Core {
                judge: Judge {
                    language,
                    passages: vec![evidence(headings, text)],
                    question: evidence("", question),
                    own: evidence("", names),
                },
                unit: evidence("", text),
                denies: language.denies(text),
                is_said: false,
            }),
            Release::Verified | Release::End => None,
        };
        Self { core, is_held: release == Release::End, basis: Basis::default() }
    }

    /// Whether a sentence says what the core says, if there is one.
    pub(super) fn is_reached(&self) -> bool {
        self.core.as_ref().is_none_or(|core| core.is_said)
    }

    pub(super) fn has_core(&self) -> bool {
        self.core.is_some()
    }

    /// Records a sentence that these passages support.
    pub(super) async fn note(&mut self, sentence: &str, cited: &[usize], judge: &Judge, input: &VerificationInput<'_>) {
        self.basis.is_mixed |= cited.len() > 1;
        let units = judge.nearest_parts(sentence, cited).into_iter();
        let units = units.map(|(passage, part)| unit_of(&judge.passages[passage].parts[part].text, sentence, judge));
        let denies = judge.denies(sentence);
        self.basis.units.extend(units.map(|unit| (unit, denies)));
        self.basis.numbers.extend(number_forms(sentence));
        if let Some(core) = self.core.as_mut().filter(|core| !core.is_said) {
            core.is_said = core.says(sentence, input).await;
        }
    }
}

impl Core {
    /// Whether the unit says what the sentence says. A sentence without any of the unit's numbers says less.
    async fn says(&self, sentence: &str, input: &VerificationInput<'_>) -> bool {
        let is_same = match (self.judge.sentence(sentence, &[]), input.embedder) {
            (Ruling::Supported(_), _) => true,
            (Ruling::Unsure(passage), Some(embedder)) => self.judge.means_the_same(sentence, passage, embedder).await,
            _ => false,
        };
        is_same && self.judge.denies(sentence) == self.denies && self.unit.shares_number(sentence)
    }
}

/// The row of a table that a sentence is made of; other parts as a whole.
fn unit_of(part: &str, sentence: &str, judge: &Judge) -> String {
    let stems = judge.language.stems(sentence);
    let share = |row: &&str| {
        let row_stems = judge.language.stems(row);
        stems.iter().filter(|stem| row_stems.contains(stem)).count()
    };
    rows(part).into_iter().rev().max_by_key(share).map(plain).unwrap_or_default()
}
