//! The log for operators.

use super::{LIST, listed, poller};
use crate::support::Platform;

#[tokio::test]
async fn the_list_is_narrowed_by_user_and_time() {
    let platform = Platform::start().await;
    sqlx::query(
        "insert into vendor_access_log (event_key, occurred_at, event_type, username, client_id)
         select 'e' || day, make_timestamptz(2026, 11, day, 12, 0, 0, 'UTC'), 'LOGIN',
                case when day % 2 = 0 then 'Victor' else 'vera' end, 'svc-api-vendor-tunnel'
         from generate_series(1, 9) day",
    )
    .execute(platform.everything())
    .await
    .unwrap();
    let operator = platform.operator();
    let users =
        async |query: &str| listed(&operator, query).await.0.into_iter().map(|(user, _)| user).collect::<Vec<_>>();
    assert_eq!(users("?username=victor").await, ["Victor"; 4]);
    assert_eq!(users("?date_from=2026-11-08").await, ["vera", "Victor"], "newest first");
    assert_eq!(users("?date_from=2026-11-02&date_to=2026-11-02").await, ["Victor"], "a day counts to its end");
    assert_eq!(users("?username=nobody").await, [""; 0]);
    let answer = platform.operator().get(&format!("{LIST}?date_from=2026-11-03&date_to=2026-11-02")).await;
    assert_eq!((answer.status, answer.detail()), (422, "date_from_after_date_to"));
    for wrong in ["?scope=tenant", "?limit=0", "?date_from=soon"] {
        assert_eq!(platform.operator().get(&format!("{LIST}{wrong}")).await.status, 422, "{wrong}");
    }
}

#[tokio::test]
async fn the_list_says_whether_logins_are_recorded() {
    let platform = Platform::start().await;
    let is_recorded = async || platform.operator().get(LIST).await.body["is_recorded"].as_bool();
    assert_eq!(is_recorded().await, Some(false));
    drop(poller(&platform));
    assert_eq!(is_recorded().await, Some(true));
}
