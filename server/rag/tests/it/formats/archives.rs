//! Archives, whose files are documents of their own.

use std::{fs, path::PathBuf};

use rag::document::{
    Unreadable,
    archive::{self, Contents, Event, Options},
};
use tempfile::TempDir;

use super::zip;

/// Maximum bytes of a file in an archive.
const LIMIT: u64 = 1024 * 1024;

#[test]
fn archives_give_their_files_one_by_one_and_name_the_bad_ones() {
    let folder = TempDir::new().unwrap();
    let large = vec![b'a'; usize::try_from(LIMIT).unwrap() + 1];
    let files: [(&str, &[u8]); 6] = [
        ("docs/a.md", b"# A\n\nText."),
        ("docs/bad.md", b"\xff\x80"),
        ("__MACOSX/docs/a.md", b"x"),
        (".hidden.md", b"# H\n\nHidden."),
        ("big.txt", &large),
        ("picture.png", b"PNG"),
    ];
    fs::write(folder.path().join("all.zip"), zip(&files)).unwrap();
    let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        tar.append_data(&mut header, name, bytes).unwrap();
    }
    fs::write(folder.path().join("all.tgz"), tar.into_inner().unwrap().finish().unwrap()).unwrap();
    for name in ["all.zip", "all.tgz"] {
        let (mut documents, mut refused) = (Vec::new(), Vec::new());
        let path: PathBuf = folder.path().join(name);
        let file_type = archive::file_type(name).unwrap();
        let options = Options { file_type, pictures: false, max_file_bytes: LIMIT };
        archive::read(fs::File::open(&path).unwrap(), name, options, &mut |event| {
            match event {
                Event::Next(_) => {}
                Event::Read(_, Ok(document), _) => documents.push((document.path, document.title)),
                Event::Read(path, Err(_), _) => refused.push(path),
            }
            true
        })
        .unwrap();
        let contents = archive::contents(fs::File::open(&path).unwrap(), options);
        assert_eq!(contents.unwrap(), Contents { files: 4, pages: true });
        assert_eq!(documents, [(format!("{name}/docs/a.md"), "A".to_owned())]);
        assert_eq!(refused, ["docs/bad.md", "big.txt", "picture.png"].map(|path| format!("{name}/{path}")));
    }
}

/// The paths of the documents of an archive.
fn paths(name: &str, bytes: &[u8]) -> Vec<String> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let options = Options { file_type: archive::file_type(name).unwrap(), pictures: false, max_file_bytes: LIMIT };
    let mut paths = Vec::new();
    archive::read(fs::File::open(&path).unwrap(), name, options, &mut |event| {
        if let Event::Read(path, result, _) = event {
            result.unwrap();
            paths.push(path);
        }
        true
    })
    .unwrap();
    paths
}

#[test]
fn names_in_old_encodings_are_decoded_and_composed() {
    let text = b"# A\n\nText.".as_slice();
    // The writer takes names in UTF-8 only.
    let renamed = |bytes: Vec<u8>, from: &[u8], to: &[u8]| {
        let mut bytes = bytes;
        while let Some(at) = bytes.windows(from.len()).position(|window| window == from) {
            bytes[at..at + to.len()].copy_from_slice(to);
        }
        bytes
    };
    let western = renamed(zip(&[("x/GrXXe.md", text)]), b"GrXXe", b"Gr\x81\xe1e");
    assert_eq!(paths("a.zip", &western), ["a.zip/x/Grüße.md"]);
    let japanese = renamed(zip(&[("XXYYZZ.md", text)]), b"XXYYZZ", b"\x97\xbf\x8b\xe0\x95\x5c");
    assert_eq!(paths("a.zip", &japanese), ["a.zip/料金表.md"], "its last byte is a backslash");
    let archive = zip(&[("Gru\u{308}ße.md", text)]);
    assert_eq!(paths("a.zip", &archive), ["a.zip/Grüße.md"]);
    let mut tar = tar::Builder::new(Vec::new());
    for name in ["Gr\u{fc}\u{df}e.md", "o\u{308}l.md"] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        tar.append_data(&mut header, name, text).unwrap();
    }
    let mut header = tar::Header::new_old();
    header.as_mut_bytes()[..8].copy_from_slice(b"Gr\xfcn.md\0");
    header.set_size(text.len() as u64);
    header.set_entry_type(tar::EntryType::Regular);
    header.set_cksum();
    tar.append(&header, text).unwrap();
    assert_eq!(paths("a.tar", &tar.into_inner().unwrap()), ["a.tar/Grüße.md", "a.tar/öl.md", "a.tar/Grün.md"]);
}

/// A reader that begins again after a crash counts the announced files.
#[test]
fn folders_of_an_archive_are_not_announced() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("all.zip");
    fs::write(&path, zip(&[("docs/", b""), ("docs/a.md", b"# A\n\nText.")])).unwrap();
    let mut paths = Vec::new();
    let options = Options { file_type: "zip", pictures: false, max_file_bytes: LIMIT };
    archive::read(fs::File::open(&path).unwrap(), "all.zip", options, &mut |event| {
        if let Event::Next(path) = event {
            paths.push(path);
        }
        true
    })
    .unwrap();
    assert_eq!(paths, ["all.zip/docs/a.md"]);
}

#[test]
fn an_archive_hands_out_its_pictures_where_they_are_wanted() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("all.zip");
    let large = vec![b'a'; usize::try_from(LIMIT).unwrap() + 1];
    fs::write(&path, zip(&[("a.txt", b"A\n\nText."), ("b.png", b"\x89PNG b"), ("large.jpg", &large)])).unwrap();
    for (pictures, expected) in [
        (false, [("b.png", "unsupported_type", 0), ("large.jpg", "unsupported_type", 0)]),
        (true, [("b.png", "scanned", 6), ("large.jpg", "too_large", 0)]),
    ] {
        let mut refused = Vec::new();
        let options = Options { file_type: "zip", pictures, max_file_bytes: LIMIT };
        archive::read(fs::File::open(&path).unwrap(), "all.zip", options, &mut |event| {
            if let Event::Read(path, Err(reason), bytes) = event {
                refused.push((path, reason.code(), bytes.len()));
            }
            true
        })
        .unwrap();
        assert_eq!(refused, expected.map(|(path, code, bytes)| (format!("all.zip/{path}"), code, bytes)));
        let contents = archive::contents(fs::File::open(&path).unwrap(), options).unwrap();
        assert_eq!(contents, Contents { files: 3, pages: false });
    }
}

#[test]
fn a_file_that_an_archive_ends_in_is_refused() {
    let folder = TempDir::new().unwrap();
    let text = format!("# A\n\n{}", "Text. ".repeat(500));
    let mut tar = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    tar.append_data(&mut header, "a.md", text.as_bytes()).unwrap();
    let path: PathBuf = folder.path().join("a.tar");
    fs::write(&path, &tar.into_inner().unwrap()[..2048]).unwrap();
    let mut results = Vec::new();
    let options = Options { file_type: "tar", pictures: false, max_file_bytes: LIMIT };
    let whole = archive::read(fs::File::open(&path).unwrap(), "a.tar", options, &mut |event| {
        if let Event::Read(_, read, _) = event {
            results.push(read.map(|document| document.sections));
        }
        true
    });
    assert!(matches!(results.as_slice(), [Err(Unreadable::Malformed(..))]), "{results:?}");
    assert!(whole.is_err());
}

#[test]
fn an_archive_that_is_none_is_refused_as_a_whole() {
    let folder = TempDir::new().unwrap();
    for name in ["a.zip", "b.tar", "c.tar.gz"] {
        let path = folder.path().join(name);
        fs::write(&path, b"this is no archive, and long enough to look like a header of one".repeat(20)).unwrap();
        let file = fs::File::open(&path).unwrap();
        let file_type = archive::file_type(name).unwrap();
        let options = Options { file_type, pictures: false, max_file_bytes: LIMIT };
        let read = archive::read(file, name, options, &mut |_| true);
        assert!(matches!(read, Err(Unreadable::Malformed(..))), "{name}");
    }
}
