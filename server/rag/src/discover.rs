//! Finds the files to ingest: turns files and folders into a sorted, bounded list.

use std::{
    fs::Metadata,
    path::{Path, PathBuf},
};

use walkdir::{DirEntry, WalkDir};

/// Maximum files of one ingestion.
pub const MAX_FILES: usize = 50_000;

/// A file to read, and the folder below which it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscoveredFile {
    pub path: PathBuf,
    /// The folder that was named, or the folder of the file that was named.
    pub root: PathBuf,
    /// The reason why `path`, a folder, could not be listed.
    pub refused: Option<String>,
}

/// Why the files could not be listed.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    /// A path that was named does not exist or cannot be listed.
    #[error("{path} cannot be read: {reason}")]
    Path { path: String, reason: String },
    /// There are more than [`MAX_FILES`].
    #[error("more than {MAX_FILES} files; ingest the folders one after another")]
    TooMany,
}

/// Lists the files under `paths`, in their order and sorted within each folder. Leaves out hidden files and folders,
/// does not follow symbolic links inside folders, and lists a file that is given twice once. A nested folder that
/// cannot be listed is an entry with its reason.
///
/// # Errors
/// [`DiscoverError::Path`] when a given path cannot be read, [`DiscoverError::TooMany`] when there are too many files.
pub fn discover(paths: &[PathBuf]) -> Result<Vec<DiscoveredFile>, DiscoverError> {
    let mut files: Vec<DiscoveredFile> = Vec::new();
    let mut paths_so_far = std::collections::HashSet::new();
    for path in paths {
        let meta = std::fs::metadata(path).map_err(|error| refused(path, &error))?;
        let root = if meta.is_dir() { path.as_path() } else { path.parent().unwrap_or(Path::new("")) };
        let entries = WalkDir::new(path).sort_by_file_name().into_iter().filter_entry(is_visible);
        for entry in entries {
            let (entry, reason) = match entry {
                Ok(entry) if is_file(&entry, &meta) => (entry.into_path(), None),
                Ok(_) => continue,
                Err(error) => match error.path() {
                    Some(below) if error.depth() > 0 => (below.to_owned(), Some(reason(&error))),
                    _ => return Err(refused(path, &error)),
                },
            };
            if paths_so_far.insert(entry.clone()) {
                files.push(DiscoveredFile { path: entry, root: root.to_owned(), refused: reason });
            }
            if files.len() > MAX_FILES {
                return Err(DiscoverError::TooMany);
            }
        }
    }
    Ok(files)
}

/// A path given by the caller counts even when it is hidden.
fn is_visible(entry: &DirEntry) -> bool {
    entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.')
}

/// A link given by the caller is followed.
fn is_file(entry: &DirEntry, start: &Metadata) -> bool {
    entry.file_type().is_file() || entry.depth() == 0 && start.is_file()
}

/// The system's message without the path.
fn reason(error: &walkdir::Error) -> String {
    error.io_error().map_or_else(|| error.to_string(), ToString::to_string)
}

fn refused(path: &Path, error: &dyn std::fmt::Display) -> DiscoverError {
    DiscoverError::Path { path: path.display().to_string(), reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn folders_are_listed_sorted_without_hidden_files_and_links() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("sub/.git")).unwrap();
        for file in ["b.md", "a.md", ".secret", "sub/c.md", "sub/.git/d.md"] {
            fs::write(root.join(file), "text").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/passwd", root.join("link.md")).unwrap();
        let files = discover(&[root.to_owned(), root.join("a.md")]).unwrap();
        let names: Vec<_> = files.iter().map(|f| f.path.strip_prefix(root).unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["a.md", "b.md", "sub/c.md"]);
    }

    #[test]
    fn a_folder_that_cannot_be_listed_is_named_and_hides_no_other() {
        // Two halves of a path that is too long for the system, put together by renaming one into the other.
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let half = |name: &str| (0..10).fold(root.join(name), |path, _| path.join("x".repeat(250)));
        let (upper, lower) = (half("a"), half("b"));
        fs::create_dir_all(&upper).unwrap();
        fs::create_dir_all(&lower).unwrap();
        fs::rename(root.join("b"), upper.join("b")).unwrap();
        fs::write(root.join("c.md"), "text").unwrap();
        let files = discover(&[root.to_owned()]).unwrap();
        let [deep, file] = files.as_slice() else { panic!("{files:?}") };
        assert!(deep.path.starts_with(upper.join("b")) && deep.refused.is_some(), "{deep:?}");
        assert_eq!((file.path.clone(), &file.refused), (root.join("c.md"), &None));
    }

    #[test]
    fn a_missing_path_is_named() {
        let error = discover(&[PathBuf::from("/no/such/folder")]).unwrap_err();
        assert!(error.to_string().starts_with("/no/such/folder cannot be read: "), "{error}");
    }
}
