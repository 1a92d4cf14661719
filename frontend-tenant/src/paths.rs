//! The addresses of the console's pages.

use contract::{
    ChatbotId, MessageId, SessionId,
    id::{DocumentId, DocumentVersionId, PassageId, SourceId},
};

/// The console's base path.
pub(crate) const BASE: &str = "/tenant";

/// The overview.
pub(crate) const HOME: &str = "/tenant/";
pub(crate) const CHATBOTS: &str = "/tenant/chatbots";
/// The conversations with all chatbots.
pub(crate) const CONVERSATIONS: &str = "/tenant/conversations";
pub(crate) const KNOWLEDGE: &str = "/tenant/knowledge";
pub(crate) const KNOWLEDGE_SEARCH: &str = "/tenant/knowledge/search";
pub(crate) const KNOWLEDGE_BOOKMARKS: &str = "/tenant/knowledge/bookmarks";
pub(crate) const KNOWLEDGE_HISTORY: &str = "/tenant/knowledge/history";
pub(crate) const KNOWLEDGE_SAVED: &str = "/tenant/knowledge/saved";
pub(crate) const BRANDING: &str = "/tenant/branding";
pub(crate) const MODULES: &str = "/tenant/modules";
/// The tenant's usage and quotas.
pub(crate) const USAGE: &str = "/tenant/usage";
pub(crate) const API_KEYS: &str = "/tenant/api-keys";
pub(crate) const PEOPLE: &str = "/tenant/people";
pub(crate) const PREFERENCES: &str = "/tenant/preferences";

/// The part of the branding with the allowed websites.
pub(crate) const WEBSITES: &str = "websites";

/// The wizard that creates a chatbot.
pub(crate) fn create() -> String {
    format!("{BASE}/chatbots/new")
}

/// A chatbot's overview.
pub(crate) fn chatbot(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}")
}

/// The documents that a chatbot answers from.
pub(crate) fn documents(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/knowledge")
}

/// A document that a chatbot answers from.
pub(crate) fn document(id: ChatbotId, document: DocumentId) -> String {
    format!("{}/{document}", documents(id))
}

/// The documents of a chatbot that could not be read.
pub(crate) fn unread_documents(id: ChatbotId) -> String {
    format!("{}?state=failed", documents(id))
}

/// The tenant's own answers of a chatbot.
pub(crate) fn answers(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/knowledge/answers")
}

/// The websites that a chatbot reads.
pub(crate) fn websites(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/knowledge/websites")
}

/// The questions that a chatbot had no answer to: the first page of its inbox.
pub(crate) fn unanswered(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/inbox")
}

/// The feedback on a chatbot.
pub(crate) fn feedback(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/inbox/feedback")
}

/// The negative feedback on a chatbot that nobody resolved.
pub(crate) fn open_ratings(id: ChatbotId) -> String {
    format!("{}?rating=down&handled=false", feedback(id))
}

pub(crate) fn chatbot_conversations(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/inbox/conversations")
}

/// The playground of a chatbot.
pub(crate) fn test(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/test")
}

/// The branding of a chatbot.
pub(crate) fn design(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/design")
}

/// The snippet of a chatbot, and the websites that requested it.
pub(crate) fn install(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/install")
}

/// The settings of a chatbot.
pub(crate) fn settings(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/settings")
}

/// The comparison of a chatbot with its template.
pub(crate) fn template(id: ChatbotId) -> String {
    format!("{BASE}/chatbots/{id}/settings/template")
}

/// The current address of a chatbot's page that had the path `former`.
pub(crate) fn moved(id: ChatbotId, former: &str) -> Option<String> {
    let page = match former {
        "websites" => install,
        "documents" => documents,
        "unanswered" => unanswered,
        "feedback" => feedback,
        "playground" => test,
        "branding" => design,
        "template" => template,
        _ => return None,
    };
    Some(page(id))
}

/// The allowed websites, which are a part of the branding.
pub(crate) fn allowed_websites() -> String {
    format!("{BASE}/branding#{WEBSITES}")
}

/// A conversation, at one of its messages.
pub(crate) fn conversation(id: SessionId, at: Option<MessageId>) -> String {
    match at {
        Some(message) => format!("{BASE}/conversations/{id}?message={message}"),
        None => format!("{BASE}/conversations/{id}"),
    }
}

/// A document, by one of its versions.
pub(crate) fn knowledge_document(id: DocumentVersionId) -> String {
    format!("{KNOWLEDGE}/doc/{id}")
}

/// A document at one of its passages.
pub(crate) fn knowledge_passage(id: DocumentVersionId, passage: PassageId) -> String {
    format!("{KNOWLEDGE}/doc/{id}#passage-{passage}")
}

pub(crate) fn knowledge_source(id: SourceId) -> String {
    format!("{KNOWLEDGE}/source/{id}")
}
