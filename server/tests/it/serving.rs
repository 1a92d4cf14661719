//! The serving loop with slow clients: real sockets, short limits.

mod connections;
mod pace;
mod stopping;

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::ConnectInfo,
    routing::{get, post},
};
use server::{
    client_ip::TrustedProxies,
    http::serving::{Limits, serve},
    shutdown::Stop,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::Notify,
    task::JoinHandle,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use crate::support::{self, Platform};

const SHORT_TIMEOUT: Duration = Duration::from_millis(300);
/// The longest wait for something that must happen, also on a busy machine.
const BOUND: Duration = Duration::from_secs(30);
/// Attempts of a client to read in time on a busy machine.
const ATTEMPTS: usize = 10;
/// The body of a refusal.
const REFUSAL: &str = r#"{"detail":"service_unavailable"}"#;
/// The length of `/large`, more than kernels buffer without a reader.
const LARGE: usize = 1 << 20;

/// A server with a few test routes.
struct Server {
    address: SocketAddr,
    stopped: CancellationToken,
    task: JoinHandle<()>,
    /// Endless downloads and endless handlers that were dropped.
    dropped: Arc<AtomicUsize>,
    /// Requests of `/wait` that are being answered.
    running: Arc<AtomicUsize>,
    /// Notified when `/wait` was entered; `/wait` responds when it is notified.
    entered: Arc<Notify>,
    leave: Arc<Notify>,
}

struct CountDrop(Arc<AtomicUsize>);

impl Drop for CountDrop {
    fn drop(&mut self) {
        self.0.fetch_add(1, SeqCst);
    }
}

struct Running(Arc<AtomicUsize>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

impl Server {
    async fn start(limits: Limits) -> Self {
        let dropped = Arc::new(AtomicUsize::new(0));
        let (entered, leave) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let running = Arc::new(AtomicUsize::new(0));
        let router = routes(&dropped, &running, &entered, &leave);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stopped = CancellationToken::new();
        let task = tokio::spawn(serve(listener, router, limits, stopped.clone()));
        Self { address, stopped, task, dropped, running, entered, leave }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// A connection with a small receive buffer.
    async fn connect_narrow(&self) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(16 * 1024).unwrap();
        socket.connect(self.address).await.unwrap()
    }
}

fn routes(
    dropped: &Arc<AtomicUsize>,
    running: &Arc<AtomicUsize>,
    entered: &Arc<Notify>,
    leave: &Arc<Notify>,
) -> Router {
    let (counter, entered, leave) = (Arc::clone(dropped), Arc::clone(entered), Arc::clone(leave));
    let endless = async move || {
        let mark = CountDrop(counter);
        let chunks = futures::stream::repeat_with(move || {
            let _held = &mark;
            Ok::<_, std::io::Error>(Bytes::from_static(&[b'x'; 8192]))
        });
        Body::from_stream(chunks)
    };
    let (counter, running) = (Arc::clone(dropped), Arc::clone(running));
    let wait = async move || {
        let _mark = CountDrop(counter);
        running.fetch_add(1, SeqCst);
        let _running = Running(running);
        entered.notify_one();
        leave.notified().await;
        "done"
    };
    Router::new()
        .route("/", get(async || "hello"))
        .route("/health/live", get(async || "alive"))
        .route("/large", get(async || Bytes::from_static(&[b'x'; LARGE])))
        .route("/peer", get(async |ConnectInfo(peer): ConnectInfo<SocketAddr>| peer.to_string()))
        .route("/echo", post(async |body: String| body))
        .route("/endless", get(endless))
        .route("/wait", get(wait))
}

fn limits() -> Limits {
    support::limits()
}

/// Reads until the server closes the connection.
async fn read_to_end(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset instead of an orderly end is an end too.
    let _ = timeout(BOUND, stream.read_to_end(&mut bytes)).await.expect("the server closes the connection");
    String::from_utf8(bytes).unwrap()
}

/// Sends a GET and reads its answer, which is small.
async fn get_path(stream: &mut TcpStream, path: &str) -> String {
    stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()).await.unwrap();
    let mut bytes = vec![0; 4096];
    let length = timeout(BOUND, stream.read(&mut bytes)).await.expect("an answer").unwrap();
    String::from_utf8(bytes[..length].to_vec()).unwrap()
}

/// A connection from another address of this machine.
async fn connect_from(server: &Server, address: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::new(address.parse().unwrap(), 0)).unwrap();
    socket.connect(server.address).await.unwrap()
}

/// The whole response to a GET on a separate connection.
async fn ask_once(server: &Server, address: &str, path: &str) -> String {
    let mut stream = connect_from(server, address).await;
    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    read_to_end(&mut stream).await
}

/// An answer to a request that was sent before, which is small.
async fn read_to_end_of_answer(stream: &mut TcpStream) -> String {
    let mut bytes = vec![0; 4096];
    let length = timeout(BOUND, stream.read(&mut bytes)).await.expect("an answer").unwrap();
    String::from_utf8(bytes[..length].to_vec()).unwrap()
}

/// Waits until a condition is true.
async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < BOUND, "{what} did not happen");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn the_peer_is_known_and_small_answers_arrive() {
    let server = Server::start(limits()).await;
    let mut stream = server.connect().await;
    let local = stream.local_addr().unwrap().to_string();
    assert!(get_path(&mut stream, "/peer").await.ends_with(&local));
}

#[tokio::test]
async fn a_silent_connection_is_closed_after_the_head_timeout() {
    let server = Server::start(Limits { head: SHORT_TIMEOUT, ..limits() }).await;
    assert_eq!(read_to_end(&mut server.connect().await).await, "");
}

#[tokio::test]
async fn half_a_head_is_closed_even_while_more_of_it_drips() {
    let server = Server::start(Limits { head: SHORT_TIMEOUT, ..limits() }).await;
    let started = Instant::now();
    let mut stream = server.connect().await;
    stream.write_all(b"GET / HTTP/1.1\r\nhost: x\r\nx-more: ").await.unwrap();
    let mut ticks = tokio::time::interval(SHORT_TIMEOUT / 10);
    let closed = async {
        loop {
            ticks.tick().await;
            if stream.write_all(b"y").await.is_err() {
                break;
            }
        }
    };
    timeout(BOUND, closed).await.expect("the server closes the connection");
    assert!(started.elapsed() >= SHORT_TIMEOUT);
}

#[tokio::test]
async fn an_idle_connection_is_closed_later_than_half_a_head() {
    let idle = SHORT_TIMEOUT * 10;
    let server = Server::start(Limits { head: SHORT_TIMEOUT / 3, idle, ..limits() }).await;
    let mut stream = server.connect().await;
    assert!(get_path(&mut stream, "/").await.ends_with("hello"));
    // Longer than the limit for a head, shorter than that for an idle connection.
    assert!(timeout(SHORT_TIMEOUT, stream.readable()).await.is_err(), "the connection stays open");
    let started = Instant::now();
    assert!(get_path(&mut stream, "/").await.ends_with("hello"));
    assert_eq!(read_to_end(&mut stream).await, "");
    assert!(started.elapsed() >= idle, "the second answer began the idle time again");
}

#[tokio::test]
async fn half_a_head_after_an_answer_is_closed_as_well() {
    let server = Server::start(Limits { head: SHORT_TIMEOUT, ..limits() }).await;
    let mut stream = server.connect().await;
    assert!(get_path(&mut stream, "/").await.ends_with("hello"));
    stream.write_all(b"GET / HT").await.unwrap();
    assert_eq!(read_to_end(&mut stream).await, "");
}

#[tokio::test]
async fn a_handler_may_take_longer_than_any_client() {
    let server = Server::start(Limits {
        head: SHORT_TIMEOUT,
        body: SHORT_TIMEOUT,
        idle: SHORT_TIMEOUT,
        write_idle: SHORT_TIMEOUT,
        ..limits()
    })
    .await;
    let mut stream = server.connect().await;
    let answer = async { get_path(&mut stream, "/wait").await };
    let release = async {
        server.entered.notified().await;
        tokio::time::sleep(SHORT_TIMEOUT * 3).await;
        server.leave.notify_one();
    };
    let (answer, ()) = tokio::join!(answer, release);
    assert!(answer.ends_with("done"), "{answer}");
}

#[tokio::test]
async fn a_stalled_client_is_cut_off_and_its_download_dropped() {
    let server = Server::start(Limits { write_idle: SHORT_TIMEOUT, ..limits() }).await;
    let mut stream = server.connect_narrow().await;
    assert!(get_path(&mut stream, "/endless").await.starts_with("HTTP/1.1 200"));
    until("dropping the download", || server.dropped.load(SeqCst) == 1).await;
}

#[tokio::test]
async fn a_slow_reader_that_moves_is_not_cut_off() {
    for _ in 0..ATTEMPTS {
        let server = Server::start(Limits {
            write_idle: SHORT_TIMEOUT * 4,
            idle: SHORT_TIMEOUT,
            head: SHORT_TIMEOUT,
            ..limits()
        })
        .await;
        let mut stream = server.connect_narrow().await;
        assert!(get_path(&mut stream, "/endless").await.starts_with("HTTP/1.1 200"));
        let mut ticks = tokio::time::interval(Duration::from_millis(50));
        let mut buffer = vec![0; 10 * 1024];
        let (started, mut last, mut longest) = (Instant::now(), Instant::now(), Duration::ZERO);
        let mut goes_on = true;
        // About 200 kB/s, for five times as long as a client may stop reading.
        while goes_on && started.elapsed() < SHORT_TIMEOUT * 20 {
            ticks.tick().await;
            longest = longest.max(last.elapsed());
            goes_on = stream.read_exact(&mut buffer).await.is_ok();
            last = Instant::now();
        }
        if goes_on {
            assert_eq!(server.dropped.load(SeqCst), 0);
            drop(stream);
            until("dropping the download", || server.dropped.load(SeqCst) == 1).await;
            return;
        }
        assert!(longest >= SHORT_TIMEOUT * 2, "the download ends, and the client paused for {longest:?} at most");
    }
    panic!("the client never reads in time");
}

#[tokio::test]
async fn half_a_body_is_a_422_and_the_end_of_the_connection() {
    let platform = Platform::start_limited(Limits { body: SHORT_TIMEOUT, ..limits() }, |_| {}).await;
    let mut stream = TcpStream::connect(platform.base_url.strip_prefix("http://").unwrap()).await.unwrap();
    let head = format!(
        "POST /api/v1/platform/tenants HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\ncontent-length: 100\r\n\r\n{{\"slug\":",
        platform.keys.operator().encode()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let answer = read_to_end(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 422"), "{answer}");
    assert!(answer.contains("\"loc\":[\"body\"]") && answer.contains("\"type\":\"timeout\""), "{answer}");
}

#[tokio::test]
async fn a_body_that_nobody_reads_does_not_hold_the_connection() {
    let server = Server::start(Limits { body: SHORT_TIMEOUT, idle: SHORT_TIMEOUT, ..limits() }).await;
    let mut stream = server.connect().await;
    stream.write_all(b"GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf").await.unwrap();
    assert!(read_to_end(&mut stream).await.ends_with("hello"));
}
