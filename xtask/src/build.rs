//! Builds what browsers load into `dist/<name>`, if its inputs changed. Each product is built in a fresh folder that
//! replaces the old one when it is complete.

use std::fs;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use crate::compress::{self, Sizes};
use crate::consoles::Stage;
use crate::error::{Error, Result};
use crate::{consoles, fingerprint, widget, workspace};

pub(crate) struct Product {
    /// Its name and its folder below `dist`.
    pub(crate) name: &'static str,
    /// Files and folders of the checkout that trigger a new build.
    inputs: &'static [&'static str],
    /// Writes the product's files into a folder.
    build: fn(&Path) -> Result<()>,
}

const SHARED: [&str; 5] = ["Cargo.toml", "Cargo.lock", "app/contract", "xtask", "style"];

pub(crate) const CONSOLES: [Product; 2] = [
    Product { name: "operator", inputs: &["app", "frontend-operator"], build: |out| consoles::OPERATOR.build(out) },
    Product { name: "tenant", inputs: &["app", "frontend-tenant"], build: |out| consoles::TENANT.build(out) },
];

pub(crate) const WIDGET: Product = Product { name: "widget", inputs: &["widget"], build: widget::build };

impl Product {
    /// Builds the product when its inputs changed (or always, with `force`), compresses its files and prints their
    /// sizes.
    fn make(&self, force: bool) -> Result<()> {
        let started = Instant::now();
        let folder = workspace::dist_dir().join(self.name);
        let inputs: Vec<PathBuf> = SHARED.iter().chain(self.inputs).map(|path| workspace::root().join(path)).collect();
        let print = fingerprint::of(&inputs)?;
        if !force && fingerprint::matches(&folder, &print) {
            println!("{}: up to date", self.name);
            return Ok(());
        }
        let fresh = workspace::dist_dir().join(format!(".partial-{}-{}", self.name, std::process::id()));
        fs::create_dir_all(&fresh).map_err(Error::io("making", &fresh))?;
        let result = (self.build)(&fresh)
            .and_then(|()| compress_all(&fresh))
            .and_then(|report| fingerprint::write(&fresh, &print).map(|()| report))
            .and_then(|report| replace(&fresh, &folder).map(|()| report));
        let _ = fs::remove_dir_all(&fresh);
        println!("{}: built in {:.1} s\n{}", self.name, started.elapsed().as_secs_f32(), result?);
        Ok(())
    }
}

/// Makes products side by side. cargo compiles one of them at a time; meanwhile the others are optimised and compressed.
pub(crate) fn make_all<'a>(products: impl Iterator<Item = &'a Product>, force: bool) -> Result<()> {
    thread::scope(|scope| {
        let made: Vec<_> = products.map(|product| scope.spawn(move || product.make(force))).collect();
        made.into_iter().map(|made| made.join().unwrap_or_else(|panic| resume_unwind(panic))).fold(Ok(()), Result::and)
    })
}

/// Compresses every file of a product and returns the table of sizes. What a console loads up to each of its stages has a
/// separate line.
fn compress_all(folder: &Path) -> Result<String> {
    let mut files = Vec::new();
    files_below(folder, &mut files)?;
    files.retain(|path| !path.extension().is_some_and(|extension| extension == "br" || extension == "gz"));
    files.sort();
    let mut weights = Vec::new();
    let mut lines = Vec::new();
    for file in &files {
        let sizes = compress::precompress(file)?;
        weights.push((Stage::of(file), sizes));
        lines.push(format!("  {sizes}  {}", file.strip_prefix(folder).unwrap_or(file).display()));
    }
    let until =
        |stage| weights.iter().filter(|(needed, _)| *needed <= stage).fold(Sizes::default(), |sum, w| sum + w.1);
    if weights.iter().any(|(stage, _)| *stage > Stage::SignIn) {
        for (stage, name, ceiling) in Stage::BOUNDED {
            let sizes = until(stage);
            lines.push(format!("  {sizes}  {name}"));
            consoles::check_weight(name, sizes.brotli, ceiling)?;
        }
    }
    lines.push(format!("  {}  in all", until(Stage::Pages)));
    Ok(lines.join("\n"))
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(Error::io("reading", folder))?.flatten() {
        let path = entry.path();
        if path.is_dir() { files_below(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

fn replace(fresh: &Path, folder: &Path) -> Result<()> {
    let old = fresh.with_extension("old");
    if folder.exists() {
        fs::rename(folder, &old).map_err(Error::io("moving away", folder))?;
    }
    fs::rename(fresh, folder).map_err(Error::io("moving to", folder))?;
    let _ = fs::remove_dir_all(&old);
    Ok(())
}
