//! Turns browser crates into optimised WASM files with their JavaScript glue, in four steps: `build` (cargo), `split` (for
//! the consoles: pages become separate files), `bind` (wasm-bindgen, as a library) and, for a release, `optimise` or `shrink`
//! (Binaryen, then validated by node).

use std::path::{Path, PathBuf};
use std::process::Command;

use wasm_bindgen_cli_support::Bindgen;

use crate::error::{Error, Result};
use crate::module::without_linker_notes;
use crate::{npm, process, progress, workspace};

/// The browser crates' compilation target.
pub(crate) const TRIPLE: &str = "wasm32-unknown-unknown";

/// How the glue is loaded by a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// A classic script that defines the global `wasm_bindgen`.
    NoModules,
    /// An ES module.
    Web,
}

/// What a build is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Development and tests: quick to make.
    Quick,
    /// What is shipped: small, and its sizes are checked.
    Release,
}

impl Mode {
    /// The cargo profile, which also names its folder.
    const fn profile(self) -> &'static str {
        match self {
            Self::Quick => "wasm-quick",
            Self::Release => "wasm",
        }
    }
}

/// Compiles browser crates: what they share once, with the features that any of them needs.
pub(crate) fn build<'a>(packages: impl IntoIterator<Item = &'a str>, mode: Mode) -> Result<()> {
    let packages = packages.into_iter().flat_map(|name| ["-p", name]);
    compile("browser", ["--lib"].into_iter().chain(packages), mode)
}

/// Compiles the page with every component, which no product contains, so that the compiler checks it.
pub(crate) fn build_gallery() -> Result<()> {
    let every = ["-p", "frontend-operator", "-p", "frontend-tenant", "-p", "widget"];
    compile("gallery", ["--lib", "--features", "frontend-operator/gallery"].into_iter().chain(every), Mode::Quick)
}

/// The `.wasm` file that [`build`] writes for a package.
pub(crate) fn compiled(package: &str, mode: Mode) -> PathBuf {
    compiled_dir(mode).join(format!("{}.wasm", package.replace('-', "_")))
}

/// Compiles an example of the package `app` for a release and returns the path of its `.wasm` file.
pub(crate) fn build_example(name: &str) -> Result<PathBuf> {
    compile("example", ["-p", "app", "--features", "csr", "--example", name], Mode::Release)?;
    Ok(compiled_dir(Mode::Release).join(format!("examples/{name}.wasm")))
}

fn compile<'a>(what: &'static str, arguments: impl IntoIterator<Item = &'a str>, mode: Mode) -> Result<()> {
    let mut cargo = Command::new(progress::cargo());
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags().join("\u{1f}"));
    if mode == Mode::Release {
        // Clippy as the compiler, as `make test` has it, would optimise less.
        cargo.env_remove("RUSTC_WORKSPACE_WRAPPER");
    }
    let options = ["--locked", "--profile", mode.profile(), "--target", TRIPLE];
    progress::build(what, &mut cargo, &options.into_iter().chain(arguments).collect::<Vec<_>>())
}

fn compiled_dir(mode: Mode) -> PathBuf {
    workspace::target_dir().join(TRIPLE).join(mode.profile())
}

/// Compiler flags for the browser crates and their dependencies.
fn flags() -> Vec<String> {
    // Erased component types make the consoles a sixth smaller (operator console: 343 kB to 287 kB brotli).
    let mut flags = vec!["--cfg".to_owned(), "erase_components".to_owned()];
    // References between functions stay in the files: `split` needs them, and `bind` drops them.
    flags.push("-Clink-args=--emit-relocs".to_owned());
    flags.extend(workspace::without_registries());
    flags
}

/// Cuts a module at its split points into `<name>.wasm` (the part that starts), the parts that are loaded later, and the
/// script `__wasm_split.js` that loads them, all in `out_dir`.
pub(crate) fn split(wasm: &Path, out_dir: &Path, name: &str) -> Result<SplitParts> {
    let failed = |error| Error::Other(format!("splitting {} failed: {error:#}", wasm.display()));
    let module = std::fs::read(wasm).map_err(Error::io("reading", wasm))?;
    let (main, glue) = (out_dir.join(format!("{name}.wasm")), format!("./{name}.js"));
    let mut options = wasm_split_cli_support::Options::new(&module);
    options.output_dir = out_dir;
    options.main_out_path = &main;
    options.main_module = &glue;
    let split = wasm_split_cli_support::transform(options).map_err(failed)?;
    Ok(SplitParts { files: split.split_modules, loaded_together: split.prefetch_map.into_values().collect() })
}

/// The parts of a module that are loaded later.
pub(crate) struct SplitParts {
    pub(crate) files: Vec<PathBuf>,
    /// The names, without extensions, of the parts that one split point loads.
    pub(crate) loaded_together: Vec<Vec<String>>,
}

impl SplitParts {
    /// Whether only splits whose names pass load a part.
    pub(crate) fn is_only_for(&self, part: &str, passes: impl Fn(&str) -> bool) -> bool {
        let mut with_part = self.loaded_together.iter().filter(|together| together.iter().any(|name| name == part));
        with_part.all(|together| together.iter().any(|name| passes(name)))
    }
}

/// Writes `<name>.js` and `<name>_bg.wasm` into `out_dir`, which it creates if needed. The glue has no default URL of the
/// WASM file: its caller passes one. The linker's notes, which wasm-bindgen and Binaryen would keep, are left out.
pub(crate) fn bind(wasm: &Path, out_dir: &Path, target: Target, name: &str) -> Result<()> {
    let failed = |error| Error::Other(format!("wasm-bindgen failed on {}: {error:#}", wasm.display()));
    let module = std::fs::read(wasm).map_err(Error::io("reading", wasm))?;
    let module = without_linker_notes(&module)
        .ok_or_else(|| Error::Other(format!("{} could not be read as a module", wasm.display())))?;
    let mut bindgen = Bindgen::new();
    bindgen.input_bytes(name, module).out_name(name).typescript(false).omit_default_module_path(true);
    // The parts of a split module find each other by their exports.
    bindgen.keep_lld_exports(target == Target::Web);
    bindgen.remove_name_section(true).remove_producers_section(true);
    match target {
        Target::NoModules => bindgen.no_modules(true),
        Target::Web => bindgen.web(true),
    }
    .map_err(failed)?;
    bindgen.generate(out_dir).map_err(failed)
}

/// Makes WASM files smaller and faster, in place.
pub(crate) fn optimise<'a>(files: impl IntoIterator<Item = &'a Path>) -> Result<()> {
    npm::install(&npm::tools_dir())?;
    let mut script = Command::new("node");
    script.arg(npm::tools_dir().join("optimise.mjs")).args(files);
    process::capture("optimising", &mut script).map(drop)
}

/// Makes a WASM file as small as possible, in place, with `wasm-opt -Oz` after the caller's `passes`, which is too slow for
/// larger modules.
pub(crate) fn shrink(path: &Path, passes: &[&str]) -> Result<()> {
    let shrunk = path.with_extension("opt.wasm");
    let mut wasm_opt = Command::new("node");
    wasm_opt.arg(npm::tool("binaryen/bin/wasm-opt")?).arg(path).args(passes);
    wasm_opt.args(["-Oz", "--strip-debug", "--strip-producers", "--strip-target-features", "-o"]).arg(&shrunk);
    process::capture("wasm-opt", &mut wasm_opt)?;
    validate(&shrunk)?;
    std::fs::rename(&shrunk, path).map_err(Error::io("replacing", path))
}

/// Checks that a real engine accepts a module.
pub(crate) fn validate(path: &Path) -> Result<()> {
    const SCRIPT: &str = "process.exit(WebAssembly.validate(require('fs').readFileSync(process.argv[1])) ? 0 : 1)";
    let mut node = Command::new("node");
    node.args(["-e", SCRIPT]).arg(path);
    process::capture(&format!("validating {}", path.display()), &mut node).map(drop)
}
