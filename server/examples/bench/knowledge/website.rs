//! Measures the time from adding a website to the first right answer with a source.

use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{
    german::{FACT, QUESTION},
    site::Site,
    world::{Tenant, World, id_of, succeeded},
};
use crate::{
    Result,
    answers::query,
    figures::{per_second, setting},
};

/// Between two looks how far the website is.
const POLL: Duration = Duration::from_millis(200);
/// Between two questions of somebody who waits for the answer.
const ASK_EVERY: Duration = Duration::from_secs(1);

/// Measures and prints, for a site of `BENCH_PAGES` pages (200).
pub(super) async fn run() -> Result<()> {
    let pages = setting("BENCH_PAGES", 200).max(3);
    let world = World::start(&settings()).await?;
    let tenant = world.tenant("town", "de").await?;
    let site = Site::start(tenant.chatbot, pages).await?;
    let started = Instant::now();
    let website = Website::add(&tenant, &site.url, pages).await?;
    website.until("previewed").await?;
    let previewed = started.elapsed();
    website.read().await?;
    let (answered, read) = tokio::join!(first_answer(&world, &tenant, started), async {
        let source = website.until("ready").await?;
        Ok::<_, Box<dyn std::error::Error>>((source, started.elapsed()))
    });
    let (answered, (source, read)) = (answered?, read?);
    let ready = source["website"]["pages"]["ready"].as_u64().unwrap_or_default();
    println!("pages {ready} of {pages}, passages {}", source["passages"]);
    println!("until the preview                    {:>8.1} s", previewed.as_secs_f64());
    println!("until the first right, cited answer  {:>8.1} s", answered.as_secs_f64());
    println!("until all pages are read             {:>8.1} s", read.as_secs_f64());
    println!("pages read                           {:>8.1} /s", per_second(ready, read));
    Ok(())
}

/// What the server needs to read a site on this machine, without pauses. What is gone is removed by the next look.
pub(super) fn settings() -> [(&'static str, String); 3] {
    [
        ("SVC_CRAWL_ALLOW_LOOPBACK", "true".to_owned()),
        ("SVC_CRAWL_DELAY_MS", "0".to_owned()),
        ("SVC_CRAWL_CONFIRM_GONE_MINUTES", "0".to_owned()),
    ]
}

/// Asks every second until the answer is right and has a source.
async fn first_answer(world: &World, tenant: &Tenant, started: Instant) -> Result<Duration> {
    let client = reqwest::Client::new();
    let mut last = Value::Null;
    while started.elapsed() < Duration::from_secs(3600) {
        let asked = Instant::now();
        last = succeeded(query(&client, world.server.address(), tenant.chatbot, QUESTION)).await?;
        let is_cited = last["sources"].as_array().is_some_and(|sources| !sources.is_empty());
        if is_cited && last["answer"].as_str().is_some_and(|answer| answer.contains(FACT)) {
            return Ok(started.elapsed());
        }
        tokio::time::sleep(ASK_EVERY.saturating_sub(asked.elapsed())).await;
    }
    Err(format!("no right answer within an hour: {last}").into())
}

/// A website that a chatbot reads.
pub(super) struct Website<'a> {
    tenant: &'a Tenant,
    path: String,
}

impl<'a> Website<'a> {
    pub(super) async fn add(tenant: &'a Tenant, url: &str, pages: u64) -> Result<Self> {
        let website = json!({ "url": url, "max_pages": pages + 10, "schedule": "manual" });
        let body = json!({ "kind": "website", "name": "Town", "website": website });
        let made = tenant.post(&tenant.sources(), &body).await?;
        Ok(Self { tenant, path: format!("{}/{}", tenant.sources(), id_of(&made)?) })
    }

    /// Waits until it is in this state, and shows it.
    pub(super) async fn until(&self, wanted: &str) -> Result<Value> {
        loop {
            let source = self.tenant.get(&self.path).await?;
            let state = source["website"]["state"].as_str().unwrap_or_default();
            if state == wanted {
                return Ok(source);
            }
            if matches!(state, "unproven" | "failed") {
                return Err(format!("the website is {state}: {}", source["website"]["problem"]).into());
            }
            tokio::time::sleep(POLL).await;
        }
    }

    /// Asks for its pages to be read, as soon as no job is at it.
    pub(super) async fn read(&self) -> Result<()> {
        loop {
            let request = self.tenant.request(Method::POST, &format!("{}/read", self.path)).json(&json!({}));
            let answer = request.send().await?;
            match answer.status() {
                StatusCode::OK => return Ok(()),
                StatusCode::CONFLICT => tokio::time::sleep(POLL).await,
                status => return Err(format!("reading the website: {status} {}", answer.text().await?).into()),
            }
        }
    }

    /// Reads it and waits for the end.
    pub(super) async fn sync(&self) -> Result<Duration> {
        let started = Instant::now();
        self.read().await?;
        self.until("ready").await?;
        Ok(started.elapsed())
    }
}
