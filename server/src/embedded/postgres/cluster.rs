//! Creates PostgreSQL's data folder with `initdb`, once, in a temporary folder next to it that is renamed when it is
//! complete.

use std::fs;
use std::process::Stdio;

use super::account::Owner;
use super::layout::{self, Layout};
use super::{Error, SUPERUSER};
use crate::child;
use crate::embedded::private_file;

/// Makes the cluster unless it is there already.
pub(crate) async fn create(layout: &Layout, owner: Option<&Owner>, durable: bool) -> Result<(), Error> {
    if layout.cluster.join("PG_VERSION").is_file() {
        return Ok(());
    }
    let fresh = layout.root.join("cluster.new");
    let _ = fs::remove_dir_all(&fresh);
    layout::make_folder(&fresh, 0o700)?;
    let secret = layout.root.join("initdb-password");
    private_file::write(&secret, layout.password.as_bytes()).map_err(Error::folder(&secret))?;
    let result = async {
        if let Some(owner) = owner {
            owner.take(&fresh)?;
            owner.take(&secret)?;
        }
        initdb(layout, owner, durable, &fresh, &secret).await
    }
    .await;
    let _ = fs::remove_file(&secret);
    match result {
        Ok(()) => fs::rename(&fresh, &layout.cluster).map_err(Error::folder(&layout.cluster)),
        Err(error) => {
            let _ = fs::remove_dir_all(&fresh);
            Err(error)
        }
    }
}

async fn initdb(
    layout: &Layout,
    owner: Option<&Owner>,
    durable: bool,
    fresh: &std::path::Path,
    secret: &std::path::Path,
) -> Result<(), Error> {
    let program = layout.bin.join("initdb");
    let mut initdb = child::async_command(&program);
    initdb.args(["--username", SUPERUSER, "--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C"]);
    initdb.args(["--locale-provider", "builtin", "--builtin-locale", "C.UTF-8", "--no-instructions", "--no-sync"]);
    initdb.arg("--pwfile").arg(secret).arg("--pgdata").arg(fresh);
    if !durable {
        // Tests connect thousands of times, and each client repeats these rounds, unoptimised.
        initdb.args(["--set", "scram_iterations=1"]);
    }
    initdb.env("TZ", "UTC");
    initdb.current_dir(&layout.root).stdin(Stdio::null()).kill_on_drop(true);
    if let Some(owner) = owner {
        initdb.uid(owner.uid).gid(owner.gid);
    }
    let output = initdb.output().await.map_err(|source| Error::Start { program, source })?;
    if output.status.success() {
        return Ok(());
    }
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("error") || line.contains("FATAL")).collect();
    Err(Error::Create { folder: layout.cluster.clone(), output: lines.join("; ") })
}
