//! The file of settings: a new one, or one that gets what it lacks. Nothing that it has is changed.

use std::{
    fs, io,
    os::unix::fs::{MetadataExt, chown},
    path::Path,
};

use tempfile::NamedTempFile;

use crate::{cli::CliError, embedded::private_file};

const HEAD: &str = "# Settings of the chatbot platform, with secrets: nobody else may read this file.\n\
                    # `server config --explain` shows all settings, docs/configuration.md explains them.\n";

/// A setting for the file.
#[derive(Debug, Clone)]
pub(super) struct NewSetting {
    pub(super) section: &'static str,
    pub(super) name: &'static str,
    /// As TOML.
    pub(super) value: String,
    pub(super) comment: &'static str,
}

/// The text of the file with these settings; `None` when there is nothing to add.
pub(super) fn complete(path: &Path, settings: &[NewSetting]) -> Result<Option<String>, CliError> {
    if settings.is_empty() {
        return Ok(None);
    }
    let text = match fs::read_to_string(path) {
        Ok(text) => with_settings(&text, settings),
        Err(error) if error.kind() == io::ErrorKind::NotFound => with_settings(HEAD, settings),
        Err(error) => return Err(CliError::file(path)(error)),
    };
    if text.parse::<toml::Table>().is_err() {
        let names: Vec<String> =
            settings.iter().map(|setting| format!("{}.{}", setting.section, setting.name)).collect();
        return Err(CliError::Other(format!(
            "{} has sections in a form that cannot be added to: add {} to it",
            path.display(),
            names.join(", ")
        )));
    }
    Ok(Some(text))
}

/// Adds settings below the heads of their sections, and new sections at the end.
fn with_settings(text: &str, settings: &[NewSetting]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for group in settings.chunk_by(|one, next| one.section == next.section) {
        let added = group
            .iter()
            .flat_map(|setting| [format!("# {}", setting.comment), format!("{} = {}", setting.name, setting.value)]);
        let head = format!("[{}]", group[0].section);
        let place = lines.iter().position(|line| line.split('#').next().is_some_and(|line| line.trim() == head));
        match place {
            Some(place) => drop(lines.splice(place + 1..place + 1, added)),
            None => lines.extend([String::new(), head].into_iter().chain(added)),
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Replaces the file. One that is new can be read by its owner only, another keeps its owner and mode.
pub(super) fn write(path: &Path, text: &str) -> Result<(), CliError> {
    let Ok(before) = fs::metadata(path) else {
        return private_file::write(path, text.as_bytes()).map_err(CliError::file(path));
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let replaced = || {
        let new = NamedTempFile::new_in(folder)?;
        fs::write(new.path(), text)?;
        fs::set_permissions(new.path(), before.permissions())?;
        chown(new.path(), Some(before.uid()), Some(before.gid()))?;
        new.as_file().sync_all()?;
        new.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    replaced().map_err(CliError::file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(section: &'static str, name: &'static str, value: &str) -> NewSetting {
        NewSetting { section, name, value: value.to_owned(), comment: "Why." }
    }

    #[test]
    fn a_new_file_has_every_setting_with_a_comment() {
        let text = with_settings(
            "# Head\n",
            &[setting("http", "a", "1"), setting("http", "b", "2"), setting("auth", "c", "3")],
        );
        assert_eq!(text, "# Head\n\n[http]\n# Why.\na = 1\n# Why.\nb = 2\n\n[auth]\n# Why.\nc = 3\n");
    }

    #[test]
    fn a_file_keeps_what_it_has() {
        let before = "# mine\n[paths]\nvar_dir = \"/srv\"\n\n#[http]\n[auth] \nurl = \"x\"\n";
        let text = with_settings(before, &[setting("http", "a", "1"), setting("auth", "c", "3")]);
        let table: toml::Table = text.parse().unwrap();
        assert_eq!(table["paths"]["var_dir"].as_str(), Some("/srv"));
        assert_eq!((table["auth"]["url"].as_str(), table["auth"]["c"].as_integer()), (Some("x"), Some(3)));
        assert_eq!(table["http"]["a"].as_integer(), Some(1));
        assert!(text.starts_with("# mine\n[paths]\nvar_dir") && text.contains("#[http]"), "{text}");
    }

    #[test]
    fn a_file_in_another_form_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "auth = { url = 'x' }\n").unwrap();
        let refusal = complete(file.path(), &[setting("auth", "c", "3")]).unwrap_err().to_string();
        assert!(refusal.contains("add auth.c to it"), "{refusal}");
    }
}
