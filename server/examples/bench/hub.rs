//! What a search of the knowledge hub costs: over many collections, with other collections beside them, with several people who search
//! every few seconds, and beside the database's full text alone on the same passages.

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

/// Measures and prints. `BENCH_COLLECTIONS` collections (50) have `BENCH_PASSAGES` passages (2,000) each, beside `BENCH_OTHERS` (950)
/// others.
pub(crate) async fn run() -> Result<()> {
    let (collections, passages) = (setting("BENCH_COLLECTIONS", 50), setting("BENCH_PASSAGES", 2000));
    let database = Database::create("bench_hub").await?;
    let issuer = Issuer::serve().await?;
    let seeded = ingestion::run(&database).await?;
    for number in 0..collections {
        fill::named(&database, seeded, passages, &format!("hub-{number}")).await?;
    }
    fill::others(&database, setting("BENCH_OTHERS", 950)).await?;
    let mut superuser = database.superuser().await?;
    complete(&mut superuser).await?;
    let tenant: Uuid = sqlx::query_scalar("select id from tenants").fetch_one(&mut superuser).await?;
    let server = Server::start(&database, &issuer).await?;
    let token = issuer.tenant_admin(tenant)?;
    let target = |query: &str| {
        let query: String = byte_serialize(query.as_bytes()).collect();
        server.target_with(&token, &format!("/api/v2/knowledge/search?record=false&q={query}"))
    };
    let targets: Vec<Target> = QUERIES.iter().map(|query| target(query)).collect();
    println!("{collections} collections with {passages} passages each; the steps are those of the last search");
    let rounds = setting("BENCH_ROUNDS", 20);
    one_after_the_other("hub, one searcher", &targets, rounds).await?;
    several(&targets).await?;
    full_text(&mut superuser, rounds).await
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

/// So many searches, one after the other.
async fn one_after_the_other(name: &str, targets: &[Target], rounds: u64) -> Result<()> {
    let (mut times, mut last) = (Times::default(), String::new());
    for round in 0..=rounds {
        for target in targets {
            let begun = Instant::now();
            let body = target.fetch().await?;
            if round > 0 {
                times.push(begun.elapsed());
            }
            let found: serde_json::Value = serde_json::from_slice(&body)?;
            if found["total"] == 0 {
                return Err(format!("{} found nothing", target.path).into());
            }
            last = found["took_ms"].to_string();
        }
    }
    show(name, &times);
    println!("  {last}");
    Ok(())
}

/// Three people, each with a search every three seconds, for half a minute.
async fn several(targets: &[Target]) -> Result<()> {
    const EVERY: Duration = Duration::from_secs(3);
    let searcher = |first: usize| async move {
        let mut times = Times::default();
        tokio::time::sleep(EVERY / 3 * u32::try_from(first).unwrap_or_default()).await;
        for number in 0..10 {
            let begun = Instant::now();
            targets[(first + number) % targets.len()].fetch().await?;
            times.push(begun.elapsed());
            tokio::time::sleep(EVERY.saturating_sub(begun.elapsed())).await;
        }
        Ok::<_, Box<dyn std::error::Error>>(times)
    };
    let (one, two, three) = tokio::join!(searcher(0), searcher(1), searcher(2));
    let mut times = one?;
    times.extend(two?);
    times.extend(three?);
    show("hub, three every three seconds", &times);
    Ok(())
}

/// The best twenty passages by the database's own rank, of the same collections.
async fn full_text(superuser: &mut PgConnection, rounds: u64) -> Result<()> {
    let chatbots: Vec<Uuid> =
        sqlx::query_scalar("select id from chatbots where slug like 'hub-%'").fetch_all(&mut *superuser).await?;
    let chatbots: Vec<String> = chatbots.iter().map(|id| format!("'{id}'")).collect();
    let sql = format!(
        "select p.id, ts_rank(keywords, query) from passages p, plainto_tsquery('english', $1) query
         where chatbot_id in ({}) and keywords @@ query order by 2 desc limit 20",
        chatbots.join(",")
    );
    superuser.execute("set jit = off; set max_parallel_workers_per_gather = 0").await?;
    let mut times = Times::default();
    for round in 0..=rounds {
        for query in QUERIES {
            let begun = Instant::now();
            sqlx::query(AssertSqlSafe(sql.clone())).persistent(false).bind(query).fetch_all(&mut *superuser).await?;
            if round > 0 {
                times.push(begun.elapsed());
            }
        }
    }
    show("full text alone, all words", &times);
    Ok(())
}

fn show(name: &str, times: &Times) {
    println!("{name:<36} p50 {:>8.1} ms   p95 {:>8.1} ms", times.percentile(50), times.percentile(95));
}
