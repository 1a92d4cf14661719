//! The settings of the platforms under test: short intervals, generous limits, and shared files.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, LazyLock},
    time::Duration,
};

use contract::usage::Quotas;
use rag::{filter::OutputFilter, generate::verify::Unsupported};
use server::{
    admission::{answer_queue::QueueLimits, rate_limit::RateLimitSettings},
    client_ip::TrustedProxies,
    config::{Prices, Secret, WhenUnavailable},
    http::serving::Limits,
    sandbox::{Sandbox, SandboxSettings},
    state::{App, AppSettings, CrawlSettings, GenerationSettings, JobSettings, SystemSettings, UploadSettings},
    storage::{BucketSettings, Storage},
};

use super::provider;

/// The default settings of a platform under test.
pub fn platform_settings(auth_url: &str) -> AppSettings {
    AppSettings {
        base_url: String::new(),
        auth_url: auth_url.to_owned(),
        console_client: None,
        check_sessions: false,
        body_limit: 64 * 1024,
        trusted_proxies: Vec::new(),
        cors_origins: Vec::new(),
        cors_tenant_origins: false,
        legacy_chatbot: None,
        rate_limit: RateLimitSettings::default(),
        strict_health: false,
        metrics_allowlist: vec!["127.0.0.0/8".parse().unwrap()],
        dist_dir: dist(),
        relevance_threshold: server_default_threshold(),
        top_k: 20,
        output_filter: output_filter(),
        answers: QueueLimits {
            max_concurrent: 8,
            max_concurrent_per_chatbot: 8,
            max_queued: 100,
            queue_timeout: Duration::from_secs(60),
        },
        generator: None,
        prices: Prices::default(),
        window_tokens: None,
        endpoints: Vec::new(),
        currency: "EUR".to_owned(),
        generation: GenerationSettings {
            passage_tokens: 1200,
            base_tokens: 0,
            first_word: None,
            unsupported: Unsupported::Strict,
            when_unavailable: WhenUnavailable::Quoted,
        },
        reranking: None,
        stream_silence: Duration::from_secs(15),
        history_tokens: 1000,
        invitations_per_hour: 20,
        quotas: Quotas { chatbots: Some(200), ..Quotas::default() },
        export_time: Duration::from_secs(1800),
        jobs: JobSettings {
            workers: 2,
            lease: Duration::from_secs(60),
            slice: Duration::from_secs(60),
            small_slice: Duration::from_secs(60),
        },
        uploads: UploadSettings {
            storage: uploads(),
            max_file_bytes: 1024 * 1024,
            max_archive_bytes: 1024 * 1024,
            min_free_bytes: 0,
            max_time: Duration::from_secs(900),
        },
        sandbox: sandbox(),
        crawl: CrawlSettings {
            user_agent: server::service::knowledge::websites::user_agent("https://platform.example.com/"),
            allow_loopback: true,
            dns_resolver: None,
            delay: Duration::ZERO,
            timeout: Duration::from_secs(5),
            max_page_bytes: 1024 * 1024,
            max_bytes: 100_000_000,
            max_minutes: 60,
            confirm_gone_minutes: 60,
            preview_pages: 1000,
        },
        system: SystemSettings {
            audit_secret: Some(Secret::new(provider::PROVIDER_SECRET)),
            people_secret: Some(Secret::new(provider::PROVIDER_SECRET)),
            https: Vec::new(),
            database_connections: 24,
            client_connections: 100,
            var_dir: std::env::temp_dir(),
            crawls_loopback: false,
        },
    }
}

/// Limits of the serving loop that no ordinary test meets.
pub fn limits() -> Limits {
    let long = Duration::from_secs(60);
    Limits {
        head: long,
        body: long,
        upload: long,
        idle: long,
        write_idle: long,
        min_bytes_per_second: 0,
        pace_window: long,
        max_connections: 1000,
        max_connections_per_address: 1000,
        trusted_proxies: TrustedProxies::default(),
        drain: Duration::ZERO,
        grace_period: long,
    }
}

fn dist() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist")
}

/// A folder of uploaded files for all tests of this run, because their names are unique. With TEST_S3, the address of a
/// service, a bucket.
fn uploads() -> Arc<Storage> {
    static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());
    Arc::new(match std::env::var("TEST_S3") {
        Ok(service) => Storage::in_bucket(&bucket(&service)).unwrap(),
        Err(_) => Storage::in_folder(FOLDER.path().to_owned()),
    })
}

/// The folder in which the uploaded files of an app are; with TEST_S3, that of the service.
pub fn uploads_folder(app: &App) -> PathBuf {
    match std::env::var("TEST_S3_FOLDER") {
        Ok(folder) => PathBuf::from(folder),
        Err(_) => app.storage().folder().unwrap().to_owned(),
    }
}

/// The bucket of the tests at a service.
fn bucket(service: &str) -> BucketSettings {
    BucketSettings {
        url: "s3://originals/tests".parse().unwrap(),
        endpoint: Some(service.parse().unwrap()),
        region: "us-east-1".to_owned(),
        access_key_id: "test".to_owned(),
        secret_access_key: Some(Secret::new("test")),
    }
}

/// Readers within the limits that are the default.
pub fn sandbox() -> Sandbox {
    let program = env!("CARGO_BIN_EXE_server").into();
    Sandbox::new(SandboxSettings { program, memory_bytes: 1 << 30, timeout: Duration::from_secs(60), ocr: None })
}

fn output_filter() -> Arc<OutputFilter> {
    static BUILT_IN: LazyLock<Arc<OutputFilter>> = LazyLock::new(|| OutputFilter::built_in().unwrap());
    Arc::clone(&BUILT_IN)
}

fn server_default_threshold() -> f32 {
    let values = server::config::Values::collect(None, std::iter::empty()).unwrap();
    server::config::Config::from_values(&values).unwrap().rag.relevance_threshold
}
