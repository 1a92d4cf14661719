//! The version of the document reader that the database records.

/// The version of readers and passages. Increase it when the same file gives other passages: documents of an older
/// version are then read again as if their files had changed.
pub(crate) const READER_VERSION: i32 = 12;
