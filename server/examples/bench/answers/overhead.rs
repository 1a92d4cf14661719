//! Measures the platform's overhead over a call of the model: the same endpoint called directly, and by a visitor's
//! streamed question.

use std::time::Instant;

use serde_json::json;
use uuid::Uuid;

use super::{QUESTIONS, model, query};
use crate::{
    Result,
    database::Database,
    figures::{Rounds, Times, setting},
    issuer::Issuer,
    server::Server,
};

/// Calls of each contender in a round.
const CALLS: usize = 20;

/// Times of one contender: until the first byte, the first word and the end.
#[derive(Default)]
struct Contender {
    byte: Times,
    word: Times,
    end: Times,
}

/// Measures in turns and prints.
pub(super) async fn run(database: &Database, issuer: &Issuer, chatbot: Uuid) -> Result<()> {
    let address = model::serve()?;
    let variables = [("SVC_GENERATOR_URL", address.clone()), ("SVC_GENERATOR_MODEL", "bench".to_owned())];
    let server = Server::start_with(database, issuer, &variables).await?;
    let client = reqwest::Client::new();
    let direct = || {
        let body = json!({ "model": "bench", "stream": true, "messages": [{ "role": "user", "content": "Which?" }] });
        client.post(format!("{address}/chat/completions")).json(&body)
    };
    let ours =
        |question: &str| query(&client, server.address(), chatbot, question).header("accept", "text/event-stream");
    let (mut bare, mut platform) = (Contender::default(), Contender::default());
    ask(ours(QUESTIONS[0]), "event: token", &mut Contender::default()).await?;
    let mut differences = Vec::new();
    for _ in 0..setting("BENCH_ROUNDS", 9) {
        let (mut one, mut other) = (Contender::default(), Contender::default());
        for question in QUESTIONS.iter().cycle().take(CALLS) {
            ask(direct(), "content", &mut one).await?;
            ask(ours(question), "event: token", &mut other).await?;
        }
        differences.push(other.end.percentile(50) - one.end.percentile(50));
        for (all, round) in [(&mut bare, one), (&mut platform, other)] {
            all.byte.extend(round.byte);
            all.word.extend(round.word);
            all.end.extend(round.end);
        }
    }
    println!("\np50 in milliseconds      first byte   first word   whole answer");
    for (name, times) in [("the model's endpoint", &bare), ("a visitor's question", &platform)] {
        let [byte, word, end] = [&times.byte, &times.word, &times.end].map(|times| times.percentile(50));
        println!("{name:<22} {byte:>12.2} {word:>12.2} {end:>14.2}");
    }
    println!("the platform adds {} ms to an answer", differences.into_iter().collect::<Rounds>().show(2));
    Ok(())
}

/// Reads a stream to its end; `mark` is in the first word.
async fn ask(request: reqwest::RequestBuilder, mark: &str, times: &mut Contender) -> Result<()> {
    let started = Instant::now();
    let mut answer = request.send().await?.error_for_status()?;
    let (mut text, mut worded) = (Vec::new(), false);
    while let Some(part) = answer.chunk().await? {
        if text.is_empty() {
            times.byte.push(started.elapsed());
        }
        text.extend_from_slice(&part);
        if !worded && String::from_utf8_lossy(&text).contains(mark) {
            worded = true;
            times.word.push(started.elapsed());
        }
    }
    if !worded {
        return Err("an answer without words".into());
    }
    times.end.push(started.elapsed());
    Ok(())
}
