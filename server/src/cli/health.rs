//! `server health`: asks the server of this machine whether it is alive, for images without another program that could ask.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use crate::config::Config;

use super::CliError;

/// How long the server may take for each step.
const TIMEOUT: Duration = Duration::from_secs(3);
const REQUEST: &[u8] = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
const HEALTHY: &[u8] = b"HTTP/1.1 200 ";

/// Succeeds when `/health/live` is 200.
pub(crate) fn run(config: &Config) -> Result<(), CliError> {
    let address = SocketAddr::new(reachable(config.http.host), config.http.port);
    match ask(address) {
        Ok(true) => Ok(()),
        Ok(false) => Err(CliError::Other(format!("the server at {address} does not say that it is alive"))),
        Err(error) => Err(CliError::Other(format!("the server at {address} does not answer: {error}"))),
    }
}

/// The address at which a server that listens on `host` is reached from its own machine.
fn reachable(host: IpAddr) -> IpAddr {
    match host {
        IpAddr::V4(every) if every.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(every) if every.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        one => one,
    }
}

fn ask(address: SocketAddr) -> io::Result<bool> {
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    stream.write_all(REQUEST)?;
    let mut start = [0; HEALTHY.len()];
    stream.read_exact(&mut start)?;
    Ok(start == HEALTHY)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// What `ask` finds when a server answers with these bytes.
    fn answered(bytes: &'static [u8]) -> io::Result<bool> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let server = thread::spawn(move || {
            let mut stream = listener.accept().unwrap().0;
            stream.read_exact(&mut vec![0; REQUEST.len()]).unwrap();
            stream.write_all(bytes).unwrap();
        });
        let answer = ask(address);
        server.join().unwrap();
        answer
    }

    #[test]
    fn only_status_200_is_alive() {
        assert!(answered(b"HTTP/1.1 200 OK\r\n\r\n").unwrap());
        assert!(!answered(b"HTTP/1.1 503 Service Unavailable\r\n\r\n").unwrap());
        assert!(answered(b"").is_err());
    }

    #[test]
    fn every_address_is_reached_at_the_loopback_address() {
        let reached = |host: &str| reachable(host.parse().unwrap()).to_string();
        assert_eq!(["0.0.0.0", "::", "10.0.0.7"].map(reached), ["127.0.0.1", "::1", "10.0.0.7"]);
    }
}
