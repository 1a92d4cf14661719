//! A real model server with a small model: `make test-llama`. The model's text does not matter here, only that it is
//! called, read and stopped like any other endpoint.
#![allow(clippy::print_stdout, reason = "what the model said is for people to read")]

use std::{
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use rag::generate::{
    openai::{GenerateError, Generator, Settings},
    prompt::{Message, Role},
};
use serde_json::{Value, json};
use server::embedded::llama::PROGRAM;

use crate::support::{
    ORIGIN, Platform, ReservedPort, Tenant,
    listener::{names, words},
};

const DOCUMENT: &str = "# Returns\n\nYou can return any item within 30 days of delivery. Keep the receipt.\n";
const QUESTION: &str = "Within how many days can I return an item?";
/// Far more than a question here needs.
const MAX_TOKENS: u32 = 3000;
/// Longest wait for anything; a busy machine reads the model for a while.
const TIMEOUT: Duration = Duration::from_secs(300);

/// The server; killed when it is dropped.
struct Llama {
    child: Child,
    address: String,
    _port: ReservedPort,
}

impl Drop for Llama {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Llama {
    async fn start() -> Self {
        let parts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../var/parts");
        let port = ReservedPort::reserve().unwrap();
        let number = port.number.to_string();
        let child = Command::new(parts.join(PROGRAM))
            .arg("--model")
            .arg(parts.join("smollm2-0.1.2/SmolLM2-135M-Instruct.Q4_1.gguf"))
            .args(["--host", "127.0.0.1", "--port", &number, "--ctx-size", "4096", "--parallel", "1", "--slots"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("llama-server; run `make test-llama`");
        let llama = Self { child, address: format!("http://127.0.0.1:{number}"), _port: port };
        llama.until("/health", |answer| answer["status"] == "ok").await;
        llama
    }

    fn generator(&self) -> Generator {
        let settings = Settings {
            base_url: format!("{}/v1", self.address),
            key: None,
            model: "smollm2".to_owned(),
            timeout: TIMEOUT,
            first_token: TIMEOUT,
            silence: TIMEOUT,
            max_tokens: MAX_TOKENS,
            max_concurrent: 1,
        };
        Generator::new(settings).unwrap()
    }

    /// Waits until the server's status matches.
    async fn until(&self, path: &str, holds: impl Fn(&Value) -> bool) {
        let asking = async {
            loop {
                let answer = reqwest::get(format!("{}{path}", self.address)).await;
                if let Ok(answer) = answer
                    && answer.json::<Value>().await.is_ok_and(|answer| holds(&answer))
                {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(TIMEOUT, asking).await.expect("the model server comes to it in time");
    }

    async fn is_working(&self, working: bool) {
        self.until("/slots", |slots| slots[0]["is_processing"] == working).await;
    }
}

#[tokio::test]
#[ignore = "needs the parts that `make test-llama` fetches"]
async fn a_llama_server_answers_streams_and_is_stopped() {
    let llama = Llama::start().await;
    let generator = llama.generator();
    let platform = Platform::start_with(|settings| settings.generator = Some(generator.clone())).await;
    let tenant = platform.add_tenant("one").await;
    platform.ingest(tenant, "shop.md", DOCUMENT).await;

    let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
    let answer = platform.widget().post(&path, &json!({ "session_id": null, "question": QUESTION })).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    println!("answer: {}", answer.body["answer"]);
    assert!(!answer.body["answer"].as_str().unwrap().is_empty());

    let events = platform.hear(tenant, &Value::Null, QUESTION).await;
    println!("stream: {} events, {:?}", events.len(), words(&events));
    assert_eq!((names(&events)[0], events.last().unwrap().0.as_str()), ("session", "done"));
    assert!(!words(&events).is_empty());

    stopped(&llama, &generator).await;
    frees_its_place(&llama, &platform, tenant).await;
}

/// A visitor who closes the connection frees the model's only place.
async fn frees_its_place(llama: &Llama, platform: &Platform, tenant: Tenant) {
    let path = format!("{}/api/v1/widget/chatbots/{}/query", platform.base_url, tenant.chatbot);
    let body = json!({ "session_id": null, "question": "May I return an item without its receipt, and within how many days?" });
    let visitor = tokio::spawn(platform.http.post(path).header("origin", ORIGIN).json(&body).send());
    llama.is_working(true).await;
    visitor.abort();
    let started = Instant::now();
    llama.is_working(false).await;
    println!("left: idle {:.1?} after the visitor had closed the connection", started.elapsed());
    assert!(started.elapsed() < Duration::from_secs(2), "the place is freed at once");
}

async fn all(generator: &Generator, messages: &[Message]) -> Result<(), GenerateError> {
    let mut words = generator.start(messages).await?;
    while words.next().await?.is_some() {}
    Ok(())
}

/// Checks that a model with a long answer is stopped when the caller has enough, and when it disconnects.
async fn stopped(llama: &Llama, generator: &Generator) {
    let content = "Write the numbers from one to one thousand, each on a line of its own.".to_owned();
    let messages = [Message { role: Role::User, content }];
    let mut words = generator.start(&messages).await.unwrap();
    for _ in 0..3 {
        assert!(words.next().await.unwrap().is_some());
    }
    drop(words);
    llama.is_working(false).await;
    let leaving = async {
        tokio::select! {
            ended = all(generator, &messages) => panic!("it ended by itself: {ended:?}"),
            () = llama.is_working(true) => {}
        }
    };
    leaving.await;
    let started = Instant::now();
    llama.is_working(false).await;
    println!("stopped: idle {:.1?} after the visitor had left", started.elapsed());
    assert!(started.elapsed() < Duration::from_secs(60), "an answer of {MAX_TOKENS} tokens takes longer");
}
