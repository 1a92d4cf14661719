//! `server with-postgres -- COMMAND`: a temporary PostgreSQL for tests. It is not durable, lives in a fresh folder
//! below the var folder, or in memory, and is deleted after the command.

use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, Uid};
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::embedded::postgres::{EmbeddedPostgres, PostgresSettings, erase};
use crate::shutdown::Stop;
use crate::storage;

use super::{CliError, stop};

/// The prefix of the temporary folders' names.
const PREFIX: &str = "test-postgres-";
/// A file system in memory, which Linux has.
const MEMORY: &str = "/dev/shm";
/// What has to be free there: the tests need a tenth of it.
const MEMORY_ROOM: u64 = 2 << 30;

/// The command to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Keep the files in memory, if 2 GB are free there: for tests, which make and delete many databases.
    #[arg(long)]
    in_memory: bool,
    /// The command and its arguments, after `--`.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// Starts the server, runs the command, stops the server; answers the command's own exit code.
pub(crate) async fn run(arguments: &Arguments, config: &Config) -> Result<ExitCode, CliError> {
    let stop = stop::on_signal(Stop::without_drain())?;
    let on_disk = temporary_settings(config).await?;
    let in_memory = arguments.in_memory.then(|| folder_in_memory(Path::new(MEMORY), MEMORY_ROOM)).flatten();
    let settings = in_memory.map_or(on_disk, |folder| settings(config, folder));
    let postgres = EmbeddedPostgres::start(&settings).await?;
    let result = run_command(&arguments.command, &postgres.superuser_url(), stop.token()).await;
    postgres.stop().await;
    erase(&settings).await?;
    result
}

/// The folder of this process's temporary PostgreSQL. Removes those of processes that were killed.
pub(super) async fn temporary_settings(config: &Config) -> Result<PostgresSettings, CliError> {
    let parent = &config.paths.var_dir;
    fs::create_dir_all(parent).map_err(CliError::file(parent))?;
    for parent in [parent, Path::new(MEMORY)] {
        remove_abandoned(config, parent).await;
    }
    Ok(settings(config, parent.join(folder_name())))
}

fn folder_name() -> String {
    format!("{PREFIX}{}", std::process::id())
}

/// A new folder in `parent`, if that exists and has room. Others may write there: a folder that exists is not ours.
fn folder_in_memory(parent: &Path, room: u64) -> Option<PathBuf> {
    let folder = parent.join(folder_name());
    let fits = parent.is_dir() && storage::free_bytes(parent).is_some_and(|free| free >= room);
    (fits && DirBuilder::new().mode(0o711).create(&folder).is_ok()).then_some(folder)
}

#[expect(clippy::disallowed_methods, reason = "the developer's command gets the developer's environment")]
async fn run_command(command: &[OsString], url: &str, stopped: &CancellationToken) -> Result<ExitCode, CliError> {
    let (program, arguments) =
        command.split_first().ok_or_else(|| CliError::Other("no command was given".to_owned()))?;
    let not_started = |error| CliError::Other(format!("{} could not be started: {error}", program.display()));
    let mut child = Command::new(program).args(arguments).env("TEST_DATABASE_URL", url).spawn().map_err(not_started)?;
    let status = tokio::select! {
        status = child.wait() => status,
        () = stopped.cancelled() => terminate(&mut child).await,
    };
    let code = status.map_err(not_started)?.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(ExitCode::from(code))
}

/// Passes the stop signal on: Ctrl-C has reached the command as well, SIGTERM has not.
async fn terminate(child: &mut Child) -> std::io::Result<std::process::ExitStatus> {
    if let Some(pid) = child.id().and_then(|pid| i32::try_from(pid).ok()) {
        let _ = kill(Pid::from_raw(pid), Signal::SIGTERM);
    }
    child.wait().await
}

/// Removes folders of earlier runs that were killed before they could clean up.
async fn remove_abandoned(config: &Config, parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.metadata().is_ok_and(|data| data.uid() == Uid::effective().as_raw())) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(pid) = name.strip_prefix(PREFIX).and_then(|pid| pid.parse::<i32>().ok()) else { continue };
        let has_ended = kill(Pid::from_raw(pid), None) == Err(nix::errno::Errno::ESRCH);
        if has_ended && let Err(error) = erase(&settings(config, entry.path())).await {
            tracing::warn!(%error, "postgres.not_removed: a temporary one of an earlier run");
        }
    }
}

fn settings(config: &Config, data_dir: PathBuf) -> PostgresSettings {
    PostgresSettings { bin_dir: config.database.bin_dir.clone(), data_dir, port: 0, durable: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_in_memory_is_new_and_needs_room() {
        let parent = tempfile::tempdir().unwrap();
        assert_eq!(folder_in_memory(&parent.path().join("missing"), 0), None);
        assert_eq!(folder_in_memory(parent.path(), u64::MAX), None);
        let folder = folder_in_memory(parent.path(), 0).unwrap();
        assert!(folder.is_dir());
        assert_eq!(folder_in_memory(parent.path(), 0), None, "another's folder");
    }
}
