//! The widget's version, for snippets.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::hex;

/// The script that snippets name.
pub(crate) const SCRIPT: &str = "chat-widget.min.js";

/// The version that snippets name: the platform's, and the beginning of the script's sum, so that it differs between builds.
/// Only the platform's where no bundle is built.
pub(super) fn version(dist_dir: &Path) -> String {
    let platform = env!("CARGO_PKG_VERSION");
    match std::fs::read(dist_dir.join("widget").join(SCRIPT)) {
        Ok(script) => format!("{platform}-{}", hex::encode(&Sha256::digest(script)[..4])),
        Err(_) => platform.to_owned(),
    }
}
