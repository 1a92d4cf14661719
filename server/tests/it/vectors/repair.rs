//! An external store that is out of sync, and the migration from one store to another.

use std::{collections::HashSet, sync::Arc};

use serde_json::{Value, json};
use server::service::knowledge::vector_sync::{SyncDepth, reconcile};
use store::vectors::{Nearest, PgVector, Point};
use uuid::Uuid;

use super::{collection, name_in_qdrant, on_fake, ready, search, space};
use crate::support::{
    Platform, Tenant,
    qdrant::{FakeCollection, FakeQdrant},
};

const DOCUMENT: &str = "# Returns\n\nItems can be returned within thirty days.\n";

/// The chatbot's points in the collection of the platform's model.
fn points_of(fake: &FakeQdrant, platform: &Platform, tenant: Tenant) -> HashSet<Uuid> {
    let collections = fake.memory.collections();
    let points = collections.get(&name_in_qdrant(platform)).map(|collection| &collection.points);
    let own = |(_, payload): &&(Vec<f32>, Value)| payload["chatbot_id"] == json!(tenant.chatbot);
    points.into_iter().flatten().filter(|(_, point)| own(point)).map(|(id, _)| *id).collect()
}

async fn provisioning_of(platform: &Platform, tenant: Tenant) -> String {
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
    let points = points_of(&fake, &platform, tenant);
    fake.memory.collections().clear();
    assert!(search(&platform, tenant, "returns", 5).await.is_err());
    reconcile(&platform.app, SyncDepth::Existence).await;
    assert_eq!(points_of(&fake, &platform, tenant), points);
    assert_eq!(search(&platform, tenant, "returns", 5).await.unwrap().nearest.len(), 1);
}

#[tokio::test]
async fn points_that_are_missing_are_added_and_waste_is_removed() {
    let (fake, platform, tenant) = on_fake().await;
    platform.ingest(tenant, "returns.md", DOCUMENT).await;
    platform.ingest(tenant, "shipping.md", "# Shipping\n\nParcels arrive after two working days.\n").await;
    let points = points_of(&fake, &platform, tenant);
    let lost = *points.iter().next().unwrap();
    let (waste, young) = (Uuid::new_v4(), Uuid::now_v7());
    {
        let mut collections = fake.memory.collections();
        let collection = collections.get_mut(&name_in_qdrant(&platform)).unwrap();
        let point = collection.points.remove(&lost).unwrap();
        collection.points.insert(waste, point.clone());
        collection.points.insert(young, point);
    }
    let nearest = search(&platform, tenant, "returns and shipping", 5).await.unwrap().nearest;
    assert_eq!(nearest.len(), 1, "what the database does not have is never shown: {nearest:?}");
    reconcile(&platform.app, SyncDepth::Existence).await;
    assert!(points_of(&fake, &platform, tenant).contains(&waste), "only names were compared");
    reconcile(&platform.app, SyncDepth::Counts).await;
    let mut expected = points;
    expected.insert(young);
    assert_eq!(points_of(&fake, &platform, tenant), expected, "a young point may belong to a transaction under way");
}

#[tokio::test]
async fn points_of_others_next_to_a_chatbots_own_are_never_found() {
    let (fake, platform, tenant) = on_fake().await;
    let other = ready(&platform, "other").await;
    platform.ingest(tenant, "returns.md", DOCUMENT).await;
    platform.ingest(other, "secret.md", "# Returns\n\nSecret: items can be returned within ten days.\n").await;
    assert_eq!(fake.memory.collections().len(), 1, "all chatbots of a model share a collection");
    let nearest = search(&platform, tenant, "returns", 50).await.unwrap().nearest;
    assert!(nearest.len() == 1 && !nearest[0].content.contains("Secret"), "the filter keeps them out: {nearest:?}");
    let foreign = points_of(&fake, &platform, other);
    {
        let mut collections = fake.memory.collections();
        let points = &mut collections.get_mut(&name_in_qdrant(&platform)).unwrap().points;
        for id in &foreign {
            points.get_mut(id).unwrap().1 = json!({ "tenant_id": tenant.id, "chatbot_id": tenant.chatbot });
        }
    }
    let nearest = search(&platform, tenant, "returns", 50).await.unwrap().nearest;
    assert!(nearest.len() == 1 && !nearest[0].content.contains("Secret"), "the database keeps them out: {nearest:?}");
    let own = points_of(&fake, &platform, tenant);
    platform.app.vectors.remove(collection(other), &own.into_iter().collect::<Vec<_>>()).await.unwrap();
    assert_eq!(
        search(&platform, tenant, "returns", 50).await.unwrap().nearest.len(),
        1,
        "nobody removes others' points"
    );
}

#[tokio::test]
async fn collections_without_an_active_chatbot_are_removed() {
    let (fake, platform, tenant) = on_fake().await;
    let (deleted, staying) = (ready(&platform, "deleted").await, ready(&platform, "kept").await);
    for of in [tenant, deleted, staying] {
        platform.ingest(of, "returns.md", DOCUMENT).await;
    }
    let path = format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot);
    assert_eq!(platform.admin(tenant.id).delete(&path).await.status, 204);
    let path = format!("/api/v1/platform/tenants/{}", deleted.id);
    assert_eq!(platform.operator().delete(&path).await.status, 204);
    let rows = platform.audit_rows().await;
    reconcile(&platform.app, SyncDepth::Existence).await;
    assert_eq!(points_of(&fake, &platform, staying).len(), 1);
    for tenant_without in [tenant, deleted] {
        assert!(points_of(&fake, &platform, tenant_without).is_empty());
        assert_eq!(provisioning_of(&platform, tenant_without).await, "pending");
    }
    assert_eq!(platform.audit_rows().await, rows);
}

#[tokio::test]
async fn a_platform_moves_from_one_store_to_the_other_and_back() {
    let (fake, platform, tenant) = on_fake().await;
    platform.ingest(tenant, "returns.md", DOCUMENT).await;
    let index = format!("{}_hnsw", collection(tenant).name());
    let is_indexed = async || -> bool {
        let has_index = sqlx::query_scalar("select to_regclass($1) is not null").bind(&index);
        has_index.fetch_one(platform.everything()).await.unwrap()
    };
    assert!(!is_indexed().await, "the database does not index what Qdrant does");
    let moved = platform.other_process(Arc::new(PgVector)).await;
    reconcile(&moved, SyncDepth::Existence).await;
    assert!(is_indexed().await);
    fake.memory.collections().clear();
    reconcile(&platform.app, SyncDepth::Existence).await;
    assert_eq!(points_of(&fake, &platform, tenant).len(), 1);
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
    let moved = platform.other_process(Arc::new(PgVector)).await;
    let other = platform.other_process(Arc::new(PgVector)).await;
    tokio::join!(reconcile(&moved, SyncDepth::Existence), reconcile(&other, SyncDepth::Existence));
    for (tenant, is_expected) in tenants.into_iter().zip([false, true, true]) {
        let index = format!("{}_hnsw", collection(tenant).name());
        let has_index: bool = sqlx::query_scalar("select to_regclass($1) is not null")
            .bind(&index)
            .fetch_one(platform.everything())
            .await
            .unwrap();
        assert_eq!(has_index, is_expected, "{index}");
    }
}

#[tokio::test]
async fn repair_continues_after_a_broken_collection() {
    let (fake, platform, tenant) = on_fake().await;
    let tenants = [tenant, ready(&platform, "two").await, ready(&platform, "three").await];
    for tenant in tenants {
        platform.ingest(tenant, "returns.md", DOCUMENT).await;
    }
    let first = tenants.into_iter().min_by_key(|tenant| tenant.chatbot.0).unwrap();
    sqlx::query("update passages set embedding = '[1,2,3]' where chatbot_id = $1")
        .bind(first.chatbot.0)
        .execute(platform.everything())
        .await
        .unwrap();
    fake.memory.collections().clear();
    reconcile(&platform.app, SyncDepth::Existence).await;
    for tenant in tenants {
        let expected = usize::from(tenant.chatbot != first.chatbot);
        assert_eq!(points_of(&fake, &platform, tenant).len(), expected, "{}", tenant.chatbot);
    }
}

/// Moves the points of the model's collection to one for each chatbot, as earlier versions had them.
fn as_before(fake: &FakeQdrant, platform: &Platform, tenants: &[Tenant]) {
    let mut collections = fake.memory.collections();
    let shared = collections.remove(&name_in_qdrant(platform)).unwrap();
    for tenant in tenants {
        let mut own = FakeCollection::new(384);
        let is_own = |(_, payload): &(Vec<f32>, Value)| payload["chatbot_id"] == json!(tenant.chatbot);
        own.points =
            shared.points.iter().filter(|(_, point)| is_own(point)).map(|(id, point)| (*id, point.clone())).collect();
        collections.insert(collection(*tenant).name(), own);
    }
}

#[tokio::test]
async fn former_collections_serve_until_the_new_points_are_complete() {
    let (fake, platform, tenant) = on_fake().await;
    let other = ready(&platform, "other").await;
    platform.ingest(tenant, "returns.md", DOCUMENT).await;
    platform.ingest(other, "shipping.md", "# Shipping\n\nParcels arrive after two working days.\n").await;
    let points = [tenant, other].map(|of| points_of(&fake, &platform, of));
    as_before(&fake, &platform, &[tenant, other]);
    // A process of the new version finds them as the former version left them.
    let upgraded = platform.other_process(fake.client()).await;
    let find = async || {
        let nearest = upgraded.vectors.nearest(space(&platform, tenant), &[0.1; 384], 5).await.unwrap();
        let Nearest::Ranked(ranking) = nearest else { panic!("{nearest:?}") };
        ranking.into_iter().map(|(id, _)| id).collect::<HashSet<Uuid>>()
    };
    assert_eq!(find().await, points[0]);
    let extra = Point { id: Uuid::now_v7(), embedding: vec![0.1; 384] };
    upgraded.vectors.create(space(&platform, tenant), 384).await.unwrap();
    upgraded.vectors.upsert(space(&platform, tenant), std::slice::from_ref(&extra)).await.unwrap();
    assert!(find().await.contains(&extra.id), "what is written meanwhile is found");
    assert!(find().await.is_superset(&points[0]), "and so is what was there before");
    upgraded.vectors.remove(collection(tenant), &[extra.id]).await.unwrap();

    reconcile(&upgraded, SyncDepth::Counts).await;
    let names: Vec<String> = fake.memory.collections().keys().cloned().collect();
    assert_eq!(names, [name_in_qdrant(&platform)], "the former collections are deleted");
    assert_eq!([tenant, other].map(|of| points_of(&fake, &platform, of)), points);
    assert_eq!(find().await, points[0]);
    // A process that had cached them continues without them.
    assert_eq!(search(&platform, tenant, "returns", 5).await.unwrap().nearest.len(), 1);
}

#[tokio::test]
async fn a_former_collection_stays_while_points_are_missing() {
    let (fake, platform, tenant) = on_fake().await;
    platform.ingest(tenant, "returns.md", DOCUMENT).await;
    as_before(&fake, &platform, &[tenant]);
    // A passage that the store has lost, and one that is under way: their number is not that of the passages.
    let young = Uuid::now_v7();
    let upgraded = platform.other_process(fake.client()).await;
    upgraded.vectors.create(space(&platform, tenant), 384).await.unwrap();
    let payload = json!({ "tenant_id": tenant.id, "chatbot_id": tenant.chatbot });
    let point = json!({ "id": young, "vector": vec![0.1; 384], "payload": payload });
    fake.memory.collections().get_mut(&name_in_qdrant(&platform)).unwrap().upsert(&point).unwrap();
    reconcile(&upgraded, SyncDepth::Counts).await;
    assert!(fake.memory.collections().contains_key(&collection(tenant).name()));
    upgraded.vectors.remove(collection(tenant), &[young]).await.unwrap();
    reconcile(&upgraded, SyncDepth::Counts).await;
    assert!(!fake.memory.collections().contains_key(&collection(tenant).name()));
}
