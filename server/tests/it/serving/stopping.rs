//! A stop: the drain, running requests, the end.

use super::*;

#[tokio::test]
async fn a_stop_closes_idle_connections_and_awaits_requests() {
    let server = Server::start(limits()).await;
    let mut idle = server.connect().await;
    assert!(get_path(&mut idle, "/").await.ends_with("hello"));
    let mut running = server.connect().await;
    running.write_all(b"GET /wait HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    server.entered.notified().await;
    server.stopped.cancel();
    assert_eq!(read_to_end(&mut idle).await, "");
    assert!(TcpStream::connect(server.address).await.is_err(), "nothing new is accepted");
    assert!(!server.task.is_finished());
    server.leave.notify_one();
    assert!(read_to_end(&mut running).await.ends_with("done"));
    timeout(BOUND, server.task).await.expect("the loop ends").unwrap();
}

#[tokio::test]
async fn each_request_during_a_drain_ends_its_connection() {
    let drain = SHORT_TIMEOUT * 20;
    let server = Server::start(Limits { drain, ..limits() }).await;
    let mut idle = server.connect().await;
    assert!(!get_path(&mut idle, "/").await.contains("connection: close"));
    let mut unused = server.connect().await;
    assert!(get_path(&mut unused, "/").await.ends_with("hello"));
    let started = Instant::now();
    server.stopped.cancel();
    assert!(timeout(SHORT_TIMEOUT, idle.readable()).await.is_err(), "an idle connection stays open");
    let answer = get_path(&mut idle, "/").await;
    assert!(answer.contains("connection: close") && answer.ends_with("hello"), "{answer}");
    assert_eq!(read_to_end(&mut idle).await, "");
    let answer = ask_once(&server, "127.0.0.1", "/").await;
    assert!(answer.contains("connection: close") && answer.ends_with("hello"), "new ones are accepted: {answer}");
    assert!(started.elapsed() < drain, "all of this is within the drain");
    assert_eq!(read_to_end(&mut unused).await, "");
    timeout(BOUND, server.task).await.expect("the loop ends").unwrap();
    assert!(started.elapsed() >= drain);
    assert!(TcpStream::connect(server.address).await.is_err(), "nothing new is accepted");
}

#[tokio::test]
async fn a_second_signal_skips_the_drain() {
    let stop = Stop::default();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let limits = Limits { drain: BOUND * 10, ..limits() };
    let task = tokio::spawn(serve(listener, Router::new(), limits, stop.clone()));
    assert!(stop.signal());
    assert!(stop.signal());
    timeout(BOUND, task).await.expect("the loop ends").unwrap();
}

#[tokio::test]
async fn readiness_is_503_during_a_drain_and_calls_are_served() {
    let platform = Platform::start_limited(Limits { drain: BOUND, ..limits() }, |_| {}).await;
    assert_eq!(platform.ready_when("database", "ok").await.status, 200);
    platform.stopped.cancel();
    let ready = platform.ready_when("database", "ok").await;
    assert_eq!((ready.status, ready.body["status"].as_str()), (503, Some("draining")));
    assert_eq!(ready.header("connection"), Some("close"));
    assert_eq!(platform.operator().get("/api/v1/me").await.status, 200);
}

#[tokio::test]
async fn a_stop_cuts_off_what_outlasts_the_grace_period() {
    let server = Server::start(Limits { grace_period: SHORT_TIMEOUT, ..limits() }).await;
    let (mut reader, mut waiter) = (server.connect_narrow().await, server.connect().await);
    assert!(get_path(&mut reader, "/endless").await.starts_with("HTTP/1.1 200"));
    waiter.write_all(b"GET /wait HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    server.entered.notified().await;
    server.stopped.cancel();
    timeout(BOUND, server.task).await.expect("the loop ends").unwrap();
    assert_eq!(server.dropped.load(SeqCst), 2, "handler and body are dropped before the loop ends");
}
