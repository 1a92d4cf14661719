//! PDF files to documents.

use std::{fmt::Write as _, fs};

use rag::document::{Document, Unreadable, read_document};
use tempfile::TempDir;

mod fonts;
pub(crate) mod layout;
mod lines;
pub(crate) mod losses;
mod prices;
mod sheets;
mod tagged;
mod visible;

fn read(content: &[u8]) -> Result<Document, Unreadable> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("manual.pdf");
    fs::write(&path, content).unwrap();
    read_document(&path, folder.path())
}

/// A PDF with one line of Helvetica for each text of each page, and a title.
fn pdf(title: &str, pages: &[&[&str]]) -> Vec<u8> {
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        String::new(),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
        format!("<< /Title ({title}) >>"),
    ];
    let mut kids = String::new();
    for lines in pages {
        let number = objects.len() + 1;
        write!(kids, "{number} 0 R ").unwrap();
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {} 0 R
             /Resources << /Font << /F1 3 0 R >> >> >>",
            number + 1
        ));
        let mut stream = "BT /F1 12 Tf 72 760 Td 14 TL ".to_owned();
        for line in *lines {
            // An empty line leaves a gap, which separates paragraphs.
            stream.push_str(&if line.is_empty() { "T* ".to_owned() } else { format!("{} T* ", operation(line)) });
        }
        stream.push_str("ET");
        objects.push(format!("<< /Length {} >>\nstream\n{stream}\nendstream", stream.len()));
    }
    objects[1] = format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len());
    let mut file = "%PDF-1.4\n".to_owned();
    let mut table = String::new();
    for (number, object) in (1..).zip(&objects) {
        writeln!(table, "{:010} 00000 n ", file.len()).unwrap();
        write!(file, "{number} 0 obj\n{object}\nendobj\n").unwrap();
    }
    let (start, size) = (file.len(), objects.len() + 1);
    write!(
        file,
        "xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R /Info 4 0 R >>\nstartxref\n{start}\n%%EOF\n"
    )
    .unwrap();
    file.into_bytes()
}

/// A line's operation; one that begins with a bracket is an operation already.
fn operation(line: &str) -> String {
    if line.starts_with('[') { line.to_owned() } else { format!("({line}) Tj") }
}

fn text(document: &Document) -> Vec<&str> {
    document.sections.iter().map(|section| section.text.as_str()).collect()
}

#[test]
fn a_pdf_gives_a_section_for_each_page_and_its_own_title() {
    let file = pdf(
        "The manual",
        &[
            &["Running head", "Turn the machine on with", "the red button.", "1"],
            &["Running head", "Clean it every instal-", "lation day.", "2"],
            &["Running head", "Call us when it smokes.", "3"],
        ],
    );
    let document = read(&file).unwrap();
    assert_eq!(document.title, "The manual");
    let pages: Vec<_> = document.sections.iter().map(|s| (s.heading_path[0].as_str(), s.anchor.as_deref())).collect();
    assert_eq!(pages, [("Page 1", Some("page=1")), ("Page 2", Some("page=2")), ("Page 3", Some("page=3"))]);
    let text: Vec<_> = document.sections.iter().map(|section| section.text.as_str()).collect();
    assert!(text[0].contains("Turn the machine on with the red button."), "{text:?}");
    assert!(text[1].contains("installation day"), "{text:?}");
    assert!(text.iter().all(|text| !text.contains("Running head")), "{text:?}");
}

#[test]
fn words_are_parted_by_gaps_and_not_by_the_spacing_of_letters() {
    let lines = ["[(T) 60 (urn) -300 (it) -30 (s) -400 (b) 20 (utton) -310 (on.)] TJ"];
    let document = read(&pdf("x", &[&lines])).unwrap();
    assert_eq!(text(&document), ["Turn its button on."]);
}

#[test]
fn turned_text_has_the_same_words_and_lines() {
    for matrix in ["0 1 -1 0", "0 -1 1 0", "-1 0 0 -1"] {
        let first = format!("[()] TJ {matrix} 300 400 Tm [(T) 60 (urn) -300 (it)] TJ");
        let document =
            read(&pdf("x", &[&[first.as_str(), "[(o) 20 (n) -400 (now.)] TJ", "", "[(Then) -300 (off.)] TJ"]]))
                .unwrap();
        assert_eq!(text(&document), ["Turn it on now.\n\nThen off."], "{matrix}");
    }
}

#[test]
fn a_gap_between_lines_ends_a_paragraph() {
    let document = read(&pdf("x", &[&["One line", "and the next.", "", "Another paragraph."]])).unwrap();
    assert_eq!(text(&document), ["One line and the next.\n\nAnother paragraph."]);
}

#[test]
fn a_broken_pdf_is_refused_with_a_sentence() {
    let whole = pdf("x", &[&["Text."]]);
    for bytes in [b"no pdf".as_slice(), b"%PDF-1.4\n", &whole[..40]] {
        let reason = read(bytes).unwrap_err().to_string();
        assert!(reason.starts_with("the file is not valid PDF"), "{reason}");
    }
}

#[test]
fn no_damage_of_a_file_stops_the_reader() {
    let whole = pdf("x", &[&["Text of the first page."], &["Text of the second page."]]);
    for at in (0..whole.len()).step_by(7) {
        for byte in [0, b'(', b'<', b'9', 0xFF] {
            let mut damaged = whole.clone();
            damaged[at] = byte;
            let _ = read(&damaged);
        }
        let _ = read(&whole[..at]);
    }
}

#[test]
fn a_filter_may_be_an_object_of_its_own() {
    let mut file = lopdf::Document::load_mem(&pdf("x", &[&["A parking permit costs 30 euros."]])).unwrap();
    file.compress();
    let name = lopdf::Object::Name(b"FlateDecode".to_vec());
    let [alone, in_list] = [file.add_object(name.clone()), file.add_object(name)];
    for filter in [lopdf::Object::Reference(alone), vec![lopdf::Object::Reference(in_list)].into()] {
        for object in file.objects.values_mut() {
            if let Ok(stream) = object.as_stream_mut() {
                // Short content is not compressed otherwise.
                if !stream.dict.has(b"Filter") {
                    let plain = std::mem::take(&mut stream.content);
                    stream.set_content(deflated(&plain));
                }
                stream.dict.set("Filter", filter.clone());
            }
        }
        let mut bytes = Vec::new();
        file.save_to(&mut bytes).unwrap();
        assert_eq!(text(&read(&bytes).unwrap()), ["A parking permit costs 30 euros."]);
    }
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_pdf_whose_pages_are_encrypted_says_so() {
    let file = String::from_utf8(pdf("x", &[])).unwrap().replace("/Info 4 0 R", "/Encrypt 9 0 R");
    assert!(matches!(read(file.as_bytes()), Err(Unreadable::Encrypted)), "{:?}", read(file.as_bytes()));
}

#[test]
fn a_pdf_without_text_is_named_as_scanned() {
    assert!(matches!(read(&pdf("x", &[&[""], &[""]])), Err(Unreadable::Scanned(2))));
}

#[test]
fn a_pdf_that_wants_a_password_is_named_as_encrypted() {
    let mut file = lopdf::Document::load_mem(&pdf("x", &[&["Text."]])).unwrap();
    let id = lopdf::Object::string_literal("0123456789abcdef");
    file.trailer.set("ID", vec![id.clone(), id]);
    let version = lopdf::EncryptionVersion::V2 {
        document: &file,
        owner_password: "owner",
        user_password: "user",
        key_length: 128,
        permissions: lopdf::Permissions::all(),
    };
    let state = lopdf::EncryptionState::try_from(version).unwrap();
    file.encrypt(&state).unwrap();
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    let refused = read(&bytes);
    assert!(matches!(refused, Err(Unreadable::Encrypted)), "{refused:?}");
}

#[test]
fn a_title_without_what_the_database_cannot_store() {
    let title = |utf16: &[u8]| {
        let mut file = lopdf::Document::load_mem(&pdf("x", &[&["Text."]])).unwrap();
        let info = file.get_object_mut((4, 0)).and_then(lopdf::Object::as_dict_mut).unwrap();
        info.set("Title", lopdf::Object::String(utf16.to_vec(), lopdf::StringFormat::Hexadecimal));
        let mut bytes = Vec::new();
        file.save_to(&mut bytes).unwrap();
        read(&bytes).unwrap().title
    };
    assert_eq!(title(b"\xfe\xff\0M\0a\0n\0u\0a\0l\0\0"), "Manual");
    assert_eq!(title(b"\xfe\xff\0\0"), "manual", "the file's name");
}

#[test]
fn forms_that_unpack_without_end_end_the_document() {
    let file = String::from_utf8(pdf("x", &[&["Text."]])).unwrap();
    let mut file = lopdf::Document::load_mem(file.as_bytes()).unwrap();
    let mut form = lopdf::Stream::new(lopdf::dictionary! { "Subtype" => "Form" }, vec![b' '; 33 << 20]);
    form.compress().unwrap();
    assert!(form.content.len() < 100_000);
    let form = file.add_object(form);
    let page = file.page_iter().next().unwrap();
    file.get_or_create_resources(page)
        .unwrap()
        .as_dict_mut()
        .unwrap()
        .set("XObject", lopdf::dictionary! { "F" => form });
    file.change_page_content(page, "/F Do ".repeat(500).into_bytes()).unwrap();
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    let reason = read(&bytes).unwrap_err().to_string();
    assert_eq!(reason, "the file is not valid PDF: its pages are too long");
}

#[test]
fn a_page_that_unpacks_to_more_than_its_share_ends_the_document() {
    // A form that shows itself would never end.
    let file = String::from_utf8(pdf("x", &[&["Text."]])).unwrap();
    let endless = file.replace("/Font << /F1 3 0 R >>", "/XObject << /F 6 0 R >>").replace("(Text.) Tj", "/F Do /F Do");
    let refused = read(endless.as_bytes());
    assert!(matches!(refused, Err(Unreadable::Scanned(_) | Unreadable::Malformed(..))), "{refused:?}");
}

#[test]
fn the_last_rows_of_a_table_are_no_footer() {
    let rows = |page: u32| -> Vec<String> {
        let row = |row: u32| format!("Lamp {} costs {} euros", page * 4 + row, 10 * page + row);
        let mut lines: Vec<String> = vec![format!("Harbour shop, page {page}")];
        lines.extend((0..4).map(row));
        lines
    };
    let pages: Vec<Vec<String>> = (1..=5).map(rows).collect();
    let pages: Vec<Vec<&str>> = pages.iter().map(|page| page.iter().map(String::as_str).collect()).collect();
    let pages: Vec<&[&str]> = pages.iter().map(Vec::as_slice).collect();
    let lines = text(&read(&pdf("Lamps", &pages)).unwrap()).join("\n");
    assert!(lines.contains("Lamp 4 costs 10 euros") && lines.contains("Lamp 23 costs 53 euros"), "{lines}");
    assert!(!lines.contains("Harbour shop"), "{lines}");
}

#[test]
fn headers_of_left_and_right_pages_are_removed() {
    let words = ["tides", "ropes", "masts", "sails", "buoys", "piers", "docks", "cranes"];
    let page = |number: usize| {
        let header =
            if number.is_multiple_of(2) { format!("{number} Harbour guide") } else { format!("Rules {number}") };
        vec![header, String::new(), format!("All about {}.", words[number - 1])]
    };
    let pages: Vec<Vec<String>> = (1..=8).map(page).collect();
    let pages: Vec<Vec<&str>> = pages.iter().map(|page| page.iter().map(String::as_str).collect()).collect();
    let pages: Vec<&[&str]> = pages.iter().map(Vec::as_slice).collect();
    let lines = text(&read(&pdf("Guide", &pages)).unwrap()).join("\n");
    assert!(
        lines.contains("All about cranes.") && !lines.contains("Harbour guide") && !lines.contains("Rules"),
        "{lines}"
    );
}

#[test]
fn a_letterhead_with_an_address_stays_on_the_first_page() {
    let page = |number: usize| {
        let work = ["Changed the oil.", "Painted the door.", "Checked the brakes."][number - 1];
        vec![
            "Harbour Garage".to_owned(),
            "Phone 030 1234567, mail@garage.example".to_owned(),
            String::new(),
            work.to_owned(),
        ]
    };
    let pages: Vec<Vec<String>> = (1..=3).map(page).collect();
    let pages: Vec<Vec<&str>> = pages.iter().map(|page| page.iter().map(String::as_str).collect()).collect();
    let pages: Vec<&[&str]> = pages.iter().map(Vec::as_slice).collect();
    let lines = text(&read(&pdf("Invoice", &pages)).unwrap()).join("\n");
    assert_eq!(lines.matches("Harbour Garage").count(), 1, "{lines}");
    assert_eq!(lines.matches("030 1234567").count(), 1, "{lines}");
}
