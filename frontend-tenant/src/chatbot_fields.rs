//! What the wizard and the settings of a chatbot have in common.

/// One entry for each line that is not empty.
pub(crate) fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}
