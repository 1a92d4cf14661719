//! This machine: where originals are kept, how much room there is, and how many files the process may open.

use std::path::Path;

use nix::sys::{
    resource::{Resource, getrlimit},
    statvfs::statvfs,
};
use uuid::Uuid;

use super::{Check, Subject, names};

/// Files that a process needs besides connections: listeners, logs, models, uploads.
const OTHER_FILES: u64 = 100;
const GIGABYTE: u64 = 1_000_000_000;
/// Room in bytes below which it is time to do something, and below which writing may fail any moment.
const LITTLE_ROOM: u64 = 5 * GIGABYTE;
const NO_ROOM: u64 = GIGABYTE / 2;

pub(super) async fn check(subject: &Subject) -> Vec<Check> {
    let (uploads, var) = (subject.uploads.clone(), subject.settings.var_dir.clone());
    let settings = &subject.settings;
    let files = u64::try_from(settings.client_connections).unwrap_or(u64::MAX);
    let needed = files.saturating_add(u64::from(settings.database_connections)).saturating_add(OTHER_FILES);
    let looked = tokio::task::spawn_blocking(move || {
        let disks = [&uploads, &var].map(|folder| disk(folder).of(folder.display().to_string()));
        let [first, second] = disks;
        let is_same = uploads.starts_with(&var);
        let storage = storage(&uploads).of(uploads.display().to_string());
        [Some(storage), Some(first), (!is_same).then_some(second)].into_iter().flatten().collect::<Vec<_>>()
    });
    let mut checks = looked.await.unwrap_or_default();
    let allowed = getrlimit(Resource::RLIMIT_NOFILE).map_or(u64::MAX, |(soft, _)| soft);
    checks.push(open_files(allowed, needed));
    checks
}

/// Writes a file into the folder, reads it and deletes it.
fn storage(folder: &Path) -> Check {
    let path = folder.join(format!(".system-check-{}", Uuid::new_v4()));
    let tried = (|| {
        std::fs::create_dir_all(folder)?;
        std::fs::write(&path, b"ok")?;
        let read = std::fs::read(&path);
        std::fs::remove_file(&path)?;
        read.map(|read| read == b"ok")
    })();
    let finding = match tried {
        Ok(true) => {
            return Check::ok(
                names::STORAGE,
                words!("Files can be written and read.", "Dateien können geschrieben und gelesen werden."),
            );
        }
        Ok(false) => words!(
            "A file was not read as it was written.",
            "Eine Datei wurde nicht so gelesen, wie sie geschrieben wurde."
        ),
        Err(error) => words!("Files cannot be written: {error}.", "Dateien können nicht geschrieben werden: {error}."),
    };
    Check::failed(
        names::STORAGE,
        finding,
        words!(
            "Give the user of the platform write access to uploads.folder. All processes need the same folder.",
            "Geben Sie dem Benutzer der Plattform Schreibrechte auf uploads.folder. Alle Prozesse brauchen denselben Ordner."
        ),
    )
}

fn disk(folder: &Path) -> Check {
    // A folder that is not there yet is made on the disk of its nearest ancestor.
    let existing = folder.ancestors().find(|path| path.exists()).unwrap_or(folder);
    let existing = if existing.as_os_str().is_empty() { Path::new(".") } else { existing };
    match statvfs(existing) {
        Ok(found) => {
            room(found.blocks_available().saturating_mul(found.fragment_size()), found.files_available(), found.files())
        }
        Err(error) => Check::not_checked(
            names::DISK,
            words!("The room is not known: {error}.", "Der freie Platz ist unbekannt: {error}."),
            words!("Look with `df`.", "Sehen Sie mit `df` nach."),
        ),
    }
}

/// What is left on a disk: bytes, and files of all that it can have (0 when it does not count them).
fn room(bytes: u64, files: u64, all_files: u64) -> Check {
    let (whole, tenth) = (bytes / GIGABYTE, bytes % GIGABYTE * 10 / GIGABYTE);
    let remedy = words!(
        "Make room, or move the folder to a larger disk.",
        "Schaffen Sie Platz oder verschieben Sie den Ordner auf einen größeren Datenträger."
    );
    if all_files > 0 && files < all_files / 100 {
        let finding = words!("Only {files} more files fit.", "Es passen nur noch {files} Dateien.");
        return Check::warning(names::DISK, finding, remedy);
    }
    let finding = words!("{whole}.{tenth} GB are free.", "{whole},{tenth} GB sind frei.");
    match bytes {
        ..NO_ROOM => Check::failed(names::DISK, finding, remedy),
        NO_ROOM..LITTLE_ROOM => Check::warning(names::DISK, finding, remedy),
        _ => Check::ok(names::DISK, finding),
    }
}

fn open_files(allowed: u64, needed: u64) -> Check {
    if allowed >= needed {
        return Check::ok(
            names::OPEN_FILES,
            words!(
                "{needed} are needed at most; more are allowed.",
                "Höchstens {needed} sind nötig; mehr sind erlaubt."
            ),
        );
    }
    Check::failed(
        names::OPEN_FILES,
        words!("{allowed} are allowed; {needed} may be needed.", "{allowed} sind erlaubt; {needed} können nötig sein."),
        words!(
            "Raise the limit (LimitNOFILE= of the service, or ulimit -n), or lower http.max_connections.",
            "Erhöhen Sie die Grenze (LimitNOFILE= des Dienstes oder ulimit -n) oder senken Sie http.max_connections."
        ),
    )
}

#[cfg(test)]
mod tests {
    use contract::system_check::CheckStatus::{Failed, Ok as Fine, Warning};

    use super::*;

    #[test]
    fn a_folder_that_cannot_be_written_is_found_and_left_clean() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(storage(&folder.path().join("new")).status, Fine);
        assert_eq!(std::fs::read_dir(folder.path().join("new")).unwrap().count(), 0);
        let file = folder.path().join("file");
        std::fs::write(&file, "x").unwrap();
        assert_eq!(storage(&file.join("below")).status, Failed);
    }

    #[test]
    fn a_full_disk_is_found() {
        assert_eq!(room(100 * GIGABYTE, 10, 0).status, Fine);
        assert_eq!(room(2 * GIGABYTE, 10, 0).status, Warning);
        assert_eq!(room(GIGABYTE / 10, 10, 0).status, Failed);
        assert_eq!(room(100 * GIGABYTE, 10, 1_000_000).status, Warning);
        assert_eq!(disk(Path::new("not/there/yet")).name.id, "disk");
    }

    #[test]
    fn too_few_open_files_are_found() {
        assert_eq!(open_files(1024, 1124).status, Failed);
        assert_eq!(open_files(524_288, 1124).status, Fine);
    }
}
