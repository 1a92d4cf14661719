//! Sources that tenants fill.

use axum::Router;
use contract::{
    Endpoint,
    documents::ChatbotSource,
    sources::{CreateSource, DeleteSource, GetSource, ReadWebsite, UpdateSource},
};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register, Reply},
    service::knowledge::sources,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(create).endpoint(get).endpoint(update).endpoint(delete).endpoint(read)
}

async fn create(app: App, call: Call<CreateSource>) -> ApiResult<Reply<ChatbotSource>> {
    let source = sources::create(&app, &call.caller, call.path, call.body).await?;
    let place = GetSource::path(&(call.path, source.id));
    Ok(Reply::created(source, place))
}

async fn get(app: App, call: Call<GetSource>) -> ApiResult<ChatbotSource> {
    sources::get(&app, &call.caller, call.path).await
}

async fn update(app: App, call: Call<UpdateSource>) -> ApiResult<ChatbotSource> {
    let if_match = call.if_match();
    sources::update(&app, &call.caller, call.path, &if_match, call.body).await
}

async fn delete(app: App, call: Call<DeleteSource>) -> ApiResult<()> {
    sources::delete(&app, &call.caller, call.path).await
}

async fn read(app: App, call: Call<ReadWebsite>) -> ApiResult<ChatbotSource> {
    sources::read(&app, &call.caller, call.path, call.body).await
}
