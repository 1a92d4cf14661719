//! Checks which files can be read before they are uploaded, by the server's rules.

use contract::media_types;

/// Endings of the files that are read.
pub const READABLE: &[&str] = &[
    "md", "markdown", "html", "htm", "xhtml", "txt", "text", "pdf", "docx", "xlsx", "pptx", "odt", "epub", "csv",
    "tsv", "jsonl", "ndjson", "png", "jpg", "jpeg", "tif", "tiff", "zip", "tar", "tgz",
];

/// Media types of archives in browsers.
const ARCHIVE_MEDIA_TYPES: &[&str] = &["application/zip", "application/x-tar", "application/gzip"];

/// Maximum bytes of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeLimits {
    /// For files other than archives.
    pub file: u64,
    /// For zip and tar archives.
    pub archive: u64,
}

impl SizeLimits {
    /// Maximum bytes of a file.
    pub fn of(self, path: &str, media_type: &str) -> u64 {
        if is_archive(path, media_type) { self.archive } else { self.file }
    }
}

/// Whether a file is an archive, by its path or, if that is not conclusive, by the browser's media type.
pub fn is_archive(path: &str, media_type: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    if [".zip", ".tar", ".tgz", ".tar.gz"].iter().any(|ending| name.ends_with(ending)) {
        return true;
    }
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    !READABLE.contains(&ending) && ARCHIVE_MEDIA_TYPES.contains(&essence.as_str())
}

/// The `accept` value of the file dialog.
pub fn accepted() -> String {
    let endings = READABLE.iter().map(|ending| format!(".{ending}"));
    endings.chain([".gz".to_owned()]).collect::<Vec<_>>().join(",")
}

/// Whether a file can be read, by its path and the browser's media type.
pub fn is_readable(path: &str, media_type: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    READABLE.contains(&ending) || name.ends_with(".tar.gz") || media_types::extension(&essence).is_some()
}

/// Whether a file of a folder is skipped, because it belongs to the system or a program.
pub fn is_hidden(path: &str) -> bool {
    path.split('/').any(|name| {
        name.starts_with('.') || name.starts_with("~$") || matches!(name, "__MACOSX" | "Thumbs.db" | "desktop.ini")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_or_the_media_type_says_what_is_read() {
        for (path, media_type) in [("a/Guide.MD", ""), ("all.tar.gz", ""), ("notes", "text/plain;charset=utf-8")] {
            assert!(is_readable(path, media_type), "{path}");
        }
        for (path, media_type) in
            [("photo.gif", "image/gif"), ("md", ""), ("folder.md/photo.gif", ""), ("a.gz.exe", "")]
        {
            assert!(!is_readable(path, media_type), "{path}");
        }
    }

    #[test]
    fn archives_have_a_limit_of_their_own() {
        let limits = SizeLimits { file: 1, archive: 2 };
        for (path, media_type, bytes) in [
            ("a/All.ZIP", "", 2),
            ("all.tar.gz", "", 2),
            ("all", "application/zip", 2),
            ("a.docx", "application/zip", 1),
            ("a.zip/b.md", "", 1),
        ] {
            assert_eq!(limits.of(path, media_type), bytes, "{path}");
        }
    }

    #[test]
    fn hidden_files_of_folders_are_left_out() {
        for path in [".git/config", "a/.DS_Store", "a/__MACOSX/b.md", "a/~$letter.docx", "a/Thumbs.db"] {
            assert!(is_hidden(path), "{path}");
        }
        assert!(!is_hidden("a/b.c.md"));
    }
}
