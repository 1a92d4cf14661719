//! Files that are refused as duplicates, and what documents leave out.

use serde_json::json;

use super::{HOURS, Source};
use crate::{sandbox::hostile::zip, support::Platform};

const PARKING: &str = "# Parking\n\nParking behind the shop is free for two hours.\n";

#[tokio::test]
async fn a_duplicate_is_read_when_the_other_document_is_deleted() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let (one, two) =
        (Source::make(&platform, tenant, "Manuals").await, Source::make(&platform, tenant, "Branches").await);
    one.read("a.md", HOURS).await;
    assert_eq!(two.read("b.md", HOURS).await["problem"]["code"], "duplicate");
    assert_eq!(two.read("other.md", "").await["problem"]["code"], "no_text");

    assert_eq!(one.delete("a.md").await.status, 204);
    assert_eq!(two.get("b.md").await.body["state"], "waiting", "a job reads it");
    assert_eq!(two.get("other.md").await.body["state"], "failed");
    platform.work_off_jobs().await;
    let read = two.get("b.md").await.body;
    assert_eq!((&read["state"], &read["passages"], &read["problem"]), (&json!("ready"), &json!(1), &json!(null)));
    let answer = two.ask("When does the shop open?").await;
    assert!(answer["answer"].as_str().unwrap().contains("nine in the morning"), "{answer}");

    one.read("c.md", HOURS).await;
    assert_eq!(platform.admin(tenant.id).delete(&two.path).await.status, 204);
    platform.work_off_jobs().await;
    assert_eq!(one.get("c.md").await.body["state"], "ready", "after its source was deleted too");
}

#[tokio::test]
async fn a_duplicate_is_read_when_the_other_document_changes() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    source.read("a.md", HOURS).await;
    source.read("b.md", HOURS).await;
    let both = zip(&[("x.md", HOURS.as_bytes()), ("y.md", PARKING.as_bytes())]);
    assert_eq!(source.read("more.zip", both).await["skipped"][0]["code"], "duplicate");

    source.read("a.md", HOURS.replace("nine", "ten")).await;
    let read = source.get("b.md").await.body;
    assert_eq!((&read["state"], &read["passages"]), (&json!("ready"), &json!(1)));
    assert_eq!(source.get("more.zip").await.body["skipped"].as_array().unwrap().len(), 1, "it has another content now");

    source.delete("a.md").await;
    source.delete("b.md").await;
    platform.work_off_jobs().await;
    let read = source.get("more.zip").await.body;
    assert_eq!((&read["files"], &read["skipped"]), (&json!(2), &json!([])));
}

#[tokio::test]
async fn a_document_says_what_of_its_file_it_leaves_out() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let source = Source::make(&platform, tenant, "Manuals").await;
    let ferry = "# Ferry\n\nThe ferry costs ~~24 \u{20ac}~~ 18 \u{20ac}, a bike ~~6~~ 4 \u{20ac}.\n";
    let left_out = json!([{ "kind": "struck_text", "count": 2 }]);
    assert_eq!(source.read("ferry.md", ferry).await["omissions"], left_out);
    assert_eq!(source.read("hours.md", HOURS).await["omissions"], json!([]));
    let page = b"<p>A lamp costs <del>9</del> 8 euros.</p><p style='display:none'>Margin 3</p>".as_slice();
    let archive = zip(&[("a.html", page), ("b.md", b"It costs ~~5~~ 4 euros.")]);
    let left_out = json!([{ "kind": "hidden_text", "count": 1 }, { "kind": "struck_text", "count": 2 }]);
    assert_eq!(source.read("more.zip", archive).await["omissions"], left_out);
    let path = format!("/api/v1/tenants/me/chatbots/{}/documents", tenant.chatbot);
    let listed = platform.viewer(tenant.id).get(&path).await.body;
    assert_eq!(listed["items"].as_array().unwrap().iter().filter(|one| one["omissions"] == left_out).count(), 1);
}
