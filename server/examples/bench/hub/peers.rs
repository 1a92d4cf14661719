//! The same passages searched by the hub, by the database's full text alone and by Tantivy: how long a search for six words of a passage
//! takes, and how many of the first ten results have these words in their order. Many passages have them, since texts overlap.

use std::{
    collections::HashMap,
    fs::File,
    io::Write,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor, PgConnection};
use tokio::process::Command;
use uuid::Uuid;

use super::{Hub, show};
use crate::{Result, figures::Times, tenants::install_peer};

const PEER: &str = "bench/tantivy";
const VENV: &str = "var/bench/tantivy";
/// The number of searches.
const SOUGHT: usize = 100;
/// Results that are looked at.
const FIRST: usize = 10;
/// The first of a passage's words that are looked for, and how many.
const WORDS: (usize, usize) = (30, 6);

/// All passages by their words, and the words that are sought.
struct Passages {
    words: HashMap<Uuid, String>,
    sought: Vec<String>,
}

pub(super) async fn compare(hub: &Hub, superuser: &mut PgConnection, rounds: u64) -> Result<()> {
    let passages = Passages::read(superuser).await?;
    println!("{} searches for six words that are together in a passage", passages.sought.len());
    by_hub(hub, &passages, rounds).await?;
    by_full_text(superuser, &passages, rounds).await?;
    by_tantivy(&passages, rounds).await
}

impl Passages {
    async fn read(superuser: &mut PgConnection) -> Result<Self> {
        let rows: Vec<(Uuid, String)> = sqlx::query_as(
            "select p.id, p.content from passages p join chatbots c on c.id = p.chatbot_id
             where c.slug like 'hub-%' order by md5(p.content)",
        )
        .persistent(false)
        .fetch_all(superuser)
        .await?;
        let plain = |text: &str| -> Vec<String> {
            let only: String = text.chars().map(|mark| if mark.is_alphanumeric() { mark } else { ' ' }).collect();
            only.split_whitespace().filter(|word| word.len() > 2).map(str::to_owned).collect()
        };
        let words: Vec<(Uuid, Vec<String>)> = rows.into_iter().map(|(id, text)| (id, plain(&text))).collect();
        let long = words.iter().filter_map(|(_, words)| words.get(WORDS.0..WORDS.0 + WORDS.1));
        let sought = long.take(SOUGHT).map(|words| words.join(" ")).collect();
        Ok(Self { words: words.into_iter().map(|(id, words)| (id, words.join(" "))).collect(), sought })
    }

    /// How many of these have the words.
    fn having(&self, words: &str, ids: &[Uuid]) -> usize {
        ids.iter().filter(|id| self.words.get(*id).is_some_and(|text| text.contains(words))).count()
    }

    fn tell(&self, name: &str, having: usize, times: &Times) {
        show(name, times);
        println!("  {having} of the first {} have the words", FIRST * self.sought.len());
    }
}

async fn by_hub(hub: &Hub, passages: &Passages, rounds: u64) -> Result<()> {
    let (mut times, mut having) = (Times::default(), 0);
    for round in 0..=rounds {
        for words in &passages.sought {
            let target = hub.search(words, &format!("&limit={FIRST}"));
            let started = Instant::now();
            let body = target.fetch().await?;
            if round > 0 {
                times.push(started.elapsed());
                continue;
            }
            let answer: Value = serde_json::from_slice(&body)?;
            let hits = answer["results"].as_array().into_iter().flatten();
            let ids: Vec<Uuid> = hits.filter_map(|hit| hit["passage_id"].as_str()?.parse().ok()).collect();
            having += passages.having(words, &ids);
        }
    }
    passages.tell("hub", having, &times);
    Ok(())
}

/// The best passages by the database's own rank that have all words.
async fn by_full_text(superuser: &mut PgConnection, passages: &Passages, rounds: u64) -> Result<()> {
    let chatbots: Vec<Uuid> =
        sqlx::query_scalar("select id from chatbots where slug like 'hub-%'").fetch_all(&mut *superuser).await?;
    let chatbots: Vec<String> = chatbots.iter().map(|id| format!("'{id}'")).collect();
    let sql = format!(
        "select p.id from passages p, plainto_tsquery('english', $1) query
         where chatbot_id in ({}) and keywords @@ query order by ts_rank(keywords, query) desc limit {FIRST}",
        chatbots.join(",")
    );
    superuser.execute("set jit = off; set max_parallel_workers_per_gather = 0").await?;
    let (mut times, mut having) = (Times::default(), 0);
    for round in 0..=rounds {
        for words in &passages.sought {
            let started = Instant::now();
            let query = sqlx::query_scalar(AssertSqlSafe(sql.clone())).persistent(false).bind(words);
            let ids: Vec<Uuid> = query.fetch_all(&mut *superuser).await?;
            if round > 0 {
                times.push(started.elapsed());
            } else {
                having += passages.having(words, &ids);
            }
        }
    }
    passages.tell("full text of PostgreSQL, all words", having, &times);
    Ok(())
}

async fn by_tantivy(passages: &Passages, rounds: u64) -> Result<()> {
    install_peer(PEER, VENV).await?;
    let (bodies, queries) = (Path::new(VENV).join("passages.jsonl"), Path::new(VENV).join("queries.jsonl"));
    write(&bodies, passages.words.iter().map(|(id, body)| json!({ "id": id, "body": body })))?;
    write(&queries, passages.sought.iter().map(|words| json!({ "words": words })))?;
    let mut peer = Command::new(Path::new(VENV).join("bin/python"));
    peer.arg(Path::new(PEER).join("peer.py")).args([&bodies, &queries]).arg(rounds.to_string());
    let output = peer.output().await?;
    if !output.status.success() {
        return Err(format!("the peer failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let printed: PeerOutput = serde_json::from_slice(&output.stdout)?;
    let mut times = Times::default();
    for micros in printed.micros {
        times.push(Duration::from_micros(micros));
    }
    let having = passages.sought.iter().zip(&printed.ids).map(|(words, ids)| passages.having(words, ids)).sum();
    passages.tell("Tantivy, any word (BM25)", having, &times);
    println!("  its index was built in {} s", printed.built_seconds);
    Ok(())
}

/// What the peer prints.
#[derive(serde::Deserialize)]
struct PeerOutput {
    built_seconds: f64,
    micros: Vec<u64>,
    ids: Vec<Vec<Uuid>>,
}

fn write(path: &Path, rows: impl Iterator<Item = Value>) -> Result<()> {
    let mut file = std::io::BufWriter::new(File::create(path)?);
    for row in rows {
        writeln!(file, "{row}")?;
    }
    Ok(file.flush()?)
}
