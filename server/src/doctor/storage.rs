//! Checks the storage of uploaded files: whether it is usable, and whether it has all files.

use std::time::Duration;

use store::{
    Scope,
    uploads::{StorageId, other_storages},
};
use uuid::Uuid;

use super::{Check, Subject, names, text::Text};
use crate::storage::{Error, Storage};

const TIMEOUT: Duration = Duration::from_secs(15);

pub(super) async fn check(subject: &Subject) -> Check {
    let storage = match &subject.storage {
        Ok(storage) => storage,
        Err(error) => return Check::failed(names::STORAGE, Text::error(error), remedy()),
    };
    let tried = tokio::time::timeout(TIMEOUT, try_out(storage)).await;
    let check = match tried.unwrap_or_else(|_| Err(Error::Bucket("it did not answer in time".to_owned()))) {
        Ok((id, true)) => others(subject, id).await,
        Ok((_, false)) => Check::failed(
            names::STORAGE,
            text!(
                "A file was not read as it was written.",
                "Eine Datei wurde nicht so gelesen, wie sie geschrieben wurde."
            ),
            remedy(),
        ),
        Err(error) => Check::failed(
            names::STORAGE,
            text!("Files cannot be written: {error}.", "Dateien können nicht geschrieben werden: {error}."),
            remedy(),
        ),
    };
    check.of(storage.to_string())
}

/// Writes a file, reads it and removes it. Returns the storage's id and whether the file was read as written.
async fn try_out(storage: &Storage) -> Result<(StorageId, bool), Error> {
    let id = storage.id().await?;
    let key = format!(".system-check-{}", Uuid::new_v4());
    let is_same = is_kept(storage, &key).await;
    storage.remove(&key).await?;
    Ok((id, is_same?))
}

/// Writes a file and returns whether it is read as written.
async fn is_kept(storage: &Storage, key: &str) -> Result<bool, Error> {
    let mut writer = storage.create(key).await?;
    writer.write("ok".into()).await?;
    let hash = writer.finish().await?;
    Ok(storage.fetch(key).await?.has_hash(&hash).await?)
}

/// Whether uploaded files are in storages that this process does not read.
async fn others(subject: &Subject, id: StorageId) -> Check {
    let fine = Check::ok(
        names::STORAGE,
        text!("Files can be written and read.", "Dateien können geschrieben und gelesen werden."),
    );
    // Problems of the database are reported by its own check.
    let Ok(database) = &subject.database else { return fine };
    let Ok(mut tx) = database.read(&Scope::system()).await else { return fine };
    let Ok(others) = other_storages(&mut tx, id).await else { return fine };
    if others.is_empty() {
        return fine;
    }
    let files: i64 = others.iter().map(|(_, files)| files).sum();
    let ids = others.iter().map(|(id, _)| id.to_string()).collect::<Vec<_>>().join(", ");
    Check::warning(
        names::STORAGE,
        text!(
            "Uploaded files in storages that this process cannot read: {files} ({ids}). Its own storage is {id}.",
            "Hochgeladene Dateien in Ablagen, die dieser Prozess nicht lesen kann: {files} ({ids}). Seine eigene Ablage ist {id}."
        ),
        text!(
            "Give all processes the same uploads.folder or uploads.url. Copy the files of a former storage into the present one.",
            "Geben Sie allen Prozessen dieselbe Einstellung uploads.folder oder uploads.url. Kopieren Sie die Dateien einer früheren Ablage in die jetzige."
        ),
    )
}

fn remedy() -> Text {
    text!(
        "Give the user of the platform write access to uploads.folder, or its key rights to read, write and delete in the bucket of uploads.url.",
        "Geben Sie dem Benutzer der Plattform Schreibrechte auf uploads.folder oder seinem Schlüssel das Recht, im Bucket von uploads.url zu lesen, zu schreiben und zu löschen."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_folder_is_tried_out_and_left_clean() {
        let folder = tempfile::tempdir().unwrap();
        let new = folder.path().join("new");
        let storage = Storage::in_folder(new.clone());
        assert_eq!(try_out(&storage).await.unwrap(), (storage.id().await.unwrap(), true));
        let remaining: Vec<_> = std::fs::read_dir(new).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(remaining, [".storage-id"]);
    }

    #[tokio::test]
    async fn a_folder_that_cannot_be_written_is_found() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let storage = Storage::in_folder(file.path().join("below"));
        assert!(matches!(try_out(&storage).await, Err(Error::Io(_))));
    }
}
