//! The demo world's content: tenants, templates, branding, chatbots and documents, all made through
//! the same services that people use. Seeding again changes nothing that exists.

mod history;
mod seed;
pub mod site;
mod templates;

use std::path::{Path, PathBuf};

pub(crate) use seed::caller;
pub use seed::seed;

use crate::config::Config;

/// The documents that the demo chatbots answer from.
#[derive(Debug, Clone)]
pub struct Materials {
    /// The project's own documentation.
    pub platform: Vec<PathBuf>,
    /// Debian's FAQ, when it could be had.
    pub debian_faq: Vec<PathBuf>,
    /// What makes the demo world look used; none when it is not wanted.
    pub showcase: Option<Showcase>,
}

/// Documents of the shop and of the club whose sites and visitors the demo world shows.
#[derive(Debug, Clone)]
pub struct Showcase {
    /// English ones, for a chatbot of its own on the shop's page.
    pub shop: Vec<PathBuf>,
    /// German ones, for a chatbot of its own.
    pub club: Vec<PathBuf>,
}

impl Materials {
    /// What is there: `docs/` and `README.md` of the working folder, and the unpacked FAQ.
    pub fn of(config: &Config) -> Self {
        let mut platform = files("docs".as_ref(), ".md");
        platform.extend(Some(PathBuf::from("README.md")).filter(|path| path.exists()));
        let showcase = config.site.showcase.then(|| Showcase {
            shop: files("deploy/demo-site/shop".as_ref(), ".md"),
            club: files("deploy/demo-site/kurs".as_ref(), ".md"),
        });
        Self { platform, showcase, debian_faq: files(&config.paths.parts_dir.join(FAQ), ".en.html") }
    }
}

/// Where the Debian package has its pages, below the fetched parts.
const FAQ: &str = "debian-faq/usr/share/doc/debian/FAQ";

/// The files of a folder whose names end in `suffix`, sorted; none when there is no such folder.
pub(crate) fn files(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.to_string_lossy().ends_with(suffix)).collect();
    files.sort();
    files
}
