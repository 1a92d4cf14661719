//! What the wizard and the settings of a chatbot have in common.

use app::i18n::Language;

/// One entry for each line that is not empty.
pub(crate) fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// English, German, and the language that is set when it is neither.
pub(crate) fn languages(current: &str) -> Vec<(String, String)> {
    let mut languages: Vec<(String, String)> =
        Language::ALL.iter().map(|language| (language.code().to_owned(), language.name().to_owned())).collect();
    if languages.iter().all(|(code, _)| code != current) {
        languages.push((current.to_owned(), current.to_owned()));
    }
    languages
}
