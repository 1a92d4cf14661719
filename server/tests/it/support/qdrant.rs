//! A stand-in for Qdrant: the calls that the platform makes of its REST interface, over real HTTP, with points in memory. It
//! refuses what Qdrant refuses (no key, unknown collections, vectors of another length), and it can be broken.

mod calls;
mod points;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use axum::{
    Router,
    extract::{Request, State},
    http::StatusCode,
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
};
use serde_json::Value;
use store::vectors::{Qdrant, QdrantSettings};
use tokio_util::sync::CancellationToken;

pub use points::Kept;

/// The key that it wants.
pub const KEY: &str = "a-key-for-tests-only";
/// The longest time for a search in tests.
const PATIENCE: Duration = Duration::from_millis(500);

/// What is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Every call is answered with this status.
    Status(u16),
    /// No call is answered.
    Silent,
    /// Every call is answered with these words and 200.
    Words(&'static str),
}

/// Collections by their names.
type Collections = HashMap<String, Kept>;

pub struct Memory {
    collections: Mutex<Collections>,
    fault: Mutex<Option<Fault>>,
    /// The version that it says it has.
    pub version: Mutex<String>,
    /// How many queries each batch had.
    pub batches: Mutex<Vec<usize>>,
}

impl Default for Memory {
    fn default() -> Self {
        let version = Mutex::new("1.16.3".to_owned());
        Self { collections: Mutex::default(), fault: Mutex::default(), version, batches: Mutex::default() }
    }
}

/// A running stand-in; it ends with this value.
pub struct FakeQdrant {
    pub memory: Arc<Memory>,
    address: String,
    running: Mutex<CancellationToken>,
}

impl Memory {
    /// What it keeps.
    pub fn collections(&self) -> MutexGuard<'_, Collections> {
        self.collections.lock().unwrap()
    }
}

impl FakeQdrant {
    /// An empty one.
    pub async fn start() -> Self {
        let memory = Arc::new(Memory::default());
        let (address, running) = serve("127.0.0.1:0", &memory).await;
        Self { memory, address, running: Mutex::new(running) }
    }

    pub fn client(&self) -> Arc<Qdrant> {
        self.client_with(Some(KEY))
    }

    /// A client with another key.
    pub fn client_with(&self, key: Option<&str>) -> Arc<Qdrant> {
        let url = format!("http://{}/", self.address);
        let settings = QdrantSettings { url, api_key: key.map(str::to_owned), timeout: PATIENCE };
        Arc::new(Qdrant::new(&settings).unwrap())
    }

    /// From now on it fails; `None` mends it.
    pub fn fail(&self, fault: Option<Fault>) {
        *self.memory.fault.lock().unwrap() = fault;
    }

    /// Ends it: nobody listens any more.
    pub async fn stop(&self) {
        self.running.lock().unwrap().cancel();
        while tokio::net::TcpStream::connect(&self.address).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Starts it again where it was, with what it kept.
    pub async fn restart(&self) {
        *self.running.lock().unwrap() = serve(&self.address, &self.memory).await.1;
    }
}

impl Drop for FakeQdrant {
    fn drop(&mut self) {
        self.running.lock().unwrap().cancel();
    }
}

async fn serve(address: &str, memory: &Arc<Memory>) -> (String, CancellationToken) {
    let listener = tokio::net::TcpListener::bind(address).await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let router: Router =
        calls::router().layer(from_fn_with_state(Arc::clone(memory), admit)).with_state(Arc::clone(memory));
    let (running, ended) = (CancellationToken::new(), CancellationToken::new());
    let signal = running.clone();
    tokio::spawn(async move {
        // Open connections are cut off, as when a process is killed.
        tokio::select! {
            () = signal.cancelled() => {}
            _ = axum::serve(listener, router) => {}
        }
        ended.cancel();
    });
    (address, running)
}

/// Lets in who has the key, unless something is wrong.
async fn admit(State(memory): State<Arc<Memory>>, request: Request, next: Next) -> Response {
    let fault = memory.fault.lock().unwrap().clone();
    match fault {
        Some(Fault::Status(status)) => return StatusCode::from_u16(status).unwrap().into_response(),
        Some(Fault::Words(words)) => return words.into_response(),
        Some(Fault::Silent) => std::future::pending().await,
        None => {}
    }
    if request.headers().get("api-key").is_none_or(|key| key != KEY) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    next.run(request).await
}

/// An answer in Qdrant's envelope.
fn told(result: Value) -> Response {
    axum::Json(serde_json::json!({ "result": result, "status": "ok", "time": 0.001 })).into_response()
}
