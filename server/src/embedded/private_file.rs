//! Files that only their owner can read, replaced atomically.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Writes a file with mode 0600; creates its folder when it is missing.
///
/// # Errors
/// A folder or file that cannot be written; the old content stays.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    let fresh = path.with_extension("new");
    match fs::remove_file(&fresh) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = File::options().create_new(true).write(true).mode(0o600).open(&fresh)?;
    let result = file.write_all(content).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&fresh, path));
    if result.is_err() {
        let _ = fs::remove_file(&fresh);
    }
    result
}
