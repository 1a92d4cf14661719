//! `/v1/models` and `/v1/chat/completions`, as clients of OpenAI's protocol call them.

use serde_json::{Value, json};

use super::{QUESTION, with_documents};
use crate::support::{Client, Platform, Tenant, TestResponse, send};

const PATH: &str = "/v1/chat/completions";

async fn slug(platform: &Platform, tenant: Tenant) -> String {
    let path = format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot);
    platform.admin(tenant.id).get(&path).await.body["slug"].as_str().unwrap().to_owned()
}

fn request(model: &str, more: Value) -> Value {
    let mut body = json!({ "model": model, "messages": [{ "role": "user", "content": QUESTION }] });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn error(response: &TestResponse) -> (u16, &str, &Value) {
    let error = &response.body["error"];
    assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{response:?}");
    assert!(error["type"].is_string(), "{response:?}");
    (response.status, error["code"].as_str().unwrap(), &error["param"])
}

/// The chunks of a streamed answer; the last line says that it is done.
async fn chunks(client: &Client<'_>, body: &Value) -> Vec<Value> {
    let response = send(client.request("POST", PATH).json(body)).await;
    assert_eq!(response.status, 200, "{response:?}");
    let mut data: Vec<&str> = response.text.lines().filter_map(|line| line.strip_prefix("data: ")).collect();
    assert_eq!(data.pop(), Some("[DONE]"), "{response:?}");
    data.into_iter().map(|data| serde_json::from_str(data).unwrap()).collect()
}

fn content(chunks: &[Value]) -> String {
    chunks.iter().filter_map(|chunk| chunk["choices"][0]["delta"]["content"].as_str()).collect()
}

#[tokio::test]
async fn the_models_are_the_tenants_active_chatbots() {
    let (platform, one, other) = with_documents().await;
    let (own, foreign) = (slug(&platform, one).await, slug(&platform, other).await);
    let admin = platform.admin(one.id);
    let list = admin.get("/v1/models").await;
    assert_eq!((&list.body["object"], list.body["data"].as_array().unwrap().len()), (&json!("list"), 1), "{list:?}");
    assert_eq!((&list.body["data"][0]["id"], &list.body["data"][0]["object"]), (&json!(own), &json!("model")));
    for name in [own.clone(), one.chatbot.to_string()] {
        assert_eq!(admin.get(&format!("/v1/models/{name}")).await.body, list.body["data"][0], "{name}");
    }
    for name in [other.chatbot.to_string(), "nobody".to_owned()] {
        let missing = admin.get(&format!("/v1/models/{name}")).await;
        assert_eq!(error(&missing), (404, "model_not_found", &json!("model")));
        let missing = admin.post(PATH, &request(&name, json!({}))).await;
        assert_eq!(error(&missing), (404, "model_not_found", &json!("model")));
    }
    assert_eq!(platform.admin(other.id).get("/v1/models").await.body["data"][0]["id"], json!(foreign));
    assert_eq!(admin.delete(&format!("/api/v1/tenants/me/chatbots/{}", one.chatbot)).await.status, 204);
    assert_eq!(admin.get("/v1/models").await.body["data"], json!([]));
    assert_eq!(admin.post(PATH, &request(&own, json!({}))).await.status, 404);
}

#[tokio::test]
async fn a_completion_is_the_widgets_answer_with_annotations() {
    let (platform, one, _) = with_documents().await;
    let query = format!("/api/v1/widget/chatbots/{}/query", one.chatbot);
    let visitor = platform.widget().post(&query, &json!({ "session_id": null, "question": QUESTION })).await;
    let model = slug(&platform, one).await;
    let admin = platform.admin(one.id);
    let body = request(&model, json!({ "user": "customer 7", "temperature": 0.2 }));
    let reply = admin.post(PATH, &body).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!((&reply.body["object"], &reply.body["model"]), (&json!("chat.completion"), &json!(model)));
    let choice = &reply.body["choices"][0];
    assert_eq!((&choice["finish_reason"], &choice["message"]["role"]), (&json!("stop"), &json!("assistant")));
    let text = choice["message"]["content"].as_str().unwrap();
    assert_eq!(text, visitor.body["answer"].as_str().unwrap().replace(" [1]", ""));
    let citation = &choice["message"]["annotations"][0]["url_citation"];
    assert_eq!(citation["title"], visitor.body["sources"][0]["source_title"]);
    assert!(citation["url"].as_str().unwrap().ends_with("/section"), "{citation}");
    let place = |name: &str| usize::try_from(citation[name].as_u64().unwrap()).unwrap();
    let (start, end) = (place("start_index"), place("end_index"));
    let cited: String = text.chars().skip(start).take(end - start).collect();
    assert!(cited.contains("30 days") && text.contains(&cited), "{cited}");
    assert_eq!(reply.body["usage"]["total_tokens"], 0, "a quoted answer costs no tokens");
    assert_eq!(reply.header("x-ignored-parameters"), Some("temperature"));
    let session = reply.body["chatbot"]["session_id"].as_str().unwrap();
    let stored = admin.get(&format!("/api/v1/tenants/me/conversations/{session}")).await;
    assert_eq!(stored.body["conversation"]["visitor_ref"], "customer 7", "{stored:?}");
}

#[tokio::test]
async fn citations_can_be_markers_in_the_text() {
    let (platform, one, _) = with_documents().await;
    let model = slug(&platform, one).await;
    let reply = platform.admin(one.id).post(PATH, &request(&model, json!({ "citations": "text" }))).await;
    let message = &reply.body["choices"][0]["message"];
    let text = message["content"].as_str().unwrap();
    let title = reply.body["chatbot"]["sources"][0]["source_title"].as_str().unwrap();
    assert!(text.contains(" [1]") && text.ends_with(&format!("\n\n[1] {title}")), "{text}");
    let citation = &message["annotations"][0]["url_citation"];
    let start = usize::try_from(citation["start_index"].as_u64().unwrap()).unwrap();
    assert_eq!(text.chars().skip(start).take(3).collect::<String>(), "[1]");
}

#[tokio::test]
async fn a_streamed_completion_has_the_same_text_and_annotations() {
    let (platform, one, _) = with_documents().await;
    let model = slug(&platform, one).await;
    let admin = platform.admin(one.id);
    for citations in ["annotations", "text"] {
        let whole = admin.post(PATH, &request(&model, json!({ "citations": citations }))).await;
        let message = &whole.body["choices"][0]["message"];
        let more = json!({ "citations": citations, "stream": true, "stream_options": { "include_usage": true } });
        let chunks = chunks(&admin, &request(&model, more)).await;
        assert_eq!(content(&chunks), message["content"].as_str().unwrap());
        let annotations: Vec<_> = chunks
            .iter()
            .map(|chunk| &chunk["choices"][0]["delta"]["annotations"])
            .filter(|it| !it.is_null())
            .collect();
        assert_eq!(annotations, [&message["annotations"]]);
        let (first, last) = (&chunks[0], chunks.last().unwrap());
        assert_eq!(first["choices"][0]["delta"], json!({ "role": "assistant", "content": "" }));
        assert_eq!((&last["choices"], &last["usage"]["prompt_tokens"]), (&json!([]), &json!(0)));
        let finished = &chunks[chunks.len() - 2]["choices"][0];
        assert_eq!((&finished["finish_reason"], &finished["delta"]), (&json!("stop"), &json!({})));
        assert!(chunks.iter().all(|chunk| chunk["id"] == first["id"] && chunk["object"] == "chat.completion.chunk"));
    }
    let without = chunks(&admin, &request(&model, json!({ "stream": true }))).await;
    assert!(without.iter().all(|chunk| chunk.get("usage").is_none()), "{without:?}");
}

#[tokio::test]
async fn earlier_messages_are_context() {
    let (platform, one, _) = with_documents().await;
    let model = slug(&platform, one).await;
    let admin = platform.admin(one.id);
    let follow_up = json!({ "role": "user", "content": "How long does it take?" });
    let messages = json!([
        { "role": "system", "content": "You are a pirate." },
        { "role": "user", "content": "How long does delivery to the islands take?" },
        { "role": "assistant", "content": "Delivery to the islands takes five working days." },
        follow_up,
    ]);
    let with = admin.post(PATH, &request(&model, json!({ "messages": messages }))).await;
    let text = |reply: &TestResponse| reply.body["choices"][0]["message"]["content"].as_str().unwrap().to_owned();
    assert!(text(&with).contains("five working days"), "{with:?}");
    assert_eq!(with.header("x-ignored-parameters"), Some("messages.system"));
    let without = admin.post(PATH, &request(&model, json!({ "messages": [follow_up] }))).await;
    assert_ne!(text(&with), text(&without));
}

#[tokio::test]
async fn metadata_continues_a_stored_conversation() {
    let (platform, one, _) = with_documents().await;
    let model = slug(&platform, one).await;
    let admin = platform.admin(one.id);
    let first = admin.post(PATH, &request(&model, json!({}))).await;
    let (session, token) = (&first.body["chatbot"]["session_id"], &first.body["chatbot"]["session_token"]);
    let metadata = json!({ "metadata": { "session_id": session, "session_token": token } });
    let second = admin.post(PATH, &request(&model, metadata)).await;
    assert_eq!(&second.body["chatbot"]["session_id"], session, "{second:?}");
    let stored = admin.get(&format!("/api/v1/tenants/me/conversations/{}", session.as_str().unwrap())).await;
    assert_eq!(stored.body["messages"].as_array().unwrap().len(), 4, "{stored:?}");
}

#[tokio::test]
async fn refusals_have_the_form_of_the_protocol() {
    let (platform, one, _) = with_documents().await;
    let model = slug(&platform, one).await;
    let admin = platform.admin(one.id);
    let body = request(&model, json!({}));
    for stranger in [platform.anonymous().post(PATH, &body).await, platform.anonymous().get("/v1/models").await] {
        assert_eq!(error(&stranger), (401, "invalid_api_key", &Value::Null));
    }
    let viewer = platform.viewer(one.id).post(PATH, &body).await;
    assert_eq!(error(&viewer), (403, "tenant_admin_required", &Value::Null));
    let operator = platform.operator().get("/v1/models").await;
    assert_eq!(error(&operator), (403, "tenant_required", &Value::Null));
    let long = "x".repeat(1_000_000);
    let long = json!({ "messages": [{ "role": "user", "content": long }] });
    let long = admin.post(PATH, &request(&model, long)).await;
    assert_eq!(error(&long), (413, "payload_too_large", &Value::Null));
    let broken = send(admin.request("POST", PATH).header("content-type", "application/json").body("{")).await;
    assert_eq!(error(&broken), (400, "validation_error", &Value::Null));
    let several = admin.post(PATH, &request(&model, json!({ "n": 2 }))).await;
    assert_eq!(error(&several), (400, "unsupported_parameter", &json!("n")));
    let unknown = admin.get("/v1/embeddings").await;
    assert_eq!(error(&unknown), (404, "unknown_url", &Value::Null));
    let method = admin.get(PATH).await;
    assert_eq!(error(&method), (405, "method_not_allowed", &Value::Null));
}

#[tokio::test]
async fn keys_with_the_scope_ask_can_ask_only_their_chatbots() {
    let (platform, one, other) = with_documents().await;
    let model = slug(&platform, one).await;
    let second = json!({ "slug": "second", "name": "Second" });
    let admin = platform.admin(one.id);
    let second = admin.post("/api/v1/tenants/me/chatbots", &second).await.body["id"].as_str().unwrap().to_owned();
    let key = async |tenant: Tenant, name: &str, more: Value| {
        let mut body = json!({ "name": name, "scopes": ["ask"] });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let key = platform.admin(tenant.id).post("/api/v1/tenants/me/api-keys", &body).await;
        assert_eq!(key.status, 201, "{key:?}");
        (key.body["id"].as_str().unwrap().to_owned(), key.body["secret"].as_str().unwrap().to_owned())
    };
    let (id, narrow) = key(one, "narrow", json!({ "chatbot_ids": [one.chatbot] })).await;
    let client = platform.bearer(&narrow);
    let models = client.get("/v1/models").await;
    let names: Vec<_> = models.body["data"].as_array().unwrap().iter().map(|model| &model["id"]).collect();
    assert_eq!(names, [&json!(model)], "{models:?}");
    let reply = client.post(PATH, &request(&model, json!({}))).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    let reply = client.post(&super::path(one), &json!({ "question": QUESTION })).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    for name in ["second", second.as_str()] {
        assert_eq!(error(&client.post(PATH, &request(name, json!({}))).await).1, "model_not_found");
    }
    let unreached = Tenant { chatbot: contract::ChatbotId::from_canonical(&second).unwrap(), ..one };
    for tenant in [unreached, other] {
        let refused = client.post(&super::path(tenant), &json!({ "question": QUESTION })).await;
        assert_eq!((refused.status, refused.detail()), (404, "chatbot_not_found"), "{refused:?}");
    }
    let (_, foreign) = key(other, "foreign", json!({})).await;
    let of_other = platform.bearer(&foreign).post(PATH, &request(&one.chatbot.to_string(), json!({}))).await;
    assert_eq!(error(&of_other), (404, "model_not_found", &json!("model")));
    let (_, reader) = key(one, "reader", json!({ "scopes": ["settings.read"] })).await;
    let unscoped = platform.bearer(&reader).get("/v1/models").await;
    assert_eq!(error(&unscoped), (403, "key_scope_missing", &Value::Null));
    assert_eq!(admin.delete(&format!("/api/v1/tenants/me/api-keys/{id}")).await.status, 204);
    let revoked = client.post(PATH, &request(&model, json!({}))).await;
    assert_eq!(error(&revoked), (401, "invalid_api_key", &Value::Null));
    assert!(revoked.body["error"]["message"].as_str().unwrap().contains("key_revoked"), "{revoked:?}");
}

#[tokio::test]
async fn browsers_of_other_sites_get_no_cors_headers() {
    let allow =
        |settings: &mut server::state::AppSettings| settings.cors_origins = vec!["https://a.example".to_owned()];
    let platform = Platform::start_with(allow).await;
    let from_site = |path: &str| platform.anonymous().request("GET", path).header("origin", "https://a.example");
    let (health, models) = (send(from_site("/health/live")).await, send(from_site("/v1/models")).await);
    assert_eq!(health.header("access-control-allow-origin"), Some("https://a.example"));
    assert_eq!(models.header("access-control-allow-origin"), None);
}
