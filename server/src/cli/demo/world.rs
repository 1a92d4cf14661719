//! The demo world between a migrated database and a stop signal: ports, identity provider, platform, documents, site.

use std::time::Instant;

use contract::chatbots::Chatbot;
use idp::Provider;
use tokio::net::TcpListener;

use crate::config::{Config, Secret};
use crate::demo;
use crate::embedded::dev_file::{self, DevChatbot, DevFile};
use crate::embedded::secrets::DemoSecrets;
use crate::state::App;
use crate::{
    http::{
        live_reload::WatchedConsole,
        serving::{self, Limits},
    },
    shutdown::Stop,
};

use super::{DatabaseUrls, Folders, LOOPBACK, announce, grace_period};
use crate::cli::{CliError, listen, platform};

struct Listeners {
    platform: TcpListener,
    /// The listener of the embedded identity provider; `None` when `auth.url` is set.
    provider: Option<TcpListener>,
    site: TcpListener,
}

/// Runs the demo world until a stop is requested.
pub(super) async fn run(
    config: &Config,
    folders: &mut Folders,
    secrets: &DemoSecrets,
    database: DatabaseUrls,
    watched: Option<&WatchedConsole>,
    stop: Stop,
    started: Instant,
) -> Result<(), CliError> {
    let embedders = platform::load_embedders(config, std::convert::identity);
    let listeners = listen_all(config).await?;
    let provider = load_provider(config, folders, secrets).await?;
    let app = platform::build_app(config, &database.app, embedders.await?).await?;
    platform::check_collections(&app).await?;
    platform::start_tasks(&app, config, config.auth.audit_client_secret.as_ref().map(Secret::expose), stop.token())?;
    let site_url = format!("http://127.0.0.1:{}", config.site.port);
    let serving = serve_all(config, listeners, &provider, &app, watched, &stop);
    let demo_documents = demo::DemoDocuments::of(config);
    let filling = async {
        let chatbots = tokio::select! {
            seeded = demo::seed(&app, &demo_documents, &site_url) => seeded.map_err(|error| CliError::Other(error.to_string()))?,
            () = stop.token().cancelled() => return Ok(()),
        };
        // Started only now, because background work on documents would slow down ingestion.
        platform::start_workers(&app, stop.token());
        let file = describe(&app, &provider, &database, &chatbots, &site_url);
        file.write(&folders.dev_file).map_err(CliError::file(&folders.dev_file))?;
        announce::ready(&file, &folders.dev_file, started.elapsed());
        Ok(())
    };
    let filling = async {
        let filled = filling.await;
        if filled.is_err() {
            stop.token().cancel();
        }
        filled
    };
    let ((), result) = tokio::join!(serving, filling);
    platform::shutdown(&app, grace_period(config)).await;
    result
}

async fn listen_all(config: &Config) -> Result<Listeners, CliError> {
    let provider = if config.auth.embedded {
        Some(listen::on(LOOPBACK, config.auth.port, "the identity provider", "SVC_AUTH_PORT").await?)
    } else {
        None
    };
    Ok(Listeners {
        platform: listen::on(config.http.host, config.http.port, "the platform", "SVC_HTTP_PORT").await?,
        provider,
        site: listen::on(LOOPBACK, config.site.port, "the demo site", "SVC_SITE_PORT").await?,
    })
}

/// Reads the realm files on a separate thread, because generating signing keys takes a while.
async fn load_provider(config: &Config, folders: &Folders, secrets: &DemoSecrets) -> Result<Provider, CliError> {
    let settings = idp::Settings {
        realm_files: folders.realm_files.clone(),
        variables: secrets.variables(&platform::without_trailing_slash(&config.http.base_url)),
        auth_url: platform::without_trailing_slash(&config.auth.url),
        state_dir: folders.provider.clone(),
        show_demo_accounts: true,
    };
    let loaded = tokio::task::spawn_blocking(move || Provider::load(settings)).await;
    let loaded = loaded.map_err(|error| CliError::Other(format!("loading the identity provider: {error}")))?;
    loaded.map_err(|error| CliError::Other(error.to_string()))
}

async fn serve_all(
    config: &Config,
    listeners: Listeners,
    provider: &Provider,
    app: &App,
    watched: Option<&WatchedConsole>,
    stop: &Stop,
) {
    let (stop, limits) = (|| stop.clone(), || Limits::of(&config.http));
    let site = demo::site::router(&app.settings.base_url, config.site.showcase);
    let embedded = async {
        if let Some(listener) = listeners.provider {
            serving::serve(listener, provider.router(), limits(), stop()).await;
        }
    };
    tokio::join!(
        serving::serve(listeners.platform, crate::http::router_with(app.clone(), watched), limits(), stop()),
        embedded,
        serving::serve(listeners.site, site, limits(), stop()),
    );
}

fn describe(app: &App, provider: &Provider, database: &DatabaseUrls, chatbots: &[Chatbot], site_url: &str) -> DevFile {
    let loadtest_secret = app.settings.rate_limit.loadtest_secret.as_ref().map_or("", Secret::expose).to_owned();
    let (clients, users) = dev_file::identities(provider);
    let chatbots = chatbots.iter().map(|chatbot| DevChatbot {
        id: chatbot.id.to_string(),
        tenant_id: chatbot.tenant_id.to_string(),
        slug: chatbot.slug.clone(),
        origin: site_url.to_owned(),
    });
    DevFile {
        base_url: app.settings.base_url.clone(),
        auth_url: app.settings.auth_url.clone(),
        site_url: site_url.to_owned(),
        database_url: database.admin.clone(),
        metrics_url: format!("{}/metrics", app.settings.base_url),
        loadtest_secret,
        clients,
        users,
        chatbots: chatbots.collect(),
    }
}
