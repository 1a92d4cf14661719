//! Measures the cost of a search of the knowledge hub: over many collections and over a large one, with another
//! tenant's collections in the same database, with several users who search every few seconds, with visitors who ask
//! meanwhile, and compared with other ways to search the same passages.

mod peers;
mod recall;
mod visitors;

use std::time::{Duration, Instant};

use sqlx::{AssertSqlSafe, Executor, PgConnection};
use url::form_urlencoded::byte_serialize;
use uuid::Uuid;

use crate::{
    Result,
    answers::{fill, ingestion},
    database::{self, Database},
    figures::{Times, setting},
    issuer::Issuer,
    load::Target,
    server::Server,
};

const QUERIES: [&str; 8] = [
    "formats that can be ingested",
    "how citations are verified",
    "length of passages",
    "too many questions wait",
    "follow-up question",
    "rules of the output filter",
    "retention of conversations",
    "connection pool of the database",
];
/// What the server says of each search.
const STEPS: [&str; 6] = ["facets", "embed", "words", "search", "read", "total"];
/// Between two searches of one person.
const EVERY: Duration = Duration::from_secs(3);

/// Measures and prints, for `BENCH_COLLECTIONS` collections (50) of `BENCH_PASSAGES` passages (2,000), and for one with
/// `BENCH_LARGEST` (100,000). Another tenant has `BENCH_OTHERS` collections (1,000).
pub(crate) async fn run() -> Result<()> {
    let many = (setting("BENCH_COLLECTIONS", 50), setting("BENCH_PASSAGES", 2000));
    for (collections, passages) in [many, (1, setting("BENCH_LARGEST", 100_000))] {
        if collections > 0 && passages > 0 {
            measure(collections, passages).await?;
        }
    }
    Ok(())
}

async fn measure(collections: u64, passages: u64) -> Result<()> {
    let database = Database::create("bench_hub").await?;
    let issuer = Issuer::serve().await?;
    let seeded = ingestion::run(&database).await?;
    for number in 0..collections {
        fill::named(&database, seeded, passages, &format!("hub-{number}"), number * passages).await?;
    }
    fill::others(&database, setting("BENCH_OTHERS", 1000)).await?;
    let mut superuser = database.superuser().await?;
    complete(&mut superuser).await?;
    let of = "select id from tenants where slug = 'one'";
    let tenant: Uuid = sqlx::query_scalar(of).fetch_one(&mut superuser).await?;
    let server = Server::start(&database, &issuer).await?;
    let hub = Hub { token: issuer.tenant_admin(tenant)?, server };
    let targets: Vec<Target> = QUERIES.iter().map(|query| hub.search(query, "")).collect();
    println!("\n{collections} collections with {passages} passages each");
    let rounds = setting("BENCH_ROUNDS", 20);
    one_after_the_other(&targets, rounds).await?;
    show("hub, three every three seconds", &several(&targets, 10).await?);
    visitors::compare(&hub, &mut superuser, &targets).await?;
    recall::of_indexes(&mut superuser).await?;
    peers::compare(&hub, &mut superuser, rounds.min(3)).await
}

/// The server, and who searches.
struct Hub {
    server: Server,
    token: String,
}

impl Hub {
    /// A search that is not noted.
    fn search(&self, words: &str, further: &str) -> Target {
        let words: String = byte_serialize(words.as_bytes()).collect();
        let path = format!("/api/v2/knowledge/search?record=false&q={words}{further}");
        self.server.target_with(&self.token, &path)
    }
}

/// What the filling leaves out: models, versions and counts.
async fn complete(superuser: &mut PgConnection) -> Result<()> {
    database::execute(
        superuser,
        "update chatbots c
         set embedding_model = 'all-minilm-l6-v2', embedding_dimensions = 384
         where slug like 'hub-%';
         update documents d
         set passage_count = (select count(*) from passages p where p.chatbot_id = d.chatbot_id and p.document_id = d.id)
         where d.title = 'Bench';
         insert into document_versions (id, tenant_id, chatbot_id, document_id, version, title, content_hash, passage_count)
         select gen_random_uuid(), tenant_id, chatbot_id, id, version, title, content_hash, passage_count
         from documents where title = 'Bench';
         insert into tenant_modules (tenant_id, module_id) select id, 'knowledge_hub' from tenants",
    )
    .await?;
    for table in ["passages", "documents", "document_versions"] {
        superuser.execute(AssertSqlSafe(format!("vacuum analyze {table}"))).await?;
    }
    Ok(())
}

/// So many rounds of all searches, one after the other, with what the server says of their steps.
async fn one_after_the_other(targets: &[Target], rounds: u64) -> Result<()> {
    let (mut times, mut steps) = (Times::default(), STEPS.map(|step| (step, Times::default())));
    for round in 0..=rounds {
        for target in targets {
            let started = Instant::now();
            let body = target.fetch().await?;
            let took = started.elapsed();
            let found: serde_json::Value = serde_json::from_slice(&body)?;
            if found["total"] == 0 {
                return Err(format!("{} found nothing", target.path).into());
            }
            if round > 0 {
                times.push(took);
                for (step, times) in &mut steps {
                    times.push(Duration::from_millis(found["took_ms"][*step].as_u64().unwrap_or_default()));
                }
            }
        }
    }
    show("hub, one searcher", &times);
    for (step, times) in &steps {
        show(&format!("  {step}"), times);
    }
    Ok(())
}

/// Three people, each with so many searches, one every three seconds.
async fn several(targets: &[Target], searches: usize) -> Result<Times> {
    let searcher = |first: usize| async move {
        let mut times = Times::default();
        tokio::time::sleep(EVERY / 3 * u32::try_from(first).unwrap_or_default()).await;
        for number in 0..searches {
            let started = Instant::now();
            targets[(first + number) % targets.len()].fetch().await?;
            times.push(started.elapsed());
            tokio::time::sleep(EVERY.saturating_sub(started.elapsed())).await;
        }
        Ok::<_, Box<dyn std::error::Error>>(times)
    };
    let (one, two, three) = tokio::join!(searcher(0), searcher(1), searcher(2));
    let mut times = one?;
    times.extend(two?);
    times.extend(three?);
    Ok(times)
}

fn show(name: &str, times: &Times) {
    println!("{name:<36} p50 {:>8.1} ms   p95 {:>8.1} ms", times.percentile(50), times.percentile(95));
}
