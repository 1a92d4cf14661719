//! The choice of a chatbot's language model, its usage, and its budget.

use std::time::Duration;

use serde_json::{Value, json};
use server::{config::Prices, state::answer_models::ModelEndpoint};

use crate::support::{Platform, Tenant, TestResponse, model::Model, within_one_day};

const DOCUMENT: &str = "# Returns\n\nYou can return any item within 30 days of delivery. Keep the receipt.\n";
const QUESTION: &str = "Within how many days can I return an item?";
const SAID: &str = "You can return an item within 30 days of delivery [1].";
const USAGE: &str = "/api/v1/tenants/me/usage";
/// How long a model may be silent, also on a busy machine.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(60);

/// A platform with two models, of which the second one has prices.
async fn with_models() -> (Platform, Tenant, Model, Model) {
    within_one_day().await;
    let (small, generator) = Model::start(SILENCE_TIMEOUT, 200).await;
    let (large, other) = Model::start(SILENCE_TIMEOUT, 200).await;
    let prices = Prices { prompt: 2.0, cached: 1.0, answer: 4.0 };
    let platform = Platform::start_with(|settings| {
        settings.generator = Some(generator);
        settings.endpoints =
            vec![ModelEndpoint { name: "large".to_owned(), generator: other, prices, window_tokens: None }];
    })
    .await;
    let tenant = platform.add_tenant("one").await;
    platform.ingest(tenant, "shop.md", DOCUMENT).await;
    small.say(SAID);
    large.say(SAID);
    (platform, tenant, small, large)
}

fn chatbot(tenant: Tenant) -> String {
    format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot)
}

async fn set_tenant(platform: &Platform, tenant: Tenant, patch: Value) -> TestResponse {
    platform.operator().patch(&format!("/api/v1/platform/tenants/{}", tenant.id), &patch).await
}

async fn choose(platform: &Platform, tenant: Tenant, model: Value) -> TestResponse {
    platform.admin(tenant.id).patch(&chatbot(tenant), &json!({ "answer_model": model })).await
}

async fn ask(platform: &Platform, tenant: Tenant) -> TestResponse {
    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let reply = platform.widget().post(&path, &json!({ "session_id": null, "question": QUESTION })).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    reply
}

async fn try_out(platform: &Platform, tenant: Tenant, model: Value) -> TestResponse {
    let mut body = json!({ "question": QUESTION });
    if !model.is_null() {
        body["variant"] = json!({ "answer_model": model });
    }
    platform.viewer(tenant.id).post(&format!("{}/playground", chatbot(tenant)), &body).await
}

#[tokio::test]
async fn a_chatbot_has_a_model_that_its_tenant_may_have() {
    let (platform, tenant, small, large) = with_models().await;
    ask(&platform, tenant).await;
    assert_eq!((small.times_asked(), large.times_asked()), (1, 0), "the default one");
    let refused = choose(&platform, tenant, json!("large")).await;
    assert_eq!((refused.status, refused.loc().last().copied()), (422, Some("answer_model")), "{refused:?}");
    let own = platform.viewer(tenant.id).get("/api/v1/tenants/me/answer-models").await.body;
    let expected =
        json!({ "items": [{ "name": "default", "model": "small", "is_available": true }], "default": "default" });
    assert_eq!(own, expected);

    assert_eq!(set_tenant(&platform, tenant, json!({ "answer_models": ["large"] })).await.status, 200);
    assert_eq!(platform.last_audit().await["action"], "tenant.updated");
    let chosen = choose(&platform, tenant, json!("large")).await;
    assert_eq!((chosen.status, &chosen.body["answer_model"]), (200, &json!("large")), "{chosen:?}");
    let row = platform.last_audit().await;
    assert_eq!(
        (&row["action"], &row["details"]["after"]["answer_model"]),
        (&json!("chatbot.updated"), &json!("large"))
    );
    ask(&platform, tenant).await;
    assert_eq!((small.times_asked(), large.times_asked()), (1, 1));

    assert_eq!(choose(&platform, tenant, json!("quoted")).await.status, 200);
    let quoted = ask(&platform, tenant).await;
    assert_eq!((small.times_asked(), large.times_asked()), (1, 1), "{quoted:?}");
    assert_eq!(choose(&platform, tenant, json!("large")).await.status, 200);
    assert_eq!(set_tenant(&platform, tenant, json!({ "answer_models": [] })).await.status, 200);
    ask(&platform, tenant).await;
    assert_eq!((small.times_asked(), large.times_asked()), (2, 1), "what was taken away is the default again");
}

#[tokio::test]
async fn an_operator_sets_the_default_of_a_tenant() {
    let (platform, tenant, small, large) = with_models().await;
    for patch in
        [json!({ "answer_model": "huge" }), json!({ "answer_models": ["huge"] }), json!({ "answer_model": "A b" })]
    {
        assert_eq!(set_tenant(&platform, tenant, patch.clone()).await.status, 422, "{patch}");
    }
    assert_eq!(set_tenant(&platform, tenant, json!({ "answer_model": "large" })).await.status, 200);
    ask(&platform, tenant).await;
    assert_eq!((small.times_asked(), large.times_asked()), (0, 1));
    assert_eq!(set_tenant(&platform, tenant, json!({ "answer_model": "quoted" })).await.status, 200);
    ask(&platform, tenant).await;
    assert_eq!((small.times_asked(), large.times_asked()), (0, 1));
    let path = format!("/api/v1/platform/tenants/{}/answer-models", tenant.id);
    let all = platform.vendor().get(&path).await.body;
    assert_eq!((all["items"].as_array().unwrap().len(), &all["default"]), (2, &json!("quoted")), "{all}");
    assert_eq!(set_tenant(&platform, tenant, json!({ "answer_model": null })).await.status, 200);
    ask(&platform, tenant).await;
    assert_eq!((small.times_asked(), large.times_asked()), (1, 1));
}

#[tokio::test]
async fn the_playground_compares_models_with_quoted_answers() {
    let (platform, tenant, small, large) = with_models().await;
    let generated = try_out(&platform, tenant, Value::Null).await;
    assert_eq!((generated.status, &generated.body["answered_by"]), (200, &json!("generated")), "{generated:?}");
    assert!(generated.body["usage"]["prompt_tokens"].as_i64().unwrap() > 0);
    let quoted = try_out(&platform, tenant, json!("quoted")).await;
    assert_eq!((&quoted.body["answered_by"], &quoted.body["usage"]), (&json!("quoted"), &Value::Null), "{quoted:?}");
    let refused = try_out(&platform, tenant, json!("large")).await;
    assert_eq!((refused.status, refused.loc().last().copied()), (422, Some("answer_model")), "{refused:?}");
    assert_eq!((small.times_asked(), large.times_asked()), (1, 0));
    let usage = platform.viewer(tenant.id).get(USAGE).await.body;
    assert_eq!(usage["months"][0]["spent"]["answers"], 1, "its tokens count: {usage}");
    assert_eq!(usage["days"][30]["questions"], 0);
}

#[tokio::test]
async fn answers_are_quoted_beyond_the_months_tokens() {
    let (platform, tenant, small, _) = with_models().await;
    assert_eq!(set_tenant(&platform, tenant, json!({ "quotas": { "tokens_per_month": 1 } })).await.status, 200);
    ask(&platform, tenant).await;
    let second = ask(&platform, tenant).await;
    assert!(second.body["answer"].as_str().unwrap().contains("within 30 days"), "{second:?}");
    assert_eq!(try_out(&platform, tenant, Value::Null).await.body["answered_by"], "quoted");
    assert_eq!(small.times_asked(), 1);
    let ways: Vec<Option<String>> =
        sqlx::query_scalar("select answered_by from chat_messages where role = 'assistant' order by position")
            .fetch_all(platform.everything())
            .await
            .unwrap();
    assert_eq!(ways, [Some("generated".to_owned()), Some("quoted".to_owned())]);
    let usage = platform.viewer(tenant.id).get(USAGE).await.body;
    let quotas = usage["quotas"].as_array().unwrap();
    let tokens = quotas.iter().find(|quota| quota["quota"] == "tokens_per_month").unwrap();
    assert_eq!((&tokens["limit"], &tokens["state"]), (&json!(1), &json!("used_up")), "{usage}");
}

#[tokio::test]
async fn from_80_percent_of_the_months_tokens_on_the_console_warns() {
    let (platform, tenant, small, _) = with_models().await;
    ask(&platform, tenant).await;
    let viewer = platform.viewer(tenant.id);
    let tokens = async || {
        let usage = viewer.get(USAGE).await.body;
        let quotas = usage["quotas"].as_array().unwrap();
        quotas.iter().find(|quota| quota["quota"] == "tokens_per_month").unwrap().clone()
    };
    let used = tokens().await["used"].as_i64().unwrap();
    let at_80_percent = used * 5 / 4;
    for (limit, state, warns) in [(at_80_percent + 1, "ok", false), (at_80_percent, "warning", true)] {
        let quotas = json!({ "quotas": { "tokens_per_month": limit } });
        assert_eq!(set_tenant(&platform, tenant, quotas).await.status, 200);
        assert_eq!(tokens().await["state"], state, "{used} of {limit}");
        let overview = viewer.get("/tenant/_fn/overview").await.body;
        assert_eq!(overview["has_short_quota"], warns, "{overview}");
    }
    ask(&platform, tenant).await;
    assert_eq!(small.times_asked(), 2, "a warning changes no answer");
}

#[tokio::test]
async fn the_usage_of_answers_stays_when_a_chatbot_is_deleted() {
    let (platform, tenant, _, _) = with_models().await;
    assert_eq!(set_tenant(&platform, tenant, json!({ "answer_model": "large" })).await.status, 200);
    ask(&platform, tenant).await;
    let before = platform.admin(tenant.id).get(USAGE).await.body;
    let spent = &before["months"][0]["spent"];
    let number = |name: &str| spent[name].as_i64().unwrap();
    let expected =
        2 * (number("prompt_tokens") - number("cached_tokens")) + number("cached_tokens") + 4 * number("answer_tokens");
    assert_eq!((number("cost_micros"), &before["currency"]), (expected, &json!("EUR")), "{before}");
    assert_eq!(before["months"][0]["chatbots"][0]["spent"], *spent);

    let admin = platform.admin(tenant.id);
    assert_eq!(admin.delete(&chatbot(tenant)).await.status, 204);
    let erased = admin.post(&format!("{}/erase", chatbot(tenant)), &json!({ "slug": "help" })).await;
    assert!(erased.status < 300, "{erased:?}");
    platform.work_off_jobs().await;
    let after = admin.get(USAGE).await.body;
    assert_eq!((&after["months"][0]["spent"], &after["months"][0]["chatbots"]), (spent, &json!([])), "{after}");
    let by_month = admin.get("/api/v1/tenants/me/model-usage").await.body;
    assert_eq!(by_month["items"], json!([]), "{by_month}");
    for name in ["answers", "prompt_tokens", "cached_tokens", "answer_tokens"] {
        assert_eq!(by_month["deleted"][0][name], spent[name], "{by_month}");
    }
}

#[tokio::test]
async fn a_failing_model_is_shown_to_tenants_and_operators() {
    let (platform, tenant, small, _) = with_models().await;
    small.send("HTTP/1.1 500 Internal Server Error\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    for _ in 0..3 {
        let answer = ask(&platform, tenant).await;
        assert!(answer.body["answer"].as_str().unwrap().contains("within 30 days"), "{answer:?}");
    }
    let own = platform.viewer(tenant.id).get("/api/v1/tenants/me/answer-models").await.body;
    assert_eq!(own["items"][0]["is_available"], false, "{own}");
}
