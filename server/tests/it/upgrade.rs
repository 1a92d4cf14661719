//! `server upgrade --check`: says what an upgrade would do, and changes nothing.

use std::process::Output;

use crate::support::{Database, checksum, command};

async fn check(url: &str) -> Output {
    command::run(&["upgrade", "--check"], &[("SVC_DATABASE_ADMIN_URL", url.to_owned())]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upgrade_is_announced_and_not_made() {
    let db = Database::create().await;
    let url = db.superuser_url();
    let current = check(&url).await;
    let text = command::succeeded(&current);
    assert!(text.contains("No migration is needed.") && text.contains("No document is read again."), "{text}");

    let newest = "delete from _sqlx_migrations where version = (select max(version) from _sqlx_migrations)
                  returning version, description";
    let (version, name): (i64, String) = sqlx::query_as(newest).fetch_one(&db.superuser).await.unwrap();
    let before = checksum::of_everything(&db.superuser).await;
    let pending = check(&url).await;
    let text = String::from_utf8(pending.stdout).unwrap();
    assert_eq!(pending.status.code(), Some(3), "{text}");
    assert!(text.contains("would apply 1 migrations") && text.contains(&format!("{version:04} {name}")), "{text}");
    assert_eq!(checksum::changed(&before, &checksum::of_everything(&db.superuser).await), [""; 0]);

    let newer = "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
                 values (99999, 'of the future', true, '', 0)";
    sqlx::query(newer).execute(&db.superuser).await.unwrap();
    let refusal = command::refusal(&check(&url).await);
    assert!(refusal.starts_with("a newer version has migrated the database, up to number 99999"), "{refusal}");
    let migrate = command::run(&["migrate"], &[("SVC_DATABASE_ADMIN_URL", url)]).await;
    assert!(command::refusal(&migrate).starts_with("a newer version has migrated"), "{migrate:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_database_gets_everything() {
    let (_db, url) = Database::empty().await;
    let output = check(&url).await;
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("The database is empty") && text.contains("0001 roles"), "{text}");
}
