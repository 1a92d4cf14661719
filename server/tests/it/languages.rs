//! A change of a chatbot's language: committed immediately, its words re-indexed batch by batch, searched in both
//! languages until then.

use serde_json::json;
use server::service::knowledge::{
    search::retrieval::{self, RetrievalRequest},
    word_index,
};
use sqlx::{Connection, Executor};
use store::{Scope, vectors::Collection};
use tokio_util::sync::CancellationToken;

use crate::support::{Platform, Tenant, moment};

/// More than two batches.
const PASSAGES: i32 = 1200;

/// A tenant whose English chatbot has many German passages.
async fn german(platform: &Platform) -> Tenant {
    let tenant = platform.add_tenant("one").await;
    platform.provisioned(tenant.chatbot).await;
    platform.ingest(tenant, "a.md", "# Start\n\nWelcome to everybody.\n").await;
    sqlx::query(
        "insert into passages (id, tenant_id, chatbot_id, document_id, ordinal, heading, content, embedding, keywords)
         select gen_random_uuid(), tenant_id, chatbot_id, document_id, n, 'Häuser', 'Die Häuser', embedding,
                setweight(to_tsvector('english', 'Häuser'), 'A') || to_tsvector('english', 'Die Häuser')
         from (select * from passages where tenant_id = $1 limit 1) p, generate_series(1, $2) n",
    )
    .bind(tenant.id.0)
    .bind(PASSAGES)
    .execute(platform.everything())
    .await
    .unwrap();
    tenant
}

async fn change(platform: &Platform, tenant: Tenant, language: &str) {
    let path = format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot);
    let changed = platform.admin(tenant.id).patch(&path, &json!({ "language": language })).await;
    assert_eq!((changed.status, &changed.body["language"]), (200, &json!(language)), "{changed:?}");
}

async fn with_word(platform: &Platform, word: &str) -> i64 {
    sqlx::query_scalar("select count(*) from passages where keywords @@ quote_literal($1)::tsquery")
        .bind(word)
        .fetch_one(platform.everything())
        .await
        .unwrap()
}

/// How many passages are found by words.
async fn matches(platform: &Platform, tenant: Tenant, language: &str, question: &str) -> usize {
    let texts = [question.to_owned()];
    let vectors =
        platform.app.embedders.of_language("en").embed(texts.to_vec(), rag::embed::Purpose::Query).await.unwrap();
    let collection = Collection { tenant: tenant.id, chatbot: tenant.chatbot };
    let request = RetrievalRequest {
        collection,
        language,
        model: platform.app.embedders.names()[0],
        kind: store::passages::VectorKind::Own,
        is_same_language: true,
        limit: 6,
        texts: &texts,
        vectors: &vectors,
    };
    retrieval::search(&platform.app, &Scope::widget(tenant.id), &request).await.unwrap().remove(0).matching.len()
}

async fn stale(platform: &Platform) -> bool {
    sqlx::query_scalar("select exists (select from chatbots where stale_words <> '{}')")
        .fetch_one(platform.everything())
        .await
        .unwrap()
}

#[tokio::test]
async fn words_are_renewed_after_the_call_and_found_meanwhile() {
    let platform = Platform::start().await;
    let tenant = german(&platform).await;
    change(&platform, tenant, "de").await;
    assert_eq!(
        (with_word(&platform, "haus").await, stale(&platform).await),
        (0, true),
        "the call renews nothing itself"
    );
    assert_eq!(matches(&platform, tenant, "de", "Häuser").await, 6, "words of the former language are found");
    word_index::run(&platform.app, &CancellationToken::new()).await.unwrap();
    assert_eq!((with_word(&platform, "haus").await, with_word(&platform, "häuser").await), (i64::from(PASSAGES), 0));
    assert!(!stale(&platform).await);
    assert_eq!(matches(&platform, tenant, "de", "Haus").await, 6);
}

#[tokio::test]
async fn a_killed_process_is_continued_with_the_next_batch() {
    let platform = Platform::start().await;
    let tenant = german(&platform).await;
    change(&platform, tenant, "de").await;
    assert!(!word_index::batch(&platform.app, tenant.id).await.unwrap());
    let first = with_word(&platform, "haus").await;
    assert!((1..i64::from(PASSAGES)).contains(&first), "one batch is committed: {first}");
    assert_eq!(matches(&platform, tenant, "de", "Häuser").await, 6, "both kinds are found");
    assert!(!word_index::batch(&platform.app, tenant.id).await.unwrap());
    assert!(with_word(&platform, "haus").await > first, "the next one follows it");
    word_index::run(&platform.app, &CancellationToken::new()).await.unwrap();
    assert_eq!((with_word(&platform, "haus").await, stale(&platform).await), (i64::from(PASSAGES), false));
}

#[tokio::test]
async fn two_language_changes_leave_the_words_of_the_last_one() {
    let platform = Platform::start().await;
    let tenant = german(&platform).await;
    change(&platform, tenant, "de").await;
    assert!(!word_index::batch(&platform.app, tenant.id).await.unwrap());
    change(&platform, tenant, "fr").await;
    change(&platform, tenant, "fr-CA").await;
    assert!(stale(&platform).await, "languages that are searched alike take nothing back");
    word_index::run(&platform.app, &CancellationToken::new()).await.unwrap();
    assert_eq!((with_word(&platform, "haus").await, stale(&platform).await), (0, false));
}

#[tokio::test]
async fn languages_without_rules_are_searched_as_written() {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    platform.provisioned(tenant.chatbot).await;
    platform.ingest(tenant, "a.md", "# Miasto\n\nStary most jest otwarty.\n").await;
    assert_eq!(matches(&platform, tenant, "en", "most").await, 0, "a function word in English");
    change(&platform, tenant, "pl").await;
    word_index::run(&platform.app, &CancellationToken::new()).await.unwrap();
    assert_eq!(matches(&platform, tenant, "pl", "most").await, 1, "a bridge in Polish");
}

#[tokio::test]
async fn one_process_at_a_time_renews_the_words_of_a_tenant() {
    let platform = Platform::start().await;
    let tenant = german(&platform).await;
    change(&platform, tenant, "de").await;
    let mut other = sqlx::PgConnection::connect(&platform.db.superuser_url()).await.unwrap();
    other.execute("begin").await.unwrap();
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('words:' || $1::uuid::text, 0))")
        .bind(tenant.id.0)
        .execute(&mut other)
        .await
        .unwrap();
    assert!(word_index::batch(&platform.app, tenant.id).await.unwrap(), "another process is at it");
    other.execute("rollback").await.unwrap();
    assert!(!word_index::batch(&platform.app, tenant.id).await.unwrap());
}

#[tokio::test]
async fn words_are_renewed_as_soon_as_a_language_changes() {
    let platform = Platform::start().await;
    let tenant = german(&platform).await;
    let stop = CancellationToken::new();
    let task = tokio::spawn(word_index::run_until(platform.app.clone(), stop.clone()));
    change(&platform, tenant, "de").await;
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while stale(&platform).await {
        assert!(std::time::Instant::now() < deadline, "the words are still stale");
        moment().await;
    }
    stop.cancel();
    task.await.unwrap();
    assert_eq!(with_word(&platform, "haus").await, i64::from(PASSAGES));
}
