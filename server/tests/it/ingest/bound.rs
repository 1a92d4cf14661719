//! The maximum size of a file, alone and in an archive.

use std::fs;

use super::{ingest, titles};
use crate::{sandbox::padded_text, support::Platform};

#[tokio::test]
async fn files_and_those_of_archives_have_the_bound_of_uploads() {
    let platform = Platform::start_with(|settings| settings.uploads.max_file_bytes = 12 * 1024 * 1024).await;
    let tenant = platform.add_tenant("one").await;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("beyond.txt"), padded_text("Beyond", 13_000_000)).unwrap();
    fs::write(folder.path().join("large.txt"), padded_text("Large", 12_000_000)).unwrap();
    let inner = [("beyond.txt", padded_text("Beyond", 13_000_000)), ("inner.txt", padded_text("Inner", 12_000_000))];
    let mut archive = tar::Builder::new(fs::File::create(folder.path().join("manuals.tar")).unwrap());
    for (name, text) in inner {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        archive.append_data(&mut header, name, text.as_slice()).unwrap();
    }
    archive.finish().unwrap();
    let report = ingest(&platform, tenant, &[folder.path()], false).await;
    assert_eq!(titles(&platform, tenant).await, ["Large", "Inner"], "{report}");
    let reason = "the file has more than the 12582912 bytes that are read".to_owned();
    let expected = [("beyond.txt".to_owned(), reason.clone()), ("manuals.tar/beyond.txt".to_owned(), reason)];
    assert_eq!(report.skipped, expected, "{report}");
}
