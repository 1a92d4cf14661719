//! Outgoing connections trust the authorities of the system and those of `tls.ca_file`: a server of each kind has a certificate of
//! an authority that only the tests know.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::Output,
    sync::Arc,
};

use axum::{Json, Router, http::StatusCode, response::IntoResponse, routing::post};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};
use url::Url;

use crate::support::{Platform, command, provider::PROVIDER_SECRET, valkey::Valkey};

const CERTIFICATE: &[u8] = include_bytes!("support/tls/server.pem");
const KEY: &[u8] = include_bytes!("support/tls/server-key.pem");

fn acceptor() -> TlsAcceptor {
    let chain = vec![CertificateDer::from_pem_slice(CERTIFICATE).unwrap()];
    let key = PrivateKeyDer::from_pem_slice(KEY).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

/// Listens with TLS for a server that has none; returns its port. A client of PostgreSQL asks for TLS first.
async fn with_tls(target: String, is_postgres: bool) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            // A client that hung up before it was accepted is an error of its own.
            let Ok((mut client, _)) = listener.accept().await else { continue };
            let target = target.clone();
            tokio::spawn(async move {
                if is_postgres {
                    let mut request = [0; 8];
                    client.read_exact(&mut request).await?;
                    client.write_all(b"S").await?;
                }
                let mut client = acceptor().accept(client).await?;
                let mut server = TcpStream::connect(target).await?;
                copy_bidirectional(&mut client, &mut server).await
            });
        }
    });
    port
}

fn host_of(url: &str) -> String {
    let url = Url::parse(url).unwrap();
    format!("{}:{}", url.host_str().unwrap(), url.port().unwrap())
}

/// A model for vectors, answers and ranking, which also stands for a bucket that refuses everything.
fn model() -> Router {
    let embeddings = async |Json(body): Json<Value>| {
        let count = body["input"].as_array().map_or(1, Vec::len);
        let vectors: Vec<Value> =
            (0..count).map(|index| json!({ "index": index, "embedding": vec![0.5_f32; 384] })).collect();
        Json(json!({ "data": vectors }))
    };
    let answer = async || "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"}}]}\n\ndata: [DONE]\n\n";
    let ranking = async || {
        Json(json!({ "results": [{ "index": 0, "relevance_score": 0.9 }, { "index": 1, "relevance_score": 0.1 }] }))
    };
    Router::new()
        .route("/v1/embeddings", post(embeddings))
        .route("/v1/chat/completions", post(answer))
        .route("/rerank", post(ranking))
        .fallback(async || StatusCode::FORBIDDEN.into_response())
}

/// The settings of an installation whose servers all have such a certificate.
async fn settings(platform: &Platform, valkey: &Valkey) -> Vec<(&'static str, String)> {
    let database = platform.db.settings().url;
    let database_port = with_tls(host_of(&database), true).await;
    let mut database = Url::parse(&database).unwrap();
    database.set_host(Some("localhost")).unwrap();
    database.set_port(Some(database_port)).unwrap();
    database.set_query(Some("sslmode=verify-full"));
    let provider = with_tls(host_of(&platform.keys.auth_url), false).await;
    let redis = with_tls(host_of(&valkey.url()), false).await;
    let model = with_tls(host_of(&platform.serve(model()).await), false).await;
    vec![
        ("SVC_DATABASE_URL", database.to_string()),
        ("SVC_DATABASE_PREPARED_STATEMENTS", platform.db.settings().prepared_statements.to_string()),
        ("SVC_AUTH_URL", format!("https://localhost:{provider}")),
        ("SVC_AUTH_PEOPLE_CLIENT_SECRET", PROVIDER_SECRET.to_owned()),
        ("SVC_REDIS_URL", format!("rediss://localhost:{redis}/0")),
        ("SVC_EMBEDDINGS_URL", format!("https://localhost:{model}/v1")),
        ("SVC_EMBEDDINGS_MODEL", "vectors".to_owned()),
        ("SVC_GENERATOR_URL", format!("https://localhost:{model}/v1")),
        ("SVC_GENERATOR_MODEL", "words".to_owned()),
        ("SVC_RERANKER_URL", format!("https://localhost:{model}")),
        ("SVC_RERANKER_MODEL", "order".to_owned()),
        ("SVC_QDRANT_URL", format!("https://localhost:{model}")),
        ("SVC_UPLOADS_URL", "s3://bucket".to_owned()),
        ("SVC_UPLOADS_ENDPOINT", format!("https://localhost:{model}")),
        ("SVC_UPLOADS_ACCESS_KEY_ID", "key".to_owned()),
        ("SVC_UPLOADS_SECRET_ACCESS_KEY", "secret".to_owned()),
    ]
}

async fn doctor(settings: &[(&str, String)], ca_file: Option<&Path>) -> Output {
    let file = ca_file.map(|file| ("SVC_TLS_CA_FILE", file.display().to_string()));
    command::run(&["doctor", "--json"], &settings.iter().cloned().chain(file).collect::<Vec<_>>()).await
}

async fn checks(settings: &[(&str, String)], ca_file: Option<&Path>) -> Vec<Value> {
    let output = doctor(settings, ca_file).await;
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    report["checks"].as_array().unwrap().clone()
}

/// Finding and status of the first check with this name.
fn check<'a>(checks: &'a [Value], area: &str, name: &str) -> (&'a str, &'a str) {
    let check = checks.iter().find(|check| check["area"] == area && check["name"] == name);
    let check = check.unwrap_or_else(|| panic!("no {area}.{name}: {checks:#?}"));
    (check["status"].as_str().unwrap(), check["finding"].as_str().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_authority_of_the_file_is_trusted_by_every_connection() {
    let platform = Platform::start().await;
    let valkey = Valkey::start();
    let settings = settings(&platform, &valkey).await;
    platform.http.get(format!("{}/realms/svc-tenants", platform.keys.auth_url)).send().await.unwrap();
    let authority = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/support/tls/authority.pem");
    let distrusting = checks(&settings, None).await;
    let trusting = checks(&settings, Some(&authority)).await;
    let parts = [
        ("database", "connection"),
        ("identity", "discovery"),
        ("models", "embeddings"),
        ("models", "generator"),
        ("services", "redis"),
        ("network", "certificate"),
    ];
    for (area, name) in parts {
        assert_eq!(check(&distrusting, area, name).0, "failed", "{area}.{name}");
        assert_eq!(check(&trusting, area, name).0, "ok", "{area}.{name}: {}", check(&trusting, area, name).1);
    }
    // These answer with an error, over a connection that is trusted.
    for (area, name) in [("models", "reranker"), ("services", "vectors"), ("machine", "storage")] {
        let (status, finding) = check(&trusting, area, name);
        assert!(status == "ok" || finding.contains("403"), "{area}.{name}: {finding}");
        let (status, finding) = check(&distrusting, area, name);
        assert!(status == "failed" && !finding.contains("403"), "{area}.{name}: {finding}");
    }
}

#[tokio::test]
async fn every_command_refuses_a_file_without_authorities() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let empty = doctor(&[], Some(file.path())).await;
    file.write_all(b"-----BEGIN CERTIFICATE-----\nnonsense\n").unwrap();
    let broken = doctor(&[], Some(file.path())).await;
    let absent = doctor(&[], Some(Path::new("/nowhere/ca.pem"))).await;
    for (output, expected) in [
        (empty, "cannot be used: it has no certificate"),
        (broken, "cannot be used"),
        (absent, "cannot be read: No such"),
    ] {
        let text = command::refusal(&output);
        assert!(text.starts_with("the file of certificate authorities") && text.contains(expected), "{text}");
    }
}

/// A client that another place makes would trust other authorities.
#[test]
fn clients_are_made_in_one_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "store/src", "rag/src", "idp/src"] {
        for entry in walk(&root.join(folder)) {
            let text = std::fs::read_to_string(&entry).unwrap();
            let product = text.split("#[cfg(test)]").next().unwrap_or_default();
            let makes = [
                "Client::builder()",
                "reqwest::Client::new()",
                "ClientConfig::builder",
                "redis::Client::open",
                "webpki_roots",
            ];
            if makes.iter().any(|call| product.contains(call)) {
                files.push(entry.strip_prefix(root).unwrap().display().to_string());
            }
        }
    }
    // The second is asked whether a text is an address.
    files.sort();
    assert_eq!(files, ["src/admission/rate_limit/shared.rs", "src/config/settings/process.rs"]);
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs"))
        .collect()
}
