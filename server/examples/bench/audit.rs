//! `GET /api/v1/platform/audit` on a log of a million rows: the first page, and `json_search` for words that are rare,
//! common, missing, and shorter than a trigram. One request at a time: what a person at the console waits.

use std::time::Instant;

use crate::{
    Result,
    audit_log::{self, COMMON, MISSING, RARE},
    database::Database,
    figures::{Times, setting},
    issuer::Issuer,
    server::Server,
};

const ROWS: i64 = 1_000_000;

/// Measures the audit reader.
pub(crate) async fn run() -> Result<()> {
    let database = Database::create("bench_audit").await?;
    audit_log::fill(&mut database.superuser().await?, ROWS, true).await?;
    let issuer = Issuer::serve().await?;
    let server = Server::start(&database, &issuer).await?;
    let user = "actor_user=user-7";
    let queries = [
        ("first page of 50", String::new()),
        ("filter by user", format!("?{user}")),
        ("json_search, rare (5 rows)", format!("?json_search={}", RARE.to_lowercase())),
        ("json_search, common (100,000 rows)", format!("?json_search={}", COMMON.to_lowercase())),
        ("json_search, missing", format!("?json_search={MISSING}")),
        ("json_search, two letters, missing", "?json_search=zq".to_owned()),
        ("json_search, common, and a user", format!("?json_search={COMMON}&{user}")),
    ];
    let rounds = setting("BENCH_CALLS", 100);
    println!("log of {ROWS} rows, one request at a time, {rounds} of each in turn");
    let mut all = vec![Times::default(); queries.len()];
    for round in 0..=rounds {
        for ((_, query), times) in queries.iter().zip(&mut all) {
            let target = server.target(&format!("/api/v1/platform/audit{query}"));
            let begun = Instant::now();
            target.fetch().await?;
            if round > 0 {
                times.push(begun.elapsed());
            }
        }
    }
    for ((name, _), times) in queries.iter().zip(&all) {
        println!("{name:<36} p50 {:>8.2} ms   p95 {:>8.2} ms", times.percentile(50), times.percentile(95));
    }
    Ok(())
}
