//! Measures the speed of an embedding model: `cargo run --release -p rag --example encode -- MODEL_FOLDER`.
//!
//! Prints the time for single texts on one thread, the tokens per second of a long call on one thread and on all cores,
//! and the memory of the process.
#![allow(clippy::print_stdout, reason = "a command line tool")]
#![allow(clippy::cast_precision_loss, reason = "small numbers")]

use std::{
    error::Error,
    path::PathBuf,
    time::{Duration, Instant},
};

use rag::embed::{Embedder, LocalEmbedder, Purpose};

/// Each of these words is one token of both models; two more mark begin and end.
const WORDS: &str = "the shop opens at nine in the morning and closes at six in the evening on all days of the week";
const ROUNDS: usize = 5;
/// Texts of a long call.
const TEXTS: usize = 120;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).map(PathBuf::from).ok_or("usage: encode MODEL_FOLDER")?;
    let started = Instant::now();
    let embedder = LocalEmbedder::load(&folder)?;
    println!("{} loaded in {:.0?}; {}", embedder.model(), started.elapsed(), memory());
    for tokens in [10, 30, 170, 250] {
        let time = best(&embedder, &[text(tokens)]).await?;
        println!("{tokens} tokens: {:.1} ms", time.as_secs_f64() * 1000.0);
    }
    let texts: Vec<String> = (0..TEXTS).map(|number| text(80 + 2 * number)).collect();
    let tokens: usize = (0..TEXTS).map(|number| 80 + 2 * number).sum();
    let one = best(&embedder, &texts).await?;
    let all = best(&embedder.without_questions(), &texts).await?;
    for (threads, time) in [("one thread", one), ("all cores", all)] {
        println!(
            "{TEXTS} texts of 80 to 318 tokens, {threads}: {:.0} tokens a second",
            tokens as f64 / time.as_secs_f64()
        );
    }
    println!("{}", memory());
    Ok(())
}

/// The shortest time of several rounds.
async fn best(embedder: &LocalEmbedder, texts: &[String]) -> Result<Duration, Box<dyn Error>> {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        embedder.embed(texts.to_vec(), Purpose::Query).await?;
        best = best.min(started.elapsed());
    }
    Ok(best)
}

fn text(tokens: usize) -> String {
    WORDS.split_whitespace().cycle().take(tokens - 2).collect::<Vec<_>>().join(" ")
}

/// The memory of this process, as Linux reports it.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let lines = status.lines().filter(|line| line.starts_with("VmRSS") || line.starts_with("VmHWM"));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(", ")
}
