//! Bold lines that authors use in place of headings.

use rag::{
    chunk::{ChunkLimits, chunk},
    document::Document,
};

use super::{
    docx::{self, paragraph, run},
    odt, read,
};

const FAQ: &[(&str, &str)] = &[
    ("My car does not start. Will you come?", "On weekdays we come and help for 45 €."),
    ("Opening hours", "Monday to Friday from eight to five, on Saturday to noon."),
];

/// The sections as headings and text.
fn sections(document: &Document) -> Vec<(String, String)> {
    document.sections.iter().map(|section| (section.heading_path.join(" > "), section.text.clone())).collect()
}

fn of_html(body: &str) -> Vec<(String, String)> {
    sections(&read("page.html", format!("<h1>Garage</h1>{body}").as_bytes()).unwrap())
}

/// The frequent questions, each written by `pair`.
fn questions(pair: impl Fn(&str, &str) -> String) -> String {
    FAQ.iter().map(|(title, text)| pair(title, text)).collect()
}

fn expected() -> Vec<(String, String)> {
    FAQ.iter().map(|(title, text)| (format!("Garage > {title}"), (*text).to_owned())).collect()
}

#[test]
fn bold_lines_above_text_are_headings() {
    assert_eq!(of_html(&questions(|title, text| format!("<p><strong>{title}</strong></p><p>{text}</p>"))), expected());
    let with_style = |title: &str, text: &str| format!("<div style='font-weight: 600'>{title}</div><div>{text}</div>");
    assert_eq!(of_html(&questions(with_style)), expected());
    assert_eq!(of_html("<p><b>Opening hours:</b></p><ul><li>Daily</li></ul>")[0].0, "Garage > Opening hours");
    let markdown = "# Garage\n\n".to_owned() + &questions(|title, text| format!("**{title}**\n\n{text}\n\n"));
    assert_eq!(sections(&read("faq.md", markdown.as_bytes()).unwrap()), expected());

    let bold = |title: &str| format!("<w:p>{}</w:p>", run("<w:b/>", title));
    let body = questions(|title, text| bold(title) + &paragraph("", text));
    let without_top = |(heading, text): (String, String)| (heading.replace("Garage > ", ""), text);
    let below_nothing: Vec<_> = expected().into_iter().map(without_top).collect();
    assert_eq!(sections(&docx::document(&body, &[])), below_nothing);

    let style = "<style:style style:name=\"B\" style:family=\"text\"><style:text-properties fo:font-weight=\"bold\"/></style:style>";
    let bold = |title: &str| format!("<text:p><text:span text:style-name=\"B\">{title}</text:span></text:p>");
    let body = questions(|title, text| bold(title) + &format!("<text:p>{text}</text:p>"));
    assert_eq!(sections(&odt::document("", style, &body, &[])), below_nothing);
}

#[test]
fn a_heading_ends_the_part_of_a_bold_line() {
    let sections_read = of_html(
        "<p><b>Tyres</b></p><p>We change and store them for a year or a season.</p><h2>Prices</h2><p>From 20 €.</p><p><b>Oil</b></p><ul><li>5W-30</li></ul>",
    );
    let expected = [
        ("Garage > Tyres", "We change and store them for a year or a season."),
        ("Garage > Prices", "From 20 €."),
        ("Garage > Prices > Oil", "- 5W-30"),
    ];
    assert_eq!(sections_read, expected.map(|(heading, text)| (heading.to_owned(), text.to_owned())));
}

#[test]
fn other_bold_text_stays_text() {
    for bold in [
        "We are closed from 1 to 5 May",
        "Please ring first.",
        "<a href='/book'>Book now</a>",
        "Bring the papers, the key and the service book of your car",
    ] {
        let sections_read = of_html(&format!(
            "<p>Welcome.</p><p><b>{bold}</b></p><p>Thank you for your visit to our garage in Halden.</p>"
        ));
        assert_eq!(sections_read.len(), 1, "{bold}");
        assert!(sections_read[0].1.lines().count() == 5, "{bold}");
    }
    // Without text below it, and partly bold.
    assert_eq!(of_html("<p>Welcome.</p><p><b>See you soon</b></p>")[0].1, "Welcome.\n\nSee you soon");
    assert_eq!(of_html("<p><b>Mind:</b> the gate</p><p>is low.</p>")[0].1, "Mind: the gate\n\nis low.");
    assert_eq!(of_html("<p><b>Anna Alt</b></p><p><b>Ben Bau</b></p><p><b>Cem Can</b></p>")[0].1.lines().count(), 5);
    // Names above roles.
    let team = of_html("<p>Our team.</p><p><b>Anna Alt</b></p><p>Dentist</p><p><b>Ben Bau</b></p><p>Nurse</p>");
    assert_eq!(team[0].1, "Our team.\n\nAnna Alt\n\nDentist\n\nBen Bau\n\nNurse");
    // Items of a list and cells of a table.
    assert_eq!(of_html("<ul><li><b>Oil</b></li><li>Tyres</li></ul>")[0].1, "- Oil\n- Tyres");
}

#[test]
fn a_question_stays_with_its_answer() {
    let filler = |count: usize| "The workshop keeps every part that it takes out of a car. ".repeat(count);
    for count in 14..24 {
        let text = format!("{}\n\nDo you repair vans?\n\nYes, up to three tons. {}", filler(count), filler(9));
        let document = read("vans.txt", text.as_bytes()).unwrap();
        let passages = chunk(&document, &ChunkLimits::default());
        let has = |part: &str| passages.iter().position(|passage| passage.content.contains(part));
        assert!(has("Do you repair vans?").is_some());
        assert_eq!(has("Do you repair vans?"), has("Yes, up to three tons."), "{count}");
    }
}
