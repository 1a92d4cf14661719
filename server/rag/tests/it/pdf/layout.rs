//! The text of a page comes from the places of its letters, not from the order in which they are drawn.

use std::fmt::Write as _;

use lopdf::{Object, Stream, dictionary};
use rag::document::{Document, Omission};

use super::{pdf, read, text};

/// An operation that shows a text at a place.
pub(super) fn at(x: f32, y: f32, text: &str) -> String {
    sized(12.0, x, y, text)
}

pub(super) fn sized(size: f32, x: f32, y: f32, text: &str) -> String {
    format!("[()] TJ /F1 {size} Tf 1 0 0 1 {x} {y} Tm ({text}) Tj")
}

/// A document of pages whose lines are operations.
pub(super) fn document(pages: &[Vec<String>]) -> Document {
    let pages: Vec<Vec<&str>> = pages.iter().map(|page| page.iter().map(String::as_str).collect()).collect();
    let pages: Vec<&[&str]> = pages.iter().map(Vec::as_slice).collect();
    read(&pdf("Notes", &pages)).unwrap()
}

/// A page with this content and this font, whose file has further objects.
pub(super) fn with_font(content: &str, font: impl Fn(&mut lopdf::Document) -> lopdf::Dictionary) -> Vec<u8> {
    let mut file = lopdf::Document::load_mem(&pdf("Notes", &[&[""]])).unwrap();
    let font = font(&mut file);
    file.objects.insert((3, 0), Object::Dictionary(font));
    let page = file.page_iter().next().unwrap();
    file.change_page_content(page, content.as_bytes().to_vec()).unwrap();
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    bytes
}

const LEFT: [&str; 4] = [
    "A parking permit for residents costs",
    "30 euros a year. It is valid for one",
    "car only and is sent",
    "by post.",
];
const RIGHT: [&str; 4] = [
    "A dog licence costs 120 euros a year.",
    "The owner registers the dog within",
    "four weeks after it came",
    "into the house.",
];

#[test]
fn columns_are_read_one_after_the_other() {
    let expected =
        "A parking permit for residents costs 30 euros a year. It is valid for one car only and is sent by post.

A dog licence costs 120 euros a year. The owner registers the dog within four weeks after it came into the house.";
    for (name, down) in [("on the same lines", 0.0), ("a little lower", 2.0), ("between the lines", 7.0)] {
        let mut page = vec![at(60.0, 760.0, "Town news")];
        for (line, (left, right)) in (0_u8..).zip(LEFT.iter().zip(RIGHT)) {
            let y = 720.0 - 14.0 * f32::from(line);
            page.extend([at(60.0, y, left), at(320.0, y - down, right)]);
        }
        let document = document(&[page]);
        assert_eq!(text(&document).join("\n"), format!("Town news\n\n{expected}"), "{name}");
    }
}

#[test]
fn what_is_drawn_twice_is_read_once() {
    let mut page = vec![at(60.0, 760.0, "Fees of the office"), at(60.4, 760.0, "Fees of the office")];
    page.extend([at(60.0, 720.0, "Sum 4,180.00"), at(60.0, 720.0, "Sum 4,180.00")]);
    page.extend([sized(20.0, 60.0, 680.0, "Shadow line"), sized(20.0, 61.5, 678.5, "Shadow line")]);
    let mut x = 60.0;
    for letter in ["T", "o", "t", "a", "l", "l", "y"] {
        page.extend([at(x, 640.0, letter), at(x + 0.3, 640.0, letter)]);
        x += match letter {
            "T" => 7.3,
            "t" => 3.3,
            "l" => 2.7,
            "y" => 6.0,
            _ => 6.7,
        };
    }
    let document = document(&[page]);
    let all: Vec<String> =
        document.sections.iter().flat_map(|section| [section.heading_path.concat(), section.text.clone()]).collect();
    let all = all.join("\n");
    for line in ["Fees of the office", "Sum 4,180.00", "Shadow line", "Totally"] {
        assert_eq!(all.matches(line).count(), 1, "{line}: {all}");
    }
    assert!(!all.contains("TT") && !all.contains("SS"), "{all}");
}

#[test]
fn what_goes_on_over_a_page_stays_whole() {
    let row = |y: f32, name: &str, small: &str, large: &str| {
        vec![at(60.0, y, name), at(250.0, y, small), at(350.0, y, large)]
    };
    let mut first = vec![at(60.0, 760.0, "We answer within a day, but only if the form has been com-")];
    let mut second = vec![at(60.0, 760.0, "pleted and signed by all who live in the flat.")];
    second.extend([
        at(60.0, 720.0, "How to return a parcel:"),
        at(60.0, 692.0, "1. Sign in."),
        at(60.0, 678.0, "2. Print the label."),
    ]);
    second.extend(row(640.0, "Battery", "Small", "Large"));
    second.extend(row(625.0, "Type B1", "1.20", "3.90"));
    second.extend(row(610.0, "Type B2", "2.20", "4.90"));
    let mut third = row(760.0, "Type B3", "3.20", "5.90");
    third.extend(row(745.0, "Type B4", "4.20", "6.90"));
    third.extend([at(60.0, 700.0, "3. Pack the goods."), at(60.0, 686.0, "4. Hand them in.")]);
    first.insert(0, at(60.0, 790.0, "Order matters to us."));
    let document = document(&[first, second, third]);
    let text_of_page = |page: &str| -> String {
        let sections = document.sections.iter().filter(|section| section.anchor.as_deref() == Some(page));
        sections.map(|section| section.text.as_str()).collect::<Vec<_>>().join("\n")
    };
    assert!(
        text_of_page("page=1").ends_with("the form has been completed and signed by all who live in the flat."),
        "{document:?}"
    );
    let third = text_of_page("page=3");
    assert!(third.starts_with("| Battery | Small | Large |"), "{third}");
    assert!(third.contains("| Type B3 | 3.20 | 5.90 |"), "{third}");
    assert!(third.contains("How to return a parcel:\n\n3. Pack the goods."), "{third}");
}

#[test]
fn large_and_numbered_lines_are_headings() {
    let body = |y: f32| at(60.0, y, "Some text that is long enough to be the text of a part of it.");
    let page = vec![
        sized(20.0, 60.0, 780.0, "Handbook"),
        body(750.0),
        sized(15.0, 60.0, 710.0, "Opening hours"),
        body(690.0),
        at(60.0, 650.0, "1.2 Terms of use"),
        body(620.0),
    ];
    let headings = document(&[page, vec![sized(15.0, 60.0, 780.0, "Prices"), body(750.0)]]);
    let headings: Vec<_> = headings
        .sections
        .iter()
        .map(|section| (section.heading_path.join(" > "), section.anchor.clone().unwrap()))
        .collect();
    let headings: Vec<_> = headings.iter().map(|(path, page)| (path.as_str(), page.as_str())).collect();
    let expected = [
        ("Handbook", "page=1"),
        ("Handbook > Opening hours", "page=1"),
        ("Handbook > Opening hours > 1.2 Terms of use", "page=1"),
        ("Handbook > Prices", "page=2"),
    ];
    assert_eq!(headings, expected);
}

#[test]
fn a_number_with_spaced_digits_is_whole_and_a_row_is_a_row() {
    let mut page = Vec::new();
    for (y, name, value) in [(700.0, "Permits", "295,891"), (685.0, "Licences", "130,333"), (670.0, "Tags", "18,433")] {
        page.extend([at(60.0, y, name), at(300.0, y, "0"), at(400.0, y, value).replace("TJ", "TJ 2 Tc") + " 0 Tc"]);
    }
    let head = vec![at(60.0, 715.0, "Kind"), at(300.0, 715.0, "Lost"), at(400.0, 715.0, "Given")];
    page.splice(0..0, head);
    let expected = "| Kind | Lost | Given |\n|---|---|---|\n| Permits | 0 | 295,891 |\n| Licences | 0 | 130,333 |\n| Tags | 0 | 18,433 |";
    assert_eq!(text(&document(&[page])), [expected]);
}

#[test]
fn a_cell_with_two_lines_between_ruling_lines_is_one_cell() {
    let mut page = Vec::new();
    for y in [730.0, 710.0, 670.0, 630.0] {
        page.push(format!("[()] TJ ET 60 {y} m 500 {y} l S BT"));
    }
    page.extend([at(70.0, 715.0, "Room"), at(250.0, 715.0, "Use"), at(400.0, 715.0, "Seats")]);
    page.extend([at(70.0, 695.0, "Hall on the"), at(250.0, 695.0, "Concerts and"), at(400.0, 695.0, "120")]);
    page.extend([at(70.0, 680.0, "first floor"), at(250.0, 680.0, "lectures")]);
    page.extend([at(70.0, 655.0, "Kitchen"), at(250.0, 655.0, "Courses"), at(400.0, 655.0, "20")]);
    let expected = "| Room | Use | Seats |\n|---|---|---|\n| Hall on the first floor | Concerts and lectures | 120 |\n| Kitchen | Courses | 20 |";
    assert_eq!(text(&document(&[page])), [expected]);
}

/// Lines along x at each `y`, with the ends of x, and lines along y.
fn rules(across: &[(f32, f32, f32)], down: &[(f32, f32, f32)]) -> String {
    let mut lines = "[()] TJ ET ".to_owned();
    for (y, x, end) in across {
        write!(lines, "{x} {y} m {end} {y} l S ").unwrap();
    }
    for (x, y, end) in down {
        write!(lines, "{x} {y} m {x} {end} l S ").unwrap();
    }
    lines + "BT"
}

#[test]
fn a_cell_over_several_rows_or_columns_counts_for_each() {
    // Season | Members: Adults, Children | Guests, with each season over two rows, and one price for both.
    let across = [
        (740.0, 60.0, 500.0),
        (720.0, 180.0, 420.0),
        (700.0, 60.0, 500.0),
        (680.0, 120.0, 500.0),
        (660.0, 60.0, 500.0),
        (640.0, 120.0, 500.0),
        (620.0, 60.0, 500.0),
    ];
    let down = [
        (60.0, 620.0, 740.0),
        (120.0, 620.0, 740.0),
        (180.0, 620.0, 740.0),
        (300.0, 680.0, 720.0),
        (300.0, 620.0, 660.0),
        (420.0, 620.0, 740.0),
        (500.0, 620.0, 740.0),
    ];
    let page = vec![
        rules(&across, &down),
        at(65.0, 716.0, "Season"),
        at(125.0, 716.0, "Time"),
        at(270.0, 726.0, "Members"),
        at(430.0, 716.0, "Guests"),
        at(185.0, 706.0, "Adults"),
        at(305.0, 706.0, "Children"),
        at(65.0, 676.0, "Summer"),
        at(125.0, 686.0, "Day"),
        at(185.0, 686.0, "11"),
        at(305.0, 686.0, "12"),
        at(430.0, 686.0, "13"),
        at(125.0, 666.0, "Night"),
        at(270.0, 666.0, "14"),
        at(430.0, 666.0, "16"),
        at(65.0, 636.0, "Winter"),
        at(125.0, 646.0, "Day"),
        at(185.0, 646.0, "21"),
        at(305.0, 646.0, "22"),
        at(430.0, 646.0, "23"),
        at(125.0, 626.0, "Night"),
        at(185.0, 626.0, "24"),
        at(305.0, 626.0, "25"),
        at(430.0, 626.0, "26"),
    ];
    let expected = "| Season | Time | Members Adults | Members Children | Guests |\n|---|---|---|---|---|\n\
        | Summer | Day | 11 | 12 | 13 |\n| Summer | Night | 14 | 14 | 16 |\n\
        | Winter | Day | 21 | 22 | 23 |\n| Winter | Night | 24 | 25 | 26 |";
    assert_eq!(text(&document(&[page])), [expected]);
}

#[test]
fn dots_before_the_values_of_several_columns_keep_them_apart() {
    let row = |y: f32, cells: [&str; 3]| [at(60.0, y, cells[0]), at(300.0, y, cells[1]), at(400.0, y, cells[2])];
    let page = [
        row(715.0, ["Category", "2005", "2010"]),
        row(700.0, ["All ages . . . . . . .", "291,099", "303,858"]),
        row(685.0, ["Over 15 . . . . . . .", "230,391", "241,682"]),
        row(670.0, ["Over 65 . . . . . . .", "35,028", "38,599"]),
    ];
    let expected = "| Category | 2005 | 2010 |\n|---|---|---|\n| All ages | 291,099 | 303,858 |\n\
        | Over 15 | 230,391 | 241,682 |\n| Over 65 | 35,028 | 38,599 |";
    assert_eq!(text(&document(&[page.concat()])), [expected]);
}

#[test]
fn a_number_in_a_cell_of_its_own_is_no_label() {
    let down = [60.0, 100.0, 200.0, 300.0].map(|x| (x, 640.0, 720.0));
    let across = [720.0, 700.0, 680.0, 660.0, 640.0].map(|y| (y, 60.0, 300.0));
    let row = |y: f32, cells: [&str; 3]| [at(65.0, y, cells[0]), at(105.0, y, cells[1]), at(205.0, y, cells[2])];
    let page = [
        vec![rules(&across, &down)],
        row(705.0, ["No.", "Year", "People"]).to_vec(),
        row(685.0, ["1.", "1967", "4,999"]).to_vec(),
        row(665.0, ["2.", "1968", "5,111"]).to_vec(),
        row(645.0, ["3.", "1969", "5,225"]).to_vec(),
    ];
    let expected =
        "| No. | Year | People |\n|---|---|---|\n| 1. | 1967 | 4,999 |\n| 2. | 1968 | 5,111 |\n| 3. | 1969 | 5,225 |";
    assert_eq!(text(&document(&[page.concat()])), [expected]);
}

#[test]
fn articles_in_boxes_are_no_table() {
    let across = [(740.0, 60.0, 500.0), (640.0, 60.0, 280.0), (540.0, 60.0, 500.0)];
    let down = [(60.0, 540.0, 740.0), (280.0, 540.0, 740.0), (500.0, 540.0, 740.0)];
    let mut page = vec![rules(&across, &down)];
    let lines = [
        "The town library opens at",
        "nine and closes at six, and",
        "on Saturdays it opens at",
        "noon for everybody who has",
        "a card of the library, and",
        "closed on public holidays.",
    ];
    for (x, y) in [(70.0, 725.0), (290.0, 725.0), (70.0, 625.0)] {
        page.extend(lines.iter().zip(0u8..).map(|(line, number)| at(x, y - 14.0 * f32::from(number), line)));
    }
    let lines = text(&document(&[page])).join("\n");
    assert!(!lines.contains('|'), "{lines}");
}

#[test]
fn cents_and_marks_of_notes_are_no_digits_of_a_number() {
    let raised = |x: f32, y: f32, text: &str| sized(7.0, x, y + 5.0, text);
    let page = vec![
        at(60.0, 700.0, "It costs 19"),
        raised(115.0, 700.0, "99"),
        at(60.0, 660.0, "A room of 12 m"),
        raised(141.4, 660.0, "2"),
    ];
    assert_eq!(text(&document(&[page])), ["It costs 19.99\n\nA room of 12 m²"]);
}

/// A font with a code of two bytes for each letter, which `ToUnicode` names.
fn font_with_map(file: &mut lopdf::Document, letters: &str) -> lopdf::Dictionary {
    let entries: String =
        letters.chars().zip(1..).map(|(letter, code)| format!("<{code:04x}> <{:04x}>\n", u32::from(letter))).collect();
    let map = format!("1 begincodespacerange <0000> <ffff> endcodespacerange\n1 beginbfchar\n{entries}endbfchar\n");
    let map = file.add_object(Stream::new(dictionary! {}, map.into_bytes()));
    let descendant = dictionary! { "Type" => "Font", "Subtype" => "CIDFontType2", "DW" => 500 };
    dictionary! {
        "Type" => "Font", "Subtype" => "Type0", "BaseFont" => "Some", "Encoding" => "Identity-H",
        "DescendantFonts" => vec![Object::Dictionary(descendant)], "ToUnicode" => map,
    }
}

#[test]
fn scripts_from_right_to_left_are_read_in_their_order() {
    let show = |line: &str| {
        let letters: String = line.chars().collect();
        let codes: String = (1..=letters.chars().count()).map(|code| format!("{code:04x}")).collect();
        let file = with_font(&format!("BT /F1 12 Tf 100 700 Td <{codes}> Tj ET"), |file| font_with_map(file, &letters));
        text(&read(&file).unwrap()).join("\n")
    };
    assert_eq!(show("םולש"), "שלום");
    assert_eq!(show("30 ריחמ"), "מחיר 30");
    assert_eq!(show("(ךורא) A4 ריינ"), "נייר A4 (ארוך)");
    assert_eq!(show("\u{fee1}\u{fefc}\u{feb3}"), "سلام");
    assert_eq!(show("e\u{fb03}cient"), "efficient");
}

#[test]
fn predefined_maps_of_codes_are_known() {
    let font = |map: &'static str| {
        move |_: &mut lopdf::Document| {
            let descendant = dictionary! { "Type" => "Font", "Subtype" => "CIDFontType0" };
            dictionary! {
                "Type" => "Font", "Subtype" => "Type0", "BaseFont" => "Some", "Encoding" => map,
                "DescendantFonts" => vec![Object::Dictionary(descendant)],
            }
        }
    };
    for (map, codes, expected) in [
        ("UniJIS-UCS2-H", "65e5672c", "日本"),
        ("UniKS-UTF16-H", "d55cae00", "한글"),
        ("UniGB-UTF16-V", "4e2d6587", "中文"),
        ("90ms-RKSJ-H", "93fa967b41", "日本A"),
        ("EUC-H", "c6fccbdc", "日本"),
        ("H", "467c4b5c", "日本"),
        ("KSCms-UHC-H", "c7d1b1db", "한글"),
        ("GBK-EUC-H", "d6d0cec4", "中文"),
        ("ETen-B5-H", "a4a4a4e5", "中文"),
    ] {
        let file = with_font(&format!("BT /F1 12 Tf 100 700 Td <{codes}> Tj ET"), font(map));
        assert_eq!(text(&read(&file).unwrap()), [expected], "{map}");
    }
    let refused = read(&with_font("BT /F1 12 Tf 100 700 Td <00010002> Tj ET", font("Identity-H"))).unwrap_err();
    assert_eq!(refused.code(), "undecodable_text");
}

/// A PDF with the word "Window" and a code without a character.
pub(crate) fn with_an_unknown_code() -> Vec<u8> {
    with_font("BT /F1 12 Tf 100 700 Td <0001000200030004000500060063> Tj ET", |file| font_with_map(file, "Window"))
}

#[test]
fn a_few_codes_without_characters_are_counted() {
    let read = read(&with_an_unknown_code()).unwrap();
    assert_eq!((text(&read), read.omissions.get(&Omission::UnknownCharacters)), (vec!["Window"], Some(&1)));
}

#[test]
fn values_of_a_form_are_read_at_their_fields() {
    let lines = [at(60.0, 700.0, "Permit fee:"), at(60.0, 670.0, "Zone:"), at(60.0, 640.0, "Resident:")];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut file = lopdf::Document::load_mem(&pdf("Form", &[&lines])).unwrap();
    let field = |kind: &str, y: i64, value: Object| {
        let rect = vec![140.into(), (y - 4).into(), 240.into(), (y + 12).into()];
        Object::Dictionary(dictionary! { "Subtype" => "Widget", "FT" => kind, "V" => value, "Rect" => rect })
    };
    let mut choice = field("Ch", 670, Object::string_literal("zone_b"));
    let option =
        |value: &str, label: &str| Object::Array(vec![Object::string_literal(value), Object::string_literal(label)]);
    choice.as_dict_mut().unwrap().set("Opt", vec![option("zone_a", "Zone A"), option("zone_b", "Zone B")]);
    let value = file.add_object(Stream::new(lopdf::Dictionary::new(), b"48.50".to_vec()));
    let fee = field("Tx", 700, Object::Reference(value));
    let fields = vec![fee, choice, field("Btn", 640, "Yes".into())];
    let page = file.page_iter().next().unwrap();
    file.get_object_mut(page).and_then(Object::as_dict_mut).unwrap().set("Annots", fields);
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    let lines = text(&read(&bytes).unwrap()).join("\n");
    for line in ["Permit fee: 48.50", "Zone: Zone B", "Resident: ☒"] {
        assert!(lines.contains(line), "{lines}");
    }
}

#[test]
fn entries_of_a_contents_page_are_left_out_and_prices_stay() {
    let dots = ".".repeat(30);
    let entries = [("Arrival", 2), ("Wheelchair access", 3), ("Meals", 4)];
    let mut first = vec![at(60.0, 760.0, "Contents")];
    first.extend(
        (0_u8..)
            .zip(entries)
            .map(|(line, (name, page))| at(60.0, 720.0 - 15.0 * f32::from(line), &format!("{name} {dots} {page}"))),
    );
    let prices = vec![at(60.0, 700.0, &format!("Tea {dots} 2.50")), at(60.0, 680.0, &format!("Milk {dots} 1.80"))];
    let document = document(&[first, vec![at(60.0, 700.0, "You arrive by train.")], prices]);
    let lines = text(&document).join("\n");
    assert!(!lines.contains("Wheelchair"), "{lines}");
    assert!(lines.contains("Tea: 2.50") && lines.contains("Milk: 1.80"), "{lines}");
}

#[test]
fn a_title_that_a_program_wrote_is_none() {
    let lines = [sized(20.0, 60.0, 780.0, "Rules of the pool"), at(60.0, 750.0, "Nobody runs in the hall, please.")];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    for title in ["untitled", r"\(anonymous\)", "10811.exe", "Microsoft Word - x1.doc", "PowerPoint Presentation"] {
        assert_eq!(read(&pdf(title, &[&lines])).unwrap().title, "Rules of the pool", "{title}");
    }
    assert_eq!(read(&pdf("House rules", &[&lines])).unwrap().title, "House rules");
    assert_eq!(read(&pdf("untitled", &[&["Plain text."]])).unwrap().title, "manual", "the file's name");
}
