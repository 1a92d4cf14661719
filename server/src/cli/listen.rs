//! Opens the ports before the program reports that it is ready. Errors name the port and its setting.

use std::io;
use std::net::{IpAddr, SocketAddr};

use tokio::net::TcpListener;

use super::CliError;

/// Listens on an address; `purpose` completes "meant for ...", `setting` is the port's environment variable.
pub(crate) async fn on(
    host: IpAddr,
    port: u16,
    purpose: &'static str,
    setting: &'static str,
) -> Result<TcpListener, CliError> {
    TcpListener::bind(SocketAddr::new(host, port)).await.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => CliError::PortInUse { port, purpose, setting },
        _ => CliError::Other(format!("cannot listen on {} for {purpose}: {error}", SocketAddr::new(host, port))),
    })
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[tokio::test]
    async fn a_port_in_use_is_named_with_its_setting() {
        let host = IpAddr::from(Ipv4Addr::LOCALHOST);
        let taken = TcpListener::bind((host, 0)).await.unwrap();
        let port = taken.local_addr().unwrap().port();
        let text = on(host, port, "the demo site", "SVC_SITE_PORT").await.unwrap_err().to_string();
        assert!(text.contains(&port.to_string()) && text.contains("SVC_SITE_PORT"), "{text}");
    }
}
