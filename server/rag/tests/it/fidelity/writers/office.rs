//! DOCX, ODT, XLSX and PPTX.

use std::fmt::Write as _;

use super::zip;
use crate::fidelity::model::{CellPlace, Look, Part, Sample, Table, runs};

const W: &str = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// Each place of a table: the cell that begins there, the one that covers it from the left or from above, or none.
fn places(table: &Table) -> Vec<Vec<Option<CellPlace<'_>>>> {
    let (cells, width) = table.cell_places();
    let height = table.rows.len();
    let mut places: Vec<Vec<Option<CellPlace<'_>>>> = (0..height).map(|_| (0..width).map(|_| None).collect()).collect();
    for at in cells {
        for row in places.iter_mut().skip(at.row).take(at.cell.rows) {
            for place in row.iter_mut().skip(at.column).take(at.cell.columns) {
                *place = Some(CellPlace { row: at.row, column: at.column, cell: at.cell });
            }
        }
    }
    places
}

/// The whole document with its relations; `parts` are further files with their kinds.
fn package(main: &str, content: String, parts: &[(&str, &str, String)]) -> Vec<u8> {
    let relation = |(kind, target): (&str, &str)| {
        format!("<Relationship Id=\"{kind}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>")
    };
    let relations = |list: String| {
        format!(
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{list}</Relationships>"
        )
    };
    let (folder, name) = main.split_once('/').unwrap();
    let own = parts.iter().map(|(kind, path, _)| relation((kind, path))).collect();
    let mut files = vec![
        ("_rels/.rels".to_owned(), relations(relation(("officeDocument", main)))),
        (format!("{folder}/_rels/{name}.rels"), relations(own)),
        (main.to_owned(), content),
    ];
    files.extend(parts.iter().map(|(_, path, content)| (format!("{folder}/{path}"), content.clone())));
    let mut types = String::new();
    for (path, _) in &files {
        let kind = match path.rsplit('/').next().unwrap() {
            "document.xml" => "wordprocessingml.document.main",
            "styles.xml" if folder == "word" => "wordprocessingml.styles",
            "footnotes.xml" => "wordprocessingml.footnotes",
            "workbook.xml" => "spreadsheetml.sheet.main",
            "styles.xml" => "spreadsheetml.styles",
            "sheet1.xml" => "spreadsheetml.worksheet",
            "presentation.xml" => "presentationml.presentation.main",
            "slide1.xml" => "presentationml.slide",
            _ => continue,
        };
        write!(
            types,
            "<Override PartName=\"/{path}\" ContentType=\"application/vnd.openxmlformats-officedocument.{kind}+xml\"/>"
        )
        .unwrap();
    }
    files.insert(0, ("[Content_Types].xml".to_owned(), format!("<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" ContentType=\"application/xml\"/>{types}</Types>")));
    zip(&files)
}

pub(crate) fn docx(sample: &Sample) -> Option<Vec<u8>> {
    let mut notes = String::new();
    let mut count = 0;
    let mut text = |text: &str| -> String {
        let run = |properties: &str, text: &str| {
            format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
        };
        let one = |(look, text): (Look, String)| match look {
            Look::Plain => run("", &text),
            Look::Raised => run("<w:vertAlign w:val=\"superscript\"/>", &text),
            Look::Struck => run("<w:strike/>", &text),
            Look::Hidden => run("<w:vanish/>", &text),
            Look::Note => {
                count += 1;
                write!(notes, "<w:footnote w:id=\"{count}\"><w:p>{}</w:p></w:footnote>", run("", &text)).unwrap();
                format!("<w:r><w:footnoteReference w:id=\"{count}\"/></w:r>")
            }
        };
        runs(text).into_iter().map(one).collect()
    };
    let mut body = String::new();
    for part in &sample.parts {
        let markup = match part {
            Part::Heading(heading) => {
                format!("<w:p><w:pPr><w:pStyle w:val=\"H1\"/></w:pPr>{}</w:p>", text(heading))
            }
            Part::Text(paragraph) => format!("<w:p>{}</w:p>", text(paragraph)),
            Part::Items(items) => items.iter().map(|item| format!("<w:p>{}</w:p>", text(item))).collect(),
            Part::Table(table) if table.is_nested => docx_row(&[docx_table(table)]),
            Part::Table(table) => docx_table(table),
            Part::Beside(one, other) => docx_row(&[docx_table(one), docx_table(other)]),
        };
        body.push_str(&markup);
    }
    let styles = format!(
        "<w:styles {W}><w:style w:type=\"paragraph\" w:styleId=\"H1\"><w:name w:val=\"heading 1\"/></w:style></w:styles>"
    );
    let main = format!("<w:document {W}><w:body>{body}</w:body></w:document>");
    let notes = format!("<w:footnotes {W}>{notes}</w:footnotes>");
    Some(package("word/document.xml", main, &[("styles", "styles.xml", styles), ("footnotes", "footnotes.xml", notes)]))
}

/// A table of one row, whose cells have tables.
fn docx_row(tables: &[String]) -> String {
    let cells: String = tables.iter().map(|table| format!("<w:tc>{table}<w:p/></w:tc>")).collect();
    format!("<w:tbl><w:tr>{cells}</w:tr></w:tbl>")
}

fn docx_table(table: &Table) -> String {
    let mut markup = String::new();
    for (row, places) in places(table).into_iter().enumerate() {
        markup.push_str("<w:tr>");
        if row < table.header {
            markup.push_str("<w:trPr><w:tblHeader/></w:trPr>");
        }
        for (column, place) in places.into_iter().enumerate() {
            let Some(place) = place.filter(|place| place.column == column) else { continue };
            let merge = match (place.cell.rows > 1, place.row == row) {
                (false, _) => "",
                (true, true) => "<w:vMerge w:val=\"restart\"/>",
                (true, false) => "<w:vMerge/>",
            };
            let text =
                if place.row == row { place.cell.text.replace('\n', "</w:t><w:br/><w:t>") } else { String::new() };
            let span = place.cell.columns;
            write!(markup, "<w:tc><w:tcPr><w:gridSpan w:val=\"{span}\"/>{merge}</w:tcPr><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>").unwrap();
        }
        markup.push_str("</w:tr>");
    }
    let grid = "<w:gridCol/>".repeat(table.cell_places().1);
    format!("<w:tbl><w:tblGrid>{grid}</w:tblGrid>{markup}</w:tbl>")
}

pub(crate) fn odt(sample: &Sample) -> Option<Vec<u8>> {
    let text = |text: &str| -> String {
        let one = |(at, (look, text)): (usize, (Look, String))| match look {
            Look::Plain => text,
            Look::Raised => format!("<text:span text:style-name=\"Up\">{text}</text:span>"),
            Look::Struck => format!("<text:span text:style-name=\"Out\">{text}</text:span>"),
            Look::Hidden => format!("<text:span text:style-name=\"Off\">{text}</text:span>"),
            Look::Note => format!(
                "<text:note text:note-class=\"footnote\"><text:note-citation>{at}</text:note-citation><text:note-body><text:p>{text}</text:p></text:note-body></text:note>"
            ),
        };
        runs(text).into_iter().enumerate().map(one).collect()
    };
    let part = |part: &Part| match part {
        Part::Heading(heading) => format!("<text:h text:outline-level=\"1\">{heading}</text:h>"),
        Part::Text(paragraph) => format!("<text:p>{}</text:p>", text(paragraph)),
        Part::Items(items) => {
            let items = items.iter().map(|item| format!("<text:list-item><text:p>{item}</text:p></text:list-item>"));
            format!("<text:list>{}</text:list>", items.collect::<String>())
        }
        Part::Table(table) if table.is_nested => odt_row(&[odt_table(table)]),
        Part::Table(table) => odt_table(table),
        Part::Beside(one, other) => odt_row(&[odt_table(one), odt_table(other)]),
    };
    let body: String = sample.parts.iter().map(part).collect();
    let style = |name: &str, property: &str| {
        format!(
            "<style:style style:name=\"{name}\" style:family=\"text\"><style:text-properties {property}/></style:style>"
        )
    };
    let styles = style("Up", "style:text-position=\"super 58%\"")
        + &style("Out", "style:text-line-through-style=\"solid\"")
        + &style("Off", "text:display=\"none\"");
    let names = ["office", "text", "table", "style", "fo"]
        .map(|name| format!(" xmlns:{name}=\"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0\""))
        .concat();
    let content = format!(
        "<office:document-content{names}><office:automatic-styles>{styles}</office:automatic-styles><office:body><office:text>{body}</office:text></office:body></office:document-content>"
    );
    let styles = format!("<office:document-styles{names}/>");
    let files =
        [("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", &content), ("styles.xml", &styles)];
    Some(zip(&files.map(|(path, content)| (path.to_owned(), content.to_owned()))))
}

fn odt_row(tables: &[String]) -> String {
    let cells: String = tables.iter().map(|table| format!("<table:table-cell>{table}</table:table-cell>")).collect();
    format!("<table:table><table:table-column/><table:table-row>{cells}</table:table-row></table:table>")
}

fn odt_table(table: &Table) -> String {
    let mut markup = String::new();
    for (row, places) in places(table).into_iter().enumerate() {
        markup.push_str("<table:table-row>");
        for (column, place) in places.into_iter().enumerate() {
            let Some(place) = place else { continue };
            if (place.row, place.column) != (row, column) {
                markup.push_str("<table:covered-table-cell/>");
                continue;
            }
            let cell = place.cell;
            write!(markup, "<table:table-cell table:number-columns-spanned=\"{}\" table:number-rows-spanned=\"{}\"><text:p>{}</text:p></table:table-cell>", cell.columns, cell.rows, cell.text.replace('\n', "<text:line-break/>")).unwrap();
        }
        markup.push_str("</table:table-row>");
    }
    format!("<table:table>{markup}</table:table>")
}

/// The value and the style of an amount as a spreadsheet program stores it: a number with a format.
fn amount(text: &str) -> Option<(String, usize)> {
    let (number, style) = match (text.strip_suffix(" €"), text.strip_prefix("€ ")) {
        (Some(number), _) => (number, 1),
        (_, Some(number)) => (number, 2),
        _ => (text, 3),
    };
    let is_number = !number.is_empty() && number.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    // Whole numbers have no format.
    is_number.then(|| (number.to_owned(), if number.contains('.') { style } else { 0 }))
}

/// A workbook of the tables. Texts stand in the first column.
pub(crate) fn xlsx(sample: &Sample) -> Option<Vec<u8>> {
    let (mut cells, mut ranges) = (std::collections::BTreeMap::new(), String::new());
    let mut row = 1;
    let mut place = |table: &Table, first: usize, left: usize| {
        for CellPlace { row, column, cell } in table.cell_places().0 {
            let name =
                |row: usize, column: usize| format!("{}{}", char::from(b'A' + u8::try_from(column).unwrap()), row);
            let (row, column) = (first + row, left + column);
            let at = name(row, column);
            let content = match amount(&cell.text) {
                _ if cell.text.is_empty() => continue,
                Some((number, style)) => format!("<c r=\"{at}\" s=\"{style}\"><v>{number}</v></c>"),
                None => {
                    format!("<c r=\"{at}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{}</t></is></c>", cell.text)
                }
            };
            cells.insert((row, column), content);
            if cell.rows * cell.columns > 1 {
                let last = name(row + cell.rows - 1, column + cell.columns - 1);
                write!(ranges, "<mergeCell ref=\"{at}:{last}\"/>").unwrap();
            }
        }
        first + table.rows.len()
    };
    for part in &sample.parts {
        let text = |text: &str| Table::new(0, 0, &[text]);
        row = match part {
            Part::Heading(heading) => place(&text(heading), row, 0) + 1,
            Part::Text(paragraph) if paragraph.contains(['~', '#', '^', '[']) => return None,
            Part::Text(paragraph) => place(&text(paragraph), row, 0) + 1,
            Part::Items(_) => return None,
            Part::Table(table) => place(table, row, 0) + 1,
            Part::Beside(one, other) => place(one, row, 0).max(place(other, row, one.cell_places().1 + 1)) + 1,
        };
    }
    let mut data = String::new();
    for number in 1..row {
        let own: String = cells.range((number, 0)..(number + 1, 0)).map(|(_, cell)| cell.as_str()).collect();
        if !own.is_empty() {
            write!(data, "<row r=\"{number}\">{own}</row>").unwrap();
        }
    }
    let x = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"";
    let ranges = if ranges.is_empty() { ranges } else { format!("<mergeCells>{ranges}</mergeCells>") };
    let sheet = format!("<worksheet {x}><sheetData>{data}</sheetData>{ranges}</worksheet>");
    let styles = format!(
        "<styleSheet {x}><numFmts count=\"3\"><numFmt numFmtId=\"170\" formatCode=\"0.00&quot; €&quot;\"/><numFmt numFmtId=\"171\" formatCode=\"&quot;€ &quot;0.00\"/>\
         <numFmt numFmtId=\"172\" formatCode=\"0.00\"/></numFmts><fonts><font/></fonts><fills><fill><patternFill patternType=\"none\"/></fill></fills><borders><border/></borders><cellStyleXfs><xf/></cellStyleXfs>\
         <cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"170\"/><xf numFmtId=\"171\"/><xf numFmtId=\"172\"/></cellXfs></styleSheet>"
    );
    let book = format!(
        "<workbook {x} xmlns:r=\"{OFFICE}\"><sheets><sheet name=\"Prices\" sheetId=\"1\" r:id=\"worksheet\"/></sheets></workbook>"
    );
    Some(package(
        "xl/workbook.xml",
        book,
        &[("worksheet", "worksheets/sheet1.xml", sheet), ("styles", "styles.xml", styles)],
    ))
}

/// One slide with the texts and tables below each other.
pub(crate) fn pptx(sample: &Sample) -> Option<Vec<u8>> {
    let mut shapes = String::new();
    for (number, part) in (1..).zip(&sample.parts) {
        let place = format!("<a:off x=\"100\" y=\"{}\"/><a:ext cx=\"9000\" cy=\"900\"/>", number * 1000);
        let shape = |kind: &str, text: &str| {
            let one = |(look, text): (Look, String)| match look {
                Look::Struck => format!("<a:r><a:rPr strike=\"sngStrike\"/><a:t>{text}</a:t></a:r>"),
                Look::Raised => format!("<a:r><a:rPr baseline=\"30000\"/><a:t>{text}</a:t></a:r>"),
                _ => format!("<a:r><a:t>{text}</a:t></a:r>"),
            };
            let runs: String = runs(text).into_iter().map(one).collect();
            format!(
                "<p:sp><p:nvSpPr><p:cNvPr id=\"{number}\" name=\"s\"/><p:cNvSpPr/><p:nvPr>{kind}</p:nvPr></p:nvSpPr><p:spPr><a:xfrm>{place}</a:xfrm></p:spPr><p:txBody><a:bodyPr/><a:p>{runs}</a:p></p:txBody></p:sp>"
            )
        };
        let markup = match part {
            Part::Heading(heading) if number == 1 => shape("<p:ph type=\"title\"/>", heading),
            Part::Heading(heading) => shape("", heading),
            Part::Text(text) if text.contains(['#', '[']) => return None,
            Part::Text(text) => shape("", text),
            Part::Items(items) => shape("", &items.join(". ")),
            Part::Table(table) => format!(
                "<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id=\"{number}\" name=\"t\"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm>{place}</p:xfrm><a:graphic><a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/table\">{}</a:graphicData></a:graphic></p:graphicFrame>",
                pptx_table(table)
            ),
            Part::Beside(..) => return None,
        };
        shapes.push_str(&markup);
    }
    let names = format!(
        "xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\" xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" xmlns:r=\"{OFFICE}\""
    );
    let slide = format!(
        "<p:sld {names}><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id=\"0\" name=\"\"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>{shapes}</p:spTree></p:cSld></p:sld>"
    );
    let main = format!(
        "<p:presentation {names}><p:sldIdLst><p:sldId id=\"256\" r:id=\"slide\"/></p:sldIdLst></p:presentation>"
    );
    Some(package("ppt/presentation.xml", main, &[("slide", "slides/slide1.xml", slide)]))
}

fn pptx_table(table: &Table) -> String {
    let mut markup = String::new();
    for (row, places) in places(table).into_iter().enumerate() {
        markup.push_str("<a:tr h=\"10\">");
        for (column, place) in places.into_iter().enumerate() {
            let Some(place) = place else { continue };
            let body = |text: &str| format!("<a:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody>");
            let cell = place.cell;
            let cell = match ((place.row, place.column) == (row, column), place.row < row) {
                (true, _) => {
                    format!(
                        "<a:tc gridSpan=\"{}\" rowSpan=\"{}\">{}</a:tc>",
                        cell.columns,
                        cell.rows,
                        body(&cell.text.replace('\n', "</a:t></a:r><a:br/><a:r><a:t>"))
                    )
                }
                (false, true) => format!("<a:tc vMerge=\"1\">{}</a:tc>", body("")),
                (false, false) => format!("<a:tc hMerge=\"1\">{}</a:tc>", body("")),
            };
            markup.push_str(&cell);
        }
        markup.push_str("</a:tr>");
    }
    let grid = "<a:gridCol w=\"10\"/>".repeat(table.cell_places().1);
    format!("<a:tbl><a:tblGrid>{grid}</a:tblGrid>{markup}</a:tbl>")
}
