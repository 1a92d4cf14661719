//! Archives that tenants upload: one document of many files, with bounds for the archive and for each file.

use serde_json::json;
use uuid::Uuid;

use super::{HOURS, Source};
use crate::{
    sandbox::{hostile::zip, padded_text},
    support::{Platform, send},
};

#[tokio::test]
async fn an_archive_is_one_document_with_many_files() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    let first = zip(&[
        ("a.md", b"# Alpha\n\nThe first file.\n"),
        ("sub/b.html", b"<title>Beta</title><p>The second file.</p>"),
        ("c.md", b"\xff\xfe\x00"),
        ("picture.png", b"\x89PNG"),
    ]);
    let read = source.read("guides.zip", first).await;
    assert_eq!((&read["state"], &read["files"], &read["passages"]), (&json!("ready"), &json!(2), &json!(2)), "{read}");
    let skipped: Vec<_> =
        read["skipped"].as_array().unwrap().iter().map(|file| (&file["path"], &file["code"])).collect();
    assert_eq!(
        skipped,
        [(&json!("c.md"), &json!("bad_encoding")), (&json!("picture.png"), &json!("unsupported_type"))]
    );
    let second = zip(&[("a.md", b"# Alpha\n\nThe first file.\n"), ("d.md", b"# Delta\n\nThe third file.\n")]);
    let read = source.read("guides.zip", second).await;
    assert_eq!((&read["state"], &read["files"], &read["version"]), (&json!("ready"), &json!(2), &json!(1)), "{read}");
    let passages = platform.viewer(tenant.id).get(&format!("{}/documents/guides.zip/passages", source.path)).await;
    let paths: Vec<_> = passages.body["items"].as_array().unwrap().iter().map(|p| &p["path"]).collect();
    assert_eq!(paths, ["guides.zip/a.md", "guides.zip/d.md"]);
    let nothing = source.read("nothing.zip", zip(&[("picture.png", b"\x89PNG")])).await;
    assert_eq!(nothing["problem"]["code"], "nothing_readable", "{nothing}");
    assert_eq!(source.delete("guides.zip").await.status, 204);
    assert_eq!((source.count("documents").await, source.count("passages").await), (0, 0));
}

#[tokio::test]
async fn a_file_of_an_archive_over_the_quota_keeps_its_version() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source.read("guides.zip", zip(&[("a.md", HOURS.as_bytes()), ("b.md", b"# Cars\n\nParking is free.\n")])).await;
    let used = source.count("passages").await;
    let path = format!("/api/v1/platform/tenants/{}", tenant.id);
    let quotas = json!({ "quotas": { "passages": used } });
    assert_eq!(platform.operator().patch(&path, &quotas).await.status, 200);
    let chapter =
        |number| format!("## Chapter {number}\n\n{}\n", "The harbour lends a bicycle to its guests. ".repeat(60));
    let long: String = (0..5).map(chapter).collect();
    let second = zip(&[("a.md", long.as_bytes()), ("b.md", b"# Cars\n\nParking costs one coin.\n")]);
    let read = source.read("guides.zip", second).await;
    assert_eq!((&read["state"], &read["files"]), (&json!("ready"), &json!(2)), "{read}");
    let skipped: Vec<_> =
        read["skipped"].as_array().unwrap().iter().map(|file| (&file["path"], &file["code"])).collect();
    assert_eq!(skipped, [(&json!("a.md"), &json!("quota_passages"))]);
    let passages = platform.viewer(tenant.id).get(&format!("{}/documents/guides.zip/passages", source.path)).await;
    let texts: Vec<_> = passages.body["items"].as_array().unwrap().iter().map(|p| p["content"].to_string()).collect();
    let [hours, cars] = texts.as_slice() else { panic!("{texts:?}") };
    assert!(hours.contains("nine in the morning") && cars.contains("one coin"), "{texts:?}");
}

#[tokio::test]
async fn an_archive_may_be_larger_than_a_file() {
    let platform = Platform::start_with(|settings| settings.uploads.max_archive_bytes = 1536 * 1024).await;
    let tenant = platform.add_tenant("one").await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    let refused = source.put("a.md", vec![b'a'; 1024 * 1024 + 1]).await;
    assert_eq!((refused.status, refused.body["errors"][0]["limit"].as_u64()), (413, Some(1024 * 1024)), "{refused:?}");
    // Random bytes, which do not shrink in an archive.
    let padding: Vec<_> = (0..80 * 1024).flat_map(|_| Uuid::new_v4().into_bytes()).collect();
    let archive = zip(&[("hours.md", HOURS.as_bytes()), ("padding.bin", padding.as_slice())]);
    let read = source.read("manuals.zip", archive.clone()).await;
    assert_eq!((&read["state"], &read["files"]), (&json!("ready"), &json!(1)), "{read}");
    // The content type gives the type of a file whose name has no extension.
    let path = format!("{}/documents/manuals-42", source.path);
    let put = platform.admin(tenant.id).request("PUT", &path).header("content-type", "application/zip");
    assert_eq!(send(put.body(archive)).await.status, 200);
    let refused = source.put("large.zip", vec![b'a'; 1536 * 1024 + 1]).await;
    assert_eq!((refused.status, refused.detail()), (413, "payload_too_large"));
    assert_eq!(refused.body["errors"][0]["limit"].as_u64(), Some(1536 * 1024), "{refused:?}");
}

#[tokio::test]
async fn files_of_an_archive_have_the_bound_of_a_file() {
    let platform = Platform::start_with(|settings| settings.uploads.max_file_bytes = 12 * 1024 * 1024).await;
    let tenant = platform.add_tenant("one").await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    let archive = zip(&[
        ("large.txt", padded_text("Large", 12_000_000).as_slice()),
        ("beyond.txt", &padded_text("Beyond", 13_000_000)),
        ("hours.md", HOURS.as_bytes()),
    ]);
    let read = source.read("manuals.zip", archive).await;
    assert_eq!((&read["state"], &read["files"]), (&json!("ready"), &json!(2)), "{read}");
    let detail = "the file has more than the 12582912 bytes that are read";
    assert_eq!(read["skipped"], json!([{ "path": "beyond.txt", "code": "too_large", "detail": detail }]), "{read}");
}
