//! Search by words in collections of many passages: through the index, with bounded work, and read only in the caller's
//! scope.

use std::time::Duration;

use rag::retrieve::Candidate;
use server::service::knowledge::search::retrieval::{self, RetrievalRequest};
use store::{Scope, vectors::Collection};

use crate::support::{Platform, Tenant};

/// Passages with common words only; more than are ever ranked.
const COMMON: i32 = 1500;

/// A tenant whose chatbot has many passages about parcels, and as many about invoices.
async fn crowded(platform: &Platform) -> Tenant {
    let tenant = platform.add_tenant("one").await;
    platform.provisioned(tenant.chatbot).await;
    platform.ingest(tenant, "a.md", "# Start\n\nWelcome to everybody.\n").await;
    for (many, text) in [
        (COMMON, "Parcels of today."),
        (COMMON, "Invoices of today."),
        (1, "The customs office opens a parcel."),
        (1, "Each parcel has an invoice."),
    ] {
        add(platform, tenant, many, text).await;
    }
    // Autovacuum does this some time after an ingestion: updates statistics, and merges pending words into the index.
    sqlx::query("vacuum analyze passages").execute(platform.everything()).await.unwrap();
    tenant
}

async fn add(platform: &Platform, tenant: Tenant, many: i32, text: &str) {
    sqlx::query(
        "insert into passages (id, tenant_id, chatbot_id, document_id, ordinal, heading, content, embedding, keywords)
         select gen_random_uuid(), tenant_id, chatbot_id, document_id, n, '', $3, embedding, to_tsvector('english', $3)
         from (select * from passages where tenant_id = $1 and chatbot_id = $2 limit 1) p, generate_series(1, $4) n",
    )
    .bind(tenant.id.0)
    .bind(tenant.chatbot.0)
    .bind(text)
    .bind(many)
    .execute(platform.everything())
    .await
    .unwrap();
}

/// What is found by words.
async fn matching(platform: &Platform, tenant: Tenant, scope: &Scope, question: &str) -> Vec<Candidate> {
    let texts = [question.to_owned()];
    let vectors =
        platform.app.embedders.of_language("en").embed(texts.to_vec(), rag::embed::Purpose::Query).await.unwrap();
    let collection = Collection { tenant: tenant.id, chatbot: tenant.chatbot };
    let request = RetrievalRequest {
        collection,
        language: "en",
        model: platform.app.embedders.names()[0],
        kind: store::passages::VectorKind::Own,
        is_same_language: true,
        limit: 6,
        texts: &texts,
        vectors: &vectors,
    };
    retrieval::search(&platform.app, scope, &request).await.unwrap().remove(0).matching
}

#[tokio::test]
async fn rare_words_and_common_words_find_their_passages() {
    let platform = Platform::start().await;
    let tenant = crowded(&platform).await;
    let scope = Scope::widget(tenant.id);
    let customs = matching(&platform, tenant, &scope, "Do customs open my parcel?").await;
    assert!(customs.iter().any(|hit| hit.content.starts_with("The customs")), "{customs:?}");
    let both = matching(&platform, tenant, &scope, "Which invoice has a parcel?").await;
    assert!(both.iter().any(|hit| hit.content.starts_with("Each parcel")), "{both:?}");
    let one = matching(&platform, tenant, &scope, "parcel").await;
    assert_eq!(one.len(), 6);
    assert!(one.iter().all(|hit| hit.content.to_lowercase().contains("parcel")), "{one:?}");
    assert!(matching(&platform, tenant, &scope, "What is it?").await.is_empty(), "no word of its own");
    assert!(matching(&platform, tenant, &scope, "C:\\don't & | ! <-> ('").await.is_empty(), "nothing has these");
}

#[tokio::test]
async fn a_visitors_question_finds_words_through_the_index() {
    let platform = Platform::start().await;
    let tenant = crowded(&platform).await;
    let scans = || async {
        sqlx::query_scalar::<_, i64>("select idx_scan from pg_stat_user_indexes where indexrelname = $1")
            .bind(format!("passages_{}_words", tenant.chatbot.0.simple()))
            .fetch_one(platform.everything())
            .await
            .unwrap()
    };
    for _ in 0..600 {
        matching(&platform, tenant, &Scope::widget(tenant.id), "Do customs open my parcel?").await;
        if scans().await > 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the index of words was never used");
}

#[tokio::test]
async fn ranked_passages_are_read_in_the_callers_scope() {
    let platform = Platform::start().await;
    let tenant = crowded(&platform).await;
    let other = platform.add_tenant("two").await;
    let question = "Do customs open my parcel?";
    assert!(matching(&platform, tenant, &Scope::widget(other.id), question).await.is_empty());
    let stranger = Tenant { id: other.id, chatbot: tenant.chatbot };
    for scope in [Scope::widget(tenant.id), Scope::tenant(other.id), Scope::system()] {
        assert!(matching(&platform, stranger, &scope, question).await.is_empty(), "a chatbot of another tenant");
    }
}

#[tokio::test]
async fn typographic_marks_and_spaces_are_no_part_of_words() {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    platform.provisioned(tenant.chatbot).await;
    let text =
        "# Shop\n\nThe buyer\u{2019}s \u{201c}guarantee\u{201d} lasts 5\u{a0}years\u{2014}with a stamp\u{2026}\n";
    platform.ingest(tenant, "a.md", text).await;
    let scope = Scope::widget(tenant.id);
    for question in ["guarantee", "buyer", "years", "stamp", "a buyer\u{2019}s", "the buyer's"] {
        assert_eq!(matching(&platform, tenant, &scope, question).await.len(), 1, "{question}");
    }
}
