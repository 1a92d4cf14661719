//! Audit rows over 730 days old move to the archive, once each, and nobody can remove a younger one.

use serde_json::{Value, json};
use server::service::audit::archive;
use sqlx::AssertSqlSafe;
use tokio_util::sync::CancellationToken;

use crate::support::{Platform, moment};

/// Adds `number` rows that are `days` days old.
async fn add_rows(platform: &Platform, number: i32, days: i32) {
    sqlx::query(
        "insert into platform_audit_log (id, occurred_at, actor_role, actor_user, actor_idp_id, tenant_id, chatbot_id,
                                         action, entity_type, entity_id, ip_address, session_id, details)
         select gen_random_uuid(), now() - make_interval(days => $2), 'operator', 'olivia', 'idp', gen_random_uuid(),
                gen_random_uuid(), 'tenant.updated', 'tenant', n::text, '127.0.0.1', 's', jsonb_build_object('after', n)
         from generate_series(1, $1) n",
    )
    .bind(number)
    .bind(days)
    .execute(platform.everything())
    .await
    .unwrap();
}

async fn rows(platform: &Platform, table: &'static str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(format!("select count(*) from {table}")))
        .fetch_one(platform.everything())
        .await
        .unwrap()
}

async fn live_and_archived(platform: &Platform) -> (i64, i64) {
    (rows(platform, "platform_audit_log").await, rows(platform, "platform_audit_log_archive").await)
}

async fn run(platform: &Platform, batch: i32) -> u64 {
    archive::run(&platform.app, batch, &CancellationToken::new()).await.unwrap()
}

/// Every column of all rows of a table, in the order of their ids.
async fn contents(platform: &Platform, table: &'static str) -> Vec<Value> {
    sqlx::query_scalar(AssertSqlSafe(format!("select to_jsonb(t) - 'archived_at' from {table} t order by id")))
        .fetch_all(platform.everything())
        .await
        .unwrap()
}

#[tokio::test]
async fn rows_of_731_days_move_as_they_are_and_rows_of_729_days_stay() {
    let platform = Platform::start().await;
    add_rows(&platform, 7, 731).await;
    let old = contents(&platform, "platform_audit_log").await;
    add_rows(&platform, 5, 729).await;
    assert_eq!(run(&platform, 3).await, 7, "in batches of 3, 3 and 1");
    assert_eq!(live_and_archived(&platform).await, (5, 7));
    assert_eq!(contents(&platform, "platform_audit_log_archive").await, old);
    let young: i64 =
        sqlx::query_scalar("select count(*) from platform_audit_log where occurred_at > now() - interval '730 days'")
            .fetch_one(platform.everything())
            .await
            .unwrap();
    assert_eq!(young, 5);
    assert_eq!(run(&platform, 3).await, 0, "a second run finds nothing");
    assert_eq!(live_and_archived(&platform).await, (5, 7));
}

#[tokio::test]
async fn two_runs_at_once_move_every_row_once() {
    let platform = Platform::start().await;
    add_rows(&platform, 500, 800).await;
    add_rows(&platform, 20, 1).await;
    let (one, other) = tokio::join!(run(&platform, 7), run(&platform, 11));
    assert_eq!(one + other, 500);
    assert_eq!(live_and_archived(&platform).await, (20, 500));
}

#[tokio::test]
async fn a_run_that_is_stopped_leaves_no_row_in_between() {
    let platform = Platform::start().await;
    add_rows(&platform, 10, 800).await;
    let stop = CancellationToken::new();
    stop.cancel();
    assert_eq!(archive::run(&platform.app, 3, &stop).await.unwrap(), 0);
    assert_eq!(live_and_archived(&platform).await, (10, 0));
    assert_eq!(run(&platform, 3).await, 10);
}

#[tokio::test]
async fn the_task_moves_what_is_old_at_its_start_and_can_be_stopped() {
    let platform = Platform::start().await;
    add_rows(&platform, 3, 731).await;
    let stop = CancellationToken::new();
    let task = tokio::spawn(archive::run_until(platform.app.clone(), stop.clone()));
    let moved = async {
        while live_and_archived(&platform).await != (0, 3) {
            moment().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), moved).await.unwrap();
    stop.cancel();
    tokio::time::timeout(std::time::Duration::from_secs(60), task).await.unwrap().unwrap();
}

#[tokio::test]
async fn the_reader_sees_only_the_live_table() {
    let platform = Platform::start().await;
    add_rows(&platform, 2, 731).await;
    add_rows(&platform, 3, 700).await;
    run(&platform, 100).await;
    let answer = platform.operator().get("/api/v1/platform/audit?action=tenant.updated").await;
    assert_eq!((answer.status, answer.body["items"].as_array().map(Vec::len)), (200, Some(3)), "{answer:?}");
    for role in ["svc_operator", "svc_vendor", "svc_tenant", "svc_widget", "svc_system"] {
        let mut connection = platform.db.connect_as(role, None).await;
        let error = sqlx::query("select from platform_audit_log_archive").execute(&mut connection).await.unwrap_err();
        assert!(error.to_string().contains("permission denied"), "{role}: {error}");
    }
}

#[tokio::test]
async fn no_runtime_role_changes_audit_rows_by_hand() {
    let platform = Platform::start().await;
    add_rows(&platform, 2, 731).await;
    add_rows(&platform, 2, 1).await;
    run(&platform, 1).await;
    add_rows(&platform, 1, 731).await;
    for role in ["svc_app", "svc_operator", "svc_vendor", "svc_tenant", "svc_widget", "svc_system"] {
        let mut connection = platform.db.connect_as(role, None).await;
        for statement in [
            "delete from platform_audit_log",
            "update platform_audit_log set actor_user = 'x'",
            "truncate platform_audit_log",
            "delete from platform_audit_log_archive",
            "update platform_audit_log_archive set actor_user = 'x'",
            "truncate platform_audit_log_archive",
            "insert into platform_audit_log_archive (id, actor_role, actor_user, action, entity_type, entity_id)
             values (gen_random_uuid(), 'operator', 'x', 'x', 'x', 'x')",
        ] {
            let error = sqlx::query(statement).execute(&mut connection).await.unwrap_err().to_string();
            assert!(error.contains("permission denied"), "{role}: {statement}: {error}");
        }
        let archive = sqlx::query_scalar::<_, i64>("select archive_audit_log(100)").fetch_one(&mut connection).await;
        match role {
            "svc_system" => assert_eq!(archive.unwrap(), 1, "the old row and no younger one"),
            _ => assert!(archive.unwrap_err().to_string().contains("permission denied"), "{role}"),
        }
    }
    assert_eq!(live_and_archived(&platform).await, (2, 3));
}

#[tokio::test]
async fn the_system_cannot_make_a_young_row_look_old() {
    let platform = Platform::start().await;
    add_rows(&platform, 4, 10).await;
    // As in a database that was restored without its rights.
    let grant = format!("grant temporary on database {} to public", platform.db.name);
    sqlx::raw_sql(AssertSqlSafe(grant)).execute(platform.everything()).await.unwrap();
    let mut connection = platform.db.connect_as("svc_system", None).await;
    // Names in front of the catalogue's, and what a session may set.
    for statement in [
        "create temporary table platform_audit_log (id uuid, occurred_at timestamptz)",
        "create function pg_temp.now() returns timestamptz language sql return 'infinity'::timestamptz",
        "set search_path = pg_temp, public, pg_catalog",
        "set intervalstyle = 'sql_standard'",
        "set timezone = 'Pacific/Kiritimati'",
    ] {
        // Whether the role may do it or not: the rows must stay.
        drop(sqlx::query(statement).execute(&mut connection).await);
    }
    for batch in [json!(100), json!(-1), Value::Null] {
        let batch = batch.as_i64().map(|batch| i32::try_from(batch).unwrap());
        drop(sqlx::query("select public.archive_audit_log($1)").bind(batch).execute(&mut connection).await);
    }
    assert_eq!(live_and_archived(&platform).await, (4, 0));
}
