//! Every setting, declared once in its section: name, type, default, allowed values and meaning.

mod answers;
mod data;
mod platform;
mod process;

use std::sync::LazyLock;

pub use self::{
    answers::{AnswersConfig, EmbeddingsConfig, GeneratorConfig, QdrantConfig, RagConfig, RerankerConfig},
    data::{
        CollectionsConfig, ConversationsConfig, CrawlConfig, ExportsConfig, JobsConfig, KnowledgeConfig, LimitsConfig,
        OcrConfig, OutputFilterConfig, ReaderConfig, TenantsConfig, UploadsConfig,
    },
    platform::{
        AuthConfig, CorsConfig, DatabaseConfig, HealthConfig, HttpConfig, MetricsConfig, SiteConfig, WidgetConfig,
    },
    process::{LoadtestConfig, LoggingConfig, OtlpConfig, PathsConfig, RateLimitConfig, RedisConfig, TlsConfig},
};
use super::{ConfigError, EndpointConfig, Setting, Values};

/// Every setting, checked.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the type of a section says what the section is")]
pub struct Config {
    pub http: HttpConfig,
    pub health: HealthConfig,
    pub auth: AuthConfig,
    pub database: DatabaseConfig,
    pub site: SiteConfig,
    pub cors: CorsConfig,
    pub widget: WidgetConfig,
    pub metrics: MetricsConfig,
    pub rag: RagConfig,
    pub generator: GeneratorConfig,
    pub embeddings: EmbeddingsConfig,
    pub reranker: RerankerConfig,
    pub qdrant: QdrantConfig,
    pub answers: AnswersConfig,
    pub conversations: ConversationsConfig,
    pub knowledge: KnowledgeConfig,
    pub tenants: TenantsConfig,
    pub collections: CollectionsConfig,
    pub uploads: UploadsConfig,
    pub reader: ReaderConfig,
    pub ocr: OcrConfig,
    pub crawl: CrawlConfig,
    pub jobs: JobsConfig,
    pub limits: LimitsConfig,
    pub exports: ExportsConfig,
    pub output_filter: OutputFilterConfig,
    pub rate_limit: RateLimitConfig,
    pub redis: RedisConfig,
    pub tls: TlsConfig,
    pub logging: LoggingConfig,
    pub otlp: OtlpConfig,
    pub paths: PathsConfig,
    pub loadtest: LoadtestConfig,
    /// Further language models.
    pub endpoints: Vec<EndpointConfig>,
}

/// Every setting, in the order in which it is documented.
pub static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| declared(false));

/// What is declared as a constant: the settings of earlier releases that have only their default now.
pub static CONSTANTS: LazyLock<Vec<Setting>> = LazyLock::new(|| declared(true));

/// Everything that is declared.
pub(super) fn all() -> impl Iterator<Item = &'static Setting> {
    SETTINGS.iter().chain(CONSTANTS.iter())
}

fn declared(is_constant: bool) -> Vec<Setting> {
    let sections = [platform::settings(), answers::settings(), data::settings(), process::settings()];
    sections.into_iter().flatten().filter(|setting| setting.is_constant == is_constant).collect()
}

/// Reads every setting by its kind.
pub(super) fn read(values: &Values) -> Result<Config, ConfigError> {
    Ok(Config {
        http: HttpConfig::read(values)?,
        health: HealthConfig::read(values)?,
        auth: AuthConfig::read(values)?,
        database: DatabaseConfig::read(values)?,
        site: SiteConfig::read(values)?,
        cors: CorsConfig::read(values)?,
        widget: WidgetConfig::read(values)?,
        metrics: MetricsConfig::read(values)?,
        rag: RagConfig::read(values)?,
        generator: GeneratorConfig::read(values)?,
        embeddings: EmbeddingsConfig::read(values)?,
        reranker: RerankerConfig::read(values)?,
        qdrant: QdrantConfig::read(values)?,
        answers: AnswersConfig::read(values)?,
        conversations: ConversationsConfig::read(values)?,
        knowledge: KnowledgeConfig::read(values)?,
        tenants: TenantsConfig::read(values)?,
        collections: CollectionsConfig::read(values)?,
        uploads: UploadsConfig::read(values)?,
        reader: ReaderConfig::read(values)?,
        ocr: OcrConfig::read(values)?,
        crawl: CrawlConfig::read(values)?,
        jobs: JobsConfig::read(values)?,
        limits: LimitsConfig::read(values)?,
        exports: ExportsConfig::read(values)?,
        output_filter: OutputFilterConfig::read(values)?,
        rate_limit: RateLimitConfig::read(values)?,
        redis: RedisConfig::read(values)?,
        tls: TlsConfig::read(values)?,
        logging: LoggingConfig::read(values)?,
        otlp: OtlpConfig::read(values)?,
        paths: PathsConfig::read(values)?,
        loadtest: LoadtestConfig::read(values)?,
        endpoints: values.endpoints().to_vec(),
    })
}
