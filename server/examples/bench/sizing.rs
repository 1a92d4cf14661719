//! Measures what a machine holds: for both embedding models and several numbers of passages, how many questions a second are
//! answered when eight visitors ask all the time, how long one visitor waits, memory, and room on disk.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use rag::embed::MULTILINGUAL_MODEL;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    Result,
    answers::{Bench, QUESTIONS, fill, ingestion},
    database::{self, Database},
    figures::{Times, per_second, setting},
    issuer::Issuer,
    process,
    questions::MODELS,
    server::Server,
};

/// One chatbot alone gets half of the places for answers.
const CHATBOTS: u64 = 2;
/// Visitors who ask again as soon as they are answered.
const VISITORS: usize = 8;
/// Measures and prints. The largest number of passages is `BENCH_PASSAGES` (100,000), `BENCH_COLLECTIONS` that of empty chatbots
/// at the end (1,000); each load lasts ten times `BENCH_MILLIS`.
pub(crate) async fn run() -> Result<()> {
    let database = Database::create("bench_sizing").await?;
    let issuer = Issuer::serve().await?;
    let seeds = [ingestion::run(&database).await?, ingestion::with_model(&database, MULTILINGUAL_MODEL).await?];
    let largest = setting("BENCH_PASSAGES", 100_000);
    println!(
        "\n{} cores; {CHATBOTS} chatbots share the passages; `again` are questions whose vector is known\n\
         model, passages           one visitor: p50, p95   {VISITORS} visitors: /s, p50, p95     again: /s, p50, p95   \
         MB of the server: idle, loaded   MB of PostgreSQL   kB on disk a passage",
        std::thread::available_parallelism()?
    );
    for ((name, model), seed) in MODELS.into_iter().zip(seeds) {
        for size in [1000, 10_000, 100_000].into_iter().filter(|size| *size <= largest) {
            let mut chatbots = Vec::new();
            for number in 0..CHATBOTS {
                let slug = format!("{name}-{size}-{number}");
                chatbots.push(fill::named(&database, seed, size / CHATBOTS, &slug, number * size / CHATBOTS).await?);
            }
            let mut superuser = database.superuser().await?;
            complete(&mut superuser, &chatbots, model).await?;
            let room: i64 = sqlx::query_scalar(
                "select sum(pg_total_relation_size(('passages_' || replace(id::text, '-', ''))::regclass))::bigint
                 from unnest($1) id",
            )
            .bind(&chatbots)
            .fetch_one(&mut superuser)
            .await?;
            #[allow(clippy::cast_precision_loss, reason = "bytes and passages of a benchmark")]
            let each = room as f64 / 1000.0 / size as f64;
            let line = measure(Server::start(&database, &issuer).await?, &mut superuser, &chatbots).await?;
            println!("{:<24} {line} {each:>10.1}", format!("{name}, {size}"));
        }
    }
    empty(&database, &issuer).await
}

/// What the filling leaves out. No job makes second vectors meanwhile.
async fn complete(superuser: &mut PgConnection, chatbots: &[Uuid], model: &str) -> Result<()> {
    sqlx::query("update chatbots set embedding_model = $2, embedding_dimensions = 384 where id = any($1)")
        .bind(chatbots)
        .bind(model)
        .execute(&mut *superuser)
        .await?;
    database::execute(superuser, "update chatbots set cross_language = false").await
}

async fn measure(server: Server, superuser: &mut PgConnection, chatbots: &[Uuid]) -> Result<String> {
    let pid = server.pid().ok_or("the server has ended")?;
    let resident = || process::resident(pid).ok_or("the server has ended");
    let load = Load { bench: Bench::of(server), chatbots, asked: Cell::new(0) };
    let idle = resident()?;
    // Loads the model, and PostgreSQL's pages.
    load.during(1, Duration::from_secs(3), false).await?;
    let period = Duration::from_millis(setting("BENCH_MILLIS", 2500) * 10);
    let alone = load.during(1, period, false).await?;
    let (new, again) = (load.during(VISITORS, period, false).await?, load.during(VISITORS, period, true).await?);
    let (loaded, postgres) = (resident()?, database::memory(superuser).await?);
    let rate = |times: &Times| {
        let answered = u64::try_from(times.len()).unwrap_or_default();
        format!("{:>7.1} {:>7.0} {:>7.0}", per_second(answered, period), times.percentile(50), times.percentile(95))
    };
    Ok(format!(
        "{:>12.0} {:>7.0}       {}       {}       {idle:>7.0} {loaded:>7.0} {postgres:>18.0}",
        alone.percentile(50),
        alone.percentile(95),
        rate(&new),
        rate(&again)
    ))
}

/// How much room and memory chatbots without documents take.
async fn empty(database: &Database, issuer: &Issuer) -> Result<()> {
    let count = setting("BENCH_COLLECTIONS", 1000);
    let mut superuser = database.superuser().await?;
    let of_database = "select pg_database_size(current_database())";
    let before: i64 = sqlx::query_scalar(of_database).fetch_one(&mut superuser).await?;
    fill::others(database, count).await?;
    let after: i64 = sqlx::query_scalar(of_database).fetch_one(&mut superuser).await?;
    let server = Server::start(database, issuer).await?;
    tokio::time::sleep(Duration::from_secs(5)).await;
    let resident = server.pid().and_then(process::resident).ok_or("the server has ended")?;
    let each = (after - before) / 1000 / i64::try_from(count.max(1))?;
    let postgres = database::memory(&mut superuser).await?;
    println!(
        "{count} chatbots without documents: {each} kB on disk each; server {resident:.0} MB, PostgreSQL {postgres:.0} MB"
    );
    Ok(())
}

struct Load<'a> {
    bench: Bench,
    chatbots: &'a [Uuid],
    /// Numbers questions, so that each is new.
    asked: Cell<usize>,
}

impl Load<'_> {
    /// So many visitors ask for so long; how long each answer took.
    async fn during(&self, visitors: usize, period: Duration, again: bool) -> Result<Times> {
        let until = Instant::now() + period;
        let mut all = Times::default();
        for times in futures::future::try_join_all((0..visitors).map(|_| self.visit(until, again))).await? {
            all.extend(times);
        }
        Ok(all)
    }

    async fn visit(&self, until: Instant, again: bool) -> Result<Times> {
        let mut times = Times::default();
        while Instant::now() < until {
            let number = self.asked.replace(self.asked.get() + 1);
            let question = QUESTIONS[number / self.chatbots.len() % QUESTIONS.len()];
            let question = if again { question.to_owned() } else { format!("{question} {number}") };
            let chatbot = self.chatbots[number % self.chatbots.len()];
            times.push(self.bench.ask(chatbot, &question).await?);
        }
        Ok(times)
    }
}
