//! Two tenants under the restricted roles: every table x four verbs x {own tenant, unset, empty} reaches exactly the rows
//! that `isolation/rights.txt` lists; a table, grant or policy that is not listed fails.

pub mod probe;
mod reach;
pub mod rights;

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use self::{probe::Guard, rights::ROLES};
use crate::support::World;

#[tokio::test]
async fn every_table_and_grant_and_policy_is_listed() {
    let (database, _, _) = World::database().await;
    let mut owner = database.superuser.acquire().await.unwrap();
    let (existing, listed) = (rights::of_catalogue(&mut owner).await, rights::listed());
    let unlisted: Vec<_> = existing.difference(&listed).collect();
    let missing: Vec<_> = listed.difference(&existing).collect();
    assert!(
        unlisted.is_empty() && missing.is_empty(),
        "not in rights.txt: {unlisted:#?}\nin rights.txt only: {missing:#?}"
    );
}

#[tokio::test]
async fn every_granted_verb_reaches_own_rows_only() {
    let (database, one, _) = World::database().await;
    let mut owner = database.superuser.acquire().await.unwrap();
    let tables = probe::tables(&mut owner).await;
    probe::stage(&mut owner, &tables).await;
    let powerless = probe::powerless(&mut owner, &tables, one).await;
    assert!(powerless.is_empty(), "the attempts would prove nothing: {powerless:#?}");
    let all: Vec<_> = tables.iter().collect();
    let mut login = PgConnection::connect(&database.login_url()).await.unwrap();
    login.execute("begin").await.unwrap();
    let findings = probe::findings(&mut login, Guard::GrantsAndPolicies, &all, &ROLES, one).await;
    assert!(findings.is_empty(), "{findings:#?}");
}

#[tokio::test]
async fn the_policies_alone_isolate_tenants_with_all_verbs_granted() {
    let (database, one, _) = World::database().await;
    let mut owner = PgConnection::connect(&database.superuser_url()).await.unwrap();
    let tables = probe::tables(&mut owner).await;
    probe::stage(&mut owner, &tables).await;
    let all: Vec<_> = tables.iter().collect();
    owner.execute("begin").await.unwrap();
    let findings = probe::findings(&mut owner, Guard::PoliciesAlone, &all, &ROLES, one).await;
    assert!(findings.is_empty(), "{findings:#?}");
}

#[tokio::test]
async fn a_row_for_another_tenant_cannot_be_written() {
    let World { platform, one, other } = World::start().await;
    let mut connection = platform.db.connect_as("svc_tenant", Some(&one.tenant.to_string())).await;
    let refused = sqlx::query("insert into tenant_branding (tenant_id) values ($1) on conflict do nothing")
        .bind(other.tenant.0)
        .execute(&mut connection)
        .await;
    assert!(refused.unwrap_err().to_string().contains("row-level security"));
    // Its own tenant id on another tenant's chatbot: refused by the composite key and the partition.
    let source = sqlx::query(
        "insert into chatbot_sources (id, tenant_id, chatbot_id, kind, name) values (gen_random_uuid(), $1, $2, 'files', 'x')",
    )
    .bind(one.tenant.0)
    .bind(other.chatbot.0)
    .execute(&mut connection)
    .await;
    assert!(source.unwrap_err().to_string().contains("chatbot_sources_chatbot_fkey"));
    let passage = sqlx::query(
        "insert into passages (id, tenant_id, chatbot_id, document_id, ordinal, heading, content, embedding, keywords)
         values (gen_random_uuid(), $1, $2, gen_random_uuid(), 0, '', 'x', array_fill(0.1::real, array[384])::vector, '')",
    )
    .bind(one.tenant.0)
    .bind(other.chatbot.0)
    .execute(&mut connection)
    .await;
    assert!(passage.unwrap_err().to_string().contains("_own_check"));
}

#[tokio::test]
async fn a_collection_can_only_be_made_for_an_own_chatbot() {
    let World { platform, one, other } = World::start().await;
    let mut connection = platform.db.connect_as("svc_tenant", Some(&one.tenant.to_string())).await;
    let refused =
        sqlx::query("select provision_collection($1, 384)").bind(other.chatbot.0).execute(&mut connection).await;
    assert!(refused.unwrap_err().to_string().contains("is not of this tenant"));
}

#[tokio::test]
async fn a_partition_cannot_be_read_past_its_parent() {
    let World { platform, one, other } = World::start().await;
    let mut connection = platform.db.connect_as("svc_tenant", Some(&one.tenant.to_string())).await;
    let partition = format!("passages_{}", other.chatbot.0.simple());
    let refused = sqlx::query(AssertSqlSafe(format!("select * from {partition}"))).execute(&mut connection).await;
    assert!(refused.unwrap_err().to_string().contains("permission denied"));
}

#[tokio::test]
async fn tenants_cannot_write_slug_template_and_custom_css() {
    let World { platform, one, .. } = World::start().await;
    let mut connection = platform.db.connect_as("svc_tenant", Some(&one.tenant.to_string())).await;
    for statement in [
        "update chatbots set slug = 'x'",
        "update chatbots set template_id = null",
        "update tenant_branding set custom_css = 'x'",
    ] {
        let refused = sqlx::query(statement).execute(&mut connection).await;
        assert!(refused.unwrap_err().to_string().contains("permission denied"), "{statement}");
    }
}
