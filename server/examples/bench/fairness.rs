//! What a flood of questions to one chatbot costs the visitors of another one: the same questions to a quiet chatbot, alone
//! and beside the flood, with the fair queue and without its bounds.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::process::Command;
use uuid::Uuid;

use crate::{
    Result,
    database::{self, Database},
    figures::{Rounds, Times, setting},
    issuer::Issuer,
    server::{BYPASS, Server, binary},
};

/// Visitors of the flooded chatbot who ask again as soon as they are answered.
const FLOOD: usize = 32;
const ORIGIN: &str = "https://shop.example.com";
const DOCUMENT: &str = "docs/answers.md";
const QUESTIONS: [&str; 4] = [
    "Which formats can be ingested?",
    "What happens when a model says that there is no answer?",
    "How are citations verified?",
    "How long are the passages of a document?",
];

/// A name, the server's settings, and whether the buckets hold for the flood.
type Contender<'a> = (&'a str, &'a [(&'static str, String)], bool);

/// A running platform with a chatbot that is flooded and a quiet one.
struct Bench {
    client: reqwest::Client,
    server: Server,
    flooded: Uuid,
    quiet: Uuid,
}

/// Measures the platform as it is by default, and with a queue that bounds nothing.
pub(crate) async fn run() -> Result<()> {
    let issuer = Issuer::serve().await?;
    let database = Database::create("bench_fairness").await?;
    let (flooded, quiet) = fill(&database).await?;
    let rounds = setting("BENCH_ROUNDS", 9);
    println!("questions to a quiet chatbot, alone and beside {FLOOD} visitors who flood another one, {rounds} rounds");
    let unbounded =
        [("SVC_ANSWERS_AT_ONCE", "10000".to_owned()), ("SVC_ANSWERS_AT_ONCE_PER_CHATBOT", "10000".to_owned())];
    let contenders: [Contender<'_>; 3] =
        [("queue and buckets", &[], true), ("queue alone", &[], false), ("neither", &unbounded, false)];
    for (name, variables, limited) in contenders {
        let server = Server::start_with(&database, &issuer, variables).await?;
        let bench = Bench { client: reqwest::Client::new(), server, flooded, quiet };
        bench.compare(name, limited, rounds).await?;
    }
    Ok(())
}

impl Bench {
    async fn compare(&self, name: &str, limited: bool, rounds: u64) -> Result<()> {
        let period = Duration::from_millis(setting("BENCH_MILLIS", 2500) * 2);
        self.visit(Duration::from_secs(2)).await?;
        let (mut alone, mut beside, mut half) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            let quiet = self.visit(period).await?;
            let begun = Instant::now();
            let flood = (0..FLOOD).map(|_| self.flood(begun, period + Duration::from_secs(1), limited));
            let (flooded, _) = tokio::join!(self.visit_late(period), futures::future::join_all(flood));
            let flooded = flooded?;
            half.push(flooded.percentile(50) / quiet.percentile(50));
            alone.push(quiet.percentile(95));
            beside.push(flooded.percentile(95));
        }
        let ratio = Rounds::ratio(&beside, &alone).show(2);
        let (alone, beside, half): (Rounds, Rounds, Rounds) =
            (alone.into_iter().collect(), beside.into_iter().collect(), half.into_iter().collect());
        println!(
            "{name:<18} p95 alone {:>7.1} ms   beside {:>7.1} ms   ratio {ratio}   p50 ratio {}",
            alone.median(),
            beside.median(),
            half.show(2)
        );
        Ok(())
    }

    /// Visits when the flood is up.
    async fn visit_late(&self, period: Duration) -> Result<Times> {
        tokio::time::sleep(Duration::from_millis(500)).await;
        self.visit(period).await
    }

    /// One visitor of the quiet chatbot, for so long.
    async fn visit(&self, period: Duration) -> Result<Times> {
        let (begun, mut times) = (Instant::now(), Times::default());
        for question in QUESTIONS.iter().cycle() {
            let asked = Instant::now();
            let status = self.ask(self.quiet, question, true).await?;
            if status != 200 {
                return Err(format!("the quiet chatbot answered {status}").into());
            }
            times.push(asked.elapsed());
            if begun.elapsed() >= period {
                break;
            }
        }
        Ok(times)
    }

    /// One visitor of the flooded chatbot; refused ones come again at once.
    async fn flood(&self, begun: Instant, period: Duration, limited: bool) -> Result<()> {
        for question in QUESTIONS.iter().cycle() {
            self.ask(self.flooded, question, !limited).await?;
            if begun.elapsed() >= period {
                break;
            }
        }
        Ok(())
    }

    async fn ask(&self, chatbot: Uuid, question: &str, bypasses: bool) -> Result<u16> {
        let url = format!("http://{}/api/v1/widget/chatbots/{chatbot}/query", self.server.address());
        let body = json!({ "session_id": null, "question": question });
        let mut request = self.client.post(url).header("origin", ORIGIN).json(&body);
        if bypasses {
            request = request.header("x-loadtest-bypass", BYPASS);
        }
        let answer = request.send().await?;
        let status = answer.status().as_u16();
        answer.bytes().await?;
        Ok(status)
    }
}

/// Two tenants with a chatbot and the same document each; the flooded one first.
async fn fill(database: &Database) -> Result<(Uuid, Uuid)> {
    let mut superuser = database.superuser().await?;
    database::execute(
        &mut superuser,
        "insert into tenants (id, slug, display_name, default_language)
             select gen_random_uuid(), slug, slug, 'en' from unnest(array['flooded', 'quiet']) slug;
         insert into tenant_branding (tenant_id, allowed_origins)
             select id, array['https://shop.example.com'] from tenants;
         insert into chatbots (id, tenant_id, slug, name, language, vector_collection)
             select gen_random_uuid(), id, slug, 'Help', 'en', 'passages' from tenants",
    )
    .await?;
    let mut chatbots = Vec::new();
    for slug in ["flooded", "quiet"] {
        let id: Uuid =
            sqlx::query_scalar("select id from chatbots where slug = $1").bind(slug).fetch_one(&mut superuser).await?;
        let mut ingest = Command::new(binary()?);
        ingest.args(["ingest", "--chatbot", &id.to_string(), DOCUMENT]).env("SVC_DATABASE_URL", database.login_url()?);
        let output = ingest.output().await?;
        if !output.status.success() {
            return Err(format!("ingesting {DOCUMENT}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        chatbots.push(id);
    }
    Ok((chatbots[0], chatbots[1]))
}
