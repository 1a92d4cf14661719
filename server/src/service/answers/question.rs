//! A visitor's question as it comes in, from a widget or from a tenant's own program.

use contract::{
    SessionId,
    ask::AskQuestion,
    widget::{MessageRole, SessionToken, WidgetMessage, WidgetQuery},
};

use super::exchange::transient_message;

/// A question with what continues its conversation.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// The words.
    pub text: String,
    /// The session that it continues; `None` begins a new one.
    pub session_id: Option<SessionId>,
    /// The token that opens the session's earlier messages.
    pub session_token: Option<SessionToken>,
    /// The page of the question, if the tenant stores it.
    pub page_url: Option<String>,
    /// The program's own name for the visitor.
    pub visitor_ref: Option<String>,
    /// The earlier messages, if the program keeps them itself. Otherwise those of the session are the context.
    pub earlier: Option<Vec<WidgetMessage>>,
}

impl Question {
    /// An earlier message of a conversation that a program keeps itself.
    #[must_use]
    pub fn earlier_message(role: MessageRole, content: String) -> WidgetMessage {
        transient_message(role, content)
    }
}

impl From<WidgetQuery> for Question {
    fn from(query: WidgetQuery) -> Self {
        let WidgetQuery { session_id, session_token, question, page_url } = query;
        Self { text: question, session_id, session_token, page_url, ..Self::default() }
    }
}

impl From<AskQuestion> for Question {
    fn from(request: AskQuestion) -> Self {
        let AskQuestion { session_id, session_token, question, visitor_ref } = request;
        Self { text: question, session_id, session_token, visitor_ref, ..Self::default() }
    }
}
