//! Paths of the checkout: sources, outputs, fetched parts, the shared download cache.

use std::env;
use std::path::{Path, PathBuf};

/// The checkout's root folder, fixed when this tool was built.
pub(crate) fn root() -> PathBuf {
    let manifest =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest.parent().map_or_else(|| manifest.clone(), Path::to_path_buf)
}

/// Cargo's output folder, `target` unless `CARGO_TARGET_DIR` moves it.
pub(crate) fn target_dir() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// What the server sends to browsers: one folder for each console and one for the widget.
pub(crate) fn dist_dir() -> PathBuf {
    root().join("dist")
}

/// The fetched parts, unpacked: one folder per name and version.
pub(crate) fn parts_dir() -> PathBuf {
    root().join("var/parts")
}

/// Downloads shared by all checkouts: `CHATBOT_PLATFORM_CACHE`, else `chatbot-platform` in the user's cache folder.
pub(crate) fn cache_dir() -> PathBuf {
    if let Some(folder) = env::var_os("CHATBOT_PLATFORM_CACHE").filter(|value| !value.is_empty()) {
        return PathBuf::from(folder);
    }
    let base = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    base.or_else(home).unwrap_or_else(|| root().join(".cache")).join("chatbot-platform")
}

/// Compiler flags that take the folders of cargo's registries out of panic messages: they are private, cost bytes, and differ
/// between machines.
pub(crate) fn without_registries() -> impl Iterator<Item = String> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let registries = home.and_then(|home| std::fs::read_dir(home.join("registry/src")).ok());
    registries.into_iter().flatten().flatten().map(|registry| without(&registry.path()))
}

/// The same for the checkout, whose build scripts write sources below `target`.
pub(crate) fn without_checkout() -> [String; 2] {
    [without(&root()), without(&target_dir())]
}

fn without(folder: &Path) -> String {
    format!("--remap-path-prefix={}/=", folder.display())
}
