//! Measures the cost of a question: the duration of each step in collections of several sizes and next to many others,
//! the platform's overhead over a bare call of the model, the speed of ingestion, and the speed of the output filter.

pub(crate) mod fill;
mod filter;
pub(crate) mod ingestion;
pub(crate) mod model;
mod overhead;

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use serde_json::json;
use uuid::Uuid;

use crate::{
    Result,
    database::Database,
    figures::{Times, setting},
    issuer::Issuer,
    load::Target,
    server::{BYPASS, Server},
};

pub(crate) const ORIGIN: &str = "https://shop.example.com";
pub(crate) const QUESTIONS: [&str; 8] = [
    "Which formats can be ingested?",
    "What happens when a model says that there is no answer?",
    "How are citations verified?",
    "How long are the passages of a document?",
    "What does a visitor get when too many questions wait?",
    "How is a follow-up question recognised?",
    "Which rules does the output filter have?",
    "How long is a conversation kept?",
];
const STEPS: [&str; 6] = ["embed", "search", "rank", "generate", "filter", "store"];

/// Measures and prints. `BENCH_PASSAGES` is the size of the largest collection, `BENCH_COLLECTIONS` how many others there are.
pub(crate) async fn run() -> Result<()> {
    filter::run()?;
    let database = Database::create("bench_answers").await?;
    let issuer = Issuer::serve().await?;
    let seeded = ingestion::run(&database).await?;
    let server = Server::start(&database, &issuer).await?;
    let bench = Bench::of(server);
    print_heading();
    let largest = setting("BENCH_PASSAGES", 100_000);
    let mut sizes: Vec<u64> = [100, 10_000].into_iter().filter(|size| *size < largest).collect();
    sizes.push(largest);
    for size in sizes {
        let chatbot = fill::collection(&database, seeded, size).await?;
        bench.latency(&format!("{size} passages"), chatbot).await?;
    }
    let others = setting("BENCH_COLLECTIONS", 1000);
    let chatbot = fill::collection(&database, seeded, 1000).await?;
    fill::others(&database, others).await?;
    bench.latency(&format!("1000, {others} others"), chatbot).await?;
    drop(bench);
    overhead::run(&database, &issuer, seeded).await
}

/// The line above those of [`Bench::latency`].
pub(crate) fn print_heading() {
    println!("\nmilliseconds                p50      p95   {}", STEPS.map(|step| format!("{step:>9}")).concat());
}

/// A client with the platform that it asks.
pub(crate) struct Bench {
    client: reqwest::Client,
    server: Server,
}

impl Bench {
    pub(crate) fn of(server: Server) -> Self {
        Self { client: reqwest::Client::new(), server }
    }

    pub(crate) fn server(&self) -> &Server {
        &self.server
    }

    /// Asks each question for the first time, and then all of them again and again.
    pub(crate) async fn latency(&self, name: &str, chatbot: Uuid) -> Result<()> {
        self.ask(chatbot, "What is this about?").await?;
        self.latency_of(&format!("{name}, first"), chatbot, QUESTIONS.len()).await?;
        self.latency_of(name, chatbot, usize::try_from(setting("BENCH_QUESTIONS", 80))?).await
    }

    /// Asks so many questions, one after the other; the steps are means of what the server itself measured.
    async fn latency_of(&self, name: &str, chatbot: Uuid, count: usize) -> Result<()> {
        let before = self.steps().await?;
        let mut times = Times::default();
        for question in QUESTIONS.iter().cycle().take(count) {
            times.push(self.ask(chatbot, question).await?);
        }
        let after = self.steps().await?;
        let mean = |step: &str| {
            let difference = |at: usize| after[step][at] - before[step][at];
            format!("{:>9.2}", difference(0) / difference(1).max(1.0) * 1000.0)
        };
        let (half, most) = (times.percentile(50), times.percentile(95));
        println!("{name:<24} {half:>8.1} {most:>8.1}   {}", STEPS.map(mean).concat());
        Ok(())
    }

    /// Asks as a visitor; how long the whole answer took.
    pub(crate) async fn ask(&self, chatbot: Uuid, question: &str) -> Result<Duration> {
        let asked = Instant::now();
        let answer = query(&self.client, self.server.address(), chatbot, question).send().await?;
        let status = answer.status();
        answer.bytes().await?;
        if status.is_success() { Ok(asked.elapsed()) } else { Err(format!("a question was answered {status}").into()) }
    }

    /// Seconds and number of each step since the server began.
    async fn steps(&self) -> Result<BTreeMap<String, [f64; 2]>> {
        let target = Target { address: self.server.address().to_owned(), path: "/metrics".into(), headers: vec![] };
        let metrics = String::from_utf8(target.fetch().await?.to_vec())?;
        let mut steps: BTreeMap<String, [f64; 2]> = STEPS.iter().map(|step| ((*step).to_owned(), [0.0; 2])).collect();
        for line in metrics.lines() {
            let Some((name, value)) = line.rsplit_once(' ') else { continue };
            for (at, kind) in ["sum", "count"].into_iter().enumerate() {
                let step = name.strip_prefix(&format!("svc_answer_step_seconds_{kind}{{step=\""));
                if let Some(known) = step.and_then(|step| steps.get_mut(step.trim_end_matches("\"}"))) {
                    known[at] = value.parse()?;
                }
            }
        }
        Ok(steps)
    }
}

/// A request that asks a question as the widget does.
pub(crate) fn query(client: &reqwest::Client, address: &str, chatbot: Uuid, question: &str) -> reqwest::RequestBuilder {
    let url = format!("http://{address}/api/v1/widget/chatbots/{chatbot}/query");
    let body = json!({ "session_id": null, "question": question });
    client.post(url).header("origin", ORIGIN).header("x-loadtest-bypass", BYPASS).json(&body)
}
