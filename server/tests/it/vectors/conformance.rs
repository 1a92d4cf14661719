//! Invariants of every vector store.

use std::{cell::RefCell, collections::HashSet, path::Path};

use rag::embed::cosine;
use serde_json::json;
use uuid::Uuid;

use super::{clear, ready, search, subjects};
use crate::{
    mutations::template,
    support::{Platform, Tenant},
};

const RETURNS: &str = "# Returns\n\nItems can be returned within thirty days.\n";
const SHIPPING: &str = "# Shipping\n\nParcels arrive after two working days.\n";
const PAYMENT: &str = "# Payment\n\nInvoices are paid by bank transfer.\n";

/// A folder with three documents, which the chatbot reads.
async fn library(platform: &Platform, tenant: Tenant) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("returns.md", RETURNS), ("shipping.md", SHIPPING), ("payment.md", PAYMENT)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    read(platform, tenant, folder.path()).await;
    folder
}

/// Reads a folder again and prunes deleted files.
async fn read(platform: &Platform, tenant: Tenant, folder: &Path) {
    let chatbot = server::service::knowledge::ingestion::find_chatbot(&platform.app, &tenant.chatbot.to_string(), None)
        .await
        .unwrap();
    let report =
        server::service::knowledge::ingestion::run(&platform.app, &chatbot, &[folder.to_owned()], true).await.unwrap();
    assert!(report.skipped.is_empty(), "{report}");
}

async fn passages(platform: &Platform, tenant: Tenant) -> HashSet<Uuid> {
    let ids: Vec<Uuid> = sqlx::query_scalar("select id from passages where chatbot_id = $1")
        .bind(tenant.chatbot.0)
        .fetch_all(platform.everything())
        .await
        .unwrap();
    ids.into_iter().collect()
}

#[tokio::test]
async fn every_store_finds_the_nearest_passages_in_order() {
    for subject in subjects().await {
        let (platform, name) = (&subject.platform, subject.name);
        let tenant = ready(platform, "one").await;
        let _folder = library(platform, tenant).await;
        let question = "How long do I have to send something back?";
        let nearest = search(platform, tenant, question, 3).await.unwrap().nearest;
        assert_eq!(nearest.len(), 3, "{name}");
        assert!(nearest[0].content.contains("thirty days"), "{name}: {nearest:?}");
        assert!(nearest.is_sorted_by(|left, right| left.cosine >= right.cosine), "{name}: {nearest:?}");
        let vector = platform
            .app
            .embedders
            .of_language("en")
            .embed(vec![question.to_owned()], rag::embed::Purpose::Query)
            .await
            .unwrap()
            .remove(0);
        for hit in &nearest {
            let stored: pgvector::Vector = sqlx::query_scalar("select embedding from passages where id = $1")
                .bind(hit.id)
                .fetch_one(platform.everything())
                .await
                .unwrap();
            let exact = cosine(&vector, stored.as_slice());
            assert!((hit.cosine - exact).abs() < 1e-4, "{name}: {} is not {exact}", hit.cosine);
        }
        let one = search(platform, tenant, question, 1).await.unwrap();
        assert_eq!(one.nearest.len(), 1, "{name}");
        assert_eq!(one.nearest[0].id, nearest[0].id, "{name}");
        clear(platform, &[tenant]).await;
    }
}

#[tokio::test]
async fn in_every_store_new_versions_replace_old_ones() {
    for subject in subjects().await {
        let (platform, name) = (&subject.platform, subject.name);
        let tenant = ready(platform, "one").await;
        let folder = library(platform, tenant).await;
        std::fs::write(folder.path().join("returns.md"), RETURNS.replace("thirty", "ninety")).unwrap();
        std::fs::remove_file(folder.path().join("payment.md")).unwrap();
        read(platform, tenant, folder.path()).await;
        let nearest =
            search(platform, tenant, "Within how many days can items be returned?", 10).await.unwrap().nearest;
        let contents: Vec<&str> = nearest.iter().map(|passage| passage.content.as_str()).collect();
        assert_eq!(contents.len(), 2, "{name}: {contents:?}");
        assert!(contents[0].contains("ninety days"), "{name}: {contents:?}");
        if let Some(external) = platform.app.vectors.external() {
            let indexed = external.ids(super::space(platform, tenant)).await.unwrap();
            assert_eq!(indexed, passages(platform, tenant).await, "{name}: nothing is left over");
        }
        clear(platform, &[tenant]).await;
    }
}

#[tokio::test]
async fn in_every_store_readers_see_whole_versions_of_a_document() {
    for subject in subjects().await {
        let (platform, name) = (&subject.platform, subject.name);
        let tenant = ready(platform, "one").await;
        let folder = tempfile::tempdir().unwrap();
        let write = |version: usize| {
            let sentence = |part| format!("Version {version} of part {part} of the manual. ");
            let part = |part| format!("# Part {part}\n\n{}\n\n", sentence(part).repeat(15));
            std::fs::write(folder.path().join("manual.md"), (0..4).map(part).collect::<String>()).unwrap();
        };
        write(0);
        read(platform, tenant, folder.path()).await;
        let parts = passages(platform, tenant).await.len();
        assert!(parts > 2, "{name}");
        let seen_versions = RefCell::new(HashSet::new());
        let writing = async {
            let mut version = 0;
            // At least until somebody has read meanwhile.
            while version < 5 || seen_versions.borrow().is_empty() {
                version += 1;
                write(version);
                read(platform, tenant, folder.path()).await;
            }
        };
        let reading = async {
            loop {
                let nearest = search(platform, tenant, "part of the manual", 10).await.unwrap().nearest;
                let versions: HashSet<String> = nearest
                    .iter()
                    .map(|passage| passage.content.split(" of part").next().unwrap().to_owned())
                    .collect();
                assert_eq!((versions.len(), nearest.len()), (1, parts), "{name}: {nearest:?}");
                seen_versions.borrow_mut().extend(versions);
            }
        };
        tokio::select! {
            () = writing => {}
            () = reading => {}
        }
        clear(platform, &[tenant]).await;
    }
}

#[tokio::test]
async fn in_every_store_a_chatbot_never_finds_another_ones_passages() {
    for subject in subjects().await {
        let (platform, name) = (&subject.platform, subject.name);
        let tenants = [ready(platform, "one").await, ready(platform, "other").await];
        for tenant in tenants {
            library(platform, tenant).await;
        }
        for tenant in tenants {
            let results = search(platform, tenant, "When do parcels arrive?", 50).await.unwrap();
            let ids: HashSet<Uuid> =
                results.nearest.iter().chain(&results.matching).map(|passage| passage.id).collect();
            assert_eq!(ids, passages(platform, tenant).await, "{name}");
        }
        // Another tenant's words for the same chatbot find nothing.
        let stranger = Tenant { id: tenants[1].id, chatbot: tenants[0].chatbot };
        assert!(search(platform, stranger, "When do parcels arrive?", 50).await.unwrap().nearest.is_empty(), "{name}");
        clear(platform, &tenants).await;
    }
}

#[tokio::test]
async fn in_every_store_a_new_chatbot_has_its_templates_faq() {
    for subject in subjects().await {
        let (platform, name) = (&subject.platform, subject.name);
        let tenant = ready(platform, "one").await;
        assert_eq!(platform.operator().post("/api/v1/operator/templates", &template("support-en")).await.status, 201);
        let body = json!({ "slug": "support", "name": "Support", "template_id": "support-en" });
        let created = platform.admin(tenant.id).post("/api/v1/tenants/me/chatbots", &body).await;
        assert_eq!(created.status, 201, "{name}: {created:?}");
        let support = Tenant { chatbot: created.body["id"].as_str().unwrap().parse().unwrap(), ..tenant };
        platform.provisioned(support.chatbot).await;
        assert_eq!(search(platform, support, "anything", 5).await.unwrap().nearest.len(), 1, "{name}");
        clear(platform, &[tenant, support]).await;
    }
}
