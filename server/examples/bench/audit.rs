//! `GET /api/v1/platform/audit` on a log of a million rows: the first page, and `json_search` for words that are rare,
//! common, missing, and shorter than a trigram. One request at a time: what a person at the console waits.

use crate::{
    Result,
    audit_log::{self, COMMON, MISSING, RARE},
    database::Database,
    figures::{setting, sized},
    issuer::Issuer,
    load,
    server::Server,
};

/// Measures the audit reader.
pub(crate) async fn run() -> Result<()> {
    let rows = sized(1_000_000, 2000);
    let database = Database::create("bench_audit").await?;
    audit_log::fill(&mut database.superuser().await?, rows, true).await?;
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
    println!("log of {rows} rows, one request at a time, {rounds} of each in turn");
    let targets = queries.map(|(name, query)| (name, server.target(&format!("/api/v1/platform/audit{query}"))));
    load::in_turn(&targets, rounds).await
}
