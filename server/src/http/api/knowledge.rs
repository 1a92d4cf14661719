//! What a chatbot answers from: sources and documents, and the tenant's own questions and answers.

use axum::Router;
use contract::{
    Endpoint, Page,
    documents::{ChatbotSource, IndexedDocument, ListDocuments, ListSources},
    faq::{ChatbotFaqEntry, CreateFaq, DeleteFaq, GetFaq, ListFaq, UpdateFaq},
};

use crate::{
    app_state::App,
    http::{
        endpoint::{Call, Register, Reply},
        error::ApiResult,
    },
    service::{documents, faq},
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
        .endpoint::<ListSources, _, _, _, _>(sources)
        .endpoint::<ListDocuments, _, _, _, _>(documents)
        .endpoint::<ListFaq, _, _, _, _>(list)
        .endpoint::<CreateFaq, _, _, _, _>(create)
        .endpoint::<GetFaq, _, _, _, _>(get)
        .endpoint::<UpdateFaq, _, _, _, _>(update)
        .endpoint::<DeleteFaq, _, _, _, _>(delete)
}

async fn sources(app: App, call: Call<ListSources>) -> ApiResult<Page<ChatbotSource>> {
    documents::sources(&app, &call.caller, call.path, &call.query).await
}

async fn documents(app: App, call: Call<ListDocuments>) -> ApiResult<Page<IndexedDocument>> {
    documents::documents(&app, &call.caller, call.path, &call.query).await
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
