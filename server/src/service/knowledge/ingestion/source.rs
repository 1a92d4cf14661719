//! Names sources by their absolute path, so that the same relative path in two folders gives two sources, and two
//! spellings of one folder give one.

use std::{
    collections::{HashMap, HashSet},
    io,
    path::{Component, Path, PathBuf},
};

use contract::id::{DocumentId, SourceId};
use rag::discover::DiscoveredFile;
use store::documents::OtherSourceContent;

/// A source of this run.
pub(super) struct IngestedSource {
    pub(super) id: SourceId,
    /// Its documents by path.
    pub(super) documents: HashMap<String, Known>,
    /// Paths that still have a file.
    pub(super) paths: HashSet<String>,
    /// Whether it had a relative path for a name until now.
    pub(super) renamed: bool,
}

/// A document of its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) id: DocumentId,
    /// Empty when an older reader created its passages.
    pub(super) hash: String,
}

impl IngestedSource {
    /// Keeps what was read of a path before, also with `--prune`: of a file, or of everything below a folder or an
    /// archive.
    pub(super) fn keep(&mut self, path: &str) {
        let below = |document_path: &str| {
            document_path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.paths.extend(self.documents.keys().filter(|document_path| below(document_path)).cloned());
    }

    /// The paths whose files were deleted.
    pub(super) fn deleted_paths(&self) -> impl Iterator<Item = &String> {
        self.documents.keys().filter(|path| !self.renamed && !self.paths.contains(*path))
    }
}

/// Where a document with known content is.
#[derive(PartialEq, Eq)]
pub(super) struct ContentLocation {
    pub(super) source: SourceId,
    pub(super) name: String,
    pub(super) path: String,
}

impl ContentLocation {
    /// Its path, after the source's name when that is another one.
    pub(super) fn seen_from(&self, source: SourceId) -> String {
        let Self { name, path, .. } = self;
        if self.source == source { path.clone() } else { format!("{name}/{path}") }
    }
}

impl From<OtherSourceContent> for ContentLocation {
    fn from(OtherSourceContent { source, name, path, .. }: OtherSourceContent) -> Self {
        Self { source: SourceId(source), name, path }
    }
}

/// The absolute path without `.` and `..`, keeping links; unchanged when it does not exist.
pub(in crate::service) fn absolute(path: &Path) -> PathBuf {
    let whole = || -> io::Result<PathBuf> {
        let mut whole = PathBuf::new();
        for part in std::path::absolute(path)?.components() {
            match part {
                Component::ParentDir => {
                    whole = whole.canonicalize()?;
                    whole.pop();
                }
                part => whole.push(part),
            }
        }
        Ok(whole)
    };
    whole().unwrap_or_else(|_| path.to_owned())
}

/// The name of the source that a path is.
pub(super) fn name_of(path: &Path) -> String {
    path.display().to_string()
}

/// The name of the source that a file belongs to: the path that was named.
pub(super) fn source_name(file: &DiscoveredFile, paths: &[PathBuf]) -> String {
    let given_path = paths.iter().find(|path| **path == file.path || **path == file.root);
    name_of(given_path.map_or(file.root.as_path(), PathBuf::as_path))
}

/// A former, relative name of a source that resolves to `path` from here.
pub(super) fn former_name<'a>(names: &'a [String], path: &Path) -> Option<&'a String> {
    let leads_here = |name: &&String| Path::new(name).is_relative() && absolute(Path::new(name)) == path;
    names.iter().find(leads_here)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_one_name_however_it_is_written() {
        let here = std::env::current_dir().unwrap();
        for (written, name) in
            [("src", "src"), ("./src/", "src"), ("src/service/..", "src"), (".", ""), ("no/such", "no/such")]
        {
            assert_eq!(absolute(Path::new(written)), here.join(name), "{written}");
        }
        assert_eq!(absolute(Path::new("..")), here.parent().unwrap());
        assert_eq!(absolute(Path::new("/no/such/../x")), Path::new("/no/such/../x"));
    }

    #[test]
    fn documents_below_an_unreadable_path_are_kept() {
        let document_paths = ["a.zip/x.md", "a.zip/b/y.md", "a.zipped/z.md", "c.md"];
        let document = Known { id: DocumentId(uuid::Uuid::nil()), hash: String::new() };
        let document_paths = document_paths.into_iter().map(|path| (path.to_owned(), document.clone())).collect();
        let mut source = IngestedSource {
            id: SourceId(uuid::Uuid::nil()),
            documents: document_paths,
            paths: HashSet::new(),
            renamed: false,
        };
        source.keep("a.zip");
        let mut deleted: Vec<_> = source.deleted_paths().collect();
        deleted.sort();
        assert_eq!(deleted, ["a.zipped/z.md", "c.md"]);
    }
}
