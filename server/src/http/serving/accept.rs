//! Accepts connections and tolerates all errors on the way.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};

/// The first and the longest pause after a failure such as "too many open files".
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// Bytes that wait in the kernel unsent. A large queue would hide from us whether a slow reader moves at all.
const UNSENT_BYTES: u32 = 32 * 1024;

/// The next connection. A failure of one connection is passed over; a failure of the system (no descriptor, no memory)
/// is logged and tried again after a growing pause, in which other connections can end.
pub(super) async fn one(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    let mut pause = PAUSES.0;
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                prepare(&stream);
                return (stream, peer);
            }
            Err(error) if is_of_the_connection(&error) => {}
            Err(error) => {
                tracing::warn!(%error, pause_ms = pause.as_millis(), "connection.not_accepted");
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(PAUSES.1);
            }
        }
    }
}

fn is_of_the_connection(error: &io::Error) -> bool {
    use io::ErrorKind as K;
    matches!(error.kind(), K::ConnectionAborted | K::ConnectionReset | K::ConnectionRefused | K::Interrupted)
}

/// Disables Nagle's algorithm. A failure only affects latency and is not an error.
fn prepare(stream: &TcpStream) {
    let _ = stream.set_nodelay(true);
    let socket = socket2::SockRef::from(stream);
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let _ = socket.set_tcp_notsent_lowat(UNSENT_BYTES);
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = socket.set_send_buffer_size(UNSENT_BYTES as usize);
}
