//! The output filter: rules in a data file that block answers or mask parts of them.
//!
//! [`OutputFilter`] holds the rules. An answer passes through a [`Stream`], chunk by chunk, which holds back text that
//! an inline rule may still match. Its [`FilterOutcome`] says what to show, store and record. The caller writes rows
//! and metrics.

mod automaton;
mod context;
mod error;
mod fold;
mod overlap;
mod pattern;
mod redactor;
mod rules;
mod scan;
mod stream;
mod validator;

use std::{collections::BTreeMap, ops::Range, path::Path, sync::Arc};

use regex_automata::meta::Regex;
use regex_syntax::hir::Hir;

use self::{
    automaton::Automaton,
    redactor::{Purpose, Span},
    rules::{Replies, Rule, Target},
    scan::View,
};
pub use self::{
    context::Context,
    error::FilterError,
    pattern::LONGEST_INLINE,
    redactor::MAX_TRIGGERS,
    rules::{Action, Category, Layer},
    stream::{Step, Stream},
    validator::VALIDATORS,
};

/// The rules that are used when no file is configured.
const BUILT_IN: &str = include_str!("../../../deploy/output-filter.toml");

/// A match that a rule found in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trigger {
    pub rule: String,
    /// What the rule protects against.
    pub category: Category,
    /// The layer that found it.
    pub layer: Layer,
    pub action: Action,
    pub monitor_only: bool,
    /// The byte range of the match in the unfiltered answer.
    pub range: Range<usize>,
    /// The match with up to 80 characters on either side.
    pub excerpt: String,
}

/// The result of filtering an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterOutcome {
    /// The whole answer as it may be shown.
    pub text: String,
    /// The text that the stream did not release yet; empty when the answer is blocked.
    pub rest: String,
    /// Whether `text` is the fixed sentence for blocked answers.
    pub blocked: bool,
    /// Whether `text` differs from `raw`.
    pub changed: bool,
    /// All matches in order of appearance; those of rules for whole answers come last.
    pub triggers: Vec<Trigger>,
    /// The unfiltered answer, as far as it was read.
    pub raw: String,
}

/// The compiled rules.
#[derive(Debug)]
pub struct OutputFilter {
    replies: BTreeMap<String, Replies>,
    rules: Vec<Rule>,
    automaton: Automaton,
    /// The rule of each pattern of the automaton.
    inline: Vec<usize>,
    /// Rules that compare with the system prompt.
    prompt_rules: Vec<usize>,
    /// Rules that look at whole answers.
    whole: Vec<(usize, Regex)>,
}

impl OutputFilter {
    /// The built-in rules.
    ///
    /// # Errors
    /// Not in a released version: a test loads the built-in rules.
    pub fn built_in() -> Result<Arc<Self>, FilterError> {
        Self::from_text(BUILT_IN)
    }

    /// The rules of a file.
    ///
    /// # Errors
    /// See [`FilterError`].
    pub fn from_file(path: &Path) -> Result<Arc<Self>, FilterError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| FilterError::Read { path: path.display().to_string(), error })?;
        Self::from_text(&text)
    }

    /// Loads rules in the file's format from a text, and tests each rule with its examples.
    ///
    /// # Errors
    /// The first invalid rule: unknown or missing fields, a bad or (inline) unbounded pattern, an unknown validator, a
    /// duplicate id, an example that fails.
    pub fn from_text(text: &str) -> Result<Arc<Self>, FilterError> {
        let (replies, rules) = rules::read(text)?;
        let (mut inline, mut patterns, mut prompt_rules, mut whole) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (index, rule) in rules.iter().enumerate() {
            match (&rule.target, rule.layer) {
                (Target::SystemPrompt, _) => prompt_rules.push(index),
                (Target::Pattern(hir), Layer::Inline) => {
                    inline.push(index);
                    patterns.push(hir.clone());
                }
                (Target::Pattern(hir), Layer::PostStream) => whole.push((index, compile(&rule.id, hir)?)),
            }
        }
        let automaton = Automaton::new(&patterns)
            .map_err(|error| FilterError::File(format!("the inline patterns together: {error}")))?;
        let filter = Arc::new(Self { replies, rules, automaton, inline, prompt_rules, whole });
        filter.try_examples()?;
        Ok(filter)
    }

    /// How many rules there are.
    pub fn rules(&self) -> usize {
        self.rules.len()
    }

    /// Filters an answer while it is generated.
    pub fn stream(self: &Arc<Self>, context: &Arc<Context>) -> Stream {
        Stream::new(Arc::clone(self), Arc::clone(context), Purpose::Filter)
    }

    /// Filters a complete answer.
    pub fn check(self: &Arc<Self>, answer: &str, context: &Arc<Context>) -> FilterOutcome {
        let mut stream = self.stream(context);
        stream.push(answer);
        stream.finish()
    }

    /// Masks every match of a rule, blocking or masking, in a text outside the answer, such as a source's snippet.
    pub fn redact(self: &Arc<Self>, text: &str, context: &Arc<Context>) -> String {
        self.run(text, context, Purpose::Redact).text
    }

    fn run(self: &Arc<Self>, text: &str, context: &Arc<Context>, purpose: Purpose) -> FilterOutcome {
        let mut stream = Stream::new(Arc::clone(self), Arc::clone(context), purpose);
        stream.push(text);
        stream.finish()
    }

    /// The replies in the chatbot's language, or in English.
    fn replies(&self, context: &Context) -> &Replies {
        let replies = self.replies.get(&context.language).or_else(|| self.replies.get("en"));
        replies.expect("a file without English replies is refused")
    }

    /// The validated match at the beginning of a range of the view; `None` when the rule does not apply to this answer.
    fn accept(&self, index: usize, view: &View<'_>, range: Range<usize>, context: &Context) -> Option<Span> {
        let (rule, match_text) = (&self.rules[index], &view.text[range.clone()]);
        if !rule.languages.is_empty() && !rule.languages.contains(&context.language) {
            return None;
        }
        let length = rule.validator.map_or(Some(match_text.len()), |real| real(match_text))?;
        let Range { start, end } = view.original(range.start..range.start + length);
        let is_published = || {
            let written = view.folded_from.map(|(_, answer)| &answer[start..end]);
            [Some(&match_text[..length]), written].into_iter().flatten().any(|text| context.is_published(text))
        };
        (!rule.allow_in_sources || !is_published()).then_some(Span { start, rule: index, end })
    }

    /// The matches of rules for whole answers.
    fn whole_spans(&self, view: &View<'_>, context: &Context) -> Vec<Span> {
        let mut spans = Vec::new();
        for (rule, regex) in &self.whole {
            let matches = regex.find_iter(view.text);
            spans.extend(matches.filter_map(|found| self.accept(*rule, view, found.range(), context)));
        }
        spans
    }

    fn try_examples(self: &Arc<Self>) -> Result<(), FilterError> {
        for rule in &self.rules {
            let language = rule.languages.first().map_or("en", String::as_str);
            let context = Arc::new(Context::new(language, "", Vec::new()));
            let ranges = |text: &str| -> Vec<Range<usize>> {
                let triggers = self.run(text, &context, Purpose::Probe).triggers.into_iter();
                triggers.filter(|trigger| trigger.rule == rule.id).map(|trigger| trigger.range).collect()
            };
            for example in &rule.matches {
                let (text, expected) = marked(example).ok_or_else(|| {
                    FilterError::rule(&rule.id, format!("`{example}` does not mark its match with << and >>"))
                })?;
                if ranges(&text) != [expected] {
                    return Err(FilterError::rule(&rule.id, format!("the example `{example}` is not matched so")));
                }
            }
            if let Some(example) = rule.ignores.iter().find(|example| !ranges(example).is_empty()) {
                return Err(FilterError::rule(&rule.id, format!("the example `{example}` is matched")));
            }
        }
        Ok(())
    }
}

fn compile(id: &str, hir: &Hir) -> Result<Regex, FilterError> {
    Regex::builder().build_from_hir(hir).map_err(|error| FilterError::rule(id, error.to_string()))
}

/// An example without its marks, and the range between them.
fn marked(example: &str) -> Option<(String, Range<usize>)> {
    let (before, rest) = example.split_once("<<")?;
    let (inside, after) = rest.rsplit_once(">>")?;
    Some((format!("{before}{inside}{after}"), before.len()..before.len() + inside.len()))
}
