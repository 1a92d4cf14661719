//! The addresses of the console's pages.

use contract::{
    ChatbotId, MessageId, SessionId,
    id::{DocumentVersionId, PassageId, SourceId},
};

/// Where the console is mounted.
pub(crate) const BASE: &str = "/tenant";

/// The part of the branding that holds the allowed websites.
pub(crate) const WEBSITES: &str = "websites";

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

/// The allowed websites, which are a part of the branding.
pub(crate) fn allowed_websites() -> String {
    format!("{BASE}/branding#{WEBSITES}")
}

/// The questions that a chatbot had no answer to.
pub(crate) fn unanswered(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/unanswered")
}

/// What a chatbot answers from.
pub(crate) fn knowledge(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/documents")
}

/// What the tenant uses and may use.
pub(crate) const USAGE: &str = "/tenant/usage";

/// The conversations, of one chatbot or all.
pub(crate) fn conversations(of: Option<ChatbotId>) -> String {
    match of {
        Some(id) => format!("{BASE}/conversations?chatbot_id={id}"),
        None => format!("{BASE}/conversations"),
    }
}

/// A conversation, at one of its messages.
pub(crate) fn conversation(id: SessionId, at: Option<MessageId>) -> String {
    match at {
        Some(message) => format!("{BASE}/conversations/{id}?message={message}"),
        None => format!("{BASE}/conversations/{id}"),
    }
}

/// The knowledge hub.
pub(crate) const KNOWLEDGE: &str = "/tenant/knowledge";
pub(crate) const KNOWLEDGE_SEARCH: &str = "/tenant/knowledge/search";
pub(crate) const KNOWLEDGE_BOOKMARKS: &str = "/tenant/knowledge/bookmarks";
pub(crate) const KNOWLEDGE_HISTORY: &str = "/tenant/knowledge/history";
pub(crate) const KNOWLEDGE_SAVED: &str = "/tenant/knowledge/saved";

/// A document, by one of its versions.
pub(crate) fn knowledge_document(id: DocumentVersionId) -> String {
    format!("{KNOWLEDGE}/doc/{id}")
}

/// A document at one of its passages.
pub(crate) fn knowledge_passage(id: DocumentVersionId, passage: PassageId) -> String {
    format!("{KNOWLEDGE}/doc/{id}#passage-{passage}")
}

/// A source.
pub(crate) fn knowledge_source(id: SourceId) -> String {
    format!("{KNOWLEDGE}/source/{id}")
}
