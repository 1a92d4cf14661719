//! The content of the demo world: tenants, templates, branding, chatbots and documents, all created through the
//! platform's own services. Seeding again changes nothing that exists.

mod history;
mod seed;
pub mod site;
mod templates;

use std::path::{Path, PathBuf};

pub(crate) use seed::caller;
pub use seed::seed;

use crate::config::{Config, installation};

/// The documents that the demo chatbots answer from.
#[derive(Debug, Clone)]
pub struct DemoDocuments {
    /// The project's own documentation.
    pub platform: Vec<PathBuf>,
    /// Debian's FAQ, when it could be had.
    pub debian_faq: Vec<PathBuf>,
    /// Sample data that makes the demo world look used; `None` when it is disabled.
    pub showcase: Option<Showcase>,
}

/// Documents of the demo's shop and club.
#[derive(Debug, Clone)]
pub struct Showcase {
    /// English ones, for a separate chatbot on the shop's page.
    pub shop: Vec<PathBuf>,
    /// German ones, for a separate chatbot.
    pub club: Vec<PathBuf>,
}

impl DemoDocuments {
    /// The available documents: `docs/` and `README.md` of the installation or else of the working folder, and the unpacked
    /// FAQ.
    pub fn of(config: &Config) -> Self {
        let root = installation::share().unwrap_or_default();
        let mut platform = files(&root.join("docs"), ".md");
        platform.extend(Some(root.join("README.md")).filter(|path| path.exists()));
        let showcase = config.site.showcase.then(|| Showcase {
            shop: files(&root.join("deploy/demo-site/shop"), ".md"),
            club: files(&root.join("deploy/demo-site/kurs"), ".md"),
        });
        Self { platform, showcase, debian_faq: files(&config.paths.parts_dir.join(FAQ), ".en.html") }
    }
}

/// The folder of the Debian package's pages, below the fetched parts.
const FAQ: &str = "debian-faq/usr/share/doc/debian/FAQ";

/// The files of a folder whose names end in `suffix`, sorted; empty when the folder does not exist.
pub fn files(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.to_string_lossy().ends_with(suffix)).collect();
    files.sort();
    files
}
