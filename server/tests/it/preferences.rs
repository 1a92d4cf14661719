//! User preferences: created on demand, one row per user of a realm.

use serde_json::json;

use crate::support::Platform;

const PATH: &str = "/api/v1/users/me/preferences";

#[tokio::test]
async fn preferences_begin_with_auto_and_are_kept_per_user() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let viewer = platform.viewer(tenant.id);
    assert_eq!(viewer.get(PATH).await.body, json!({ "preferred_theme": "auto" }));
    let changed = viewer.patch(PATH, &json!({ "preferred_theme": "dark" })).await;
    assert_eq!((changed.status, &changed.body), (200, &json!({ "preferred_theme": "dark" })));
    assert_eq!(viewer.patch(PATH, &json!({})).await.body, json!({ "preferred_theme": "dark" }));
    assert_eq!(platform.admin(tenant.id).get(PATH).await.body, json!({ "preferred_theme": "auto" }));
    assert_eq!(platform.operator().get(PATH).await.body, json!({ "preferred_theme": "auto" }));
    let rows: i64 =
        sqlx::query_scalar("select count(*) from user_preferences").fetch_one(platform.everything()).await.unwrap();
    assert_eq!(rows, 3);
}

#[tokio::test]
async fn an_unknown_theme_is_a_422() {
    let platform = Platform::start().await;
    let answer = platform.operator().patch(PATH, &json!({ "preferred_theme": "pink" })).await;
    assert_eq!((answer.status, answer.loc()), (422, vec!["body", "preferred_theme"]));
}

#[tokio::test]
async fn a_user_of_the_same_name_in_the_other_realm_is_another_user() {
    let (platform, tenant, _) = Platform::with_tenants().await;
    let namesake = platform.keys.tenant(tenant.id, "tenant-admin").with("preferred_username", json!("olivia")).encode();
    platform.bearer(&namesake).patch(PATH, &json!({ "preferred_theme": "dark" })).await;
    assert_eq!(platform.operator().get(PATH).await.body, json!({ "preferred_theme": "auto" }));
}
