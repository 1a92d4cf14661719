//! More clients than slots.

use super::*;

#[tokio::test]
async fn beyond_the_bound_health_is_answered_and_the_rest_refused() {
    let server = Server::start(Limits { max_connections: 2, ..limits() }).await;
    let (mut one, mut two) = (server.connect().await, server.connect().await);
    one.write_all(b"GET /wait HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    two.write_all(b"GET /wait HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    until("both slots", || server.running.load(SeqCst) == 2).await;
    let live = ask_once(&server, "127.0.0.2", "/health/live").await;
    assert!(live.starts_with("HTTP/1.1 200") && live.ends_with("alive"), "{live}");
    let refused = ask_once(&server, "127.0.0.2", "/").await;
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("retry-after: 2"), "{refused}");
    assert!(refused.contains("connection: close") && refused.ends_with(REFUSAL), "{refused}");
    server.leave.notify_waiters();
    assert!(read_to_end_of_answer(&mut one).await.ends_with("done"));
    drop((one, two));
    let started = Instant::now();
    while !ask_once(&server, "127.0.0.2", "/").await.ends_with("hello") {
        assert!(started.elapsed() < BOUND, "slots are free again");
    }
}

#[tokio::test]
async fn one_address_cannot_take_the_connections_of_others() {
    let server = Server::start(Limits { max_connections: 20, max_connections_per_address: 10, ..limits() }).await;
    let mut held = Vec::new();
    for _ in 0..100 {
        held.push(connect_from(&server, "127.0.0.2").await);
    }
    for stream in &mut held[10..] {
        assert!(read_to_end(stream).await.ends_with(REFUSAL));
    }
    for path in ["/health/live", "/"] {
        let answer = ask_once(&server, "127.0.0.1", path).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    assert!(get_path(&mut held[0], "/").await.ends_with("hello"), "the first ten are served");
}

#[tokio::test]
async fn a_trusted_proxy_has_as_many_connections_as_there_are() {
    let trusted_proxies = TrustedProxies(vec!["127.0.0.2/32".parse().unwrap()].into());
    let limits = Limits { max_connections_per_address: 1, trusted_proxies, ..limits() };
    let server = Server::start(limits).await;
    let mut held = Vec::new();
    for _ in 0..5 {
        held.push(connect_from(&server, "127.0.0.2").await);
    }
    for stream in &mut held {
        assert!(get_path(stream, "/").await.ends_with("hello"));
    }
}

#[tokio::test]
async fn an_idle_connection_makes_room_when_slots_run_out() {
    let server = Server::start(Limits { max_connections: 2, ..limits() }).await;
    let (mut idle, mut busy) = (server.connect().await, server.connect().await);
    assert!(get_path(&mut idle, "/").await.ends_with("hello"));
    busy.write_all(b"GET /wait HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    server.entered.notified().await;
    let started = Instant::now();
    let answer = loop {
        let answer = ask_once(&server, "127.0.0.1", "/").await;
        if answer.starts_with("HTTP/1.1 200") || started.elapsed() > BOUND {
            break answer;
        }
    };
    assert!(answer.ends_with("hello"), "{answer}");
    assert_eq!(read_to_end(&mut idle).await, "", "the idle connection was closed");
    server.leave.notify_one();
    assert!(read_to_end_of_answer(&mut busy).await.ends_with("done"), "the busy one was not");
}

#[tokio::test]
async fn a_head_that_cannot_be_read_is_refused_without_a_body() {
    let server = Server::start(limits()).await;
    let many = "x-header: x\r\n".repeat(101);
    for (head, status) in
        [("GET / HTTP/1.1\r\nno header\r\n\r\n".to_owned(), "400"), (format!("GET / HTTP/1.1\r\n{many}\r\n"), "431")]
    {
        let mut stream = server.connect().await;
        stream.write_all(head.as_bytes()).await.unwrap();
        let answer = read_to_end(&mut stream).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")) && answer.ends_with("\r\n\r\n"), "{answer}");
    }
}
