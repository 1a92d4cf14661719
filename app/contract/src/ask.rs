//! Questions that a tenant's own program asks for its visitors, without a widget.

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId, SessionId,
    endpoint::{Audit, endpoints},
    error::FieldError,
    validate::{Checker, Validate},
    widget::{MAX_QUESTION, SessionToken, WidgetReply},
};

/// Maximum characters of a program's own name for a visitor.
pub const MAX_VISITOR_REF: usize = 200;

/// A question of a tenant's program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AskQuestion {
    /// The session; `null` starts a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// The token of the session. Without it the session continues, but its earlier messages are not context for the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_token: Option<SessionToken>,
    /// 1 to 4000 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 4000)))]
    pub question: String,
    /// The program's own name for the visitor, such as a customer number: 1 to 200 characters. It is stored when the session
    /// begins, the conversation shows it, and it goes with the conversation. It opens nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 200)))]
    pub visitor_ref: Option<String>,
}

impl Validate for AskQuestion {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        check.text("question", &self.question, 1, MAX_QUESTION);
        if let Some(visitor) = &self.visitor_ref {
            check.text("visitor_ref", visitor, 1, MAX_VISITOR_REF);
        }
        check.finish()
    }
}

endpoints! {
    /// Answers a question of the tenant's own program as the widget would, and stores the conversation. No Origin is needed. With
    /// `Accept: text/event-stream` the answer streams.
    AskChatbot: Post "/api/v1/tenants/me/chatbots/{chatbot_id}/ask", TenantAdmin or Ask,
        Audit::Exempt("a visitor's conversation is not a mutation by an authenticated actor"), 200,
        (ChatbotId) ? (), AskQuestion => WidgetReply, errors [ChatbotNotActive, SessionNotFound, GeneratorUnavailable];
}
