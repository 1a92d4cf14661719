//! The context of an answer that rules use: the chatbot's language and prompt, and the passages of the answer.

use std::sync::OnceLock;

use super::{fold, overlap::Prompt};

/// The chatbot and the passages of an answer that is filtered.
#[derive(Debug, Default)]
pub struct Context {
    /// Primary subtag of the chatbot's language in lower case.
    pub(super) language: String,
    pub(super) prompt: Prompt,
    /// The prompt for the comparison with a folded answer, when it differs.
    folded_prompt: Option<Prompt>,
    passages: Vec<String>,
    /// The passages' letters and digits, computed at the first match.
    plain: OnceLock<Vec<String>>,
}

impl Context {
    /// `language` is a tag such as `de` or `de-AT`; `passages` are the texts that the answer was generated from.
    pub fn new(language: &str, system_prompt: &str, passages: Vec<String>) -> Self {
        let language = language.split(['-', '_']).next().unwrap_or_default().to_lowercase();
        let folded = fold::fold(system_prompt);
        let folded_prompt = (folded != system_prompt).then(|| Prompt::new(&folded));
        Self { language, prompt: Prompt::new(system_prompt), folded_prompt, passages, plain: OnceLock::new() }
    }

    pub(super) fn folded_prompt(&self) -> &Prompt {
        self.folded_prompt.as_ref().unwrap_or(&self.prompt)
    }

    /// Whether an answer must be folded even when that does not change it.
    pub(super) fn is_always_folded(&self) -> bool {
        self.folded_prompt.is_some()
    }

    /// Whether a passage of the tenant contains the text, ignoring spacing, punctuation and case.
    pub(super) fn is_published(&self, text: &str) -> bool {
        let plain = self.plain.get_or_init(|| self.passages.iter().map(|passage| letters(passage)).collect());
        let text = letters(text);
        !text.is_empty() && plain.iter().any(|passage| passage.contains(&text))
    }
}

/// Letters, digits and `@` of a text, in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|mark| mark.is_alphanumeric() || *mark == '@').flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_texts_may_be_written_differently() {
        let context = Context::new("de-AT", "", vec!["Call +49 (30) 1234-567 or write to Help@example.com.".into()]);
        assert!(context.is_published("+49 30 1234567") && context.is_published("help@example.com"));
        assert!(!context.is_published("+49 30 7654321") && !context.is_published("…"));
        assert_eq!(context.language, "de");
    }
}
