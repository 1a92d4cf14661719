//! Never a change without its audit row, and never a row that claims a change that was not made: after an interruption,
//! the background task asks the provider.

use serde_json::{Value, json};
use server::service::people::settle;
use sha2::{Digest, Sha256};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use super::{PEOPLE, new_person, path};
use crate::support::{Platform, Tenant};

/// A pending change of a process that was killed.
async fn leave_open(
    platform: &Platform,
    tenant: Tenant,
    action: &str,
    person: Option<Uuid>,
    before: Value,
    wanted: Value,
) {
    sqlx::query(
        "insert into people_changes (id, tenant_id, action, person_id, username, wanted, before, actor_role, actor_realm,
                                     actor_user, session_id)
         values ($6, $1, $2, $3, 'anna', $4, $5, 'tenant', 'svc-tenants', 'olga', 's')",
    )
    .bind(tenant.id.0)
    .bind(action)
    .bind(person)
    .bind(wanted)
    .bind(before)
    .bind(Uuid::now_v7())
    .execute(platform.everything())
    .await
    .unwrap();
}

async fn open_changes(platform: &Platform) -> i64 {
    sqlx::query_scalar("select count(*) from people_changes where outcome is null")
        .fetch_one(platform.everything())
        .await
        .unwrap()
}

/// Settles the changes, and returns the one row that this wrote.
async fn settled(platform: &Platform) -> Value {
    let rows = platform.audit_rows().await;
    settle::round(&platform.app).await.unwrap();
    settle::round(&platform.app).await.unwrap();
    assert_eq!((platform.audit_rows().await, open_changes(platform).await), (rows + 1, 0));
    let row = platform.last_audit().await;
    assert_eq!((&row["actor_user"], &row["actor_role"]), (&json!("olga"), &json!("tenant")), "{row}");
    row
}

#[tokio::test]
async fn a_change_that_happened_before_the_crash_is_done() {
    let (platform, one, _) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-admin").await;
    let (before, wanted) = (json!({ "role": "viewer" }), json!({ "role": "admin" }));
    leave_open(&platform, one, "user.updated", Some(anna), before, wanted).await;
    let row = settled(&platform).await;
    assert_eq!(row["details"]["outcome"], "done", "{row}");
    assert_eq!(row["details"]["after"], json!({ "role": "admin" }));
}

#[tokio::test]
async fn a_change_that_never_reached_the_provider_failed() {
    let (platform, one, _) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await;
    let (before, wanted) = (json!({ "role": "viewer" }), json!({ "role": "admin" }));
    leave_open(&platform, one, "user.updated", Some(anna), before, wanted).await;
    let row = settled(&platform).await;
    assert_eq!(row["details"]["outcome"], "failed", "{row}");
    assert_eq!(row["details"]["after"], json!({}), "nothing changed");
}

#[tokio::test]
async fn a_demotion_before_the_crash_ends_the_sessions() {
    let (platform, one, _) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await;
    assert_eq!(platform.sign_in(anna, "anna").await.status(), 200);
    let (before, wanted) = (json!({ "role": "admin" }), json!({ "role": "viewer" }));
    leave_open(&platform, one, "user.updated", Some(anna), before, wanted).await;
    assert_eq!(settled(&platform).await["details"]["outcome"], "done");
    let sessions = platform.at_provider("GET", &format!("users/{anna}/sessions"), &json!({})).await;
    assert_eq!(sessions.json::<Value>().await.unwrap(), json!([]));
}

#[tokio::test]
async fn a_half_made_invitation_is_undone() {
    let (platform, one, _) = Platform::with_tenants().await;
    make_half(&platform, one, "anna@example.com").await;
    leave_open(&platform, one, "user.invited", None, Value::Null, invitation("anna@example.com")).await;
    let row = settled(&platform).await;
    assert_eq!((&row["details"]["outcome"], &row["details"]["after"]), (&json!("failed"), &Value::Null), "{row}");
    assert_eq!(platform.admin(one.id).get(PEOPLE).await.body["total"], 0);
    assert_eq!(
        platform.admin(one.id).post(PEOPLE, &new_person("anna", "viewer")).await.status,
        201,
        "the name is free"
    );
}

/// The account of an invitation that was interrupted before it had a role.
async fn make_half(platform: &Platform, tenant: Tenant, email: &str) {
    let account = json!({
        "username": "anna", "email": email, "firstName": "Anna", "lastName": "Meyer", "enabled": true,
        "attributes": { "tenant_id": [tenant.id] }, "requiredActions": ["UPDATE_PASSWORD"],
    });
    assert_eq!(platform.at_provider("POST", "users", &account).await.status(), 201);
}

/// What an invitation wants.
fn invitation(email: &str) -> Value {
    let hash = Sha256::digest(format!("email\n{email}"));
    let hash: String = hash[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    json!({ "username": "anna", "role": "admin", "is_active": true, "email": hash })
}

#[tokio::test]
async fn an_account_that_somebody_else_made_is_not_undone() {
    let (platform, one, _) = Platform::with_tenants().await;
    // Made at the provider in the same second, for another address.
    make_half(&platform, one, "other@example.com").await;
    leave_open(&platform, one, "user.invited", None, Value::Null, invitation("anna@example.com")).await;
    assert_eq!(settled(&platform).await["details"]["outcome"], "failed");
    assert_eq!(platform.admin(one.id).get(PEOPLE).await.body["total"], 1);
    let clear = "delete from people_changes";
    sqlx::query(clear).execute(platform.everything()).await.unwrap();
    // A person who has a password of their own.
    platform.at_provider("DELETE", &format!("users/{}", only_person(&platform, one).await), &json!({})).await;
    platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await;
    leave_open(&platform, one, "user.invited", None, Value::Null, invitation("anna@example.com")).await;
    assert_eq!(settled(&platform).await["details"]["outcome"], "failed");
    only_person(&platform, one).await;
}

async fn only_person(platform: &Platform, tenant: Tenant) -> String {
    let account = platform.at_provider("GET", &format!("users?q=tenant_id:{}", tenant.id), &json!({})).await;
    let account: Value = account.json().await.unwrap();
    account[0]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_open_invitation_never_touches_another_tenants_person() {
    let (platform, one, other) = Platform::with_tenants().await;
    let anna = platform.add_person(other.id, "anna", "Meyer", "tenant-viewer").await;
    leave_open(&platform, one, "user.invited", None, Value::Null, json!({ "username": "anna" })).await;
    assert_eq!(settled(&platform).await["details"]["outcome"], "failed");
    assert_eq!(platform.admin(other.id).get(&path(anna)).await.status, 200);
}

#[tokio::test]
async fn the_provider_confirms_a_removal_and_a_new_password() {
    let (platform, one, _) = Platform::with_tenants().await;
    let before = json!({ "username": "anna", "role": "viewer", "is_active": true });
    leave_open(&platform, one, "user.removed", Some(Uuid::new_v4()), before.clone(), Value::Null).await;
    let row = settled(&platform).await;
    assert_eq!((&row["details"]["outcome"], &row["details"]["before"]), (&json!("done"), &before));
    let berta = platform.add_person(one.id, "berta", "Meyer", "tenant-viewer").await;
    leave_open(&platform, one, "user.removed", Some(berta), before, Value::Null).await;
    assert_eq!(settled(&platform).await["details"]["outcome"], "failed");
    let set_at: Value =
        platform.at_provider("GET", &format!("users/{berta}/credentials"), &json!({})).await.json().await.unwrap();
    let wanted = json!({ "password_set_at": "new" });
    let now = json!({ "password_set_at": set_at[0]["createdDate"] });
    leave_open(&platform, one, "user.password_reset", Some(berta), now, wanted.clone()).await;
    assert_eq!(settled(&platform).await["details"]["outcome"], "failed");
    let earlier = json!({ "password_set_at": 1 });
    leave_open(&platform, one, "user.password_reset", Some(berta), earlier, wanted).await;
    assert_eq!(settled(&platform).await["details"]["outcome"], "done");
}

#[tokio::test]
async fn a_change_stays_open_until_its_audit_row_is_written() {
    let (platform, one, _) = Platform::with_tenants().await;
    let refuse = "alter table platform_audit_log add constraint refused check (action <> 'user.invited') not valid";
    sqlx::query(refuse).execute(platform.everything()).await.unwrap();
    let rows = platform.audit_rows().await;
    let answer = platform.admin(one.id).post(PEOPLE, &new_person("anna", "viewer")).await;
    assert_eq!((answer.status, answer.detail()), (500, "internal_error"));
    assert_eq!((platform.audit_rows().await, open_changes(&platform).await), (rows, 1));
    sqlx::query("alter table platform_audit_log drop constraint refused").execute(platform.everything()).await.unwrap();
    settle::round(&platform.app).await.unwrap();
    assert_eq!((platform.audit_rows().await, open_changes(&platform).await), (rows + 1, 0));
    assert_eq!(platform.last_audit().await["details"]["outcome"], "failed", "nobody got the password");
    assert_eq!(platform.admin(one.id).get(PEOPLE).await.body["total"], 0);
}

#[tokio::test]
async fn the_next_change_settles_what_an_earlier_one_left_open() {
    let (platform, one, _) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await;
    let (before, wanted) = (json!({ "role": "viewer" }), json!({ "role": "admin" }));
    leave_open(&platform, one, "user.updated", Some(anna), before, wanted).await;
    let rows = platform.audit_rows().await;
    assert_eq!(platform.admin(one.id).patch(&path(anna), &json!({ "role": "admin" })).await.status, 200);
    assert_eq!((platform.audit_rows().await, open_changes(&platform).await), (rows + 2, 0));
}

#[tokio::test]
async fn a_change_that_somebody_works_on_is_left_alone() {
    let (platform, one, _) = Platform::with_tenants().await;
    let anna = platform.add_person(one.id, "anna", "Meyer", "tenant-viewer").await;
    leave_open(&platform, one, "user.updated", Some(anna), json!({}), json!({ "role": "admin" })).await;
    let hold = "insert into people_locks (tenant_id, holder, held_until) values ($1, gen_random_uuid(), now() + interval '1 minute')";
    sqlx::query(hold).bind(one.id.0).execute(platform.everything()).await.unwrap();
    settle::round(&platform.app).await.unwrap();
    assert_eq!(open_changes(&platform).await, 1);
    sqlx::query("update people_locks set held_until = now() - interval '1 second'")
        .execute(platform.everything())
        .await
        .unwrap();
    settle::round(&platform.app).await.unwrap();
    assert_eq!(open_changes(&platform).await, 0, "the lock of a dead process ends");
}

#[tokio::test]
async fn a_change_that_cannot_be_settled_holds_up_no_other_tenant() {
    let (platform, one, other) = Platform::with_tenants().await;
    for (tenant, name) in [(one, "anna"), (other, "berta")] {
        let person = platform.add_person(tenant.id, name, "Meyer", "tenant-viewer").await;
        leave_open(&platform, tenant, "user.updated", Some(person), json!({}), json!({ "role": "admin" })).await;
    }
    let refuse =
        format!("alter table platform_audit_log add constraint refused check (tenant_id <> '{}') not valid", one.id);
    sqlx::query(AssertSqlSafe(refuse)).execute(platform.everything()).await.unwrap();
    assert!(settle::round(&platform.app).await.is_err());
    assert_eq!(open_changes(&platform).await, 1);
    assert_eq!(platform.last_audit().await["tenant_id"], json!(other.id));
}
