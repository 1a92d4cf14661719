//! Converts the configuration to the settings of the application.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use contract::usage::Quotas;
use rag::{filter::OutputFilter, generate::openai::Generator};

use super::without_trailing_slash;
use crate::admission::answer_queue::QueueLimits;
use crate::admission::rate_limit::{RateLimitSettings, RateLimits};
use crate::config::{Config, LimitsConfig, Prices};
use crate::sandbox::{OcrLimits, Sandbox, SandboxSettings};
use crate::service::knowledge::websites;
use crate::state::answer_models::ModelEndpoint;
use crate::state::{
    AppSettings, CrawlSettings, GenerationSettings, HttpsAddress, JobSettings, SystemSettings, UploadSettings,
};
use crate::storage::Storage;

/// Maximum tokens of a knowledge base that is in each prompt as a whole: about ten short pages. An endpoint with a cache reads them
/// once; one without, and its payer, reads twice as much as of the passages of a search.
const BASE_TOKENS: usize = 2400;
/// The longest silence on the wire of a streamed answer: proxies close connections on which nothing happens.
const STREAM_SILENCE: Duration = Duration::from_secs(15);
/// How long a job runs before others that wait go first. Each slice opens its file or website again.
const JOB_SLICE: Duration = Duration::from_secs(20);
/// How long a small job has the worker for small ones while others wait. The rest of the job is a large one.
const SMALL_JOB_SLICE: Duration = Duration::from_secs(10);

pub(super) fn settings(
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
            base_tokens: BASE_TOKENS,
            first_word: Some(config.generator.first_word_seconds).filter(|due| *due > 0).map(Duration::from_secs),
            unsupported: config.generator.unsupported_sentences,
            when_unavailable: config.generator.when_unavailable,
        },
        reranking: None,
        stream_silence: STREAM_SILENCE,
        history_tokens: config.generator.history_tokens,
        quotas: quotas(&config.limits),
        invitations_per_hour: config.limits.invitations_per_hour,
        export_time: Duration::from_secs(config.exports.timeout_seconds),
        jobs: JobSettings {
            workers: config.jobs.workers,
            lease: Duration::from_secs(config.jobs.lease_seconds),
            slice: JOB_SLICE,
            small_slice: SMALL_JOB_SLICE,
        },
        uploads: UploadSettings {
            storage,
            max_file_bytes: config.uploads.max_file_bytes,
            max_archive_bytes: config.uploads.max_archive_bytes,
            min_free_bytes: config.uploads.min_free_bytes as u64,
            max_time: Duration::from_secs(config.uploads.max_minutes * 60),
        },
        sandbox: sandbox(config),
        crawl: crawl_settings(config),
        system: system_settings(config),
    }
}

/// The sandbox for untrusted documents.
pub(in crate::cli) fn sandbox(config: &Config) -> Sandbox {
    Sandbox::new(SandboxSettings {
        program: own_program(),
        memory_bytes: config.reader.memory_bytes as u64,
        timeout: Duration::from_secs(config.reader.timeout_seconds),
        ocr: config.ocr.enabled.then(|| OcrLimits {
            max_pages: config.ocr.max_pages,
            page_timeout: Duration::from_secs(config.ocr.page_timeout_seconds),
        }),
    })
}

/// Settings that only the installation check needs.
pub(in crate::cli) fn system_settings(config: &Config) -> SystemSettings {
    let addresses = [
        ("http.base_url", Some(&config.http.base_url)),
        ("auth.url", Some(&config.auth.url)),
        ("qdrant.url", config.qdrant.url.as_ref()),
        ("generator.url", config.generator.url.as_ref()),
        ("embeddings.url", config.embeddings.url.as_ref()),
        ("reranker.url", config.reranker.url.as_ref()),
        ("uploads.endpoint", config.uploads.endpoint.as_ref()),
    ];
    let endpoints = config.endpoints.iter();
    let endpoints = endpoints.map(|endpoint| (format!("generator.endpoint {}", endpoint.name), Some(&endpoint.url)));
    let addresses = addresses.into_iter().map(|(setting, url)| (setting.to_owned(), url)).chain(endpoints);
    let https = addresses.filter_map(|(setting, url)| {
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
        crawls_loopback: config.crawl.allow_loopback && !config.auth.embedded,
    }
}

/// This program, also when its file was replaced by a newer one meanwhile.
fn own_program() -> PathBuf {
    let own = PathBuf::from("/proc/self/exe");
    if own.exists() { own } else { std::env::current_exe().unwrap_or(own) }
}

/// The default quotas of a tenant; 0 is unlimited.
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
        dns_resolver: crawl.dns_resolver.or_else(websites::system_resolver).map(|address| (address, 53).into()),
        delay: Duration::from_millis(crawl.delay_ms),
        timeout: Duration::from_secs(crawl.timeout_seconds),
        max_page_bytes: crawl.max_page_bytes,
        max_bytes: i64::try_from(crawl.max_bytes).unwrap_or(i64::MAX),
        max_minutes: signed(crawl.max_minutes),
        confirm_gone_minutes: crawl.confirm_gone_minutes,
        preview_pages: signed(crawl.preview_pages),
    }
}

/// Maximum concurrent questions: extraction keeps a core busy, a language model runs elsewhere.
fn queue_limits(config: &Config) -> QueueLimits {
    const MAX_CONCURRENT_WITH_MODEL: usize = 16;
    let cores = std::thread::available_parallelism().map_or(1, usize::from).max(2);
    let has_model = config.generator.url.is_some() || !config.endpoints.is_empty();
    let usual = if has_model { MAX_CONCURRENT_WITH_MODEL } else { cores };
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::Values;

    #[test]
    fn the_certificate_of_every_https_address_is_checked() {
        let file = "[auth]\nurl = 'https://login.example.com'\n[[generator.endpoint]]\nname = 'large'\nmodel = 'large-2'\n\
                    url = 'https://models.example.com:8443/v1'\n";
        let values = Values::collect(Some((Path::new("test.toml"), file)), std::iter::empty()).unwrap();
        let system = system_settings(&Config::from_values(&values).unwrap());
        let addresses =
            system.https.iter().map(|address| (address.setting.as_str(), address.host.as_str(), address.port));
        let expected =
            [("auth.url", "login.example.com", 443), ("generator.endpoint large", "models.example.com", 8443)];
        assert_eq!(addresses.collect::<Vec<_>>(), expected);
    }
}
