//! The callers of the loud tenant, in a separate process.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr},
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{Result, server::BYPASS};

const CALLERS: usize = 500;
/// Callers of one address of the machine; more connections than the platform takes from one address are refused.
const OF_ONE_ADDRESS: usize = 100;
/// What a caller waits before the next call, in milliseconds, when it was refused.
const AFTER_A_REFUSAL: Duration = Duration::from_millis(250);

/// How the calls ended.
#[derive(Debug, Default, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Counts {
    answered: u32,
    too_many: u32,
    unavailable: u32,
    other: u32,
    hung_up: u32,
    failed: u32,
}

impl Counts {
    pub(super) fn add(&mut self, other: Self) {
        self.answered += other.answered;
        self.too_many += other.too_many;
        self.unavailable += other.unavailable;
        self.other += other.other;
        self.hung_up += other.hung_up;
        self.failed += other.failed;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { answered, too_many, unavailable, other, hung_up, failed } = self;
        write!(
            f,
            "200 {answered}, 429 {too_many}, 503 {unavailable}, other {other}, hung up {hung_up}, no connection {failed}"
        )
    }
}

struct Caller {
    number: usize,
    client: reqwest::Client,
    address: String,
    token: String,
    chatbot: String,
    bypasses: bool,
    until: Instant,
}

/// `bench reads-flood ADDRESS TOKEN CHATBOT MILLIS BYPASSES`: prints the counts as JSON.
pub(crate) async fn flood(arguments: &[String]) -> Result<()> {
    let [address, token, chatbot, millis, bypasses] = arguments else {
        return Err("reads-flood: five arguments".into());
    };
    let (bypasses, until) = (bypasses.parse()?, Instant::now() + Duration::from_millis(millis.parse()?));
    let mut callers = Vec::new();
    for number in 0..CALLERS {
        let host = u8::try_from(number / OF_ONE_ADDRESS)? + 2;
        let from = IpAddr::V4(Ipv4Addr::new(127, 0, 0, host));
        let client = reqwest::Client::builder().local_address(from).build()?;
        let (address, token, chatbot) = (address.clone(), token.clone(), chatbot.clone());
        callers.push(Caller { number, client, address, token, chatbot, bypasses, until }.call_again_and_again());
    }
    let mut all = Counts::default();
    for counts in futures::future::join_all(callers).await {
        all.add(counts);
    }
    println!("{}", serde_json::to_string(&all)?);
    Ok(())
}

impl Caller {
    async fn call_again_and_again(self) -> Counts {
        let mut counts = Counts::default();
        let mut turn = self.number;
        while Instant::now() < self.until {
            turn += 1;
            let call = self.request(turn).send();
            // Half of the callers hang up after 50 to 250 ms, and all of them at the end.
            let rest = self.until.saturating_duration_since(Instant::now());
            let hangs_up = Duration::from_millis(50 + (turn as u64 * 37) % 200);
            let patience = if turn.is_multiple_of(2) { rest.min(hangs_up) } else { rest };
            match tokio::time::timeout(patience, call).await {
                Err(_) => counts.hung_up += 1,
                Ok(Err(_)) => {
                    counts.failed += 1;
                    tokio::time::sleep(AFTER_A_REFUSAL).await;
                }
                Ok(Ok(answer)) => self.count(answer, &mut counts).await,
            }
        }
        counts
    }

    async fn count(&self, answer: reqwest::Response, counts: &mut Counts) {
        let status = answer.status().as_u16();
        match status {
            200 => counts.answered += 1,
            429 => counts.too_many += 1,
            503 => counts.unavailable += 1,
            _ => counts.other += 1,
        }
        let _ = answer.bytes().await;
        if status != 200 {
            tokio::time::sleep(AFTER_A_REFUSAL).await;
        }
    }

    /// One of the most expensive calls that a tenant has; the first caller changes the chatbot's language.
    fn request(&self, turn: usize) -> reqwest::RequestBuilder {
        let path = |path: &str| format!("http://{}/api/v1/tenants/me{path}", self.address);
        let request = if self.number == 0 {
            let language = if turn.is_multiple_of(2) { "de" } else { "en" };
            self.client.patch(path(&format!("/chatbots/{}", self.chatbot))).json(&json!({ "language": language }))
        } else {
            self.client.get(match turn % 6 {
                0 | 1 => path("/conversations?q=zq"),
                2 => path("/conversations?q=zq&outcome=answered"),
                3 => path("/conversations/stats?q=zq"),
                4 => path("/conversations/stats?rating=down"),
                _ => path(&format!("/chatbots/{}/unanswered", self.chatbot)),
            })
        };
        let request = request.bearer_auth(&self.token);
        if self.bypasses { request.header("x-loadtest-bypass", BYPASS) } else { request }
    }
}
