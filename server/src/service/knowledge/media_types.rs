//! The media types of readable files, which the consoles use, too.

pub use contract::media_types::{extension, of_extension};

#[cfg(test)]
mod tests {
    use rag::document::{archive, is_document_type};

    use contract::media_types::MEDIA_TYPES;

    #[test]
    fn the_console_sends_what_is_read_and_nothing_else() {
        for extension in app::upload_kinds::READABLE {
            assert!(is_document_type(extension) || archive::is_archive(extension), "{extension}");
        }
        for (media_type, extensions) in MEDIA_TYPES {
            assert!(app::upload_kinds::is_readable("notes", media_type), "{media_type}");
            for extension in *extensions {
                assert!(app::upload_kinds::is_readable(&format!("notes.{extension}"), ""), "{extension}");
            }
        }
    }

    #[test]
    fn every_media_type_is_of_files_that_are_read() {
        for extension in MEDIA_TYPES.iter().flat_map(|(_, extensions)| *extensions) {
            assert!(is_document_type(extension) || archive::is_archive(extension), "{extension}");
        }
    }
}
