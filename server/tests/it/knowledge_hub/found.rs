//! The results of a search, and their representation.

use std::sync::Arc;

use contract::ChatbotId;
use serde_json::json;
use store::{PgConnection, Scope, knowledge_hub::hits, vectors::PgVector};
use uuid::Uuid;

use super::{DELIVERY, HUB, search, switch, titles, with_hub};
use crate::support::{Platform, Tenant, embedder, multilingual, new_chatbot};

#[tokio::test]
async fn a_passage_is_found_with_its_place_and_its_words_marked() {
    let (platform, tenant) = with_hub().await;
    let answer = search(&platform.admin(tenant.id), "q=how+many+days+does+a+parcel+take&explain=true").await;
    let first = &answer.body["results"][0];
    assert_eq!((&first["title"], &first["heading"]), (&json!("Delivery"), &json!("")), "{first}");
    assert_eq!((&first["chatbot"]["id"], &first["source"]["kind"]), (&json!(tenant.chatbot), &json!("files")));
    let snippet: Vec<char> = first["snippet"].as_str().unwrap().chars().collect();
    let marked: Vec<String> = first["highlights"]
        .as_array()
        .unwrap()
        .iter()
        .map(|range| {
            let place = |end: &str| usize::try_from(range[end].as_u64().unwrap()).unwrap();
            snippet[place("start")..place("end")].iter().collect()
        })
        .collect();
    assert_eq!(marked, ["Parcels", "parcel", "takes", "days", "days"]);
    assert!(first["why"]["words"].as_f64().unwrap() > 0.3, "{first}");
    assert_eq!(first["why"]["rerank"], json!(null));
    let silent = search(&platform.admin(tenant.id), "q=parcel").await;
    assert_eq!(silent.body["results"][0]["why"], json!(null));
}

#[tokio::test]
async fn nonsense_finds_nothing_and_a_typo_gets_a_suggestion() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    let nothing = search(&admin, "q=zzyzx+qwrtp").await;
    assert_eq!((&nothing.body["total"], &nothing.body["total_is"]), (&json!(0), &json!("exact")), "{nothing:?}");
    let wrong = search(&admin, "q=parcle").await;
    if wrong.body["total"] == 0 {
        assert_eq!(wrong.body["suggestion"], "parcel", "{wrong:?}");
    }
}

#[tokio::test]
async fn without_words_documents_are_listed_newest_first() {
    let (platform, tenant) = with_hub().await;
    platform.ingest(tenant, "hours.md", "# Opening hours\n\nFrom nine to five.\n").await;
    let admin = platform.admin(tenant.id);
    let all = search(&admin, "").await;
    assert_eq!((titles(&all), &all.body["total"]), (vec!["Opening hours", "Delivery"], &json!(2)));
    let second = search(&admin, "limit=1&offset=1").await;
    assert_eq!((titles(&second), &second.body["total"]), (vec!["Delivery"], &json!(2)));
    assert_eq!(search(&admin, "date_to=2020-01-01").await.body["total"], 0);
}

/// The rows of passages that the connection has fetched.
async fn fetched_passages(connection: &mut PgConnection) -> i64 {
    let sql = "select coalesce(sum(coalesce(idx_tup_fetch, 0) + seq_tup_read), 0)::bigint from pg_stat_xact_user_tables
               where relname like 'passages%'";
    sqlx::query_scalar(sql).fetch_one(connection).await.unwrap()
}

#[tokio::test]
async fn without_words_only_the_first_passages_are_fetched() {
    let (platform, tenant) = with_hub().await;
    let chapter = |number| {
        let words = format!("Room {number} opens at nine. ").repeat(60);
        format!("## Chapter {number}\n\n{words}\n\n")
    };
    let chapters: String = (0..40).map(chapter).collect();
    platform.ingest(tenant, "manual.md", &format!("# Manual\n\n{chapters}")).await;
    let documents: Vec<Uuid> = sqlx::query_scalar("select id from documents where tenant_id = $1")
        .bind(tenant.id.0)
        .fetch_all(platform.everything())
        .await
        .unwrap();
    let ids: Vec<(ChatbotId, Uuid)> = documents.into_iter().map(|document| (tenant.chatbot, document)).collect();
    let mut tx = platform.app.db.read(&Scope::tenant(tenant.id)).await.unwrap();
    // The plan of a large collection.
    for plan in ["set local enable_seqscan = off", "set local enable_bitmapscan = off"] {
        sqlx::query(plan).execute(&mut *tx).await.unwrap();
    }
    let before = fetched_passages(&mut tx).await;
    let first = hits::first_passages(&mut tx, tenant.id, &ids).await.unwrap();
    assert!(first.len() == 2 && first.iter().any(|passage| passage.marked.contains("Room 0 ")), "{first:?}");
    assert_eq!(fetched_passages(&mut tx).await - before, 2);
}

#[tokio::test]
async fn equal_content_is_one_result_that_names_the_other_place() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    let response = admin.post("/api/v1/tenants/me/chatbots", &new_chatbot("second")).await;
    let chatbot: ChatbotId = response.body["id"].as_str().unwrap().parse().unwrap();
    platform.provisioned(chatbot).await;
    platform.ingest(Tenant { chatbot, ..tenant }, "copy.md", DELIVERY).await;
    let answer = search(&admin, "q=when+does+my+parcel+arrive").await;
    let parcels: Vec<_> = answer.body["results"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|result| result["snippet"].as_str().unwrap().contains("arrive at your door"))
        .collect();
    assert_eq!(parcels.len(), 1, "{answer:?}");
    let both = [&parcels[0]["chatbot"]["id"], &parcels[0]["also_in"][0]["chatbot"]["id"]];
    assert!(both.contains(&&json!(chatbot)) && both.contains(&&json!(tenant.chatbot)), "{both:?}");
    // Each chatbot alone has one.
    let one = search(&admin, &format!("q=when+does+my+parcel+arrive&chatbots={chatbot}")).await;
    assert_eq!(one.body["results"][0]["also_in"], json!([]));
    assert_eq!(one.body["results"][0]["chatbot"]["id"], json!(chatbot));
}

#[tokio::test]
async fn filters_narrow_and_a_facet_ignores_its_own_filter() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    platform.ingest(tenant, "hours.md", "# Opening hours\n\nFrom nine to five.\n").await;
    let all = search(&admin, "").await;
    let sources = all.body["facets"]["sources"].as_array().unwrap().clone();
    assert_eq!(sources.len(), 2);
    let chosen = sources[0]["value"].as_str().unwrap();
    let narrowed = search(&admin, &format!("sources={chosen}")).await;
    assert_eq!(narrowed.body["total"], 1);
    assert_eq!(narrowed.body["facets"]["sources"], json!(sources), "a facet shows its other values");
    assert_eq!(narrowed.body["facets"]["kinds"], json!([{ "value": "files", "label": "files", "count": 1 }]));
    let by_words = search(&admin, &format!("q=parcel&sources={chosen}")).await;
    assert!(by_words.body["results"].as_array().unwrap().iter().all(|result| result["source"]["id"] == chosen));
    for nothing in ["kinds=website", "languages=fr", "date_from=2999-01-01", &format!("sources={}", Uuid::new_v4())] {
        for q in ["", "q=parcel&"] {
            assert_eq!(search(&admin, &format!("{q}{nothing}")).await.body["total"], 0, "{q}{nothing}");
        }
    }
    assert_eq!(
        search(&admin, "languages=en&kinds=files,upload&q=parcel").await.body["results"][0]["title"],
        "Delivery"
    );
}

#[tokio::test]
async fn a_chosen_value_is_listed_without_documents() {
    let (platform, tenant) = with_hub().await;
    let results = search(&platform.admin(tenant.id), "languages=en&date_to=2020-01-01").await;
    let facets = &results.body["facets"];
    assert_eq!(facets["languages"], json!([{ "value": "en", "label": "en", "count": 0 }]));
    assert_eq!((&facets["kinds"], &facets["sources"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn bad_queries_are_refused_with_their_place() {
    let (platform, tenant) = with_hub().await;
    let admin = platform.admin(tenant.id);
    for (query, field) in [
        ("sources=x".to_owned(), "sources"),
        ("chatbots=1,2".to_owned(), "chatbots"),
        ("kinds=book".to_owned(), "kinds"),
        ("languages=english".to_owned(), "languages"),
        ("limit=101".to_owned(), "limit"),
        ("offset=1001".to_owned(), "offset"),
        ("sort=oldest".to_owned(), "sort"),
        ("saved_search=x".to_owned(), "saved_search"),
        ("date_from=yesterday".to_owned(), "date_from"),
        (format!("q={}", "x".repeat(1001)), "q"),
    ] {
        let answer = admin.get(&format!("{HUB}/search?{query}")).await;
        assert_eq!((answer.status, answer.loc()), (422, vec!["query", field]), "{query}: {answer:?}");
    }
    let order = admin.get(&format!("{HUB}/search?date_from=2026-02-01&date_to=2026-01-01")).await;
    assert_eq!((order.status, order.detail()), (422, "date_from_after_date_to"));
    search(&admin, &format!("q={}", "parcel+".repeat(142))).await;
}

#[tokio::test]
async fn searches_name_chatbots_without_a_model() {
    let (platform, tenant) = with_hub().await;
    sqlx::query("update chatbots set embedding_model = 'unheard-of'").execute(platform.everything()).await.unwrap();
    let answer = search(&platform.admin(tenant.id), "q=parcel").await;
    assert_eq!(answer.body["total"], 0);
    assert_eq!(answer.body["degraded"], json!([{ "code": "model_unavailable", "chatbots": [tenant.chatbot] }]));
}

#[tokio::test]
async fn collections_of_two_models_are_searched_together() {
    let platform = Platform::start_with_models([embedder().await, multilingual()], Arc::new(PgVector)).await;
    let tenant = platform.add_tenant("one").await;
    switch(&platform, tenant.id, true).await;
    platform.provisioned(tenant.chatbot).await;
    platform.ingest(tenant, "delivery.md", DELIVERY).await;
    let mut german = new_chatbot("german");
    german["language"] = json!("de");
    let response = platform.admin(tenant.id).post("/api/v1/tenants/me/chatbots", &german).await;
    let chatbot: ChatbotId = response.body["id"].as_str().unwrap().parse().unwrap();
    platform.provisioned(chatbot).await;
    let text = "# Versand\n\n## Pakete\n\nEin Paket ist nach zwei Tagen bei Ihnen.\n";
    platform.ingest(Tenant { chatbot, ..tenant }, "versand.md", text).await;
    let admin = platform.admin(tenant.id);
    assert_eq!(titles(&search(&admin, "q=how+long+does+a+parcel+take").await)[0], "Delivery");
    assert_eq!(titles(&search(&admin, "q=wie+lange+dauert+ein+Paket").await)[0], "Versand");
}
