//! Files to documents and passages: formats, refusals, bounds.

use std::{fs, path::Path};

use rag::{
    block::{Block, blocks},
    chunk::{CONTINUED, ChunkLimits, Passage, chunk, estimate_tokens},
    document::{Document, MAX_BYTES, Unreadable, read_document},
};
use tempfile::TempDir;

fn read(name: &str, content: &[u8]) -> Result<Document, Unreadable> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    read_document(&path, folder.path())
}

fn passages(name: &str, content: &str) -> Vec<Passage> {
    chunk(&read(name, content.as_bytes()).unwrap(), &ChunkLimits::default())
}

#[test]
fn a_document_has_its_relative_path_and_the_hash_of_its_bytes() {
    let document = read("guide/set-up.en.HTML", b"<title>Set-up</title><p>Run it.</p>").unwrap();
    assert_eq!((document.path.as_str(), document.title.as_str()), ("guide/set-up.en.HTML", "Set-up"));
    let plain = read("abc.txt", b"abc").unwrap();
    assert_eq!(plain.content_hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!(plain.title, "abc");
}

#[test]
fn no_number_is_too_large_for_a_list_to_begin_with() {
    let list = "<ol start=\"18446744073709551615\"><li>one<li>two</ol>";
    let document = read("a.html", list.as_bytes()).unwrap();
    assert_eq!(document.sections[0].text, "18446744073709551615. one\n18446744073709551615. two");
}

#[test]
fn what_the_database_cannot_store_is_left_out() {
    let lines = r#"{"question":"Wh\u0000o?","answer":"W\u0000e."}
{"question":"When?","answer":"\u0000"}"#;
    let document = read("a.jsonl", lines.as_bytes()).unwrap();
    assert_eq!(document.sections.len(), 1);
    assert_eq!((document.sections[0].heading_path[0].as_str(), document.sections[0].text.as_str()), ("Who?", "We."));
}

#[test]
fn no_nesting_exhausts_the_stack() {
    let deep = |open: &str| format!("{}deep", open.repeat(100_000));
    for open in [">", "- ", "*", "[", "![", "<b>", "`"] {
        let _ = read("a.md", deep(open).as_bytes());
    }
}

#[test]
fn plain_text_keeps_its_paragraphs_and_a_title_line() {
    let document = read("a.txt", b"Opening hours\r\n\r\nWe open\r\nat nine.\r\n\r\nSundays closed.").unwrap();
    assert_eq!(document.title, "Opening hours");
    assert_eq!(document.sections[0].text, "We open at nine.\n\nSundays closed.");
    assert_eq!(document.sections[0].heading_path, ["Opening hours"]);
    assert_eq!(read("a.txt", b"Opening hours\n\n").unwrap().sections[0].text, "Opening hours");
}

#[test]
fn every_refusal_is_a_sentence() {
    let refused = |name: &str, content: &[u8]| read(name, content).unwrap_err().to_string();
    assert_eq!(
        refused("a.gz", b"x"),
        "this kind of file is not read (Markdown, HTML, plain text, PDF, DOCX, XLSX, PPTX, ODT, EPUB, CSV, JSONL, pictures, zip and tar are)"
    );
    assert_eq!(refused("a.md", b"\xff\xfe\x00"), "the file is not text in the encoding UTF-16LE");
    assert_eq!(refused("a.txt", b"\x89PNG\r\n"), "the file is not text in the encoding UTF-8");
    assert_eq!(refused("a.md", b"# \n\n"), "the document has no text");
    assert_eq!(refused("a.html", b"<nav>Menu</nav><script>1</script>"), "the document has no text");
    let large = vec![b'a'; MAX_BYTES as usize + 1];
    assert_eq!(refused("a.txt", &large), "the file has more than the 10485760 bytes that are read");
    let missing = read_document(Path::new("/no/such.md"), Path::new("/no")).unwrap_err();
    assert!(matches!(missing, Unreadable::Io(_)), "{missing}");
}

#[test]
fn passages_keep_their_headings_and_never_exceed_the_bound() {
    let limits = ChunkLimits::default();
    let prose = "The quick brown fox jumps over the lazy dog near the river. ".repeat(40);
    let code = "let unreasonably_long_identifier = compute(another_identifier);\n".repeat(40);
    let rows = "| key | a value with several words in it |\n".repeat(60);
    let endless = "x".repeat(5000);
    let text = format!(
        "# Guide\n\n{prose}\n\n## Code\n\n```\n{code}```\n\n## Table\n\n| k | v |\n|---|---|\n{rows}\n\n## Word\n\n{endless}"
    );
    let passages = passages("a.md", &text);
    assert!(passages.iter().all(|passage| !passage.content.trim().is_empty()));
    let longest = passages.iter().map(|passage| estimate_tokens(&passage.content)).max().unwrap();
    assert!(longest <= limits.max_tokens + 1, "{longest}");
    assert_eq!(passages.iter().map(|p| p.ordinal).collect::<Vec<_>>(), (0..passages.len() as i32).collect::<Vec<_>>());
    for heading in ["", "Code", "Table", "Word"] {
        assert!(passages.iter().filter(|passage| passage.heading == heading).count() > 1, "{heading}");
    }
    let blocks_below =
        |heading| passages.iter().filter(move |p: &&Passage| p.heading == heading).map(|p| blocks(&p.content));
    assert!(blocks_below("Code").flatten().all(|block| matches!(block, Block::Code(_) | Block::Paragraph(CONTINUED))));
    assert!(
        blocks_below("Table")
            .flatten()
            .all(|b| b.text() == CONTINUED || b.text().starts_with("| k | v |\n|---|---|\n"))
    );
}

#[test]
fn passages_add_only_continuation_marks_and_lose_nothing() {
    let sentences: Vec<String> = (0..200).map(|n| format!("Sentence number {n} says something.")).collect();
    let passages = passages("a.txt", &sentences.join(" "));
    let rejoined: Vec<&str> = passages.iter().map(|p| p.content.trim_start_matches(CONTINUED).trim()).collect();
    assert_eq!(rejoined.join(" "), sentences.join(" "));
    assert!(!passages[0].content.starts_with(CONTINUED) && passages[1].content.starts_with(CONTINUED));
}

#[test]
fn tiny_sections_are_joined_under_their_common_heading() {
    let passages =
        passages("a.md", "# FAQ\n\n## Shop\n\n### Hours\n\nNine to five.\n\n### Address\n\nHarbor street 1.\n");
    assert_eq!(passages.len(), 1);
    assert_eq!(passages[0].heading, "Shop");
    assert_eq!(passages[0].content, "### Hours\n\nNine to five.\n\n### Address\n\nHarbor street 1.");
}

#[test]
fn each_section_of_a_short_page_is_a_passage() {
    let text = "The shop sells ropes and lamps to sailors of every age. ".repeat(3);
    let headings = |text: &str| {
        let page = format!("# Shop\n\n## Ropes\n\n{text}\n\n## Lamps\n\n{text}");
        passages("a.md", &page).into_iter().map(|passage| passage.heading).collect::<Vec<_>>()
    };
    assert_eq!(headings(&text), ["Ropes", "Lamps"]);
    assert_eq!(headings("At nine."), [""], "sections of a few words are joined");
    let whole = passages("a.txt", &"Sentence that says something. ".repeat(45));
    assert_eq!(whole.len(), 1, "a short page without sections is whole");
}

#[test]
fn a_line_that_announces_code_stays_with_it() {
    let filler = "Words that fill the passage until it is nearly full of them. ".repeat(12);
    let passages =
        passages("a.md", &format!("{filler}\n\nRun this command:\n\n```\nmake run\nmake test\nmake help\n```\n"));
    let with_code = passages.iter().find(|passage| passage.content.contains("make test")).unwrap();
    assert!(with_code.content.contains("Run this command:"), "{passages:#?}");
}
