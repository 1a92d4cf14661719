//! Cleans up after a killed instance: a running server, or its pid file. The caller holds the supervisor's lock, so no
//! living instance owns either.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::time::sleep;

use super::Error;
use crate::child;

/// Timeout for leftover processes to end after each signal.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Stops a leftover server of this cluster, waits until none of its processes uses the shared memory, and removes its
/// lock files, which would block the next start if another process now has that process id.
pub(crate) async fn stop(cluster: &Path, socket: Option<&Path>) -> Result<(), Error> {
    let file = cluster.join("postmaster.pid");
    let Ok(text) = fs::read_to_string(&file) else { return Ok(()) };
    let pid = text.lines().next().and_then(|line| line.trim().parse::<i32>().ok()).unwrap_or_default();
    if pid > 1 && is_server_of(pid, cluster) {
        tracing::warn!(pid, "postgres.left_over: it is stopped, since its server was killed");
        for signal in [Signal::SIGINT, Signal::SIGQUIT] {
            let _ = kill(Pid::from_raw(pid), signal);
            if becomes(TIMEOUT, || !is_server_of(pid, cluster)).await {
                break;
            }
        }
    }
    let memory = text.lines().nth(6).and_then(|line| line.split_whitespace().nth(1)).unwrap_or_default();
    if is_server_of(pid, cluster) || !becomes(TIMEOUT, || !is_attached(memory)).await {
        return Err(Error::Leftover { pid });
    }
    remove(&file)?;
    let locks = socket.and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    locks.map(|entry| entry.path()).try_for_each(|lock| remove(&lock))
}

fn remove(file: &Path) -> Result<(), Error> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::folder(file)(error)),
        _ => Ok(()),
    }
}

async fn becomes(timeout: Duration, condition: impl Fn() -> bool) -> bool {
    let started = Instant::now();
    while started.elapsed() < timeout {
        if condition() {
            return true;
        }
        sleep(Duration::from_millis(20)).await;
    }
    condition()
}

/// Whether any process still uses the shared memory segment with this id. Known on Linux only; elsewhere PostgreSQL's
/// processes must detect the dead parent themselves.
fn is_attached(id: &str) -> bool {
    let table = fs::read_to_string("/proc/sysvipc/shm").unwrap_or_default();
    let mut rows = table.lines().skip(1).map(|row| row.split_whitespace().collect::<Vec<_>>());
    rows.any(|row| row.get(1) == Some(&id) && row.get(6).is_some_and(|&users| users != "0"))
}

/// Whether the process is a PostgreSQL server that was started with this data folder.
fn is_server_of(pid: i32, cluster: &Path) -> bool {
    if kill(Pid::from_raw(pid), None) == Err(nix::errno::Errno::ESRCH) {
        return false;
    }
    let command = match fs::read(format!("/proc/{pid}/cmdline")) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).replace('\0', " "),
        Err(_) => {
            let listed = child::command("ps").args(["-o", "command=", "-p", &pid.to_string()]).output();
            listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
        }
    };
    command.contains("postgres") && command.contains(&*cluster.to_string_lossy())
}
