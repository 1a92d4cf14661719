//! Enumerations in the database: the constraints list the values of the contract, and an unknown value is an error.

use contract::{
    chatbots::{ChatbotStatus, Provisioning},
    conversations::AnsweredBy,
    documents::{DocumentState, SourceKind},
    embed::EmbedOutcome,
    feedback::{FeedbackCategory, Rating},
    jobs::JobState,
    preferences::Theme,
    templates::TemplateStatus,
    websites::{WebsitePageState, WebsiteProof, WebsiteSchedule, WebsiteState},
    widget::{Confidence, MessageRole, SmallTalk},
};
use serde_json::json;
use sqlx::AssertSqlSafe;

use crate::{mutations::template, support::Platform};

macro_rules! texts {
    ($enumeration:ident) => {
        $enumeration::ALL.iter().map(|value| value.as_str()).collect::<Vec<_>>()
    };
}

#[tokio::test]
async fn every_constraint_names_the_values_of_the_contract() {
    let platform = Platform::start().await;
    for (constraint, mut texts) in [
        ("chatbots_status_check", texts!(ChatbotStatus)),
        ("chatbots_provisioning_check", texts!(Provisioning)),
        ("chatbot_faq_state_check", texts!(Provisioning)),
        ("chatbot_sources_kind_check", texts!(SourceKind)),
        ("uploads_state_check", texts!(DocumentState)),
        ("jobs_state_check", texts!(JobState)),
        ("websites_schedule_check", texts!(WebsiteSchedule)),
        ("websites_proven_by_check", texts!(WebsiteProof)),
        ("websites_state_check", texts!(WebsiteState)),
        ("website_pages_state_check", texts!(WebsitePageState)),
        ("chatbot_templates_status_check", texts!(TemplateStatus)),
        ("chatbot_feedback_rating_check", texts!(Rating)),
        ("chatbot_feedback_category_check", texts!(FeedbackCategory)),
        ("chat_messages_role_check", texts!(MessageRole)),
        ("chat_messages_answered_by_check", texts!(AnsweredBy)),
        ("chat_messages_confidence_check", texts!(Confidence)),
        ("chat_messages_small_talk_check", texts!(SmallTalk)),
        ("user_preferences_preferred_theme_check", texts!(Theme)),
        ("widget_origins_outcome_check", texts!(EmbedOutcome)),
    ] {
        let stored: String =
            sqlx::query_scalar("select pg_get_constraintdef(oid) from pg_constraint where conname = $1")
                .bind(constraint)
                .fetch_one(platform.everything())
                .await
                .unwrap();
        let mut stored: Vec<&str> = stored.split('\'').skip(1).step_by(2).collect();
        stored.sort_unstable();
        texts.sort_unstable();
        assert_eq!(stored, texts, "{constraint}");
    }
}

#[tokio::test]
async fn a_value_that_the_program_does_not_know_is_an_error() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let admin = platform.admin(tenant.id);
    let preferences = "/api/v1/users/me/preferences";
    assert_eq!(platform.operator().post("/api/v1/operator/templates", &template("support-en")).await.status, 201);
    assert_eq!(admin.patch(preferences, &json!({ "preferred_theme": "dark" })).await.status, 200);
    let chatbots = format!("/api/v1/tenants/me/chatbots/{}", tenant.chatbot);
    for (table, column, constraint, path) in [
        ("chatbots", "status", "chatbots_status_check", chatbots.as_str()),
        ("chatbots", "provisioning", "chatbots_provisioning_check", &chatbots),
        ("chatbot_templates", "status", "chatbot_templates_status_check", "/api/v1/operator/templates"),
        ("user_preferences", "preferred_theme", "user_preferences_preferred_theme_check", preferences),
    ] {
        let client = if table == "chatbot_templates" { platform.operator() } else { platform.admin(tenant.id) };
        assert_eq!(client.get(path).await.status, 200, "{table}.{column}");
        for statement in [
            format!("alter table {table} drop constraint {constraint}"),
            format!("alter table {table} add column kept text"),
            format!("update {table} set kept = {column}, {column} = 'unheard_of'"),
        ] {
            sqlx::query(AssertSqlSafe(statement)).execute(platform.everything()).await.unwrap();
        }
        assert_eq!(client.get(path).await.status, 500, "{table}.{column}");
        let restore = format!("update {table} set {column} = kept; alter table {table} drop column kept");
        sqlx::raw_sql(AssertSqlSafe(restore)).execute(platform.everything()).await.unwrap();
    }
}
