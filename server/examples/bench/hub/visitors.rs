//! Measures the cost of searches for visitors: a visitor of one chatbot asks again and again, alone and while three
//! users search, in turns.

use std::time::{Duration, Instant};

use sqlx::PgConnection;
use uuid::Uuid;

use super::{Hub, several, show};
use crate::{
    Result,
    answers::{QUESTIONS, query},
    figures::{Times, setting},
    load::Target,
};

/// The pause between two questions.
const PAUSE: Duration = Duration::from_millis(200);
/// How long a visitor asks alone.
const ALONE: Duration = Duration::from_secs(12);

pub(super) async fn compare(hub: &Hub, superuser: &mut PgConnection, targets: &[Target]) -> Result<()> {
    let chatbot: Uuid = sqlx::query_scalar("select id from chatbots where slug = 'hub-0'").fetch_one(superuser).await?;
    let visitor = Visitor { client: reqwest::Client::new(), address: hub.server.address(), chatbot };
    visitor.ask_until(&mut Times::default(), tokio::time::sleep(Duration::from_secs(2))).await?;
    let (mut alone, mut loaded) = (Times::default(), Times::default());
    for _ in 0..setting("BENCH_TURNS", 4) {
        visitor.ask_until(&mut alone, tokio::time::sleep(ALONE)).await?;
        visitor.ask_until(&mut loaded, several(targets, 4)).await?.map(drop)?;
    }
    show("a visitor alone", &alone);
    show("a visitor next to three searchers", &loaded);
    println!("  p95 loaded / alone: {:.2}", loaded.percentile(95) / alone.percentile(95));
    Ok(())
}

struct Visitor<'a> {
    client: reqwest::Client,
    address: &'a str,
    chatbot: Uuid,
}

impl Visitor<'_> {
    /// Asks one question after the other until something else is done, and gives what that came to.
    async fn ask_until<T>(&self, times: &mut Times, end: impl Future<Output = T>) -> Result<T> {
        let mut end = std::pin::pin!(end);
        for question in QUESTIONS.iter().cycle() {
            let asked = async {
                let started = Instant::now();
                let answer = query(&self.client, self.address, self.chatbot, question).send().await?;
                let status = answer.status();
                answer.bytes().await?;
                if !status.is_success() {
                    return Err(format!("a question was answered {status}").into());
                }
                times.push(started.elapsed());
                tokio::time::sleep(PAUSE).await;
                Ok::<_, Box<dyn std::error::Error>>(())
            };
            tokio::select! {
                done = &mut end => return Ok(done),
                asked = asked => asked?,
            }
        }
        unreachable!("the questions start again")
    }
}
