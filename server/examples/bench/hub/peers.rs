//! The same passages searched by the hub, by the database's full text alone and by Tantivy: how long a search for six words of a passage
//! takes, and how often that passage is among the first ten.

use std::{fs::File, io::Write, path::Path, time::Instant};

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor, PgConnection};
use tokio::process::Command;
use uuid::Uuid;

use super::{Hub, show};
use crate::{Result, figures::Times, tenants::install_peer};

const PEER: &str = "bench/tantivy";
const VENV: &str = "var/bench/tantivy";
/// Passages that are looked for.
const SOUGHT: i64 = 100;
/// Results in which a passage counts as found.
const FIRST: usize = 10;
/// The first of a passage's words that are looked for, and how many.
const WORDS: (usize, usize) = (30, 6);

struct Sought {
    id: Uuid,
    words: String,
}

pub(super) async fn compare(hub: &Hub, superuser: &mut PgConnection, rounds: u64) -> Result<()> {
    let sought = sought(superuser).await?;
    println!("{} passages are sought by six of their words", sought.len());
    by_hub(hub, &sought, rounds).await?;
    by_full_text(superuser, &sought, rounds).await?;
    by_tantivy(superuser, &sought, rounds).await
}

/// Passages in any order that is no order of the tables.
async fn sought(superuser: &mut PgConnection) -> Result<Vec<Sought>> {
    let rows: Vec<(Uuid, String)> = sqlx::query_as(
        "select p.id, p.content from passages p join chatbots c on c.id = p.chatbot_id
         where c.slug like 'hub-%' order by md5(p.content) limit $1",
    )
    .persistent(false)
    .bind(SOUGHT)
    .fetch_all(superuser)
    .await?;
    let only_words = |text: &str| -> String {
        text.chars().map(|mark| if mark.is_alphanumeric() { mark } else { ' ' }).collect::<String>()
    };
    let sought = rows.into_iter().map(|(id, content)| {
        let plain = only_words(&content);
        let words: Vec<&str> = plain.split_whitespace().filter(|word| word.len() > 2).collect();
        Sought { id, words: words.into_iter().skip(WORDS.0).take(WORDS.1).collect::<Vec<_>>().join(" ") }
    });
    Ok(sought.filter(|sought| !sought.words.is_empty()).collect())
}

async fn by_hub(hub: &Hub, sought: &[Sought], rounds: u64) -> Result<()> {
    let (mut times, mut found) = (Times::default(), 0);
    for round in 0..=rounds {
        for of in sought {
            let target = hub.search(&of.words, &format!("&limit={FIRST}"));
            let begun = Instant::now();
            let body = target.fetch().await?;
            if round > 0 {
                times.push(begun.elapsed());
                continue;
            }
            let answer: Value = serde_json::from_slice(&body)?;
            let hits = answer["results"].as_array().into_iter().flatten();
            found += usize::from(hits.into_iter().any(|hit| hit["passage_id"] == json!(of.id)));
        }
    }
    tell("hub", found, sought.len(), &times);
    Ok(())
}

/// The best passages by the database's own rank that have all words.
async fn by_full_text(superuser: &mut PgConnection, sought: &[Sought], rounds: u64) -> Result<()> {
    let chatbots: Vec<Uuid> =
        sqlx::query_scalar("select id from chatbots where slug like 'hub-%'").fetch_all(&mut *superuser).await?;
    let chatbots: Vec<String> = chatbots.iter().map(|id| format!("'{id}'")).collect();
    let sql = format!(
        "select p.id from passages p, plainto_tsquery('english', $1) query
         where chatbot_id in ({}) and keywords @@ query order by ts_rank(keywords, query) desc limit {FIRST}",
        chatbots.join(",")
    );
    superuser.execute("set jit = off; set max_parallel_workers_per_gather = 0").await?;
    let (mut times, mut found) = (Times::default(), 0);
    for round in 0..=rounds {
        for of in sought {
            let begun = Instant::now();
            let query = sqlx::query_scalar(AssertSqlSafe(sql.clone())).persistent(false).bind(&of.words);
            let ids: Vec<Uuid> = query.fetch_all(&mut *superuser).await?;
            if round > 0 {
                times.push(begun.elapsed());
            } else {
                found += usize::from(ids.contains(&of.id));
            }
        }
    }
    tell("full text of PostgreSQL, all words", found, sought.len(), &times);
    Ok(())
}

async fn by_tantivy(superuser: &mut PgConnection, sought: &[Sought], rounds: u64) -> Result<()> {
    install_peer(PEER, VENV).await?;
    let (passages, queries) = (Path::new(VENV).join("passages.jsonl"), Path::new(VENV).join("queries.jsonl"));
    let all: Vec<(Uuid, String)> = sqlx::query_as(
        "select p.id, p.heading || E'\n' || p.content from passages p join chatbots c on c.id = p.chatbot_id
         where c.slug like 'hub-%'",
    )
    .persistent(false)
    .fetch_all(superuser)
    .await?;
    write(&passages, all.iter().map(|(id, body)| json!({ "id": id, "body": body })))?;
    write(&queries, sought.iter().map(|of| json!({ "id": of.id, "words": of.words })))?;
    let mut peer = Command::new(Path::new(VENV).join("bin/python"));
    peer.arg(Path::new(PEER).join("peer.py")).args([&passages, &queries]).arg(rounds.to_string());
    let output = peer.output().await?;
    if !output.status.success() {
        return Err(format!("the peer failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let told: Value = serde_json::from_slice(&output.stdout)?;
    let mut times = Times::default();
    for micros in told["micros"].as_array().into_iter().flatten().filter_map(Value::as_u64) {
        times.push(std::time::Duration::from_micros(micros));
    }
    let found = usize::try_from(told["found"].as_u64().unwrap_or_default())?;
    tell("Tantivy, any word (BM25)", found, sought.len(), &times);
    println!("  its index was built in {} s", told["built_seconds"]);
    Ok(())
}

fn write(path: &Path, rows: impl Iterator<Item = Value>) -> Result<()> {
    let mut file = std::io::BufWriter::new(File::create(path)?);
    for row in rows {
        writeln!(file, "{row}")?;
    }
    Ok(file.flush()?)
}

fn tell(name: &str, found: usize, of: usize, times: &Times) {
    show(name, times);
    println!("  recall@{FIRST} {found} of {of}");
}
