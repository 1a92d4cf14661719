//! Computes one checksum over a product's inputs and stores it with its outputs, so that an unchanged build runs
//! neither cargo nor Binaryen.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::process;

const FILE: &str = ".fingerprint";

/// The sum over the compiler's version and the content and path of every file in these files and folders.
/// Missing inputs count as empty. Installed packages and hidden files do not count.
pub(crate) fn of(inputs: &[PathBuf]) -> Result<String> {
    let mut sum = Sha256::new();
    sum.update(process::capture("rustc", Command::new("rustc").arg("--version"))?);
    for input in inputs {
        add(input, &mut sum)?;
    }
    Ok(hexadecimal(&sum.finalize()))
}

/// Whether the folder was built from inputs with this sum.
pub(crate) fn matches(folder: &Path, print: &str) -> bool {
    fs::read_to_string(folder.join(FILE)).is_ok_and(|stored| stored == print)
}

/// Records the sum in a freshly built folder.
pub(crate) fn write(folder: &Path, print: &str) -> Result<()> {
    let file = folder.join(FILE);
    fs::write(&file, print).map_err(Error::io("writing", &file))
}

/// The first 16 hexadecimal digits of a file's sha256, the part of an asset's name that changes with its content.
pub(crate) fn short(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes)[..8])
}

fn add(path: &Path, sum: &mut Sha256) -> Result<()> {
    if path.is_dir() {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(path).map_err(Error::io("reading", path))?.flatten().map(|entry| entry.path()).collect();
        entries.sort();
        entries.iter().filter(|entry| counts(entry)).try_for_each(|entry| add(entry, sum))
    } else if path.is_file() {
        let bytes = fs::read(path).map_err(Error::io("reading", path))?;
        sum.update(path.as_os_str().as_encoded_bytes());
        sum.update(bytes.len().to_le_bytes());
        sum.update(bytes);
        Ok(())
    } else {
        Ok(())
    }
}

fn counts(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name != "node_modules" && (!name.starts_with('.') || name == ".npmrc")
}

/// The bytes in lower-case hexadecimal digits, as sums are pinned.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_change_the_sum_and_installed_packages_do_not() {
        let folder = std::env::temp_dir().join(format!("xtask-fingerprint-{}", std::process::id()));
        fs::create_dir_all(folder.join("node_modules")).unwrap();
        fs::write(folder.join("a.rs"), "one").unwrap();
        let before = of(std::slice::from_ref(&folder)).unwrap();
        fs::write(folder.join("node_modules/tool.js"), "anything").unwrap();
        assert_eq!(before, of(std::slice::from_ref(&folder)).unwrap());
        fs::write(folder.join("a.rs"), "two").unwrap();
        assert_ne!(before, of(std::slice::from_ref(&folder)).unwrap());
        fs::remove_dir_all(&folder).unwrap();
    }
}
