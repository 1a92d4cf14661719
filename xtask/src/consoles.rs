//! Builds the two consoles. `dist/operator` is served at `/admin/operator/` and `dist/tenant` at `/tenant/`, each as a
//! single-page application: a path without a file gets `index.html`. All other files are in `pkg/` under names with a hash
//! of their content, so they can be cached forever, while `index.html` cannot. The page has no inline script or style. A
//! small classic script sets the theme before the first paint, one module starts the application, and `recover.js`, which
//! keeps its name, reloads the page when the other files are gone.
//!
//! The sign-in page loads alone; tokens, API client, frame and overview are fetched during the sign-in. All other pages are
//! one group, because three groups were larger in all (638 kB instead of 582 kB).

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::error::{Error, Result};
use crate::wasm::{Mode, SplitParts};
use crate::{fingerprint, imports, npm, wasm, workspace};

/// The names of one console.
pub(crate) struct Console {
    /// Package of the workspace and folder in the checkout.
    package: &'static str,
    /// Its name: what its style sheets begin with.
    name: &'static str,
    /// Path at which the server serves the console, with a slash at both ends.
    base: &'static str,
}

/// The groups of pages behind the overview (`lazy_page!`). The other split part has the frame and the overview.
const PAGES: [&str; 4] = ["split_pages", "split_knowledge", "split_plots", SHARED_BY_PAGES];
/// The prefix of parts that only these groups share.
const SHARED_BY_PAGES: &str = "split_shared_";

/// The script that reloads a page whose other files are gone.
const RECOVER: &str = "recover.js";
/// The code that reloads the page.
const RELOAD: &str = "reload.js";
/// The code that fetches parts with their style sheet.
const PART: &str = "part.js";
/// The prefix of the style sheet behind the sign-in.
const PAGES_STYLE: &str = "pages-style";
/// The expression that fetches a part in the generated script, and its replacement in a console.
const FETCH: &str = "fetch(new URL(";
const FETCH_PART: &str = "fetchPageCode(new URL(";

/// Placeholder in the page for the configuration that a console needs before the sign-in.
const CONFIG: &str = "{{config}}";

/// When a file of a console is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// For the sign-in page.
    SignIn,
    /// Until the overview is shown.
    Overview,
    /// For the pages after it.
    Pages,
}

impl Stage {
    /// The stages with their names and their limits in bytes with brotli. A limit includes the earlier stages.
    pub(crate) const BOUNDED: [(Self, &str, usize); 2] =
        [(Self::SignIn, "for the first page, the sign-in", 95_000), (Self::Overview, "until the overview", 293_000)];

    /// The stage that needs a file.
    pub(crate) fn of(file: &Path) -> Self {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        match () {
            () if PAGES.iter().any(|group| name.starts_with(group)) => Self::Pages,
            () if name.starts_with("split_") || name.starts_with("chunk_") || name.starts_with(PAGES_STYLE) => {
                Self::Overview
            }
            () => Self::SignIn,
        }
    }
}

pub(crate) const OPERATOR: Console =
    Console { package: "frontend-operator", name: "operator", base: "/admin/operator/" };

pub(crate) const TENANT: Console = Console { package: "frontend-tenant", name: "tenant", base: "/tenant/" };

impl Console {
    /// Makes the console of its compiled package in an empty folder.
    pub(crate) fn build(&self, compiled: &Path, out: &Path, mode: Mode) -> Result<()> {
        let pkg = out.join("pkg");
        let work = out.join("work");
        for folder in [&pkg, &work] {
            fs::create_dir_all(folder).map_err(Error::io("making", folder))?;
        }
        let parts = timed(self.package, "wasm-split", || wasm::split(compiled, &work, "app"))?;
        timed(self.package, "wasm-bindgen", || wasm::bind(&work.join("app.wasm"), &work, wasm::Target::Web, "app"))?;
        let modules = [work.join("app_bg.wasm")];
        let modules = modules.iter().chain(&parts.files).map(PathBuf::as_path);
        if mode == Mode::Release {
            timed(self.package, "Binaryen", || wasm::optimise(modules))?;
        }
        // The later parts import from the part that starts alone.
        imports::shorten_files(&work.join("app_bg.wasm"), &work.join("app.js"))?;
        let parts = name_parts(&parts, &work, &pkg)?;
        let names = timed(self.package, "esbuild", || self.assets(&work, &pkg))?;
        fs::remove_dir_all(&work).map_err(Error::io("removing", &work))?;
        self.page(&names, &parts, out)
    }

    /// Minifies scripts and style sheet and gives every asset its hashed name.
    fn assets(&self, work: &Path, pkg: &Path) -> Result<Names> {
        let wasm = hashed(&work.join("app_bg.wasm"), pkg, "app", "_bg.wasm")?;
        let boot = copied("boot.js", work)?;
        let style = |entry: &str| bundle(&workspace::root().join("style").join(entry), work, &[]);
        let pages_style = hashed(&style(&format!("{}-pages.css", self.name))?, pkg, PAGES_STYLE, ".css")?;
        let files = [("WASM_FILE", &wasm), ("STYLE_FILE", &pages_style)];
        let files = files.map(|(name, file)| format!("--define:{name}=\"{file}\""));
        let script = bundle(&boot, work, &["--format=esm", &files[0], &files[1]])?;
        let theme = bundle(&asset("theme.js"), work, &["--format=iife"])?;
        let recover = bundle(&asset(RECOVER), work, &["--format=iife"])?;
        fs::copy(&recover, pkg.join(RECOVER)).map_err(Error::io("copying", &recover))?;
        Ok(Names {
            script: hashed(&script, pkg, "app", ".js")?,
            theme: hashed(&theme, pkg, "theme", ".js")?,
            style: hashed(&style("start.css")?, pkg, self.name, ".css")?,
            wasm,
        })
    }

    /// Fills the console's `index.html` with the asset names.
    fn page(&self, names: &Names, parts: &[String], out: &Path) -> Result<()> {
        let template = workspace::root().join(self.package).join("index.html");
        let html = fs::read_to_string(&template).map_err(Error::io("reading", &template))?;
        let html = fill(&html, self.base, names, parts);
        let without_config = html.replace(CONFIG, "");
        if let Some(at) = without_config.find("{{") {
            let rest: String = without_config[at..].chars().take(24).collect();
            return Err(Error::Other(format!("{} has an unknown placeholder: {rest}", template.display())));
        }
        let page = out.join("index.html");
        fs::write(&page, html).map_err(Error::io("writing", &page))
    }
}

/// Fails when a stage exceeds its limit.
pub(crate) fn check_weight(stage: &str, brotli: usize, ceiling: usize) -> Result<()> {
    if brotli <= ceiling {
        return Ok(());
    }
    let weight = format!("{brotli} B with brotli {stage} are more than {ceiling} B");
    Err(Error::Other(format!("{weight}: move what can wait to a file of its own (`lazy_view!`, `lazy_page!`)")))
}

/// Moves the parts that are loaded later into `pkg` under hashed names, writes these names into the script that loads them,
/// and returns them in the order in which they are needed. The script reloads the page when a part is gone.
fn name_parts(parts: &SplitParts, work: &Path, pkg: &Path) -> Result<Vec<String>> {
    let loader = work.join("__wasm_split.js");
    let mut script = fs::read_to_string(&loader).map_err(Error::io("reading", &loader))?;
    let mut names = Vec::new();
    for part in &parts.files {
        let stem = part.file_stem().unwrap_or_default().to_string_lossy();
        // Parts that only the groups of pages share are not needed earlier.
        let is_shared =
            stem.starts_with("chunk_") && parts.is_only_for(&stem, |name| Stage::of(Path::new(name)) == Stage::Pages);
        let new = if is_shared { format!("{SHARED_BY_PAGES}{stem}") } else { stem.to_string() };
        let name = hashed(part, pkg, &new, ".wasm")?;
        let old = format!("\"./{stem}.wasm\"");
        if !script.contains(&old) {
            return Err(Error::Other(format!("{} does not load {old}", loader.display())));
        }
        script = script.replace(&old, &format!("\"./{name}\""));
        names.push(name);
    }
    names.sort_by_key(|name| Stage::of(Path::new(name)));
    if !script.contains(FETCH) {
        return Err(Error::Other(format!("{} does not fetch with {FETCH}", loader.display())));
    }
    copied(RELOAD, work)?;
    copied(PART, work)?;
    script = format!("import {{ fetchPageCode }} from \"./{PART}\";\n{}", script.replace(FETCH, FETCH_PART));
    fs::write(&loader, script).map_err(Error::io("writing", &loader))?;
    Ok(names)
}

struct Names {
    script: String,
    wasm: String,
    style: String,
    theme: String,
}

fn fill(html: &str, base: &str, names: &Names, parts: &[String]) -> String {
    // Idle browsers prefetch the other pages' code.
    let link = |part: &String| format!("<link rel=\"prefetch\" href=\"{base}pkg/{part}\" as=\"fetch\" crossorigin>");
    html.replace("{{base}}", base)
        .replace("{{script}}", &format!("{base}pkg/{}", names.script))
        .replace("{{wasm}}", &format!("{base}pkg/{}", names.wasm))
        .replace("{{style}}", &format!("{base}pkg/{}", names.style))
        .replace("{{parts}}", &parts.iter().map(link).collect::<Vec<_>>().join("\n    "))
        .replace("{{theme}}", &format!("{base}pkg/{}", names.theme))
        .replace("{{recover}}", &format!("{base}pkg/{RECOVER}"))
}

fn asset(name: &str) -> PathBuf {
    workspace::root().join("xtask/assets").join(name)
}

/// Copies a script of this tool into `work`, next to the build's output.
fn copied(name: &str, work: &Path) -> Result<PathBuf> {
    let (source, target) = (asset(name), work.join(name));
    fs::copy(&source, &target).map_err(Error::io("copying", &source))?;
    Ok(target)
}

/// Bundles and minifies one entry file into `work/out` and returns the result's path.
fn bundle(entry: &Path, work: &Path, options: &[&str]) -> Result<PathBuf> {
    let out = work.join("out").join(entry.file_name().unwrap_or_default());
    let mut args = vec![
        entry.display().to_string(),
        "--bundle".to_owned(),
        "--minify".to_owned(),
        "--target=es2022".to_owned(),
        "--external:*.woff2".to_owned(),
        format!("--outfile={}", out.display()),
    ];
    args.extend(options.iter().map(|&option| option.to_owned()));
    npm::esbuild(args)?;
    Ok(out)
}

/// Moves a file into `pkg` as `<stem>-<hash><ending>` and returns that name.
fn hashed(file: &Path, pkg: &Path, stem: &str, ending: &str) -> Result<String> {
    let bytes = fs::read(file).map_err(Error::io("reading", file))?;
    let name = format!("{stem}-{}{ending}", fingerprint::short(&bytes));
    let target = pkg.join(&name);
    fs::write(&target, bytes).map_err(Error::io("writing", &target))?;
    Ok(name)
}

fn timed<T>(package: &str, phase: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let started = Instant::now();
    let result = work()?;
    println!("  {package} {phase}: {:.1} s", started.elapsed().as_secs_f32());
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_a_console_belongs_to_a_stage() {
        let stages = [
            "app-1_bg.wasm",
            "index.html",
            "split_console-1.wasm",
            "chunk_3-1.wasm",
            "split_pages-1.wasm",
            "split_knowledge-1.wasm",
            "split_shared_chunk_5-1.wasm",
        ];
        let stages = stages.map(|name| Stage::of(&Path::new("pkg").join(name)));
        assert_eq!(
            stages,
            [Stage::SignIn, Stage::SignIn, Stage::Overview, Stage::Overview, Stage::Pages, Stage::Pages, Stage::Pages]
        );
    }

    #[test]
    fn templates_use_every_placeholder_and_nothing_inline() {
        for console in [OPERATOR, TENANT] {
            let path = workspace::root().join(console.package).join("index.html");
            let html = fs::read_to_string(path).unwrap();
            for placeholder in ["{{script}}", "{{wasm}}", "{{style}}", "{{theme}}", "{{recover}}", "{{parts}}", CONFIG]
            {
                assert!(html.contains(placeholder), "{} lacks {placeholder}", console.package);
            }
            assert!(!html.contains("<style") && !html.contains(" style=") && !html.contains(" onload="));
            assert_eq!(html.matches("<script").count(), html.matches("<script src=").count());
        }
    }
}
