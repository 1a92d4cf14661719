//! The isolation matrix: every endpoint of the table, as each principal of one tenant, with the other tenant's real ids
//! in path, query and body. The response must be byte for byte the one for unknown ids; nothing may change; and a word
//! that is in every text of the other tenant's rows must never appear.

pub mod ids;
pub mod lines;
mod run;

use contract::table;

use self::run::FilterMode;
use crate::support::World;

/// Reads whose responses contain no text of a tenant's rows.
const WITHOUT_TEXT: &[&str] = &[
    "GetMe",
    "WhoAmI",
    "GetOwnUsage",
    "ListAnswerModels",
    "ListTenantModules",
    "ListTenantTemplates",
    "ListEmbeddingModels",
    "GetFeedbackStats",
    "GetConversationStats",
    "GetConversationNeighbours",
    "FindSimilarFaq",
    "GetKnowledgeInsights",
    "GetPreferences",
];

#[test]
fn every_endpoint_has_a_line_and_every_line_an_endpoint() {
    for endpoint in table() {
        let Some((_, body)) = lines::line(&endpoint) else { panic!("{} has no line", endpoint.name) };
        assert_eq!(endpoint.has_body, !body.is_null(), "{}", endpoint.name);
        let slots = endpoint.path.split('/').filter(|part| part.starts_with('{'));
        let others = ["{template_id}", "{module_id}", "{external_id}", "{host}", "{picture}"];
        for slot in slots.filter(|slot| !others.contains(slot)) {
            assert!(ids::SLOTS.contains(&slot), "{}: {slot}", endpoint.name);
        }
    }
}

#[tokio::test]
async fn foreign_ids_look_like_unknown_ids_on_every_endpoint() {
    let world = World::start().await;
    let findings = run::findings(&world, FilterMode::Services).await;
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[tokio::test]
async fn the_canary_is_visible_to_its_own_tenant() {
    let blind = run::blind_reads(&World::start().await).await;
    assert_eq!(blind, WITHOUT_TEXT, "reads that show no text of the caller's own tenant");
}

/// The same run with the services' filters disabled, after additional changes of the database.
async fn blinded(filters: FilterMode, more: &str) -> Vec<String> {
    let mut sql = include_str!("matrix/blind.sql").to_owned();
    if filters == FilterMode::ChatbotsIgnored {
        sql += "insert into blind.ignored select tenant_id, id from chatbots;";
    }
    run::findings(&World::start_after(&(sql + more)).await, filters).await
}

#[tokio::test]
async fn nothing_leaks_when_the_services_tenant_filters_are_ignored() {
    let findings = blinded(FilterMode::TenantsIgnored, "").await;
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[tokio::test]
async fn nothing_leaks_when_chatbot_filters_are_ignored_too() {
    let findings = blinded(FilterMode::ChatbotsIgnored, "").await;
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[tokio::test]
async fn the_matrix_finds_any_table_without_row_security() {
    for table in ["chatbots", "tenant_branding", "chatbot_feedback", "chat_sessions"] {
        let more = format!("alter table {table} disable row level security");
        assert!(!blinded(FilterMode::ChatbotsIgnored, &more).await.is_empty(), "{table}");
    }
}
