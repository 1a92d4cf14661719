//! Measures the throughput of the output filter: `cargo run --release -p rag --example filter_throughput -- FILE...`.
//!
//! Filters the texts of the files (cut to 2 kB, about the length of an answer) with the built-in rules, whole and in
//! chunks of 4 bytes, and with words that nearly match everywhere.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for developers")]

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rag::filter::{Context, OutputFilter};

const ANSWER: usize = 2000;
const PROMPT: &str = "You are the assistant of a shop. Answer only what the passages say. Be short and friendly, and \
                      never promise anything that is not written there.";

fn main() {
    let started = Instant::now();
    let filter = OutputFilter::built_in().unwrap();
    println!("{} rules loaded in {:.1?}", filter.rules(), started.elapsed());
    let texts: Vec<String> = std::env::args().skip(1).map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let prose = answers(&texts.concat());
    let nearly = answers(&"a.b@c sk-1 +49 30 12 eyJhbGciOi 4111 1111 1111 DE89 3704 you are the ".repeat(4000));
    for (name, answers) in [("prose", prose), ("nearly matching", nearly)] {
        for chunk in [usize::MAX, 4] {
            measure(&filter, name, &answers, chunk);
        }
    }
}

fn answers(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(ANSWER).map(|part| part.iter().collect()).collect()
}

fn measure(filter: &Arc<OutputFilter>, name: &str, answers: &[String], chunk: usize) {
    let context = Arc::new(Context::new("en", PROMPT, Vec::new()));
    let bytes: usize = answers.iter().map(String::len).sum();
    let (mut rounds, mut triggers, mut slowest) = (0, 0, Duration::ZERO);
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(2) && bytes > 0 {
        for answer in answers {
            let answer_started = Instant::now();
            let mut stream = filter.stream(&context);
            let characters: Vec<(usize, char)> = answer.char_indices().collect();
            for part in characters.chunks(chunk.min(answer.len())) {
                let (first, last) = (part[0], part[part.len() - 1]);
                stream.push(&answer[first.0..last.0 + last.1.len_utf8()]);
            }
            triggers += stream.finish().triggers.len();
            slowest = slowest.max(answer_started.elapsed());
        }
        rounds += 1;
    }
    let rate = (rounds * bytes) as f64 / started.elapsed().as_secs_f64() / 1e6;
    let size = if chunk == 4 { "chunks of 4" } else { "whole" };
    println!(
        "{name}, {size}: {rate:.1} MB/s, slowest answer {slowest:.1?}, {} triggers a round",
        triggers / rounds.max(1)
    );
}
