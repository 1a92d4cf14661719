//! `server backup` and `server restore`.

use std::{path::PathBuf, process::ExitCode};

use crate::{
    backup::{self, Installation},
    config::Config,
    shutdown::Stop,
};

use super::{CliError, migrate, platform::storage, stop};

/// Where the backup is, or will be.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Folder of the backup. `backup` makes it; everything in it is in clear text.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Writes a backup.
pub(crate) async fn create(arguments: &Arguments, config: &Config) -> Result<ExitCode, CliError> {
    let storage = storage::load(config)?;
    let installation = installation(config, &storage, "`backup`")?;
    let stop = stop::on_signal(Stop::without_drain())?;
    let written = backup::create(&installation, &arguments.folder, stop.token()).await?;
    println!(
        "{} has {} rows of {} tables and {} uploaded files ({} bytes).",
        arguments.folder.display(),
        written.rows,
        written.tables,
        written.files,
        written.bytes
    );
    if written.missing > 0 {
        println!("{} uploaded files were deleted meanwhile, or had not arrived.", written.missing);
    }
    if written.elsewhere > 0 {
        println!("{} uploaded files are in other storages: back those up too.", written.elsewhere);
    }
    println!("Keep with it: the settings, and the identity provider's own backup.");
    Ok(ExitCode::SUCCESS)
}

/// Restores a backup.
pub(crate) async fn restore(arguments: &Arguments, config: &Config) -> Result<ExitCode, CliError> {
    let storage = storage::load(config)?;
    let installation = installation(config, &storage, "`restore`")?;
    let stop = stop::on_signal(Stop::without_drain())?;
    let restored = backup::restore(&installation, &arguments.folder, stop.token()).await?;
    println!(
        "Restored and compared with the backup: {} rows of {} tables and {} uploaded files.",
        restored.rows, restored.tables, restored.files
    );
    if restored.needs_password {
        println!("The role svc_app has no password: run `alter role svc_app password '...'`.");
    }
    if restored.pending > 0 {
        println!("This version needs {} more migrations: run `server migrate`.", restored.pending);
    }
    println!("Erase conversations again that were erased after the backup.");
    Ok(ExitCode::SUCCESS)
}

fn installation<'a>(
    config: &'a Config,
    storage: &'a crate::storage::Storage,
    command: &'static str,
) -> Result<Installation<'a>, CliError> {
    let owner_url =
        config.database.admin_url.as_ref().ok_or_else(|| migrate::missing("database.admin_url", command))?;
    let login_url = config.database.url.as_ref();
    Ok(Installation { owner_url, login_url, bin_dir: &config.database.bin_dir, storage })
}
