use super::*;
use crate::config::Secret;

async fn write(storage: &Storage, key: &str, pieces: &[&'static [u8]]) -> Result<String, Error> {
    let mut writer = storage.create(key).await?;
    for piece in pieces {
        writer.write(Bytes::from_static(piece)).await?;
    }
    writer.finish().await
}

async fn holds(storage: &Storage, key: &str, hash: &str) -> bool {
    match storage.fetch(key).await {
        Ok(file) => file.has_hash(hash).await.unwrap(),
        Err(Error::NotFound) => false,
        Err(error) => panic!("{error}"),
    }
}

fn in_bucket(prefix: &str, service: &str, secret: &str) -> Storage {
    let settings = BucketSettings {
        url: format!("s3://originals/{prefix}").parse().unwrap(),
        endpoint: Some(service.parse().unwrap()),
        region: "us-east-1".to_owned(),
        access_key_id: "test".to_owned(),
        secret_access_key: Some(Secret::new(secret)),
    };
    Storage::in_bucket(&settings).unwrap()
}

fn in_folder(folder: &Path) -> Storage {
    Storage::in_folder(folder.to_owned())
}

/// Invariants of every storage.
async fn check(storage: &Storage) {
    let hash = write(storage, "tenant/one", &[b"some ", b"words"]).await.unwrap();
    assert_eq!(hash, hex::encode(&Sha256::digest(b"some words")));
    assert!(holds(storage, "tenant/one", &hash).await);
    storage.copy("tenant/one", "tenant/two").await.unwrap();
    storage.remove("tenant/one").await.unwrap();
    storage.remove("tenant/one").await.unwrap();
    assert!(!holds(storage, "tenant/one", &hash).await);
    assert!(holds(storage, "tenant/two", &hash).await);
    assert!(matches!(storage.copy("tenant/one", "tenant/three").await, Err(Error::NotFound)));
    storage.remove("tenant/two").await.unwrap();
}

#[tokio::test]
async fn files_are_written_read_copied_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let storage = in_folder(folder.path());
    check(&storage).await;
    write(&storage, "tenant/one", &[b"some"]).await.unwrap();
    assert!(write(&storage, "tenant/one", &[b"other"]).await.is_err(), "no file is overwritten");
}

#[tokio::test]
async fn a_last_write_to_a_full_disk_is_an_error() {
    let full = tokio::fs::OpenOptions::new().write(true).open("/dev/full").await.unwrap();
    let mut writer = Writer { place: NewFile::File(full), hash: Sha256::new(), bytes: 0 };
    writer.write(Bytes::from_static(b"some words")).await.unwrap();
    let finished = writer.finish().await;
    let is_reported = matches!(&finished, Err(Error::Io(error)) if error.kind() == io::ErrorKind::StorageFull);
    assert!(is_reported, "{finished:?}");
}

#[tokio::test]
async fn a_folder_keeps_its_id_and_processes_that_meet_there_agree() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let processes: Vec<Storage> = (0..8).map(|_| in_folder(one.path())).collect();
    let ids = futures::future::try_join_all(processes.iter().map(Storage::id)).await.unwrap();
    assert!(ids.iter().all(|id| *id == ids[0]));
    assert_eq!(in_folder(one.path()).id().await.unwrap(), ids[0]);
    assert_ne!(in_folder(other.path()).id().await.unwrap(), ids[0]);
    std::fs::write(other.path().join(ID_KEY), "no id").unwrap();
    assert!(matches!(in_folder(other.path()).id().await, Err(Error::UnknownId)));
}

/// The address of the service that `make test-s3` starts.
fn service() -> String {
    std::env::var("TEST_S3").unwrap()
}

#[tokio::test]
#[ignore = "make test-s3"]
async fn a_bucket_keeps_files_as_a_folder_does() {
    let storage = in_bucket("conformance", &service(), "test");
    check(&storage).await;
    let same = in_bucket("conformance", &service(), "test");
    assert_eq!(storage.id().await.unwrap(), same.id().await.unwrap());
    assert_ne!(storage.id().await.unwrap(), in_bucket("another", &service(), "test").id().await.unwrap());
}

#[tokio::test]
#[ignore = "make test-s3"]
async fn a_bucket_gets_large_files_in_parts_and_no_aborted_ones() {
    const PIECE: &[u8] = &[7; 1024 * 1024];
    let storage = in_bucket("large", &service(), "test");
    let hash = write(&storage, "whole", &[PIECE; 25]).await.unwrap();
    assert!(holds(&storage, "whole", &hash).await);
    let mut writer = storage.create("cut").await.unwrap();
    for _ in 0..25 {
        writer.write(Bytes::from_static(PIECE)).await.unwrap();
    }
    writer.abort().await;
    assert!(matches!(storage.fetch("cut").await, Err(Error::NotFound)));
}

#[tokio::test]
#[ignore = "make test-s3"]
async fn a_bucket_that_refuses_or_is_silent_is_an_error_in_time() {
    let started = std::time::Instant::now();
    let refused = in_bucket("refused", &service(), "another secret").id().await.unwrap_err();
    assert!(matches!(refused, Error::Bucket(_)), "{refused}");
    assert!(!refused.to_string().contains("another secret"), "{refused}");
    assert!(matches!(in_bucket("away", "http://127.0.0.1:9", "test").id().await, Err(Error::Bucket(_))));
    assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
}
