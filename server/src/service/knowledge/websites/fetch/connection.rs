//! An HTTP/1.1 connection to a checked address.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use http::{HeaderMap, Request, Response, Uri, header};
use http_body_util::Empty;
use hyper::{
    body::{Bytes, Incoming},
    client::conn::http1::{self, SendRequest},
};
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    task::AbortHandle,
};
use tokio_rustls::{
    TlsConnector,
    rustls::{self, ClientConfig, pki_types::ServerName},
};
use url::{Host, Url};

use super::{FetchError, FetchRules, address::is_public};

/// Maximum bytes of a response's head.
const MAX_HEAD_BYTES: usize = 64 * 1024;
/// Maximum headers of a response.
const MAX_HEADERS: usize = 100;
/// The longest wait for one of a host's addresses.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) type HttpResponse = Response<Incoming>;

/// How names are resolved and connections opened.
pub(super) enum Network {
    Internet,
    /// Resolves names from a table. Every connection goes to one listener, which counts them.
    #[cfg(test)]
    Sink {
        names: std::collections::HashMap<String, Vec<IpAddr>>,
        listener: SocketAddr,
    },
}

impl Network {
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<IpAddr>> {
        match self {
            Self::Internet => {
                // With the dot at the end, the search domains of this machine's network do not apply. Not every
                // resolver knows this machine by such a name.
                let name = host.trim_end_matches('.');
                let name = if name == "localhost" { name.to_owned() } else { format!("{name}.") };
                Ok(tokio::net::lookup_host((name.as_str(), port)).await?.map(|address| address.ip()).collect())
            }
            #[cfg(test)]
            Self::Sink { names, .. } => {
                names.get(host).cloned().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such name"))
            }
        }
    }

    async fn connect(&self, address: SocketAddr) -> io::Result<TcpStream> {
        match self {
            Self::Internet => TcpStream::connect(address).await,
            #[cfg(test)]
            Self::Sink { listener, .. } => TcpStream::connect(listener).await,
        }
    }
}

/// An open connection to the host of an address.
pub(super) struct Connection {
    origin: url::Origin,
    sender: SendRequest<Empty<Bytes>>,
    driver: AbortHandle,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Connection {
    pub(super) async fn open(
        url: &Url,
        rules: &FetchRules,
        network: &Network,
        tls: &Arc<ClientConfig>,
    ) -> Result<Self, FetchError> {
        let addresses = resolve(url, rules, network).await?;
        let stream = connect(&addresses, network).await?;
        // Small requests, each followed by an answer.
        let _ = stream.set_nodelay(true);
        let (sender, driver) = if url.scheme() == "https" {
            let name = ServerName::try_from(url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned());
            let name = name.map_err(|_| FetchError::Refused("the host has no name for a certificate".to_owned()))?;
            let connected = TlsConnector::from(Arc::clone(tls)).connect(name, stream).await;
            handshake(connected.map_err(|error| tls_error(&error))?).await?
        } else {
            handshake(stream).await?
        };
        Ok(Self { origin: url.origin(), sender, driver })
    }

    pub(super) fn is_for(&self, url: &Url) -> bool {
        self.origin == url.origin() && !self.sender.is_closed()
    }

    /// Sends a request over a used connection; `None` when it was closed in the meantime.
    pub(super) async fn send_again(&mut self, url: &Url, headers: HeaderMap) -> Option<HttpResponse> {
        self.sender.ready().await.ok()?;
        self.send(url, headers).await.ok()
    }

    pub(super) async fn send(&mut self, url: &Url, headers: HeaderMap) -> Result<HttpResponse, FetchError> {
        let sent = self.sender.send_request(request(url, headers)?).await;
        sent.map_err(|error| {
            if error.is_parse() {
                return FetchError::Malformed("the answer breaks the rules of HTTP".to_owned());
            }
            FetchError::Unreachable("the connection was closed before the answer".to_owned())
        })
    }
}

fn request(url: &Url, mut headers: HeaderMap) -> Result<Request<Empty<Bytes>>, FetchError> {
    let malformed = || FetchError::Refused("the address is none of HTTP".to_owned());
    let path = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    let host = match url.port() {
        Some(port) => format!("{}:{port}", url.host_str().unwrap_or_default()),
        None => url.host_str().unwrap_or_default().to_owned(),
    };
    headers.insert(header::HOST, host.parse().map_err(|_| malformed())?);
    let uri: Uri = path.parse().map_err(|_| malformed())?;
    let mut request = Request::get(uri).body(Empty::new()).map_err(|_| malformed())?;
    *request.headers_mut() = headers;
    Ok(request)
}

/// Checks the form of an address, without resolving it.
pub(super) fn check_form(url: &Url) -> Result<(), FetchError> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(FetchError::Refused("only http and https are fetched".to_owned()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(FetchError::Refused("the address has a user name or a password".to_owned()));
    }
    Ok(())
}

/// The addresses of a host, all of which must be public: a name that also has a private one is refused.
async fn resolve(url: &Url, rules: &FetchRules, network: &Network) -> Result<Vec<SocketAddr>, FetchError> {
    // The same answer for unknown and refused hosts: others must not learn which internal names exist.
    let refused = || FetchError::Refused("the host is not of the public internet, or does not exist".to_owned());
    let port = url.port_or_known_default().unwrap_or_default();
    let addresses = match url.host() {
        Some(Host::Domain(name)) => {
            let addresses = network.resolve(name, port).await;
            addresses.map_err(|_| refused())?
        }
        Some(Host::Ipv4(address)) => vec![address.into()],
        Some(Host::Ipv6(address)) => vec![address.into()],
        None => return Err(refused()),
    };
    if addresses.is_empty() {
        return Err(refused());
    }
    for address in &addresses {
        if rules.allow_loopback && address.is_loopback() {
            continue;
        }
        if !is_public(*address) {
            return Err(refused());
        }
        if !matches!(port, 80 | 443) {
            return Err(FetchError::Refused("only the ports 80 and 443 are fetched".to_owned()));
        }
    }
    Ok(addresses.into_iter().map(|address| SocketAddr::new(address, port)).collect())
}

async fn connect(addresses: &[SocketAddr], network: &Network) -> Result<TcpStream, FetchError> {
    let mut why = "the host has no address".to_owned();
    for address in addresses {
        match tokio::time::timeout(CONNECT_TIMEOUT, network.connect(*address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => why = format!("the host refuses the connection: {}", error.kind()),
            Err(_) => why = "the host does not answer".to_owned(),
        }
    }
    Err(FetchError::Unreachable(why))
}

async fn handshake<S>(stream: S) -> Result<(SendRequest<Empty<Bytes>>, AbortHandle), FetchError>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut builder = http1::Builder::new();
    builder.max_buf_size(MAX_HEAD_BYTES).max_headers(MAX_HEADERS);
    let shaken = builder.handshake(TokioIo::new(stream)).await;
    let (sender, connection) = shaken.map_err(|error| FetchError::Unreachable(error.to_string()))?;
    // Errors of the connection are reported by its requests.
    let driver = tokio::spawn(async move { drop(connection.await) });
    Ok((sender, driver.abort_handle()))
}

fn tls_error(error: &io::Error) -> FetchError {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    match inner {
        Some(rustls::Error::InvalidCertificate(why)) => {
            FetchError::Certificate(format!("the certificate is not valid: {why}"))
        }
        Some(why) => FetchError::NoTls(format!("no secure connection: {why}")),
        None => FetchError::Unreachable(format!("no secure connection: {}", error.kind())),
    }
}
