//! A fake Qdrant: the part of its REST API that the platform uses, over real HTTP, with points in memory. It rejects
//! what Qdrant rejects (no key, unknown collections, vectors of another length), and can simulate faults.

mod calls;
mod points;

use std::{
    collections::HashMap,
    net::SocketAddr,
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
use tokio::{net::TcpListener, task::JoinHandle};

use super::listen_again;

pub use points::FakeCollection;

/// The required key.
pub const KEY: &str = "a-key-for-tests-only";
/// The longest time for a search in tests.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The simulated fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Every call is answered with this status.
    Status(u16),
    /// No call is answered.
    Silent,
    /// Every call is answered with these words and 200.
    Words(&'static str),
}

/// Collections by name.
type Collections = HashMap<String, FakeCollection>;

pub struct Memory {
    collections: Mutex<Collections>,
    fault: Mutex<Option<Fault>>,
    /// The version that it reports.
    pub version: Mutex<String>,
    /// Number of queries of each batch.
    pub batches: Mutex<Vec<usize>>,
}

impl Default for Memory {
    fn default() -> Self {
        let version = Mutex::new("1.16.3".to_owned());
        Self { collections: Mutex::default(), fault: Mutex::default(), version, batches: Mutex::default() }
    }
}

/// A running fake; it ends on drop.
pub struct FakeQdrant {
    pub memory: Arc<Memory>,
    address: SocketAddr,
    serving: Mutex<Option<JoinHandle<()>>>,
}

impl Memory {
    /// The stored collections.
    pub fn collections(&self) -> MutexGuard<'_, Collections> {
        self.collections.lock().unwrap()
    }
}

impl FakeQdrant {
    /// An empty one.
    pub async fn start() -> Self {
        let memory = Arc::new(Memory::default());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let serving = Mutex::new(Some(serve(listener, &memory)));
        Self { memory, address, serving }
    }

    pub fn client(&self) -> Arc<Qdrant> {
        self.client_with(Some(KEY))
    }

    /// A client with another key.
    pub fn client_with(&self, key: Option<&str>) -> Arc<Qdrant> {
        let url = format!("http://{}/", self.address);
        let settings = QdrantSettings { url, api_key: key.map(str::to_owned), timeout: TIMEOUT };
        Arc::new(Qdrant::new(&settings).unwrap())
    }

    /// Fails from now on; `None` ends the fault.
    pub fn fail(&self, fault: Option<Fault>) {
        *self.memory.fault.lock().unwrap() = fault;
    }

    /// Stops listening.
    pub async fn stop(&self) {
        let serving = self.serving.lock().unwrap().take().unwrap();
        serving.abort();
        drop(serving.await);
    }

    /// Restarts on the same port with the stored collections.
    pub async fn restart(&self) {
        let serving = serve(listen_again(self.address).await, &self.memory);
        *self.serving.lock().unwrap() = Some(serving);
    }
}

impl Drop for FakeQdrant {
    fn drop(&mut self) {
        if let Some(serving) = self.serving.lock().unwrap().as_ref() {
            serving.abort();
        }
    }
}

/// Serves until the task is aborted; then idle connections are closed, too.
fn serve(listener: TcpListener, memory: &Arc<Memory>) -> JoinHandle<()> {
    let router: Router =
        calls::router().layer(from_fn_with_state(Arc::clone(memory), admit)).with_state(Arc::clone(memory));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() })
}

/// Admits requests with the key, unless there is a fault.
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
fn enveloped(result: Value) -> Response {
    axum::Json(serde_json::json!({ "result": result, "status": "ok", "time": 0.001 })).into_response()
}
