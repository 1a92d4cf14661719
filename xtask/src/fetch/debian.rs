//! Fetches a Debian package's documents with apt and unpacks them without installing anything. This is optional: on another
//! system, or without a package index, the demo world has one chatbot less.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::parts::Debian;
use super::{Outcome, unpack};
use crate::error::{Error, Result};
use crate::{process, workspace};

/// Ensures that the package's files are under `var/parts`. A failure is only a notice.
pub(crate) fn fetch(part: &Debian) -> Outcome {
    let folder = workspace::parts_dir().join(&part.folder);
    if unpack::is_complete(&folder, &part.package) {
        return Outcome::Present;
    }
    match unpack::into(&folder, &part.package, |target| download(part, target)) {
        Ok(()) => Outcome::Fetched,
        Err(Error::Missing { program, .. }) => {
            Outcome::Skipped(format!("`{program}` is not here, so this is not a Debian"))
        }
        Err(error) => Outcome::Skipped(error.to_string()),
    }
}

fn download(part: &Debian, target: &Path) -> Result<()> {
    let arrival = target.with_extension("deb");
    fs::create_dir_all(&arrival).map_err(Error::io("making", &arrival))?;
    let result = package_file(part, &arrival).and_then(|file| {
        let mut unpacking = Command::new("dpkg-deb");
        unpacking.arg("-x").arg(file).arg(target);
        process::capture("dpkg-deb", &mut unpacking).map(drop)
    });
    let _ = fs::remove_dir_all(&arrival);
    result
}

/// Downloads the package. As root, it refreshes the package index once if the package is unknown.
fn package_file(part: &Debian, arrival: &Path) -> Result<std::path::PathBuf> {
    let apt = |args: &[&str]| {
        let mut apt = Command::new("apt-get");
        apt.current_dir(arrival).args(["-q", "-o", "APT::Sandbox::User=root", "-o", "Acquire::Retries=2"]).args(args);
        process::capture(&format!("apt-get {}", args.join(" ")), &mut apt)
    };
    if let Err(error) = apt(&["download", &part.package]) {
        if matches!(error, Error::Missing { .. }) || apt(&["update"]).is_err() {
            return Err(error);
        }
        apt(&["download", &part.package])?;
    }
    let mut files = fs::read_dir(arrival).map_err(Error::io("reading", arrival))?.flatten().map(|entry| entry.path());
    files
        .find(|path| path.extension().is_some_and(|extension| extension == "deb"))
        .ok_or_else(|| Error::Other(format!("apt-get downloaded no file of {}", part.package)))
}
