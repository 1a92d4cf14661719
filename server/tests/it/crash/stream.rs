//! A stream of mutations of several kinds, on own and on shared entities, from several callers at once.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use contract::TenantId;
use serde_json::{Value, json};

use super::process::{BYPASS, Process};
use crate::support::{Keys, ORIGIN, moment, new_chatbot};

/// The callers and what they were answered.
pub struct Stream {
    keys: Keys,
    http: reqwest::Client,
    next: AtomicUsize,
    cut: AtomicUsize,
    tenant: Option<(TenantId, String)>,
    answered: AtomicUsize,
    /// Ids of entities whose creation was confirmed.
    pub created_ids: Mutex<BTreeSet<String>>,
}

impl Stream {
    pub fn new(keys: &Keys) -> Self {
        let http = reqwest::Client::builder().timeout(Duration::from_secs(15)).build().unwrap();
        let (next, cut, answered) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        Self { keys: keys.clone(), http, next, cut, tenant: None, answered, created_ids: Mutex::default() }
    }

    /// Mutations that were answered with success.
    pub fn answered(&self) -> usize {
        self.answered.load(Ordering::Relaxed)
    }

    /// Waits until this many mutations were answered with success.
    pub async fn until_answered(&self, count: usize) {
        while self.answered() < count {
            moment().await;
        }
    }

    /// Mutations that got no answer: they are either whole or not there.
    pub fn cut(&self) -> usize {
        self.cut.load(Ordering::Relaxed)
    }

    /// Makes the shared tenant and chatbot in the first round.
    pub async fn prepare(&mut self, server: &Process) {
        if self.tenant.is_some() {
            return;
        }
        let operator = self.keys.operator().encode();
        let body = json!({ "slug": "shared", "display_name": "Shared" });
        let tenant = self.call(server, &operator, "POST", "/api/v1/platform/tenants", &body).await.unwrap();
        let id: TenantId = tenant["id"].as_str().unwrap().parse().unwrap();
        let admin = self.keys.tenant(id, "tenant-admin").encode();
        let body = json!({ "allowed_origins": [ORIGIN] });
        self.call(server, &admin, "PATCH", "/api/v1/tenants/me/branding", &body).await.unwrap();
        let chatbot =
            self.call(server, &admin, "POST", "/api/v1/tenants/me/chatbots", &new_chatbot("shared")).await.unwrap();
        self.tenant = Some((id, chatbot["id"].as_str().unwrap().to_owned()));
    }

    /// Four callers mutate until the server is killed; they share some entities.
    pub async fn run(&self, server: &Process) {
        let caller = || async { while self.mutate(server).await.is_some() {} };
        tokio::join!(caller(), caller(), caller(), caller());
    }

    /// The same until it is over, whatever is answered.
    pub async fn run_until(&self, server: &Process, over: &AtomicBool) {
        let caller = || async {
            while !over.load(Ordering::Relaxed) {
                self.mutate(server).await;
            }
        };
        tokio::join!(caller(), caller(), caller(), caller());
    }

    /// Waits until a mutation is served again.
    pub async fn served_again(&self, server: &Process) {
        let started = Instant::now();
        while self.mutate(server).await.is_none() {
            assert!(started.elapsed() < Duration::from_secs(60), "mutations are not served again");
        }
    }

    /// The next mutation; `None` when it was not confirmed.
    async fn mutate(&self, server: &Process) -> Option<Value> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (tenant, chatbot) = self.tenant.as_ref().unwrap();
        let operator = self.keys.operator().encode();
        let admin = self.keys.tenant(*tenant, "tenant-admin").encode();
        let text = format!("n{number}");
        let (token, method, path, body) = match number % 7 {
            0 => (
                &operator,
                "POST",
                "/api/v1/platform/tenants".to_owned(),
                json!({ "slug": text, "display_name": text }),
            ),
            1 => (&admin, "POST", "/api/v1/tenants/me/chatbots".to_owned(), new_chatbot(&text)),
            2 => (&operator, "PATCH", format!("/api/v1/platform/tenants/{tenant}"), json!({ "display_name": text })),
            3 => (&admin, "PATCH", format!("/api/v1/tenants/me/chatbots/{chatbot}"), json!({ "name": text })),
            4 => (&admin, "PATCH", "/api/v1/tenants/me/branding".to_owned(), json!({ "header_title": text })),
            5 => {
                let path = format!("/api/v1/tenants/{tenant}/modules/feedback");
                (&operator, "PUT", path, json!({ "enabled": number.is_multiple_of(2) }))
            }
            _ => (&text, "POST", "/api/v1/feedback".to_owned(), json!({ "chatbot_id": chatbot, "rating": "up" })),
        };
        self.call(server, token, method, &path, &body).await
    }

    async fn call(&self, server: &Process, token: &str, method: &str, path: &str, body: &Value) -> Option<Value> {
        let request = self
            .http
            .request(method.parse().unwrap(), format!("{}{path}", server.base_url))
            .header("x-loadtest-bypass", BYPASS)
            .header("origin", ORIGIN)
            .bearer_auth(token)
            .json(body);
        let answer = async {
            let response = request.send().await?.error_for_status()?;
            response.json::<Value>().await
        };
        let Ok(answer) = answer.await else {
            self.cut.fetch_add(1, Ordering::Relaxed);
            return None;
        };
        self.answered.fetch_add(1, Ordering::Relaxed);
        if method == "POST" {
            self.created_ids.lock().unwrap().extend(answer["id"].as_str().map(str::to_owned));
        }
        Some(answer)
    }
}
