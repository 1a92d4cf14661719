//! Checks this machine: disk space, temporary files, the limit of open files, and whether text in pictures can be recognised.

use std::{io::Write, path::Path};

use nix::sys::{
    resource::{Resource, getrlimit},
    statvfs::statvfs,
};

use super::{Check, Subject, names, storage};
use crate::sandbox::Ocr;

/// Files that a process needs besides connections: listeners, logs, models, uploads.
const OTHER_FILES: u64 = 100;
const GIGABYTE: u64 = 1_000_000_000;
/// Room in bytes below which it is time to do something, and below which writing may fail any moment.
const LOW_SPACE: u64 = 5 * GIGABYTE;
const CRITICAL_SPACE: u64 = GIGABYTE / 2;

pub(super) async fn check(subject: &Subject) -> Vec<Check> {
    let var = subject.settings.var_dir.clone();
    let folder = subject.storage.as_ref().ok().and_then(|storage| storage.folder().map(Path::to_owned));
    let settings = &subject.settings;
    let files = u64::try_from(settings.client_connections).unwrap_or(u64::MAX);
    let needed = files.saturating_add(u64::from(settings.database_connections)).saturating_add(OTHER_FILES);
    let ocr = subject.sandbox.ocr().await;
    let uses_temporary_files =
        matches!(ocr, Ocr::Ready { .. }) || subject.storage.as_ref().is_ok_and(|storage| storage.folder().is_none());
    let looked = tokio::task::spawn_blocking(move || {
        let uploads = folder.filter(|folder| !folder.starts_with(&var));
        let folders = [Some(var), uploads].into_iter().flatten();
        let mut checks: Vec<Check> = folders.map(|folder| disk(&folder).of(folder.display().to_string())).collect();
        if uses_temporary_files {
            checks.push(temporary_files(&std::env::temp_dir()));
        }
        checks
    });
    let mut checks = vec![storage::check(subject).await];
    checks.extend(looked.await.unwrap_or_else(|_| Vec::new()));
    let allowed = getrlimit(Resource::RLIMIT_NOFILE).map_or(u64::MAX, |(soft, _)| soft);
    checks.push(open_files(allowed, needed));
    checks.push(text_recognition(ocr));
    checks
}

fn disk(folder: &Path) -> Check {
    // A missing folder is created on the disk of its nearest ancestor.
    let existing = folder.ancestors().find(|path| path.exists()).unwrap_or(folder);
    let existing = if existing.as_os_str().is_empty() { Path::new(".") } else { existing };
    match statvfs(existing) {
        Ok(disk) => {
            room(disk.blocks_available().saturating_mul(disk.fragment_size()), disk.files_available(), disk.files())
        }
        Err(error) => Check::not_checked(
            names::DISK,
            text!("The room is not known: {error}.", "Der freie Platz ist unbekannt: {error}."),
            text!("Look with `df`.", "Sehen Sie mit `df` nach."),
        ),
    }
}

/// Judges the free space of a disk: bytes, and free files of all files (0 when it does not count them).
fn room(bytes: u64, files: u64, all_files: u64) -> Check {
    let (whole, tenth) = (bytes / GIGABYTE, bytes % GIGABYTE * 10 / GIGABYTE);
    let remedy = text!(
        "Make room, or move the folder to a larger disk.",
        "Schaffen Sie Platz oder verschieben Sie den Ordner auf einen größeren Datenträger."
    );
    if all_files > 0 && files < all_files / 100 {
        let finding = text!("Only {files} more files fit.", "Es passen nur noch {files} Dateien.");
        return Check::warning(names::DISK, finding, remedy);
    }
    let finding = text!("{whole}.{tenth} GB are free.", "{whole},{tenth} GB sind frei.");
    match bytes {
        ..CRITICAL_SPACE => Check::failed(names::DISK, finding, remedy),
        CRITICAL_SPACE..LOW_SPACE => Check::warning(names::DISK, finding, remedy),
        _ => Check::ok(names::DISK, finding),
    }
}

/// Text recognition and the files of a bucket need the folder of temporary files.
fn temporary_files(folder: &Path) -> Check {
    let check = match tempfile::tempfile_in(folder).and_then(|mut file| file.write_all(b"ok")) {
        Ok(()) => {
            Check::ok(names::TEMPORARY_FILES, text!("Files can be written.", "Dateien können geschrieben werden."))
        }
        Err(error) => Check::failed(
            names::TEMPORARY_FILES,
            text!("Files cannot be written: {error}.", "Dateien können nicht geschrieben werden: {error}."),
            text!(
                "Give the user of the platform write access to the folder, or set TMPDIR to another one: text recognition and the bucket of uploads.url need it.",
                "Geben Sie dem Benutzer der Plattform Schreibrechte auf den Ordner oder setzen Sie TMPDIR auf einen anderen: Texterkennung und der Bucket aus uploads.url brauchen ihn."
            ),
        ),
    };
    check.of(folder.display().to_string())
}

fn open_files(allowed: u64, needed: u64) -> Check {
    if allowed >= needed {
        return Check::ok(
            names::OPEN_FILES,
            text!(
                "{needed} are needed at most; more are allowed.",
                "Höchstens {needed} sind nötig; mehr sind erlaubt."
            ),
        );
    }
    Check::failed(
        names::OPEN_FILES,
        text!("{allowed} are allowed; {needed} may be needed.", "{allowed} sind erlaubt; {needed} können nötig sein."),
        text!(
            "Raise the limit (LimitNOFILE= of the service, or ulimit -n), or lower http.max_connections.",
            "Erhöhen Sie die Grenze (LimitNOFILE= des Dienstes oder ulimit -n) oder senken Sie http.max_connections."
        ),
    )
}

/// Mostly information: documents with text are read without these programs.
fn text_recognition(ocr: &Ocr) -> Check {
    let finding = match ocr {
        Ocr::Off => text!("Turned off by ocr.enabled.", "Durch ocr.enabled ausgeschaltet."),
        Ocr::Missing(programs) => {
            let programs = programs.join(", ");
            text!(
                "Not installed: {programs}. Scanned pages and pictures are not read. Restart after the installation.",
                "Nicht installiert: {programs}. Gescannte Seiten und Bilder werden nicht gelesen. Starten Sie nach der Installation neu."
            )
        }
        Ocr::Unconfined(reason) => return unconfined(reason),
        Ocr::Ready { languages, .. } if languages.is_empty() => text!(
            "tesseract and pdftoppm were found, but no language of tesseract. Scanned pages and pictures are not read.",
            "tesseract und pdftoppm sind vorhanden, aber keine Sprache von tesseract. Gescannte Seiten und Bilder werden nicht gelesen."
        ),
        Ocr::Ready { languages, .. } => {
            let languages = languages.join(", ");
            text!(
                "tesseract and pdftoppm were found. Languages: {languages}.",
                "tesseract und pdftoppm sind vorhanden. Sprachen: {languages}."
            )
        }
    };
    Check::ok(names::TEXT_RECOGNITION, finding)
}

fn unconfined(reason: &str) -> Check {
    Check::warning(
        names::TEXT_RECOGNITION,
        text!(
            "The system cannot confine tesseract and pdftoppm ({reason}), so they are not started. Scanned pages and pictures are not read.",
            "Das System kann tesseract und pdftoppm nicht einschränken ({reason}), daher werden sie nicht gestartet. Gescannte Seiten und Bilder werden nicht gelesen."
        ),
        text!(
            "Use Linux 5.13 or newer with Landlock (`cat /sys/kernel/security/lsm`) and a container that allows Landlock and seccomp, or set ocr.enabled to false.",
            "Verwenden Sie Linux 5.13 oder neuer mit Landlock (`cat /sys/kernel/security/lsm`) und einen Container, der Landlock und seccomp zulässt, oder setzen Sie ocr.enabled auf false."
        ),
    )
}

#[cfg(test)]
mod tests {
    use contract::system_check::{
        CheckStatus::{Failed, Ok as Fine, Warning},
        ReportLanguage::{English, German},
    };

    use super::*;

    #[test]
    fn a_full_disk_is_found() {
        assert_eq!(room(100 * GIGABYTE, 10, 0).status, Fine);
        assert_eq!(room(2 * GIGABYTE, 10, 0).status, Warning);
        assert_eq!(room(GIGABYTE / 10, 10, 0).status, Failed);
        assert_eq!(room(100 * GIGABYTE, 10, 1_000_000).status, Warning);
        assert_eq!(disk(Path::new("not/there/yet")).name.id, "disk");
    }

    #[test]
    fn a_folder_that_cannot_hold_temporary_files_is_found() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(temporary_files(folder.path()).status, Fine);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let missing = temporary_files(&folder.path().join("missing"));
        assert_eq!(missing.status, Failed);
        assert!(missing.finding.of(English).starts_with("Files cannot be written: "), "{missing:?}");
    }

    #[test]
    fn missing_text_recognition_is_no_fault() {
        let missing = text_recognition(&Ocr::Missing(vec!["tesseract", "pdftoppm"]));
        assert_eq!(missing.status, Fine);
        assert!(missing.finding.of(English).starts_with("Not installed: tesseract, pdftoppm."), "{missing:?}");
        assert!(missing.finding.of(German).starts_with("Nicht installiert: tesseract, pdftoppm."), "{missing:?}");
        assert_eq!(text_recognition(&Ocr::Off).status, Fine);
    }

    #[test]
    fn text_recognition_without_limits_is_a_warning() {
        let unconfined = text_recognition(&Ocr::Unconfined("no landlock".to_owned()));
        assert_eq!(unconfined.status, Warning);
        assert!(unconfined.finding.of(English).contains("(no landlock)"), "{unconfined:?}");
    }

    #[test]
    fn too_few_open_files_are_found() {
        assert_eq!(open_files(1024, 1124).status, Failed);
        assert_eq!(open_files(524_288, 1124).status, Fine);
    }
}
