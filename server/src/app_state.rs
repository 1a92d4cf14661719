//! What every request handler shares.

use std::{path::PathBuf, sync::Arc, time::Duration};

use rag::{
    embed::{Embedder, Remembering},
    filter::OutputFilter,
    generate::openai::Generator,
    rerank::Reranking,
};
use store::{Db, vectors::VectorStore};
use tokio_util::task::TaskTracker;

use crate::{
    config::Cidr,
    export::Seats,
    http::{
        console_token::ConsoleClient,
        rate_limit::{RateLimitSettings, RateLimiter},
        token::TokenVerifier,
    },
    service::{
        embed::ledger::Ledger,
        fair_queue::{Bounds, FairQueue},
        provisioning::Running,
    },
};

/// What the vectors of sentences that answers were looked for in may take, in bytes; 10,000 sentences at 384 dimensions.
const SENTENCES_BYTES: usize = 16 << 20;

/// What every request handler shares; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Shared>);

struct Shared {
    parts: AppParts,
    turns: FairQueue,
    embeds: Ledger,
    sentences: Remembering,
    exports: Seats,
    provisioning: Running,
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
    /// How much callers may ask.
    pub rate_limit: RateLimitSettings,
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
    /// The longest time of one export.
    pub export_time: Duration,
}

impl App {
    /// Puts the parts together.
    pub fn new(parts: AppParts) -> Self {
        let turns = FairQueue::new(parts.settings.answers);
        let sentences = Remembering::new(Arc::clone(&parts.embedder), SENTENCES_BYTES);
        Self(Arc::new(Shared {
            parts,
            turns,
            embeds: Ledger::default(),
            sentences,
            exports: Seats::default(),
            provisioning: Running::default(),
        }))
    }

    /// Numbers of a vector in the database's own index; none when another store indexes them.
    pub fn dimensions_in_database(&self) -> Option<usize> {
        self.vectors.outside().is_none().then(|| self.embedder.dimensions())
    }

    /// Whose turn it is to have a question answered.
    pub fn turns(&self) -> &FairQueue {
        &self.0.turns
    }

    /// Turns sentences of documents into vectors, and remembers those. Never for what visitors write.
    pub fn sentences(&self) -> &dyn Embedder {
        &self.0.sentences
    }

    /// Which websites asked since that was last written down.
    pub fn embeds(&self) -> &Ledger {
        &self.0.embeds
    }

    /// Whose exports run.
    pub fn exports(&self) -> &Seats {
        &self.0.exports
    }

    /// Which chatbots are being provisioned.
    pub fn provisioning(&self) -> &Running {
        &self.0.provisioning
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
