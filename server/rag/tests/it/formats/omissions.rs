//! What documents leave out: each kind is told, and none of it is shown.

use rag::document::{Document, Omission};

use super::{docx, odt, read, slides, tables};
use crate::pdf::{layout::with_an_unknown_code, losses::with_an_attachment};

#[test]
fn every_format_tells_every_kind_that_it_leaves_out() {
    for kind in Omission::ALL {
        for document in documents(kind) {
            let text: String = document.sections.iter().map(|section| section.text.as_str()).collect();
            assert_eq!(document.omissions.get(&kind), Some(&1), "{kind:?} of {document:?}");
            assert_eq!(document.omissions.len(), 1, "{kind:?} of {document:?}");
            assert!(!text.contains("Secret"), "{kind:?} of {document:?}");
        }
    }
}

/// Documents that leave out the word "Secret" or an object, one of each format that can.
fn documents(kind: Omission) -> Vec<Document> {
    match kind {
        Omission::StruckText => vec![
            docx_of(&docx::run("<w:strike/>", "Secret")),
            odt_of("<text:span text:style-name=\"Struck\">Secret</text:span>"),
            pptx_of("", &slides::run("strike=\"sngStrike\"", "Secret")),
            xlsx_of("", "<row r=\"2\"><c r=\"A2\" s=\"1\" t=\"str\"><v>Secret</v></c></row>"),
            read("a.html", b"<p>Seen <del>Secret</del></p>").unwrap(),
            read("a.md", b"Seen ~~Secret~~").unwrap(),
        ],
        Omission::HiddenText => vec![
            docx_of(&docx::run("<w:vanish/>", "Secret")),
            docx_of(&docx::run("<w:color w:val=\"FFFFFF\"/>", "Secret")),
            odt_of("<text:span text:style-name=\"Hidden\">Secret</text:span>"),
            slides::presentation(&[("", &(slides::words("Seen") + &hidden_shape()))]),
            slides::presentation(&[(
                "",
                &(slides::shape([5, 5, 40, 5], &slides::words("Seen"))
                    + &slides::shape([130, 5, 40, 5], &slides::words("Secret"))),
            )]),
            xlsx_of("", "<row r=\"2\"><c r=\"A2\" s=\"2\" t=\"str\"><v>Secret</v></c></row>"),
            xlsx_of("", "<row r=\"2\"><c r=\"A2\" s=\"3\" t=\"str\"><v>Secret</v></c></row>"),
            read("a.html", b"<p>Seen</p><p hidden>Secret</p>").unwrap(),
            read("a.md", b"Seen\n\n<p hidden>Secret</p>\n").unwrap(),
        ],
        Omission::HiddenRows => {
            let row = |cell: &str, properties: &str| {
                format!("<w:tr><w:trPr>{properties}</w:trPr><w:tc>{}</w:tc></w:tr>", docx::paragraph("", cell))
            };
            let table = format!("<w:tbl>{}{}</w:tbl>", row("Seen", ""), row("Secret", "<w:hidden/>"));
            let row = |cell: &str, more: &str| {
                format!(
                    "<table:table-row{more}><table:table-cell><text:p>{cell}</text:p></table:table-cell></table:table-row>"
                )
            };
            let rows = row("Seen", "") + &row("Secret", " table:visibility=\"collapse\"");
            vec![
                docx::document(&table, &[]),
                odt::document("", "", &format!("<table:table>{rows}</table:table>"), &[]),
                xlsx_of("", "<row r=\"2\" hidden=\"1\"><c r=\"A2\" t=\"str\"><v>Secret</v></c></row>"),
            ]
        }
        Omission::HiddenColumns => {
            let column = "<cols><col min=\"2\" max=\"2\" hidden=\"1\"/></cols>";
            vec![xlsx_of(column, "<row r=\"2\"><c r=\"B2\" t=\"str\"><v>Secret</v></c></row>")]
        }
        Omission::HiddenSheets => {
            let sheet = |text: &str| format!("<sheetData><row><c t=\"str\"><v>{text}</v></c></row></sheetData>");
            let sheets = [("name=\"One\"", &*sheet("Seen")), ("name=\"Two\" state=\"hidden\"", &*sheet("Secret"))];
            vec![tables::workbook(&sheets, "<styleSheet/>", "<sst/>")]
        }
        Omission::HiddenSlides => {
            let slide = |text: &str| slides::shape([5, 5, 40, 5], &slides::words(text));
            vec![slides::presentation(&[("", &slide("Seen")), ("show=\"0\"", &slide("Secret"))])]
        }
        Omission::MissingValues => vec![xlsx_of("", "<row r=\"2\"><c r=\"A2\"><f>SUM(A1)</f></c></row>")],
        Omission::UnknownCharacters => vec![read("a.pdf", &with_an_unknown_code()).unwrap()],
        Omission::EmbeddedObjects => {
            let object =
                "<w:p><w:r><w:object><v:shape/><o:OLEObject Type=\"Embed\" xmlns:o=\"o\"/></w:object></w:r></w:p>";
            let frame = "<p:graphicFrame><a:graphic><mc:AlternateContent><mc:Choice><p:oleObj/></mc:Choice>\
                <mc:Fallback><p:oleObj><p:pic/></p:oleObj></mc:Fallback></mc:AlternateContent></a:graphic></p:graphicFrame>";
            let objects = "<oleObjects><a><oleObject shapeId=\"7\"/></a><b><oleObject shapeId=\"7\"/></b></oleObjects>";
            vec![
                docx_of(&format!("</w:p>{object}<w:p>")),
                rich_text("<w:altChunk r:id=\"raFChunk\"/>"),
                rich_text("<w:tbl><w:tr><w:tc><w:altChunk r:id=\"raFChunk\"/></w:tc></w:tr></w:tbl>"),
                odt_of("<draw:frame><draw:object-ole xlink:href=\"./Object 1\"/></draw:frame>"),
                odt_of("<draw:frame><draw:object xlink:href=\"./Object 1\"/></draw:frame>"),
                slides::presentation(&[("", &(slides::shape([5, 5, 40, 5], &slides::words("Seen")) + frame))]),
                xlsx_of(objects, ""),
                read("a.pdf", &with_an_attachment()).unwrap(),
            ]
        }
        Omission::BeyondMaximum => {
            let point = |at: u32| format!("<c:pt idx=\"{at}\"><c:v>{at}</c:v></c:pt>");
            let points: String = (0..2001).map(point).collect();
            let chart = format!(
                "<c:chartSpace><c:chart><c:plotArea><c:ser><c:val>{points}</c:val></c:ser></c:plotArea></c:chart></c:chartSpace>"
            );
            let drawing = "<w:p><w:r><w:drawing><c:chart r:id=\"rchart\"/></w:drawing></w:r></w:p>";
            let column = "<row r=\"2\"><c r=\"OK2\" t=\"str\"><v>Secret</v></c><c r=\"OL2\" s=\"1\"/></row>";
            let table = format!("Seen{}\n1{}\n", ",".repeat(400), ",".repeat(399) + ",Secret");
            vec![
                xlsx_of("", column),
                docx::document(&(docx::paragraph("", "Seen") + drawing), &[("chart", "charts/chart1.xml", &chart)]),
                read("a.csv", table.as_bytes()).unwrap(),
            ]
        }
    }
}

fn docx_of(inner: &str) -> Document {
    docx::document(&format!("<w:p>{}{inner}</w:p>", docx::run("", "Seen ")), &[])
}

/// A document into which a text in RTF is merged.
fn rich_text(place: &str) -> Document {
    docx::document_with_plain(&(docx::paragraph("", "Seen") + place), ("aFChunk", "a.rtf", "{\\rtf1 Secret}"))
}

fn odt_of(inner: &str) -> Document {
    let style = |name: &str, property: &str| {
        format!(
            "<style:style style:name=\"{name}\" style:family=\"text\"><style:text-properties {property}/></style:style>"
        )
    };
    let styles = style("Struck", "style:text-line-through-style=\"solid\"") + &style("Hidden", "text:display=\"none\"");
    let other = [(
        "Object 1/content.xml",
        "<office:document-content><office:body><office:text/></office:body></office:document-content>",
    )];
    odt::document("", &styles, &format!("<text:p>Seen {inner}</text:p>"), &other)
}

fn pptx_of(attributes: &str, run: &str) -> Document {
    let text = slides::paragraph("", &(slides::run("", "Seen ") + run));
    slides::presentation(&[(attributes, &slides::shape([5, 5, 40, 5], &text))])
}

fn hidden_shape() -> String {
    format!(
        "<p:sp><p:txBody>{}</p:txBody></p:sp><p:sp><p:nvSpPr><p:cNvPr hidden=\"1\"/></p:nvSpPr><p:txBody>{}</p:txBody></p:sp>",
        slides::words("Seen"),
        slides::words("Secret")
    )
}

/// A sheet with a row and further ones.
fn xlsx_of(before: &str, rows: &str) -> Document {
    let styles = "<styleSheet><numFmts><numFmt numFmtId=\"170\" formatCode=\";;;\"/></numFmts><fonts><font/><font><strike/></font><font><color theme=\"0\"/></font></fonts><fills><fill><patternFill patternType=\"none\"/></fill></fills>
        <cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"0\" fontId=\"1\"/><xf numFmtId=\"170\"/><xf numFmtId=\"0\" fontId=\"2\" fillId=\"0\"/></cellXfs></styleSheet>";
    let (columns, objects) = if before.starts_with("<cols") { (before, "") } else { ("", before) };
    let sheet = format!(
        "{columns}<sheetData><row r=\"1\"><c r=\"A1\" t=\"str\"><v>Seen</v></c><c r=\"C1\" t=\"str\"><v>also</v></c></row>{rows}</sheetData>{objects}"
    );
    tables::workbook(&[("name=\"Lamps\"", &sheet)], styles, "<sst/>")
}
