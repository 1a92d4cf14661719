//! The application state that all request handlers and background tasks share, and its in-memory registries.

pub mod activity;
pub mod answer_models;
pub mod cached_bases;
pub mod embedders;
pub mod known_keys;
pub mod origin_counters;
pub mod people_reads;
pub mod provisioning_tasks;
pub mod session_checks;
mod settings;
pub(crate) mod shared;
pub mod summary_queue;
mod upload_settings;
pub(crate) mod widget_version;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use store::{Db, vectors::VectorStore};
use tokio::sync::Notify;
use tokio_util::task::TaskTracker;

use crate::{
    admission::{
        answer_queue::AnswerQueue, download_limiter::DownloadLimiter, export_limiter::ExportLimiter,
        rate_limit::RateLimiter, search_queue::SearchQueue, stream_limiter::StreamLimiter, tenant_queue::TenantShares,
        upload_limiter::UploadLimiter, visitors_first::VisitorSearches,
    },
    auth::TokenVerifier,
    identity_admin::IdentityAdmin,
    state::{
        activity::Activity, answer_models::AnswerModel, embedders::Embedders, known_keys::KnownKeys,
        origin_counters::OriginCounters, people_reads::PeopleReads, provisioning_tasks::ProvisioningTasks,
        session_checks::SessionChecks, summary_queue::SummaryQueue,
    },
    storage::Storage,
};

pub use self::settings::{AppSettings, CrawlSettings, GenerationSettings, HttpsAddress, JobSettings, SystemSettings};
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
