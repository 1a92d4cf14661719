//! Keys that open nothing: each has its code, none is accepted anywhere else, and none reaches the log.

use futures::future::join_all;
use serde_json::json;
use server::{admission::rate_limit::Quota, auth::api_key};

use super::{CHATBOTS, KEYS, accepted, call, refused, secret};
use crate::support::{Log, Platform, send};

const BURST: u32 = 5;

#[tokio::test]
async fn every_wrong_key_has_its_code() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (id, key) = secret(&platform, one, json!({})).await;
    for malformed in ["cbp_", "cbp_x", &key[..key.len() - 1], &key[..20], &format!("{key}x"), &key.to_lowercase()] {
        assert_eq!(call(&platform, malformed).await, refused(401, "key_malformed"), "{malformed}");
    }
    assert_eq!(call(&platform, &api_key::generate()).await, refused(401, "key_unknown"));
    // The prefix of a key with other secret characters.
    let set = async |sql: &str| {
        sqlx::query(sqlx::AssertSqlSafe(sql.to_owned())).execute(platform.everything()).await.unwrap()
    };
    let other = api_key::generate();
    set(&format!("update api_keys set prefix = '{}' where id = '{id}'", &other[4..12])).await;
    assert_eq!(call(&platform, &other).await, refused(401, "key_unknown"));
    set(&format!("update api_keys set prefix = '{}' where id = '{id}'", &key[4..12])).await;
    assert_eq!(call(&platform, &key).await, accepted());
    // The database's clock decides, so that no server's is relied on.
    set("update api_keys set expires_at = now() - interval '1 second'").await;
    assert_eq!(call(&platform, &key).await, refused(401, "key_expired"));
    for (minutes, expected) in [(-5, refused(401, "key_expired")), (5, accepted()), (1, accepted())] {
        set(&format!("update api_keys set expires_at = now() + interval '{minutes} minutes'")).await;
        assert_eq!(call(&platform, &key).await, expected, "{minutes}");
    }
    set("update api_keys set allowed_addresses = '{192.0.2.0/24}'").await;
    assert_eq!(call(&platform, &key).await, refused(403, "key_address_not_allowed"));
    set("update api_keys set allowed_addresses = '{}', revoked_at = now()").await;
    assert_eq!(call(&platform, &key).await, refused(401, "key_revoked"));
    set("update api_keys set revoked_at = null").await;
    assert_eq!(platform.operator().delete(&format!("/api/v1/platform/tenants/{}", one.id)).await.status, 204);
    assert_eq!(call(&platform, &key).await, refused(403, "tenant_not_active"));
}

#[tokio::test]
async fn a_key_in_a_query_string_or_another_header_is_not_read() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (_, key) = secret(&platform, one, json!({})).await;
    for query in ["access_token", "api_key", "key", "token", "authorization"] {
        let answer = platform.anonymous().get(&format!("{CHATBOTS}?{query}={key}")).await;
        assert_eq!((answer.status, answer.detail()), (401, "not_authenticated"), "{query}");
    }
    for (name, value) in
        [("x-api-key", key.clone()), ("authorization", format!("Basic {key}")), ("authorization", key.clone())]
    {
        let answer = send(platform.anonymous().request("GET", CHATBOTS).header(name, value)).await;
        assert_eq!((answer.status, answer.detail()), (401, "not_authenticated"), "{name}");
    }
}

#[tokio::test]
async fn keys_reach_no_people_keys_modules_or_styles() {
    let (platform, one, _) = Platform::with_tenants().await;
    let key = platform.api_key(one.id, contract::api_keys::KeyScope::ALL).await;
    for path in ["people", "api-keys", "branding", "modules/feedback/activate", "usage"] {
        let answer = platform.bearer(&key).get(&format!("/api/v1/tenants/me/{path}")).await;
        let is_refused = answer.detail() == "key_not_accepted" || answer.status == 405;
        assert!(is_refused, "{path}: {answer:?}");
    }
    let refusal = platform.bearer(&key).post(KEYS, &json!({ "name": "Child", "scopes": ["ask"] })).await;
    assert_eq!((refusal.status, refusal.detail()), (401, "key_not_accepted"));
    assert_eq!(refusal.header("www-authenticate"), Some("Bearer"));
}

#[tokio::test]
async fn a_flood_of_wrong_keys_is_refused_without_a_query() {
    let platform = Platform::start_with(|settings| settings.rate_limit.limits.failed = Quota::new(1, BURST)).await;
    let one = platform.add_tenant("one").await;
    let (_, accepted_key) = secret(&platform, one, json!({ "name": "Known" })).await;
    let (_, unused) = secret(&platform, one, json!({ "name": "Unused" })).await;
    assert_eq!(call(&platform, &accepted_key).await, accepted());
    let wrong: Vec<String> =
        (0..200).map(|number| if number % 2 == 0 { api_key::generate() } else { "cbp_x".to_owned() }).collect();
    let codes = join_all(wrong.iter().map(|key| call(&platform, key))).await;
    let looked_up = codes.iter().filter(|(status, _)| *status == 401).count();
    assert!(codes.iter().all(|(status, _)| [401, 429].contains(status)), "{codes:?}");
    assert!(looked_up < 100, "{looked_up} of {} were looked up", codes.len());
    // A key that was accepted lately is not held up by its neighbours' mistakes; another one has to wait.
    assert_eq!(call(&platform, &accepted_key).await, accepted());
    let (status, _) = call(&platform, &unused).await;
    assert!([200, 429].contains(&status), "{status}");
}

#[tokio::test]
async fn a_key_has_the_rate_of_a_principal() {
    let platform = Platform::start_with(|settings| settings.rate_limit.limits.principal = Quota::new(20, 20)).await;
    let one = platform.add_tenant("one").await;
    let (_, key) = secret(&platform, one, json!({ "name": "Busy" })).await;
    let (_, calm) = secret(&platform, one, json!({ "name": "Calm" })).await;
    let codes = join_all((0..100).map(|_| call(&platform, &key))).await;
    assert!(codes.contains(&refused(429, "rate_limited")), "{codes:?}");
    assert_eq!(call(&platform, &calm).await, accepted());
}

#[tokio::test]
async fn nothing_of_a_key_is_logged_or_answered() {
    let log = Log::default();
    let listening = log.listen();
    let (platform, one, _) = Platform::with_tenants().await;
    let (id, key) = secret(&platform, one, json!({})).await;
    let wrong = [key.clone(), key[..49].to_owned(), api_key::generate(), format!("{}é", &key[..40])];
    let mut answers = Vec::new();
    for key in &wrong {
        for path in [CHATBOTS, KEYS, "/health/live", &format!("{CHATBOTS}?key={key}"), &format!("/{key}")] {
            let request = platform.http.get(format!("{}{path}", platform.base_url));
            let header = http::HeaderValue::from_bytes(format!("Bearer {key}").as_bytes()).unwrap();
            answers.push(send(request.header("authorization", header)).await.text);
        }
    }
    platform.admin(one.id).delete(&format!("{KEYS}/{id}")).await;
    call(&platform, &key).await;
    drop(listening);
    let audited: Vec<String> = sqlx::query_scalar("select details::text from platform_audit_log")
        .fetch_all(platform.everything())
        .await
        .unwrap();
    let text = [log.text(), answers.join("\n"), audited.join("\n")].join("\n");
    assert!(text.contains("key.refused"), "the log is read");
    for key in &wrong {
        let secret: String = key.chars().skip(12).take(20).collect();
        assert!(!text.contains(&secret), "{secret}");
    }
}
