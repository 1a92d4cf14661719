//! DOCX files as word processors write them.

use rag::document::{Document, Omission};

use super::{read, zip};

const NAMESPACES: &str = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
    xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" \
    xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" xmlns:v=\"urn:schemas-microsoft-com:vml\" \
    xmlns:wps=\"wps\" xmlns:a=\"a\" xmlns:c=\"c\" xmlns:dgm=\"dgm\"";

/// The type of a relation.
fn kind(name: &str) -> String {
    format!("http://schemas.openxmlformats.org/officeDocument/2006/relationships/{name}")
}

fn relations(targets: &[(&str, &str)]) -> String {
    let one = |(name, target): &(&str, &str)| {
        format!("<Relationship Id=\"r{name}\" Type=\"{}\" Target=\"{target}\"/>", kind(name))
    };
    format!("<Relationships>{}</Relationships>", targets.iter().map(one).collect::<String>())
}

/// A document with further parts below `word/`, given with their kind of relation, their path and content.
fn document_at(main: &str, target: &str, body: &str, parts: &[(&str, &str, &str)]) -> Document {
    let text = format!("<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>");
    let (folder, name) = main.rsplit_once('/').unwrap();
    let targets: Vec<_> = parts.iter().map(|(kind, path, _)| (*kind, *path)).collect();
    let mut files = vec![
        ("_rels/.rels".to_owned(), relations(&[("officeDocument", target)])),
        (main.to_owned(), text),
        (format!("{folder}/_rels/{name}.rels"), relations(&targets)),
    ];
    for (_, path, content) in parts {
        let start = content.find(['>', ' ']).unwrap();
        let content = format!("{} {NAMESPACES}{}", &content[..start], &content[start..]);
        files.push((format!("{folder}/{path}"), content));
    }
    let files: Vec<_> = files.iter().map(|(path, content)| (path.as_str(), content.as_bytes())).collect();
    read("letter.docx", &zip(&files)).unwrap()
}

pub(super) fn document(body: &str, parts: &[(&str, &str, &str)]) -> Document {
    document_at("word/document.xml", "word/document.xml", body, parts)
}

fn text(body: &str, parts: &[(&str, &str, &str)]) -> String {
    document(body, parts).sections.into_iter().map(|section| section.text).collect::<Vec<_>>().join("\n\n")
}

pub(super) fn run(properties: &str, text: &str) -> String {
    format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

pub(super) fn paragraph(properties: &str, text: &str) -> String {
    format!("<w:p><w:pPr>{properties}</w:pPr>{}</w:p>", run("", text))
}

fn list_item(list: u32, level: u32, text: &str) -> String {
    paragraph(&format!("<w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr>"), text)
}

#[test]
fn the_main_part_is_found_by_its_relation() {
    let body = paragraph("", "The deposit is 35 euros.");
    for (main, target) in [
        ("word/document2.xml", "word/document2.xml"),
        ("word/document22.xml", "/word/document22.xml"),
        ("content/text/main.xml", "content/text/main.xml"),
        ("Word/Document.xml", "word/document.xml"),
        ("word/my document.xml", "word/my%20document.xml"),
    ] {
        let styles = "<w:styles><w:style w:styleId=\"S\"><w:name w:val=\"heading 1\"/></w:style></w:styles>";
        let heading = paragraph("<w:pStyle w:val=\"S\"/>", "Keys");
        let document = document_at(main, target, &(heading + &body), &[("styles", "other.xml", styles)]);
        assert_eq!(document.sections[0].text, "The deposit is 35 euros.", "{main}");
        assert_eq!(document.sections[0].heading_path, ["Keys"], "{main}");
    }
}

fn text_box(text: &str) -> String {
    let content = format!("<w:txbxContent>{}</w:txbxContent>", paragraph("", text));
    format!(
        "<w:r><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing><wps:wsp><wps:txbx>{content}</wps:txbx></wps:wsp></w:drawing></mc:Choice>
         <mc:Fallback><w:pict><v:shape><v:textbox>{content}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
}

#[test]
fn text_boxes_follow_their_anchor_once() {
    let anchor =
        format!("<w:p>{}{}{}</w:p>", run("", "Close the door"), text_box("Call 0800 555."), run("", " at night."));
    assert_eq!(
        text(&(anchor + &paragraph("", "Thanks.")), &[]),
        "Close the door at night.\n\nCall 0800 555.\n\nThanks."
    );
    let only = ["One.", "Two."].map(|text| format!("<w:p>{}</w:p>", text_box(text))).concat();
    assert_eq!(text(&only, &[]), "One.\n\nTwo.");
    let old = "<w:p><w:r><w:pict><v:shape><v:textbox><w:txbxContent><w:p><w:r><w:t>Old.</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>";
    assert_eq!(text(old, &[]), "Old.");
    let fallback = "<w:p><w:r><mc:AlternateContent><mc:Choice Requires=\"x\"><w:drawing/></mc:Choice><mc:Fallback><w:t>Seen.</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>";
    assert_eq!(text(fallback, &[]), "Seen.");
    let cell = format!("<w:tc><w:p>{}{}</w:p></w:tc>", run("", "Desk"), text_box("open"));
    let table = format!("<w:tbl><w:tr>{cell}<w:tc>{}</w:tc></w:tr></w:tbl>", paragraph("", "9-17"));
    assert_eq!(text(&table, &[]), "| Desk open | 9-17 |\n|---|---|");
}

/// A definition of a list with its levels: format and text.
fn numbering(definitions: &[(u32, &[(&str, &str)])], lists: &str) -> String {
    let level = |(at, (format, text)): (usize, &(&str, &str))| {
        format!(
            "<w:lvl w:ilvl=\"{at}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{format}\"/><w:lvlText w:val=\"{text}\"/></w:lvl>"
        )
    };
    let one = |(id, levels): &(u32, &[(&str, &str)])| {
        let levels: String = levels.iter().enumerate().map(level).collect();
        format!("<w:abstractNum w:abstractNumId=\"{id}\">{levels}</w:abstractNum>")
    };
    format!("<w:numbering>{}{lists}</w:numbering>", definitions.iter().map(one).collect::<String>())
}

fn list(id: u32, definition: u32, more: &str) -> String {
    format!("<w:num w:numId=\"{id}\"><w:abstractNumId w:val=\"{definition}\"/>{more}</w:num>")
}

#[test]
fn numbers_of_headings_clauses_and_items_are_those_that_are_drawn() {
    let styles = "<w:styles><w:style w:styleId=\"H1\"><w:name w:val=\"heading 1\"/><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:style>
        <w:style w:styleId=\"H2\"><w:name w:val=\"heading 2\"/><w:basedOn w:val=\"H1\"/><w:pPr><w:numPr><w:ilvl w:val=\"1\"/></w:numPr></w:pPr></w:style></w:styles>";
    let restart = "<w:lvlOverride w:ilvl=\"0\"><w:startOverride w:val=\"1\"/></w:lvlOverride>";
    let definitions: &[(u32, &[(&str, &str)])] = &[
        (1, &[("decimal", "%1"), ("decimal", "%1.%2")]),
        (2, &[("decimal", "%1."), ("lowerLetter", "%2)")]),
        (3, &[("decimal", "(%1)")]),
        (4, &[("none", "")]),
        (5, &[("bullet", "\u{f0b7}")]),
        (6, &[("upperRoman", "§ %1")]),
    ];
    let lists = [
        list(1, 1, ""),
        list(2, 2, ""),
        list(3, 2, restart),
        list(4, 3, ""),
        list(5, 4, ""),
        list(6, 5, ""),
        list(7, 6, ""),
    ];
    let numbering = numbering(definitions, &lists.concat());
    let heading = |style: &str, text: &str| paragraph(&format!("<w:pStyle w:val=\"{style}\"/>"), text);
    let body = [
        heading("H1", "Room"),
        heading("H2", "Booking"),
        list_item(4, 0, "Book early."),
        list_item(4, 0, "Pay later."),
        heading("H2", "Keys"),
        list_item(2, 0, "Come."),
        list_item(2, 1, "Ring."),
        list_item(2, 1, "Wait."),
        list_item(2, 0, "Sign."),
        list_item(2, 1, "Here."),
        paragraph("", "Back:"),
        list_item(3, 0, "Clean."),
        list_item(3, 0, "Lock."),
        heading("H1", "Rest"),
        list_item(5, 0, "No number."),
        list_item(6, 0, "A bullet."),
        list_item(7, 0, "A clause."),
    ];
    let document =
        document(&body.concat(), &[("styles", "styles.xml", styles), ("numbering", "numbering.xml", &numbering)]);
    let sections: Vec<_> =
        document.sections.iter().map(|section| (section.heading_path.join("/"), section.text.as_str())).collect();
    assert_eq!(document.title, "Room");
    assert_eq!(sections[0], ("1 Room/1.1 Booking".to_owned(), "- (1) Book early.\n- (2) Pay later."));
    let keys = "1. Come.\n  - a) Ring.\n  - b) Wait.\n2. Sign.\n  - a) Here.\n\nBack:\n\n1. Clean.\n2. Lock.";
    assert_eq!(sections[1], ("1 Room/1.2 Keys".to_owned(), keys));
    assert_eq!(sections[2], ("2 Rest".to_owned(), "No number.\n\n- A bullet.\n- § I A clause."));
}

#[test]
fn rows_that_number_themselves_have_their_numbers() {
    let definitions: &[(u32, &[(&str, &str)])] = &[(1, &[("decimalZero", "%1")])];
    let numbering = numbering(definitions, &list(1, 1, ""));
    let row = |text: &str| {
        let number =
            "<w:tc><w:p><w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:p></w:tc>";
        format!("<w:tr>{number}<w:tc>{}</w:tc></w:tr>", paragraph("", text))
    };
    let table = format!("<w:tbl>{}{}</w:tbl>", row("Oak"), row("Elm"));
    assert_eq!(text(&table, &[("numbering", "numbering.xml", &numbering)]), "| 01 | Oak |\n|---|---|\n| 02 | Elm |");
}

#[test]
fn notes_stand_behind_their_sentences() {
    let notes = |kind: &str, text: &str| {
        format!(
            "<w:{kind}s><w:{kind} w:type=\"separator\" w:id=\"0\"><w:p/></w:{kind}><w:{kind} w:id=\"2\"><w:p><w:r><w:{kind}Ref/></w:r>{}</w:p></w:{kind}></w:{kind}s>",
            run("", text)
        )
    };
    let (foot, end) = (notes("footnote", " Students pay 25 euros."), notes("endnote", " It costs 55 euros."));
    let reference = |kind: &str| format!("<w:r><w:{kind}Reference w:id=\"2\"/></w:r>");
    let body = format!(
        "<w:p>{}{}{}{}{}</w:p>",
        run("", "The fee"),
        reference("footnote"),
        run("", " is 40 euros. Cleaning is not included."),
        reference("endnote"),
        run("", " Thanks.")
    );
    let parts = [("footnotes", "notes/foot.xml", foot.as_str()), ("endnotes", "endnotes.xml", end.as_str())];
    let expected =
        "The fee is 40 euros. (Students pay 25 euros.) Cleaning is not included. (It costs 55 euros.) Thanks.";
    assert_eq!(text(&body, &parts), expected);
}

#[test]
fn struck_and_hidden_text_is_left_out_and_counted() {
    let styles = "<w:styles><w:style w:type=\"character\" w:styleId=\"Old\"><w:rPr><w:strike/></w:rPr></w:style>
        <w:style w:styleId=\"Internal\"><w:rPr><w:vanish/></w:rPr></w:style>
        <w:style w:styleId=\"More\"><w:basedOn w:val=\"Internal\"/></w:style></w:styles>";
    let body = [
        format!(
            "<w:p>{}{}{}{}</w:p>",
            run("", "It costs "),
            run("<w:strike/>", "44"),
            run("<w:dstrike/><w:b/>", " euros"),
            run("<w:strike w:val=\"0\"/>", "38 euros.")
        ),
        format!("<w:p>{}{}</w:p>", run("<w:rStyle w:val=\"Old\"/>", "Closed. "), run("<w:vanish/>", "margin 999 ")),
        paragraph("<w:pStyle w:val=\"More\"/>", "Internal price."),
        format!(
            "<w:p>{}{}{}</w:p>",
            run("", "A flute costs 29"),
            run("<w:vertAlign w:val=\"superscript\"/>", "90"),
            run("", " euros.")
        ),
        format!(
            "<w:p>{}{}{}</w:p>",
            run("", "85 m"),
            run("<w:vertAlign w:val=\"superscript\"/>", "2"),
            run("", " of hall")
        ),
        format!(
            "<w:p>{}{}{}</w:p>",
            run("", "A drum costs 52"),
            run("<w:position w:val=\"6\"/>", "3"),
            run("", " euros.")
        ),
    ];
    let row = |properties: &str, text: &str| {
        format!("<w:tr><w:trPr>{properties}</w:trPr><w:tc>{0}</w:tc><w:tc>{0}</w:tc></w:tr>", paragraph("", text))
    };
    let table =
        format!("<w:tbl>{}{}{}</w:tbl>", row("", "Seen"), row("<w:hidden/>", "Secret"), row("<w:del/>", "Gone"));
    let document = document(&(body.concat() + &table), &[("styles", "styles.xml", styles)]);
    let expected = "It costs 38 euros.\n\nA flute costs 29.90 euros.\n\n85 m² of hall\n\nA drum costs 52 3) euros.\n\n| Seen | Seen |\n|---|---|";
    assert_eq!(document.sections[0].text, expected);
    let counts: Vec<_> = document.omissions.into_iter().collect();
    assert_eq!(counts, [(Omission::StruckText, 2), (Omission::HiddenText, 2), (Omission::HiddenRows, 1)]);
}

#[test]
fn a_large_first_letter_belongs_to_its_word() {
    let cap = paragraph("<w:framePr w:dropCap=\"drop\"/>", "T");
    assert_eq!(text(&(cap + &paragraph("", "he office opens at nine.")), &[]), "The office opens at nine.");
}

#[test]
fn charts_and_diagrams_are_text() {
    let series = "<c:ser><c:tx><c:strRef><c:strCache><c:pt idx=\"0\"><c:v>Visitors</c:v></c:pt></c:strCache></c:strRef></c:tx>
        <c:cat><c:strRef><c:strCache><c:pt idx=\"0\"><c:v>May</c:v></c:pt><c:pt idx=\"1\"><c:v>June</c:v></c:pt></c:strCache></c:strRef></c:cat>
        <c:val><c:numRef><c:numCache><c:formatCode>0%</c:formatCode><c:pt idx=\"0\"><c:v>0.4</c:v></c:pt><c:pt idx=\"1\"><c:v>0.6</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>";
    let title = "<c:title><c:tx><c:rich><a:p><a:r><a:t>Share of </a:t></a:r><a:r><a:t>visitors</a:t></a:r></a:p></c:rich></c:tx></c:title>";
    let chart = format!(
        "<c:chartSpace><c:chart>{title}<c:plotArea><c:barChart>{series}</c:barChart></c:plotArea></c:chart></c:chartSpace>"
    );
    let point = |id: u32, kind: &str, text: &str| {
        format!(
            "<dgm:pt modelId=\"{id}\" type=\"{kind}\"><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>"
        )
    };
    let link =
        |from: u32, to: u32, order: u32| format!("<dgm:cxn srcId=\"{from}\" destId=\"{to}\" srcOrd=\"{order}\"/>");
    let points =
        [point(0, "doc", ""), point(2, "node", "Print"), point(1, "node", "Order"), point(3, "node", "by mail")]
            .concat();
    let links = [link(0, 1, 0), link(0, 2, 1), link(1, 3, 0)].concat();
    let diagram =
        format!("<dgm:dataModel><dgm:ptLst>{points}</dgm:ptLst><dgm:cxnLst>{links}</dgm:cxnLst></dgm:dataModel>");
    let drawing = |inner: &str| format!("<w:p><w:r><w:drawing><a:graphic>{inner}</a:graphic></w:drawing></w:r></w:p>");
    let body = drawing("<c:chart r:id=\"rchart\"/>") + &drawing("<dgm:relIds r:dm=\"rdiagramData\"/>");
    let parts =
        [("chart", "charts/chart1.xml", chart.as_str()), ("diagramData", "diagrams/data1.xml", diagram.as_str())];
    let table = "|  | Visitors |\n|---|---|\n| May | 40% |\n| June | 60% |";
    assert_eq!(text(&body, &parts), format!("Share of visitors\n\n{table}\n\n- Order\n  - by mail\n- Print"));
}

#[test]
fn parts_in_other_formats_are_read_where_they_stand() {
    let archive = "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=\"b\"\n\n--b\nContent-Type: text/html\n\
        Content-Transfer-Encoding: quoted-printable\n\n<p>Der Eintritt kostet f=C3=BCnf Eu=\nro.</p>\n--b--\n";
    let page = "<html><head><title>x</title></head><body><p>Der Eintritt kostet f\u{fc}nf Euro.</p></body></html>";
    for (path, part) in [("afchunk.htm", page), ("afchunk.mht", archive)] {
        let body = [paragraph("", "Before."), "<w:altChunk r:id=\"raFChunk\"/>".to_owned(), paragraph("", "Behind.")];
        let text = text_with_plain(&body.concat(), ("aFChunk", path, part));
        assert_eq!(text, "Before.\n\nDer Eintritt kostet f\u{fc}nf Euro.\n\nBehind.", "{path}");
    }
}

/// A document with a part that is not XML.
pub(super) fn document_with_plain(body: &str, (kind, path, part): (&str, &str, &str)) -> Document {
    let main = format!("<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>");
    let file = zip(&[
        ("_rels/.rels", relations(&[("officeDocument", "word/document.xml")]).as_bytes()),
        ("word/_rels/document.xml.rels", relations(&[(kind, path)]).as_bytes()),
        ("word/document.xml", main.as_bytes()),
        (&format!("word/{path}"), part.as_bytes()),
    ]);
    read("letter.docx", &file).unwrap()
}

/// The text of such a document.
fn text_with_plain(body: &str, part: (&str, &str, &str)) -> String {
    let document = document_with_plain(body, part);
    document.sections.into_iter().map(|section| section.text).collect::<Vec<_>>().join("\n\n")
}

#[test]
fn items_paragraphs_and_tables_of_a_cell_are_kept_apart() {
    let definitions: &[(u32, &[(&str, &str)])] = &[(1, &[("bullet", "\u{f0b7}")]), (2, &[("decimal", "%1.")])];
    let numbering = numbering(definitions, &(list(1, 1, "") + &list(2, 2, "")));
    let cell = |parts: &[String]| format!("<w:tc>{}</w:tc>", parts.concat());
    let item = |list: u32, text: &str| list_item(list, 0, text);
    let inner = format!(
        "<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
        cell(&[paragraph("", "small")]),
        cell(&[paragraph("", "5")]),
        cell(&[paragraph("", "large")]),
        cell(&[paragraph("", "8")])
    );
    let rows = [
        [cell(&[paragraph("", "Boat")]), cell(&[paragraph("", "Price")]), cell(&[paragraph("", "With it")])],
        [
            cell(&[paragraph("", "Canoe")]),
            cell(&[paragraph("", "12"), paragraph("", "500")]),
            cell(&[item(1, "paddle"), item(1, "vest")]),
        ],
        [cell(&[item(2, "Come"), item(2, "Pay")]), cell(&[inner]), cell(&[paragraph("", "none")])],
    ];
    let rows = rows.map(|row| format!("<w:tr>{}</w:tr>", row.concat())).concat();
    let expected = "| Boat | Price | With it |\n|---|---|---|\n| Canoe | 12; 500 | paddle; vest |\n\
                    | 1. Come; 2. Pay | small, 5; large, 8 | none |";
    assert_eq!(text(&format!("<w:tbl>{rows}</w:tbl>"), &[("numbering", "numbering.xml", &numbering)]), expected);
}

#[test]
fn fields_show_their_results_and_not_their_instructions() {
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let instruction = |text: &str| format!("<w:r><w:instrText>{text}</w:instrText></w:r>");
    let form = |data: &str| {
        let begin = format!("<w:r><w:fldChar w:fldCharType=\"begin\"><w:ffData>{data}</w:ffData></w:fldChar></w:r>");
        begin + &instruction("FORM") + &mark("separate") + &mark("end")
    };
    let inner = mark("begin") + &instruction("STATUS") + &mark("separate") + &run("", "internal") + &mark("end");
    let outer = mark("begin")
        + &instruction("IF")
        + &inner
        + &instruction("= x")
        + &mark("separate")
        + &run("", "Members pay 5.")
        + &mark("end");
    let list =
        "<w:ddList><w:result w:val=\"1\"/><w:listEntry w:val=\"Zone A\"/><w:listEntry w:val=\"Zone B\"/></w:ddList>";
    let boxes =
        ["<w:checkBox><w:checked/></w:checkBox>", "<w:checkBox><w:default w:val=\"0\"/></w:checkBox>"].map(form);
    let body = [
        format!("<w:p>{outer}{}</w:p>", run("", " Thanks.")),
        format!("<w:p>{}{} {}{}</w:p>", form(list), boxes[0], run("", " paid "), boxes[1]),
        // A field without an end hides nothing behind its paragraph.
        format!("<w:p>{}{}</w:p>", mark("begin"), instruction("TOC")),
        paragraph("", "Behind."),
    ];
    assert_eq!(text(&body.concat(), &[]), "Members pay 5. Thanks.\n\nZone B☒ paid ☐\n\nBehind.");
}

#[test]
fn signs_of_fonts_of_signs_and_drawn_letters_are_text() {
    let sign = |font: &str, code: &str| format!("<w:r><w:sym w:font=\"{font}\" w:char=\"{code}\"/></w:r>");
    let word_art = "<w:r><w:pict><v:shape><v:textpath string=\"Summer sale\"/></v:shape></w:pict></w:r>";
    let body = [
        format!("<w:p>{}{}{}</w:p>", run("", "5 "), sign("Symbol", "F06D"), run("", "m")),
        format!("<w:p>{}{}</w:p>", run("", "Paid "), sign("Wingdings", "F0FC")),
        format!("<w:p>{}</w:p>", run("<w:rFonts w:ascii=\"Symbol\"/>", "\u{f0a3} 30")),
        format!("<w:p>{word_art}</w:p>"),
    ];
    assert_eq!(text(&body.concat(), &[]), "5 μm\n\nPaid ✓\n\n≤ 30\n\nSummer sale");
}

#[test]
fn charts_of_newer_kinds_and_those_in_cells_are_text() {
    let chart = "<cx:chartSpace xmlns:cx=\"cx\"><cx:chartData><cx:data id=\"0\">\
        <cx:strDim type=\"cat\"><cx:lvl><cx:pt idx=\"0\">May</cx:pt><cx:pt idx=\"1\">June</cx:pt></cx:lvl></cx:strDim>\
        <cx:numDim type=\"val\"><cx:lvl formatCode=\"0%\"><cx:pt idx=\"0\">0.4</cx:pt><cx:pt idx=\"1\">-0.1</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData>\
        <cx:chart><cx:title><cx:tx><cx:txData><cx:v>Change</cx:v></cx:txData></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion>\
        <cx:series layoutId=\"waterfall\"><cx:tx><cx:txData><cx:v>Visitors</cx:v></cx:txData></cx:tx><cx:dataId val=\"0\"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>";
    let drawing = "<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing><cx:chart r:id=\"rchartEx\" xmlns:cx=\"cx\"/></w:drawing></mc:Choice>\
        <mc:Fallback><w:t>This chart is not available.</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>";
    let expected = "Change\n\n|  | Visitors |\n|---|---|\n| May | 40% |\n| June | -10% |";
    let parts = [("chartEx", "charts/chartEx1.xml", chart)];
    assert_eq!(text(drawing, &parts), expected);
    let cell = |inner: &str| format!("<w:tc>{inner}</w:tc>");
    let table = format!(
        "<w:tbl><w:tr>{}{}</w:tr></w:tbl>",
        cell(&paragraph("", "Left")),
        cell(&(drawing.to_owned() + &paragraph("", "right")))
    );
    assert_eq!(text(&table, &parts), format!("| Left | right |\n|---|---|\n\n{expected}"));
}
