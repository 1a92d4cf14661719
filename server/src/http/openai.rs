//! The chatbots of a tenant as models of an endpoint that speaks OpenAI's protocol: `/v1/models` and `/v1/chat/completions`. They
//! are not in the endpoint table, because their bodies and errors are those of that protocol.

mod citations;
mod refusal;
mod reply;
mod request;
mod stream;

use axum::{
    Json, Router,
    extract::{Path, Request, State},
    response::{IntoResponse, Response},
    routing::{any, get, post},
};
use contract::{Access, ErrorCode, api_keys::KeyScope};
use http::{HeaderValue, request::Parts};
use serde_json::{Value, json};
use store::chatbots::ActiveChatbot;
use uuid::Uuid;

use self::{citations::Addresses, refusal::Refusal, reply::Head, request::Completion};
use crate::{
    caller::Caller,
    http::{guard, input::Content},
    service::answers::{self, models},
    state::App,
};

/// Maximum bytes of a request: a conversation is far shorter.
const MAX_BODY_BYTES: usize = 512 * 1024;
/// Names the parameters of a request that changed nothing.
const IGNORED_HEADER: &str = "x-ignored-parameters";

type Result<T> = std::result::Result<T, Refusal>;

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/v1/models", get(list_models))
        .route("/v1/models/{model}", get(get_model))
        .route("/v1/chat/completions", post(complete))
        .method_not_allowed_fallback(async || Refusal::from(ErrorCode::MethodNotAllowed))
        .route("/v1", any(unknown))
        .route("/v1/{*path}", any(unknown))
}

async fn unknown() -> Refusal {
    ErrorCode::NotFound.into()
}

async fn list_models(State(app): State<App>, parts: Parts) -> Result<Json<Value>> {
    let caller = authorise(&app, Access::Tenant, &parts).await?;
    let data: Vec<Value> = models::list(&app, &caller).await?.iter().map(model).collect();
    Ok(Json(json!({ "object": "list", "data": data })))
}

async fn get_model(State(app): State<App>, Path(name): Path<String>, parts: Parts) -> Result<Json<Value>> {
    let caller = authorise(&app, Access::Tenant, &parts).await?;
    let chatbot = models::find(&app, &caller, &name).await;
    Ok(Json(model(&chatbot.map_err(|error| Refusal::of_model(error, &name))?)))
}

fn model(chatbot: &ActiveChatbot) -> Value {
    json!({ "id": chatbot.slug, "object": "model", "created": chatbot.created_at.timestamp(), "owned_by": "tenant" })
}

async fn complete(State(app): State<App>, request: Request) -> Result<Response> {
    let (parts, body) = request.into_parts();
    let caller = authorise(&app, Access::TenantAdmin, &parts).await?;
    let limit = MAX_BODY_BYTES.min(app.settings.body_limit);
    let body = Content::Unread(body).json(&parts, limit).await?;
    let Completion { model, question, is_streamed, includes_usage, citations, ignored } = request::read(body)?;
    let chatbot = models::open(&app, &caller, &model).await.map_err(|error| Refusal::of_model(error, &model))?;
    let id = chatbot.config.chatbot_id;
    app.limiter.question_of_program(&app.limiter.client(&parts), id).await?;
    let events = answers::answer(&app, &chatbot, question).await?;
    let head = Head { id: format!("chatcmpl-{}", Uuid::new_v4()), created: chrono::Utc::now().timestamp(), model };
    let addresses = Addresses { base_url: app.settings.base_url.clone(), chatbot: id };
    let mut response = if is_streamed {
        let stream = stream::Chunks::new(head, citations, addresses, includes_usage);
        stream::response(events, stream, app.settings.stream_silence)
    } else {
        let (reply, usage) = events.reply_and_usage().await?;
        Json(reply::completion(&head, &reply, usage, &citations.of_answer(&reply, &addresses))).into_response()
    };
    if let Ok(names) = HeaderValue::from_str(&ignored.join(", "))
        && !names.is_empty()
    {
        response.headers_mut().insert(IGNORED_HEADER, names);
    }
    Ok(response)
}

async fn authorise(app: &App, access: Access, parts: &Parts) -> Result<Caller> {
    Ok(guard::authorise(app, access, Some(KeyScope::Ask), parts).await?)
}
