//! The configuration: environment variables over an optional TOML file over defaults. [`SETTINGS`] is the one table
//! that documents every setting; [`Config::load`] reads it into one struct per section. A wrong value stops the start
//! with a sentence that names the setting, the value and what is allowed.

use std::path::PathBuf;

use app::backend::Console;
use contract::ChatbotId;
use url::Url;

pub use self::cidr::Cidr;
pub use self::error::ConfigError;
pub use self::secret::Secret;
pub use self::table::{SETTINGS, Setting};
pub use self::values::{Origin, Source, Values};

mod cidr;
mod error;
mod nearest;
mod read;
pub mod report;
mod secret;
mod table;
mod values;

/// Every setting, checked.
#[derive(Debug, Clone)]
pub struct Config {
    /// The platform's own listener.
    pub http: HttpConfig,
    /// What readiness says.
    pub health: HealthConfig,
    /// Who issues tokens.
    pub auth: AuthConfig,
    /// PostgreSQL.
    pub database: DatabaseConfig,
    /// The demo site.
    pub site: SiteConfig,
    /// Which other origins may read answers.
    pub cors: CorsConfig,
    /// The widget.
    pub widget: WidgetConfig,
    /// Who may read the metrics.
    pub metrics: MetricsConfig,
    /// Retrieval and answers.
    pub rag: RagConfig,
    /// The language model.
    pub generator: GeneratorConfig,
    /// The embedding model, when it is not the one in process.
    pub embeddings: EmbeddingsConfig,
    /// The second look at what was found.
    pub reranker: RerankerConfig,
    /// Where vectors are searched, when it is not in the database.
    pub qdrant: QdrantConfig,
    /// How many questions are worked on.
    pub answers: AnswersConfig,
    /// What visitors asked and were told.
    pub conversations: ConversationsConfig,
    /// What a chatbot's knowledge is kept in.
    pub collections: CollectionsConfig,
    /// How much a tenant may have.
    pub limits: LimitsConfig,
    /// CSV exports.
    pub exports: ExportsConfig,
    /// The rules that answers pass.
    pub output_filter: OutputFilterConfig,
    /// How much callers may ask.
    pub rate_limit: RateLimitConfig,
    /// What several processes share.
    pub redis: RedisConfig,
    /// The log.
    pub logging: LoggingConfig,
    /// Folders.
    pub paths: PathsConfig,
    /// Load tests.
    pub loadtest: LoadtestConfig,
}

/// The platform's own listener.
#[derive(Debug, Clone)]
pub struct HttpConfig {
    /// Address to listen on.
    pub host: std::net::IpAddr,
    /// Port to listen on.
    pub port: u16,
    /// The address that browsers use, without a slash at the end.
    pub base_url: Url,
    /// Largest accepted request body in bytes.
    pub body_limit_bytes: usize,
    /// How long requests are still accepted after a stop signal, in seconds.
    pub drain_seconds: u64,
    /// How long running requests may take after that, in seconds.
    pub shutdown_seconds: u64,
    /// Most connections held at the same time.
    pub max_connections: usize,
    /// Most connections of one client network.
    pub max_connections_per_address: usize,
    /// Slowest client whose body is waited for, and slowest reader of an answer that is not a stream; 0 is no bound.
    pub min_bytes_per_second: u64,
    /// Longest time in which a request's head arrives, in seconds.
    pub head_seconds: u64,
    /// Longest wait for the rest of a request's body, in seconds.
    pub body_seconds: u64,
    /// Longest time that a connection stays open between two requests, in seconds.
    pub idle_seconds: u64,
    /// Longest time in which a reader takes nothing of an answer, in seconds.
    pub write_idle_seconds: u64,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Cidr>,
}

/// What readiness says.
#[derive(Debug, Clone)]
pub struct HealthConfig {
    /// Whether it is 503 as soon as any dependency is away.
    pub strict: bool,
}

/// Who issues tokens.
#[derive(Debug, Clone)]
pub struct AuthConfig {
    /// The identity provider's address, without a slash at the end; issuers are `{url}/realms/<realm>`.
    pub url: Url,
    /// Run the embedded provider of the demo world on `port`.
    pub embedded: bool,
    /// Port of the embedded provider.
    pub port: u16,
    /// Folder of the realm files `*-realm.json`.
    pub realm_dir: PathBuf,
    /// Secret of the client `svc-platform-audit`, which reads login events.
    pub audit_client_secret: Option<Secret>,
    /// How often login events are read, in seconds.
    pub audit_poll_seconds: u64,
    /// The client that the operator console signs in with, one of [`Config::CONSOLE_CLIENTS`].
    pub console_client: String,
    /// Its secret, when it has one.
    pub console_client_secret: Option<Secret>,
}

/// PostgreSQL.
#[derive(Debug, Clone)]
pub struct DatabaseConfig {
    /// Connection of the restricted login role.
    pub url: Option<Secret>,
    /// Connection of the role that owns the tables, for migrations.
    pub admin_url: Option<Secret>,
    /// Folder with the embedded server's programs.
    pub bin_dir: PathBuf,
    /// Folder of the embedded server's data.
    pub data_dir: PathBuf,
    /// Loopback port of the embedded server.
    pub port: u16,
    /// Most connections held at the same time.
    pub pool_size: u32,
    /// Most exports at the same time; each holds a connection of its own.
    pub export_pool_size: u32,
    /// Most connections that the users of one tenant hold together.
    pub connections_per_tenant: u32,
    /// Most connections that consoles and the REST interface hold; derived from `pool_size` when not set.
    pub connections_for_consoles: Option<u32>,
    /// The longest wait of a call beyond its tenant's share, in seconds.
    pub tenant_queue_seconds: u64,
    /// Most calls of one tenant that wait like that.
    pub waiting_per_tenant: u32,
    /// Longest running time of one statement in milliseconds.
    pub statement_timeout_ms: u64,
    /// Whether statements stay prepared on a connection.
    pub prepared_statements: bool,
}

/// The demo site.
#[derive(Debug, Clone)]
pub struct SiteConfig {
    /// Port of the demo site.
    pub port: u16,
}

/// Which other origins may read answers.
#[derive(Debug, Clone)]
pub struct CorsConfig {
    /// Origins that an operator listed.
    pub allowed_origins: Vec<String>,
    /// Whether the widget endpoints also admit the tenant's own `allowed_origins`.
    pub tenant_origins: bool,
}

/// What the widget's endpoints serve besides.
#[derive(Debug, Clone)]
pub struct WidgetConfig {
    /// The chatbot of pages whose snippet names none.
    pub legacy_chatbot: Option<ChatbotId>,
}

/// Who may read the metrics.
#[derive(Debug, Clone)]
pub struct MetricsConfig {
    /// Client networks that may read `/metrics`.
    pub allowlist: Vec<Cidr>,
}

/// Retrieval and answers.
#[derive(Debug, Clone)]
pub struct RagConfig {
    /// Folder of the embedding model.
    pub model_dir: PathBuf,
    /// Cosine similarity below which a passage is no answer, 0 to 1.
    pub relevance_threshold: f32,
    /// Passages taken from the index for one question.
    pub top_k: usize,
}

/// The language model.
#[derive(Debug, Clone)]
pub struct GeneratorConfig {
    /// The endpoint up to and without `/chat/completions`; answers are made by extraction when there is none.
    pub url: Option<Url>,
    /// The endpoint's token.
    pub key: Option<Secret>,
    /// The model's name at the endpoint; never empty when there is an endpoint.
    pub model: String,
    /// Longest time for a whole answer, in seconds.
    pub timeout_seconds: u64,
    /// Tokens that an answer may have.
    pub max_tokens: u32,
    /// Tokens of a prompt that the conversation may take.
    pub history_tokens: usize,
}

/// The embedding model, when it is not the one in process.
#[derive(Debug, Clone)]
pub struct EmbeddingsConfig {
    /// The endpoint up to and without `/embeddings`; the model of `rag.model_dir` embeds when there is none.
    pub url: Option<Url>,
    /// The endpoint's token.
    pub key: Option<Secret>,
    /// The model's name at the endpoint; never empty when there is an endpoint.
    pub model: String,
    /// Longest time for one request, in seconds.
    pub timeout_seconds: u64,
}

/// The second look at what was found; none without an endpoint and a folder.
#[derive(Debug, Clone)]
pub struct RerankerConfig {
    /// The endpoint up to and without `/rerank`; never together with a folder.
    pub url: Option<Url>,
    /// The endpoint's token.
    pub key: Option<Secret>,
    /// The model's name at the endpoint; never empty when there is an endpoint that speaks Jina's protocol.
    pub model: String,
    /// What requests to the endpoint look like.
    pub protocol: rag::rerank::Protocol,
    /// Folder of a cross-encoder.
    pub model_dir: Option<PathBuf>,
    /// Passages of each search that it looks at, 2 to 100.
    pub candidates: usize,
    /// Longest wait for it, in milliseconds.
    pub timeout_ms: u64,
}

/// Where vectors are searched, when it is not in the database.
#[derive(Debug, Clone)]
pub struct QdrantConfig {
    /// Qdrant's REST interface; the database searches when there is none.
    pub url: Option<Url>,
    /// Its API key.
    pub api_key: Option<Secret>,
    /// Longest time for one search, in seconds.
    pub timeout_seconds: u64,
}

/// How many questions are worked on.
#[derive(Debug, Clone)]
pub struct AnswersConfig {
    /// At the same time in all; `None` follows the machine and the model.
    pub at_once: Option<usize>,
    /// At the same time for one chatbot; `None` is half of all.
    pub at_once_per_chatbot: Option<usize>,
    /// How many may wait for one chatbot.
    pub waiting_per_chatbot: usize,
    /// How long one may wait, in seconds.
    pub wait_seconds: u64,
}

/// What visitors asked and were told.
#[derive(Debug, Clone)]
pub struct ConversationsConfig {
    /// Days of silence after which a conversation is removed, 0 to 36500; 0 means never.
    pub retention_days: i32,
}

/// What a chatbot's knowledge is kept in.
#[derive(Debug, Clone)]
pub struct CollectionsConfig {
    /// Days after which the collection of a deactivated chatbot is dropped, 0 to 36500; 0 means never.
    pub idle_days: i32,
}

/// How much a tenant may have.
#[derive(Debug, Clone)]
pub struct LimitsConfig {
    /// Chatbots with a collection.
    pub chatbots_per_tenant: i64,
}

/// CSV exports.
#[derive(Debug, Clone)]
pub struct ExportsConfig {
    /// Longest time of one export, in seconds.
    pub max_seconds: u64,
}

/// The rules that answers pass.
#[derive(Debug, Clone)]
pub struct OutputFilterConfig {
    /// File of rules; the built-in ones when there is none.
    pub rules_file: Option<PathBuf>,
}

/// How much callers may ask: requests in one second on average, and at once. 0 in one second is no limit.
#[derive(Debug, Clone)]
pub struct RateLimitConfig {
    /// Calls of public endpoints per client address.
    pub public_per_second: u32,
    /// The same at once.
    pub public_burst: u32,
    /// Questions to one chatbot per client address.
    pub visitor_per_second: u32,
    /// The same at once.
    pub visitor_burst: u32,
    /// Questions to one chatbot.
    pub chatbot_per_second: u32,
    /// The same at once.
    pub chatbot_burst: u32,
    /// Feedback to one chatbot.
    pub feedback_per_second: u32,
    /// The same at once.
    pub feedback_burst: u32,
    /// Calls per principal.
    pub principal_per_second: u32,
    /// The same at once.
    pub principal_burst: u32,
    /// Tokens with a wrong signature per client address.
    pub failed_per_second: u32,
    /// The same at once.
    pub failed_burst: u32,
}

/// What several processes share.
#[derive(Debug, Clone)]
pub struct RedisConfig {
    /// The server; without one each process counts for itself.
    pub url: Option<Secret>,
}

/// The log.
#[derive(Debug, Clone)]
pub struct LoggingConfig {
    /// How lines look.
    pub format: LogFormat,
    /// Filter, such as `info` or `info,server=debug`.
    pub level: String,
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Folders.
#[derive(Debug, Clone)]
pub struct PathsConfig {
    /// Everything that changes while running.
    pub var_dir: PathBuf,
    /// The fetched parts.
    pub parts_dir: PathBuf,
    /// What browsers load, as `make build` wrote it.
    pub dist_dir: PathBuf,
}

/// Load tests.
#[derive(Debug, Clone)]
pub struct LoadtestConfig {
    /// The value of the header that bypasses rate limits; off without one.
    pub secret: Option<Secret>,
}

impl Config {
    /// The clients that the operator console can sign in with: its own, and those of emergency access.
    pub const CONSOLE_CLIENTS: [&str; 3] =
        [Console::Operator.client(), "svc-api-vendor-breakglass", "svc-api-vendor-tunnel"];

    /// Reads the real environment and the file that `--config` or `SVC_CONFIG` names.
    ///
    /// # Errors
    /// An unreadable file, an unknown key or variable (with the nearest known one), a value that is not allowed.
    pub fn load(file: Option<&std::path::Path>) -> Result<Self, ConfigError> {
        Self::from_values(&Values::load(file)?)
    }

    /// Checks collected values.
    ///
    /// # Errors
    /// The first value that is not allowed.
    pub fn from_values(values: &Values) -> Result<Self, ConfigError> {
        read::config(values)
    }
}

#[cfg(test)]
mod tests;
