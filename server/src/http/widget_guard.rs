//! Admits public widget calls: finds the chatbot, derives its tenant and checks the Origin header
//! (specification, Public widget endpoints). Unknown, deactivated, disallowed and unconfigured all
//! give the same 403 after the same one query.

use contract::{ChatbotId, ErrorCode, origin};
use http::{header, request::Parts};
use store::widgets::WidgetChatbot;

use crate::{
    app_state::App,
    http::{error::ApiResult, input},
};

/// A widget whose origin is allowed.
#[derive(Debug)]
pub struct WidgetCaller {
    /// The chatbot with its tenant and configuration.
    pub chatbot: WidgetChatbot,
}

/// Admits a widget call.
///
/// # Errors
/// `origin_not_allowed`, or `service_unavailable` when the database is down.
pub async fn admit(app: &App, parts: &mut Parts) -> ApiResult<WidgetCaller> {
    let id = input::raw_path("chatbot_id", parts).await.and_then(|id| parse_strictly(&id));
    // A malformed id costs a query too, so that nobody learns anything from the time it takes.
    let id = id.unwrap_or(ChatbotId(uuid::Uuid::nil()));
    let chatbot = find(app, id).await?;
    let origin = parts.headers.get(header::ORIGIN).and_then(|value| value.to_str().ok()).unwrap_or("");
    match chatbot {
        Some(chatbot) if origin::is_allowed(origin, chatbot.allowed_origins.iter().map(String::as_str)) => {
            Ok(WidgetCaller { chatbot })
        }
        _ => Err(ErrorCode::OriginNotAllowed.into()),
    }
}

/// An active chatbot of a live tenant, by one query.
///
/// # Errors
/// When the database fails.
pub async fn find(app: &App, id: ChatbotId) -> store::Result<Option<WidgetChatbot>> {
    let mut tx = app.db.read(&store::Scope::system()).await?;
    let chatbot = store::widgets::find(&mut tx, id).await?;
    tx.end().await?;
    Ok(chatbot)
}

/// Ids are in lower case with hyphens (decisions, 1); braces, URNs and upper case are malformed.
fn parse_strictly(text: &str) -> Option<ChatbotId> {
    let id: ChatbotId = text.parse().ok()?;
    (id.to_string() == text).then_some(id)
}
