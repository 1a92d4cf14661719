//! DOCX, questions and archives to documents.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::{fs, io::Write as _, path::PathBuf};

use rag::{
    chunk::{ChunkLimits, chunk},
    document::{
        Document, Layout, MAX_BYTES, Unreadable,
        archive::{self, Event},
        read_document,
    },
};
use tempfile::TempDir;

fn read(name: &str, content: &[u8]) -> Result<Document, Unreadable> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    read_document(&path, folder.path())
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut bytes);
    for (name, content) in files {
        let file = archive.new_file(name).compression_method(rawzip::CompressionMethod::DEFLATE);
        let (mut entry, config) = file.start().unwrap();
        let mut writer = config.wrap(flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::fast()));
        writer.write_all(content).unwrap();
        let (encoder, descriptor) = writer.finish().unwrap();
        encoder.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

fn docx(body: &str) -> Vec<u8> {
    let w = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"";
    let main = format!("<w:document {w}><w:body>{body}</w:body></w:document>");
    let styles = format!(
        "<w:styles {w}><w:style w:styleId=\"berschrift1\"><w:name w:val=\"heading 1\"/></w:style>
         <w:style w:styleId=\"Own\"><w:name w:val=\"Own\"/><w:pPr><w:outlineLvl w:val=\"1\"/></w:pPr></w:style></w:styles>"
    );
    zip(&[("word/document.xml", main.as_bytes()), ("word/styles.xml", styles.as_bytes())])
}

fn paragraph(style: &str, text: &str) -> String {
    let style = if style.is_empty() { String::new() } else { format!("<w:pStyle w:val=\"{style}\"/>") };
    format!("<w:p><w:pPr>{style}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

#[test]
fn a_broken_docx_is_refused_with_a_sentence() {
    for (name, bytes) in [("c.docx", b"PK no zip".as_slice()), ("d.docx", &zip(&[]))] {
        let reason = read(name, bytes).unwrap_err().to_string();
        assert!(reason.starts_with("the file is no valid "), "{name}: {reason}");
    }
    let doctype = zip(&[("word/document.xml", b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>")]);
    assert!(read("e.docx", &doctype).unwrap_err().to_string().starts_with("the file is no valid DOCX"));
}

#[test]
fn a_docx_keeps_headings_lists_and_tables_whatever_its_styles_are_called() {
    let item = |text: &str| {
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        )
    };
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph("", text));
    let body = [
        paragraph("berschrift1", "Returns"),
        "<w:p><w:r><w:t>Send it </w:t></w:r><w:del><w:r><w:delText>never</w:delText></w:r></w:del><w:r><w:t>back.</w:t></w:r></w:p>".to_owned(),
        paragraph("Own", "What we need"),
        item("the bill"),
        item("the box"),
        format!("<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>", cell("Days"), cell("Fee"), cell("30"), cell("0 EUR")),
    ]
    .concat();
    let document = read("returns.docx", &docx(&body)).unwrap();
    assert_eq!(document.title, "Returns");
    assert_eq!(document.sections[0].text, "Send it back.");
    assert_eq!(document.sections[1].heading_path, ["Returns", "What we need"]);
    assert_eq!(document.sections[1].text, "- the bill\n- the box\n\n| Days | Fee |\n|---|---|\n| 30 | 0 EUR |");
}

#[test]
fn a_docx_that_is_nested_without_end_is_refused_and_one_that_is_nested_is_read() {
    let nested = |depth: usize| {
        let (open, close) = ("<w:sdt>".repeat(depth), "</w:sdt>".repeat(depth));
        read("deep.docx", &docx(&format!("{open}{}{close}", paragraph("", "Deep."))))
    };
    assert_eq!(nested(100).unwrap().sections[0].text, "Deep.");
    let reason = nested(200_000).unwrap_err().to_string();
    assert_eq!(reason, "the file is no valid DOCX: its elements are nested too deeply");
}

#[test]
fn a_paragraph_within_a_paragraph_of_a_cell_is_read_once() {
    let inner = (0..20).fold("<w:p><w:r><w:t>Once.</w:t></w:r></w:p>".to_owned(), |p, _| format!("<w:p>{p}</w:p>"));
    let cell = |text: &str| format!("<w:tc>{text}</w:tc>");
    let row = format!("<w:tbl><w:tr>{}{}</w:tr></w:tbl>", cell(&inner), cell(&paragraph("", "Twice.")));
    let document = read("table.docx", &docx(&row)).unwrap();
    assert_eq!(document.sections[0].text, "| Once. | Twice. |\n|---|---|");
}

#[test]
fn questions_and_answers_stand_each_for_themselves() {
    let csv = "Frage;Antwort\r\n\"Wann; wo?\";\"Um neun.\n\nAm Tor.\"\n;\nWer?;Wir.\n";
    let document = read("faq.csv", csv.as_bytes()).unwrap();
    assert_eq!(document.layout, Layout::Entries);
    let passages = chunk(&document, &ChunkLimits::default());
    let entries: Vec<_> = passages.iter().map(|passage| (passage.heading.as_str(), passage.content.as_str())).collect();
    assert_eq!(entries, [("Wann; wo?", "Um neun.\n\nAm Tor."), ("Wer?", "Wir.")]);
    let lines = "{\"question\":\"Who?\",\"answer\":\"We.\"}\n\n{\"q\":\"When?\",\"a\":\"Now.\"}\n";
    assert_eq!(read("faq.jsonl", lines.as_bytes()).unwrap().sections.len(), 2);
    let refused = |name: &str, text: &str| read(name, text.as_bytes()).unwrap_err().to_string();
    assert_eq!(refused("a.csv", "x,y\n1,2\n"), "the table has no columns \"question\" and \"answer\"");
    assert_eq!(refused("a.csv", "question,answer\nWho?,\n"), "row 2 has no answer");
    assert_eq!(refused("a.jsonl", "{\"question\":\"Who?\",\"answer\":\"We.\"}\nno\n"), "line 2 is no JSON object");
}

#[test]
fn archives_give_their_files_one_by_one_and_name_the_bad_ones() {
    let folder = TempDir::new().unwrap();
    let large = vec![b'a'; usize::try_from(MAX_BYTES).unwrap() + 1];
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
        archive::read(fs::File::open(&path).unwrap(), name, archive::file_type(name).unwrap(), &mut |event| {
            match event {
                Event::Next(_) => {}
                Event::Read(_, Ok(document)) => documents.push((document.path, document.title)),
                Event::Read(path, Err(_)) => refused.push(path),
            }
            true
        })
        .unwrap();
        let counted = archive::count(fs::File::open(&path).unwrap(), archive::file_type(name).unwrap());
        assert_eq!(counted.unwrap(), 4);
        assert_eq!(documents, [(format!("{name}/docs/a.md"), "A".to_owned())]);
        assert_eq!(refused, ["docs/bad.md", "big.txt", "picture.png"].map(|path| format!("{name}/{path}")));
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
    let mut found = Vec::new();
    let whole = archive::read(fs::File::open(&path).unwrap(), "a.tar", "tar", &mut |event| {
        if let Event::Read(_, read) = event {
            found.push(read.map(|document| document.sections));
        }
        true
    });
    assert!(matches!(found.as_slice(), [Err(Unreadable::Malformed(..))]), "{found:?}");
    assert!(whole.is_err());
}

#[test]
fn an_archive_that_is_none_is_refused_as_a_whole() {
    let folder = TempDir::new().unwrap();
    for name in ["a.zip", "b.tar", "c.tar.gz"] {
        let path = folder.path().join(name);
        fs::write(&path, b"this is no archive, and long enough to look like a header of one".repeat(20)).unwrap();
        let file = fs::File::open(&path).unwrap();
        let read = archive::read(file, name, archive::file_type(name).unwrap(), &mut |_| true);
        assert!(matches!(read, Err(Unreadable::Malformed(..))), "{name}");
    }
}
