//! Storage in a bucket of an S3-compatible service.

use std::{fmt, io, sync::Arc, time::Duration};

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream::BoxStream};
use object_store::{
    Certificate, ClientOptions, ObjectStore, ObjectStoreExt, PutMode, RetryConfig,
    aws::{AmazonS3, AmazonS3Builder},
    buffered::BufWriter,
    path::Path,
};
use tempfile::{NamedTempFile, TempPath};
use tokio::io::AsyncWriteExt;
use url::Url;

use super::Error;
use crate::config::Secret;

/// A larger object is sent in parts of this size, two at a time.
const PART_BYTES: usize = 8 * 1024 * 1024;
const MAX_CONCURRENT_PARTS: usize = 2;
/// Longest waits for a connection, for one request, and for all attempts of one.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(300);
const TOTAL_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_RETRIES: usize = 2;

/// A bucket and who may use it.
#[derive(Debug, Clone)]
pub struct BucketSettings {
    /// `s3://bucket` or `s3://bucket/prefix`.
    pub url: Url,
    /// The service's address; AWS when `None`.
    pub endpoint: Option<Url>,
    /// Such as `eu-central-1`.
    pub region: String,
    /// The access key; without one, AWS's variables and roles are used.
    pub access_key_id: String,
    /// Goes with `access_key_id`.
    pub secret_access_key: Option<Secret>,
}

/// The objects below a prefix of a bucket.
pub(super) struct Bucket {
    objects: Arc<AmazonS3>,
    url: Url,
}

impl fmt::Debug for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bucket({})", self.url)
    }
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.fmt(f)
    }
}

impl From<object_store::Error> for Error {
    fn from(error: object_store::Error) -> Self {
        match error {
            object_store::Error::NotFound { .. } => Self::NotFound,
            error => Self::Bucket(error.to_string()),
        }
    }
}

impl Bucket {
    pub(super) fn new(settings: &BucketSettings) -> Result<Self, Error> {
        let mut builder = match &settings.secret_access_key {
            None => AmazonS3Builder::from_env(),
            Some(secret) => AmazonS3Builder::new()
                .with_access_key_id(&settings.access_key_id)
                .with_secret_access_key(secret.expose()),
        };
        let is_plain = settings.endpoint.as_ref().is_some_and(|endpoint| endpoint.scheme() == "http");
        let retry = RetryConfig { max_retries: MAX_RETRIES, retry_timeout: TOTAL_TIMEOUT, ..RetryConfig::default() };
        let mut client = ClientOptions::new()
            .with_connect_timeout(CONNECT_TIMEOUT)
            .with_timeout(REQUEST_TIMEOUT)
            .with_allow_http(is_plain);
        for authority in tls::of_file() {
            client = client.with_root_certificate(Certificate::from_der(authority)?);
        }
        builder = builder
            .with_bucket_name(settings.url.host_str().unwrap_or_default())
            .with_region(&settings.region)
            .with_retry(retry)
            .with_client_options(client);
        if let Some(endpoint) = &settings.endpoint {
            builder = builder.with_endpoint(endpoint.as_str().trim_end_matches('/'));
        }
        Ok(Self { objects: Arc::new(builder.build()?), url: settings.url.clone() })
    }

    fn path(&self, key: &str) -> Path {
        Path::from(format!("{}/{key}", self.url.path()))
    }

    /// The text of an object, which is created with `new` if it is missing. If several processes create it
    /// concurrently, one wins.
    pub(super) async fn read_or_create(&self, key: &str, new: &str) -> Result<String, Error> {
        let path = self.path(key);
        match self.text(&path).await {
            Err(Error::NotFound) => {}
            read => return read,
        }
        match self.objects.put_opts(&path, new.to_owned().into(), PutMode::Create.into()).await {
            Ok(_) | Err(object_store::Error::AlreadyExists { .. }) => self.text(&path).await,
            Err(error) => Err(error.into()),
        }
    }

    pub(super) async fn is_empty(&self) -> Result<bool, Error> {
        let prefix = Path::from(self.url.path());
        Ok(self.objects.list(Some(&prefix)).try_next().await?.is_none())
    }

    async fn text(&self, path: &Path) -> Result<String, Error> {
        let bytes = self.objects.get(path).await?.bytes().await?;
        String::from_utf8(bytes.into()).map_err(|_| Error::UnknownId)
    }

    pub(super) fn create(&self, key: &str) -> NewObject {
        let objects: Arc<dyn ObjectStore> = Arc::<AmazonS3>::clone(&self.objects);
        NewObject(
            BufWriter::with_capacity(objects, self.path(key), PART_BYTES).with_max_concurrency(MAX_CONCURRENT_PARTS),
        )
    }

    /// The content of an object while it arrives, and its length.
    pub(super) async fn read(&self, key: &str) -> Result<(u64, BoxStream<'static, Result<Bytes, Error>>), Error> {
        let object = self.objects.get(&self.path(key)).await?;
        Ok((object.meta.size, object.into_stream().map_err(Error::from).boxed()))
    }

    /// Copies an object into a temporary file of this machine.
    pub(super) async fn download(&self, key: &str) -> Result<TempPath, Error> {
        let mut content = self.objects.get(&self.path(key)).await?.into_stream();
        let file = tokio::task::spawn_blocking(NamedTempFile::new).await.map_err(io::Error::other)??;
        let (file, path) = file.into_parts();
        let mut file = tokio::fs::File::from_std(file);
        while let Some(piece) = content.next().await {
            file.write_all(&piece?).await?;
        }
        file.flush().await?;
        Ok(path)
    }

    pub(super) async fn copy(&self, from: &str, to: &str) -> Result<(), Error> {
        Ok(self.objects.copy(&self.path(from), &self.path(to)).await?)
    }

    pub(super) async fn remove(&self, key: &str) -> Result<(), Error> {
        match self.objects.delete(&self.path(key)).await {
            Err(object_store::Error::NotFound { .. }) => Ok(()),
            removed => Ok(removed?),
        }
    }
}

/// An object that is being uploaded. It becomes visible when it is finished.
#[derive(Debug)]
pub(super) struct NewObject(BufWriter);

impl NewObject {
    pub(super) async fn write(&mut self, piece: Bytes) -> Result<(), Error> {
        Ok(self.0.put(piece).await?)
    }

    pub(super) async fn finish(mut self) -> Result<(), Error> {
        Ok(self.0.shutdown().await?)
    }

    /// Discards the parts that were sent; on failure the bucket's rule for unfinished uploads removes them.
    pub(super) async fn abort(mut self) {
        if let Err(error) = self.0.abort().await {
            tracing::warn!(%error, "storage.not_aborted");
        }
    }
}
