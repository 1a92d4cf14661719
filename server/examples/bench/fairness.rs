//! Measures the cost of a flood of questions to one chatbot for the visitors of another one: the same questions to a
//! quiet chatbot, alone and during the flood, with the fair queue and without its bounds, one after the other and with
//! pauses. The flood comes from a separate process with the lowest priority, so that sending it takes no processor time
//! from answering.

use std::{
    process::Stdio,
    time::{Duration, Instant},
};

use serde_json::json;
use tokio::process::{Child, Command};
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
/// Between two questions of the quiet chatbot's visitor who pauses: the flood has the platform to itself in between.
const PAUSE: Duration = Duration::from_millis(150);
const ORIGIN: &str = "https://shop.example.com";
const DOCUMENT: &str = "docs/answers.md";
const QUESTIONS: [&str; 4] = [
    "Which formats can be ingested?",
    "What happens when a model says that there is no answer?",
    "How are citations verified?",
    "How long are the passages of a document?",
];

/// A name, the server's settings, whether the buckets hold for the flood, and how long the quiet chatbot's visitor pauses.
type Contender<'a> = (&'a str, &'a [(&'static str, String)], bool, Duration);

/// A running platform with a chatbot that is flooded and a quiet one.
struct Bench {
    asking: Asking,
    server: Server,
    flooded: Uuid,
    quiet: Uuid,
}

/// A client that asks a platform.
struct Asking {
    client: reqwest::Client,
    address: String,
}

/// What a visitor went through.
#[derive(Default)]
struct Visit {
    times: Times,
    /// Questions that were refused (429 or 503), whose times count as well.
    refused: usize,
}

/// Measures a flood that is all refused, which is the floor; the platform as it is by default; and a queue that bounds nothing.
pub(crate) async fn run() -> Result<()> {
    let issuer = Issuer::serve().await?;
    let database = Database::create("bench_fairness").await?;
    let (flooded, quiet) = fill(&database).await?;
    let rounds = setting("BENCH_ROUNDS", 9);
    println!("questions to a quiet chatbot, alone and next to {FLOOD} visitors who flood another one, {rounds} rounds");
    let unbounded = [
        ("SVC_ANSWERS_MAX_CONCURRENT", "10000".to_owned()),
        ("SVC_ANSWERS_MAX_CONCURRENT_PER_CHATBOT", "10000".to_owned()),
    ];
    let refused =
        [("SVC_RATE_LIMIT_PUBLIC_PER_SECOND", "1".to_owned()), ("SVC_RATE_LIMIT_PUBLIC_BURST", "1".to_owned())];
    let contenders: [Contender<'_>; 6] = [
        ("refused at once", &refused, true, Duration::ZERO),
        ("queue and buckets", &[], true, Duration::ZERO),
        ("the same, pauses", &[], true, PAUSE),
        ("queue alone", &[], false, Duration::ZERO),
        ("the same, pauses", &[], false, PAUSE),
        ("neither", &unbounded, false, Duration::ZERO),
    ];
    for (name, variables, limited, pause) in contenders {
        let server = Server::start_with(&database, &issuer, variables).await?;
        let bench = Bench { asking: Asking::of(server.address()), server, flooded, quiet };
        bench.compare(name, limited, pause, rounds).await?;
    }
    Ok(())
}

/// `bench flood ADDRESS CHATBOT MILLIS BYPASSES`: the flood's own process.
pub(crate) async fn flood(arguments: &[String]) -> Result<()> {
    let [address, chatbot, millis, bypasses] = arguments else { return Err("flood: four arguments".into()) };
    let (asking, chatbot): (_, Uuid) = (Asking::of(address), chatbot.parse()?);
    let (period, bypasses) = (Duration::from_millis(millis.parse()?), bypasses.parse()?);
    let started = Instant::now();
    let visitors = (0..FLOOD).map(|_| asking.again_and_again(chatbot, started, period, bypasses));
    let answered: usize = futures::future::try_join_all(visitors).await?.into_iter().sum();
    println!("{answered}");
    Ok(())
}

impl Bench {
    async fn compare(&self, name: &str, limited: bool, pause: Duration, rounds: u64) -> Result<()> {
        let period = Duration::from_millis(setting("BENCH_MILLIS", 2500) * 2);
        self.visit(Duration::from_secs(2), pause).await?;
        let (mut alone, mut loaded, mut half, mut refused) = (Vec::new(), Vec::new(), Vec::new(), 0);
        let mut answered = Vec::new();
        for _ in 0..rounds {
            let quiet = self.visit(period, pause).await?.times;
            let flooding = period + Duration::from_secs(1);
            let flood = self.flood(flooding, limited)?;
            let Visit { times: flooded, refused: again } = self.visit_late(period, pause).await?;
            let output = flood.wait_with_output().await?;
            if !output.status.success() {
                return Err("the flood ended early".into());
            }
            let answers: u32 = String::from_utf8(output.stdout)?.trim().parse()?;
            answered.push(f64::from(answers) / flooding.as_secs_f64());
            refused += again;
            half.push(flooded.percentile(50) / quiet.percentile(50));
            alone.push(quiet.percentile(95));
            loaded.push(flooded.percentile(95));
        }
        let ratio = Rounds::ratio(&loaded, &alone).show(2);
        let (alone, loaded, half): (Rounds, Rounds, Rounds) =
            (alone.into_iter().collect(), loaded.into_iter().collect(), half.into_iter().collect());
        println!(
            "{name:<18} p95 alone {:>7.1} ms   loaded {:>7.1} ms   ratio {ratio}   p50 ratio {}   refused {refused}   \
             the flood {:>5.1} answers/s",
            alone.median(),
            loaded.median(),
            half.show(2),
            answered.into_iter().collect::<Rounds>().median()
        );
        Ok(())
    }

    /// Visits when the flood is up.
    async fn visit_late(&self, period: Duration, pause: Duration) -> Result<Visit> {
        tokio::time::sleep(Duration::from_millis(500)).await;
        self.visit(period, pause).await
    }

    /// One visitor of the quiet chatbot, for so long.
    async fn visit(&self, period: Duration, pause: Duration) -> Result<Visit> {
        let (started, mut visit) = (Instant::now(), Visit::default());
        for question in QUESTIONS.iter().cycle() {
            let asked = Instant::now();
            match self.asking.ask(self.quiet, question, true).await? {
                200 => {}
                429 | 503 => visit.refused += 1,
                status => return Err(format!("the quiet chatbot answered {status}").into()),
            }
            visit.times.push(asked.elapsed());
            if started.elapsed() >= period {
                break;
            }
            tokio::time::sleep(pause).await;
        }
        Ok(visit)
    }

    fn flood(&self, period: Duration, limited: bool) -> Result<Child> {
        let mut command = Command::new("nice");
        command.args(["-n", "19"]).arg(std::env::current_exe()?).arg("flood").arg(self.server.address());
        command.arg(self.flooded.to_string()).arg(period.as_millis().to_string()).arg((!limited).to_string());
        Ok(command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true).spawn()?)
    }
}

impl Asking {
    fn of(address: &str) -> Self {
        Self { client: reqwest::Client::new(), address: address.to_owned() }
    }

    /// One visitor of the flooded chatbot; refused ones come again at once. How many questions were answered.
    async fn again_and_again(
        &self,
        chatbot: Uuid,
        started: Instant,
        period: Duration,
        bypasses: bool,
    ) -> Result<usize> {
        let mut answered = 0;
        for question in QUESTIONS.iter().cycle() {
            answered += usize::from(self.ask(chatbot, question, bypasses).await? == 200);
            if started.elapsed() >= period {
                break;
            }
        }
        Ok(answered)
    }

    async fn ask(&self, chatbot: Uuid, question: &str, bypasses: bool) -> Result<u16> {
        let url = format!("http://{}/api/v1/widget/chatbots/{chatbot}/query", self.address);
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
