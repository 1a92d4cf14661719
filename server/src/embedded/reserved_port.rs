//! Ports for programs that this process starts.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
};

use tokio::net::TcpSocket;

/// A loopback port that nobody else is given, but a program that names it may listen on: Linux lets sockets with
/// `SO_REUSEADDR`, which servers set, share a port as long as no other one listens.
#[derive(Debug)]
pub struct ReservedPort {
    /// The port to tell the server that shall listen.
    pub number: u16,
    _socket: TcpSocket,
}

impl ReservedPort {
    /// Reserves a free port until it is dropped.
    ///
    /// # Errors
    /// No port is free.
    pub fn reserve() -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
        Ok(Self { number: socket.local_addr()?.port(), _socket: socket })
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn reserved_ports_are_free_only_for_their_server() {
        let port = ReservedPort::reserve().unwrap();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port.number));
        assert!(TcpSocket::new_v4().unwrap().bind(address).is_err());
        assert!(TcpListener::bind(address).is_ok());
    }
}
