//! The command itself: exit code, JSON, and no secret in either format.

use std::{
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;

use super::load_provider;
use crate::support::{
    Platform,
    provider::{PROVIDER_SECRET, people_url},
};

fn doctor(platform: &Platform, auth_url: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_server"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SVC_")) {
        command.env_remove(name);
    }
    command
        .arg("doctor")
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .env("SVC_AUTH_URL", auth_url)
        .env("SVC_AUTH_PEOPLE_CLIENT_SECRET", PROVIDER_SECRET)
        .env("SVC_DATABASE_URL", platform.db.settings().url)
        .env("SVC_DATABASE_PREPARED_STATEMENTS", platform.db.settings().prepared_statements.to_string())
        .env("SVC_HTTP_MAX_CONNECTIONS", "100")
        .env("SVC_LOGGING_LEVEL", "warn");
    command.output().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_says_what_is_wrong_to_people_and_scripts() {
    let platform = Platform::start().await;
    load_provider(&platform).await;
    let good = doctor(&platform, &people_url(&platform.keys.auth_url), &["--json"]);
    let report: Value = serde_json::from_slice(&good.stdout).unwrap_or_else(|_| panic!("{good:?}"));
    let checks = report["checks"].as_array().unwrap();
    let failed: Vec<_> =
        checks.iter().filter(|check| check["status"] == "failed").map(|check| &check["name"]).collect();
    assert_eq!(failed, ["settings"], "the tests' PostgreSQL runs without fsync: {report:#}");
    let bad = doctor(&platform, "http://127.0.0.1:1", &["--language", "de"]);
    assert_eq!(bad.status.code(), Some(1), "{bad:?}");
    let text = String::from_utf8(bad.stdout.clone()).unwrap();
    assert!(text.contains("FAILED   Discovery [svc-tenants]") && text.contains("Prüfen Sie auth.url"), "{text}");
    assert!(text.contains("server doctor --admin"), "{text}");
    for output in [good, bad] {
        let all = [output.stdout, output.stderr].concat();
        let all = String::from_utf8_lossy(&all);
        let password = url::Url::parse(&platform.db.login_url()).unwrap().password().unwrap().to_owned();
        assert!(!all.contains(PROVIDER_SECRET) && !all.contains(&password), "{all}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_checks_the_endpoints_of_the_file_by_name() {
    let platform = Platform::start().await;
    load_provider(&platform).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings.toml");
    let endpoint = "[[generator.endpoint]]\nname = 'large'\nurl = 'http://127.0.0.1:1/v1'\nmodel = 'large-2'\n\
                    api_key = 'a-key-of-an-endpoint'\n";
    std::fs::write(&file, endpoint).unwrap();
    let output = doctor(&platform, &people_url(&platform.keys.auth_url), &["--config", file.to_str().unwrap()]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("FAILED   Language model [large]: The address cannot be reached"), "{output:?}");
    assert!(!text.contains("a-key-of-an-endpoint"), "{text}");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("a-key-of-an-endpoint"), "{output:?}");
}
