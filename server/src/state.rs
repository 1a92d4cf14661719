//! The application state that all request handlers and background tasks share, and its in-memory registries.

pub mod activity;
pub mod answer_models;
pub mod embedders;
pub mod known_keys;
pub mod origin_counters;
pub mod people_reads;
pub mod provisioning_tasks;
pub mod session_checks;
pub(crate) mod shared;
pub mod summary_queue;
mod upload_settings;
pub(crate) mod widget_version;

use std::{
    net::SocketAddr,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use contract::{ChatbotId, usage::Quotas};
use rag::{
    filter::OutputFilter,
    generate::{openai::Generator, verify::Unsupported},
    rerank::Reranking,
};
use store::{Db, vectors::VectorStore};
use tokio::sync::Notify;
use tokio_util::task::TaskTracker;

use crate::{
    admission::{
        answer_queue::{AnswerQueue, QueueLimits},
        download_limiter::DownloadLimiter,
        export_limiter::ExportLimiter,
        rate_limit::{RateLimitSettings, RateLimiter},
        search_queue::SearchQueue,
        stream_limiter::StreamLimiter,
        tenant_queue::TenantShares,
        upload_limiter::UploadLimiter,
        visitors_first::VisitorSearches,
    },
    auth::{TokenVerifier, console_client::ConsoleClient},
    config::{Cidr, Prices, Secret, WhenUnavailable},
    identity_admin::IdentityAdmin,
    sandbox::Sandbox,
    state::{
        activity::Activity,
        answer_models::{AnswerModel, ModelEndpoint},
        embedders::Embedders,
        known_keys::KnownKeys,
        origin_counters::OriginCounters,
        people_reads::PeopleReads,
        provisioning_tasks::ProvisioningTasks,
        session_checks::SessionChecks,
        summary_queue::SummaryQueue,
    },
    storage::Storage,
};

pub use self::upload_settings::UploadSettings;

/// Application state shared by all request handlers; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Shared>);

struct Shared {
    parts: AppParts,
    answer_queue: AnswerQueue,
    answer_models: Vec<Arc<AnswerModel>>,
    origin_counters: OriginCounters,
    activity: Activity,
    session_checks: SessionChecks,
    known_keys: KnownKeys,
    people_reads: PeopleReads,
    export_limiter: ExportLimiter,
    stream_limiter: StreamLimiter,
    upload_limiter: UploadLimiter,
    download_limiter: DownloadLimiter,
    shares: TenantShares,
    provisioning: ProvisioningTasks,
    reads_logins: AtomicBool,
    widget_version: String,
    language_changed: Notify,
    job_queued: Notify,
    tenant_deleted: Notify,
    searches: SearchQueue,
    visitor_searches: VisitorSearches,
    summaries: SummaryQueue,
}

/// What [`App`] is built from.
pub struct AppParts {
    /// The database.
    pub db: Db,
    /// Checks access tokens.
    pub tokens: TokenVerifier,
    /// The client that manages people, where there is a secret for it.
    pub people: Option<IdentityAdmin>,
    /// Rate limits.
    pub limiter: RateLimiter,
    /// The models that turn texts into vectors.
    pub embedders: Arc<Embedders>,
    /// The vector store.
    pub vectors: Arc<dyn VectorStore>,
    /// Work that outlives its request; awaited at shutdown.
    pub tasks: TaskTracker,
    /// Settings of the HTTP side.
    pub settings: AppSettings,
}

/// The input limits of a language model, and the handling of its output.
#[derive(Debug, Clone, Copy)]
pub struct GenerationSettings {
    /// Maximum tokens of the passages in a prompt.
    pub passage_tokens: usize,
    /// When the first word is due; a slow endpoint gets fewer passages. Without it all get the same.
    pub first_word: Option<Duration>,
    /// What to do with sentences that no passage supports.
    pub unsupported: Unsupported,
    /// The behaviour while the model is unavailable.
    pub when_unavailable: WhenUnavailable,
}

/// Settings of the HTTP side.
#[derive(Debug, Clone)]
pub struct AppSettings {
    /// The address that browsers use, without a slash at the end.
    pub base_url: String,
    /// The identity provider's address, without a slash at the end.
    pub auth_url: String,
    /// The client that the operator console signs in with, when it is not its own public one.
    pub console_client: Option<ConsoleClient>,
    /// Whether each call checks the session of a person with the identity provider.
    pub check_sessions: bool,
    /// Largest accepted request body in bytes.
    pub body_limit: usize,
    /// Trusted proxies, whose `X-Forwarded-For` is used.
    pub trusted_proxies: Vec<Cidr>,
    /// Origins that may read answers in a browser.
    pub cors_origins: Vec<String>,
    /// Whether widgets may also be read from their tenant's own origins.
    pub cors_tenant_origins: bool,
    /// The chatbot of pages whose snippet has none.
    pub legacy_chatbot: Option<ChatbotId>,
    /// How many requests callers may send.
    pub rate_limit: RateLimitSettings,
    /// Whether readiness is 503 as soon as any dependency is away.
    pub strict_health: bool,
    /// The networks that may read `/metrics`.
    pub metrics_allowlist: Vec<Cidr>,
    /// The folder of files for browsers.
    pub dist_dir: PathBuf,
    /// Cosine similarity below which a passage is not an answer, 0 to 1.
    pub relevance_threshold: f32,
    /// Passages that are searched for one question.
    pub top_k: usize,
    /// The rules that every answer passes.
    pub output_filter: Arc<OutputFilter>,
    /// Limits of the answer queue.
    pub answers: QueueLimits,
    /// The language model named `default`; without it answers are quoted.
    pub generator: Option<Generator>,
    /// The prices of its tokens.
    pub prices: Prices,
    /// Tokens of prompt and answer that it has room for.
    pub window_tokens: Option<usize>,
    /// Further language models.
    pub endpoints: Vec<ModelEndpoint>,
    /// The currency of prices.
    pub currency: String,
    /// The input limits of a language model, and the handling of its output.
    pub generation: GenerationSettings,
    /// The optional reranker; without one the fused order stays.
    pub reranking: Option<Reranking>,
    /// The longest silence on the wire of a streamed answer; then a comment is sent.
    pub stream_silence: Duration,
    /// Maximum tokens of the conversation in a prompt.
    pub history_tokens: usize,
    /// The default quotas of a tenant; `None` is unlimited.
    pub quotas: Quotas,
    /// Maximum people that a tenant's administrators may invite in any hour.
    pub invitations_per_hour: i64,
    /// The longest time of one export.
    pub export_time: Duration,
    /// Workers of this process.
    pub jobs: JobSettings,
    /// Files that tenants upload.
    pub uploads: UploadSettings,
    /// Reads untrusted documents.
    pub sandbox: Sandbox,
    /// Websites that tenants let chatbots read.
    pub crawl: CrawlSettings,
    /// Settings that only the installation check needs.
    pub system: SystemSettings,
}

/// Settings that only the installation check needs.
#[derive(Debug, Clone)]
pub struct SystemSettings {
    /// Secret of the client that reads login events.
    pub audit_secret: Option<Secret>,
    /// Secret of the client that manages people.
    pub people_secret: Option<Secret>,
    /// Every https address of the settings.
    pub https: Vec<HttpsAddress>,
    /// Maximum database connections.
    pub database_connections: u32,
    /// Maximum connections of clients.
    pub client_connections: usize,
    /// Folder of everything that changes while running.
    pub var_dir: PathBuf,
    /// Whether websites may name addresses of this machine, outside a demo world.
    pub crawls_loopback: bool,
}

/// An https address with its setting.
#[derive(Debug, Clone)]
pub struct HttpsAddress {
    /// Such as `auth.url`.
    pub setting: String,
    /// A name or an IP address.
    pub host: String,
    /// 443 unless the address names another.
    pub port: u16,
}

/// Websites that tenants let chatbots read.
#[derive(Debug, Clone)]
pub struct CrawlSettings {
    /// Sent with each request to a website.
    pub user_agent: String,
    /// Whether addresses of this machine may be fetched, on any port.
    pub allow_loopback: bool,
    /// The resolver for TXT records; `None` when they are not checked.
    pub dns_resolver: Option<SocketAddr>,
    /// Between two requests to a site.
    pub delay: Duration,
    /// The longest time of one request.
    pub timeout: Duration,
    /// Maximum bytes of a page.
    pub max_page_bytes: usize,
    /// Maximum bytes of a website that one job fetches.
    pub max_bytes: i64,
    /// Maximum minutes of one job.
    pub max_minutes: i64,
    /// How long a page must be missing before a second check removes it.
    pub confirm_gone_minutes: i32,
    /// Pages that a preview visits.
    pub preview_pages: i64,
}

/// Workers of this process.
#[derive(Debug, Clone, Copy)]
pub struct JobSettings {
    /// Jobs at the same time.
    pub workers: usize,
    /// How long a job's lease lasts without renewal.
    pub lease: Duration,
    /// How long a job runs before others that wait go first.
    pub slice: Duration,
    /// The same on the worker that only takes small jobs.
    pub small_slice: Duration,
}

impl App {
    /// Combines the parts.
    pub fn new(parts: AppParts) -> Self {
        let answer_queue = AnswerQueue::new(parts.settings.answers);
        let answer_models = answer_models::all(&parts.settings);
        let widget_version = widget_version::version(&parts.settings.dist_dir);
        Self(Arc::new(Shared {
            parts,
            answer_queue,
            answer_models,
            origin_counters: OriginCounters::default(),
            activity: Activity::default(),
            session_checks: SessionChecks::default(),
            known_keys: KnownKeys::default(),
            people_reads: PeopleReads::default(),
            export_limiter: ExportLimiter::default(),
            stream_limiter: StreamLimiter::default(),
            upload_limiter: UploadLimiter::default(),
            download_limiter: DownloadLimiter::default(),
            shares: TenantShares::default(),
            provisioning: ProvisioningTasks::default(),
            reads_logins: AtomicBool::new(false),
            widget_version,
            language_changed: Notify::new(),
            job_queued: Notify::new(),
            tenant_deleted: Notify::new(),
            searches: SearchQueue::default(),
            visitor_searches: VisitorSearches::default(),
            summaries: SummaryQueue::default(),
        }))
    }

    /// The vector length of the database's own index; `None` when an external store has the vectors.
    pub fn dimensions_in_database(&self) -> Option<usize> {
        self.vectors.external().is_none().then(|| self.embedders.dimensions())
    }

    /// Limits concurrent answers.
    pub fn answer_queue(&self) -> &AnswerQueue {
        &self.0.answer_queue
    }

    /// The visitors' questions that are being searched for.
    pub fn visitor_searches(&self) -> &VisitorSearches {
        &self.0.visitor_searches
    }

    /// The language models that word answers, the default one first.
    pub fn answer_models(&self) -> &[Arc<AnswerModel>] {
        &self.0.answer_models
    }

    /// The language model of this name.
    pub fn answer_model(&self, name: &str) -> Option<Arc<AnswerModel>> {
        self.0.answer_models.iter().find(|model| model.name == name).cloned()
    }

    /// Requests of websites since the last flush.
    pub fn origin_counters(&self) -> &OriginCounters {
        &self.0.origin_counters
    }

    /// People who were seen and not written yet.
    pub fn activity(&self) -> &Activity {
        &self.0.activity
    }

    /// Recent session checks with the identity provider.
    pub fn session_checks(&self) -> &SessionChecks {
        &self.0.session_checks
    }

    /// API keys that were accepted lately.
    pub fn known_keys(&self) -> &KnownKeys {
        &self.0.known_keys
    }

    pub(crate) fn people_reads(&self) -> &PeopleReads {
        &self.0.people_reads
    }

    /// Whether this process copies logins from the identity provider.
    pub fn reads_logins(&self) -> bool {
        self.0.reads_logins.load(Ordering::Relaxed)
    }

    /// Makes [`App::reads_logins`] return true.
    pub(crate) fn will_read_logins(&self) {
        self.0.reads_logins.store(true, Ordering::Relaxed);
    }

    /// The widget's version, for snippets.
    pub fn widget_version(&self) -> &str {
        &self.0.widget_version
    }

    /// Limits concurrent exports.
    pub fn export_limiter(&self) -> &ExportLimiter {
        &self.0.export_limiter
    }

    /// Limits open streams of progress.
    pub fn stream_limiter(&self) -> &StreamLimiter {
        &self.0.stream_limiter
    }

    /// Limits concurrent uploads.
    pub fn upload_limiter(&self) -> &UploadLimiter {
        &self.0.upload_limiter
    }

    /// Limits concurrent downloads of uploaded files.
    pub fn download_limiter(&self) -> &DownloadLimiter {
        &self.0.download_limiter
    }

    /// Limits the shared work of each tenant.
    pub fn shares(&self) -> &TenantShares {
        &self.0.shares
    }

    /// The chatbots that are being provisioned.
    pub fn provisioning(&self) -> &ProvisioningTasks {
        &self.0.provisioning
    }

    /// Notified when a chatbot has another language than the words of its passages.
    pub fn language_changed(&self) -> &Notify {
        &self.0.language_changed
    }

    /// Limits concurrent searches of the knowledge hub.
    pub fn searches(&self) -> &SearchQueue {
        &self.0.searches
    }

    /// Serialises the creation of summaries.
    pub fn summaries(&self) -> &SummaryQueue {
        &self.0.summaries
    }

    /// Notified when tenants were deleted.
    pub fn tenant_deleted(&self) -> &Notify {
        &self.0.tenant_deleted
    }

    /// The storage of uploaded files.
    pub fn storage(&self) -> &Storage {
        &self.settings.uploads.storage
    }

    /// Notified when a job was queued.
    pub fn job_queued(&self) -> &Notify {
        &self.0.job_queued
    }
}

impl std::ops::Deref for App {
    type Target = AppParts;
    fn deref(&self) -> &AppParts {
        &self.0.parts
    }
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("settings", &self.settings).finish_non_exhaustive()
    }
}
