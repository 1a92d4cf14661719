//! The widget bundle: `chat-widget.min.js` and `chat-widget.wasm`.

use std::path::Path;

use crate::error::{Error, Result};
use crate::{npm, wasm};

/// Builds the widget into an empty folder.
pub(crate) fn build(out: &Path) -> Result<()> {
    let compiled = wasm::build("widget")?;
    let work = out.join("work");
    wasm::bind(&compiled, &work, wasm::Target::NoModules, "widget")?;
    wasm::optimise(&work.join("widget_bg.wasm"))?;
    let module = out.join("chat-widget.wasm");
    std::fs::rename(work.join("widget_bg.wasm"), &module).map_err(Error::io("moving to", &module))?;
    let outfile = format!("--outfile={}", out.join("chat-widget.min.js").display());
    npm::esbuild([work.join("widget.js").display().to_string(), "--minify".to_owned(), outfile])?;
    std::fs::remove_dir_all(&work).map_err(Error::io("removing", &work))
}
