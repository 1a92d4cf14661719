//! Conversations as their tenant works with them.

use axum::Router;
use contract::conversations::{
    ConversationDetail, ConversationPage, ConversationStats, EraseConversation, GetConversation, GetConversationStats,
    GetModelUsage, ListConversations, ModelUsageList,
};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register},
    service::conversations,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(list).endpoint(stats).endpoint(get).endpoint(erase).endpoint(model_usage)
}

async fn list(app: App, call: Call<ListConversations>) -> ApiResult<ConversationPage> {
    conversations::list(&app, &call.caller, &call.query).await
}

async fn stats(app: App, call: Call<GetConversationStats>) -> ApiResult<ConversationStats> {
    conversations::stats(&app, &call.caller, &call.query.filter).await
}

async fn get(app: App, call: Call<GetConversation>) -> ApiResult<ConversationDetail> {
    conversations::get(&app, &call.caller, call.path).await
}

async fn erase(app: App, call: Call<EraseConversation>) -> ApiResult<()> {
    conversations::erase(&app, &call.caller, call.path).await
}

async fn model_usage(app: App, call: Call<GetModelUsage>) -> ApiResult<ModelUsageList> {
    conversations::model_usage(&app, &call.caller).await
}
