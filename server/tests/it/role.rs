//! The server refuses to start with a database role that could see other tenants' rows, and without its migrations.

use sqlx::{AssertSqlSafe, raw_sql};
use store::Db;

use crate::support::Database;

async fn refusal(db: &Database, user: &str, options: &str) -> String {
    let name = format!("{user}_{}", db.name);
    raw_sql(AssertSqlSafe(format!("create role {name} login password 'x' {options}")))
        .execute(&db.superuser)
        .await
        .unwrap();
    let mut url = url::Url::parse(&db.superuser_url()).unwrap();
    url.set_username(&name).unwrap();
    url.set_password(Some("x")).unwrap();
    let settings = store::DbSettings { url: url.to_string(), ..db.settings() };
    let text = Db::connect(&settings).await.unwrap_err().to_string();
    raw_sql(AssertSqlSafe(format!("drop role {name}"))).execute(&db.superuser).await.unwrap();
    text
}

#[tokio::test]
async fn roles_that_bypass_row_security_are_refused_with_the_reason() {
    let db = Database::create().await;
    assert!(refusal(&db, "root", "superuser").await.contains("is a superuser"));
    assert!(refusal(&db, "bypass", "bypassrls").await.contains("may bypass row security"));
    assert!(refusal(&db, "heir", "inherit in role svc_operator").await.contains("inherits the rights"));
}

#[tokio::test]
async fn the_restricted_role_sees_nothing_outside_a_scope() {
    let db = Database::create().await;
    let mut connection = <sqlx::PgConnection as sqlx::Connection>::connect(&db.login_url()).await.unwrap();
    for table in ["tenants", "chatbots", "platform_audit_log", "chat_messages"] {
        let sql = format!("select * from {table}");
        let refused = sqlx::query(AssertSqlSafe(sql)).execute(&mut connection).await;
        assert!(refused.unwrap_err().to_string().contains("permission denied"), "{table}");
    }
}

#[tokio::test]
async fn a_database_without_all_migrations_is_refused() {
    let db = Database::create().await;
    let refused = async || Db::connect(&db.settings()).await.err().map(|error| error.to_string());
    let change = async |sql: &'static str| {
        raw_sql(sql).execute(&db.superuser).await.unwrap();
    };
    assert_eq!(refused().await, None);
    let newest: i64 =
        sqlx::query_scalar("select max(version) from _sqlx_migrations").fetch_one(&db.superuser).await.unwrap();
    let sentence = Some(format!(
        "the database lacks migrations that this program needs, up to number {newest}: run `server migrate` first"
    ));

    change(
        "update _sqlx_migrations set version = version + 1 where version = (select max(version) from _sqlx_migrations)",
    )
    .await;
    assert_eq!(refused().await, None, "a newer program has migrated");
    change("delete from _sqlx_migrations where version = (select max(version) from _sqlx_migrations)").await;
    assert_eq!(refused().await, sentence);
    change("revoke select (version) on _sqlx_migrations from svc_system").await;
    assert_eq!(refused().await, sentence, "as before the migration that lets it be read");
    change("drop table _sqlx_migrations").await;
    assert_eq!(refused().await, sentence);
}
