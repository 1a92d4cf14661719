//! Measures the time until a chatbot has knowledge: a website, a second visit to one, a large upload compared with the
//! command line, a visitor while others upload, a small document behind large ones of another tenant, and workers that are
//! killed again and again.

mod files;
mod german;
mod kills;
mod site;
mod sync;
mod upload;
mod visitors;
mod website;
mod workers;
mod world;

use crate::{Result, figures::is_short};

const PARTS: [&str; 6] = ["website", "sync", "upload", "visitors", "workers", "kills"];
/// The parts with a short mode: in a debug build the embedding model takes minutes for what the others ingest.
const SHORT_PARTS: [&str; 1] = ["workers"];

/// Measures and prints all of it, or what `BENCH_ONLY` names, separated by commas.
pub(crate) async fn run() -> Result<()> {
    let only = std::env::var("BENCH_ONLY").unwrap_or_default();
    let chosen: Vec<&str> = only.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    if let Some(unknown) = chosen.iter().find(|name| !PARTS.contains(*name)) {
        return Err(format!("BENCH_ONLY names {unknown}; knowledge has {}", PARTS.join(", ")).into());
    }
    for part in PARTS {
        if !chosen.is_empty() && !chosen.contains(&part) {
            continue;
        }
        println!("\n{part}");
        if is_short() && !SHORT_PARTS.contains(&part) {
            println!("left out of the short mode");
            continue;
        }
        match part {
            "website" => website::run().await?,
            "sync" => sync::run().await?,
            "upload" => upload::run().await?,
            "visitors" => visitors::run().await?,
            "workers" => workers::run().await?,
            _ => kills::run().await?,
        }
    }
    Ok(())
}
