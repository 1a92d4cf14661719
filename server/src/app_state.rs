//! What every request handler shares.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use contract::ChatbotId;
use rag::{
    embed::{CachingEmbedder, Embedder},
    filter::OutputFilter,
    generate::openai::Generator,
    rerank::Reranking,
};
use store::{Db, vectors::VectorStore};
use tokio::sync::Notify;
use tokio_util::task::TaskTracker;

use crate::{
    config::Cidr,
    export::Seats,
    http::{
        console_token::ConsoleClient,
        rate_limit::{RateLimitSettings, RateLimiter},
        token::TokenVerifier,
        widget_assets,
    },
    service::{
        embed::ledger::Ledger,
        fair_queue::{Bounds, FairQueue},
        provisioning::Running,
    },
};

/// What the vectors of sentence_embedder that answers were looked for in may take, in bytes; 10,000 sentence_embedder at 384 dimensions.
const EMBEDDING_CACHE_BYTES: usize = 16 << 20;

/// What every request handler shares; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Shared>);

struct Shared {
    parts: AppParts,
    turns: FairQueue,
    embeds: Ledger,
    sentence_embedder: CachingEmbedder,
    exports: Seats,
    provisioning: Running,
    reads_logins: AtomicBool,
    widget_version: String,
    language_changed: Notify,
}

/// The parts of [`App`].
pub struct AppParts {
    /// The database.
    pub db: Db,
    /// Checks access tokens.
    pub tokens: TokenVerifier,
    /// Refuses callers who ask too much.
    pub limiter: RateLimiter,
    /// Turns texts into vectors.
    pub embedder: Arc<dyn Embedder>,
    /// Where vectors are searched.
    pub vectors: Arc<dyn VectorStore>,
    /// Work that outlives its request; awaited at shutdown.
    pub tasks: TaskTracker,
    /// Settings of the HTTP side.
    pub settings: AppSettings,
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
    /// Largest accepted request body in bytes.
    pub body_limit: usize,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Cidr>,
    /// Origins that may read answers in a browser.
    pub cors_origins: Vec<String>,
    /// Whether widgets may also be read from their tenant's own origins.
    pub cors_tenant_origins: bool,
    /// The chatbot of pages whose snippet names none.
    pub legacy_chatbot: Option<ChatbotId>,
    /// How much callers may ask.
    pub rate_limit: RateLimitSettings,
    /// Whether readiness is 503 as soon as any dependency is away.
    pub strict_health: bool,
    /// Who may read `/metrics`.
    pub metrics_allowlist: Vec<Cidr>,
    /// What browsers load.
    pub dist_dir: PathBuf,
    /// Cosine similarity below which a passage is no answer, 0 to 1.
    pub relevance_threshold: f32,
    /// Passages taken from the collection for one question.
    pub top_k: usize,
    /// The rules that every answer passes.
    pub output_filter: Arc<OutputFilter>,
    /// How many questions are worked on at once, and how many wait.
    pub answers: Bounds,
    /// The language model; without one answers are made by extraction.
    pub generator: Option<Generator>,
    /// The second look at what was found; without one the fused order stays.
    pub reranking: Option<Reranking>,
    /// The longest silence on the wire of a streamed answer; then a comment is sent.
    pub stream_silence: Duration,
    /// Tokens of a prompt that the conversation so far may take.
    pub history_tokens: usize,
    /// Chatbots with a collection that a tenant may have.
    pub chatbots_per_tenant: i64,
    /// The longest time of one export.
    pub export_time: Duration,
}

impl App {
    /// Puts the parts together.
    pub fn new(parts: AppParts) -> Self {
        let turns = FairQueue::new(parts.settings.answers);
        let sentence_embedder = CachingEmbedder::new(Arc::clone(&parts.embedder), EMBEDDING_CACHE_BYTES);
        let widget_version = widget_assets::version(&parts.settings.dist_dir);
        Self(Arc::new(Shared {
            parts,
            turns,
            embeds: Ledger::default(),
            sentence_embedder,
            exports: Seats::default(),
            provisioning: Running::default(),
            reads_logins: AtomicBool::new(false),
            widget_version,
            language_changed: Notify::new(),
        }))
    }

    /// Numbers of a vector in the database's own index; none when another store indexes them.
    pub fn dimensions_in_database(&self) -> Option<usize> {
        self.vectors.external().is_none().then(|| self.embedder.dimensions())
    }

    /// Whose turn it is to have a question answered.
    pub fn turns(&self) -> &FairQueue {
        &self.0.turns
    }

    /// Turns sentence_embedder of documents into vectors, and remembers those. Never for what visitors write.
    pub fn sentence_embedder(&self) -> &dyn Embedder {
        &self.0.sentence_embedder
    }

    /// Which websites asked since that was last written down.
    pub fn embeds(&self) -> &Ledger {
        &self.0.embeds
    }

    /// Whether this process copies logins from the identity provider.
    pub fn reads_logins(&self) -> bool {
        self.0.reads_logins.load(Ordering::Relaxed)
    }

    /// Says that it does from now on.
    pub(crate) fn will_read_logins(&self) {
        self.0.reads_logins.store(true, Ordering::Relaxed);
    }

    /// The widget's version, which a snippet names.
    pub fn widget_version(&self) -> &str {
        &self.0.widget_version
    }

    /// Whose exports run.
    pub fn exports(&self) -> &Seats {
        &self.0.exports
    }

    /// Which chatbots are being provisioned.
    pub fn provisioning(&self) -> &Running {
        &self.0.provisioning
    }

    /// Told when a chatbot has another language than the words of its passages.
    pub fn language_changed(&self) -> &Notify {
        &self.0.language_changed
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
