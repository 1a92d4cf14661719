//! The demo world's content: tenants, templates, branding, chatbots and documents, all made through
//! the same services that people use. Seeding again changes nothing that stands.

mod seed;
pub mod site;
mod templates;

use std::path::{Path, PathBuf};

pub use seed::seed;

use crate::config::Config;

/// The documents that the demo chatbots answer from.
#[derive(Debug, Clone)]
pub struct Materials {
    /// The project's own documentation.
    pub platform: Vec<PathBuf>,
    /// Debian's FAQ, when it could be had.
    pub debian_faq: Vec<PathBuf>,
}

impl Materials {
    /// What is there: `docs/` and `README.md` of the working folder, and the unpacked FAQ.
    pub fn of(config: &Config) -> Self {
        let platform = ["README.md", "docs"].map(PathBuf::from).into_iter().filter(|path| path.exists()).collect();
        let folder = config.paths.parts_dir.join("debian-faq/usr/share/doc/debian/FAQ");
        let is_english = |path: &PathBuf| path.to_string_lossy().ends_with(".en.html");
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut debian_faq: Vec<PathBuf> = entries.filter(is_english).collect();
        debian_faq.sort();
        Self { platform, debian_faq }
    }
}
