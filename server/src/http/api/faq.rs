//! A tenant's own questions and answers.

use axum::Router;
use contract::{
    Endpoint, Page,
    faq::{ChatbotFaqEntry, CreateFaq, DeleteFaq, GetFaq, ListFaq, UpdateFaq},
};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register, Reply},
    service::knowledge::faq,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(list).endpoint(create).endpoint(get).endpoint(update).endpoint(delete)
}

async fn list(app: App, call: Call<ListFaq>) -> ApiResult<Page<ChatbotFaqEntry>> {
    faq::list(&app, &call.caller, call.path, &call.query).await
}

async fn create(app: App, call: Call<CreateFaq>) -> ApiResult<Reply<ChatbotFaqEntry>> {
    let made = faq::create(&app, &call.caller, call.path, call.body).await?;
    let place = GetFaq::path(&(made.chatbot_id, made.id));
    Ok(Reply::created(made, place))
}

async fn get(app: App, call: Call<GetFaq>) -> ApiResult<ChatbotFaqEntry> {
    faq::get(&app, &call.caller, call.path).await
}

async fn update(app: App, call: Call<UpdateFaq>) -> ApiResult<ChatbotFaqEntry> {
    let if_match = call.if_match();
    faq::update(&app, &call.caller, call.path, &if_match, call.body).await
}

async fn delete(app: App, call: Call<DeleteFaq>) -> ApiResult<()> {
    faq::delete(&app, &call.caller, call.path).await
}
