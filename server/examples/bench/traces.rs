//! Measures what traces cost: the same questions to a server that sends them to a collector and to one that does not, in turns.

use axum::{Router, routing::post};

use crate::{
    Result,
    answers::{Bench, QUESTIONS, ingestion, model},
    database::Database,
    figures::{Times, setting},
    issuer::Issuer,
    server::Server,
};

/// Measures and prints, for `BENCH_QUESTIONS` questions (400).
pub(crate) async fn run() -> Result<()> {
    let database = Database::create("bench_traces").await?;
    let issuer = Issuer::serve().await?;
    let chatbot = ingestion::run(&database).await?;
    // Whatever it gets, it takes.
    let collector = model::on_own_thread(Router::new().fallback(post(|| async { "{}" })))?;
    let with = [("SVC_OTLP_ENDPOINT", collector)];
    let servers = [
        Bench::of(Server::start(&database, &issuer).await?),
        Bench::of(Server::start_with(&database, &issuer, &with).await?),
    ];
    let (mut times, mut differences) = ([Times::default(), Times::default()], Vec::new());
    for turn in 0..=usize::try_from(setting("BENCH_QUESTIONS", 400))? {
        let mut took = [0.0; 2];
        for at in [turn % 2, 1 - turn % 2] {
            let answered = servers[at].ask(chatbot, QUESTIONS[turn % QUESTIONS.len()]).await?;
            took[at] = answered.as_secs_f64() * 1000.0;
            // The first loads the model.
            if turn > 0 {
                times[at].push(answered);
            }
        }
        differences.push(took[1] - took[0]);
    }
    differences.remove(0);
    differences.sort_by(f64::total_cmp);
    let quartile = |number: usize| differences.get(differences.len() * number / 4).copied().unwrap_or(f64::NAN);
    for (name, times) in ["without a collector", "with a collector"].into_iter().zip(&times) {
        println!("{name:<24} p50 {:>7.2} ms   p95 {:>7.2} ms", times.percentile(50), times.percentile(95));
    }
    println!("difference of each pair: {:.2} ms (quartiles {:.2} to {:.2})", quartile(2), quartile(1), quartile(3));
    Ok(())
}
