//! Puts the platform together from its configuration, and serves it until a stop signal.

pub(super) mod reranker;
pub(super) mod storage;

use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use app::backend::Console;
use contract::usage::Quotas;
use rag::{
    embed::{EndpointEmbedder, EndpointSettings, LazyEmbedder, LocalEmbedder, Prefixes, Purpose},
    filter::OutputFilter,
    generate::openai::{self, Generator},
};
use store::vectors::{PgVector, Qdrant, QdrantSettings, VectorError, VectorStore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::admission::answer_queue::QueueLimits;
use crate::admission::rate_limit::{RateLimitSettings, RateLimiter, RateLimits};
use crate::auth::TokenVerifier;
use crate::auth::console_client::ConsoleClient;
use crate::config::{Config, DatabaseConfig, EndpointConfig, LimitsConfig, Prices};
use crate::identity_admin::{IdentityAdmin, IdentityAdminSettings};
use crate::metrics;
use crate::sandbox::{OcrLimits, Sandbox, SandboxSettings};
use crate::service::knowledge::websites;
use crate::service::people;
use crate::service::vendor_access::Poller;
use crate::service::{
    audit::archive,
    conversations::retention,
    embed,
    jobs::worker,
    knowledge::{idle_collections, provisioning, reindexing, second_vectors, uploads::rereading, word_index},
    knowledge_hub, tenants,
};
use crate::state::answer_models::ModelEndpoint;
use crate::state::{
    App, AppParts, AppSettings, CrawlSettings, GenerationSettings, HttpsAddress, JobSettings, SystemSettings,
    UploadSettings, embedders::Embedders,
};
use crate::storage::Storage;

use super::CliError;

/// Longest wait for a database connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// Longest time for what is written at the very end; closing the connections takes as long at most.
const FLUSH: Duration = Duration::from_secs(1);

/// Checks the folders of the embedding models on a thread of its own while the database starts, or asks the endpoint that is
/// configured in their place. A model is loaded when the first text comes; `prepare` makes it fit for what the process does.
pub(crate) fn load_embedders(
    config: &Config,
    prepare: fn(LocalEmbedder) -> LocalEmbedder,
) -> impl Future<Output = Result<Embedders, CliError>> + use<> {
    let loading = match endpoint(config) {
        Some(settings) => tokio::spawn(async {
            let embedder = EndpointEmbedder::connect(settings).await.map_err(|error| error.to_string())?;
            Ok(Embedders::only(Arc::new(embedder)))
        }),
        None => {
            let folders = [config.rag.model_dir.clone(), config.rag.multilingual_model_dir.clone()];
            tokio::task::spawn_blocking(move || open_models(&folders, prepare))
        }
    };
    let remedy = match config.embeddings.url {
        Some(_) => {
            "Check embeddings.url, embeddings.api_key and embeddings.model (SVC_EMBEDDINGS_URL, _API_KEY, _MODEL)."
        }
        None => "Run `make setup`, or set SVC_RAG_MODEL_DIR and SVC_RAG_MULTILINGUAL_MODEL_DIR to the models' folders.",
    };
    async move {
        let loaded = loading.await.map_err(|error| CliError::Other(format!("the embedding models: {error}")))?;
        loaded.map_err(|error| CliError::Other(format!("{error}. {remedy}")))
    }
}

fn open_models(folders: &[PathBuf; 2], prepare: fn(LocalEmbedder) -> LocalEmbedder) -> Result<Embedders, String> {
    let open = |folder: &PathBuf| LazyEmbedder::open(folder, prepare).map_err(|error| error.to_string());
    let [english, multilingual] = folders;
    let english = Arc::new(open(english)?);
    Embedders::by_language(english, Arc::new(open(multilingual)?)).map_err(|error| error.to_string())
}

fn endpoint(config: &Config) -> Option<EndpointSettings> {
    let settings = &config.embeddings;
    Some(EndpointSettings {
        base_url: without_trailing_slash(settings.url.as_ref()?),
        key: settings.api_key.as_ref().map(|key| key.expose().to_owned()),
        model: settings.model.clone(),
        timeout: Duration::from_secs(settings.timeout_seconds),
        prefixes: Prefixes { query: prefix(&settings.query_prefix), document: prefix(&settings.document_prefix) },
    })
}

/// A prefix with the space between it and the text.
fn prefix(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{text} ") }
}

/// Refuses a vector store that is too old, and chatbots whose vectors are of a model that the platform does not have: no question
/// could be compared with them. Models that chatbots have are loaded in the background, so that no question waits for that.
pub(crate) async fn check_collections(app: &App) -> Result<(), CliError> {
    if let Some(external) = app.vectors.external() {
        match external.check_version().await {
            Err(error @ VectorError::Version(_)) => return Err(CliError::Other(error.to_string())),
            // The platform starts without it, and checks again before it makes a collection.
            Err(error) => tracing::warn!(%error, "vectors.version_not_checked"),
            Ok(()) => {}
        }
    }
    let mut tx = app.db.read(&store::Scope::system()).await?;
    let in_use = store::chatbots::embeddings_in_use(&mut tx).await?;
    drop(tx);
    for (model, length, chatbots) in in_use {
        let embedder = app.embedders.find(&model);
        let known = embedder.filter(|embedder| i32::try_from(embedder.dimensions()).is_ok_and(|known| known == length));
        let Some(embedder) = known.map(Arc::clone) else {
            return Err(CliError::Other(format!(
                "the collections of {chatbots} chatbots were filled by the embedding model {model} ({length} dimensions), but \
                 configured is {} ({} dimensions). Set embeddings.*, rag.model_dir or rag.multilingual_model_dir back.",
                app.embedders.names().join(" and "),
                app.embedders.dimensions(),
            )));
        };
        app.tasks.spawn(async move {
            if let Err(error) = embedder.embed(vec![model], Purpose::Query).await {
                tracing::error!(%error, "embedding.failed");
            }
        });
    }
    Ok(())
}

/// Connects with the restricted login role (another one is refused) and puts the parts together.
pub(crate) async fn build_app(config: &Config, database_url: &str, embedders: Embedders) -> Result<App, CliError> {
    let people = people_client(config)?;
    if config.auth.check_sessions && people.is_none() {
        let text = "auth.check_sessions (SVC_AUTH_CHECK_SESSIONS) is true, which needs auth.people_client_secret.";
        return Err(CliError::Refused(text.to_owned()));
    }
    let output_filter = load_filter(config)?;
    let db = connect(config, database_url).await?;
    let settings = AppSettings {
        reranking: reranker::load(config).await?,
        console_client: console_client(config)?,
        ..settings(config, output_filter, storage::load(config)?, load_generator(config)?, load_endpoints(config)?)
    };
    let tokens = TokenVerifier::new(&settings.auth_url)
        .map_err(|error| CliError::Other(format!("the client for the identity provider's keys: {error}")))?;
    let limiter = RateLimiter::new(&settings.rate_limit).map_err(|error| CliError::Other(error.to_string()))?;
    Ok(App::new(AppParts {
        db,
        tokens,
        people,
        limiter,
        embedders: Arc::new(embedders),
        vectors: vectors(config)?,
        tasks: TaskTracker::new(),
        settings,
    }))
}

/// The client that manages people, when there is a secret for it; nothing is sent yet.
fn people_client(config: &Config) -> Result<Option<IdentityAdmin>, CliError> {
    let Some(secret) = config.auth.people_client_secret.clone() else { return Ok(None) };
    let client = IdentityAdmin::new(&IdentityAdminSettings {
        auth_url: without_trailing_slash(&config.auth.url),
        secret,
        timeout: Duration::from_secs(config.auth.people_timeout_seconds),
    });
    client.map(Some).map_err(|error| CliError::Other(format!("the client for the identity provider's people: {error}")))
}

/// The client that the operator console signs in with, when it needs a secret.
fn console_client(config: &Config) -> Result<Option<ConsoleClient>, CliError> {
    let id = config.auth.console_client.as_str();
    if id == Console::Operator.client() {
        return Ok(None);
    }
    let Some(secret) = config.auth.console_client_secret.clone() else {
        let text = format!(
            "auth.console_client (SVC_AUTH_CONSOLE_CLIENT) is {id}, which has a secret: set it as auth.console_client_secret \
             (SVC_AUTH_CONSOLE_CLIENT_SECRET)."
        );
        return Err(CliError::Refused(text));
    };
    let client = ConsoleClient::new(&without_trailing_slash(&config.auth.url), id, secret);
    client.map(Some).map_err(|error| CliError::Other(format!("the client for the console's tokens: {error}")))
}

/// Where vectors are searched: in Qdrant when it is configured, or in the database; nothing is sent yet.
pub(super) fn vectors(config: &Config) -> Result<Arc<dyn VectorStore>, CliError> {
    let settings = &config.qdrant;
    let Some(url) = &settings.url else { return Ok(Arc::new(PgVector)) };
    let qdrant = Qdrant::new(&QdrantSettings {
        url: without_trailing_slash(url),
        api_key: settings.api_key.as_ref().map(|key| key.expose().to_owned()),
        timeout: Duration::from_secs(settings.timeout_seconds),
    });
    Ok(Arc::new(qdrant.map_err(store::Error::from)?))
}

/// Connects with the restricted login role.
pub(crate) async fn connect(config: &Config, database_url: &str) -> Result<store::Db, CliError> {
    Ok(database(config, database_url).await?)
}

/// The same, with the store's own error.
pub(super) async fn database(config: &Config, database_url: &str) -> Result<store::Db, store::Error> {
    let settings = store::DbSettings {
        url: database_url.to_owned(),
        max_connections: config.database.pool_size,
        acquire_timeout: ACQUIRE_TIMEOUT,
        statement_timeout: Duration::from_millis(config.database.statement_timeout_ms),
        prepared_statements: config.database.prepared_statements,
        max_exports: config.database.export_pool_size,
        shares: shares(&config.database),
    };
    store::Db::connect(&settings).await
}

/// How the tenants share the connections.
fn shares(config: &DatabaseConfig) -> store::ConnectionShares {
    let consoles =
        config.connections_for_consoles.unwrap_or_else(|| store::ConnectionShares::consoles_of(config.pool_size));
    store::ConnectionShares {
        per_tenant: config.connections_per_tenant,
        consoles,
        queue_timeout: Duration::from_secs(config.queue_timeout_seconds),
        waiting: config.max_queued_per_tenant,
    }
}

/// Starts the workers of background jobs.
pub(crate) fn start_workers(app: &App, stopped: &CancellationToken) {
    check_readers(app);
    app.tasks.spawn(worker::run_until(app.clone(), stopped.clone()));
}

/// Finds out in the background what readers of documents can reach.
pub(crate) fn check_readers(app: &App) {
    let sandbox = app.settings.sandbox.clone();
    app.tasks.spawn(async move { sandbox.check().await });
}

/// Starts the tasks that run as long as the platform does, the workers apart. Logins of vendors are read when there is a secret to read
/// them with.
pub(crate) fn start_tasks(
    app: &App,
    config: &Config,
    audit_client_secret: Option<&str>,
    stopped: &CancellationToken,
) -> Result<(), CliError> {
    app.tasks.spawn(metrics::upkeep_until(stopped.clone()));
    app.tasks.spawn(provisioning::retry_until(app.clone(), stopped.clone()));
    app.tasks.spawn(word_index::run_until(app.clone(), stopped.clone()));
    if config.embeddings.migrate {
        app.tasks.spawn(reindexing::migrate_all(app.clone()));
        app.tasks.spawn(second_vectors::queue_all(app.clone()));
    }
    app.tasks.spawn(rereading::queue_all(app.clone()));
    app.tasks.spawn(archive::run_until(app.clone(), stopped.clone()));
    app.tasks.spawn(embed::flush_task::run_until(app.clone(), stopped.clone()));
    app.tasks.spawn(people::activity::run_until(app.clone(), stopped.clone()));
    if app.people.is_some() {
        app.tasks.spawn(people::settle::run_until(app.clone(), stopped.clone()));
        app.tasks.spawn(people::ending::run_until(app.clone(), stopped.clone()));
    } else {
        tracing::warn!(setting = "auth.people_client_secret", "people.off: people of tenants cannot be managed here");
    }
    if config.conversations.retention_days > 0 {
        let days = config.conversations.retention_days;
        app.tasks.spawn(retention::run_until(app.clone(), days, stopped.clone()));
    }
    if config.knowledge.history_days > 0 {
        let days = config.knowledge.history_days;
        app.tasks.spawn(knowledge_hub::retention::run_until(app.clone(), days, stopped.clone()));
    }
    if config.tenants.erase_after_days > 0 {
        let days = config.tenants.erase_after_days;
        app.tasks.spawn(tenants::erasure::run_until(app.clone(), days, stopped.clone()));
    }
    if config.collections.idle_days > 0 {
        app.tasks.spawn(idle_collections::run_until(app.clone(), config.collections.idle_days, stopped.clone()));
    }
    if let Some(secret) = audit_client_secret {
        let every = Duration::from_secs(config.auth.audit_poll_seconds);
        let poller = Poller::new(app.clone(), secret)
            .map_err(|error| CliError::Other(format!("the client for the identity provider's events: {error}")))?;
        app.tasks.spawn(poller.run_until(every, stopped.clone()));
    } else {
        tracing::warn!(setting = "auth.audit_client_secret", "vendor_access.off: no login of a vendor is recorded");
    }
    Ok(())
}

/// Waits for work that outlives its request, within `grace_period`, and closes the database connections: whatever the database
/// does, it takes two seconds more at most.
pub(crate) async fn shutdown(app: &App, grace_period: Duration) {
    app.tasks.close();
    if tokio::time::timeout(grace_period, app.tasks.wait()).await.is_err() {
        tracing::warn!(seconds = grace_period.as_secs(), "background work was cut off at the end of the stop");
    }
    if tokio::time::timeout(FLUSH, embed::flush_task::flush(app)).await.is_err() {
        tracing::warn!("which websites asked for chatbots was not written at the end");
    }
    if tokio::time::timeout(FLUSH, people::activity::flush(app)).await.is_err() {
        tracing::warn!("when people were last active was not written at the end");
    }
    app.db.close().await;
}

/// The rules that answers pass; a rule that cannot be used stops the start.
fn load_filter(config: &Config) -> Result<Arc<OutputFilter>, CliError> {
    let loaded = match &config.output_filter.rules_file {
        Some(path) => OutputFilter::from_file(path),
        None => OutputFilter::built_in(),
    };
    loaded.map_err(|error| CliError::Other(error.to_string()))
}

/// The longest silence on the wire of a streamed answer: proxies close connections on which nothing happens.
const STREAM_SILENCE: Duration = Duration::from_secs(15);
/// Longest silence within an answer of the model.
pub(super) const SILENCE: Duration = Duration::from_secs(20);

/// The language model, when one is configured; nothing is sent to it yet.
pub(super) fn load_generator(config: &Config) -> Result<Option<Generator>, CliError> {
    let settings = &config.generator;
    let Some(url) = &settings.url else { return Ok(None) };
    let generator = Generator::new(openai::Settings {
        base_url: without_trailing_slash(url),
        key: settings.api_key.as_ref().map(|key| key.expose().to_owned()),
        model: settings.model.clone(),
        ..common_settings(config)
    });
    generator.map(Some).map_err(|error| CliError::Other(error.to_string()))
}

/// The further language models; nothing is sent to them yet.
fn load_endpoints(config: &Config) -> Result<Vec<ModelEndpoint>, CliError> {
    let load = |endpoint: &EndpointConfig| {
        let generator = Generator::new(openai::Settings {
            base_url: without_trailing_slash(&endpoint.url),
            key: endpoint.api_key.as_ref().map(|key| key.expose().to_owned()),
            model: endpoint.model.clone(),
            max_concurrent: endpoint.max_concurrent,
            ..common_settings(config)
        });
        Ok(ModelEndpoint {
            name: endpoint.name.clone(),
            generator: generator.map_err(|error| CliError::Other(error.to_string()))?,
            prices: endpoint.prices,
            window_tokens: endpoint.window_tokens,
        })
    };
    config.endpoints.iter().map(load).collect()
}

/// What all language models have in common.
fn common_settings(config: &Config) -> openai::Settings {
    let settings = &config.generator;
    openai::Settings {
        base_url: String::new(),
        key: None,
        model: String::new(),
        timeout: Duration::from_secs(settings.timeout_seconds),
        first_token: Duration::from_secs(settings.first_token_seconds),
        silence: SILENCE,
        max_tokens: settings.max_tokens,
        max_concurrent: settings.max_concurrent,
    }
}

fn settings(
    config: &Config,
    output_filter: Arc<OutputFilter>,
    storage: Arc<Storage>,
    generator: Option<Generator>,
    endpoints: Vec<ModelEndpoint>,
) -> AppSettings {
    AppSettings {
        base_url: without_trailing_slash(&config.http.base_url),
        auth_url: without_trailing_slash(&config.auth.url),
        console_client: None,
        check_sessions: config.auth.check_sessions,
        body_limit: config.http.body_limit_bytes,
        trusted_proxies: config.http.trusted_proxies.clone(),
        cors_origins: config.cors.allowed_origins.clone(),
        cors_tenant_origins: config.cors.tenant_origins,
        legacy_chatbot: config.widget.legacy_chatbot,
        rate_limit: RateLimitSettings {
            limits: RateLimits::of(&config.rate_limit),
            redis_url: config.redis.url.clone(),
            loadtest_secret: config.loadtest.secret.clone(),
        },
        strict_health: config.health.strict,
        metrics_allowlist: config.metrics.allowlist.clone(),
        dist_dir: config.paths.dist_dir.clone(),
        relevance_threshold: config.rag.relevance_threshold,
        top_k: config.rag.top_k,
        output_filter,
        answers: queue_limits(config),
        generator,
        prices: Prices {
            prompt: config.generator.prompt_price,
            cached: config.generator.cached_price,
            answer: config.generator.answer_price,
        },
        window_tokens: config.generator.window_tokens,
        endpoints,
        currency: config.generator.currency.clone(),
        generation: GenerationSettings {
            passage_tokens: config.generator.passage_tokens,
            first_word: Some(config.generator.first_word_seconds).filter(|due| *due > 0).map(Duration::from_secs),
            unsupported: config.generator.unsupported_sentences,
            when_unavailable: config.generator.when_unavailable,
        },
        reranking: None,
        stream_silence: STREAM_SILENCE,
        history_tokens: config.generator.history_tokens,
        quotas: quotas(&config.limits),
        export_time: Duration::from_secs(config.exports.timeout_seconds),
        jobs: JobSettings { workers: config.jobs.workers, lease: Duration::from_secs(config.jobs.lease_seconds) },
        uploads: UploadSettings { storage, max_file_bytes: config.uploads.max_file_bytes },
        sandbox: Sandbox::new(SandboxSettings {
            program: own_program(),
            memory_bytes: config.reader.memory_bytes as u64,
            timeout: Duration::from_secs(config.reader.timeout_seconds),
            ocr: config.ocr.enabled.then(|| OcrLimits {
                max_pages: config.ocr.max_pages,
                page_timeout: Duration::from_secs(config.ocr.page_timeout_seconds),
            }),
        }),
        crawl: crawl_settings(config),
        system: system_settings(config),
    }
}

/// What only the check of the installation needs.
pub(super) fn system_settings(config: &Config) -> SystemSettings {
    let addresses = [
        ("http.base_url", Some(&config.http.base_url)),
        ("auth.url", Some(&config.auth.url)),
        ("qdrant.url", config.qdrant.url.as_ref()),
        ("generator.url", config.generator.url.as_ref()),
        ("embeddings.url", config.embeddings.url.as_ref()),
        ("reranker.url", config.reranker.url.as_ref()),
        ("uploads.endpoint", config.uploads.endpoint.as_ref()),
    ];
    let https = addresses.into_iter().filter_map(|(setting, url)| {
        let url = url.filter(|url| url.scheme() == "https")?;
        let (host, port) = (url.host_str()?.to_owned(), url.port_or_known_default()?);
        Some(HttpsAddress { setting, host, port })
    });
    SystemSettings {
        audit_secret: config.auth.audit_client_secret.clone(),
        people_secret: config.auth.people_client_secret.clone(),
        https: https.collect(),
        database_connections: config.database.pool_size + config.database.export_pool_size,
        client_connections: config.http.max_connections,
        var_dir: config.paths.var_dir.clone(),
    }
}

/// This program, also when its file was replaced by a newer one meanwhile.
fn own_program() -> PathBuf {
    let own = PathBuf::from("/proc/self/exe");
    if own.exists() { own } else { std::env::current_exe().unwrap_or(own) }
}

/// What a tenant may have without a word of its operator; 0 is no limit.
fn quotas(limits: &LimitsConfig) -> Quotas {
    let limit = |number: i64| Some(number).filter(|number| *number > 0);
    Quotas {
        documents: limit(limits.documents_per_tenant),
        bytes: limit(limits.bytes_per_tenant),
        passages: limit(limits.passages_per_tenant),
        pages: limit(limits.pages_per_tenant),
        chatbots: Some(limits.chatbots_per_tenant),
        questions_per_month: limit(limits.questions_per_month),
        tokens_per_month: limit(limits.tokens_per_month),
    }
}

fn crawl_settings(config: &Config) -> CrawlSettings {
    let crawl = &config.crawl;
    let contact = crawl.contact.as_ref().unwrap_or(&config.http.base_url);
    let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    CrawlSettings {
        user_agent: websites::user_agent(contact.as_str()),
        allow_loopback: crawl.allow_loopback,
        delay: Duration::from_millis(crawl.delay_ms),
        timeout: Duration::from_secs(crawl.timeout_seconds),
        max_page_bytes: crawl.max_page_bytes,
        max_bytes: i64::try_from(crawl.max_bytes).unwrap_or(i64::MAX),
        max_minutes: signed(crawl.max_minutes),
        confirm_gone_minutes: crawl.confirm_gone_minutes,
        preview_pages: signed(crawl.preview_pages),
    }
}

/// How many questions are worked on: extraction keeps a core busy, a language model works elsewhere.
fn queue_limits(config: &Config) -> QueueLimits {
    const WITH_MODEL: usize = 16;
    let cores = std::thread::available_parallelism().map_or(1, usize::from).max(2);
    let has_model = config.generator.url.is_some() || !config.endpoints.is_empty();
    let usual = if has_model { WITH_MODEL } else { cores };
    let max_concurrent = config.answers.max_concurrent.unwrap_or(usual);
    QueueLimits {
        max_concurrent,
        max_concurrent_per_chatbot: config
            .answers
            .max_concurrent_per_chatbot
            .unwrap_or(max_concurrent / 2)
            .clamp(1, max_concurrent),
        max_queued: config.answers.max_queued_per_chatbot,
        queue_timeout: Duration::from_secs(config.answers.queue_timeout_seconds),
    }
}

/// An address without the slash at its end.
pub(crate) fn without_trailing_slash(url: &url::Url) -> String {
    url.as_str().trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Values;

    fn refusal(rules: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rules.toml");
        std::fs::write(&path, rules).unwrap();
        let variable = ("SVC_OUTPUT_FILTER_RULES_FILE".to_owned(), path.display().to_string());
        let config = Config::from_values(&Values::collect(None, [variable].into_iter()).unwrap()).unwrap();
        load_filter(&config).unwrap_err().to_string()
    }

    #[test]
    fn a_rule_that_cannot_be_used_stops_the_start_with_its_id() {
        let rules = "[replies.en]\nblocked = 'No.'\nmark = '[x]'\n[[rule]]\nid = 'our.endless'\ncategory = 'pii'\n\
                     pattern = 'a+'\naction = 'mask'\nlayer = 'inline'\n";
        assert!(refusal(rules).contains("our.endless"));
    }

    #[test]
    fn a_file_without_rules_in_the_right_form_stops_the_start() {
        assert!(refusal("rules = 1").contains("output filter"));
    }
}
