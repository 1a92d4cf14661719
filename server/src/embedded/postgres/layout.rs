//! The folders of an embedded server. Below the data folder: `cluster` (PostgreSQL's own), `run` (its socket),
//! `superuser-password` (mode 0600), `postgres.log`, `supervisor.lock`.
//!
//! When root started us and the checkout is in a folder that other users cannot enter (such as /root), programs and
//! data move to folders of root below /var/tmp with names derived from the original ones.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{self, Path, PathBuf};

use sha2::{Digest, Sha256};

use super::account::Owner;
use super::{Error, PostgresSettings, random_password};
use crate::embedded::private_file;
use crate::hex;

/// The longest path of a Unix socket that every system accepts, with room for PostgreSQL's `.s.PGSQL.65535.lock`.
const SOCKET_DIR_MAX: usize = 80;

/// Absolute paths of one server, all existing except `cluster`.
#[derive(Debug)]
pub(crate) struct Layout {
    /// Folder with the programs.
    pub(crate) bin: PathBuf,
    /// Folder of everything below.
    pub(crate) root: PathBuf,
    /// PostgreSQL's data folder.
    pub(crate) cluster: PathBuf,
    /// Folder of the Unix socket; `None` when its path would be too long.
    pub(crate) socket: Option<PathBuf>,
    /// The server's log.
    pub(crate) log: PathBuf,
    /// The superuser's password.
    pub(crate) password: String,
}

impl Layout {
    /// The last lines of the server's log.
    pub(crate) fn log_tail(&self) -> String {
        let mut text = Vec::new();
        if let Ok(mut file) = File::open(&self.log) {
            let length = file.metadata().map_or(0, |data| data.len());
            let _ = file.seek(SeekFrom::Start(length.saturating_sub(4096)));
            let _ = file.read_to_end(&mut text);
        }
        let text = String::from_utf8_lossy(&text).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(12)..].join("\n")
    }
}

/// Makes the folders, moves them when the owner could not reach them, and reads or makes the superuser's password.
pub(crate) fn prepare(settings: &PostgresSettings, owner: Option<&Owner>) -> Result<Layout, Error> {
    let (bin, root) = places(settings, owner)?;
    let socket = Some(root.join("run")).filter(|path| path.as_os_str().len() <= SOCKET_DIR_MAX);
    if let Some(socket) = &socket {
        make_folder(socket, 0o700)?;
        owner.map_or(Ok(()), |owner| owner.take(socket))?;
    }
    let password = password(&root)?;
    Ok(Layout { bin, cluster: root.join("cluster"), socket, log: root.join("postgres.log"), password, root })
}

/// The folders of programs and data; creates the data folder.
pub(crate) fn places(settings: &PostgresSettings, owner: Option<&Owner>) -> Result<(PathBuf, PathBuf), Error> {
    let bin = programs(&settings.bin_dir)?;
    make_folder(&settings.data_dir, 0o711)?;
    let wished = fs::canonicalize(&settings.data_dir).map_err(Error::folder(&settings.data_dir))?;
    match owner {
        Some(owner) if !(owner.reaches(&wished) && owner.reaches(&bin)) => {
            moved(&bin, &settings.bin_dir, &wished, *owner)
        }
        _ => Ok((bin, wished)),
    }
}

/// Makes a folder and its parents; the mode is for a folder that is new.
pub(crate) fn make_folder(path: &Path, mode: u32) -> Result<(), Error> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent).map_err(Error::folder(parent))?;
    }
    match DirBuilder::new().mode(mode).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        result => result.map_err(Error::folder(path)),
    }
}

fn programs(folder: &Path) -> Result<PathBuf, Error> {
    let missing = || Error::Programs { folder: folder.to_path_buf() };
    let bin = fs::canonicalize(folder).map_err(|_| missing())?;
    if ["postgres", "initdb"].iter().all(|program| bin.join(program).is_file()) { Ok(bin) } else { Err(missing()) }
}

/// Programs and data at a place that the owner reaches: /var/tmp survives a restart of the machine. `named` is `bin` as the
/// settings name it.
fn moved(bin: &Path, configured_bin: &Path, wished: &Path, owner: Owner) -> Result<(PathBuf, PathBuf), Error> {
    let root = home("data", wished)?;
    let programs = if owner.reaches(bin) { bin.to_path_buf() } else { copy_installation(configured_bin)? };
    tracing::warn!(folder = %root.display(), "postgres.in_another_folder: the checkout is closed to other users");
    Ok((programs, root))
}

/// A folder of root below /var/tmp that replaces `original`; refused when another user created it.
fn home(purpose: &str, original: &Path) -> Result<PathBuf, Error> {
    let sum = Sha256::digest(original.as_os_str().as_encoded_bytes());
    let home = Path::new("/var/tmp").join(format!("chatbot-platform-{purpose}-{}", hex::encode(&sum[..6])));
    make_folder(&home, 0o711)?;
    let data = fs::symlink_metadata(&home).map_err(Error::folder(&home))?;
    if data.is_dir() && data.uid() == 0 {
        return Ok(home);
    }
    let reason = io::Error::new(io::ErrorKind::PermissionDenied, "it belongs to another user");
    Err(Error::Folder { path: home, source: reason })
}

/// Copies the unpacked installation that contains `bin`, once (the folder below `parts`, named with its version). Links in it
/// are followed: an installation by pip has its programs elsewhere.
fn copy_installation(bin: &Path) -> Result<PathBuf, Error> {
    let bin = &path::absolute(bin).map_err(Error::folder(bin))?;
    let part = bin.ancestors().find(|folder| folder.join(".complete").is_file()).unwrap_or(bin.as_path());
    let home = home("programs", part)?;
    let copy = home.join("copy");
    if part == bin || fs::read(copy.join(".complete")).ok() != fs::read(part.join(".complete")).ok() {
        let fresh = home.join("arriving");
        let _ = fs::remove_dir_all(&fresh);
        copy_folder(part, &fresh)?;
        let _ = fs::remove_dir_all(&copy);
        fs::rename(&fresh, &copy).map_err(Error::folder(&copy))?;
    }
    Ok(copy.join(bin.strip_prefix(part).unwrap_or(Path::new(""))))
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), Error> {
    make_folder(to, 0o755)?;
    for entry in fs::read_dir(from).map_err(Error::folder(from))? {
        let entry = entry.map_err(Error::folder(from))?.path();
        let target = to.join(entry.file_name().unwrap_or_default());
        if entry.is_dir() {
            copy_folder(&entry, &target)?;
        } else {
            fs::copy(&entry, &target).map_err(Error::folder(&target))?;
        }
    }
    Ok(())
}

/// Reads the superuser's password, or makes one when the folder is new.
fn password(root: &Path) -> Result<String, Error> {
    let path = root.join("superuser-password");
    match fs::read_to_string(&path) {
        Ok(password) if !password.trim().is_empty() => return Ok(password.trim().to_owned()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(Error::Folder { path, source: error }),
        _ => {}
    }
    let password = random_password();
    private_file::write(&path, password.as_bytes()).map_err(Error::folder(&path))?;
    Ok(password)
}
