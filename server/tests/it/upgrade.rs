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

#[tokio::test(flavor = "multi_thread")]
async fn migrations_give_the_login_role_its_password() {
    let db = Database::create().await;
    let migrate = async |url: Option<String>| {
        let mut variables = vec![("SVC_DATABASE_ADMIN_URL", db.superuser_url())];
        variables.extend(url.map(|url| ("SVC_DATABASE_URL", url)));
        command::run(&["migrate", "--set-password"], &variables).await
    };
    let stored = async || -> String {
        let stored = "select rolpassword from pg_authid where rolname = 'svc_app'";
        sqlx::query_scalar(stored).fetch_one(&db.superuser).await.unwrap()
    };
    let before = stored().await;
    for url in [None, Some(db.superuser_url()), Some("postgres://svc_app@127.0.0.1/platform".to_owned())] {
        let refusal = command::refusal(&migrate(url).await);
        assert!(refusal.contains("database.url") && refusal.contains("`migrate --set-password`"), "{refusal}");
    }
    // The same password as before, for the other tests: PostgreSQL stores it with another salt.
    command::succeeded(&migrate(Some(db.login_url())).await);
    assert_ne!(before, stored().await);
    db.connect().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn migrations_that_could_not_end_do_not_begin() {
    let (db, url) = Database::empty().await;
    let statement = format!("alter role owner_{} nobypassrls", db.name);
    sqlx::raw_sql(sqlx::AssertSqlSafe(statement)).execute(&db.superuser).await.unwrap();
    let refusal = command::refusal(&command::run(&["migrate"], &[("SVC_DATABASE_ADMIN_URL", url)]).await);
    assert!(refusal.contains("lacks rights") && refusal.contains("createrole bypassrls"), "{refusal}");
    let tables = "select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'";
    assert_eq!(sqlx::query_scalar::<_, i64>(tables).fetch_one(&db.superuser).await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_of_another_program_are_refused() {
    let db = Database::create().await;
    let edited = "update _sqlx_migrations set checksum = '\\x00' where version = 2";
    sqlx::raw_sql(edited).execute(&db.superuser).await.unwrap();
    for arguments in [&["migrate"][..], &["upgrade", "--check"]] {
        let refusal =
            command::refusal(&command::run(arguments, &[("SVC_DATABASE_ADMIN_URL", db.superuser_url())]).await);
        assert!(
            refusal.contains("migration 2 of this database") && refusal.contains("name another database"),
            "{refusal}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_does_not_answer_is_explained() {
    let db = Database::create().await;
    let refusal =
        async |url: String| command::refusal(&command::run(&["migrate"], &[("SVC_DATABASE_ADMIN_URL", url)]).await);
    let url = db.superuser_url();
    for (address, advice) in [
        (
            "postgres://nobody@127.0.0.1:1/platform".to_owned(),
            "check that PostgreSQL runs, and host and port in its address",
        ),
        (url.replace(&db.name, "no_such_database"), "create the database, or correct its name"),
        (db.login_url().replace("for-tests-only", "wrong"), "check role and password in the address"),
    ] {
        let text = refusal(address).await;
        assert!(text.contains(advice), "{text}");
    }
}
