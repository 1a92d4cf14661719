//! Ports for programs that a test starts.

use tokio::net::TcpSocket;

/// A port that nobody else is given, but a program that names it may listen on: Linux lets sockets with `SO_REUSEADDR`, which
/// servers set, share a port as long as no other one listens.
pub struct ReservedPort {
    pub number: u16,
    _socket: TcpSocket,
}

impl ReservedPort {
    pub fn reserve() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_reuseaddr(true).unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Self { number: socket.local_addr().unwrap().port(), _socket: socket }
    }
}
