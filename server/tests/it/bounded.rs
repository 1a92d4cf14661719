//! Searches without a suitable index scan a bounded number of rows, say so, and continue with their cursor until
//! everything was scanned.

use contract::{
    conversations::{MAX_SCANNED, MAX_SCANNED_FOR_FIGURES},
    unanswered,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    conversations::export::from_query,
    support::{Platform, Tenant},
};

const LIST: &str = "/api/v1/tenants/me/conversations";

/// Inserts this many conversations, one per second, each with a question and a fallback message. The oldest one asks
/// about the quagga.
async fn talks(platform: &Platform, tenant: Tenant, many: i64) {
    sqlx::query(
        "with sessions as (
             insert into chat_sessions (id, tenant_id, chatbot_id, created_at, last_message_at)
             select gen_random_uuid(), $1, $2, at, at
             from generate_series(1, $3) n, lateral (select now() - n * interval '1 second' as at)
             returning id, created_at
         )
         insert into chat_messages (id, tenant_id, chatbot_id, session_id, role, content, answered, created_at)
         select gen_random_uuid(), $1, $2, s.id, role, case
                    when role = 'assistant' then 'No idea, sorry.'
                    when s.created_at = (select min(created_at) from sessions) then 'Is there a quagga? ok'
                    else 'Where is parcel ' || n || '?'
                end, role = 'user', s.created_at
         from (select *, row_number() over (order by created_at desc) as n from sessions) s,
              unnest(array['user', 'assistant']) with ordinality r (role, place)
         order by s.created_at, place",
    )
    .bind(tenant.id.0)
    .bind(tenant.chatbot.0)
    .bind(many)
    .execute(platform.everything())
    .await
    .unwrap();
    sqlx::query("analyze chat_sessions, chat_messages").execute(platform.everything()).await.unwrap();
}

async fn page(platform: &Platform, tenant: Tenant, query: &str) -> Value {
    let page = platform.viewer(tenant.id).get(&format!("{LIST}{query}")).await;
    assert_eq!(page.status, 200, "{query}: {page:?}");
    page.body
}

fn cursor(page: &Value, way: &str) -> String {
    page[way].as_str().unwrap_or_else(|| panic!("{way} of {page}")).to_owned()
}

fn items(page: &Value) -> &Vec<Value> {
    page["items"].as_array().unwrap()
}

#[tokio::test]
async fn a_search_without_an_index_ends_pages_early_and_goes_on() {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    talks(&platform, tenant, MAX_SCANNED + 100).await;
    let first = page(&platform, tenant, "?q=ok").await;
    assert_eq!(
        (items(&first).len(), first["previous_cursor"].clone()),
        (0, Value::Null),
        "the oldest one is not reached"
    );
    assert!(first["searched_to"].is_string(), "{first}");
    let second = page(&platform, tenant, &format!("?q=ok&cursor={}", cursor(&first, "next_cursor"))).await;
    assert_eq!(items(&second).len(), 1, "{second}");
    assert_eq!(items(&second)[0]["first_question"], "Is there a quagga? ok");
    assert_eq!((&second["next_cursor"], &second["searched_to"]), (&Value::Null, &Value::Null), "nothing is left");
    let back = page(&platform, tenant, &format!("?q=ok&cursor={}", cursor(&second, "previous_cursor"))).await;
    assert_eq!(items(&back).len(), 0);
    assert!(back["searched_to"].is_string() && back["previous_cursor"].is_string(), "{back}");
    let forth = page(&platform, tenant, &format!("?q=ok&cursor={}", cursor(&back, "next_cursor"))).await;
    let hits = if items(&forth).is_empty() {
        page(&platform, tenant, &format!("?q=ok&cursor={}", cursor(&forth, "next_cursor"))).await
    } else {
        forth
    };
    assert_eq!(items(&hits), items(&second));
}

#[tokio::test]
async fn the_bound_is_on_sessions_and_no_hit_is_left_out() {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    talks(&platform, tenant, MAX_SCANNED * 2 + 10).await;
    sqlx::query("update chat_messages set answered = true where role = 'assistant' and position % 400 <> 0")
        .execute(platform.everything())
        .await
        .unwrap();
    let expected: i64 =
        sqlx::query_scalar("select count(*) from chat_messages where not answered and role = 'assistant'")
            .fetch_one(platform.everything())
            .await
            .unwrap();
    let (mut session_ids, mut pages, mut next) = (Vec::new(), 0, String::new());
    loop {
        let page = page(&platform, tenant, &format!("?outcome=unanswered&limit=200{next}")).await;
        session_ids.extend(items(&page).iter().map(|item| item["session_id"].as_str().unwrap().to_owned()));
        pages += 1;
        match page["next_cursor"].as_str() {
            Some(cursor) => next = format!("&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!((i64::try_from(session_ids.len()).unwrap(), pages), (expected, 3));
    session_ids.sort();
    session_ids.dedup();
    assert_eq!(i64::try_from(session_ids.len()).unwrap(), expected, "none twice");
}

#[tokio::test]
async fn a_neighbour_beyond_a_page_of_the_list_is_found() {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    talks(&platform, tenant, MAX_SCANNED + 100).await;
    let newest = page(&platform, tenant, "?limit=1").await["items"][0]["session_id"].clone();
    let oldest: Uuid = sqlx::query_scalar("select id from chat_sessions order by last_message_at limit 1")
        .fetch_one(platform.everything())
        .await
        .unwrap();
    let query = format!("/{}/neighbours?q=ok", newest.as_str().unwrap());
    assert_eq!(page(&platform, tenant, &query).await, json!({ "newer": null, "older": oldest.to_string() }));
}

#[tokio::test]
async fn words_that_the_index_finds_are_found_at_once_and_exactly() {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    talks(&platform, tenant, MAX_SCANNED_FOR_FIGURES + 100).await;
    let results = page(&platform, tenant, "?q=QUAGGA").await;
    assert_eq!((items(&results).len(), &results["searched_to"]), (1, &Value::Null));
    let figures = page(&platform, tenant, "/stats?q=quagga").await;
    assert_eq!(
        (&figures["conversations"], &figures["unanswered"], &figures["total_is"]),
        (&json!(1), &json!(1), &json!("exact"))
    );
}

#[tokio::test]
async fn figures_of_a_search_count_the_newest_and_say_so() {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    talks(&platform, tenant, MAX_SCANNED_FOR_FIGURES + 100).await;
    for (query, counted, total_is) in [
        ("", MAX_SCANNED_FOR_FIGURES + 100, "exact"),
        ("?q=zq", 0, "at_least"),
        ("?q=e", MAX_SCANNED_FOR_FIGURES, "at_least"),
        ("?q=parcel", MAX_SCANNED_FOR_FIGURES, "at_least"),
        ("?outcome=unanswered", MAX_SCANNED_FOR_FIGURES, "at_least"),
        ("?rating=down", 0, "at_least"),
    ] {
        let figures = page(&platform, tenant, &format!("/stats{query}")).await;
        let counts = (&figures["conversations"], &figures["unanswered"], &figures["total_is"]);
        assert_eq!(counts, (&json!(counted), &json!(counted), &json!(total_is)), "{query}");
    }
}

#[tokio::test]
async fn unanswered_questions_continue_beyond_one_scan() {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    talks(&platform, tenant, unanswered::MAX_SCANNED + 50).await;
    let path = format!("/api/v1/tenants/me/chatbots/{}/unanswered", tenant.chatbot);
    let viewer = platform.viewer(tenant.id);
    let first = viewer.get(&path).await.body;
    assert_eq!((&first["total"], &first["total_is"]), (&json!(unanswered::MAX_SCANNED), &json!("at_least")));
    assert_eq!(first["next_cursor"], Value::Null, "the list itself goes on");
    assert_eq!(first["items"][0]["question"], "Where is parcel 1?");
    let last = viewer.get(&format!("{path}?offset={}", unanswered::MAX_SCANNED - 10)).await.body;
    let older = viewer.get(&format!("{path}?limit=200&cursor={}", cursor(&last, "next_cursor"))).await.body;
    assert_eq!(
        (&older["total"], &older["total_is"], &older["next_cursor"]),
        (&json!(50), &json!("exact"), &Value::Null)
    );
    let oldest = older["items"].as_array().unwrap().last().unwrap();
    assert_eq!(oldest["question"], "Is there a quagga? ok");
    let handled = format!("{path}/{}/handled", oldest["message_id"].as_str().unwrap());
    let done = platform.admin(tenant.id).put(&handled, &json!({ "handled": true })).await;
    assert_eq!(done.status, 200, "{done:?}");
    let open = viewer.get(&format!("{path}?handled=false&cursor={}", cursor(&last, "next_cursor"))).await.body;
    assert_eq!(open["total"], 49);
    // The message of the cursor is erased in the meantime.
    let cursor_message: Uuid =
        last["items"].as_array().unwrap().last().unwrap()["message_id"].as_str().unwrap().parse().unwrap();
    sqlx::query("delete from chat_messages where id = $1")
        .bind(cursor_message)
        .execute(platform.everything())
        .await
        .unwrap();
    let again = viewer.get(&format!("{path}?cursor={}", cursor(&last, "next_cursor"))).await.body;
    assert_eq!(again["total"], 50);
    let refused = viewer.get(&format!("{path}?cursor=x")).await;
    assert_eq!((refused.status, refused.loc()), (422, vec!["query", "cursor"]));
}

#[tokio::test]
async fn an_export_of_a_search_reads_every_conversation() {
    let platform = Platform::start().await;
    let tenant = platform.add_tenant("one").await;
    let many = MAX_SCANNED_FOR_FIGURES + 500;
    talks(&platform, tenant, many).await;
    for (query, conversations) in [
        ("", many),
        ("q=quagga", 1),
        ("q=ok", 1),
        ("q=parcel", many - 1),
        ("q=nothing+like+it", 0),
        ("outcome=unanswered", many),
        ("outcome=answered", 0),
        ("rating=up", 0),
    ] {
        let csv = platform.viewer(tenant.id).post(&format!("{LIST}/exports"), &from_query(query)).await;
        assert_eq!(csv.status, 200, "{query}: {csv:?}");
        let lines = csv.text.lines().count();
        assert_eq!(i64::try_from(lines).unwrap(), conversations + 1, "{query}");
    }
}
