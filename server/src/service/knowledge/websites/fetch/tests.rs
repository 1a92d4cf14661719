//! The fetcher with hostile addresses and responses. Every connection that it opens is counted.

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    sync::atomic::{AtomicUsize, Ordering},
};

use parking_lot::Mutex;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use super::*;

/// Addresses that lead into this machine, its network, or a cloud's metadata.
const HOSTILE: &[&str] = &[
    "http://127.0.0.1/",
    "http://127.0.0.1:80/",
    "http://127.1/",
    "http://127.255.255.254/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://0x7f.1/",
    "http://017700000001/",
    "http://127.0.0.1./",
    "http://0/",
    "http://0.0.0.0/",
    "http://0.1.2.3/",
    "http://10.0.0.1/",
    "http://10.255.255.255/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.0.1/",
    "http://192.168.255.255/",
    "http://0xc0a80001/",
    "http://100.64.0.1/",
    "http://100.100.100.200/latest/meta-data/",
    "http://100.127.255.255/",
    "http://169.254.169.254/latest/meta-data/",
    "http://169.254.170.2/",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://0251.0376.0251.0376/",
    "http://168.63.129.16/",
    "http://192.0.0.192/",
    "http://192.0.2.1/",
    "http://192.88.99.1/",
    "http://198.18.0.1/",
    "http://198.19.255.255/",
    "http://198.51.100.1/",
    "http://203.0.113.1/",
    "http://224.0.0.1/",
    "http://239.255.255.250/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://[::]/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::127.0.0.1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[64:ff9b:1::1]/",
    "http://[2001::1]/",
    "http://[2001:db8::1]/",
    "http://[2002:7f00:1::]/",
    "http://[2002:a9fe:a9fe::]/",
    "http://[3fff::1]/",
    "http://[fc00::1]/",
    "http://[fd00:ec2::254]/",
    "http://[fe80::1]/",
    "http://[febf::1]/",
    "http://[fec0::1]/",
    "http://[ff02::1]/",
    "http://[100::1]/",
    "http://localhost/",
    "http://localhost./",
    "http://LOCALHOST/",
    "http://metadata.internal/",
    "http://mixed.example/",
    "http://rebound.example/",
    "http://ⓛocalhost/",
    "http://１２７.０.０.１/",
    "https://127.0.0.1/",
    "https://[::1]/",
    "http://public.example:8080/",
    "http://public.example:22/",
    "http://public.example:6379/",
    "https://public.example:5432/",
    "http://8.8.8.8:25/",
    "http://user@public.example/",
    "http://user:secret@public.example/",
    "http://public.example@127.0.0.1/",
    "ftp://public.example/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/",
];

/// A listener for every connection, which responds by path.
struct Sink {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<Instant>>>,
}

impl Sink {
    async fn start(answers: &[(&'static str, Vec<u8>)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let answers: HashMap<&str, Vec<u8>> = answers.iter().cloned().collect();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (answers, counted, noted) = (Arc::new(answers), Arc::clone(&connections), Arc::clone(&requests));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                let (answers, noted) = (Arc::clone(&answers), Arc::clone(&noted));
                tokio::spawn(async move {
                    let mut buffer = vec![0; 8192];
                    while let Ok(count @ 1..) = stream.read(&mut buffer).await {
                        noted.lock().push(Instant::now());
                        let request = String::from_utf8_lossy(&buffer[..count]).into_owned();
                        let path = request.split(' ').nth(1).unwrap_or_default();
                        let missing = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n".to_vec();
                        if stream.write_all(answers.get(path).unwrap_or(&missing)).await.is_err() {
                            return;
                        }
                    }
                });
            }
        });
        Self { address, connections, requests }
    }

    fn fetcher(&self) -> Fetcher {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let names = [
            ("public.example", vec![ip("93.184.215.14")]),
            ("six.example", vec![ip("2606:4700::1")]),
            ("localhost", vec![ip("127.0.0.1"), ip("::1")]),
            ("localhost.", vec![ip("127.0.0.1")]),
            ("metadata.internal", vec![ip("169.254.169.254")]),
            // A public address together with a private one.
            ("mixed.example", vec![ip("93.184.215.14"), ip("10.0.0.7")]),
            ("rebound.example", vec![ip("::ffff:127.0.0.1")]),
        ];
        let names = names.into_iter().map(|(name, addresses)| (name.to_owned(), addresses)).collect();
        let mut fetcher = Fetcher::new(FetchRules {
            user_agent: "Test/1".to_owned(),
            allow_loopback: false,
            delay: Duration::ZERO,
            timeout: Duration::from_secs(5),
            max_bytes: 100_000,
        });
        fetcher.network = Network::Sink { names, listener: self.address };
        fetcher
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

fn answer(head: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend(body);
    bytes
}

async fn get(fetcher: &mut Fetcher, url: &str) -> Result<Fetched, FetchError> {
    fetcher.get(&Url::parse(url).unwrap(), Validators::default(), &|_| Ok(())).await
}

#[tokio::test]
async fn no_hostile_address_is_ever_connected_to() {
    let sink = Sink::start(&[("/", answer("200 OK", b"hello"))]).await;
    assert!(HOSTILE.len() >= 60);
    for hostile in HOSTILE {
        // A text that is not an address cannot be connected to.
        let Ok(url) = Url::parse(hostile) else { continue };
        let refused = sink.fetcher().get(&url, Validators::default(), &|_| Ok(())).await.unwrap_err();
        assert!(matches!(refused, FetchError::Refused(_)), "{hostile}: {refused:?}");
    }
    assert_eq!(sink.connections(), 0);
    // The counter counts.
    for good in ["http://public.example/", "http://six.example/", "http://8.8.8.8/"] {
        assert_eq!(get(&mut sink.fetcher(), good).await.unwrap().body, b"hello", "{good}");
    }
    assert_eq!(sink.connections(), 3);
}

#[tokio::test]
async fn unknown_and_internal_names_get_the_same_answer() {
    let sink = Sink::start(&[]).await;
    let internal = get(&mut sink.fetcher(), "http://metadata.internal/").await.unwrap_err();
    for url in ["http://unknown.internal/", "http://unknown.internal:8080/", "http://10.0.0.1/", "http://10.0.0.1:22/"]
    {
        assert_eq!(get(&mut sink.fetcher(), url).await.unwrap_err(), internal, "{url}");
    }
}

#[tokio::test]
async fn every_redirect_is_checked_like_the_first_address() {
    for hostile in HOSTILE {
        if !hostile.is_ascii() {
            continue;
        }
        let sink = Sink::start(&[("/", answer(&format!("302 Found\r\nlocation: {hostile}"), b""))]).await;
        let refused = get(&mut sink.fetcher(), "http://public.example/").await.unwrap_err();
        assert!(!matches!(refused, FetchError::RedirectLoop(_)), "{hostile}: {refused:?}");
        assert_eq!(sink.connections(), 1, "{hostile}");
    }
}

#[tokio::test]
async fn redirects_end_and_lead_back_to_nothing() {
    let to = |place: &str| answer(&format!("301 Moved\r\nlocation: {place}"), b"");
    let sink = Sink::start(&[
        ("/a", to("/b")),
        ("/b", to("http://public.example/a#top")),
        ("/1", to("/2")),
        ("/2", to("/3")),
        ("/3", to("/4")),
        ("/4", to("/5")),
        ("/5", to("/6")),
        ("/6", to("/7")),
        ("/old", to("/new")),
        ("/new", answer("200 OK\r\ncontent-type: Text/HTML; charset=utf-8", b"new")),
    ])
    .await;
    for url in ["http://public.example/a", "http://public.example/1"] {
        let refused = get(&mut sink.fetcher(), url).await.unwrap_err();
        assert_eq!(refused.problem(), WebsiteProblem::RedirectLoop, "{refused:?}");
    }
    let before = sink.connections();
    let fetched = get(&mut sink.fetcher(), "http://public.example/old").await.unwrap();
    assert_eq!((fetched.url.as_str(), fetched.media_type().as_str()), ("http://public.example/new", "text/html"));
    assert_eq!(sink.connections() - before, 1, "one connection for both requests");
}

#[tokio::test]
async fn answers_are_bounded_in_every_direction() {
    use std::io::Write as _;
    let gzip = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let many: String = (0..200).map(|number| format!("x-{number}: 1\r\n")).collect();
    let endless = format!("HTTP/1.1 200 OK\r\nx-long: {}\r\ncontent-length: 0\r\n\r\n", "a".repeat(200_000));
    let sink = Sink::start(&[
        ("/small", answer("200 OK\r\ncontent-encoding: gzip", &gzip(b"hello"))),
        ("/bomb", answer("200 OK\r\ncontent-encoding: gzip", &gzip(&vec![0; 50_000_000]))),
        ("/broken", answer("200 OK\r\ncontent-encoding: gzip", b"\x1f\x8bnothing")),
        ("/unknown", answer("200 OK\r\ncontent-encoding: zstd", b"abc")),
        ("/declared", b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n".to_vec()),
        ("/large", answer("200 OK", &vec![b'a'; 100_001])),
        (
            "/chunked",
            [b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n30d41\r\n".as_slice(), &vec![b'a'; 200_001]]
                .concat(),
        ),
        ("/many", format!("HTTP/1.1 200 OK\r\n{many}content-length: 0\r\n\r\n").into_bytes()),
        ("/endless", endless.into_bytes()),
        ("/noise", b"SSH-2.0-OpenSSH_9\r\n".to_vec()),
        ("/nowhere", answer("302 Found\r\nlocation: http://[", b"")),
    ])
    .await;
    let mut fetcher = sink.fetcher();
    assert_eq!(get(&mut fetcher, "http://public.example/small").await.unwrap().body, b"hello");
    for (path, problem) in [
        ("bomb", WebsiteProblem::TooLarge),
        ("broken", WebsiteProblem::Malformed),
        ("unknown", WebsiteProblem::Malformed),
        ("declared", WebsiteProblem::TooLarge),
        ("large", WebsiteProblem::TooLarge),
        ("chunked", WebsiteProblem::TooLarge),
        ("many", WebsiteProblem::Malformed),
        ("endless", WebsiteProblem::Malformed),
        ("noise", WebsiteProblem::Malformed),
        ("nowhere", WebsiteProblem::Malformed),
    ] {
        let refused = get(&mut fetcher, &format!("http://public.example/{path}")).await.unwrap_err();
        assert_eq!(refused.problem(), problem, "{path}: {refused:?}");
    }
    // None of them affected the next one.
    assert_eq!(get(&mut fetcher, "http://public.example/small").await.unwrap().body, b"hello");
}

#[tokio::test]
async fn a_site_that_says_nothing_is_given_up() {
    let sink = Sink::start(&[("/", Vec::new())]).await;
    let mut fetcher = sink.fetcher();
    fetcher.rules.timeout = Duration::from_millis(200);
    let refused = get(&mut fetcher, "http://public.example/").await.unwrap_err();
    assert_eq!(refused.problem(), WebsiteProblem::Unreachable, "{refused:?}");
}

#[tokio::test]
async fn a_certificate_of_nobody_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (certificate, key) = (include_bytes!("test-certificate.der"), include_bytes!("test-key.der"));
    let key = tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer::from(key.to_vec());
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = tokio_rustls::rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.to_vec().into()], key.into())
        .unwrap();
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let _ = acceptor.accept(stream).await;
        }
    });
    let sink = Sink { address, connections: Arc::default(), requests: Arc::default() };
    let mut fetcher = sink.fetcher();
    let refused = get(&mut fetcher, "https://public.example/").await.unwrap_err();
    assert_eq!(refused.problem(), WebsiteProblem::Certificate, "{refused:?}");
    // The host speaks TLS, so it is never asked without.
    assert!(fetcher.has_tls(&Url::parse("https://public.example/a").unwrap()));
}

#[tokio::test]
async fn a_host_without_tls_is_known() {
    let sink = Sink::start(&[("/", answer("200 OK", b"hello"))]).await;
    let mut fetcher = sink.fetcher();
    let [secure, plain] = ["https://public.example/", "http://public.example/"];
    let refused = get(&mut fetcher, secure).await.unwrap_err();
    assert!(matches!(refused, FetchError::NoTls(_)), "{refused:?}");
    get(&mut fetcher, plain).await.unwrap();
    assert!(!fetcher.has_tls(&Url::parse(secure).unwrap()));
}

#[tokio::test]
async fn loopback_is_fetched_on_any_port_when_the_setting_allows_it() {
    let sink = Sink::start(&[("/", answer("200 OK", b"hello"))]).await;
    let mut fetcher = sink.fetcher();
    fetcher.rules.allow_loopback = true;
    let url = format!("http://127.0.0.1:{}/", sink.address.port());
    assert_eq!(get(&mut fetcher, &url).await.unwrap().body, b"hello");
    let refused = get(&mut fetcher, "http://10.0.0.1:8080/").await.unwrap_err();
    assert_eq!(refused.problem(), WebsiteProblem::AddressRefused, "{refused:?}");
    assert_eq!(sink.connections(), 1);
}

#[tokio::test]
async fn every_request_to_a_host_waits_without_using_its_timeout() {
    const DELAY: Duration = Duration::from_millis(1200);
    let sink = Sink::start(&[
        ("/old", answer("301 Moved\r\nlocation: /new", b"")),
        ("/new", answer("200 OK", b"new")),
        ("/away", answer("302 Found\r\nlocation: http://six.example/new", b"")),
    ])
    .await;
    let mut fetcher = sink.fetcher();
    fetcher.delays = RequestDelays::new(DELAY);
    // Shorter than the pause.
    fetcher.rules.timeout = Duration::from_millis(1100);
    for path in ["old", "missing", "new"] {
        get(&mut fetcher, &format!("http://public.example/{path}")).await.unwrap();
    }
    let requests = sink.requests.lock().clone();
    let pauses: Vec<Duration> = requests.windows(2).map(|two| two[1] - two[0]).collect();
    assert!(pauses.len() == 3 && pauses.iter().all(|pause| *pause >= DELAY), "{pauses:?}");
    // The delay of a host does not affect others.
    fetcher.set_delay(&Url::parse("http://six.example/").unwrap(), Duration::from_secs(60));
    let redirected = tokio::time::timeout(Duration::from_secs(30), get(&mut fetcher, "http://public.example/away"));
    assert_eq!(redirected.await.unwrap().unwrap().url.as_str(), "http://six.example/new");
}
