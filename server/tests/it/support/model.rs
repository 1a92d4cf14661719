//! A fake chat endpoint that responds as a test says, well or badly, and records its requests.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use rag::generate::openai::{Generator, Settings};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{Mutex as AsyncMutex, Notify, mpsc},
};

use super::moment;

/// The longest wait for something that must happen, also on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The head of a response that does not end with the connection.
pub const OPEN: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
/// The head of an answer that ends with its connection.
pub const CLOSING: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
/// The end of an answer.
pub const END: &str = "data: [DONE]\n\n";

/// The next response of the model, and its requests.
#[derive(Clone)]
pub struct Model {
    base_url: String,
    /// The responses to come; the last one stays.
    says: Arc<Mutex<VecDeque<String>>>,
    more: mpsc::UnboundedSender<String>,
    next: Arc<AsyncMutex<mpsc::UnboundedReceiver<String>>>,
    requests: Arc<Mutex<Vec<Value>>>,
    head: Arc<Mutex<String>>,
    pub hung_up: Arc<Notify>,
}

/// Words as an event.
pub fn event(text: &str) -> String {
    format!("data: {}\n\n", json!({ "choices": [{ "delta": { "content": text } }] }))
}

/// Words as events of `length` characters each.
pub fn events(text: &str, length: usize) -> String {
    let text: Vec<char> = text.chars().collect();
    text.chunks(length).map(|part| event(&part.iter().collect::<String>())).collect()
}

impl Model {
    /// Starts a model, and a client of it that waits `silence` for each part of an answer of at most `max_tokens`.
    pub async fn start(silence: Duration, max_tokens: u32) -> (Self, Generator) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let settings = Settings {
            base_url: format!("http://{}/v1", listener.local_addr().unwrap()),
            key: None,
            model: "small".to_owned(),
            timeout: TIMEOUT * 2,
            first_token: silence,
            silence,
            max_tokens,
            max_concurrent: 8,
        };
        let base_url = settings.base_url.clone();
        let (more, next) = mpsc::unbounded_channel();
        let model = Self {
            base_url,
            says: Arc::default(),
            more,
            next: Arc::new(AsyncMutex::new(next)),
            requests: Arc::default(),
            head: Arc::default(),
            hung_up: Arc::default(),
        };
        tokio::spawn(model.clone().serve(listener));
        (model, Generator::new(settings).unwrap())
    }

    /// Another client, with this limit of concurrent answers.
    pub fn client(&self, silence: Duration, max_concurrent: usize) -> Generator {
        let settings = Settings {
            base_url: self.base_url.clone(),
            key: None,
            model: "small".to_owned(),
            timeout: TIMEOUT * 2,
            first_token: silence,
            silence,
            max_tokens: 200,
            max_concurrent,
        };
        Generator::new(settings).unwrap()
    }

    /// The endpoint, for the settings of a process.
    pub fn url(&self) -> &str {
        &self.base_url
    }

    /// The request line and the headers of the last request.
    pub fn head(&self) -> String {
        self.head.lock().unwrap().clone()
    }

    /// Answers with these words from now on, three characters an event.
    pub fn say(&self, answer: &str) {
        self.send(&format!("{CLOSING}{}{END}", events(answer, 3)));
    }

    /// Answers the next question with the first of these, and so on; the last one stays.
    pub fn say_in_turn(&self, answers: &[&str]) {
        let response = |answer: &&str| format!("{CLOSING}{}{END}", events(answer, 3));
        *self.says.lock().unwrap() = answers.iter().map(response).collect();
    }

    /// Responds with these bytes from now on, and keeps the connection open unless the bytes close it.
    pub fn send(&self, bytes: &str) {
        *self.says.lock().unwrap() = VecDeque::from([bytes.to_owned()]);
    }

    /// Sends more on an open connection.
    pub fn resume(&self, bytes: &str) {
        self.more.send(bytes.to_owned()).unwrap();
    }

    /// Number of requests.
    pub fn times_asked(&self) -> usize {
        self.requests.lock().unwrap().len()
    }

    /// Waits until there were this many requests.
    pub async fn is_asked(&self, times: usize) {
        let deadline = Instant::now() + TIMEOUT;
        while self.times_asked() < times {
            assert!(Instant::now() < deadline, "asked {} times instead of {times}", self.times_asked());
            moment().await;
        }
    }

    /// The last request.
    pub fn last_request(&self) -> Value {
        self.all_asked().pop().unwrap()
    }

    /// All requests.
    pub fn all_asked(&self) -> Vec<Value> {
        self.requests.lock().unwrap().clone()
    }

    /// Waits until a client disconnects during an answer.
    pub async fn is_stopped(&self) {
        tokio::time::timeout(TIMEOUT, self.hung_up.notified()).await.expect("the model is stopped");
    }

    async fn serve(self, listener: TcpListener) {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(self.clone().answer(socket));
        }
    }

    async fn answer(self, mut socket: TcpStream) {
        let (mut request, mut buffer) = (Vec::new(), [0; 8192]);
        let body = loop {
            let read = socket.read(&mut buffer).await.unwrap();
            if read == 0 {
                return;
            }
            request.extend_from_slice(&buffer[..read]);
            let text = String::from_utf8_lossy(&request).into_owned();
            let (head, body) = text.split_once("\r\n\r\n").unwrap_or_default();
            if let Ok(body) = serde_json::from_str::<Value>(body) {
                *self.head.lock().unwrap() = format!("{head}\r\n");
                break body;
            }
        };
        self.requests.lock().unwrap().push(body);
        let says = {
            let mut says = self.says.lock().unwrap();
            let next = says.front().cloned().unwrap_or_default();
            if says.len() > 1 {
                says.pop_front();
            }
            next
        };
        let _ = socket.write_all(says.as_bytes()).await;
        if says.contains("connection: close") {
            return;
        }
        let mut next = self.next.lock().await;
        loop {
            tokio::select! {
                more = next.recv() => if socket.write_all(more.unwrap().as_bytes()).await.is_err() { break },
                read = socket.read(&mut buffer) => if !read.is_ok_and(|read| read > 0) { break },
            }
        }
        self.hung_up.notify_one();
    }
}
