//! What a killed instance may have left: a server that still runs, or its pid file. The caller holds the supervisor's
//! lock, so no living instance owns either.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::time::sleep;

use super::Error;

/// Stops a leftover server of this cluster and removes a pid file whose process is gone or is something else.
pub(crate) async fn stop(cluster: &Path) -> Result<(), Error> {
    let file = cluster.join("postmaster.pid");
    let Some(pid) = fs::read_to_string(&file).ok().and_then(|text| text.lines().next()?.trim().parse::<i32>().ok()) else {
        return Ok(());
    };
    if pid > 1 && is_server_of(pid, cluster) {
        tracing::warn!(pid, "stopping a PostgreSQL left over from a killed instance");
        for signal in [Signal::SIGINT, Signal::SIGQUIT] {
            let _ = kill(Pid::from_raw(pid), signal);
            if gone(pid, cluster, Duration::from_secs(10)).await {
                break;
            }
        }
        if is_server_of(pid, cluster) {
            return Err(Error::Leftover { pid });
        }
    }
    match fs::remove_file(&file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::Folder { path: file, source: error }),
        _ => Ok(()),
    }
}

async fn gone(pid: i32, cluster: &Path, patience: Duration) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < patience {
        if !is_server_of(pid, cluster) {
            return true;
        }
        sleep(Duration::from_millis(20)).await;
    }
    false
}

/// Whether the process is a PostgreSQL server that was started with this data folder.
fn is_server_of(pid: i32, cluster: &Path) -> bool {
    if kill(Pid::from_raw(pid), None) == Err(nix::errno::Errno::ESRCH) {
        return false;
    }
    let command = match fs::read(format!("/proc/{pid}/cmdline")) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).replace('\0', " "),
        Err(_) => {
            let listed = Command::new("ps").args(["-o", "command=", "-p", &pid.to_string()]).output();
            listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
        }
    };
    command.contains("postgres") && command.contains(&*cluster.to_string_lossy())
}
