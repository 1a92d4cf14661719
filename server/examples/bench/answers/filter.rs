//! Measures the throughput of the output filter, compared with a copy of the same bytes and with a single plain
//! pattern.

use std::{
    hint::black_box,
    sync::Arc,
    time::{Duration, Instant},
};

use rag::filter::{Context, OutputFilter};
use regex::Regex;

use crate::{
    Result,
    figures::{Rounds, setting},
};

/// Bytes of an answer, about.
const ANSWER: usize = 2000;
const PAGES: [&str; 4] = ["docs/answers.md", "docs/security.md", "docs/api.md", "docs/operations.md"];
const PROMPT: &str = "You are the assistant of a shop. Answer only what the passages say. Be short and friendly.";

/// Measures in turns and prints megabytes a second.
pub(super) fn run() -> Result<()> {
    let filter = OutputFilter::built_in()?;
    let mut text = String::new();
    for page in PAGES {
        text.push_str(&std::fs::read_to_string(page)?);
    }
    let characters: Vec<char> = text.chars().collect();
    let answers: Vec<String> = characters.chunks(ANSWER).map(|part| part.iter().collect()).collect();
    let pattern = Regex::new(r"(?-u:\b)[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){3,7}(?-u:\b)")?;
    let context = Arc::new(Context::new("en", PROMPT, Vec::new()));
    let mut whole = Vec::new();
    let mut tokens = Vec::new();
    let mut scanned = Vec::new();
    let mut copied = Vec::new();
    for _ in 0..setting("BENCH_ROUNDS", 9) {
        whole.push(speed(&answers, |answer| filtered(&filter, &context, answer, ANSWER)));
        tokens.push(speed(&answers, |answer| filtered(&filter, &context, answer, 4)));
        scanned.push(speed(&answers, |answer| pattern.find_iter(answer).count()));
        copied.push(speed(&answers, |answer| answer.to_owned().len()));
    }
    println!("output filter, {} rules, answers of {ANSWER} characters; MB/s", filter.rules());
    for (name, values) in
        [("whole answers", &whole), ("4 characters a step", &tokens), ("one pattern", &scanned), ("copy", &copied)]
    {
        println!("{name:<20} {}", values.iter().copied().collect::<Rounds>().show(1));
    }
    println!("whole / one pattern  {}", Rounds::ratio(&whole, &scanned).show(3));
    println!("whole / copy         {}", Rounds::ratio(&whole, &copied).show(4));
    Ok(())
}

/// Megabytes a second, measured for a fifth of a second.
fn speed(answers: &[String], work: impl Fn(&str) -> usize) -> f64 {
    let (started, mut bytes) = (Instant::now(), 0);
    while started.elapsed() < Duration::from_millis(200) {
        for answer in answers {
            black_box(work(black_box(answer)));
            bytes += answer.len();
        }
    }
    #[allow(clippy::cast_precision_loss, reason = "bytes of a fifth of a second")]
    let bytes = bytes as f64;
    bytes / started.elapsed().as_secs_f64() / 1e6
}

/// Matches in an answer that comes in steps of so many characters.
fn filtered(filter: &Arc<OutputFilter>, context: &Arc<Context>, answer: &str, step: usize) -> usize {
    let mut stream = filter.stream(context);
    let (mut begin, mut count) = (0, 0);
    for (at, letter) in answer.char_indices() {
        count += 1;
        if count == step {
            let end = at + letter.len_utf8();
            stream.push(&answer[begin..end]);
            (begin, count) = (end, 0);
        }
    }
    stream.push(&answer[begin..]);
    stream.finish().triggers.len()
}
