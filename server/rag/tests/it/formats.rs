//! Office files, books, questions and archives to documents.

mod archives;
mod bold_titles;
mod books;
mod docx;
mod odt;
mod omissions;
mod slides;
mod tables;
mod tabs;

use std::{fs, io::Write as _};

use rag::{
    chunk::{ChunkLimits, chunk},
    document::{Document, Layout, Unreadable, read_document},
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
        if name.ends_with('/') {
            archive.new_dir(name).create().unwrap();
            continue;
        }
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
         <w:style w:styleId=\"Own\"><w:name w:val=\"Own\"/><w:pPr><w:outlineLvl w:val=\"1\"/></w:pPr></w:style>
         <w:style w:styleId=\"Liste\"><w:pPr><w:numPr><w:numId w:val=\"3\"/></w:numPr></w:pPr></w:style></w:styles>"
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
        assert!(reason.starts_with("the file is not valid "), "{name}: {reason}");
    }
    let doctype = zip(&[("word/document.xml", b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>")]);
    assert!(read("e.docx", &doctype).unwrap_err().to_string().starts_with("the file is not valid DOCX"));
}

#[test]
fn a_docx_keeps_headings_lists_and_tables_of_any_style_name() {
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
fn a_style_of_a_docx_makes_items_unless_its_list_was_removed() {
    let without_list = "<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"0\"/></w:numPr>";
    let text = paragraph("Liste", "That is all.").replace("</w:pPr>", &format!("{without_list}</w:pPr>"));
    let body = [paragraph("Liste", "the bill"), paragraph("Liste", "the box"), text].concat();
    let document = read("list.docx", &docx(&body)).unwrap();
    assert_eq!(document.sections[0].text, "- the bill\n- the box\n\nThat is all.");
}

#[test]
fn a_nested_docx_is_read_and_a_too_deeply_nested_one_refused() {
    let read_nested = |depth: usize| {
        let (open, close) = ("<w:sdt>".repeat(depth), "</w:sdt>".repeat(depth));
        read("deep.docx", &docx(&format!("{open}{}{close}", paragraph("", "Deep."))))
    };
    assert_eq!(read_nested(100).unwrap().sections[0].text, "Deep.");
    let reason = read_nested(200_000).unwrap_err().to_string();
    assert_eq!(reason, "the file is not valid DOCX: its elements are nested too deeply");
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
fn rows_and_cells_inside_content_controls_are_read() {
    let control = |inner: &str| format!("<w:sdt><w:sdtPr/><w:sdtContent>{inner}</w:sdtContent></w:sdt>");
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph("", text));
    let head = format!("<w:tr>{}{}</w:tr>", cell("Days"), control(&cell("Fee")));
    let rows = ["30", "60"].map(|days| control(&format!("<w:tr>{}{}</w:tr>", cell(days), cell("0 EUR")))).concat();
    let document = read("fees.docx", &docx(&format!("<w:tbl>{head}{}</w:tbl>", control(&rows)))).unwrap();
    assert_eq!(document.sections[0].text, "| Days | Fee |\n|---|---|\n| 30 | 0 EUR |\n| 60 | 0 EUR |");
}

#[test]
fn cells_of_a_docx_and_an_odt_stay_in_their_columns() {
    let cell = |span: &str, text: &str| format!("<w:tc><w:tcPr>{span}</w:tcPr>{}</w:tc>", paragraph("", text));
    let first = [cell("", "Room"), cell("<w:gridSpan w:val=\"2\"/>", "Day"), cell("", "Night")].concat();
    let first_of_merged = "<w:vMerge w:val=\"restart\"/>";
    let second = [cell("", "A"), cell("", "9"), cell("", "12"), cell(first_of_merged, "20")].concat();
    let third = [cell("", "B"), cell("", "8"), cell("", "11"), cell("<w:vMerge/>", "")].concat();
    let body = format!("<w:tbl><w:tr>{first}</w:tr><w:tr>{second}</w:tr><w:tr>{third}</w:tr></w:tbl>");
    let expected = "| Room | Day | Day | Night |\n|---|---|---|---|\n| A | 9 | 12 | 20 |\n| B | 8 | 11 | 20 |";
    assert_eq!(read("a.docx", &docx(&body)).unwrap().sections[0].text, expected);
    let cell = |span: &str, text: &str| format!("<b:table-cell{span}><t:p>{text}</t:p></b:table-cell>");
    let (wide, tall) = (" b:number-columns-spanned=\"2\"", " b:number-rows-spanned=\"2\"");
    let covered_cell = || "<b:covered-table-cell/>".to_owned();
    let first = [cell("", "Room"), cell(wide, "Day"), covered_cell(), cell("", "Night")].concat();
    let second = [cell("", "A"), cell("", "9"), cell("", "12"), cell(tall, "20")].concat();
    let third = [cell("", "B"), cell("", "8"), cell("", "11"), covered_cell()].concat();
    let content = format!(
        "<o:document-content xmlns:o=\"o\" xmlns:t=\"t\" xmlns:b=\"b\"><o:body><o:text><b:table>
         <b:table-row>{first}</b:table-row><b:table-row>{second}</b:table-row><b:table-row>{third}</b:table-row></b:table></o:text></o:body></o:document-content>"
    );
    let document = read("a.odt", &zip(&[("content.xml", content.as_bytes())])).unwrap();
    assert_eq!(document.sections[0].text, expected);
}

#[test]
fn each_sheet_is_a_table_with_dates_and_numbers_as_displayed() {
    let relations = "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";
    let workbook = format!(
        "<workbook {relations}><workbookPr/><sheets><sheet name=\"Fees\" sheetId=\"1\" r:id=\"rId7\"/>
         <sheet name=\"Secret\" sheetId=\"2\" state=\"hidden\" r:id=\"rId8\"/></sheets></workbook>"
    );
    let relations = "<Relationships><Relationship Id=\"rId7\" Target=\"worksheets/sheet1.xml\"/>
        <Relationship Id=\"rId8\" Target=\"/xl/worksheets/sheet2.xml\"/></Relationships>";
    let strings = "<sst><si><t>Boat</t></si><si><r><t>Fe</t></r><r><t>e</t></r><rPh><t>x</t></rPh></si><si><t>from</t></si></sst>";
    let styles = "<styleSheet><numFmts><numFmt numFmtId=\"170\" formatCode=\"dd.mm.yyyy\"/></numFmts>
        <cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"170\"/><xf numFmtId=\"9\"/></cellXfs></styleSheet>";
    let sheet = "<worksheet><sheetData>
        <row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"C1\" t=\"s\"><v>1</v></c><c r=\"D1\" t=\"s\"><v>2</v></c>
        <c r=\"E1\" t=\"inlineStr\"><is><t>tax</t></is></c></row>
        <row r=\"2\"><c r=\"A2\"/></row>
        <row r=\"4\"><c r=\"A4\" t=\"inlineStr\"><is><t>Canoe</t></is></c><c r=\"C4\"><f>1+2</f><v>12.300000000000001</v></c>
        <c r=\"D4\" s=\"1\"><v>45000</v></c><c r=\"E4\" s=\"2\"><v>0.19</v></c></row></sheetData></worksheet>";
    let secret = "<worksheet><sheetData><row><c t=\"str\"><v>Secret</v></c></row></sheetData></worksheet>";
    let file = zip(&[
        ("xl/workbook.xml", workbook.as_bytes()),
        ("xl/_rels/workbook.xml.rels", relations.as_bytes()),
        ("xl/sharedStrings.xml", strings.as_bytes()),
        ("xl/styles.xml", styles.as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
        ("xl/worksheets/sheet2.xml", secret.as_bytes()),
    ]);
    let document = read("fees.xlsx", &file).unwrap();
    let [section] = document.sections.as_slice() else { panic!("{document:?}") };
    assert_eq!((document.title.as_str(), section.heading_path.as_slice()), ("fees", ["Fees".to_owned()].as_slice()));
    assert_eq!(section.text, "| Boat | Fee | from | tax |\n|---|---|---|---|\n| Canoe | 12.3 | 2023-03-15 | 19% |");
}

#[test]
fn slides_are_sections_in_the_order_in_which_they_are_shown() {
    let presentation = "<p:presentation xmlns:p=\"p\" xmlns:r=\"r\"><p:sldIdLst><p:sldId id=\"256\" r:id=\"b\"/>
        <p:sldId id=\"257\" r:id=\"a\"/></p:sldIdLst></p:presentation>";
    let relations = "<Relationships><Relationship Id=\"a\" Target=\"slides/slide1.xml\"/>
        <Relationship Id=\"b\" Target=\"slides/slide2.xml\"/></Relationships>";
    let shape = |kind: &str, text: &str| {
        format!(
            "<p:sp><p:nvPr><p:ph type=\"{kind}\"/></p:nvPr><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
        )
    };
    let slide = |shapes: &str| format!("<p:sld xmlns:p=\"p\" xmlns:a=\"a\"><p:cSld>{shapes}</p:cSld></p:sld>");
    let first =
        slide(&(shape("title", "Opening hours") + &shape("body", "From nine to five.") + &shape("sldNum", "1")));
    let second = slide(
        "<a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Day</a:t></a:r></a:p></a:txBody></a:tc>
         <a:tc><a:txBody><a:p><a:r><a:t>From</a:t></a:r></a:p></a:txBody></a:tc></a:tr>
         <a:tr><a:tc><a:txBody><a:p><a:r><a:t>Monday</a:t></a:r></a:p></a:txBody></a:tc>
         <a:tc><a:txBody><a:p><a:r><a:t>nine</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl>",
    );
    let file = zip(&[
        ("ppt/presentation.xml", presentation.as_bytes()),
        ("ppt/_rels/presentation.xml.rels", relations.as_bytes()),
        ("ppt/slides/slide1.xml", second.as_bytes()),
        ("ppt/slides/slide2.xml", first.as_bytes()),
    ]);
    let sections = read("talk.pptx", &file).unwrap().sections;
    let slides: Vec<_> =
        sections.iter().map(|section| (section.heading_path[0].as_str(), section.text.as_str())).collect();
    assert_eq!(
        slides,
        [("Opening hours", "From nine to five."), ("Slide 2", "| Day | From |\n|---|---|\n| Monday | nine |")]
    );
}

#[test]
fn an_odt_keeps_headings_lists_and_tables() {
    let content = "<o:document-content xmlns:o=\"o\" xmlns:t=\"t\" xmlns:b=\"b\"><o:body><o:text>
        <t:tracked-changes><t:p>Never.</t:p></t:tracked-changes>
        <t:h t:outline-level=\"1\">Returns</t:h><t:p>Send it<t:s/>back<o:annotation><t:p>Really?</t:p></o:annotation>.</t:p>
        <t:list><t:list-item><t:p>the bill</t:p></t:list-item><t:list-item><t:p>the <t:span>box</t:span></t:p></t:list-item></t:list>
        <b:table><b:table-header-rows><b:table-row><b:table-cell><t:p>Days</t:p></b:table-cell>
        <b:table-cell><t:p>Fee</t:p></b:table-cell></b:table-row></b:table-header-rows>
        <b:table-row><b:table-cell><t:p>30</t:p></b:table-cell><b:table-cell><t:p>0 EUR</t:p></b:table-cell></b:table-row></b:table></o:text></o:body></o:document-content>";
    let document = read("returns.odt", &zip(&[("content.xml", content.as_bytes())])).unwrap();
    assert_eq!((document.title.as_str(), document.sections.len()), ("Returns", 1), "{document:?}");
    assert_eq!(
        document.sections[0].text,
        "Send it back.\n\n- the bill\n- the box\n\n| Days | Fee |\n|---|---|\n| 30 | 0 EUR |"
    );
    let locked = zip(&[("content.xml", b"noise"), ("META-INF/manifest.xml", b"<m:encryption-data/>")]);
    assert!(matches!(read("locked.odt", &locked), Err(Unreadable::Encrypted)));
}

#[test]
fn chapters_of_a_book_come_in_the_order_of_reading() {
    let container = "<container><rootfiles><rootfile full-path=\"OEBPS/book.opf\"/></rootfiles></container>";
    let package = "<package xmlns:dc=\"dc\"><metadata><dc:title>The harbour</dc:title></metadata><manifest>
        <item id=\"one\" href=\"text/one.xhtml\"/><item id=\"two\" href=\"text/t%77o.xhtml\"/></manifest>
        <spine><itemref idref=\"two\"/><itemref idref=\"one\"/></spine></package>";
    let file = zip(&[
        ("META-INF/container.xml", container.as_bytes()),
        ("OEBPS/book.opf", package.as_bytes()),
        ("OEBPS/text/one.xhtml", b"<html><body><h1>Leaving</h1><p>At noon.</p></body></html>"),
        (
            "OEBPS/text/two.xhtml",
            b"<html><head><title>Arriving</title><style/></head><body><p>At nine.</p></body></html>",
        ),
    ]);
    let document = read("book.epub", &file).unwrap();
    let chapters: Vec<_> =
        document.sections.iter().map(|section| (section.heading_path[0].as_str(), section.text.as_str())).collect();
    assert_eq!(
        (document.title.as_str(), chapters),
        ("The harbour", vec![("Arriving", "At nine."), ("Leaving", "At noon.")])
    );
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
    assert_eq!(refused("a.csv", "question,answer\nWho?,\n"), "row 2 has no answer");
    assert_eq!(refused("a.jsonl", "{\"question\":\"Who?\",\"answer\":\"We.\"}\nno\n"), "line 2 is not a JSON object");
}

#[test]
fn names_of_files_and_folders_are_composed() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("Gru\u{308}ße/U\u{308}ber uns.txt");
    fs::create_dir(path.parent().unwrap()).unwrap();
    fs::write(&path, "We open at nine.").unwrap();
    let document = read_document(&path, folder.path()).unwrap();
    assert_eq!((document.path.as_str(), document.title.as_str()), ("Grüße/Über uns.txt", "Über uns"));
}
