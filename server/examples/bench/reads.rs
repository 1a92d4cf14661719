//! Measures the cost of one tenant's most expensive reads for another one: the widget's configuration and the list of
//! conversations of a quiet tenant, alone and with 500 callers of a loud one, whose reads are the most expensive ones
//! of the API. Every second caller disconnects before the response and comes back. The callers are a separate process
//! with the lowest priority.

mod callers;
mod fill;

use std::{
    process::Stdio,
    time::{Duration, Instant},
};

use tokio::process::{Child, Command};

pub(crate) use self::callers::flood;
use crate::{
    Result,
    database::Database,
    figures::{Rounds, Times, setting, sized},
    issuer::Issuer,
    server::{BYPASS, Server},
};

const ORIGIN: &str = "https://shop.example.com";
/// Between two calls of the quiet tenant.
const PAUSE: Duration = Duration::from_millis(20);
/// How often the quiet tenant may be slower at p95, or by how many milliseconds if that is more.
const BAR: (f64, f64) = (1.5, 10.0);

/// What the quiet tenant went through.
#[derive(Default)]
struct Visit {
    widget: Times,
    list: Times,
    /// Answers with 429, with 503, and with another status than 200.
    refused: [u32; 3],
}

/// A running platform and how it is called.
struct Bench {
    server: Server,
    client: reqwest::Client,
    tenants: fill::Tenants,
    quiet: String,
    loud: String,
}

/// Measures the callers of many users of the loud tenant, who pass the buckets, and of one user.
pub(crate) async fn run() -> Result<()> {
    let database = Database::create("bench_reads").await?;
    let tenants = fill::fill(&database).await?;
    let issuer = Issuer::serve().await?;
    let rounds = setting("BENCH_ROUNDS", 9);
    println!(
        "a quiet tenant alone and next to 500 callers of a loud one with {} messages, {rounds} rounds",
        fill::messages()
    );
    for (name, bypasses) in [("many users", true), ("one user", false)] {
        let server = Server::start(&database, &issuer).await?;
        let (quiet, loud) = (issuer.tenant_admin(tenants.quiet.0)?, issuer.tenant_admin(tenants.loud.0)?);
        let bench = Bench { server, client: reqwest::Client::new(), tenants, quiet, loud };
        bench.compare(name, bypasses, rounds).await?;
    }
    Ok(())
}

impl Bench {
    async fn compare(&self, name: &str, bypasses: bool, rounds: u64) -> Result<()> {
        let period = Duration::from_millis(setting("BENCH_MILLIS", 2500) * 2);
        self.visit(Duration::from_millis(sized(2000, 100))).await?;
        let (mut widget, mut list) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
        let (mut refused, mut loud) = ([0; 3], callers::Counts::default());
        for _ in 0..rounds {
            let alone = self.visit(period).await?;
            let flood = self.flood(period + Duration::from_secs(1), bypasses)?;
            tokio::time::sleep(Duration::from_millis(700)).await;
            let loaded = self.visit(period).await?;
            let output = flood.wait_with_output().await?;
            if !output.status.success() {
                return Err("the callers ended early".into());
            }
            loud.add(serde_json::from_slice(&output.stdout)?);
            for (all, new) in refused.iter_mut().zip(loaded.refused) {
                *all += new;
            }
            widget.0.push(alone.widget.percentile(95));
            widget.1.push(loaded.widget.percentile(95));
            list.0.push(alone.list.percentile(95));
            list.1.push(loaded.list.percentile(95));
        }
        show(&format!("{name}, widget"), &widget.0, &widget.1);
        show(&format!("{name}, list"), &list.0, &list.1);
        let [too_many, unavailable, other] = refused;
        println!("  quiet tenant: 429 {too_many}, 503 {unavailable}, other {other}; loud tenant: {loud}");
        Ok(())
    }

    /// One caller of the quiet tenant, for so long.
    async fn visit(&self, period: Duration) -> Result<Visit> {
        let (started, mut visit) = (Instant::now(), Visit::default());
        let (address, chatbot) = (self.server.address(), self.tenants.quiet.1);
        let widget = format!("http://{address}/api/v1/widget/config/{chatbot}");
        let list = format!("http://{address}/api/v1/tenants/me/conversations");
        while started.elapsed() < period {
            let asked = Instant::now();
            let answer = self.client.get(&widget).header("origin", ORIGIN).header("x-loadtest-bypass", BYPASS).send();
            visit.count(answer.await?).await?;
            visit.widget.push(asked.elapsed());
            tokio::time::sleep(PAUSE).await;
            let asked = Instant::now();
            let answer = self.client.get(&list).bearer_auth(&self.quiet).header("x-loadtest-bypass", BYPASS).send();
            visit.count(answer.await?).await?;
            visit.list.push(asked.elapsed());
            tokio::time::sleep(PAUSE).await;
        }
        Ok(visit)
    }

    /// Starts the callers of the loud tenant.
    fn flood(&self, period: Duration, bypasses: bool) -> Result<Child> {
        let mut command = Command::new("nice");
        command.args(["-n", "19"]).arg(std::env::current_exe()?).arg("reads-flood").arg(self.server.address());
        command.arg(&self.loud).arg(self.tenants.loud.1.to_string());
        command.arg(period.as_millis().to_string()).arg(bypasses.to_string());
        Ok(command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true).spawn()?)
    }
}

impl Visit {
    async fn count(&mut self, answer: reqwest::Response) -> Result<()> {
        match answer.status().as_u16() {
            200 => {}
            429 => self.refused[0] += 1,
            503 => self.refused[1] += 1,
            _ => self.refused[2] += 1,
        }
        answer.bytes().await?;
        Ok(())
    }
}

/// Prints p95 alone and with the callers, their ratio, and whether the medians are within the limit.
fn show(name: &str, alone: &[f64], loaded: &[f64]) {
    let ratio = Rounds::ratio(loaded, alone).show(2);
    let median = |values: &[f64]| values.iter().copied().collect::<Rounds>().median();
    let (alone, loaded) = (median(alone), median(loaded));
    let most = (alone * BAR.0).max(alone + BAR.1);
    let verdict = if loaded <= most { "within" } else { "beyond" };
    println!("{name:<20} p95 alone {alone:>7.1} ms   loaded {loaded:>7.1} ms   ratio {ratio}   {verdict} {most:.1} ms");
}
