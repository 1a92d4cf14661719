//! Builds the platform from its configuration, and serves it until a stop signal.

mod app_settings;
mod embedders;
pub(super) mod reranker;
pub(super) mod storage;
mod tasks;

use std::sync::Arc;
use std::time::Duration;

use app::backend::Console;
use rag::{
    filter::OutputFilter,
    generate::openai::{self, Generator},
};
use store::vectors::{PgVector, Qdrant, QdrantSettings, VectorStore};
use tokio_util::task::TaskTracker;

use self::app_settings::settings;
pub(super) use self::app_settings::{sandbox, system_settings};
pub(crate) use self::embedders::{check_collections, load_embedders};
pub(crate) use self::tasks::{check_readers, shutdown, start_tasks, start_telemetry, start_workers};
use super::CliError;
use crate::admission::rate_limit::RateLimiter;
use crate::auth::TokenVerifier;
use crate::auth::console_client::ConsoleClient;
use crate::config::{Config, DatabaseConfig, EndpointConfig};
use crate::identity_admin::{IdentityAdmin, IdentityAdminSettings};
use crate::state::answer_models::ModelEndpoint;
use crate::state::{App, AppParts, AppSettings, embedders::Embedders};

/// Longest wait for a database connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// Connects with the restricted login role (another one is refused) and builds the application.
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
        audit_secret: config.auth.audit_client_secret.clone(),
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

/// The vector store: Qdrant when it is configured, otherwise the database. Nothing is sent yet.
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

/// Connects to the database; fails with the store's own error.
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

/// The rules that answers pass; a rule that cannot be used stops the start.
fn load_filter(config: &Config) -> Result<Arc<OutputFilter>, CliError> {
    let loaded = match &config.output_filter.rules_file {
        Some(path) => OutputFilter::from_file(path),
        None => OutputFilter::built_in(),
    };
    loaded.map_err(|error| CliError::Other(error.to_string()))
}

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
pub(super) fn load_endpoints(config: &Config) -> Result<Vec<ModelEndpoint>, CliError> {
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

/// The settings that all language models share.
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
