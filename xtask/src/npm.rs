//! Installs the JavaScript tools of `xtask/npm`, pinned by its lock file, once, and calls them by path.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::error::{Error, Result};
use crate::{process, workspace};

/// Products are made in parallel and need the tools at the same time: one thread installs them, the others wait.
static INSTALLING: Mutex<()> = Mutex::new(());

/// Installs what a folder's lock file pins, unless it is already installed. Install scripts of packages never run.
/// Returns whether anything was installed.
pub(crate) fn install(folder: &Path) -> Result<bool> {
    let _alone = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    let lock = folder.join("package-lock.json");
    let lock_content = std::fs::read_to_string(&lock).map_err(Error::io("reading", &lock))?;
    let mark = folder.join("node_modules/.installed-lock.json");
    if std::fs::read_to_string(&mark).is_ok_and(|installed| installed == lock_content) {
        return Ok(false);
    }
    let mut npm = Command::new("npm");
    npm.current_dir(folder).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--cache"]);
    npm.arg(workspace::cache_dir().join("npm"));
    process::capture(&format!("installing the npm packages of {}", folder.display()), &mut npm)?;
    std::fs::write(&mark, lock_content).map_err(Error::io("writing", &mark))?;
    Ok(true)
}

/// The folder of the build tools' package list.
pub(crate) fn tools_dir() -> PathBuf {
    workspace::root().join("xtask/npm")
}

/// The path of a file inside an installed build tool, for example `binaryen/bin/wasm-opt`; installs the tools first.
pub(crate) fn tool(file: &str) -> Result<PathBuf> {
    install(&tools_dir())?;
    let path = tools_dir().join("node_modules").join(file);
    if path.is_file() { Ok(path) } else { Err(Error::Other(format!("{} is not in the npm packages", path.display()))) }
}

/// Runs esbuild in the checkout's root with these arguments and returns its standard output.
pub(crate) fn esbuild<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Result<String> {
    let mut esbuild = Command::new("node");
    esbuild.current_dir(workspace::root()).arg(tool("esbuild/bin/esbuild")?).args(args).arg("--log-level=warning");
    process::capture("esbuild", &mut esbuild)
}
