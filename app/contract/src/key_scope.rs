//! What API keys may do. Apart from the keys themselves, because every endpoint may name a scope.

use crate::text_enum::text_enum;

text_enum! {
    /// What a key may do. An endpoint's row in the table names the one scope that opens it.
    pub enum KeyScope {
        /// Asks chatbots.
        Ask = "ask",
        /// Reads sources, documents, websites and custom answers.
        KnowledgeRead = "knowledge.read",
        /// Changes sources, documents, websites and custom answers.
        KnowledgeWrite = "knowledge.write",
        /// Reads conversations and unanswered questions.
        ConversationsRead = "conversations.read",
        /// Reads feedback.
        FeedbackRead = "feedback.read",
        /// Reads the settings of chatbots.
        SettingsRead = "settings.read",
    }
}
