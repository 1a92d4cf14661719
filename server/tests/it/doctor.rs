//! The installation check: a correct installation has no finding, and each broken part is found.

mod process;

use std::{sync::Arc, time::Duration};

use contract::system_check::{CheckStatus, ReportLanguage, SystemReport};
use rag::generate::openai::{Generator, Settings};
use serde_json::{Value, json};
use server::{
    config::{Prices, Secret},
    doctor::{
        self, Subject,
        admin::{self, AdminLogin},
    },
    state::answer_models::ModelEndpoint,
    storage::Storage,
};
use store::vectors::{Qdrant, QdrantSettings};

use crate::support::{Platform, model::Model, provider};

const PATH: &str = "/api/v1/platform/system-check";
/// Nothing listens there.
const NOBODY: &str = "http://127.0.0.1:1";

/// The key of a language model.
const MODEL_KEY: &str = "a-key-of-the-model";

/// A language model at an address where nothing listens.
fn absent_model() -> Generator {
    let settings = Settings {
        base_url: NOBODY.to_owned(),
        key: Some(MODEL_KEY.to_owned()),
        model: "m".to_owned(),
        timeout: Duration::from_secs(5),
        first_token: Duration::from_secs(5),
        silence: Duration::from_secs(5),
        max_tokens: 10,
        max_concurrent: 1,
    };
    Generator::new(settings).unwrap()
}

/// Waits until the tests' identity provider is loaded, which may take longer than the checks wait.
async fn load_provider(platform: &Platform) {
    let realm = format!("{}/realms/svc-platform/.well-known/openid-configuration", platform.keys.auth_url);
    assert_eq!(platform.http.get(realm).send().await.unwrap().status(), 200);
}

/// The parts of a platform, at the address where it is served. A real Keycloak (`make test-keycloak`) names itself as issuer.
async fn subject(platform: &Platform) -> Subject {
    load_provider(platform).await;
    let auth_url = provider::people_url(&platform.keys.auth_url);
    Subject { auth_url, base_url: platform.base_url.clone(), ..Subject::of_app(&platform.app) }
}

/// The ids of the checks that failed or warn, and the whole report.
async fn faults(subject: &Subject) -> (Vec<String>, SystemReport) {
    let report = doctor::report(&doctor::run(subject).await, chrono::Utc::now(), ReportLanguage::English);
    let text = serde_json::to_string(&report).unwrap();
    assert!(!text.contains(provider::PROVIDER_SECRET), "{text}");
    (faulty_checks(&report), report)
}

fn faulty_checks(report: &SystemReport) -> Vec<String> {
    let is_bad = |status| matches!(status, CheckStatus::Failed | CheckStatus::Warning);
    let bad = report.checks.iter().filter(|check| is_bad(check.status));
    // How full the disk is depends on the machine, and the tests' PostgreSQL does not sync.
    bad.filter(|check| !["disk", "settings"].contains(&check.name.as_str()))
        .map(|check| format!("{}.{}", check.area.as_str(), check.name))
        .collect()
}

#[tokio::test]
async fn a_whole_installation_has_no_fault() {
    let platform = Platform::start().await;
    let subject = subject(&platform).await;
    let (faults, report) = faults(&subject).await;
    assert_eq!(faults, [""; 0], "{report:?}");
    let settings = report.checks.iter().find(|check| check.name == "settings").unwrap();
    assert_eq!(settings.status, CheckStatus::Failed, "the tests' PostgreSQL runs without fsync");
    let names: Vec<&str> = report.checks.iter().map(|check| check.name.as_str()).collect();
    for name in ["migrations", "issuer", "token_life", "rights", "embeddings", "redis", "vectors", "open_files"] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    let ocr = report.checks.iter().find(|check| check.name == "text_recognition").unwrap();
    assert_eq!((ocr.status, ocr.finding.as_str()), (CheckStatus::Ok, "Turned off by ocr.enabled."));
}

#[tokio::test]
async fn operators_get_one_report_a_minute_in_their_language() {
    let platform = Platform::start().await;
    let first = platform.operator().get(PATH).await;
    assert_eq!(first.status, 200, "{first:?}");
    let second = platform.operator().get(&format!("{PATH}?language=de")).await;
    assert_eq!(first.body["checked_at"], second.body["checked_at"]);
    let title = |answer: &Value| answer["checks"][0]["title"].clone();
    assert_eq!((title(&first.body), title(&second.body)), (json!("Connection"), json!("Verbindung")));
    assert_eq!(platform.vendor().get(PATH).await.detail(), "operator_required");
    let forwarded = platform.operator().request("GET", PATH).header("x-forwarded-for", "203.0.113.5");
    let through_proxy = crate::support::send(forwarded).await;
    let checks = through_proxy.body["checks"].as_array().unwrap();
    let headers = checks.iter().find(|check| check["name"] == "proxy_headers").unwrap();
    assert_eq!(headers["status"], "failed", "{headers}");
}

#[tokio::test]
async fn an_identity_provider_that_is_away_or_another_is_found() {
    let platform = Platform::start().await;
    let mut subject = subject(&platform).await;
    let auth_url = std::mem::replace(&mut subject.auth_url, NOBODY.to_owned());
    assert_eq!(faults(&subject).await.0, ["identity.discovery", "identity.discovery"]);
    subject.auth_url = auth_url.replace("127.0.0.1", "localhost");
    assert_eq!(faults(&subject).await.0, ["identity.issuer", "identity.issuer"]);
    subject.auth_url = auth_url;
    subject.settings.people_secret = Some(Secret::new("another-secret"));
    let (names, report) = faults(&subject).await;
    assert_eq!(names, ["identity.client"]);
    assert!(!serde_json::to_string(&report).unwrap().contains("another-secret"));
    subject.settings.people_secret = None;
    let (names, report) = faults(&subject).await;
    assert_eq!(names, [""; 0]);
    assert!(report.checks.iter().any(|check| check.name == "client" && check.status == CheckStatus::NotChecked));
}

#[tokio::test]
async fn services_and_models_that_do_not_answer_are_found() {
    let (platform, embedder) = Platform::start_breakable().await;
    let mut subject = subject(&platform).await;
    subject.redis_url = Some(Secret::new("redis://:a-password-of-redis@127.0.0.1:1/0"));
    let (names, report) = faults(&subject).await;
    assert_eq!(names, ["services.redis"]);
    assert!(!serde_json::to_string(&report).unwrap().contains("a-password-of-redis"));
    let redis = report.checks.iter().find(|check| check.name == "redis").unwrap();
    assert_eq!(redis.finding, "The connection was refused.");
    subject.redis_url = None;
    let qdrant = QdrantSettings { url: NOBODY.to_owned(), api_key: None, timeout: Duration::from_secs(1) };
    let inside = std::mem::replace(&mut subject.vectors, Ok(Arc::new(Qdrant::new(&qdrant).unwrap())));
    assert_eq!(faults(&subject).await.0, ["services.vectors"]);
    subject.vectors = inside;
    subject.generator = Ok(Some(absent_model()));
    let (names, report) = faults(&subject).await;
    assert_eq!(names, ["models.generator"]);
    assert!(!serde_json::to_string(&report).unwrap().contains(MODEL_KEY));
    subject.generator = Ok(None);
    embedder.break_down();
    assert_eq!(faults(&subject).await.0, ["models.embeddings"]);
    embedder.recover();
    subject.reranking = Err("the folder has no model".to_owned());
    assert_eq!(faults(&subject).await.0, ["models.reranker"]);
}

#[tokio::test]
async fn each_language_model_of_the_settings_is_checked() {
    let platform = Platform::start().await;
    let mut subject = subject(&platform).await;
    let (working, generator) = Model::start(Duration::from_secs(60), 10).await;
    working.say("OK");
    let (lacking, other) = Model::start(Duration::from_secs(60), 10).await;
    lacking.send("HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    let endpoint = |name: &str, generator| ModelEndpoint {
        name: name.to_owned(),
        generator,
        prices: Prices::default(),
        window_tokens: None,
    };
    subject.generator = Ok(Some(generator));
    subject.endpoints = Ok(vec![endpoint("lacking", other), endpoint("away", absent_model())]);
    let (names, report) = faults(&subject).await;
    assert_eq!(names, ["models.generator", "models.generator"]);
    let checks = report.checks.iter().filter(|check| check.name == "generator");
    let generator_checks: Vec<(&str, &str)> =
        checks.map(|check| (check.subject.as_deref().unwrap_or_default(), check.finding.as_str())).collect();
    let expected = [
        ("default", "First word after "),
        ("lacking", "Status 404: the endpoint has no model “small”"),
        ("away", "The address cannot be reached: "),
    ];
    assert_eq!(generator_checks.len(), expected.len(), "{generator_checks:?}");
    for ((name, finding), (name_expected, begin)) in generator_checks.iter().zip(expected) {
        assert!(*name == name_expected && finding.starts_with(begin), "{generator_checks:?}");
    }
    assert!(!serde_json::to_string(&report).unwrap().contains(MODEL_KEY));
}

#[tokio::test]
async fn doctor_reports_missing_migrations_and_wrong_roles() {
    let platform = Platform::start().await;
    let mut subject = subject(&platform).await;
    let newer = "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
                 values (999999, 'newer', true, '', 0)";
    sqlx::query(newer).execute(platform.everything()).await.unwrap();
    let (names, report) = faults(&subject).await;
    assert_eq!(names, ["database.migrations"]);
    let migrations = report.checks.iter().find(|check| check.name == "migrations").unwrap();
    let finding = "A newer version has migrated the database, up to number 999999.";
    assert_eq!((migrations.status, migrations.finding.as_str()), (CheckStatus::Warning, finding));
    sqlx::query("delete from _sqlx_migrations where version = 30").execute(platform.everything()).await.unwrap();
    assert_eq!(faults(&subject).await.0, ["database.migrations"]);
    let as_superuser = store::DbSettings { url: platform.db.superuser_url(), ..platform.db.settings() };
    subject.database = store::Db::connect(&as_superuser).await;
    assert_eq!(faults(&subject).await.0, ["database.role"]);
    let nowhere = store::DbSettings {
        url: "postgres://svc_app@127.0.0.1:1/x".to_owned(),
        acquire_timeout: Duration::from_secs(1),
        ..platform.db.settings()
    };
    subject.database = store::Db::connect(&nowhere).await;
    assert_eq!(faults(&subject).await.0, ["database.connection"]);
}

#[tokio::test]
async fn a_storage_that_cannot_be_written_is_found() {
    let platform = Platform::start().await;
    let mut subject = subject(&platform).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    subject.storage = Ok(Arc::new(Storage::in_folder(file.join("below"))));
    assert_eq!(faults(&subject).await.0, ["machine.storage"]);
}

#[tokio::test]
async fn without_an_administrator_keycloak_is_not_checked() {
    let login = AdminLogin { username: "admin".to_owned(), password: Secret::new("wrong-password") };
    let checks = admin::check(NOBODY, "https://chat.example", &login).await;
    let report = doctor::report(&checks, chrono::Utc::now(), ReportLanguage::German);
    assert_eq!(faulty_checks(&report), ["keycloak.administration"]);
    assert!(!serde_json::to_string(&report).unwrap().contains("wrong-password"));
    let report = doctor::report(&[admin::not_checked()], chrono::Utc::now(), ReportLanguage::English);
    assert_eq!((report.status, report.checks[0].status), (CheckStatus::Ok, CheckStatus::NotChecked));
}

/// With a real Keycloak only (`make test-keycloak`): as the tests import the realm files, demo people and the password grant
/// are all that is wrong.
#[tokio::test]
async fn an_administrator_of_keycloak_sees_how_realms_are_set_up() {
    let Ok(keycloak) = std::env::var("TEST_KEYCLOAK") else { return };
    let login = AdminLogin { username: "admin".to_owned(), password: Secret::new(provider::PROVIDER_PASSWORD) };
    let checks = admin::check(&keycloak, "http://127.0.0.1:8080", &login).await;
    let report = doctor::report(&checks, chrono::Utc::now(), ReportLanguage::English);
    let expected = ["keycloak.password_grant", "keycloak.demo_people"];
    assert_eq!(faulty_checks(&report), expected.repeat(2), "{report:#?}");
    let wrong = AdminLogin { username: "admin".to_owned(), password: Secret::new("wrong-password") };
    let report = doctor::report(
        &admin::check(&keycloak, "http://127.0.0.1:8080", &wrong).await,
        chrono::Utc::now(),
        ReportLanguage::English,
    );
    assert_eq!(faulty_checks(&report), ["keycloak.administration"]);
}
