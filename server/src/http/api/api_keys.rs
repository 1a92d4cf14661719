//! API keys of a tenant.

use axum::Router;
use contract::{
    Endpoint, Page,
    api_keys::{
        ApiKey, ApiKeyFigures, CreateApiKey, CreatedApiKey, GetApiKey, GetTenantApiKeys, ListApiKeys, RevokeApiKey,
        UpdateApiKey,
    },
};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register, Reply},
    service::api_keys,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(list).endpoint(create).endpoint(get).endpoint(update).endpoint(revoke).endpoint(figures)
}

async fn list(app: App, call: Call<ListApiKeys>) -> ApiResult<Page<ApiKey>> {
    api_keys::list(&app, &call.caller, &call.query).await
}

async fn create(app: App, call: Call<CreateApiKey>) -> ApiResult<Reply<CreatedApiKey>> {
    let created = api_keys::create(&app, &call.caller, call.body).await?;
    let location = GetApiKey::path(&created.key.id);
    Ok(Reply::created(created, location))
}

async fn get(app: App, call: Call<GetApiKey>) -> ApiResult<ApiKey> {
    api_keys::get(&app, &call.caller, call.path).await
}

async fn update(app: App, call: Call<UpdateApiKey>) -> ApiResult<ApiKey> {
    let if_match = call.if_match();
    api_keys::update(&app, &call.caller, call.path, &if_match, call.body).await
}

async fn revoke(app: App, call: Call<RevokeApiKey>) -> ApiResult<()> {
    api_keys::revoke(&app, &call.caller, call.path).await
}

async fn figures(app: App, call: Call<GetTenantApiKeys>) -> ApiResult<ApiKeyFigures> {
    api_keys::figures(&app, &call.caller, call.path).await
}
