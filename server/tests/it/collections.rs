//! Collections are independent: work on one never touches another one, and a large one is searched through its index.

use std::sync::Arc;

use contract::{TenantId, id::DocumentId, id::SourceId};
use store::{
    PgConnection, Scope, documents,
    passages::{self, VectorKind::Own, WordForm},
    vectors::PgVector,
};
use uuid::Uuid;

use crate::support::{Platform, Tenant};

/// From its sixth run on a connection, a prepared statement may be planned for any collection.
const RUNS: usize = 7;
/// Passages enough that looking at each costs more than the index.
const PASSAGES_WITH_INDEX: i32 = 5000;
/// More than the index reads by default.
const WANTED: i64 = 60;

/// The collections that the transaction has locked, with their indexes.
async fn locked(connection: &mut PgConnection) -> Vec<String> {
    sqlx::query_scalar(
        "select distinct c.relname::text from pg_locks l join pg_class c on c.oid = l.relation
         where l.pid = pg_backend_pid() and c.relname ~ '^passages_[0-9a-f]{32}'",
    )
    .fetch_all(connection)
    .await
    .unwrap()
}

#[tokio::test]
async fn repeated_work_on_a_collection_touches_no_other() {
    let platform = Platform::start().await;
    let one = platform.add_tenant("one").await;
    for slug in ["two", "three"] {
        platform.provisioned(platform.add_tenant(slug).await.chatbot).await;
    }
    platform.provisioned(one.chatbot).await;
    platform.ingest(one, "a.md", "# Start\n\nWelcome to everybody.\n").await;
    let Tenant { id: tenant, chatbot } = one;
    let (vector, id) = (vec![0.1; 384], Uuid::now_v7());

    let mut tx = platform.app.db.write(&Scope::tenant(tenant)).await.unwrap();
    for _ in 0..RUNS {
        passages::nearest(&mut tx, (tenant, chatbot), (Own, &vector), 6, &[]).await.unwrap();
        passages::with_ids(&mut tx, (tenant, chatbot), &[id], (Own, &vector), &[]).await.unwrap();
        passages::ranked(&mut tx, tenant, chatbot, &[(id, 0.5)], &[]).await.unwrap();
        passages::ids(&mut tx, (tenant, chatbot), Own).await.unwrap();
        passages::count(&mut tx, (tenant, chatbot), Own).await.unwrap();
        passages::points(&mut tx, (tenant, chatbot), &[id], Own).await.unwrap();
        passages::replace(&mut tx, tenant, chatbot, DocumentId(id), "en", &[]).await.unwrap();
        passages::note_stale_words(&mut tx, tenant, chatbot, "de", "en").await.unwrap();
        passages::renew_words(&mut tx, tenant).await.unwrap();
        documents::remove(&mut tx, tenant, chatbot, SourceId(id), "none.md").await.unwrap();
        documents::delete_of_kind(&mut tx, tenant, chatbot, documents::SourceKind::Faq).await.unwrap();
    }
    assert_own(&locked(&mut tx).await, one);
    tx.discard().await.unwrap();

    let mut tx = platform.app.db.read(&Scope::system()).await.unwrap();
    let forms = [WordForm { text: "welcome".to_owned(), word: 0, weight: 1.0 }];
    for _ in 0..RUNS {
        passages::best_by_words(&mut tx, tenant, chatbot, &forms, "en", 6).await.unwrap();
    }
    assert_own(&locked(&mut tx).await, one);
    drop(tx);
}

#[tokio::test]
async fn the_first_statement_of_a_connection_may_be_any_search() {
    let platform = Platform::start().await;
    let Tenant { id: tenant, chatbot } = platform.add_tenant("one").await;
    platform.provisioned(chatbot).await;
    platform.ingest(Tenant { id: tenant, chatbot }, "a.md", "# Start\n\nWelcome to everybody.\n").await;
    let (vector, scope) = (vec![0.1; 384], Scope::tenant(tenant));
    let ids: Vec<Uuid> = {
        let mut tx = platform.app.db.read(&scope).await.unwrap();
        passages::ids(&mut tx, (tenant, chatbot), Own).await.unwrap().into_iter().collect()
    };
    for search in ["nearest", "chosen", "ranked", "points"] {
        let fresh = platform.other_process(Arc::new(PgVector)).await;
        let mut tx = fresh.db.read(&scope).await.unwrap();
        let hits = match search {
            "nearest" => {
                passages::nearest(&mut tx, (tenant, chatbot), (Own, &vector), 6, &[]).await.map(|hits| hits.len())
            }
            "chosen" => {
                passages::with_ids(&mut tx, (tenant, chatbot), &ids, (Own, &vector), &[]).await.map(|hits| hits.len())
            }
            "ranked" => passages::ranked(&mut tx, tenant, chatbot, &[(ids[0], 0.5)], &[]).await.map(|hits| hits.len()),
            _ => passages::points(&mut tx, (tenant, chatbot), &ids, Own).await.map(|hits| hits.len()),
        };
        assert_eq!(hits.unwrap(), 1, "{search}");
    }
}

fn assert_own(locked: &[String], tenant: Tenant) {
    let own = format!("passages_{}", tenant.chatbot.0.simple());
    assert!(locked.contains(&own), "{own} was worked on: {locked:?}");
    assert!(locked.iter().all(|name| name.starts_with(&own)), "only {own} was worked on: {locked:?}");
}

#[tokio::test]
async fn the_vector_index_returns_as_many_passages_as_requested() {
    let platform = Platform::start().await;
    let one = platform.add_tenant("one").await;
    platform.provisioned(one.chatbot).await;
    platform.ingest(one, "a.md", "# Start\n\nWelcome to everybody.\n").await;
    scatter(&platform, one.id).await;
    let index = format!("passages_{}_hnsw", one.chatbot.0.simple());

    let mut tx = platform.app.db.read(&Scope::widget(one.id)).await.unwrap();
    let vector: Vec<f32> = (0..384u16).map(|at| f32::from(at % 7) - 3.0).collect();
    let hits = passages::nearest(&mut tx, (one.id, one.chatbot), (Own, &vector), WANTED, &[]).await.unwrap();
    let of_index: i64 = sqlx::query_scalar("select pg_stat_get_xact_numscans($1::regclass)")
        .bind(&index)
        .fetch_one(&mut *tx)
        .await
        .unwrap();
    drop(tx);
    assert_eq!(of_index, 1, "{index} was searched");
    assert_eq!(hits.len(), usize::try_from(WANTED).unwrap());
    assert!(hits.is_sorted_by(|one, two| one.cosine >= two.cosine), "nearest first");
    assert!(hits.iter().all(|hit| hit.path == "a.md"));
}

/// Many passages in all directions.
async fn scatter(platform: &Platform, tenant: TenantId) {
    sqlx::query(
        "insert into passages (id, tenant_id, chatbot_id, document_id, ordinal, heading, content, embedding, keywords)
         select gen_random_uuid(), tenant_id, chatbot_id, document_id, n, '', 'Text ' || n, v.embedding, ''
         from (select * from passages where tenant_id = $1 limit 1) p, generate_series(1, $2) n,
              lateral (select array_agg(random() - 0.5)::vector as embedding from generate_series(1, 384) where n > 0) v",
    )
    .bind(tenant.0)
    .bind(PASSAGES_WITH_INDEX)
    .execute(platform.everything())
    .await
    .unwrap();
    sqlx::query("analyze passages").execute(platform.everything()).await.unwrap();
}
