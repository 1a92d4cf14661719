//! Workbooks and CSV files as spreadsheet programs write them.

use rag::document::{Document, Layout, Omission};

use super::{read, zip};

pub(super) fn workbook(sheets: &[(&str, &str)], styles: &str, texts: &str) -> Document {
    read("lamps.xlsx", &workbook_file(sheets, styles, texts)).unwrap()
}

fn workbook_file(sheets: &[(&str, &str)], styles: &str, texts: &str) -> Vec<u8> {
    let (mut list, mut relations, mut files) = (String::new(), String::new(), Vec::new());
    for (number, (attributes, content)) in sheets.iter().enumerate() {
        list.push_str(&format!("<sheet {attributes} sheetId=\"{number}\" r:id=\"s{number}\"/>"));
        relations.push_str(&format!(
            "<Relationship Id=\"s{number}\" Type=\"x/worksheet\" Target=\"worksheets/{number}.xml\"/>"
        ));
        files.push((format!("xl/worksheets/{number}.xml"), format!("<worksheet>{content}</worksheet>")));
    }
    for (kind, content) in [("styles", styles), ("sharedStrings", texts)] {
        relations.push_str(&format!("<Relationship Id=\"{kind}\" Type=\"x/{kind}\" Target=\"/xl/my-{kind}.xml\"/>"));
        files.push((format!("xl/my-{kind}.xml"), content.to_owned()));
    }
    let main =
        "<Relationships><Relationship Id=\"a\" Type=\"x/officeDocument\" Target=\"xl/workbook3.xml\"/></Relationships>";
    files.push(("_rels/.rels".to_owned(), main.to_owned()));
    files.push(("xl/workbook3.xml".to_owned(), format!("<workbook xmlns:r=\"r\"><sheets>{list}</sheets></workbook>")));
    files.push(("xl/_rels/workbook3.xml.rels".to_owned(), format!("<Relationships>{relations}</Relationships>")));
    let files: Vec<_> = files.iter().map(|(path, content)| (path.as_str(), content.as_bytes())).collect();
    zip(&files)
}

#[test]
fn cells_that_repeat_a_shared_text_are_refused_beyond_64_mb() {
    const MEGABYTE: usize = 1024 * 1024;
    let texts = format!("<sst><si><t>{}</t></si></sst>", "a".repeat(MEGABYTE));
    let file = |rows: usize| {
        let rows = "<row><c t=\"s\"><v>0</v></c></row>".repeat(rows);
        workbook_file(&[("name=\"Sums\"", &format!("<sheetData>{rows}</sheetData>"))], "<styleSheet/>", &texts)
    };
    assert_eq!(read("sums.xlsx", &file(2)).unwrap().sections[0].text.matches('a').count(), 2 * MEGABYTE);
    let refusal = read("sums.xlsx", &file(65)).unwrap_err().to_string();
    assert!(refusal.contains("its cells have too much text"), "{refusal}");
}

#[test]
fn bold_names_between_values_begin_a_table() {
    let cell = |text: &str, style: u32| match text.parse::<u32>() {
        Ok(_) => format!("<c><v>{text}</v></c>"),
        Err(_) => format!("<c s=\"{style}\" t=\"str\"><v>{text}</v></c>"),
    };
    let row = |style: u32, cells: &[&str]| {
        format!("<row>{}</row>", cells.iter().map(|text| cell(text, style)).collect::<String>())
    };
    let rows = [
        row(1, &["Boat", "Price"]),
        row(0, &["Canoe", "12"]),
        row(1, &["Camping"]),
        row(1, &["Place", "Fee"]),
        row(0, &["Tent", "8"]),
    ];
    let styles =
        "<styleSheet><fonts><font/><font><b/></font></fonts><cellXfs><xf/><xf fontId=\"1\"/></cellXfs></styleSheet>";
    let sheet = format!("<sheetData>{}</sheetData>", rows.concat());
    let read = workbook(&[("name=\"Prices\"", &sheet)], styles, "<sst/>");
    let expected = "| Boat | Price |\n|---|---|\n| Canoe | 12 |\n\nCamping\n\n| Place | Fee |\n|---|---|\n| Tent | 8 |";
    assert_eq!(read.sections[0].text, expected);
}

#[test]
fn a_workbook_shows_what_a_spreadsheet_program_shows() {
    let styles = "<styleSheet><numFmts><numFmt numFmtId=\"170\" formatCode=\"00000\"/><numFmt numFmtId=\"171\" formatCode=\";;;\"/>
        <numFmt numFmtId=\"172\" formatCode=\"[h]:mm\"/></numFmts><fonts><font/><font><strike/></font></fonts>
        <cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"170\"/><xf numFmtId=\"171\"/><xf numFmtId=\"172\"/><xf numFmtId=\"12\"/><xf numFmtId=\"0\" fontId=\"1\"/></cellXfs></styleSheet>";
    let texts = "<sst><si><t>Town</t></si><si><r><t>Code</t></r></si><si><t>Hours</t></si><si><t>Margin</t></si><si><t>Share</t></si>
        <si><r><rPr><strike/></rPr><t>49 </t></r><r><t>39</t></r><r><rPr><vertAlign val=\"superscript\"/></rPr><t>90</t></r></si><si><t>Rebate</t></si></sst>";
    let head = (0..5)
        .map(|at| format!("<c r=\"{}1\" t=\"s\"><v>{at}</v></c>", ["A", "B", "C", "D", "E"][at]))
        .collect::<String>();
    let sheet = format!(
        "<cols><col min=\"4\" max=\"4\" hidden=\"1\"/></cols><sheetData><row r=\"1\">{head}</row>
         <row r=\"2\"><c r=\"A2\" t=\"s\"><v>5</v></c><c r=\"B2\" s=\"1\"><v>1067</v></c><c r=\"C2\" s=\"3\"><v>1.3229166666666667</v></c><c r=\"D2\"><v>27.5</v></c><c r=\"E2\" s=\"4\"><v>0.5</v></c></row>
         <row r=\"3\" hidden=\"1\"><c r=\"A3\" t=\"inlineStr\"><is><t>Gone</t></is></c></row>
         <row r=\"4\"><c r=\"A4\" t=\"inlineStr\"><is><t>Total</t></is></c><c r=\"B4\"><f>SUM(B2:B3)</f><v></v></c><c r=\"C4\" s=\"2\"><v>33</v></c><c r=\"E4\" s=\"5\"><v>7</v></c></row>
         <row r=\"5\"><c r=\"A5\" s=\"2\" t=\"s\"><v>6</v></c></row></sheetData>"
    );
    let secret = "<sheetData><row><c t=\"str\"><v>Cost</v></c></row></sheetData>";
    let document =
        workbook(&[("name=\"Lamps\"", &sheet), ("name=\"Costs\" state=\"veryHidden\"", secret)], styles, texts);
    let expected =
        "| Town | Code | Hours | Share |\n|---|---|---|---|\n| 39.90 | 01067 | 31:45 | 1/2 |\n| Total | ? |  |  |";
    assert_eq!(document.sections[0].text, expected);
    let counts: Vec<_> = document.omissions.into_iter().collect();
    let expected = [
        (Omission::StruckText, 2),
        (Omission::HiddenText, 2),
        (Omission::HiddenRows, 1),
        (Omission::HiddenColumns, 1),
        (Omission::HiddenSheets, 1),
        (Omission::MissingValues, 1),
    ];
    assert_eq!(counts, expected);
}

#[test]
fn csv_files_of_spreadsheet_programs_are_read() {
    let western =
        |text: &str| text.chars().map(|letter| if letter == '€' { 0x80 } else { letter as u8 }).collect::<Vec<u8>>();
    let questions = "Frage;Antwort\r\nWas kostet die Prüfung?;\"19,90 €\nBitte bar.\"\r\n";
    for bytes in [
        western(questions),
        format!("\u{feff}sep=;\r\n{questions}").into_bytes(),
        questions.replace(';', "|").into_bytes(),
    ] {
        let document = read("faq.csv", &bytes).unwrap();
        assert_eq!((document.layout, document.sections[0].text.as_str()), (Layout::Entries, "19,90 €\nBitte bar."));
    }
    let prices = "Artikel;Größe;Preis\r\nWeste;XL;89,90 €\r\nSchäkel;8 mm;4,50 €\r\n";
    let document = read("prices.csv", &western(prices)).unwrap();
    let expected = "| Artikel | Größe | Preis |\n|---|---|---|\n| Weste | XL | 89,90 € |\n| Schäkel | 8 mm | 4,50 € |";
    assert_eq!((document.title.as_str(), document.sections[0].text.as_str()), ("prices", expected));
}

#[test]
fn text_boxes_and_charts_of_a_sheet_are_read() {
    let relations = |list: &[(&str, &str, &str)]| {
        let list = list
            .iter()
            .map(|(id, kind, target)| format!("<Relationship Id=\"{id}\" Type=\"x/{kind}\" Target=\"{target}\"/>"));
        format!("<Relationships>{}</Relationships>", list.collect::<String>())
    };
    let anchor = |row: u32, shape: &str| {
        format!("<x:twoCellAnchor><x:from><x:col>1</x:col><x:row>{row}</x:row></x:from>{shape}</x:twoCellAnchor>")
    };
    let text = |attribute: &str, text: &str| {
        format!(
            "<x:sp><x:nvSpPr><x:cNvPr id=\"1\" name=\"Box\"{attribute}/></x:nvSpPr><x:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></x:txBody></x:sp>"
        )
    };
    let chart =
        "<x:graphicFrame><a:graphic><a:graphicData><c:chart r:id=\"c\"/></a:graphicData></a:graphic></x:graphicFrame>";
    let alternative = format!(
        "<m:AlternateContent><m:Choice>{}</m:Choice><m:Fallback>{}</m:Fallback></m:AlternateContent>",
        text("", "Prices include delivery."),
        text("", "Prices include delivery.")
    );
    let drawing = format!(
        "<x:wsDr xmlns:x=\"x\" xmlns:a=\"a\" xmlns:c=\"c\" xmlns:r=\"r\" xmlns:m=\"m\">{}{}{}</x:wsDr>",
        anchor(9, chart),
        anchor(2, &alternative),
        anchor(1, &text(" hidden=\"1\"", "Purchase price 12"))
    );
    let points = |values: [&str; 2]| -> String {
        (0..)
            .zip(values)
            .map(|(at, value): (usize, _)| format!("<c:pt idx=\"{at}\"><c:v>{value}</c:v></c:pt>"))
            .collect()
    };
    let series = format!(
        "<c:chartSpace xmlns:c=\"c\"><c:chart><c:plotArea><c:barChart><c:ser><c:tx><c:v>Lamps</c:v></c:tx>\
         <c:cat><c:strCache>{}</c:strCache></c:cat><c:val><c:numCache>{}</c:numCache></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>",
        points(["May", "June"]),
        points(["12", "15"])
    );
    let file = zip(&[
        ("_rels/.rels", relations(&[("a", "officeDocument", "xl/workbook.xml")]).as_bytes()),
        ("xl/workbook.xml", b"<workbook xmlns:r=\"r\"><sheets><sheet name=\"Lamps\" r:id=\"s\"/></sheets></workbook>"),
        ("xl/_rels/workbook.xml.rels", relations(&[("s", "worksheet", "worksheets/one.xml")]).as_bytes()),
        ("xl/worksheets/one.xml", b"<worksheet><sheetData/></worksheet>"),
        ("xl/worksheets/_rels/one.xml.rels", relations(&[("d", "drawing", "../drawings/one.xml")]).as_bytes()),
        ("xl/drawings/one.xml", drawing.as_bytes()),
        ("xl/drawings/_rels/one.xml.rels", relations(&[("c", "chart", "../charts/one.xml")]).as_bytes()),
        ("xl/charts/one.xml", series.as_bytes()),
    ]);
    let document = read("lamps.xlsx", &file).unwrap();
    let expected = "Prices include delivery.\n\n|  | Lamps |\n|---|---|\n| May | 12 |\n| June | 15 |";
    assert_eq!(document.sections[0].text, expected);
    assert_eq!(document.omissions.get(&Omission::HiddenText), Some(&1));
}
