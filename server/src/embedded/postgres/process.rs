//! The server process: its settings, waiting until it accepts connections, stopping it in bounded time.

use std::fs::{self, File};
use std::process::Stdio;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::process::Child;
use tokio::time::{sleep, timeout};

use super::Error;
use super::account::Owner;
use super::layout::Layout;
use crate::child;

/// Timeout of a start, including recovery after a crash.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// Timeout of a graceful stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(15);
/// A log larger than this is set aside at the next start.
const LOG_MAX_BYTES: u64 = 8 * 1024 * 1024;

/// Starts the server in its own process group, so that Ctrl-C in the terminal reaches us only.
pub(crate) fn spawn(layout: &Layout, owner: Option<&Owner>, port: u16, durable: bool) -> Result<Child, Error> {
    let program = layout.bin.join("postgres");
    let log = open_log(layout)?;
    let errors = log.try_clone().map_err(Error::folder(&layout.log))?;
    let mut server = child::async_command(&program);
    server.arg("-D").arg(&layout.cluster);
    for setting in settings(layout, port, durable) {
        server.args(["-c", &setting]);
    }
    server.current_dir(&layout.root);
    server.stdin(Stdio::null()).stdout(log).stderr(errors).process_group(0);
    if let Some(owner) = owner {
        server.uid(owner.uid).gid(owner.gid);
    }
    server.spawn().map_err(|source| Error::Start { program, source })
}

/// Returns when the server accepts connections, according to its pid file.
pub(crate) async fn wait_until_ready(child: &mut Child, layout: &Layout) -> Result<(), Error> {
    let started = Instant::now();
    let pid = child.id().map(|pid| pid.to_string()).unwrap_or_default();
    while started.elapsed() < START_TIMEOUT {
        let exited = child.try_wait().map_err(Error::folder(&layout.cluster))?;
        if exited.is_some() {
            return Err(Error::Exited { log: layout.log_tail() });
        }
        let file = fs::read_to_string(layout.cluster.join("postmaster.pid")).unwrap_or_default();
        let mut lines = file.lines();
        if lines.next() == Some(pid.as_str()) && lines.nth(6).is_some_and(|state| state.trim() == "ready") {
            return Ok(());
        }
        sleep(Duration::from_millis(10)).await;
    }
    stop(child).await;
    Err(Error::Slow { seconds: START_TIMEOUT.as_secs(), log: layout.log_tail() })
}

/// Stops the server gracefully (SIGINT: disconnects clients and writes data), then immediately (SIGQUIT), then by
/// force.
pub(crate) async fn stop(child: &mut Child) {
    for (signal, grace_period) in [(Signal::SIGINT, STOP_TIMEOUT), (Signal::SIGQUIT, Duration::from_secs(5))] {
        let Some(pid) = child.id().and_then(|pid| i32::try_from(pid).ok()) else { return };
        let _ = kill(Pid::from_raw(pid), signal);
        if timeout(grace_period, child.wait()).await.is_ok() {
            return;
        }
        tracing::warn!(%signal, "postgres.not_stopped_in_time");
    }
    let _ = child.kill().await;
}

fn settings(layout: &Layout, port: u16, durable: bool) -> Vec<String> {
    let socket = layout.socket.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    let mut settings = vec![
        "listen_addresses=127.0.0.1".to_owned(),
        format!("port={port}"),
        format!("unix_socket_directories={socket}"),
        // Tests start many platforms at the same time, each with its own pools.
        format!("max_connections={}", if durable { 100 } else { 600 }),
        "shared_buffers=64MB".to_owned(),
        // A dump locks the collection of every chatbot.
        "max_locks_per_transaction=256".to_owned(),
        "timezone=UTC".to_owned(),
        "log_timezone=UTC".to_owned(),
        // Statements may contain user data: they are never logged, not even with an error.
        "log_min_error_statement=panic".to_owned(),
        "log_error_verbosity=terse".to_owned(),
        "log_parameter_max_length_on_error=0".to_owned(),
    ];
    if !durable {
        settings.extend(["fsync=off", "synchronous_commit=off", "full_page_writes=off"].map(str::to_owned));
        // With a database for each test, it would be busy with the databases of tests that have ended.
        settings.push("autovacuum=off".to_owned());
    }
    settings
}

fn open_log(layout: &Layout) -> Result<File, Error> {
    if fs::metadata(&layout.log).is_ok_and(|data| data.len() > LOG_MAX_BYTES) {
        let _ = fs::rename(&layout.log, layout.log.with_extension("log.1"));
    }
    File::options().create(true).append(true).open(&layout.log).map_err(Error::folder(&layout.log))
}
