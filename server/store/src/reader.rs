//! The reader of documents, as far as the database knows it.

/// The version of readers and passages. It rises when the same file gives other passages: documents of an older version are read
/// again as if their files had changed.
pub(crate) const READER_VERSION: i32 = 2;
