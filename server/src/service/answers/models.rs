//! The chatbots of a tenant as the models that its programs can ask.

use contract::ErrorCode;
use store::{
    chatbots::{self, ActiveChatbot},
    widget::lookup::{self, WidgetChatbot},
};

use crate::{caller::Caller, error::ApiResult, state::App};

/// The active chatbots that the caller may ask.
///
/// # Errors
/// `service_unavailable` when the database is down.
pub async fn list(app: &App, caller: &Caller) -> ApiResult<Vec<ActiveChatbot>> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    Ok(chatbots::active(&mut tx, caller.tenant()?).await?)
}

/// The active chatbot with this slug or id.
///
/// # Errors
/// `chatbot_not_found`; `service_unavailable` when the database is down.
pub async fn find(app: &App, caller: &Caller, name: &str) -> ApiResult<ActiveChatbot> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let chatbot = chatbots::find_active(&mut tx, caller.tenant()?, name).await?;
    Ok(chatbot.ok_or(ErrorCode::ChatbotNotFound)?)
}

/// The active chatbot with this slug or id, as its widget sees it.
///
/// # Errors
/// Like [`find`].
pub async fn open(app: &App, caller: &Caller, name: &str) -> ApiResult<WidgetChatbot> {
    let chatbot = find(app, caller, name).await?;
    Ok(lookup::find(&app.db, chatbot.id).await?.ok_or(ErrorCode::ChatbotNotFound)?)
}
