//! Builds the widget bundle: `chat-widget.min.js` (style sheet, wasm-bindgen's glue and the loader in one classic
//! script), `chat-widget-<hash>.wasm`, and the texts of each language next to it (`chat-widget-<hash>-de.txt`). The
//! script keeps its name in every build and contains the name of the WASM file. The build fails when script, WASM file
//! and the longest texts of a release together exceed the size limit.

mod snip;
mod texts;

use std::fs;
use std::path::Path;

use crate::compress::Sizes;
use crate::error::{Error, Result};
use crate::imports::{self, Modules};
use crate::wasm::Mode;
use crate::{fingerprint, npm, wasm, workspace};

/// Size limit of a first load, with brotli: less than the smallest full peer (46 kB).
const CEILING_BYTES: usize = 45_000;
/// Browsers from 2021 on support everything that the loader uses.
const LANGUAGE: &str = "--target=es2020";

/// Passes of wasm-opt that make the widget smaller.
const PASSES: [&str; 7] = [
    "--flatten",
    "--rereloop",
    "-Oz",
    "-Oz",
    "--converge",
    "--low-memory-unused",
    "--one-caller-inline-max-function-size=30",
];

/// Where the glue begins to load its module: from an address, a response or bytes, at once or later, with warnings.
const LOADING: &str = "async function __wbg_load(";
/// What the widget loads with instead: a function that resolves to the exports. It takes the response of the WASM file,
/// whatever its media type.
const START: &str = "return async (response) => {
  const bytes = await response.arrayBuffer();
  __wbg_finalize_init((await WebAssembly.instantiate(bytes, __wbg_get_imports())).instance);
  return exports;
};
})({ __proto__: null });";

/// Makes the widget of its compiled package in an empty folder.
pub(crate) fn build(compiled: &Path, out: &Path, mode: Mode) -> Result<()> {
    let work = out.join("work");
    fs::create_dir_all(&work).map_err(Error::io("making", &work))?;
    match mode {
        Mode::Quick => wasm::bind(compiled, &work, wasm::Target::NoModules, "widget")?,
        Mode::Release => {
            let snipped = work.join("snipped.wasm");
            let bytes = fs::read(compiled).map_err(Error::io("reading", compiled))?;
            fs::write(&snipped, snip::panics(&bytes)?).map_err(Error::io("writing", &snipped))?;
            wasm::bind(&snipped, &work, wasm::Target::NoModules, "widget")?;
            wasm::shrink(&work.join("widget_bg.wasm"), &PASSES)?;
        }
    }
    let compiled = work.join("widget_bg.wasm");
    let bytes = fs::read(&compiled).map_err(Error::io("reading", &compiled))?;
    let (bytes, glue) = imports::shorten(&bytes, &read(&work.join("widget.js"))?, Modules::Renamed)?;
    let texts = texts::Texts::read(&workspace::root().join("widget/texts"))?;
    // One hash for all of them: files that are cached forever get new names when any of them changes.
    let stem = format!("chat-widget-{}", fingerprint::short(&[&bytes[..], texts.all().as_bytes()].concat()));
    let name = format!("{stem}.wasm");
    let module = out.join(&name);
    fs::write(&module, bytes).map_err(Error::io("writing", &module))?;
    wasm::validate(&module)?;
    let script = out.join("chat-widget.min.js");
    bundle(&name, &glue, &texts, &work, &script)?;
    fs::remove_dir_all(&work).map_err(Error::io("removing", &work))?;
    for (tag, lines) in texts.files() {
        let file = out.join(format!("{stem}-{tag}.txt"));
        fs::write(&file, lines).map_err(Error::io("writing", &file))?;
    }
    Ok(())
}

/// Joins style sheet, texts, glue and loader and minifies them inside one function, so that no name leaks into the page. The glue
/// runs only after the WASM file has arrived, so the launcher does not wait for it.
fn bundle(module: &str, glue: &str, texts: &texts::Texts, work: &Path, script: &Path) -> Result<()> {
    let style = workspace::root().join("style/widget.css");
    let css = npm::esbuild([&style.display().to_string(), "--bundle", "--minify", LANGUAGE])?;
    let css = quoted(css.trim())?;
    let labels = quoted(&texts.labels())?;
    let engine = format!("const engine = () => {{\n{}\nreturn wasm_bindgen;\n}};\n", with_short_start(glue)?);
    let mut text = format!("const WIDGET_CSS = {css}, WASM_FILE = \"{module}\";\n{engine}");
    text += &format!("const TEXT_LINES = {}, LABELS = {labels};\n", texts.line_count());
    for part in ["transport.js", "loader.js"] {
        text += &read(&workspace::root().join("widget/loader").join(part))?;
    }
    let joined = work.join("joined.js");
    fs::write(&joined, text).map_err(Error::io("writing", &joined))?;
    let outfile = format!("--outfile={}", script.display());
    let arguments = [&joined.display().to_string(), "--minify", "--format=iife", "--charset=utf8", LANGUAGE, &outfile];
    npm::esbuild(arguments).map(drop)
}

/// The glue with [`START`] instead of its own ways to load a module.
fn with_short_start(glue: &str) -> Result<String> {
    let missing = || Error::Other(format!("wasm-bindgen's glue has no `{LOADING}`: see START in xtask/src/widget.rs"));
    let (bindings, _) = glue.split_once(LOADING).ok_or_else(missing)?;
    Ok([bindings, START].concat())
}

fn quoted<T: serde::Serialize + ?Sized>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::Other(format!("writing JSON: {error}")))
}

/// Fails when a first load, of the script, the WASM file and the longest texts, exceeds the limit.
pub(crate) fn check_weight<'a>(files: impl Iterator<Item = (&'a Path, Sizes)>) -> Result<()> {
    let (mut code, mut texts) = (0, 0);
    for (file, sizes) in files {
        if file.extension().is_some_and(|extension| extension == "txt") {
            texts = sizes.brotli.max(texts);
        } else {
            code += sizes.brotli;
        }
    }
    let brotli = code + texts;
    if brotli <= CEILING_BYTES {
        return Ok(());
    }
    let weights = format!("the widget weighs {brotli} B with brotli, more than its {CEILING_BYTES} B");
    Err(Error::Other(format!("{weights}: make it lighter (look for format!, new web-sys calls, long texts)")))
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(Error::io("reading", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_glue_keeps_its_bindings_and_starts_from_a_response() {
        let glue = "let wasm_bindgen = (function(exports) {\nbindings\nasync function __wbg_load(module) {}\n})({});";
        let short = with_short_start(glue).unwrap();
        assert!(
            short.starts_with("let wasm_bindgen = (function(exports) {\nbindings\nreturn async (response)"),
            "{short}"
        );
        assert!(short.ends_with("return exports;\n};\n})({ __proto__: null });"), "{short}");
        assert!(with_short_start("let wasm_bindgen;").is_err());
    }
}
