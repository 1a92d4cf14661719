//! Branding of the caller's tenant, of a tenant for operators, and of a chatbot.

use axum::Router;
use contract::branding::{
    ChatbotBranding, GetChatbotBranding, GetOperatorBranding, GetTenantBranding, MAX_PICTURE_BYTES, TenantBranding,
    UpdateChatbotBranding, UpdateOperatorBranding, UpdateTenantBranding, UploadChatbotPicture, UploadTenantPicture,
};

use crate::{
    error::ApiResult,
    http::{
        endpoint::{Call, Register, Upload},
        input,
    },
    service::branding::{self, pictures},
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
        .endpoint(get_own)
        .endpoint(update_own)
        .endpoint(get_of_tenant)
        .endpoint(update_of_tenant)
        .endpoint(get_of_chatbot)
        .endpoint(update_of_chatbot)
        .upload_endpoint(upload_own)
        .upload_endpoint(upload_of_chatbot)
}

async fn get_own(app: App, call: Call<GetTenantBranding>) -> ApiResult<TenantBranding> {
    branding::get_own(&app, &call.caller).await
}

async fn update_own(app: App, call: Call<UpdateTenantBranding>) -> ApiResult<TenantBranding> {
    branding::update_own(&app, &call.caller, &call.if_match(), call.body).await
}

async fn get_of_tenant(app: App, call: Call<GetOperatorBranding>) -> ApiResult<TenantBranding> {
    branding::get_of_tenant(&app, &call.caller, call.path).await
}

async fn update_of_tenant(app: App, call: Call<UpdateOperatorBranding>) -> ApiResult<TenantBranding> {
    branding::update_of_tenant(&app, &call.caller, call.path, &call.if_match(), call.body).await
}

async fn get_of_chatbot(app: App, call: Call<GetChatbotBranding>) -> ApiResult<ChatbotBranding> {
    branding::get_of_chatbot(&app, &call.caller, call.path).await
}

async fn update_of_chatbot(app: App, call: Call<UpdateChatbotBranding>) -> ApiResult<ChatbotBranding> {
    branding::update_of_chatbot(&app, &call.caller, call.path, &call.if_match(), call.body.fields).await
}

async fn upload_own(app: App, call: Upload<UploadTenantPicture>) -> ApiResult<TenantBranding> {
    let file = input::file(call.body, MAX_PICTURE_BYTES).await?;
    pictures::upload_own(&app, &call.caller, call.path, file).await
}

async fn upload_of_chatbot(app: App, call: Upload<UploadChatbotPicture>) -> ApiResult<ChatbotBranding> {
    let file = input::file(call.body, MAX_PICTURE_BYTES).await?;
    pictures::upload_of_chatbot(&app, &call.caller, call.path, file).await
}
