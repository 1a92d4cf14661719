//! Asks documents without a server: `cargo run -p rag --example ask -- MODEL_FOLDER PATH... < questions.txt`.
//!
//! Reads the documents into memory, then reads one question per line from standard input and answers it by vector
//! search alone, with timings. A line may have a tab and words that the right passage contains: then recall and mean
//! reciprocal rank are printed too.
#![allow(clippy::print_stdout, reason = "a command line tool")]

use std::{error::Error, io::BufRead, path::PathBuf, time::Instant};

use rag::{
    chunk::{CONTINUED, ChunkLimits, chunk, embedding_text},
    discover::discover,
    document::read_document,
    embed::{Embedder, LocalEmbedder, Purpose, cosine},
    generate::{extractive, section::Adjacent},
    retrieve::{self, Calibration, Candidate, Confidence},
    snippet::snippet,
    terms::{overlap, terms},
};
use uuid::Uuid;

type Indexed = (Candidate, Vec<f32>);

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).map(PathBuf::from);
    let model = arguments.next().ok_or("usage: ask MODEL_FOLDER PATH... < questions.txt")?;
    let start = Instant::now();
    let embedder = LocalEmbedder::load(&model)?;
    println!("model {} loaded in {:?}", embedder.model(), start.elapsed());
    let index = ingest(&arguments.collect::<Vec<_>>(), &embedder).await?;
    let (mut times, mut ranks) = (Vec::new(), Vec::new());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (question, expected) = line.split_once('\t').map_or((line.trim(), None), |(q, e)| (q.trim(), Some(e)));
        times.push(ask(question, &index, &embedder).await?);
        if let Some(expected) = expected {
            ranks.push(rank(question, expected, &index, &embedder).await?);
        }
    }
    report(&ranks);
    for (name, at) in [("embedding", 0), ("answer", 1), ("closest", 2)] {
        let mut values: Vec<f32> = times.iter().map(|time| time[at]).collect();
        values.sort_by(f32::total_cmp);
        if let (Some(median), Some(slow)) = (values.get(values.len() / 2), values.get(values.len() * 95 / 100)) {
            println!("{name}: p50 {median:.1} ms, p95 {slow:.1} ms");
        }
    }
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        status
            .lines()
            .filter(|line| line.starts_with("VmRSS") || line.starts_with("VmHWM"))
            .for_each(|l| println!("{l}"));
    }
    Ok(())
}

async fn ingest(paths: &[PathBuf], embedder: &LocalEmbedder) -> Result<Vec<Indexed>, Box<dyn Error>> {
    let (mut hits, mut texts) = (Vec::new(), Vec::new());
    let mut limits = ChunkLimits::default();
    if let Ok(target) = std::env::var("CHUNK_TARGET") {
        limits.target_tokens = target.parse()?;
    }
    for found in discover(paths)? {
        let document = match read_document(&found.path, &found.root) {
            Ok(document) => document,
            Err(reason) => {
                println!("skipped {}: {reason}", found.path.display());
                continue;
            }
        };
        for passage in chunk(&document, &limits) {
            texts.push(passage.embedding_text(&document.title));
            hits.push(Candidate::new(id(hits.len()), &document.title, passage.heading, passage.content));
        }
    }
    let start = Instant::now();
    let vectors = embedder.embed(texts, Purpose::Document).await?;
    let rate = hits.len() as f32 / start.elapsed().as_secs_f32();
    println!("{} passages, {rate:.1} passages/s", hits.len());
    Ok(hits.into_iter().zip(vectors).collect())
}

/// The rank of the first passage that contains the expected words, from 1; 0 when no passage does.
async fn rank(q: &str, expected: &str, index: &[Indexed], embedder: &LocalEmbedder) -> Result<usize, Box<dyn Error>> {
    let vector = embedder.embed(vec![q.to_owned()], Purpose::Query).await?.remove(0);
    let mut order: Vec<_> = index.iter().map(|(hit, known)| (cosine(&vector, known), &hit.content)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    Ok(order.iter().position(|(_, content)| content.contains(expected)).map_or(0, |at| at + 1))
}

fn report(ranks: &[usize]) {
    let within = |k: usize| ranks.iter().filter(|rank| (1..=k).contains(*rank)).count() as f32 / ranks.len() as f32;
    let reciprocal: f32 = ranks.iter().filter(|rank| **rank > 0).map(|rank| 1.0 / *rank as f32).sum();
    if !ranks.is_empty() {
        println!("ranks {ranks:?}");
        println!("recall@1 {:.2}, recall@5 {:.2}, MRR {:.2}", within(1), within(5), reciprocal / ranks.len() as f32);
    }
}

/// The id of the passage at a position in the index.
fn id(at: usize) -> Uuid {
    Uuid::from_u64_pair(0, at as u64)
}

/// The text around a passage in its section.
fn adjacent(hit: &Candidate, index: &[Indexed]) -> Adjacent {
    let at = hit.id.as_u64_pair().1 as usize;
    let text = |at: usize| index.get(at).map(|(hit, _)| hit.content.clone());
    let continues = |content: &String| content.starts_with(CONTINUED);
    let before = at.checked_sub(1).filter(|_| continues(&hit.content)).and_then(text);
    Adjacent { before, after: text(at + 1).filter(continues), ..Adjacent::default() }
}

/// Returns the milliseconds that the question's embedding, the answer and the closest units of an unsure reply took.
async fn ask(question: &str, index: &[Indexed], embedder: &LocalEmbedder) -> Result<[f32; 3], Box<dyn Error>> {
    let start = Instant::now();
    let vector = embedder.embed(vec![question.to_owned()], Purpose::Query).await?.remove(0);
    let embedding = start.elapsed();
    let wanted = terms(question);
    let known = |(hit, known): &Indexed| {
        let words = overlap(&wanted, &format!("{}\n{}", hit.heading, hit.content));
        Candidate { cosine: cosine(&vector, known), words, coverage: words, ..hit.clone() }
    };
    let mut all: Vec<_> = index.iter().map(known).collect();
    let texts = all.iter().map(|hit| embedding_text(&hit.heading, &hit.title, &hit.content)).collect();
    if let Some(alike) = embedder.likeness(question.to_owned(), texts).await? {
        all.iter_mut().zip(alike).for_each(|(hit, likeness)| hit.likeness = likeness);
    }
    let calibration = Calibration::of(embedder.model(), 0.45);
    let mut hits = retrieve::rank(&all, &[], &calibration);
    hits.truncate(6);
    println!("\n=== {question}  (best {:.2}: {} > {})", hits[0].cosine, hits[0].title, hits[0].heading);
    let start = Instant::now();
    let closest = extractive::closest(question, "en", &vector, &hits, embedder).await?;
    let comparing = start.elapsed();
    for unit in closest {
        println!("   closest: {} | {}", unit.source.heading, unit.text);
    }
    if calibration.confidence(&hits) == Confidence::None {
        hits.clear();
    }
    let start = Instant::now();
    let adjacent: Vec<Adjacent> = hits.iter().map(|hit| adjacent(hit, index)).collect();
    let answer = extractive::answer(question, "en", &vector, &hits, &adjacent, embedder).await?;
    let answering = start.elapsed();
    match answer {
        Some(answer) => {
            println!("{}", answer.text);
            for source in &answer.sources {
                let short = snippet(&source.content, question);
                println!("   {:.2} {} > {} | {short}", source.cosine, source.title, source.heading);
            }
        }
        None => println!("(no answer)"),
    }
    Ok([embedding, answering, comparing].map(|time| time.as_secs_f32() * 1000.0))
}
