//! `make bench`: compares the platform with the same work done without it, on a separate PostgreSQL. Contenders take
//! turns within one run, and the figures are medians with their spread. Nothing here asserts a time.
//!
//! `bench NAME` runs one part, `bench` every part; docs/benchmarks.md describes them. `bench --short` runs what works in
//! seconds with tiny sizes, also in a debug build, so that no benchmark breaks unnoticed. `bench bare`, `bench flood` and
//! `bench reads-flood` are internal: they run the bare contender of `tenants` and the floods of `fairness` and `reads`
//! in separate processes.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![allow(clippy::disallowed_methods, reason = "a benchmark passes its environment on to what it measures")]

mod answers;
mod audit;
mod audit_log;
mod audit_rows;
mod bare;
mod conversations;
mod database;
mod export;
mod fairness;
mod figures;
mod hub;
mod issuer;
mod knowledge;
mod load;
mod process;
mod questions;
mod reads;
mod row_security;
mod server;
mod sizing;
mod tenants;
mod traces;

use std::error::Error;

use tokio::signal::unix::{SignalKind, signal};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const PARTS: [&str; 14] = [
    "tenants",
    "audit",
    "conversations",
    "rows",
    "price",
    "export",
    "fairness",
    "reads",
    "hub",
    "answers",
    "questions",
    "sizing",
    "traces",
    "knowledge",
];

/// Parts without a short mode: in a debug build the embedding model takes minutes for what they ingest.
const NEED_MODEL: [&str; 6] = ["fairness", "hub", "answers", "questions", "sizing", "traces"];

fn main() -> Result<()> {
    let mut chosen: Vec<String> = std::env::args().skip(1).filter(|name| !name.is_empty()).collect();
    if chosen.first().is_some_and(|first| first == "--short") {
        chosen.remove(0);
        figures::shorten();
    }
    if chosen == ["bare"] {
        return tokio::runtime::Runtime::new()?.block_on(bare::serve());
    }
    if let Some(("flood", arguments)) = chosen.split_first().map(|(name, rest)| (name.as_str(), rest)) {
        return tokio::runtime::Runtime::new()?.block_on(fairness::flood(arguments));
    }
    if let Some(("reads-flood", arguments)) = chosen.split_first().map(|(name, rest)| (name.as_str(), rest)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        return runtime.block_on(reads::flood(arguments));
    }
    if let Some(unknown) = chosen.iter().find(|name| !PARTS.contains(&name.as_str())) {
        return Err(format!("there is no part {unknown}; the parts are {}", PARTS.join(", ")).into());
    }
    // One thread for the load, so that the contenders have the rest of the machine.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut stop = signal(SignalKind::terminate())?;
        tokio::select! {
            result = run(&chosen) => result,
            _ = tokio::signal::ctrl_c() => Err("stopped".into()),
            _ = stop.recv() => Err("stopped".into()),
        }
    })
}

async fn run(chosen: &[String]) -> Result<()> {
    for part in PARTS {
        // What a tenant's reads cost others belongs to what its questions cost them.
        let is_chosen = |name: &String| name == part || (part == "reads" && name == "fairness");
        if !chosen.is_empty() && !chosen.iter().any(is_chosen) {
            continue;
        }
        println!("\n== {part}");
        if figures::is_short() && NEED_MODEL.contains(&part) {
            println!("left out of the short mode: it needs an embedding model, which is slow in a debug build");
            continue;
        }
        match part {
            "tenants" => tenants::run().await?,
            "audit" => audit::run().await?,
            "conversations" => conversations::run().await?,
            "rows" => row_security::run().await?,
            "price" => audit_rows::run().await?,
            "export" => export::run().await?,
            "fairness" => fairness::run().await?,
            "reads" => reads::run().await?,
            "hub" => hub::run().await?,
            "answers" => answers::run().await?,
            "questions" => questions::run().await?,
            "sizing" => sizing::run().await?,
            "traces" => traces::run().await?,
            _ => knowledge::run().await?,
        }
    }
    Ok(())
}
