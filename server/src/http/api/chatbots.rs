//! Chatbots of a tenant.

use axum::Router;
use contract::{
    Page,
    chatbots::{
        Chatbot, CreateChatbot, DeactivateChatbot, DuplicateChatbot, EmbeddingModels, EraseChatbot, GetChatbot,
        ListChatbots, ListEmbeddingModels, ListTenantChatbots, ProvisionChatbot, ReactivateChatbot, UpdateChatbot,
    },
};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register, Reply},
    service::chatbots,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
        .endpoint(list_of_tenant)
        .endpoint(list)
        .endpoint(create)
        .endpoint(get)
        .endpoint(update)
        .endpoint(deactivate)
        .endpoint(reactivate)
        .endpoint(duplicate)
        .endpoint(erase)
        .endpoint(provision)
        .endpoint(embedding_models)
}

async fn list_of_tenant(app: App, call: Call<ListTenantChatbots>) -> ApiResult<Page<Chatbot>> {
    let tenant = call.caller.tenant_of_path(call.path)?;
    chatbots::list(&app, &call.caller, tenant, &call.query).await
}

async fn list(app: App, call: Call<ListChatbots>) -> ApiResult<Page<Chatbot>> {
    chatbots::list(&app, &call.caller, call.caller.tenant()?, &call.query).await
}

async fn create(app: App, call: Call<CreateChatbot>) -> ApiResult<Reply<Chatbot>> {
    Ok(created(chatbots::create(&app, &call.caller, call.body).await?))
}

fn created(chatbot: Chatbot) -> Reply<Chatbot> {
    let location = format!("/api/v1/tenants/me/chatbots/{}", chatbot.id);
    Reply::created(chatbot, location)
}

async fn get(app: App, call: Call<GetChatbot>) -> ApiResult<Chatbot> {
    chatbots::get(&app, &call.caller, call.path).await
}

async fn update(app: App, call: Call<UpdateChatbot>) -> ApiResult<Chatbot> {
    chatbots::update(&app, &call.caller, call.path, &call.if_match(), call.body).await
}

async fn deactivate(app: App, call: Call<DeactivateChatbot>) -> ApiResult<()> {
    chatbots::deactivate(&app, &call.caller, call.path).await
}

async fn reactivate(app: App, call: Call<ReactivateChatbot>) -> ApiResult<Chatbot> {
    chatbots::reactivate(&app, &call.caller, call.path).await
}

async fn duplicate(app: App, call: Call<DuplicateChatbot>) -> ApiResult<Reply<Chatbot>> {
    Ok(created(chatbots::duplication::duplicate(&app, &call.caller, call.path, call.body).await?))
}

async fn erase(app: App, call: Call<EraseChatbot>) -> ApiResult<()> {
    chatbots::erasure::erase(&app, &call.caller, call.path, &call.body).await
}

async fn provision(app: App, call: Call<ProvisionChatbot>) -> ApiResult<Chatbot> {
    chatbots::provision(&app, &call.caller, call.path).await
}

async fn embedding_models(app: App, _: Call<ListEmbeddingModels>) -> ApiResult<EmbeddingModels> {
    Ok(chatbots::embedding_models(&app))
}
