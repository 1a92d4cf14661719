//! A tenant's own questions and answers.

use axum::{Router, response::Response};
use contract::{
    Endpoint, Page,
    faq::{
        ChatbotFaqEntry, CreateFaq, DeleteFaq, ExportFaq, FindSimilarFaq, GetFaq, ImportFaq, ListFaq, UpdateFaq,
        import::{FaqImport, MAX_FAQ_CSV_BYTES},
        similar::SimilarFaq,
    },
};

use crate::{
    error::ApiResult,
    http::{
        csv,
        endpoint::{Call, Register, Reply, Upload},
        input,
    },
    service::knowledge::faq::{self, export},
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
        .endpoint(list)
        .csv_endpoint(export)
        .upload_endpoint(import)
        .endpoint(create)
        .endpoint(similar)
        .endpoint(get)
        .endpoint(update)
        .endpoint(delete)
}

async fn list(app: App, call: Call<ListFaq>) -> ApiResult<Page<ChatbotFaqEntry>> {
    faq::list(&app, &call.caller, call.path, &call.query).await
}

async fn export(app: App, call: Call<ExportFaq>) -> ApiResult<Response> {
    let name = export::file_name(call.path, chrono::Utc::now());
    csv::attachment(&call.parts, &name, |client| export::start(&app, &call.caller, call.path, client)).await
}

async fn import(app: App, call: Upload<ImportFaq>) -> ApiResult<FaqImport> {
    let file = input::file(call.body, MAX_FAQ_CSV_BYTES).await?;
    faq::import(&app, &call.caller, call.path, file, call.query.dry_run).await
}

async fn create(app: App, call: Call<CreateFaq>) -> ApiResult<Reply<ChatbotFaqEntry>> {
    let entry = faq::create(&app, &call.caller, call.path, call.body).await?;
    let place = GetFaq::path(&(entry.chatbot_id, entry.id));
    Ok(Reply::created(entry, place))
}

async fn similar(app: App, call: Call<FindSimilarFaq>) -> ApiResult<SimilarFaq> {
    faq::similar(&app, &call.caller, call.path, &call.query).await
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
