//! ODT files as word processors write them.

use rag::document::{Document, Omission};

use super::{read, zip};

const NAMESPACES: &str = "xmlns:office=\"o\" xmlns:text=\"t\" xmlns:table=\"b\" xmlns:style=\"s\" xmlns:draw=\"d\" \
    xmlns:xlink=\"x\" xmlns:fo=\"f\" xmlns:chart=\"c\"";

pub(super) fn document(styles: &str, automatic: &str, body: &str, more: &[(&str, &str)]) -> Document {
    let content = format!(
        "<office:document-content {NAMESPACES}><office:automatic-styles>{automatic}</office:automatic-styles>
         <office:body><office:text>{body}</office:text></office:body></office:document-content>"
    );
    let styles = format!("<office:document-styles {NAMESPACES}>{styles}</office:document-styles>");
    let more: Vec<_> =
        more.iter().map(|(path, text)| (*path, text.replacen('>', &format!(" {NAMESPACES}>"), 1))).collect();
    let mut files = vec![("content.xml", content.as_bytes()), ("styles.xml", styles.as_bytes())];
    files.extend(more.iter().map(|(path, text)| (*path, text.as_bytes())));
    read("lease.odt", &zip(&files)).unwrap()
}

fn text(styles: &str, automatic: &str, body: &str) -> String {
    document(styles, automatic, body, &[])
        .sections
        .into_iter()
        .map(|section| section.text)
        .collect::<Vec<_>>()
        .join("\n\n")
}

#[test]
fn a_document_type_that_declares_nothing_is_ignored() {
    let content = format!(
        "<?xml version=\"1.0\"?><!DOCTYPE office:document-content PUBLIC \"-//OpenOffice.org//DTD OfficeDocument 1.0//EN\" \"office.dtd\">
         <office:document-content {NAMESPACES}><office:body><office:text><text:p>The pool opens at nine.</text:p></office:text></office:body></office:document-content>"
    );
    let document = read("pool.odt", &zip(&[("content.xml", content.as_bytes())])).unwrap();
    assert_eq!(document.sections[0].text, "The pool opens at nine.");
}

#[test]
fn frames_follow_their_anchor_and_notes_their_sentence() {
    let body = "<text:p>Close the door<draw:frame><draw:text-box><text:p>Call 0800 555.</text:p></draw:text-box></draw:frame> at night.</text:p>
        <text:p>The fee<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Students pay 25.</text:p></text:note-body></text:note> is 40 euros. Thanks.</text:p>
        <draw:custom-shape><text:p>In a shape.</text:p></draw:custom-shape>
        <table:table><table:table-row><table:table-cell><text:p>Desk<draw:frame><draw:text-box><text:p>left</text:p></draw:text-box></draw:frame></text:p></table:table-cell>
        <table:table-cell><text:p>9<text:note><text:note-body><text:p>Not in May.</text:p></text:note-body></text:note></text:p></table:table-cell></table:table-row></table:table>";
    let expected = "Close the door at night.\n\nCall 0800 555.\n\nThe fee is 40 euros. (Students pay 25.) Thanks.\n\nIn a shape.\n\n\
                    | Desk left | 9 (Not in May.) |\n|---|---|";
    assert_eq!(text("", "", body), expected);
}

#[test]
fn numbers_of_headings_and_lists_are_those_that_are_drawn() {
    let outline = "<text:outline-style><text:outline-level-style text:level=\"1\" style:num-format=\"1\"/>
        <text:outline-level-style text:level=\"2\" style:num-format=\"1\" text:display-levels=\"2\"/></text:outline-style>";
    let lists = "<text:list-style style:name=\"L\"><text:list-level-style-number text:level=\"1\" style:num-format=\"1\" style:num-suffix=\".\"/>
        <text:list-level-style-number text:level=\"2\" style:num-format=\"a\" style:num-suffix=\")\"/></text:list-style>
        <text:list-style style:name=\"C\"><text:list-level-style-number text:level=\"1\" style:num-format=\"1\" style:num-prefix=\"(\" style:num-suffix=\")\"/></text:list-style>
        <text:list-style style:name=\"N\"><text:list-level-style-number text:level=\"1\" style:num-format=\"\"/></text:list-style>
        <text:list-style style:name=\"B\"><text:list-level-style-bullet text:level=\"1\" text:bullet-char=\"•\"/></text:list-style>";
    let item = |text: &str| format!("<text:list-item><text:p>{text}</text:p></text:list-item>");
    let inner = format!(
        "<text:list-item><text:p>Sign.</text:p><text:list>{}{}</text:list></text:list-item>",
        item("Here."),
        item("There.")
    );
    let list = |attributes: &str, items: &str| format!("<text:list {attributes}>{items}</text:list>");
    let heading = |level: u32, text: &str| format!("<text:h text:outline-level=\"{level}\">{text}</text:h>");
    let body = [
        heading(1, "Room"),
        heading(2, "Booking"),
        list("text:style-name=\"C\"", &(item("Book early.") + &item("Pay later."))),
        heading(2, "Keys"),
        list("text:style-name=\"L\"", &(item("Come.") + &inner)),
        "<text:p>Back:</text:p>".to_owned(),
        list("text:style-name=\"L\" text:continue-numbering=\"true\"", &item("Lock.")),
        list("text:style-name=\"L\"", &item("Anew.")),
        list("text:style-name=\"N\"", &item("No number.")),
        list("text:style-name=\"B\"", &item("A bullet.")),
    ];
    let document = document(outline, lists, &body.concat(), &[]);
    let sections: Vec<_> =
        document.sections.iter().map(|section| (section.heading_path.join("/"), section.text.as_str())).collect();
    assert_eq!(document.title, "Room");
    assert_eq!(sections[0], ("1 Room/1.1 Booking".to_owned(), "- (1) Book early.\n- (2) Pay later."));
    let keys =
        "1. Come.\n2. Sign.\n  - a) Here.\n  - b) There.\n\nBack:\n\n3. Lock.\n1. Anew.\n\nNo number.\n\n- A bullet.";
    assert_eq!(sections[1], ("1 Room/1.2 Keys".to_owned(), keys));
}

#[test]
fn struck_and_hidden_text_is_left_out_and_counted() {
    let style = |family: &str, name: &str, more: &str, properties: &str| {
        format!(
            "<style:style style:name=\"{name}\" style:family=\"{family}\" {more}><style:text-properties {properties}/></style:style>"
        )
    };
    let styles = style("paragraph", "Internal", "", "text:display=\"none\"");
    let automatic = [
        style("text", "T1", "", "style:text-line-through-style=\"solid\""),
        style("text", "T2", "", "style:text-position=\"super 58%\""),
        style("text", "T3", "", "text:display=\"none\""),
        style("text", "T4", "style:parent-style-name=\"T1\"", ""),
        style("paragraph", "P1", "style:parent-style-name=\"Internal\"", "fo:color=\"#000000\""),
    ]
    .concat();
    let span = |style: &str, text: &str| format!("<text:span text:style-name=\"{style}\">{text}</text:span>");
    let body = [
        format!("<text:p>It costs {}{} 38 euros.</text:p>", span("T1", "44"), span("T4", " euros")),
        format!("<text:p>A flute costs 29{} euros{}.</text:p>", span("T2", "90"), span("T3", ", margin 5")),
        format!("<text:p>120 m{} of hall.</text:p>", span("T2", "2")),
        "<text:p text:style-name=\"P1\">Internal price.</text:p>".to_owned(),
        "<text:section text:display=\"none\"><text:p>Internal section.</text:p></text:section>".to_owned(),
        "<text:p><text:hidden-paragraph text:is-hidden=\"true\"/>Internal field.</text:p>".to_owned(),
    ];
    let document = document(&styles, &automatic, &body.concat(), &[]);
    assert_eq!(document.sections[0].text, "It costs 38 euros.\n\nA flute costs 29.90 euros.\n\n120 m² of hall.");
    let counts: Vec<_> = document.omissions.into_iter().collect();
    assert_eq!(counts, [(Omission::StruckText, 1), (Omission::HiddenText, 4)]);
}

#[test]
fn a_chart_is_its_title_and_table() {
    let row = |cells: [&str; 2]| {
        let cell = |text: &str| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>");
        format!("<table:table-row>{}</table:table-row>", cells.map(cell).concat())
    };
    let rows = row(["", "Visitors"]) + &row(["May", "40"]);
    let chart = format!(
        "<office:document-content><office:body><office:chart><chart:chart><chart:title><text:p>Visitors by month</text:p></chart:title>
         <table:table>{rows}</table:table></chart:chart></office:chart></office:body></office:document-content>"
    );
    let body = "<text:p><draw:frame><draw:object xlink:href=\"./Object 1\"/></draw:frame></text:p>";
    let document = document("", "", body, &[("Object 1/content.xml", &chart)]);
    assert_eq!(document.sections[0].text, "Visitors by month\n\n|  | Visitors |\n|---|---|\n| May | 40 |");
}

#[test]
fn lists_and_tables_of_a_cell_are_kept_apart() {
    let lists = "<text:list-style style:name=\"L\"><text:list-level-style-number text:level=\"1\" style:num-format=\"1\" style:num-suffix=\".\"/></text:list-style>";
    let cell = |inner: &str| format!("<table:table-cell>{inner}</table:table-cell>");
    let row = |cells: &[String]| format!("<table:table-row>{}</table:table-row>", cells.concat());
    let list = |style: &str, items: [&str; 2]| {
        let items = items.map(|text| format!("<text:list-item><text:p>{text}</text:p></text:list-item>")).concat();
        format!("<text:list{style}>{items}</text:list>")
    };
    let plain = |text: &str| format!("<text:p>{text}</text:p>");
    let inner = format!("<table:table>{}</table:table>", row(&[cell(&plain("small")), cell(&plain("5"))]));
    let rows = [
        row(&[cell(&plain("Boat")), cell(&plain("With it")), cell(&plain("Price"))]),
        row(&[
            cell(&list(" text:style-name=\"L\"", ["Come", "Pay"])),
            cell(&list("", ["paddle", "vest"])),
            cell(&(plain("12") + &plain("500"))),
        ]),
        row(&[cell(&plain("Raft")), cell(&inner), cell(&plain("9"))]),
    ];
    let expected = "| Boat | With it | Price |\n|---|---|---|\n| 1. Come; 2. Pay | paddle; vest | 12; 500 |\n| Raft | small, 5 | 9 |";
    assert_eq!(text("", lists, &format!("<table:table>{}</table:table>", rows.concat())), expected);
}

#[test]
fn formulas_stand_in_their_sentence_and_stored_values_nowhere() {
    let formula = "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><semantics><mrow><mi>a</mi><mo>=</mo><mfrac><mn>3</mn><mn>4</mn></mfrac></mrow><annotation>a = {3 over 4}</annotation></semantics></math>";
    let body = "<text:p>Take <draw:frame><draw:object xlink:href=\"./Object 1\"/></draw:frame> as it is\
        <text:variable-set text:display=\"none\">internal</text:variable-set>.</text:p>\
        <text:p>On a <draw:line><text:p>On the line.</text:p></draw:line>day.</text:p>";
    let document = document("", "", body, &[("Object 1/content.xml", formula)]);
    assert_eq!(document.sections[0].text, "Take a=3/4 as it is.\n\nOn a day.\n\nOn the line.");
    assert!(document.omissions.is_empty());
}

#[test]
fn lines_with_as_many_tabulators_are_a_table() {
    let line = |cells: &str| format!("<text:p>{}</text:p>", cells.replace(',', "<text:tab/>"));
    let body = ["Boat,Hour,,Day", "Canoe,9 €,30 €", "Raft,,12 €,45 €", "Signed,Berlin"].map(line).concat();
    let table = "| Boat | Hour | Day |\n|---|---|---|\n| Canoe | 9 € | 30 € |\n| Raft | 12 € | 45 € |";
    assert_eq!(document("", "", &body, &[]).sections[0].text, format!("{table}\n\nSigned Berlin"));
}

#[test]
fn white_text_on_the_page_is_left_out_and_counted() {
    let style = |name: &str, family: &str, more: &str| {
        format!("<style:style style:name=\"{name}\" style:family=\"{family}\">{more}</style:style>")
    };
    let white = style("W", "text", "<style:text-properties fo:color=\"#FFFFFF\"/>");
    let dark = style("D", "paragraph", "<style:paragraph-properties fo:background-color=\"#003366\"/>");
    let span = |text: &str| format!("<text:span text:style-name=\"W\">{text}</text:span>");
    let body = format!(
        "<text:p>Open {}daily.</text:p><text:p text:style-name=\"D\">{}</text:p><table:table><table:table-row>\
         <table:table-cell><text:p>{}</text:p></table:table-cell><table:table-cell><text:p>9</text:p></table:table-cell>\
         </table:table-row></table:table>",
        span("never "),
        span("On Sundays too."),
        span("Fee"),
    );
    let automatic = white + &dark;
    let document_read = document("", &automatic, &body, &[]);
    let text: String = document_read.sections.iter().map(|section| section.text.as_str()).collect();
    assert!(text.starts_with("Open daily.\n\nOn Sundays too.") && text.contains("Fee"), "{text}");
    assert_eq!(document_read.omissions.get(&Omission::HiddenText), Some(&1));
    let page = "<style:page-layout><style:page-layout-properties fo:background-color=\"#003366\"/></style:page-layout>";
    assert!(document(page, &automatic, &body, &[]).omissions.is_empty());
}
