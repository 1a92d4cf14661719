//! The folders of an installed program: its files are in `share/chatbot-platform` next to the program's folder, and what
//! it writes is in the state folder of the account that runs it. In a checkout there is no such folder.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Values;

/// The folder of the files, below the parent of the program's folder.
const SHARE: &str = "share/chatbot-platform";

/// The folder of an installed program's files; `None` in a checkout, whose working folder has them.
#[must_use]
pub(crate) fn share() -> Option<PathBuf> {
    // Linux resolves links, so that a link in PATH leads to the installation.
    let program = env::current_exe().ok()?;
    Some(program.parent()?.parent()?.join(SHARE)).filter(|share| share.is_dir())
}

/// Points the settings of folders to those of the installation, if there is one.
pub(super) fn apply(values: Values) -> Values {
    match share() {
        Some(share) => folders(values, &share, &state(|name| env::var_os(name))),
        None => values,
    }
}

fn folders(values: Values, share: &Path, state: &Path) -> Values {
    let folders = [
        ("paths.var_dir", state.to_path_buf()),
        ("paths.parts_dir", share.join("parts")),
        ("paths.dist_dir", share.join("dist")),
        ("auth.realm_dir", share.join("deploy/realms")),
    ];
    folders.into_iter().fold(values, |values, (key, path)| values.installed(key, &path.to_string_lossy()))
}

/// As the XDG base directories: relative paths in the variables are ignored.
fn state(variable: impl Fn(&str) -> Option<OsString>) -> PathBuf {
    let folder = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")));
    state.unwrap_or_else(|| PathBuf::from("/var/lib")).join("chatbot-platform")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::report;

    fn collected(variables: &[(&str, &str)]) -> Values {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Values::collect(None, variables).unwrap()
    }

    #[test]
    fn installed_programs_use_their_own_files_and_state_folder() {
        let values = folders(collected(&[]), Path::new("/opt/p/share/chatbot-platform"), Path::new("/state"));
        let text = report::explain(&values);
        for line in [
            "paths.var_dir = /state  [from the installation]",
            "paths.dist_dir = /opt/p/share/chatbot-platform/dist  [from the installation]",
            "auth.realm_dir = /opt/p/share/chatbot-platform/deploy/realms  [from the installation]",
            "rag.model_dir = /opt/p/share/chatbot-platform/parts/all-minilm-l6-v2  [from other settings]",
            "uploads.folder = /state/uploads  [from other settings]",
        ] {
            assert!(text.contains(line), "{line} is missing in: {text}");
        }
    }

    #[test]
    fn a_setting_takes_precedence_over_the_installation() {
        let set = collected(&[("SVC_PATHS_VAR_DIR", "/srv/var"), ("SVC_PATHS_DIST_DIR", "/srv/dist")]);
        let values = folders(set, Path::new("/share"), Path::new("/state"));
        let text = |key| values.get(key).text.as_str();
        assert_eq!((text("paths.var_dir"), text("paths.dist_dir")), ("/srv/var", "/srv/dist"));
        assert_eq!(text("paths.parts_dir"), "/share/parts");
    }

    #[test]
    fn the_state_folder_follows_the_base_directories() {
        for (state_home, home, expected) in [
            (Some("/state"), Some("/home/a"), "/state/chatbot-platform"),
            (None, Some("/home/a"), "/home/a/.local/state/chatbot-platform"),
            (Some("relative"), Some("/home/a"), "/home/a/.local/state/chatbot-platform"),
            (Some(""), None, "/var/lib/chatbot-platform"),
        ] {
            let folder = state(|name| if name == "HOME" { home } else { state_home }.map(OsString::from));
            assert_eq!(folder, Path::new(expected));
        }
    }
}
