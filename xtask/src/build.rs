//! Builds what browsers load into `dist/<name>`, if its inputs changed. One cargo compiles both consoles. Then each product is
//! built in a fresh folder that replaces the old one when it is complete.

use std::fs;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Instant;

use crate::compress::{self, Sizes};
use crate::consoles::Stage;
use crate::error::{Error, Result};
use crate::wasm::Mode;
use crate::{consoles, fingerprint, progress, wasm, widget, workspace};

pub(crate) struct Product {
    /// Its name and its folder below `dist`.
    pub(crate) name: &'static str,
    /// The package that cargo compiles.
    package: &'static str,
    /// Files and folders of the checkout that trigger a new build.
    inputs: &'static [&'static str],
    /// Writes the product's files, made of the compiled package, into a folder.
    build: fn(&Path, &Path, Mode) -> Result<()>,
}

const SHARED: [&str; 5] = ["Cargo.toml", "Cargo.lock", "app/contract", "xtask", "style"];

pub(crate) const CONSOLES: [Product; 2] = [
    Product {
        name: "operator",
        package: "frontend-operator",
        inputs: &["app", "frontend-operator"],
        build: |compiled, out, mode| consoles::OPERATOR.build(compiled, out, mode),
    },
    Product {
        name: "tenant",
        package: "frontend-tenant",
        inputs: &["app", "frontend-tenant"],
        build: |compiled, out, mode| consoles::TENANT.build(compiled, out, mode),
    },
];

pub(crate) const WIDGET: Product =
    Product { name: "widget", package: "widget", inputs: &["widget"], build: widget::build };

impl Product {
    fn folder(&self) -> PathBuf {
        workspace::dist_dir().join(self.name)
    }

    /// The fingerprint of the product's inputs.
    fn print(&self) -> Result<String> {
        let inputs: Vec<PathBuf> = SHARED.iter().chain(self.inputs).map(|path| workspace::root().join(path)).collect();
        fingerprint::of(&inputs)
    }

    /// Makes the product of its compiled package, compresses its files and prints their sizes.
    fn make(&self, print: &str, mode: Mode) -> Result<()> {
        let started = Instant::now();
        let fresh = workspace::dist_dir().join(format!(".partial-{}-{}", self.name, std::process::id()));
        fs::create_dir_all(&fresh).map_err(Error::io("making", &fresh))?;
        let result = (self.build)(&wasm::compiled(self.package, mode), &fresh, mode)
            .and_then(|()| compress_all(&fresh, mode))
            .and_then(|report| fingerprint::write(&fresh, &mode.marked(print)).map(|()| report))
            .and_then(|report| replace(&fresh, &self.folder()).map(|()| report));
        let _ = fs::remove_dir_all(&fresh);
        println!("{}: made in {:.1} s\n{}", self.name, started.elapsed().as_secs_f32(), result?);
        Ok(())
    }
}

impl Mode {
    /// The fingerprint of a product that was built in this mode.
    fn marked(self, print: &str) -> String {
        match self {
            Self::Quick => format!("{print} quick"),
            Self::Release => print.to_owned(),
        }
    }

    /// Whether a folder already has what this mode would build. A release serves development as well.
    fn is_built(self, folder: &Path, print: &str) -> bool {
        let modes = [Some(Self::Release), (self == Self::Quick).then_some(self)];
        modes.into_iter().flatten().any(|mode| fingerprint::matches(folder, &mode.marked(print)))
    }
}

/// Makes products while cargo builds the server. Both end with steps that keep one core busy, and fill the other. In a release the
/// widget comes first: its limit is the tightest, and an hour of compiling need not end with it.
pub(crate) fn with_server<'a>(
    products: impl Iterator<Item = &'a Product> + Send,
    mode: Mode,
    force: bool,
) -> Result<()> {
    let mut arguments = vec!["--locked", "-p", "server", "--bin", "server"];
    let mut cargo = Command::new(progress::cargo());
    if mode == Mode::Release {
        arguments.push("--release");
        // Clippy as the compiler, as `make test` has it, would optimise less.
        cargo.env_remove("RUSTC_WORKSPACE_WRAPPER");
        // The same bytes in any folder.
        let flags = workspace::without_registries().chain(workspace::without_checkout());
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.collect::<Vec<_>>().join("\u{1f}"));
    }
    let (first, others): (Vec<_>, Vec<_>) =
        products.partition(|product| mode == Mode::Release && product.name == WIDGET.name);
    make_all(first.into_iter(), mode, force)?;
    thread::scope(|scope| {
        let products = scope.spawn(|| make_all(others.into_iter(), mode, force));
        let server = progress::build("server", &mut cargo, &arguments);
        products.join().unwrap_or_else(|panic| resume_unwind(panic)).and(server)
    })
}

/// Makes the products whose inputs changed (or all, with `force`), side by side once they are compiled.
pub(crate) fn make_all<'a>(products: impl Iterator<Item = &'a Product>, mode: Mode, force: bool) -> Result<()> {
    let mut stale = Vec::new();
    for product in products {
        let print = product.print()?;
        if !force && mode.is_built(&product.folder(), &print) {
            println!("{}: up to date", product.name);
        } else {
            stale.push((product, print));
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    // In a release the widget separately: features that only the consoles need would make it larger.
    let packages = stale.iter().map(|(product, _)| product.package);
    let is_apart = |package: &&str| mode == Mode::Release && *package == WIDGET.package;
    let (widget, others): (Vec<_>, Vec<_>) = packages.partition(is_apart);
    for packages in [widget, others].into_iter().filter(|packages| !packages.is_empty()) {
        wasm::build(packages, mode)?;
    }
    thread::scope(|scope| {
        let threads: Vec<_> = stale.iter().map(|(product, print)| scope.spawn(|| product.make(print, mode))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .fold(Ok(()), Result::and)
    })
}

/// Compresses every file of a product, checks the sizes of a release and returns the table of sizes. What a console loads up
/// to each of its stages has a separate line.
fn compress_all(folder: &Path, mode: Mode) -> Result<String> {
    let mut files = Vec::new();
    files_below(folder, &mut files)?;
    files.retain(|path| !path.extension().is_some_and(|extension| extension == "br" || extension == "gz"));
    files.sort();
    let mut weights = Vec::new();
    let mut lines = Vec::new();
    for file in &files {
        let sizes = compress::precompress(file, mode)?;
        weights.push((file.as_path(), sizes));
        lines.push(format!("  {sizes}  {}", file.strip_prefix(folder).unwrap_or(file).display()));
    }
    let until = |stage| {
        let needed = weights.iter().filter(|(file, _)| Stage::of(file) <= stage);
        needed.fold(Sizes::default(), |sum, (_, sizes)| sum + *sizes)
    };
    let is_console = weights.iter().any(|(file, _)| Stage::of(file) > Stage::SignIn);
    for (stage, name, ceiling) in Stage::BOUNDED.into_iter().filter(|_| is_console) {
        let sizes = until(stage);
        lines.push(format!("  {sizes}  {name}"));
        if mode == Mode::Release {
            consoles::check_weight(name, sizes.brotli, ceiling)?;
        }
    }
    if mode == Mode::Release && !is_console {
        widget::check_weight(weights.iter().copied())?;
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
