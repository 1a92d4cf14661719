//! A store outside of the database that differs from it, and the way from one store to another.

use std::{collections::HashSet, sync::Arc};

use serde_json::json;
use server::service::knowledge::vector_sync::{SyncDepth, reconcile};
use store::vectors::PgVector;
use uuid::Uuid;

use super::{collection, on_fake, ready, search};
use crate::support::{Platform, Tenant, qdrant::FakeQdrant};

const DOCUMENT: &str = "# Returns\n\nItems can be returned within thirty days.\n";

fn kept(fake: &FakeQdrant, tenant: Tenant) -> HashSet<Uuid> {
    fake.memory.collections()[&collection(tenant).name()].points.keys().copied().collect()
}

async fn shown(platform: &Platform, tenant: Tenant) -> String {
    sqlx::query_scalar("select provisioning from chatbots where id = $1")
        .bind(tenant.chatbot.0)
        .fetch_one(platform.everything())
        .await
        .unwrap()
}

#[tokio::test]
async fn a_lost_collection_is_restored_from_the_database() {
    let (fake, platform, tenant) = on_fake().await;
    platform.ingest(tenant, "returns.md", DOCUMENT).await;
    let points = kept(&fake, tenant);
    fake.memory.collections().clear();
    assert!(search(&platform, tenant, "returns", 5).await.is_err());
    reconcile(&platform.app, SyncDepth::Existence).await;
    assert_eq!(kept(&fake, tenant), points);
    assert_eq!(search(&platform, tenant, "returns", 5).await.unwrap().nearest.len(), 1);
}

#[tokio::test]
async fn points_that_are_missing_are_added_and_waste_is_removed() {
    let (fake, platform, tenant) = on_fake().await;
    platform.ingest(tenant, "returns.md", DOCUMENT).await;
    platform.ingest(tenant, "shipping.md", "# Shipping\n\nParcels arrive after two working days.\n").await;
    let points = kept(&fake, tenant);
    let lost = *points.iter().next().unwrap();
    let (waste, young) = (Uuid::new_v4(), Uuid::now_v7());
    {
        let mut collections = fake.memory.collections();
        let known = collections.get_mut(&collection(tenant).name()).unwrap();
        let point = known.points.remove(&lost).unwrap();
        known.points.insert(waste, point.clone());
        known.points.insert(young, point);
    }
    let found = search(&platform, tenant, "returns and shipping", 5).await.unwrap().nearest;
    assert_eq!(found.len(), 1, "what the database does not have is never shown: {found:?}");
    reconcile(&platform.app, SyncDepth::Existence).await;
    assert!(kept(&fake, tenant).contains(&waste), "only names were compared");
    reconcile(&platform.app, SyncDepth::Counts).await;
    let mut wanted = points;
    wanted.insert(young);
    assert_eq!(kept(&fake, tenant), wanted, "a young point may belong to a transaction under way");
}

#[tokio::test]
async fn points_of_others_in_a_chatbots_collection_are_never_found() {
    let (fake, platform, tenant) = on_fake().await;
    let other = ready(&platform, "other").await;
    platform.ingest(tenant, "returns.md", DOCUMENT).await;
    platform.ingest(other, "secret.md", "# Returns\n\nSecret: items can be returned within ten days.\n").await;
    let planted: Vec<_> = {
        let mut collections = fake.memory.collections();
        let foreign = collections[&collection(other).name()].points.clone();
        let own = collections.get_mut(&collection(tenant).name()).unwrap();
        own.points.extend(foreign.clone());
        foreign.into_iter().collect()
    };
    let found = search(&platform, tenant, "returns", 50).await.unwrap().nearest;
    assert!(found.len() == 1 && !found[0].hit.content.contains("Secret"), "the filter keeps them out: {found:?}");
    {
        let mut collections = fake.memory.collections();
        let own = collections.get_mut(&collection(tenant).name()).unwrap();
        for (id, (vector, _)) in planted {
            let payload = json!({ "tenant_id": tenant.id, "chatbot_id": tenant.chatbot });
            own.points.insert(id, (vector, payload));
        }
    }
    let found = search(&platform, tenant, "returns", 50).await.unwrap().nearest;
    assert!(found.len() == 1 && !found[0].hit.content.contains("Secret"), "the database keeps them out: {found:?}");
}

#[tokio::test]
async fn collections_without_an_active_chatbot_are_removed() {
    let (fake, platform, tenant) = on_fake().await;
    let (deleted, kept) = (ready(&platform, "deleted").await, ready(&platform, "kept").await);
    let path = format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot);
    assert_eq!(platform.admin(tenant.id).delete(&path).await.status, 204);
    let path = format!("/api/v1/platform/tenants/{}", deleted.id);
    assert_eq!(platform.operator().delete(&path).await.status, 204);
    let rows = platform.audit_rows().await;
    reconcile(&platform.app, SyncDepth::Existence).await;
    let names: Vec<String> = fake.memory.collections().keys().cloned().collect();
    assert_eq!(names, [collection(kept).name()]);
    for gone in [tenant, deleted] {
        assert_eq!(shown(&platform, gone).await, "pending");
    }
    assert_eq!(platform.audit_rows().await, rows);
}

#[tokio::test]
async fn a_platform_moves_from_one_store_to_the_other_and_back() {
    let (fake, platform, tenant) = on_fake().await;
    platform.ingest(tenant, "returns.md", DOCUMENT).await;
    let index = format!("{}_hnsw", collection(tenant).name());
    let stands = async || -> bool {
        let found = sqlx::query_scalar("select to_regclass($1) is not null").bind(&index);
        found.fetch_one(platform.everything()).await.unwrap()
    };
    assert!(!stands().await, "the database does not index what Qdrant does");
    let moved = platform.beside(Arc::new(PgVector)).await;
    reconcile(&moved, SyncDepth::Existence).await;
    assert!(stands().await);
    fake.memory.collections().clear();
    reconcile(&platform.app, SyncDepth::Existence).await;
    assert_eq!(kept(&fake, tenant).len(), 1);
    assert_eq!(search(&platform, tenant, "returns", 5).await.unwrap().nearest.len(), 1);
}

#[tokio::test]
async fn one_index_that_cannot_be_made_keeps_no_other_from_it() {
    let (_fake, platform, tenant) = on_fake().await;
    let mut tenants = vec![tenant, ready(&platform, "two").await, ready(&platform, "three").await];
    tenants.sort_by_key(|tenant| tenant.chatbot.0);
    for tenant in &tenants {
        platform.ingest(*tenant, "returns.md", DOCUMENT).await;
    }
    sqlx::query("update passages set embedding = '[1,2,3]' where chatbot_id = $1")
        .bind(tenants[0].chatbot.0)
        .execute(platform.everything())
        .await
        .unwrap();
    let moved = platform.beside(Arc::new(PgVector)).await;
    let other = platform.beside(Arc::new(PgVector)).await;
    tokio::join!(reconcile(&moved, SyncDepth::Existence), reconcile(&other, SyncDepth::Existence));
    for (tenant, wanted) in tenants.into_iter().zip([false, true, true]) {
        let index = format!("{}_hnsw", collection(tenant).name());
        let found: bool = sqlx::query_scalar("select to_regclass($1) is not null")
            .bind(&index)
            .fetch_one(platform.everything())
            .await
            .unwrap();
        assert_eq!(found, wanted, "{index}");
    }
}
