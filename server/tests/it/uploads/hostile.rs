//! Uploads that try to take memory, disk or the tenant's own quota beyond their bounds.

use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{sleep, timeout},
};

use super::{HOURS, Source};
use crate::{
    crash::process::{BYPASS, Process},
    support::{Database, Keys, Platform, TestResponse, limits, moment, new_chatbot, send},
};

const MIB: usize = 1024 * 1024;
const BOUND: Duration = Duration::from_secs(60);

/// The head of a chunked upload of a form.
fn chunked_head(path: &str, token: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\nauthorization: {token}\r\ntransfer-encoding: chunked\r\n\
         content-type: multipart/form-data; boundary=limit\r\n\r\n"
    )
}

fn chunk(bytes: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
}

fn token(platform: &Platform, source: &Source<'_>) -> String {
    let built = platform.admin(source.tenant.id).request("POST", &source.path).build().unwrap();
    built.headers()["authorization"].to_str().unwrap().to_owned()
}

async fn connect(base_url: &str) -> TcpStream {
    TcpStream::connect(base_url.strip_prefix("http://").unwrap()).await.unwrap()
}

/// Sends chunks until the server answers or closes. Returns the answer and the bytes that it took.
async fn send_until_answered(
    mut stream: TcpStream,
    head: &str,
    begin: &[u8],
    filler: &[u8],
    most: usize,
) -> (String, usize) {
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut answers, mut requests) = stream.split();
    let mut sent = 0;
    let sending = async {
        let mut next = begin;
        while sent < most && requests.write_all(&chunk(next)).await.is_ok() {
            sent += next.len();
            next = filler;
        }
        std::future::pending::<()>().await;
    };
    let mut bytes = vec![0; 4096];
    let answered = async { answers.read(&mut bytes).await.unwrap_or_default() };
    let length = tokio::select! {
        () = sending => unreachable!(),
        length = timeout(BOUND, answered) => length.expect("an answer"),
    };
    (String::from_utf8_lossy(&bytes[..length]).into_owned(), sent)
}

#[tokio::test]
async fn a_form_without_boundary_or_end_of_a_head_is_refused_early() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    let head = chunked_head(&format!("{}/documents", source.path), &token(&platform, &source));
    let filler = vec![b'x'; 8 * 1024];
    let almost = b"\r\n--limi".repeat(1024);
    let begin_part = b"--limit\r\nContent-Disposition: form-data; x=";
    for (begin, filler) in [(&filler[..], &filler), (&almost[..], &almost), (&begin_part[..], &filler)] {
        let stream = connect(&platform.base_url).await;
        let (answer, sent) = send_until_answered(stream, &head, begin, filler, 64 * MIB).await;
        // Some of it may be in the buffers of both sockets.
        assert!(sent < 16 * MIB, "{sent} bytes were taken");
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 422 "), "{answer}");
    }
    let part = |name: usize| format!("--limit\r\nContent-Disposition: form-data; filename=\"{name}.md\"\r\n\r\n\r\n");
    let many: String = (0..5000).map(part).collect();
    let request = platform.admin(tenant.id).request("POST", &format!("{}/documents", source.path));
    let request = request.header("content-type", "multipart/form-data; boundary=limit").body(many + "--limit--");
    if let Ok(answer) = request.send().await {
        assert_eq!(answer.status(), 422);
    }
    while source.count("originals").await > 0 {
        moment().await;
    }
    assert_eq!((source.files().len(), source.count("uploads").await), (0, 0));
}

async fn set_quota(platform: &Platform, source: &Source<'_>, bytes: usize) {
    let path = format!("/api/v1/platform/tenants/{}", source.tenant.id);
    let changed = platform.operator().patch(&path, &json!({ "quotas": { "bytes": bytes } })).await;
    assert_eq!(changed.status, 200, "{changed:?}");
}

/// A `PUT` whose body comes from a channel.
fn put_slowly(
    source: &Source<'_>,
    name: &str,
) -> (tokio::sync::mpsc::UnboundedSender<Bytes>, tokio::task::JoinHandle<TestResponse>) {
    let (sender, receiver) = tokio::sync::mpsc::unbounded_channel::<Bytes>();
    let pieces = futures::stream::unfold(receiver, |mut receiver| async move {
        let piece = receiver.recv().await?;
        Some((piece, receiver))
    });
    let request = source.platform.admin(source.tenant.id).request("PUT", &format!("{}/documents/{name}", source.path));
    let request = request.body(reqwest::Body::wrap_stream(pieces.map(Ok::<_, std::io::Error>)));
    (sender, tokio::spawn(send(request)))
}

/// Waits until the tenant's files have this many bytes together.
async fn until_on_disk(source: &Source<'_>, bytes: u64) {
    let on_disk =
        || source.files().iter().map(|file| std::fs::metadata(file).map_or(0, |data| data.len())).sum::<u64>();
    timeout(BOUND, async {
        while on_disk() < bytes {
            moment().await
        }
    })
    .await
    .expect("the bytes arrive");
}

#[tokio::test]
async fn the_quota_is_counted_down_while_a_file_arrives() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    assert_eq!(source.put("a.md", HOURS).await.status, 200);
    set_quota(&platform, &source, HOURS.len() + 1000).await;
    let stored = source.files().len();
    let (sender, answer) = put_slowly(&source, "b.md");
    sender.send(Bytes::from_static(&[b'x'; 900])).unwrap();
    until_on_disk(&source, HOURS.len() as u64 + 900).await;
    sender.send(Bytes::from_static(&[b'x'; 900])).unwrap();
    // It is refused although the body has not ended.
    let refused = timeout(BOUND, answer).await.expect("an answer").unwrap();
    assert_eq!((refused.status, refused.detail()), (422, "quota_bytes"), "{refused:?}");
    drop(sender);
    assert_eq!((source.files().len(), source.count("originals").await), (stored, 1));
    // A new version counts only with what it adds, and one that says its length is refused before it arrives.
    assert_eq!(source.put("a.md", HOURS.repeat(2)).await.status, 200);
    assert_eq!(source.put("a.md", vec![b'x'; 10_000]).await.detail(), "quota_bytes");
}

#[tokio::test]
async fn two_uploads_at_the_same_time_do_not_both_fit() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    set_quota(&platform, &source, 500_000).await;
    let (first, first_answer) = put_slowly(&source, "a.md");
    first.send(Bytes::from(vec![b'x'; 300_000])).unwrap();
    until_on_disk(&source, 250_000).await;
    let refused = source.put("b.md", vec![b'y'; 300_000]).await;
    assert_eq!((refused.status, refused.detail()), (422, "quota_bytes"), "{refused:?}");
    drop(first);
    assert_eq!(first_answer.await.unwrap().status, 200);
    assert_eq!(source.put("c.md", vec![b'y'; 100_000]).await.status, 200, "only what has arrived counts");
}

#[tokio::test]
async fn a_tenant_sends_four_uploads_at_a_time() {
    let (platform, tenant, other) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    let mut open = Vec::new();
    for n in 0..4 {
        let upload = put_slowly(&source, &format!("{n}.md"));
        upload.0.send(Bytes::from(vec![b'x'; 100_000])).unwrap();
        until_on_disk(&source, 30_000 * (n + 1)).await;
        open.push(upload);
    }
    let refused = source.put("more.md", HOURS).await;
    assert_eq!((refused.status, refused.detail()), (429, "rate_limited"), "{refused:?}");
    assert_eq!(refused.header("retry-after"), Some("5"));
    let others = Source::make(&platform, other, "Manuals").await;
    assert_eq!(others.put("more.md", HOURS).await.status, 200);
    // A client that goes leaves nothing.
    for (sender, answer) in open {
        answer.abort();
        drop(sender);
    }
    while source.count("originals").await > 0 {
        moment().await;
    }
    assert_eq!(source.files().len(), 0);
    assert_eq!(source.put("more.md", HOURS).await.status, 200);
}

#[tokio::test]
async fn an_upload_has_a_time_limit_even_if_it_goes_on() {
    let mut limits = limits();
    limits.upload = Duration::from_secs(1);
    let platform = Platform::start_limited(limits, |_| ()).await;
    let tenant = platform.add_tenant("shop").await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    let (sender, answer) = put_slowly(&source, "a.md");
    let answer = async {
        tokio::select! {
            answer = answer => answer.unwrap(),
            () = async { loop { let _ = sender.send(Bytes::from_static(b"word ")); sleep(Duration::from_millis(50)).await } } => unreachable!(),
        }
    };
    let refused = timeout(BOUND, answer).await.expect("an answer");
    assert_eq!((refused.status, refused.body["errors"][0]["type"].as_str()), (422, Some("timeout")), "{refused:?}");
    assert_eq!(source.count("originals").await, 0);
}

#[tokio::test]
async fn full_disks_refuse_uploads_and_degrade_readiness() {
    let platform = Platform::start_with(|settings| settings.uploads.min_free_bytes = u64::MAX).await;
    let tenant = platform.add_tenant("shop").await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    let refused = source.put("a.md", HOURS).await;
    assert_eq!((refused.status, refused.detail()), (503, "storage_full"), "{refused:?}");
    assert_eq!((source.files().len(), source.count("originals").await), (0, 0));
    let ready = platform.ready_when("upload_space", "unavailable").await;
    assert_eq!((ready.status, &ready.body["status"]), (200, &json!("degraded")), "{ready:?}");
}

fn resident_kib(pid: u32) -> i64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Sends a body piece by piece, as often as the server ends it, until the time is over.
async fn attack(base_url: &str, head: &str, begin: &[u8], filler: &[u8], pause: Duration) {
    loop {
        let mut stream = connect(base_url).await;
        if stream.write_all(head.as_bytes()).await.is_err() {
            continue;
        }
        let mut next = begin;
        while stream.write_all(&chunk(next)).await.is_ok() {
            next = filler;
            sleep(pause).await;
        }
    }
}

/// The sources of 25 new tenants with the tokens of their administrators, as paths of uploads.
async fn sources(server: &Process, keys: &Keys) -> Vec<(String, String)> {
    let http = reqwest::Client::new();
    let post = async |token: &str, path: &str, body: serde_json::Value| {
        let request = http.post(format!("{}{path}", server.base_url)).bearer_auth(token).json(&body);
        let answer = send(request.header("x-loadtest-bypass", BYPASS)).await;
        assert!(answer.status < 300, "{answer:?}");
        answer.body["id"].as_str().unwrap().to_owned()
    };
    let mut sources = Vec::new();
    for n in 0..25 {
        let slug = format!("tenant-{n}");
        let body = json!({ "slug": slug, "display_name": slug });
        let tenant = post(&keys.operator().encode(), "/api/v1/platform/tenants", body).await;
        let admin = keys.tenant(tenant.parse().unwrap(), "tenant-admin").encode();
        let chatbots = "/api/v1/tenants/me/chatbots";
        let chatbot = post(&admin, chatbots, new_chatbot("bot")).await;
        let sources_of = format!("{chatbots}/{chatbot}/sources");
        let source = post(&admin, &sources_of, json!({ "kind": "upload", "name": "Manuals" })).await;
        sources.push((format!("{sources_of}/{source}/documents"), format!("Bearer {admin}")));
    }
    sources
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_hostile_uploads_take_at_most_32_mib() {
    let (db, keys) = (Database::create().await, Keys::serve().await);
    let server = Process::start_with(&db.login_url(), &keys.auth_url, &[("SVC_UPLOADS_MIN_FREE_BYTES", "0")]).await;
    let sources = sources(&server, &keys).await;
    let waiting = "select count(*) from chatbots where provisioning <> 'ready'";
    while sqlx::query_scalar::<_, i64>(waiting).fetch_one(&db.superuser).await.unwrap() > 0 {
        moment().await;
    }
    let filler = vec![b'x'; 64 * 1024];
    let first_part = b"--limit\r\nContent-Disposition: form-data; filename=\"a.md\"\r\n\r\n";
    let kinds: [(&[u8], &[u8], Duration); 4] = [
        (&filler, &filler, Duration::ZERO),
        (b"--limit\r\nContent-Disposition: form-data; x=", &filler, Duration::ZERO),
        (b"-", b"-", Duration::from_secs(1)),
        (first_part, b"x", Duration::from_secs(1)),
    ];
    let round = |seconds: u64| {
        let attacks = sources.iter().flat_map(|(path, token)| {
            let head = chunked_head(path, token);
            let base_url = &server.base_url;
            kinds.map(move |(begin, filler, pause)| {
                let head = head.clone();
                async move { attack(base_url, &head, begin, filler, pause).await }
            })
        });
        let attacks: Vec<_> = attacks.collect();
        assert_eq!(attacks.len(), 100);
        async move { timeout(Duration::from_secs(seconds), futures::future::join_all(attacks)).await }
    };
    // The first connections of a process take memory that later ones use again.
    let before_any = resident_kib(server.id());
    let _ = timeout(Duration::from_secs(2), round(2)).await;
    sleep(Duration::from_secs(1)).await;
    let before = resident_kib(server.id());
    let mut most = before;
    let looking = async {
        loop {
            most = most.max(resident_kib(server.id()));
            sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::select! {
        ended = round(12) => drop(ended),
        () = looking => {}
    }
    println!("resident memory: {before_any} KiB at first, {before} KiB before, at most {most} KiB during 100 uploads");
    assert!(most - before_any <= 32 * 1024, "{before_any} KiB at first, {before} KiB before, at most {most} KiB");
}
