//! What a match is judged by beside the rules: the chatbot's language and prompt, and the passages of the answer.

use std::sync::OnceLock;

use super::overlap::Prompt;

/// Whose answer is filtered, and what it rests on.
#[derive(Debug, Default)]
pub struct Context {
    /// Primary tag of the chatbot's language in lower case.
    pub(super) language: String,
    pub(super) prompt: Prompt,
    passages: Vec<String>,
    /// The passages' letters and digits, made when the first match asks for them.
    plain: OnceLock<Vec<String>>,
}

impl Context {
    /// `language` is a tag such as `de` or `de-AT`; `passages` are the texts that the answer was made from.
    pub fn new(language: &str, system_prompt: &str, passages: Vec<String>) -> Self {
        let language = language.split(['-', '_']).next().unwrap_or_default().to_lowercase();
        Self { language, prompt: Prompt::new(system_prompt), passages, plain: OnceLock::new() }
    }

    /// Whether the tenant's own passages say the same, spacing, punctuation and case apart.
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
