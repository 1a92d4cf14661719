//! Serves a console built by `cargo leptos watch`: files without hashes, and a page that reloads after each build. Only
//! `server demo --watch` uses it (`make watch`). The page's policy additionally allows the tool's web socket.

use std::path::PathBuf;

use app::backend::Console;

/// The folder of the consoles' scripts, in the checkout.
const SCRIPTS: &str = "xtask/assets";
const WATCH_SCRIPT: &str = include_str!("../../assets/watch.js");

/// A console that is built on every change.
#[derive(Debug, Clone)]
pub struct WatchedConsole {
    console: Console,
    /// The checkout, which has the page's template.
    checkout: PathBuf,
    /// The tool's output folder, with the files in `pkg`.
    folder: PathBuf,
    /// The port of the tool's web socket.
    reload_port: u16,
}

impl WatchedConsole {
    /// The console of a checkout that the tool builds into `folder`.
    #[must_use]
    pub fn new(console: Console, checkout: PathBuf, folder: PathBuf, reload_port: u16) -> Self {
        Self { console, checkout, folder, reload_port }
    }

    pub(super) fn is(&self, console: Console) -> bool {
        self.console == console
    }

    /// The folder of its files.
    pub(super) fn files(&self) -> PathBuf {
        self.folder.join("pkg")
    }

    /// The sources that the page may connect to besides those of [`super::consoles`].
    pub(super) fn sources(&self) -> String {
        let port = self.reload_port;
        format!("ws://127.0.0.1:{port} ws://localhost:{port}")
    }

    /// One of the page's scripts.
    pub(super) async fn script(&self, name: &str) -> Option<String> {
        match name {
            "watch.js" => Some(WATCH_SCRIPT.to_owned()),
            "theme.js" => tokio::fs::read_to_string(self.checkout.join(SCRIPTS).join(name)).await.ok(),
            _ => None,
        }
    }

    /// The page, from the console's template; `config` are the attributes of its body.
    pub(super) async fn page(&self, config: &str) -> std::io::Result<String> {
        let template = self.checkout.join(package(self.console)).join("index.html");
        Ok(self.fill(&tokio::fs::read_to_string(template).await?, config))
    }

    fn fill(&self, template: &str, config: &str) -> String {
        let base = self.console.base();
        let script = format!("{base}/watch/watch.js\" data-reload-port=\"{}", self.reload_port);
        // Parts of a production build: preloaded files, and recovery when another build is installed.
        let left_out =
            |line: &&str| ["{{recover}}", "{{parts}}", "modulepreload"].iter().any(|part| line.contains(part));
        let lines: Vec<_> = template.lines().filter(|line| !left_out(line)).collect();
        lines
            .join("\n")
            .replace("{{theme}}", &format!("{base}/watch/theme.js"))
            .replace("{{style}}", &format!("{base}/pkg/app.css"))
            .replace("{{wasm}}", &format!("{base}/pkg/app.wasm"))
            .replace("{{script}}", &script)
            .replace("{{base}}", &format!("{base}/"))
            .replace(app::backend::ConsoleConfig::PLACE, config)
    }
}

fn package(console: Console) -> &'static str {
    match console {
        Console::Operator => "frontend-operator",
        Console::Tenant => "frontend-tenant",
    }
}
