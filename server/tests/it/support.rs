//! A platform of its own for each test: a fresh database, two tenants, a key to sign tokens with,
//! and clients for each principal.

mod call;
pub mod checksum;
mod database;
mod gated;
mod issued;
mod keys;
pub mod listener;
mod log;
pub mod model;
pub mod pgbouncer;
pub mod provider;
pub mod qdrant;
mod subscriber;
pub mod valkey;
mod world;

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use contract::{ChatbotId, TenantId, usage::Quotas};
use rag::{
    embed::{Embedder, LazyEmbedder, LocalEmbedder, MULTILINGUAL_MODEL},
    filter::OutputFilter,
    generate::verify::Unsupported,
};
use serde_json::{Value, json};
use server::{
    admission::{
        answer_queue::QueueLimits,
        rate_limit::{RateLimitSettings, RateLimiter},
    },
    auth::TokenVerifier,
    client_ip::TrustedProxies,
    config::{Prices, Secret, WhenUnavailable},
    http::serving::{self, Limits},
    sandbox::{Sandbox, SandboxSettings},
    service::jobs::worker,
    state::{
        App, AppParts, AppSettings, CrawlSettings, GenerationSettings, JobSettings, SystemSettings, UploadSettings,
        embedders::Embedders,
    },
    storage::{BucketSettings, Storage},
};
use sqlx::PgPool;
use store::{
    Db,
    vectors::{PgVector, VectorStore},
};
use tokio::sync::OnceCell;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub use call::{Answer, Client, send};
pub use database::Database;
pub use gated::Gated;
pub use keys::{Keys, Token};
pub use log::Log;
pub use subscriber::{Subscription, subscribe};
pub use world::{CANARY, OTHER_ORIGIN, Resident, World};

pub const ORIGIN: &str = "https://shop.example.com";

/// A running platform with a database of its own.
pub struct Platform {
    pub app: App,
    pub base_url: String,
    pub keys: Keys,
    pub db: Database,
    pub http: reqwest::Client,
    /// Stops the serving loop.
    pub stopped: CancellationToken,
}

/// A tenant with an administrator, a viewer, branding and a chatbot.
#[derive(Debug, Clone, Copy)]
pub struct Tenant {
    pub id: TenantId,
    pub chatbot: ChatbotId,
}

impl Platform {
    /// Starts a platform with an empty database.
    pub async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// Starts a platform with other settings.
    pub async fn start_with(change: impl FnOnce(&mut AppSettings)) -> Self {
        Self::start_limited(limits(), change).await
    }

    /// Starts a platform with other settings behind a serving loop with other limits.
    pub async fn start_limited(limits: Limits, change: impl FnOnce(&mut AppSettings)) -> Self {
        Self::serve_on(Database::create().await, one_model().await, Arc::new(PgVector), limits, change).await
    }

    /// Starts a platform whose vectors are searched in this store, on a database.
    pub async fn start_on_vectors(db: Database, vectors: Arc<dyn VectorStore>) -> Self {
        Self::serve_on(db, one_model().await, vectors, limits(), |_| {}).await
    }

    /// Starts a platform whose embedder can be broken, and mended again.
    pub async fn start_breakable() -> (Self, Arc<Gated>) {
        let embedder = Arc::new(Gated::new(embedder().await));
        let platform =
            Self::start_on(Database::create().await, Arc::clone(&embedder) as Arc<dyn Embedder>, |_| {}).await;
        (platform, embedder)
    }

    /// Starts a platform on a database with this embedder and other settings.
    pub async fn start_on(db: Database, embedder: Arc<dyn Embedder>, change: impl FnOnce(&mut AppSettings)) -> Self {
        Self::serve_on(db, Embedders::only(embedder), Arc::new(PgVector), limits(), change).await
    }

    /// Starts a platform with a model for English and one for other languages.
    pub async fn start_with_models(models: [Arc<dyn Embedder>; 2], vectors: Arc<dyn VectorStore>) -> Self {
        let (db, [english, multilingual]) = (Database::create().await, models);
        let embedders = Embedders::by_language(english, multilingual).unwrap();
        Self::serve_on(db, embedders, vectors, limits(), |_| {}).await
    }

    async fn serve_on(
        db: Database,
        embedders: Embedders,
        vectors: Arc<dyn VectorStore>,
        limits: Limits,
        change: impl FnOnce(&mut AppSettings),
    ) -> Self {
        let keys = Keys::serve().await;
        let mut settings = AppSettings {
            base_url: String::new(),
            auth_url: keys.auth_url.clone(),
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
                first_word: None,
                unsupported: Unsupported::Strict,
                when_unavailable: WhenUnavailable::Quoted,
            },
            reranking: None,
            stream_silence: Duration::from_secs(15),
            history_tokens: 1000,
            quotas: Quotas { chatbots: Some(200), ..Quotas::default() },
            export_time: Duration::from_secs(1800),
            jobs: JobSettings { workers: 2, lease: Duration::from_secs(60) },
            uploads: UploadSettings { storage: uploads(), max_file_bytes: 1024 * 1024 },
            sandbox: sandbox(),
            crawl: CrawlSettings {
                user_agent: server::service::knowledge::websites::user_agent("https://platform.example.com/"),
                allow_loopback: true,
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
            },
        };
        change(&mut settings);
        let app = App::new(AppParts {
            db: db.connect().await,
            tokens: TokenVerifier::new(&settings.auth_url).unwrap(),
            people: Some(provider::people_client(&provider::people_url(&settings.auth_url))),
            limiter: RateLimiter::new(&settings.rate_limit).unwrap(),
            embedders: Arc::new(embedders),
            vectors,
            tasks: TaskTracker::new(),
            settings,
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let router = server::http::router(app.clone());
        let stopped = CancellationToken::new();
        tokio::spawn(serving::serve(listener, router, limits, stopped.clone()));
        Self { app, base_url, keys, db, http: reqwest::Client::new(), stopped }.without_former_people().await
    }

    /// Serves the same platform on another way to a database; gives back its parts and its address.
    pub async fn also_on(&self, db: Db) -> (App, String) {
        let app = self.replica(db, self.app.settings.clone());
        let address = self.serve(server::http::router(app.clone())).await;
        (app, address)
    }

    /// The same platform on another way to a database, with other settings.
    pub fn replica(&self, db: Db, settings: AppSettings) -> App {
        App::new(AppParts {
            db,
            tokens: TokenVerifier::new(&settings.auth_url).unwrap(),
            people: Some(provider::people_client(&provider::people_url(&settings.auth_url))),
            limiter: RateLimiter::new(&settings.rate_limit).unwrap(),
            embedders: Arc::clone(&self.app.embedders),
            vectors: Arc::clone(&self.app.vectors),
            tasks: TaskTracker::new(),
            settings,
        })
    }

    /// Serves another router as long as the platform; gives back its address.
    pub async fn serve(&self, router: axum::Router) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(serving::serve(listener, router, limits(), self.stopped.clone()));
        address
    }

    /// Starts a platform with two tenants that have everything.
    pub async fn with_tenants() -> (Self, Tenant, Tenant) {
        let platform = Self::start().await;
        let one = platform.add_tenant("one").await;
        let other = platform.add_tenant("other").await;
        (platform, one, other)
    }

    /// Asks for readiness until a check says this word: an outcome is told again for a second.
    pub async fn ready_when(&self, check: &str, word: &str) -> Answer {
        let deadline = std::time::Instant::now() + Duration::from_secs(10);
        loop {
            let ready = self.anonymous().get("/health/ready").await;
            if ready.body["checks"][check] == word {
                return ready;
            }
            assert!(std::time::Instant::now() < deadline, "{check} is not {word}: {}", ready.text);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Adds a tenant with branding that allows [`ORIGIN`] and a chatbot.
    pub async fn add_tenant(&self, slug: &str) -> Tenant {
        let body = json!({ "slug": slug, "display_name": slug });
        let answer = self.operator().post("/api/v1/platform/tenants", &body).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        let id: TenantId = answer.body["id"].as_str().unwrap().parse().unwrap();
        let admin = self.admin(id);
        let branding = json!({ "allowed_origins": [ORIGIN], "header_title": format!("Help of {slug}") });
        assert_eq!(admin.patch("/api/v1/tenants/me/branding", &branding).await.status, 200);
        let chatbot = admin.post("/api/v1/tenants/me/chatbots", &new_chatbot("help")).await;
        assert_eq!(chatbot.status, 201, "{chatbot:?}");
        Tenant { id, chatbot: chatbot.body["id"].as_str().unwrap().parse().unwrap() }
    }

    /// Another process of the same platform, with another store of vectors.
    pub async fn beside(&self, vectors: Arc<dyn VectorStore>) -> App {
        let settings = self.app.settings.clone();
        App::new(AppParts {
            db: self.db.connect().await,
            tokens: TokenVerifier::new(&settings.auth_url).unwrap(),
            people: Some(provider::people_client(&provider::people_url(&settings.auth_url))),
            limiter: RateLimiter::new(&settings.rate_limit).unwrap(),
            embedders: Arc::clone(&self.app.embedders),
            vectors,
            tasks: TaskTracker::new(),
            settings,
        })
    }

    /// Feeds a document to a chatbot.
    pub async fn ingest(
        &self,
        tenant: Tenant,
        name: &str,
        text: &str,
    ) -> server::service::knowledge::ingestion::Report {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let chatbot = server::service::knowledge::ingestion::find_chatbot(&self.app, &tenant.chatbot.to_string(), None)
            .await
            .unwrap();
        server::service::knowledge::ingestion::run(&self.app, &chatbot, &[path], false).await.unwrap()
    }

    /// Waits until a chatbot's collection is ready.
    pub async fn provisioned(&self, chatbot: ChatbotId) {
        for _ in 0..1000 {
            let state: String = sqlx::query_scalar("select provisioning from chatbots where id = $1")
                .bind(chatbot.0)
                .fetch_one(self.everything())
                .await
                .unwrap();
            if state == "ready" {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        panic!("the chatbot {chatbot} is not ready");
    }

    /// Waits until somebody in the platform's database waits for a lock.
    pub async fn until_somebody_waits(&self) {
        self.until_waiting(1).await;
    }

    /// Waits until so many in the platform's database wait for a lock.
    pub async fn until_waiting(&self, count: i64) {
        let deadline = std::time::Instant::now() + Duration::from_secs(20);
        let waiting = "select count(*) from pg_stat_activity
                       where datname = current_database() and wait_event_type = 'Lock'";
        while sqlx::query_scalar::<_, i64>(waiting).fetch_one(self.everything()).await.unwrap() < count {
            assert!(std::time::Instant::now() < deadline, "fewer than {count} wait for a lock");
            tokio::task::yield_now().await;
        }
    }

    /// Works on jobs until none waits or runs.
    pub async fn work_off_jobs(&self) {
        let stop = CancellationToken::new();
        let workers = tokio::spawn(worker::run_until(self.app.clone(), stop.clone()));
        let deadline = std::time::Instant::now() + Duration::from_secs(600);
        let open = "select count(*) from jobs where state = 'running' or (state = 'queued' and run_after <= now())";
        while sqlx::query_scalar::<_, i64>(open).fetch_one(self.everything()).await.unwrap() > 0 {
            assert!(std::time::Instant::now() < deadline, "jobs are not worked off");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        stop.cancel();
        workers.await.unwrap();
    }

    /// Ends background tasks and closes every connection to the database.
    pub async fn stop(&self) {
        self.app.tasks.close();
        self.app.tasks.wait().await;
        self.app.db.close().await;
        self.db.superuser.close().await;
    }

    /// The whole database as its superuser sees it.
    pub fn everything(&self) -> &PgPool {
        &self.db.superuser
    }

    /// How many audit rows there are.
    pub async fn audit_rows(&self) -> i64 {
        sqlx::query_scalar("select count(*) from platform_audit_log").fetch_one(self.everything()).await.unwrap()
    }

    /// The newest audit row, every column.
    pub async fn last_audit(&self) -> Value {
        let newest = "select to_jsonb(l) from platform_audit_log l order by occurred_at desc, id desc limit 1";
        sqlx::query_scalar(newest).fetch_one(self.everything()).await.unwrap()
    }
}

/// Limits of the serving loop that no ordinary test meets.
pub fn limits() -> Limits {
    let long = Duration::from_secs(60);
    Limits {
        head: long,
        body: long,
        idle: long,
        write_idle: long,
        min_bytes_per_second: 0,
        pace_window: long,
        max_connections: 1000,
        max_connections_per_address: 1000,
        trusted_proxies: TrustedProxies::default(),
        drain: Duration::ZERO,
        patience: long,
    }
}

/// The body that creates a chatbot without a template.
pub fn new_chatbot(slug: &str) -> Value {
    json!({ "slug": slug, "name": "Help", "fallback_message": "No idea, sorry.", "welcome_message": "Hello!" })
}

fn dist() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist")
}

/// A folder of uploaded files for all tests of this run: their names are unique. With TEST_S3, the address of a service, a bucket.
fn uploads() -> Arc<Storage> {
    static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());
    Arc::new(match std::env::var("TEST_S3") {
        Ok(service) => Storage::in_bucket(&bucket(&service)).unwrap(),
        Err(_) => Storage::in_folder(FOLDER.path().to_owned()),
    })
}

/// The folder in which the uploaded files of an app are; with TEST_S3, that of the service.
pub fn uploads_folder(app: &App) -> std::path::PathBuf {
    match std::env::var("TEST_S3_FOLDER") {
        Ok(folder) => std::path::PathBuf::from(folder),
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

/// One model for all languages.
async fn one_model() -> Embedders {
    Embedders::only(embedder().await)
}

/// The multilingual model; it is loaded when the first text comes.
pub fn multilingual() -> Arc<dyn Embedder> {
    static MODEL: LazyLock<Arc<dyn Embedder>> = LazyLock::new(|| {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let default = root.join("var/parts").join(MULTILINGUAL_MODEL);
        let folder = std::env::var_os("MULTILINGUAL_MODEL_DIR").map_or(default, Into::into);
        Arc::new(LazyEmbedder::open(&folder, std::convert::identity).expect("the multilingual model; run `make setup`"))
    });
    Arc::clone(&MODEL)
}

/// The real embedding model, loaded once for all tests.
pub async fn embedder() -> Arc<dyn Embedder> {
    static MODEL: OnceCell<Arc<dyn Embedder>> = OnceCell::const_new();
    let load = async || {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folder = std::env::var_os("MODEL_DIR").map_or(root.join("var/parts/all-minilm-l6-v2"), Into::into);
        let loaded = LocalEmbedder::load(&folder).expect("the embedding model; run `make setup` first");
        Arc::new(loaded) as Arc<dyn Embedder>
    };
    Arc::clone(MODEL.get_or_init(load).await)
}
