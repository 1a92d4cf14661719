//! `server demo`: the platform with all its dependencies in one process tree: embedded PostgreSQL, identity provider,
//! documents, demo site. It prints what to try and writes `var/dev.json`. Everything that it started ends with it; its
//! data stays.

use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use app::backend::Console;

use crate::config::{Config, Secret, Values};
use crate::embedded::llama::{EmbeddedLlama, MODEL_NAME, PARALLEL, WINDOW};
use crate::embedded::postgres::{EmbeddedPostgres, PostgresSettings};
use crate::embedded::{postgres, secrets};
use crate::http::live_reload::WatchedConsole;
use crate::shutdown::Stop;
use crate::storage;

use super::{CliError, stop};

mod announce;
mod world;

/// The name of the demo world's database.
const DATABASE: &str = "platform";
/// The login role that migration 0001 makes.
const LOGIN_ROLE: &str = "svc_app";
/// What PostgreSQL and the documents of a demo world take at first, in bytes.
const ROOM_BYTES: u64 = 150_000_000;

/// Timeout for the first word of the fetched model, in seconds.
const MIN_TIMEOUT_SECONDS: u64 = 60;
/// Maximum tokens of its answers, and of the passages in its prompts.
const MAX_ANSWER_TOKENS: u32 = 300;
const MAX_PASSAGE_TOKENS: usize = 700;

/// What to do with the demo world.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Empty the demo world (its database, keys, secrets and var/dev.json) instead of running it.
    #[arg(long)]
    reset: bool,
    /// Serve this console from the folder that `cargo leptos watch` builds it into (`make watch`).
    #[arg(long, value_name = "CONSOLE", conflicts_with = "reset")]
    watch: Option<Watch>,
    /// Let the fetched language model word the answers. generator.url names another one.
    #[arg(long, conflicts_with = "reset")]
    model: bool,
}

/// A console to serve as `cargo leptos watch` builds it.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Watch {
    Operator,
    Tenant,
}

impl Watch {
    /// The console, with the folder and the port from the environment of `cargo leptos`.
    fn console(self) -> Result<WatchedConsole, CliError> {
        let variable = |name: &str| {
            std::env::var(name).map_err(|_| CliError::Other(format!("--watch needs {name}: run `make watch`")))
        };
        let console = match self {
            Self::Operator => Console::Operator,
            Self::Tenant => Console::Tenant,
        };
        let port = variable("LEPTOS_RELOAD_PORT")?;
        let port = port.parse().map_err(|_| CliError::Other("LEPTOS_RELOAD_PORT is not a valid port".to_owned()))?;
        Ok(WatchedConsole::new(console, ".".into(), variable("LEPTOS_SITE_ROOT")?.into(), port))
    }
}

/// Settings that `demo` changes unless the user has set them.
pub(crate) fn implied(values: Values) -> Values {
    let implied = [
        ("auth.embedded", "true"),
        ("cors.tenant_origins", "true"),
        ("crawl.allow_loopback", "true"),
        ("http.drain_seconds", "0"),
    ];
    implied.into_iter().fold(values, |values, (key, value)| values.implied("demo", key, value))
}

/// Runs until a stop signal, or empties the demo world.
pub(crate) async fn run(arguments: &Arguments, mut config: Config) -> Result<(), CliError> {
    if arguments.reset {
        return reset(&config).await;
    }
    let watched = arguments.watch.map(Watch::console).transpose()?;
    let started = Instant::now();
    let stop = stop::on_signal(Stop::of(&config.http))?;
    let mut folders = Folders::prepare(&config)?;
    let secrets =
        secrets::DemoSecrets::load(&folders.secrets, &folders.realm_files).map_err(CliError::file(&folders.secrets))?;
    if config.auth.console_client_secret.is_none() {
        config.auth.console_client_secret = secrets.of_client(&config.auth.console_client).map(Secret::new);
    }
    if config.auth.people_client_secret.is_none() {
        config.auth.people_client_secret = secrets.clients.get("SVC_PEOPLE_CLIENT_SECRET").map(Secret::new);
    }
    if config.auth.audit_client_secret.is_none() {
        config.auth.audit_client_secret = secrets.clients.get("SVC_AUDIT_CLIENT_SECRET").map(Secret::new);
    }
    config.loadtest.secret.get_or_insert_with(|| Secret::new(&secrets.loadtest));
    let llama = start_model(arguments, &mut config, &stop).await?;
    let result = with_database(&config, &mut folders, &secrets, watched.as_ref(), stop, started).await;
    if let Some(llama) = llama {
        llama.stop().await;
    }
    result
}

/// Starts the fetched language model and points the settings to it; `None` when it is not requested, or when the
/// settings have one.
async fn start_model(
    arguments: &Arguments,
    config: &mut Config,
    stop: &Stop,
) -> Result<Option<EmbeddedLlama>, CliError> {
    if !arguments.model || config.generator.url.is_some() {
        return Ok(None);
    }
    println!("Starting the language model ...");
    let llama = tokio::select! {
        llama = EmbeddedLlama::start(&config.paths.parts_dir, &config.paths.var_dir) => llama,
        () = stop.token().cancelled() => return Ok(None),
    };
    let llama = llama.map_err(|error| CliError::Other(error.to_string()))?;
    config.generator.url = Some(llama.url().parse().map_err(|_| CliError::Other("the model's address".to_owned()))?);
    config.generator.api_key = Some(llama.key().clone());
    MODEL_NAME.clone_into(&mut config.generator.model);
    config.generator.max_concurrent = PARALLEL;
    config.generator.window_tokens.get_or_insert(WINDOW);
    // A processor is slower than what usually answers, and small models ramble.
    config.generator.first_token_seconds = config.generator.first_token_seconds.max(MIN_TIMEOUT_SECONDS);
    config.generator.timeout_seconds = config.generator.timeout_seconds.max(2 * MIN_TIMEOUT_SECONDS);
    config.generator.max_tokens = config.generator.max_tokens.min(MAX_ANSWER_TOKENS);
    config.generator.passage_tokens = config.generator.passage_tokens.min(MAX_PASSAGE_TOKENS);
    Ok(Some(llama))
}

/// Runs the demo world on the embedded database, or on the one that the settings name.
async fn with_database(
    config: &Config,
    folders: &mut Folders,
    secrets: &secrets::DemoSecrets,
    watched: Option<&WatchedConsole>,
    stop: Stop,
    started: Instant,
) -> Result<(), CliError> {
    let Some(mut server) = start_database(config).await? else {
        let urls = external_database(config)?;
        return world::run(config, folders, secrets, urls, watched, stop, started).await;
    };
    let result = async {
        let urls = prepare_database(&server, &secrets.database).await?;
        tokio::select! {
            result = world::run(config, folders, secrets, urls, watched, stop.clone(), started) => result,
            () = server.ended() => Err(CliError::Other(format!(
                "the embedded PostgreSQL ended; its log is {}",
                config.database.data_dir.join("postgres.log").display()
            ))),
        }
    }
    .await;
    server.stop().await;
    result
}

/// The folders of the demo world, below the var folder.
struct Folders {
    secrets: PathBuf,
    provider: PathBuf,
    dev_file: PathBuf,
    realm_files: Vec<PathBuf>,
}

/// Addresses of the database: for the platform, and for migrations and `var/dev.json`.
pub(super) struct DatabaseUrls {
    pub(super) app: String,
    admin: String,
}

impl Folders {
    fn of(config: &Config) -> Self {
        let var = &config.paths.var_dir;
        Self {
            secrets: var.join("demo-secrets.json"),
            provider: var.join("idp"),
            dev_file: var.join("dev.json"),
            realm_files: Vec::new(),
        }
    }

    /// Makes the var folder and lists the realm files.
    fn prepare(config: &Config) -> Result<Self, CliError> {
        let mut folders = Self::of(config);
        let var = &config.paths.var_dir;
        require_room(var, storage::free_bytes(var))?;
        fs::create_dir_all(var).map_err(CliError::file(var))?;
        let realms = &config.auth.realm_dir;
        let entries = fs::read_dir(realms).map_err(CliError::file(realms))?;
        let files = entries.flatten().map(|entry| entry.path());
        folders.realm_files = files.filter(|path| path.to_string_lossy().ends_with("-realm.json")).collect();
        folders.realm_files.sort();
        Ok(folders)
    }
}

/// Refuses a disk that would be full soon: PostgreSQL would stop in the middle of something.
fn require_room(folder: &Path, free_bytes: Option<u64>) -> Result<(), CliError> {
    let Some(free) = free_bytes.filter(|free| *free < ROOM_BYTES) else { return Ok(()) };
    Err(CliError::Other(format!(
        "the disk of {} has {} MB free, and the demo world needs {} MB: make room, or choose another folder with \
         SVC_PATHS_VAR_DIR.",
        folder.display(),
        free / 1_000_000,
        ROOM_BYTES / 1_000_000
    )))
}

/// Starts the embedded PostgreSQL; `None` when the configuration has a server.
async fn start_database(config: &Config) -> Result<Option<EmbeddedPostgres>, CliError> {
    if config.database.url.is_some() || config.database.admin_url.is_some() {
        return Ok(None);
    }
    Ok(Some(EmbeddedPostgres::start(&settings(config)).await?))
}

fn settings(config: &Config) -> PostgresSettings {
    PostgresSettings {
        bin_dir: config.database.bin_dir.clone(),
        data_dir: config.database.data_dir.clone(),
        port: config.database.port,
        durable: true,
    }
}

/// Creates and migrates the database and sets the restricted role's password.
pub(super) async fn prepare_database(server: &EmbeddedPostgres, password: &str) -> Result<DatabaseUrls, CliError> {
    store::bootstrap::ensure_database(&server.superuser_url(), DATABASE).await?;
    let admin = server.superuser_url_of(DATABASE);
    store::migrate(&admin).await?;
    store::bootstrap::set_login_password(&admin, LOGIN_ROLE, password).await?;
    Ok(DatabaseUrls { app: server.url(LOGIN_ROLE, password, DATABASE), admin })
}

/// The addresses of the configured server; both are required. Its role `svc_app` must be able to log in.
fn external_database(config: &Config) -> Result<DatabaseUrls, CliError> {
    let needed = |url: &Option<Secret>, key| {
        url.as_ref()
            .map(|url| url.expose().to_owned())
            .ok_or_else(|| super::migrate::missing(key, "`demo` with a database of your own"))
    };
    Ok(DatabaseUrls {
        app: needed(&config.database.url, "database.url")?,
        admin: needed(&config.database.admin_url, "database.admin_url")?,
    })
}

/// Deletes the data of the demo world. Fetched parts and builds stay.
async fn reset(config: &Config) -> Result<(), CliError> {
    if config.database.url.is_some() || config.database.admin_url.is_some() {
        return Err(CliError::Other(
            "`demo --reset` empties the embedded database only; database.url or database.admin_url names another one"
                .to_owned(),
        ));
    }
    postgres::erase(&settings(config)).await?;
    let folders = Folders::of(config);
    remove(&folders.dev_file, fs::remove_file(&folders.dev_file))?;
    remove(&folders.secrets, fs::remove_file(&folders.secrets))?;
    remove(&folders.provider, fs::remove_dir_all(&folders.provider))?;
    println!("The demo world is empty; its next start fills it again.");
    Ok(())
}

fn remove(path: &Path, result: std::io::Result<()>) -> Result<(), CliError> {
    match result {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(CliError::file(path)(error)),
        _ => Ok(()),
    }
}

/// Timeout of a graceful stop of the HTTP server.
fn grace_period(config: &Config) -> Duration {
    Duration::from_secs(config.http.shutdown_seconds)
}

/// The demo world listens on this machine only.
const LOOPBACK: std::net::IpAddr = std::net::IpAddr::V4(Ipv4Addr::LOCALHOST);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_is_almost_full_is_refused() {
        let check = |free| require_room(Path::new("/srv/demo"), free);
        assert!([None, Some(ROOM_BYTES)].map(check).iter().all(Result::is_ok));
        let text = check(Some(62_000_000)).unwrap_err().to_string();
        assert!(text.starts_with("the disk of /srv/demo has 62 MB free, and the demo world needs 150 MB"), "{text}");
    }
}
