//! What is handed out of the stored files, from a storage that counts how often it is read.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use axum::{
    Router,
    body::Bytes,
    extract::{Path, State},
    response::{IntoResponse, Response},
    routing::get,
};
use http::StatusCode;
use server::{
    config::Secret,
    storage::{BucketSettings, Storage},
};

use super::{HOURS, Source};
use crate::support::{Platform, send};

/// The objects of a bucket, and how often their content was read.
#[derive(Clone, Default)]
struct Bucket {
    objects: Arc<Mutex<HashMap<String, Bytes>>>,
    reads: Arc<AtomicUsize>,
}

async fn read(State(bucket): State<Bucket>, Path(key): Path<String>) -> Response {
    let object = bucket.objects.lock().unwrap().get(&key).cloned();
    let Some(object) = object else { return StatusCode::NOT_FOUND.into_response() };
    if !key.ends_with(".storage-id") {
        bucket.reads.fetch_add(1, Ordering::Relaxed);
    }
    let headers = [("etag", "\"tag\""), ("last-modified", "Wed, 21 Oct 2015 07:28:00 GMT")];
    (headers, object).into_response()
}

async fn write(State(bucket): State<Bucket>, Path(key): Path<String>, body: Bytes) -> Response {
    bucket.objects.lock().unwrap().insert(key, body);
    ([("etag", "\"tag\"")], StatusCode::OK).into_response()
}

impl Bucket {
    /// Serves the bucket at an address.
    async fn serve(&self) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/{*key}", get(read).put(write)).with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        format!("http://{address}")
    }

    fn reads(&self) -> usize {
        self.reads.load(Ordering::Relaxed)
    }
}

#[tokio::test]
async fn a_file_is_read_only_for_its_content() {
    let bucket = Bucket::default();
    let settings = BucketSettings {
        url: "s3://files/tests".parse().unwrap(),
        endpoint: Some(bucket.serve().await.parse().unwrap()),
        region: "us-east-1".to_owned(),
        access_key_id: "test".to_owned(),
        secret_access_key: Some(Secret::new("test")),
    };
    let storage = Arc::new(Storage::in_bucket(&settings).unwrap());
    let platform = Platform::start_with(|settings| settings.uploads.storage = storage).await;
    let tenant = platform.add_tenant("one").await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source.read("hours.md", HOURS).await;
    assert!(source.let_visitors_open(true).await.status < 300);
    let visitors = super::visitors::section(&platform, tenant).await["file"]["url"].as_str().unwrap().to_owned();
    let visitors = super::visitors::path(&platform, &visitors).to_owned();
    let own = format!("{}/documents/hours.md/original", source.path);
    for (client, path) in [(platform.viewer(tenant.id), &own), (platform.anonymous(), &visitors)] {
        let before = bucket.reads();
        let opened = client.get(path).await;
        assert_eq!((opened.status, opened.text.as_str(), bucket.reads()), (200, HOURS, before + 1), "{path}");
        let head = send(client.request("HEAD", path)).await;
        assert_eq!((head.status, head.text.as_str()), (200, ""), "{path}");
        for name in ["etag", "content-type", "content-disposition", "content-length"] {
            assert_eq!(head.header(name), opened.header(name), "{name} of {path}");
        }
        let tag = opened.header("etag").unwrap();
        for method in ["GET", "HEAD"] {
            let conditional = send(client.request(method, path).header("if-none-match", tag)).await;
            assert_eq!((conditional.status, conditional.header("etag")), (304, Some(tag)), "{path}");
        }
        assert_eq!(bucket.reads(), before + 1, "HEAD and 304 read nothing: {path}");
    }
    // Bytes of the same length that are not those of the upload are not handed out as a whole.
    let forged = HOURS.replace("nine", "five");
    bucket.objects.lock().unwrap().values_mut().for_each(|object| {
        if object.as_ref() == HOURS.as_bytes() {
            *object = Bytes::from(forged.clone());
        }
    });
    let answer = platform.viewer(tenant.id).request("GET", &own).send().await;
    let is_whole = match answer {
        Ok(answer) => answer.bytes().await.is_ok(),
        Err(_) => false,
    };
    assert!(!is_whole, "the content ends early");
}
