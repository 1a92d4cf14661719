//! What the settings say to the parts of the server, after they were checked.

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use contract::{ChatbotId, usage::Quotas};
use rag::{
    filter::OutputFilter,
    generate::{openai::Generator, verify::Unsupported},
    rerank::Reranking,
};

use super::{UploadSettings, answer_models::ModelEndpoint};
use crate::{
    admission::{answer_queue::QueueLimits, rate_limit::RateLimitSettings},
    auth::console_client::ConsoleClient,
    config::{Cidr, Prices, Secret, WhenUnavailable},
    sandbox::Sandbox,
};

/// The input limits of a language model, and the handling of its output.
#[derive(Debug, Clone, Copy)]
pub struct GenerationSettings {
    /// Maximum tokens of the passages in a prompt.
    pub passage_tokens: usize,
    /// Maximum tokens of all passages of a chatbot that are in each of its prompts.
    pub base_tokens: usize,
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
