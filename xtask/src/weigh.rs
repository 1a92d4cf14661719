//! Compares the size of a console's first page with the smallest Leptos page built by the same tools. More than five times
//! that size is an error.

use std::fs;
use std::path::Path;

use crate::build::CONSOLES;
use crate::consoles::{self, Stage};
use crate::error::{Error, Result};
use crate::wasm::Mode;
use crate::{compress, imports, npm, wasm, workspace};

/// Maximum size of a console's first page, as a multiple of the smallest page.
const MAX_TIMES: usize = 5;

/// Prints the sizes. The consoles must have been built for a release.
///
/// # Errors
/// A console's first page exceeds the limit.
pub(crate) fn run() -> Result<()> {
    let hello = hello()?;
    println!("{hello:>9} B brotli  the smallest page");
    for console in &CONSOLES {
        let first = first_page(&workspace::dist_dir().join(console.name))?;
        #[expect(clippy::cast_precision_loss, reason = "bundles are far smaller than 2^52 bytes")]
        let times = first as f64 / hello as f64;
        println!("{first:>9} B brotli  the first page of the {} console, {times:.1} times that", console.name);
        consoles::check_weight("for the first page", first, MAX_TIMES * hello)?;
    }
    Ok(())
}

/// Builds the smallest page and returns the size of its script and WASM file, in bytes with brotli.
fn hello() -> Result<usize> {
    let compiled = wasm::build_example("hello")?;
    let out = compiled.with_extension("page");
    fs::create_dir_all(&out).map_err(Error::io("making", &out))?;
    wasm::bind(&compiled, &out, wasm::Target::Web, "hello")?;
    let (module, script) = (out.join("hello_bg.wasm"), out.join("hello.min.js"));
    wasm::optimise([module.as_path()])?;
    imports::shorten_files(&module, &out.join("hello.js"))?;
    let source = out.join("hello.js").display().to_string();
    let output = format!("--outfile={}", script.display());
    npm::esbuild([source.as_str(), "--bundle", "--minify", "--format=esm", "--target=es2022", &output])?;
    let weight = |file| compress::precompress(file, Mode::Release).map(|sizes| sizes.brotli);
    Ok(weight(&module)? + weight(&script)?)
}

/// What a console's first page loads, in bytes with brotli, read from the compressed siblings.
fn first_page(folder: &Path) -> Result<usize> {
    let mut weight = 0;
    for folder in [folder.to_path_buf(), folder.join("pkg")] {
        let failed = Error::io("reading (build the consoles first)", &folder);
        for entry in fs::read_dir(&folder).map_err(failed)?.flatten() {
            let path = entry.path();
            if is_brotli(&path) && Stage::of(&path) == Stage::SignIn {
                weight +=
                    usize::try_from(entry.metadata().map_err(Error::io("reading", &path))?.len()).unwrap_or(usize::MAX);
            }
        }
    }
    Ok(weight)
}

fn is_brotli(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "br")
}
