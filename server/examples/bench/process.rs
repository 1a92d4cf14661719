//! The contenders' processes: started with their environment, awaited until they respond, and killed with their
//! children.

use std::{
    ffi::OsStr,
    net::TcpListener,
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};
use tokio::process::{Child, Command};

use crate::{Result, load::Target};

/// A contender's process, the leader of a group that ends with this value.
#[derive(Debug)]
pub(crate) struct Contender(Child);

impl Drop for Contender {
    fn drop(&mut self) {
        if let Some(group) = self.0.id().and_then(|pid| i32::try_from(pid).ok()) {
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
    }
}

impl Contender {
    /// The process, while it runs.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.0.id()
    }

    /// Starts a program and waits until `ready` is answered.
    pub(crate) async fn start<I, S>(
        program: &Path,
        arguments: I,
        variables: &[(&str, String)],
        ready: &Target,
    ) -> Result<Self>
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let mut command = Command::new(program);
        command.args(arguments).envs(variables.iter().map(|(name, value)| (*name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::null()).process_group(0);
        let mut contender = Self(command.spawn().map_err(|error| format!("{}: {error}", program.display()))?);
        let started = Instant::now();
        loop {
            if let Some(status) = contender.0.try_wait()? {
                return Err(format!("{} ended early: {status}", program.display()).into());
            }
            match ready.fetch().await {
                Ok(_) => return Ok(contender),
                Err(error) if started.elapsed() > Duration::from_secs(30) => return Err(error),
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }
}

/// An address on the loopback that is free now.
pub(crate) fn free_address() -> Result<String> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string())
}

/// The most memory that a process has had, in MB.
pub(crate) fn high_water(pid: u32) -> Option<f64> {
    megabytes(pid, "status", "VmHWM:")
}

/// The memory that a process has now, in MB.
pub(crate) fn resident(pid: u32) -> Option<f64> {
    megabytes(pid, "status", "VmRSS:")
}

/// The same, with its share of the memory that it has together with other processes.
pub(crate) fn proportional(pid: u32) -> Option<f64> {
    megabytes(pid, "smaps_rollup", "Pss:")
}

/// From now on, [`high_water`] counts again.
pub(crate) fn forget_high_water(pid: u32) -> std::io::Result<()> {
    std::fs::write(format!("/proc/{pid}/clear_refs"), "5")
}

fn megabytes(pid: u32, file: &str, name: &str) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/{file}")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<f64>().ok()? / 1024.0)
}
