//! Two tenants under the restricted roles: every tenant table x four verbs x {another tenant,
//! unset, empty} shows and changes nothing.

use sqlx::{AssertSqlSafe, Connection, PgConnection, Row};

use crate::support::{Platform, Tenant};

/// Fills every tenant table for both tenants.
async fn populated() -> (Platform, Tenant, Tenant) {
    let (platform, one, other) = Platform::with_tenants().await;
    for tenant in [one, other] {
        platform.ingest(tenant, "a.md", "# Opening hours\n\nThe shop opens at nine in the morning.\n").await;
        let path = format!("/api/v1/widget/chatbots/{}/query", tenant.chatbot);
        let body = serde_json::json!({ "session_id": null, "question": "When does the shop open?" });
        assert_eq!(platform.widget().post(&path, &body).await.status, 200);
        for statement in [
            "insert into tenant_modules (tenant_id, module_id) values ($1, 'feedback')",
            "insert into chatbot_branding (tenant_id, chatbot_id) values ($1, $2)",
            "insert into chatbot_feedback (id, tenant_id, chatbot_id, rating) values (gen_random_uuid(), $1, $2, 'up')",
            "insert into output_filter_audit (id, tenant_id, chatbot_id, user_question, matched_pattern, category,
                                              filter_layer, excerpt, full_output)
             values (gen_random_uuid(), $1, $2, 'q', 'p', 'pii', 'inline', 'e', 'o')",
            "insert into platform_audit_log_archive (id, actor_role, actor_user, tenant_id, action, entity_type, entity_id)
             values (gen_random_uuid(), 'tenant', 'x', $1, 'chatbot.updated', 'chatbot', 'x')",
        ] {
            let mut query = sqlx::query(statement).bind(tenant.id.0);
            if statement.contains("$2") {
                query = query.bind(tenant.chatbot.0);
            }
            query.execute(platform.everything()).await.unwrap();
        }
    }
    (platform, one, other)
}

async fn tenant_tables(platform: &Platform) -> Vec<String> {
    sqlx::query_scalar(
        "select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid
         where a.attname = 'tenant_id' and c.relkind in ('r', 'p') and not c.relispartition
           and c.relnamespace = 'public'::regnamespace order by 1",
    )
    .fetch_all(platform.everything())
    .await
    .unwrap()
}

/// Rows of another tenant that a statement reaches; a refused statement reaches none.
async fn reached(connection: &mut PgConnection, statement: String) -> u64 {
    let mut tx = connection.begin().await.unwrap();
    let result = sqlx::query(AssertSqlSafe(statement)).fetch_all(&mut *tx).await;
    let rows = result.map_or(0, |rows| rows.first().map_or(0, |row| row.get::<i64, _>(0)));
    tx.rollback().await.unwrap();
    u64::try_from(rows).unwrap()
}

#[tokio::test]
async fn no_verb_reaches_another_tenants_rows() {
    let (platform, one, other) = populated().await;
    let scopes = [Some(one.id.to_string()), None, Some(String::new())];
    for role in ["svc_tenant", "svc_widget"] {
        for scope in &scopes {
            let mut connection = platform.db.connect_as(role, scope.as_deref()).await;
            for table in tenant_tables(&platform).await {
                let foreign = format!("tenant_id = '{}'", other.id);
                let all: i64 =
                    sqlx::query_scalar(AssertSqlSafe(format!("select count(*) from {table} where {foreign}")))
                        .fetch_one(platform.everything())
                        .await
                        .unwrap();
                assert!(all > 0, "{table} has no row of the other tenant: the test would prove nothing");
                for statement in [
                    format!("select count(*) from {table} where {foreign}"),
                    format!(
                        "with x as (update {table} set tenant_id = tenant_id where {foreign} returning 1) select count(*) from x"
                    ),
                    format!("with x as (delete from {table} where {foreign} returning 1) select count(*) from x"),
                    format!(
                        "with x as (insert into {table} select * from {table} where {foreign} returning 1) select count(*) from x"
                    ),
                ] {
                    let rows = reached(&mut connection, statement.clone()).await;
                    assert_eq!(rows, 0, "{role} with {scope:?}: {statement}");
                }
            }
        }
    }
}

#[tokio::test]
async fn the_own_rows_are_seen_so_that_the_matrix_proves_something() {
    let (platform, one, _) = populated().await;
    let mut connection = platform.db.connect_as("svc_tenant", Some(&one.id.to_string())).await;
    for table in tenant_tables(&platform).await {
        let readable: bool = sqlx::query_scalar("select has_table_privilege('svc_tenant', $1, 'select')")
            .bind(&table)
            .fetch_one(platform.everything())
            .await
            .unwrap();
        if !readable {
            continue;
        }
        let rows = reached(&mut connection, format!("select count(*) from {table}")).await;
        assert!(rows > 0, "{table}");
    }
}

#[tokio::test]
async fn a_row_for_another_tenant_cannot_be_written() {
    let (platform, one, other) = populated().await;
    let mut connection = platform.db.connect_as("svc_tenant", Some(&one.id.to_string())).await;
    let refused = sqlx::query("insert into tenant_branding (tenant_id) values ($1) on conflict do nothing")
        .bind(other.id.0)
        .execute(&mut connection)
        .await;
    assert!(refused.unwrap_err().to_string().contains("row-level security"));
    // Its own tenant id on another tenant's chatbot: refused by the composite key and the partition.
    let source = sqlx::query(
        "insert into chatbot_sources (id, tenant_id, chatbot_id, kind, name) values (gen_random_uuid(), $1, $2, 'files', 'x')",
    )
    .bind(one.id.0)
    .bind(other.chatbot.0)
    .execute(&mut connection)
    .await;
    assert!(source.unwrap_err().to_string().contains("chatbot_sources_chatbot_fkey"));
    let passage = sqlx::query(
        "insert into passages (id, tenant_id, chatbot_id, document_id, ordinal, heading, content, embedding, keywords)
         values (gen_random_uuid(), $1, $2, gen_random_uuid(), 0, '', 'x', array_fill(0.1::real, array[384])::vector, '')",
    )
    .bind(one.id.0)
    .bind(other.chatbot.0)
    .execute(&mut connection)
    .await;
    assert!(passage.unwrap_err().to_string().contains("_own_check"));
}

#[tokio::test]
async fn a_collection_can_only_be_made_for_an_own_chatbot() {
    let (platform, one, other) = Platform::with_tenants().await;
    let mut connection = platform.db.connect_as("svc_tenant", Some(&one.id.to_string())).await;
    let refused =
        sqlx::query("select provision_collection($1, 384)").bind(other.chatbot.0).execute(&mut connection).await;
    assert!(refused.unwrap_err().to_string().contains("is not of this tenant"));
}

#[tokio::test]
async fn a_partition_cannot_be_read_past_its_parent() {
    let (platform, one, other) = populated().await;
    let mut connection = platform.db.connect_as("svc_tenant", Some(&one.id.to_string())).await;
    let partition = format!("passages_{}", other.chatbot.0.simple());
    let refused = sqlx::query(AssertSqlSafe(format!("select * from {partition}"))).execute(&mut connection).await;
    assert!(refused.unwrap_err().to_string().contains("permission denied"));
}

#[tokio::test]
async fn slug_and_template_of_a_chatbot_and_custom_css_cannot_be_written_by_a_tenant() {
    let (platform, one, _) = populated().await;
    let mut connection = platform.db.connect_as("svc_tenant", Some(&one.id.to_string())).await;
    for statement in [
        "update chatbots set slug = 'x'",
        "update chatbots set template_id = null",
        "update tenant_branding set custom_css = 'x'",
    ] {
        let refused = sqlx::query(statement).execute(&mut connection).await;
        assert!(refused.unwrap_err().to_string().contains("permission denied"), "{statement}");
    }
}
