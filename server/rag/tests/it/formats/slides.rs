//! Slides as presentation programs write them.

use rag::document::{Document, Omission};

use super::{read, zip};

/// A presentation of these slides, each with the attributes of its root.
pub(super) fn presentation(slides: &[(&str, &str)]) -> Document {
    let mut files = vec![(
        "_rels/.rels".to_owned(),
        "<Relationships><Relationship Id=\"a\" Type=\"x/officeDocument\" Target=\"/ppt/main.xml\"/></Relationships>"
            .to_owned(),
    )];
    let (mut ids, mut relations) = (String::new(), String::new());
    for (number, (attributes, shapes)) in slides.iter().enumerate() {
        ids.push_str(&format!("<p:sldId id=\"{number}\" r:id=\"s{number}\"/>"));
        relations
            .push_str(&format!("<Relationship Id=\"s{number}\" Type=\"x/slide\" Target=\"slides/a{number}.xml\"/>"));
        let slide = format!(
            "<p:sld xmlns:p=\"p\" xmlns:a=\"a\" xmlns:mc=\"mc\" {attributes}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
        );
        files.push((format!("ppt/slides/a{number}.xml"), slide));
        let layout = "<Relationships><Relationship Id=\"l\" Type=\"x/slideLayout\" Target=\"../layouts/one.xml\"/></Relationships>";
        files.push((format!("ppt/slides/_rels/a{number}.xml.rels"), layout.to_owned()));
    }
    let main = format!(
        "<p:presentation xmlns:p=\"p\" xmlns:r=\"r\"><p:sldIdLst>{ids}</p:sldIdLst><p:sldSz cx=\"12192000\" cy=\"12192000\"/></p:presentation>"
    );
    files.push(("ppt/main.xml".to_owned(), main));
    files.push(("ppt/_rels/main.xml.rels".to_owned(), format!("<Relationships>{relations}</Relationships>")));
    let placeholder = "<p:sp><p:nvSpPr><p:nvPr><p:ph type=\"body\" idx=\"7\"/></p:nvPr></p:nvSpPr>".to_owned()
        + &place([5, 90, 80, 5])
        + "</p:sp>";
    files.push((
        "ppt/layouts/one.xml".to_owned(),
        format!("<p:sldLayout xmlns:p=\"p\" xmlns:a=\"a\">{placeholder}</p:sldLayout>"),
    ));
    files.push(("docProps/core.xml".to_owned(), "<p><title>PowerPoint Presentation</title></p>".to_owned()));
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
    read("tours.pptx", &zip(&files)).unwrap()
}

fn place([x, y, width, height]: [u32; 4]) -> String {
    format!(
        "<p:spPr><a:xfrm><a:off x=\"{x}00000\" y=\"{y}00000\"/><a:ext cx=\"{width}00000\" cy=\"{height}00000\"/></a:xfrm></p:spPr>"
    )
}

pub(super) fn shape(at: [u32; 4], paragraphs: &str) -> String {
    format!("<p:sp>{}<p:txBody>{paragraphs}</p:txBody></p:sp>", place(at))
}

pub(super) fn paragraph(properties: &str, runs: &str) -> String {
    format!("<a:p><a:pPr>{properties}</a:pPr>{runs}</a:p>")
}

pub(super) fn run(properties: &str, text: &str) -> String {
    format!("<a:r><a:rPr {properties}/><a:t>{text}</a:t></a:r>")
}

pub(super) fn words(text: &str) -> String {
    paragraph("", &run("", text))
}

#[test]
fn shapes_come_in_the_order_of_their_places() {
    let foot = format!(
        "<p:sp><p:nvSpPr><p:nvPr><p:ph type=\"body\" idx=\"7\"/></p:nvPr></p:nvSpPr><p:txBody>{}</p:txBody></p:sp>",
        words("Book early.")
    );
    let shapes = [
        foot,
        shape([50, 21, 40, 25], &words("At six.")),
        shape([5, 15, 40, 5], &words("Morning tour")),
        shape([50, 15, 40, 5], &words("Evening tour")),
        format!(
            "<mc:AlternateContent><mc:Choice>{0}</mc:Choice><mc:Fallback>{0}</mc:Fallback></mc:AlternateContent>",
            shape([5, 21, 40, 25], &words("At nine."))
        ),
    ];
    let document = presentation(&[("", &shapes.concat())]);
    assert_eq!(document.sections[0].text, "Morning tour\n\nAt nine.\n\nEvening tour\n\nAt six.\n\nBook early.");
    assert_eq!(document.title, "tours", "the name of the program is no title");
}

#[test]
fn steps_struck_and_raised_text_and_hidden_slides_are_as_shown() {
    let steps =
        ["Come.", "Pay."].map(|text| paragraph("<a:buAutoNum type=\"arabicParenR\"/>", &run("", text))).concat();
    let price = run("", "19")
        + &run("baseline=\"30000\"", "99")
        + &run("", " €, not ")
        + &run("strike=\"sngStrike\"", "25 €")
        + &run("", "more");
    let shapes = shape([5, 5, 40, 5], &steps) + &shape([5, 20, 40, 5], &paragraph("", &price));
    let secret = shape([5, 5, 40, 5], &words("Secret."));
    let box_hidden = format!(
        "<p:sp><p:nvSpPr><p:cNvPr hidden=\"1\"/></p:nvSpPr><p:txBody>{}</p:txBody></p:sp>",
        words("Also secret.")
    );
    let document = presentation(&[("", &(shapes + &box_hidden)), ("show=\"0\"", &secret)]);
    assert_eq!(document.sections[0].text, "- 1) Come.\n- 2) Pay.\n\n19.99 €, not more");
    let counts: Vec<_> = document.omissions.into_iter().collect();
    assert_eq!(counts, [(Omission::StruckText, 1), (Omission::HiddenText, 1), (Omission::HiddenSlides, 1)]);
}

#[test]
fn merged_cells_count_in_each_of_their_columns_and_rows() {
    let cell = |attributes: &str, text: &str| format!("<a:tc {attributes}><a:txBody>{}</a:txBody></a:tc>", words(text));
    let rows = [
        [cell("rowSpan=\"2\"", "Boat"), cell("gridSpan=\"2\"", "Price"), cell("hMerge=\"1\"", "")].concat(),
        [cell("vMerge=\"1\"", ""), cell("", "day"), cell("", "week")].concat(),
        [cell("", "Canoe"), cell("", "20"), cell("", "90")].concat(),
    ];
    let rows = rows.map(|row| format!("<a:tr>{row}</a:tr>")).concat();
    let frame = format!(
        "<p:graphicFrame><a:graphic><a:graphicData><a:tbl>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    );
    let document = presentation(&[("", &frame)]);
    assert_eq!(document.sections[0].text, "| Boat | Price day | Price week |\n|---|---|---|\n| Canoe | 20 | 90 |");
}

#[test]
fn items_of_cells_signs_and_formulas_are_text() {
    let cell = |paragraphs: &str| format!("<a:tc><a:txBody>{paragraphs}</a:txBody></a:tc>");
    let bullet = |text: &str| paragraph("<a:buChar char=\"•\"/>", &run("", text));
    let step = |text: &str| paragraph("<a:buAutoNum type=\"arabicPeriod\"/>", &run("", text));
    let row = cell(&(bullet("paddle") + &bullet("vest"))) + &cell(&(step("Come") + &step("Pay")));
    let frame = format!(
        "<p:graphicFrame>{}<a:graphic><a:tbl><a:tr>{row}</a:tr></a:tbl></a:graphic></p:graphicFrame>",
        place([5, 50, 40, 5])
    );
    let arrow = "<a:r><a:rPr><a:sym typeface=\"Wingdings\"/></a:rPr><a:t>à</a:t></a:r>";
    let formula = "<mc:AlternateContent><mc:Choice><a:m><a:r><a:t>x=5</a:t></a:r></a:m></mc:Choice><mc:Fallback><a:r><a:t>x=5</a:t></a:r></mc:Fallback></mc:AlternateContent>";
    let line = paragraph("", &(run("", "Ring ") + arrow + &run("", " wait ") + formula));
    let document = presentation(&[("", &(shape([5, 5, 40, 5], &line) + &frame))]);
    assert_eq!(document.sections[0].text, "Ring → wait x=5\n\n| paddle; vest | 1. Come; 2. Pay |\n|---|---|");
}
