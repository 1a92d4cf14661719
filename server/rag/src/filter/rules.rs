//! Parses and validates the file of rules.

use std::collections::BTreeMap;

use regex_syntax::hir::Hir;
use serde::Deserialize;

use super::{
    FilterError, pattern,
    validator::{self, VALIDATORS, Validator},
};

/// What a rule protects against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Instructions in foreign text that the model repeats or obeys.
    PromptInjection,
    /// Personal data.
    Pii,
    /// Keys, tokens and passwords.
    Secret,
    /// The chatbot's own instructions.
    SystemPromptLeak,
}

impl Category {
    pub const ALL: [Self; 4] = [Self::PromptInjection, Self::Pii, Self::Secret, Self::SystemPromptLeak];

    /// The name in files, rows and metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PromptInjection => "prompt_injection",
            Self::Pii => "pii",
            Self::Secret => "secret",
            Self::SystemPromptLeak => "system_prompt_leak",
        }
    }
}

/// What a match does to the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Replaces the whole answer by a fixed sentence.
    Block,
    /// Replaces the match by a mark.
    Mask,
}

/// When a rule is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// While the answer is streamed; no part of a match is ever sent.
    Inline,
    /// At the end, to the whole answer.
    PostStream,
}

impl Layer {
    /// The name in files and rows.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Inline => "inline",
            Self::PostStream => "post_stream",
        }
    }
}

/// A check that is not a regular expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Detector {
    /// Verbatim overlap with the chatbot's system prompt.
    SystemPrompt,
}

/// The replacement texts in one language.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Replies {
    /// Replaces a blocked answer.
    pub(super) blocked: String,
    /// Replaces a masked match.
    pub(super) mark: String,
}

/// A rule as written in the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleForm {
    id: String,
    category: Category,
    pattern: Option<String>,
    detector: Option<Detector>,
    validator: Option<String>,
    action: Action,
    layer: Layer,
    #[serde(default)]
    languages: Vec<String>,
    #[serde(default)]
    monitor_only: bool,
    #[serde(default)]
    allow_in_sources: bool,
    #[serde(default)]
    matches: Vec<String>,
    #[serde(default)]
    ignores: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileForm {
    replies: BTreeMap<String, Replies>,
    #[serde(default)]
    rule: Vec<toml::Table>,
}

/// What a rule looks for.
#[derive(Debug)]
pub(super) enum Target {
    /// A regular expression.
    Pattern(Hir),
    /// The chatbot's system prompt.
    SystemPrompt,
}

#[derive(Debug)]
pub(super) struct Rule {
    pub(super) id: String,
    pub(super) category: Category,
    pub(super) target: Target,
    pub(super) validator: Option<Validator>,
    pub(super) action: Action,
    pub(super) layer: Layer,
    /// Primary language subtags; empty for all languages.
    pub(super) languages: Vec<String>,
    pub(super) monitor_only: bool,
    pub(super) allow_in_sources: bool,
    /// Texts with the expected match between `<<` and `>>`.
    pub(super) matches: Vec<String>,
    /// Texts in which the rule must find nothing.
    pub(super) ignores: Vec<String>,
}

/// Parses a file: the replies by language, and the rules in order.
///
/// # Errors
/// The file or its first invalid rule.
pub(super) fn read(text: &str) -> Result<(BTreeMap<String, Replies>, Vec<Rule>), FilterError> {
    let form: FileForm = toml::from_str(text).map_err(|error| FilterError::File(error.to_string()))?;
    if !form.replies.contains_key("en") {
        return Err(FilterError::File("[replies.en] is missing; other languages fall back to it".to_owned()));
    }
    let mut rules: Vec<Rule> = Vec::with_capacity(form.rule.len());
    for (number, table) in form.rule.into_iter().enumerate() {
        let id = table.get("id").and_then(toml::Value::as_str).map_or(format!("#{}", number + 1), str::to_owned);
        let form: RuleForm =
            table.try_into().map_err(|error: toml::de::Error| FilterError::rule(&id, error.message()))?;
        let rule = check(form).map_err(|reason| FilterError::rule(&id, reason))?;
        if rules.iter().any(|earlier| earlier.id == rule.id) {
            return Err(FilterError::rule(&id, "another rule has the same id"));
        }
        rules.push(rule);
    }
    Ok((form.replies, rules))
}

fn check(form: RuleForm) -> Result<Rule, String> {
    if !is_id(&form.id) {
        return Err("an id has 1 to 64 lower-case letters, digits, dots, hyphens and underscores".to_owned());
    }
    let validator = form.validator.as_deref().map(known_validator).transpose()?;
    if let Some(tag) = form.languages.iter().find(|tag| !is_language(tag)) {
        return Err(format!("`{tag}` is not a language; write two or three lower-case letters such as de"));
    }
    let target = match (&form.pattern, form.detector) {
        (Some(text), None) => Target::Pattern(pattern::parse(text)?),
        (None, Some(Detector::SystemPrompt)) if form.layer == Layer::Inline && validator.is_none() => {
            Target::SystemPrompt
        }
        (None, Some(Detector::SystemPrompt)) => {
            return Err("the detector system_prompt works inline and without a validator".to_owned());
        }
        _ => return Err("a rule has either a pattern or a detector".to_owned()),
    };
    if let (Target::Pattern(hir), Layer::Inline) = (&target, form.layer) {
        pattern::longest(hir)?;
    }
    let RuleForm { id, category, action, layer, languages, monitor_only, allow_in_sources, matches, ignores, .. } =
        form;
    Ok(Rule {
        id,
        category,
        target,
        validator,
        action,
        layer,
        languages,
        monitor_only,
        allow_in_sources,
        matches,
        ignores,
    })
}

fn known_validator(name: &str) -> Result<Validator, String> {
    validator::find(name)
        .ok_or_else(|| format!("there is no validator `{name}`; the known ones are {}", VALIDATORS.join(", ")))
}

fn is_id(id: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
    (1..=64).contains(&id.len()) && id.bytes().all(allowed)
}

fn is_language(tag: &str) -> bool {
    (2..=3).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_lowercase())
}
