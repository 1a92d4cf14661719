//! `make bench-demo`: measures a running demo world through its public face and prints ratios against
//! the bare SQL on the same database in the same run. Nothing here asserts a time.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::{
    error::Error,
    time::{Duration, Instant},
};

use contract::clients;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const ROUNDS: usize = 300;
const QUESTIONS: [&str; 5] = [
    "How do I put the chatbot on my site?",
    "How are tenants isolated from each other?",
    "Which file formats can be ingested?",
    "How is the platform configured?",
    "Who painted the Mona Lisa?",
];

/// Times of one kind of call.
struct Times(Vec<Duration>);

impl Times {
    fn print(mut self, name: &str) -> Duration {
        self.0.sort();
        let at = |share: f64| {
            #[allow(
                clippy::cast_precision_loss,
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "an index"
            )]
            let index = ((self.0.len() - 1) as f64 * share) as usize;
            self.0[index]
        };
        let millis = |time: Duration| time.as_secs_f64() * 1000.0;
        println!("{name:<44} p50 {:>8.2} ms   p95 {:>8.2} ms", millis(at(0.5)), millis(at(0.95)));
        at(0.5)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "var/dev.json".to_owned());
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}; start `make run` first"))?;
    let world: Value = serde_json::from_str(&text)?;
    let secret = world["loadtest_secret"].as_str().unwrap_or_default().parse()?;
    let headers = [(http::HeaderName::from_static("x-loadtest-bypass"), secret)].into_iter().collect();
    let bench = Bench { client: reqwest::Client::builder().default_headers(headers).build()?, world };
    println!("profile: {}", if cfg!(debug_assertions) { "dev (dependencies optimised)" } else { "release" });
    println!("memory at rest: {:.0} MB", bench.memory().await?);
    bench.tenants().await?;
    bench.widget().await?;
    println!("memory after the questions: {:.0} MB", bench.memory().await?);
    Ok(())
}

struct Bench {
    client: reqwest::Client,
    world: Value,
}

impl Bench {
    fn text(&self, key: &str) -> &str {
        self.world[key].as_str().unwrap_or_default()
    }

    /// Resident memory of the server in megabytes, from its own metrics.
    async fn memory(&self) -> Result<f64> {
        let metrics = self.client.get(self.text("metrics_url")).send().await?.text().await?;
        let line = metrics.lines().find_map(|line| line.strip_prefix("process_resident_memory_bytes "));
        Ok(line.ok_or("no memory in the metrics")?.parse::<f64>()? / 1e6)
    }

    async fn token(&self, username: &str) -> Result<String> {
        let users = self.world["users"].as_array().ok_or("no users")?;
        let user = users.iter().find(|user| user["username"] == username).ok_or("no such user")?;
        let clients = self.world["clients"].as_array().ok_or("no clients")?;
        let is_api = |client: &&Value| client["realm"] == user["realm"] && client["client_id"] == clients::API;
        let secret = clients.iter().find(is_api).and_then(|client| client["secret"].as_str()).ok_or("no secret")?;
        let realm = user["realm"].as_str().unwrap_or_default();
        let url = format!("{}/realms/{realm}/protocol/openid-connect/token", self.text("auth_url"));
        let password = user["password"].as_str().unwrap_or_default();
        let form = serde_urlencoded::to_string([
            ("grant_type", "password"),
            ("client_id", clients::API),
            ("client_secret", secret),
            ("username", username),
            ("password", password),
            ("scope", "openid svc-scope"),
        ])?;
        let request = self.client.post(url).header("content-type", "application/x-www-form-urlencoded").body(form);
        let answer: Value = request.send().await?.error_for_status()?.json().await?;
        Ok(answer["access_token"].as_str().ok_or("no token")?.to_owned())
    }

    async fn tenants(&self) -> Result<()> {
        let mut database = PgConnection::connect(self.text("database_url")).await?;
        let list = "select id, slug, display_name, default_language, created_at, updated_at from tenants
                    where deleted_at is null order by display_name, id limit 50";
        let mut bare = Vec::new();
        for _ in 0..ROUNDS {
            let started = Instant::now();
            sqlx::query(list).fetch_all(&mut database).await?;
            sqlx::query("select count(*) from tenants where deleted_at is null").fetch_one(&mut database).await?;
            bare.push(started.elapsed());
        }
        let token = self.token("olivia").await?;
        let url = format!("{}/api/v1/platform/tenants", self.text("base_url"));
        let mut api = Vec::new();
        for _ in 0..ROUNDS {
            let started = Instant::now();
            self.client.get(&url).bearer_auth(&token).send().await?.error_for_status()?.bytes().await?;
            api.push(started.elapsed());
        }
        let sql = Times(bare).print("bare SQL behind the tenant list");
        let rest = Times(api).print("GET /api/v1/platform/tenants");
        println!("  ratio of the medians: {:.1}", rest.as_secs_f64() / sql.as_secs_f64());
        Ok(())
    }

    async fn widget(&self) -> Result<()> {
        let chatbot = &self.world["chatbots"][0];
        let id = chatbot["id"].as_str().unwrap_or_default();
        let origin = chatbot["origin"].as_str().unwrap_or_default();
        let url = format!("{}/api/v1/widget/chatbots/{id}/query", self.text("base_url"));
        let mut times = Vec::new();
        for round in 0..1000 {
            let body = json!({ "session_id": null, "question": QUESTIONS[round % QUESTIONS.len()] });
            let started = Instant::now();
            let request = self.client.post(&url).header("origin", origin).json(&body);
            request.send().await?.error_for_status()?.bytes().await?;
            times.push(started.elapsed());
        }
        Times(times).print("widget query with embedding (1,000 questions)");
        Ok(())
    }
}
