//! Measures both embedding models: how long a question takes, how fast documents are embedded, and the memory of the idle
//! platform after both have answered.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use rag::embed::{ENGLISH_MODEL, Embedder, LocalEmbedder, MULTILINGUAL_MODEL, Purpose};

use crate::{
    Result,
    answers::{self, Bench, fill, ingestion},
    database::{self, Database},
    figures::{Rounds, per_second, setting},
    issuer::Issuer,
    process,
    server::Server,
};

pub(crate) const MODELS: [(&str, &str); 2] = [("small", ENGLISH_MODEL), ("multilingual", MULTILINGUAL_MODEL)];
/// Each of these words is one token of both models; two more mark begin and end.
const WORDS: &str = "the shop opens at nine in the morning and closes at six in the evening on all days of the week";
/// The length of a text, that of a passage.
const TOKENS: usize = 250;
/// Texts of one call.
const TEXTS: usize = 120;
/// Measures and prints. Each model has a collection of `BENCH_PASSAGES` passages (10,000). `BENCH_IDLE` is how many seconds the
/// platform is idle before its memory is measured (60).
pub(crate) async fn run() -> Result<()> {
    embedding().await?;
    let database = Database::create("bench_questions").await?;
    let issuer = Issuer::serve().await?;
    let seeds = [ingestion::run(&database).await?, ingestion::with_model(&database, MULTILINGUAL_MODEL).await?];
    let mut superuser = database.superuser().await?;
    let passages = setting("BENCH_PASSAGES", 10_000);
    let mut chatbots = Vec::new();
    for ((name, model), seed) in MODELS.into_iter().zip(seeds) {
        let chatbot = fill::named(&database, seed, passages, name, 0).await?;
        sqlx::query("update chatbots set embedding_model = $2, embedding_dimensions = 384 where id = $1")
            .bind(chatbot)
            .bind(model)
            .execute(&mut superuser)
            .await?;
        chatbots.push((name, chatbot));
    }
    // No job embeds second vectors meanwhile.
    database::execute(&mut superuser, "update chatbots set cross_language = false").await?;
    let bench = Bench::of(Server::start(&database, &issuer).await?);
    println!("\n{passages} passages");
    answers::print_heading();
    for (name, chatbot) in chatbots {
        bench.latency(name, chatbot).await?;
    }
    let idle = setting("BENCH_IDLE", 60);
    tokio::time::sleep(Duration::from_secs(idle)).await;
    let server = bench.server().pid().and_then(process::resident).ok_or("the server has ended")?;
    let postgres = database::memory(&mut superuser).await?;
    println!("\nmemory after {idle} s without a question: server {server:.0} MB, PostgreSQL {postgres:.0} MB");
    Ok(())
}

/// Embeds passages with each model on every core, as `server ingest` does; the models take turns.
async fn embedding() -> Result<()> {
    let load = |model: &str| LocalEmbedder::load(&Path::new("var/parts").join(model));
    let models = [load(ENGLISH_MODEL)?.without_questions(), load(MULTILINGUAL_MODEL)?.without_questions()];
    let text = WORDS.split_whitespace().cycle().take(TOKENS - 2).collect::<Vec<_>>().join(" ");
    let texts = vec![text; TEXTS];
    let tokens = u64::try_from(TEXTS * TOKENS)?;
    let mut speeds = [Vec::new(), Vec::new()];
    for _ in 0..setting("BENCH_ROUNDS", 5) {
        for (model, speeds) in models.iter().zip(&mut speeds) {
            let started = Instant::now();
            model.embed(texts.clone(), Purpose::Document).await?;
            speeds.push(per_second(tokens, started.elapsed()));
        }
    }
    let cores = std::thread::available_parallelism()?;
    println!("tokens a second, {TEXTS} texts of {TOKENS} tokens on {cores} cores");
    for ((name, _), speeds) in MODELS.into_iter().zip(speeds) {
        println!("{name:<24} {}", speeds.into_iter().collect::<Rounds>().show(0));
    }
    Ok(())
}
