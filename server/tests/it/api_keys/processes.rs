//! Keys at real processes, with the limits that an installation has.

use std::time::{Duration, Instant};

use futures::{StreamExt as _, stream};
use serde_json::json;
use server::auth::api_key;

use super::{CHATBOTS, KEYS, secret};
use crate::{crash::process::Process, support::Platform};

/// The wrong keys of one address.
const WRONG: usize = 10_000;

async fn start(platform: &Platform) -> Process {
    let settings = [("SVC_HTTP_DRAIN_SECONDS", "0"), ("SVC_LOGGING_LEVEL", "error")];
    Process::start_with(&platform.db.login_url(), &platform.keys.auth_url, &settings).await
}

/// The status of a call with the key.
async fn status(client: &reqwest::Client, process: &Process, key: &str) -> u16 {
    let url = format!("{}{CHATBOTS}", process.base_url);
    client.get(url).bearer_auth(key).send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn a_key_that_one_process_revokes_opens_nothing_at_another() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (revoking, other) = (start(&platform).await, start(&platform).await);
    let admin = platform.keys.tenant(one.id, "tenant-admin").encode();
    let client = reqwest::Client::new();
    let mut longest = Duration::ZERO;
    for round in 0..20 {
        let (id, key) = secret(&platform, one, json!({ "name": format!("Round {round}") })).await;
        assert_eq!([status(&client, &other, &key).await, status(&client, &revoking, &key).await], [200, 200]);
        let path = format!("{}{KEYS}/{id}", revoking.base_url);
        let revoked = client.delete(path).bearer_auth(&admin).send().await.unwrap();
        let started = Instant::now();
        assert_eq!(revoked.status(), 204);
        assert_eq!(status(&client, &other, &key).await, 401, "the next call, round {round}");
        longest = longest.max(started.elapsed());
    }
    println!("20 revoked keys: the other process refused the next call, at most {longest:?} after the answer");
}

#[tokio::test]
async fn ten_thousand_wrong_keys_of_an_address_are_not_looked_up() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (_, secret) = secret(&platform, one, json!({})).await;
    let process = start(&platform).await;
    let client = reqwest::Client::new();
    assert_eq!(status(&client, &process, &secret).await, 200);
    let started = Instant::now();
    let wrong = stream::iter(0..WRONG).map(async |_| status(&client, &process, &api_key::generate()).await);
    let codes: Vec<u16> = wrong.buffer_unordered(150).collect().await;
    let took = started.elapsed();
    let count = |code: u16| codes.iter().filter(|other| **other == code).count();
    let (looked_up, limited) = (count(401), count(429));
    println!("{WRONG} wrong keys in {took:.1?}: {looked_up} looked up, {limited} refused without a query");
    assert_eq!(looked_up + limited, WRONG);
    // The burst, five a second, and those that arrived at the same time.
    assert!(looked_up < WRONG / 10, "{looked_up}");
    assert_eq!(status(&client, &process, &secret).await, 200, "a key that was accepted lately works");
}

#[tokio::test]
async fn prompts_of_a_megabyte_are_refused_with_their_place() {
    let (platform, one, _) = Platform::with_tenants().await;
    let (_, key) = secret(&platform, one, json!({ "scopes": ["ask"] })).await;
    let process = start(&platform).await;
    let client = reqwest::Client::new();
    let ask = format!("/api/v1/tenants/me/chatbots/{}/ask", one.chatbot);
    for (length, expected, code) in [(1_000_000, 422, "validation_error"), (2_000_000, 413, "payload_too_large")] {
        let text = "word ".repeat(length / 5);
        for accept in ["application/json", "text/event-stream"] {
            let request = client.post(format!("{}{ask}", process.base_url)).bearer_auth(&key).header("accept", accept);
            let answer = request.json(&json!({ "question": text })).send().await.unwrap();
            assert_eq!(answer.status(), expected, "{length} {accept}");
            let body: serde_json::Value = answer.json().await.unwrap();
            assert_eq!(body["detail"], code, "{body}");
            assert!(body.to_string().len() < 1000, "the answer does not repeat the prompt");
        }
        for stream in [false, true] {
            let messages = json!([{ "role": "user", "content": text }]);
            let body = json!({ "model": one.chatbot, "messages": messages, "stream": stream });
            let request = client.post(format!("{}/v1/chat/completions", process.base_url)).bearer_auth(&key);
            let answer = request.json(&body).send().await.unwrap();
            let status = answer.status().as_u16();
            let error = answer.json::<serde_json::Value>().await.unwrap()["error"].clone();
            assert_eq!((status, error["code"].as_str().unwrap()), (413, "payload_too_large"), "{error}");
            assert!(error.to_string().len() < 1000, "the answer does not repeat the prompt");
        }
    }
}
