//! Clients that read or send too slowly.

use super::*;

#[tokio::test]
async fn a_client_below_the_minimum_rate_is_cut_off() {
    let limits = Limits { min_bytes_per_second: 10_000_000, pace_window: SHORT_TIMEOUT, ..limits() };
    let server = Server::start(limits).await;
    let (mut file, mut stream) = (server.connect_narrow().await, server.connect_narrow().await);
    let started = Instant::now();
    assert!(get_path(&mut file, "/large").await.starts_with("HTTP/1.1 200"));
    assert!(get_path(&mut stream, "/endless").await.starts_with("HTTP/1.1 200"));
    let mut ticks = tokio::time::interval(Duration::from_millis(20));
    let mut buffer = vec![0; 10 * 1024];
    let mut cut = None;
    // About 500 kB/s each.
    while cut.is_none() || started.elapsed() < SHORT_TIMEOUT * 6 {
        ticks.tick().await;
        stream.read_exact(&mut buffer).await.expect("the stream goes on");
        if cut.is_none() && !matches!(file.read(&mut buffer).await, Ok(1..)) {
            cut = Some(started.elapsed());
        }
    }
    assert!(cut.is_some_and(|after| after >= SHORT_TIMEOUT), "{cut:?}");
    assert_eq!(server.dropped.load(SeqCst), 0);
}

#[tokio::test]
async fn a_fast_reader_is_not_cut_off_by_the_least_rate() {
    for _ in 0..ATTEMPTS {
        let limits = Limits { min_bytes_per_second: 50_000, pace_window: SHORT_TIMEOUT, ..limits() };
        let server = Server::start(limits).await;
        let mut file = server.connect_narrow().await;
        file.write_all(b"GET /large HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();
        let (mut ticks, mut buffer) = (tokio::time::interval(Duration::from_millis(20)), vec![0; 40 * 1024]);
        let (mut length, mut last, mut longest) = (0, Instant::now(), Duration::ZERO);
        loop {
            ticks.tick().await;
            longest = longest.max(last.elapsed());
            match file.read(&mut buffer).await {
                Ok(read @ 1..) => length += read,
                _ => break,
            }
            last = Instant::now();
        }
        if length >= LARGE {
            return;
        }
        assert!(longest >= SHORT_TIMEOUT / 2, "cut off after {length}, and the client paused for {longest:?} at most");
    }
    panic!("the client never reads in time");
}

#[tokio::test]
async fn a_body_below_the_least_rate_is_a_timeout() {
    let limits = Limits { min_bytes_per_second: 1_000_000, pace_window: SHORT_TIMEOUT, ..limits() };
    let server = Server::start(limits).await;
    let mut stream = server.connect().await;
    let started = Instant::now();
    stream.write_all(b"POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n").await.unwrap();
    let mut ticks = tokio::time::interval(SHORT_TIMEOUT / 10);
    let drip = async {
        loop {
            ticks.tick().await;
            if stream.write_all(b"y").await.is_err() {
                break;
            }
        }
    };
    timeout(BOUND, drip).await.expect("the server closes the connection");
    assert!(started.elapsed() >= SHORT_TIMEOUT);
}
