//! The addresses of the console's pages.

use contract::ChatbotId;

/// Where the console is mounted.
pub(crate) const BASE: &str = "/tenant";

/// The overview.
pub(crate) fn overview() -> String {
    format!("{BASE}/")
}

/// The chatbot list.
pub(crate) fn chatbots() -> String {
    format!("{BASE}/chatbots")
}

/// The wizard that creates a chatbot.
pub(crate) fn create() -> String {
    format!("{BASE}/chatbots/new")
}

/// A chatbot's page.
pub(crate) fn chatbot(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}")
}

/// The websites that asked for a chatbot.
pub(crate) fn doctor(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/websites")
}

/// The settings of a chatbot.
pub(crate) fn settings(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/settings")
}

/// The branding of a chatbot.
pub(crate) fn chatbot_branding(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/branding")
}

/// The playground of a chatbot.
pub(crate) fn playground(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/playground")
}

/// The comparison of a chatbot with its template.
pub(crate) fn template(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/template")
}

/// The feedback on a chatbot.
pub(crate) fn feedback(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/feedback")
}

/// The branding.
pub(crate) fn branding() -> String {
    format!("{BASE}/branding")
}
