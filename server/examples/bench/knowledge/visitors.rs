//! Measures the cost of a tenant's large upload for the visitors of another one: a visitor asks one question after the
//! other, alone and while the same server reads the documents.

use std::time::{Duration, Instant};

use uuid::Uuid;

use super::{files, world::World};
use crate::{
    Result,
    answers::query,
    figures::{Times, setting},
};

/// The pause between two questions.
const PAUSE: Duration = Duration::from_millis(50);
/// Documents of the chatbot that is asked.
const KNOWN: u64 = 200;

/// Measures and prints, for `BENCH_DOCUMENTS` documents (1,000), and `BENCH_MILLIS` (20,000) without them.
pub(super) async fn run() -> Result<()> {
    let count = setting("BENCH_DOCUMENTS", 1000);
    let world = World::start(&[]).await?;
    let quiet = world.tenant("quiet", "en").await?;
    let known = quiet.new_source().await?;
    quiet.put_all(&known, KNOWN, document).await?;
    quiet.until_read(&known, KNOWN).await?;
    let loud = world.tenant("loud", "en").await?;
    let source = loud.new_source().await?;
    let address = world.server.address();
    let mut visitor = Visitor { client: reqwest::Client::new(), address, chatbot: quiet.chatbot, asked: 0, refused: 0 };
    visitor.ask_until(&mut Times::default(), tokio::time::sleep(Duration::from_secs(2))).await?;
    let (mut alone, mut loaded) = (Times::default(), Times::default());
    let period = Duration::from_millis(setting("BENCH_MILLIS", 20_000));
    visitor.ask_until(&mut alone, tokio::time::sleep(period)).await?;
    let started = Instant::now();
    let reading = async {
        loud.put_all(&source, count, |number| document(KNOWN + number)).await?;
        loud.until_read(&source, count).await
    };
    visitor.ask_until(&mut loaded, reading).await??;
    println!(
        "a visitor while {count} documents of another tenant are read, in {:.1} s",
        started.elapsed().as_secs_f64()
    );
    for (name, times) in [("alone", &alone), ("meanwhile", &loaded)] {
        let (half, most) = (times.percentile(50), times.percentile(95));
        println!("{name:<12} {:>6} questions   p50 {half:>8.1} ms   p95 {most:>8.1} ms", times.len());
    }
    let ratio = |percent: usize| loaded.percentile(percent) / alone.percentile(percent);
    println!("ratio p50 {:.2}, p95 {:.2}; refused questions: {}", ratio(50), ratio(95), visitor.refused);
    Ok(())
}

fn document(number: u64) -> (String, Vec<u8>) {
    (format!("{number:06}.md"), files::markdown(number))
}

struct Visitor<'a> {
    client: reqwest::Client,
    address: &'a str,
    chatbot: Uuid,
    asked: u64,
    refused: u64,
}

impl Visitor<'_> {
    /// Asks one new question after the other until something else is done, and gives what that came to.
    async fn ask_until<T>(&mut self, times: &mut Times, end: impl Future<Output = T>) -> Result<T> {
        let mut end = std::pin::pin!(end);
        loop {
            tokio::select! {
                done = &mut end => return Ok(done),
                asked = self.ask(times) => asked?,
            }
        }
    }

    async fn ask(&mut self, times: &mut Times) -> Result<()> {
        self.asked += 1;
        let question = files::question(self.asked);
        let started = Instant::now();
        let answer = query(&self.client, self.address, self.chatbot, &question).send().await?;
        let status = answer.status();
        answer.bytes().await?;
        times.push(started.elapsed());
        if !status.is_success() {
            self.refused += 1;
        }
        tokio::time::sleep(PAUSE).await;
        Ok(())
    }
}
