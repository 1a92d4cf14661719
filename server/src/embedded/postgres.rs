//! A supervised PostgreSQL server: initialised once, started on a Unix socket and one loopback port, stopped with the
//! process. Its programs come unpacked from `make setup`. When this process is killed, a guard stops the server, or the
//! next start cleans up.

use std::fs::{self, File};
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};

use tokio::process::Child;

pub use self::error::Error;

mod account;
mod cluster;
mod error;
mod guard;
mod layout;
mod leftover;
mod process;

/// The name of the superuser of an embedded server.
const SUPERUSER: &str = "postgres";

/// Location and behaviour of an embedded server.
#[derive(Debug, Clone)]
pub struct PostgresSettings {
    /// Folder with `postgres` and `initdb`.
    pub bin_dir: PathBuf,
    /// Folder for all of the server's files; created when missing.
    pub data_dir: PathBuf,
    /// Loopback port; 0 chooses a free one.
    pub port: u16,
    /// Whether a commit survives a power failure. Off only for throw-away data.
    pub durable: bool,
}

/// A running server. Dropping it stops the server too, but without waiting; [`EmbeddedPostgres::stop`] waits.
#[derive(Debug)]
pub struct EmbeddedPostgres {
    port: u16,
    password: String,
    child: Child,
    guard: guard::Guard,
    /// Held while the server runs, as the sign of a living supervisor.
    lock: File,
}

impl EmbeddedPostgres {
    /// Initialises a new data folder, starts the server and waits until it accepts connections (at most 30 s).
    ///
    /// # Errors
    /// When a folder is not writable, programs are missing, a port or the data folder is in use by another process, or
    /// the server does not start; the error has the last lines of its log.
    pub async fn start(settings: &PostgresSettings) -> Result<Self, Error> {
        let owner = account::owner()?;
        let layout = layout::prepare(settings, owner.as_ref())?;
        let lock = take_lock(&layout.root)?;
        leftover::stop(&layout.cluster, layout.socket.as_deref()).await?;
        cluster::create(&layout, owner.as_ref(), settings.durable).await?;
        let port = free_port(settings.port)?;
        let mut child = process::spawn(&layout, owner.as_ref(), port, settings.durable)?;
        let pid = child.id().ok_or_else(|| Error::Exited { log: layout.log_tail() })?;
        let guard = match guard::Guard::watch(pid, &layout.cluster, owner.as_ref()) {
            Ok(guard) => guard,
            Err(error) => {
                process::stop(&mut child).await;
                return Err(error);
            }
        };
        process::wait_until_ready(&mut child, &layout).await?;
        tracing::info!(port, folder = %layout.root.display(), "postgres.ready");
        Ok(Self { port, password: layout.password, child, guard, lock })
    }

    /// The address of the superuser's connection to the database `postgres`, with its password: a secret.
    #[must_use]
    pub fn superuser_url(&self) -> String {
        self.url(SUPERUSER, &self.password, "postgres")
    }

    /// Like [`EmbeddedPostgres::superuser_url`], for another database whose name needs no escaping in a URL.
    #[must_use]
    pub fn superuser_url_of(&self, database: &str) -> String {
        self.url(SUPERUSER, &self.password, database)
    }

    /// The address for any login role and database; user, password and database must need no escaping in a URL.
    #[must_use]
    pub fn url(&self, user: &str, password: &str, database: &str) -> String {
        format!("postgres://{user}:{password}@127.0.0.1:{}/{database}", self.port)
    }

    /// The loopback port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Waits until the server ends by itself, which it should not: the process that needs it should then stop.
    pub async fn ended(&mut self) {
        let _ = self.child.wait().await;
    }

    /// Stops the server: rolls back open transactions and writes all data, at most 15 s. After that it is stopped
    /// immediately and recovers at its next start.
    pub async fn stop(mut self) {
        process::stop(&mut self.child).await;
        self.guard.dismiss().await;
        // Closing the file is not enough: a process that is just being started has a copy of its descriptor until it runs.
        let _ = self.lock.unlock();
        tracing::info!("postgres.stopped");
    }
}

/// Deletes all of an embedded server's files; returns the folder that was emptied.
///
/// # Errors
/// A server that is running on it, or a folder that cannot be deleted.
pub async fn erase(settings: &PostgresSettings) -> Result<PathBuf, Error> {
    let owner = account::owner()?;
    let (_, root) = layout::places(settings, owner.as_ref())?;
    let lock = take_lock(&root)?;
    leftover::stop(&root.join("cluster"), Some(&root.join("run"))).await?;
    fs::remove_dir_all(&root).map_err(Error::folder(&root))?;
    if settings.data_dir.is_dir() {
        fs::remove_dir_all(&settings.data_dir).map_err(Error::folder(&settings.data_dir))?;
    }
    let _ = lock.unlock();
    Ok(root)
}

/// A password of 32 URL-safe characters with 192 random bits.
#[must_use]
pub fn random_password() -> String {
    use base64::Engine;
    let bytes: [u8; 24] = rand::random();
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}

fn take_lock(root: &Path) -> Result<File, Error> {
    let path = root.join("supervisor.lock");
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(Error::folder(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(Error::InUse { folder: root.to_path_buf() }),
        Err(fs::TryLockError::Error(source)) => Err(Error::Folder { path, source }),
    }
}

/// Checks that the port is free (the server's own message would be buried in its log) and resolves 0.
fn free_port(port: u16) -> Result<u16, Error> {
    let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|source| match source.kind() {
        io::ErrorKind::AddrInUse => Error::PortInUse { port },
        _ => Error::Port { port, source },
    })?;
    bound.local_addr().map(|address| address.port()).map_err(|source| Error::Port { port, source })
}
