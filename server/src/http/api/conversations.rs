//! Conversations for their tenant.

use axum::{Router, response::Response};
use contract::conversations::{
    ConversationDetail, ConversationNeighbours, ConversationPage, ConversationStats, EraseConversation,
    ExportConversations, GetConversation, GetConversationNeighbours, GetConversationStats, GetModelUsage,
    ListConversations, ModelUsageList,
};

use crate::{
    error::ApiResult,
    http::{
        csv,
        endpoint::{Call, Register},
    },
    service::conversations::{self, export},
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
        .endpoint(list)
        .endpoint(stats)
        .csv_endpoint(export)
        .endpoint(get)
        .endpoint(neighbours)
        .endpoint(erase)
        .endpoint(model_usage)
}

async fn list(app: App, call: Call<ListConversations>) -> ApiResult<ConversationPage> {
    conversations::list(&app, &call.caller, &call.query).await
}

async fn stats(app: App, call: Call<GetConversationStats>) -> ApiResult<ConversationStats> {
    conversations::stats(&app, &call.caller, &call.query).await
}

async fn export(app: App, call: Call<ExportConversations>) -> ApiResult<Response> {
    let name = export::file_name(call.body.0.chatbot_id, chrono::Utc::now());
    csv::attachment(&call.parts, &name, |client| export::start(&app, &call.caller, call.body.0, client)).await
}

async fn get(app: App, call: Call<GetConversation>) -> ApiResult<ConversationDetail> {
    conversations::get(&app, &call.caller, call.path).await
}

async fn neighbours(app: App, call: Call<GetConversationNeighbours>) -> ApiResult<ConversationNeighbours> {
    conversations::neighbours(&app, &call.caller, call.path, &call.query).await
}

async fn erase(app: App, call: Call<EraseConversation>) -> ApiResult<()> {
    conversations::erase(&app, &call.caller, call.path).await
}

async fn model_usage(app: App, call: Call<GetModelUsage>) -> ApiResult<ModelUsageList> {
    conversations::model_usage(&app, &call.caller).await
}
