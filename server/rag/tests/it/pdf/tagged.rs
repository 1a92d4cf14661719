//! Tagged PDF files say what is a heading, and which cells a table has.

use lopdf::{Dictionary, Object, dictionary};

use super::{layout::sized, pdf, read, text};

/// A line that is a numbered part of its page.
fn part(number: usize, x: f32, y: f32, words: &str) -> String {
    format!("[()] TJ /P << /MCID {number} >> BDC {} EMC", sized(12.0, x, y, words))
}

/// An element with these parts.
fn element(name: &str, parts: Vec<Object>) -> Dictionary {
    dictionary! { "S" => Object::Name(name.into()), "K" => parts }
}

/// An element that names numbered parts of its page.
fn leaf(name: &str, numbers: &[i64]) -> Object {
    element(name, numbers.iter().map(|number| (*number).into()).collect()).into()
}

fn cell_over_two(name: &str, number: i64, key: &str) -> Object {
    let mut cell = element(name, vec![number.into()]);
    cell.set("A", dictionary! { "O" => "Table", key => 2 });
    cell.into()
}

fn row(cells: Vec<Object>) -> Object {
    element("TR", cells).into()
}

/// A file with these lines on its pages and these elements.
fn file(pages: &[Vec<String>], elements: Vec<Object>) -> lopdf::Document {
    let pages: Vec<Vec<&str>> = pages.iter().map(|page| page.iter().map(String::as_str).collect()).collect();
    let pages: Vec<&[&str]> = pages.iter().map(Vec::as_slice).collect();
    let mut file = lopdf::Document::load_mem(&pdf("Notes", &pages)).unwrap();
    let page = file.page_iter().next().unwrap();
    let mut whole = element("Document", elements);
    whole.set("Pg", Object::Reference(page));
    let names = dictionary! { "Rubrik" => "H2" };
    file.catalog_mut().unwrap().set("StructTreeRoot", dictionary! { "K" => whole, "RoleMap" => names });
    file
}

/// What is read of pages with these lines.
fn read_tagged(pages: &[Vec<String>], elements: Vec<Object>) -> String {
    sections(&mut file(pages, elements))
}

/// The headings and the texts of what is read.
fn sections(file: &mut lopdf::Document) -> String {
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    let document = read(&bytes).unwrap();
    let path = |section: &rag::document::Section| section.heading_path.join(" > ");
    let sections = document.sections.iter().map(|section| format!("{}\n{}", path(section), section.text));
    sections.collect::<Vec<_>>().join("\n")
}

/// Lines of a table whose columns touch each other, with a name above two of them and a label of two lines.
fn touching() -> Vec<String> {
    [
        (0, 200.0, 700.0, "Summer"),
        (1, 60.0, 686.0, "Boat"),
        (2, 168.0, 686.0, "Hour"),
        (3, 200.0, 686.0, "Day"),
        (4, 60.0, 672.0, "Canoe with paddles"),
        (4, 60.0, 658.0, "and two vests"),
        (5, 168.0, 672.0, "9 euros"),
        (6, 211.0, 672.0, "30 euros"),
        (7, 60.0, 644.0, "Raft"),
        (8, 211.0, 644.0, "45 euros"),
    ]
    .map(|(number, x, y, words)| part(number, x, y, words))
    .to_vec()
}

const TABLE: &str = "| Boat | Summer Hour | Summer Day |\n|---|---|---|\n| Canoe with paddles and two vests | 9 euros | 30 euros |\n\
    | Raft |  | 45 euros |";

#[test]
fn tags_name_the_cells_of_a_table() {
    let rows = |last: Vec<Object>| {
        vec![
            row(vec![cell_over_two("TH", 1, "RowSpan"), cell_over_two("TH", 0, "ColSpan")]),
            row(vec![leaf("TH", &[2]), leaf("TH", &[3])]),
            row(vec![leaf("TD", &[4]), leaf("TD", &[5]), leaf("TD", &[6])]),
            row(last),
        ]
    };
    let whole = rows(vec![leaf("TD", &[7]), leaf("TD", &[]), leaf("TD", &[8])]);
    let table = element("Table", whole).into();
    assert_eq!(read_tagged(&[touching()], vec![table]), format!("\n{TABLE}"));
    // Some programs leave empty cells out, and put rows into groups.
    let short = element("TBody", rows(vec![leaf("TD", &[7]), leaf("TD", &[8])])).into();
    let table = element("Table", vec![short]).into();
    assert_eq!(read_tagged(&[touching()], vec![table]), format!("\n{TABLE}"));
}

#[test]
fn places_that_contradict_the_tags_are_believed() {
    let lines: Vec<String> = [
        (0, 60.0, 700.0, "Boat"),
        (1, 250.0, 700.0, "Hour"),
        (2, 60.0, 680.0, "Canoe"),
        (3, 250.0, 680.0, "9 euros"),
        (4, 60.0, 660.0, "Raft"),
        (5, 250.0, 660.0, "12 euros"),
        (6, 60.0, 640.0, "Kayak"),
        (7, 250.0, 640.0, "8 euros"),
    ]
    .map(|(number, x, y, words)| part(number, x, y, words))
    .to_vec();
    let expected = "\n| Boat | Hour |\n|---|---|\n| Canoe | 9 euros |\n| Raft | 12 euros |\n| Kayak | 8 euros |";
    let read_rows = |rows: [[i64; 2]; 4]| {
        let rows = rows.map(|cells| row(cells.map(|cell| leaf("TD", &[cell])).to_vec()));
        read_tagged(std::slice::from_ref(&lines), vec![element("Table", rows.to_vec()).into()])
    };
    assert_eq!(read_rows([[0, 1], [2, 3], [4, 5], [6, 7]]), expected);
    assert_eq!(read_rows([[0, 2], [4, 6], [1, 3], [5, 7]]), expected, "columns are no rows");
    assert_eq!(read_rows([[6, 7], [4, 5], [2, 3], [0, 1]]), expected, "the last row is not the first");
}

#[test]
fn a_table_that_places_another_one_is_none() {
    let inner = element(
        "Table",
        vec![
            row(vec![leaf("TH", &[0]), leaf("TH", &[1])]),
            row(vec![leaf("TD", &[2]), leaf("TD", &[3])]),
            row(vec![leaf("TD", &[4]), leaf("TD", &[5])]),
        ],
    );
    let outer = vec![
        row(vec![leaf("TD", &[6]), leaf("TD", &[7])]),
        row(vec![element("TD", vec![inner.into()]).into(), leaf("TD", &[])]),
    ];
    let lines = [
        (6, 60.0, 740.0, "Town news of May"),
        (0, 60.0, 700.0, "Boat"),
        (1, 120.0, 700.0, "Hour"),
        (2, 60.0, 686.0, "Canoe"),
        (3, 120.0, 686.0, "9 euros"),
        (4, 60.0, 672.0, "Raft"),
        (5, 120.0, 672.0, "12 euros"),
        (7, 60.0, 640.0, "The harbour is closed in winter."),
    ];
    let lines = lines.map(|(number, x, y, words)| part(number, x, y, words)).to_vec();
    let page_text = read_tagged(&[lines], vec![element("Table", outer).into()]);
    assert!(page_text.contains("| Boat | Hour |\n|---|---|\n| Canoe | 9 euros |\n| Raft | 12 euros |"), "{page_text}");
    assert!(
        page_text.contains("Town news of May") && page_text.contains("The harbour is closed in winter."),
        "{page_text}"
    );
}

#[test]
fn tags_name_headings_and_their_levels() {
    let lines = [
        (0, 760.0, "The harbour"),
        (1, 746.0, "It is open from May to October and has forty places for boats."),
        (2, 732.0, "Prices of the"),
        (2, 718.0, "places"),
        (3, 704.0, "A place costs 30 euros a night, and 20 euros for members of the club."),
    ];
    let lines = lines.map(|(number, y, words)| part(number, 60.0, y, words)).to_vec();
    let elements = vec![leaf("H1", &[0]), leaf("P", &[1]), leaf("Rubrik", &[2]), leaf("P", &[3])];
    assert_eq!(
        read_tagged(&[lines], elements),
        "The harbour\nIt is open from May to October and has forty places for boats.\n\
         The harbour > Prices of the places\nA place costs 30 euros a night, and 20 euros for members of the club."
    );
}

#[test]
fn a_table_goes_on_below_names_that_are_shown_again() {
    // The second page of a file is its seventh object.
    let second = |number: i64| {
        let part = dictionary! { "MCID" => number, "Pg" => Object::Reference((7, 0)) };
        Object::from(element("TD", vec![part.into()]))
    };
    let rows = vec![
        row(vec![leaf("TH", &[0]), leaf("TH", &[1]), leaf("TH", &[2])]),
        row(vec![leaf("TD", &[3]), leaf("TD", &[4]), leaf("TD", &[5])]),
        row(vec![second(0), second(1), second(2)]),
        row(vec![second(3), second(4), second(5)]),
    ];
    let lines = |rows: &[[(f32, f32, &str); 3]]| {
        let cells = rows.iter().flatten().enumerate();
        cells.map(|(number, (x, y, words))| part(number, *x, *y, words)).collect::<Vec<_>>()
    };
    let (boat, hour, day) = (60.0, 200.0, 300.0);
    let names = [(boat, 700.0, "Boat"), (hour, 700.0, "Hour"), (day, 700.0, "Day")];
    let canoe = [(boat, 680.0, "Canoe"), (hour, 680.0, "9"), (day, 680.0, "30")];
    let raft = [(boat, 680.0, "Raft"), (hour, 680.0, "12"), (day, 680.0, "45")];
    let kayak = [(boat, 660.0, "Kayak"), (hour, 660.0, "8"), (day, 660.0, "25")];
    let again = names.map(|(x, y, words)| sized(12.0, x, y, words));
    let pages = [lines(&[names, canoe]), again.into_iter().chain(lines(&[raft, kayak])).collect()];
    let page_text = read_tagged(&pages, vec![element("Table", rows).into()]);
    let names = "| Boat | Hour | Day |\n|---|---|---|";
    let expected =
        format!("Page 1\n{names}\n| Canoe | 9 | 30 |\nPage 2\n{names}\n| Raft | 12 | 45 |\n| Kayak | 8 | 25 |");
    assert_eq!(page_text, expected);
}

#[test]
fn tagged_tables_of_a_sheet_stay_on_their_pages() {
    let names = ["Canoe", "Raft", "Kayak"];
    let page = |column: &str, value: usize| {
        let rows = names.iter().enumerate().flat_map(|(at, name)| {
            let (number, y) = (4 * at, [700.0, 640.0, 580.0][at]);
            let cells = [(60.0, y, format!("{column} of")), (200.0, y, (*name).to_owned())];
            let values = [(60.0, y - 15.0, "costs".to_owned()), (200.0, y - 15.0, (value + at).to_string())];
            let parts = cells.into_iter().chain(values).zip(number..);
            parts.map(|((x, y, words), number)| part(number, x, y, &words)).collect::<Vec<_>>()
        });
        rows.collect::<Vec<String>>()
    };
    let table = |page: u32, number: i64| {
        let cell = |number: i64| {
            let part = dictionary! { "MCID" => number, "Pg" => Object::Reference((page, 0)) };
            Object::from(element("TD", vec![part.into()]))
        };
        let rows = vec![row(vec![cell(number), cell(number + 1)]), row(vec![cell(number + 2), cell(number + 3)])];
        Object::from(element("Table", rows))
    };
    let tables = [5, 7].into_iter().flat_map(|page| [0, 4, 8].map(|number| table(page, number))).collect();
    let mut file = file(&[page("Hour", 10), page("Day", 30)], tables);
    let info = file.add_object(dictionary! { "Creator" => Object::string_literal("Calc") });
    file.trailer.set("Info", Object::Reference(info));
    let page_text = sections(&mut file);
    for (value, name) in ["10", "11", "12", "30", "31", "32"].iter().zip(names.iter().cycle()) {
        assert!(page_text.contains(value) && page_text.matches(name).count() == 2, "{value} of {name} in {page_text}");
    }
}

#[test]
fn tags_without_an_end_are_left_out() {
    let mut file = lopdf::Document::load_mem(&pdf("Notes", &[&["The fee is 30 euros."]])).unwrap();
    let root = file.new_object_id();
    let table = element("Table", vec![Object::Reference(root), Object::Reference(root)]);
    file.objects.insert(root, Object::Dictionary(table));
    file.catalog_mut().unwrap().set("StructTreeRoot", dictionary! { "K" => Object::Reference(root) });
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    assert_eq!(text(&read(&bytes).unwrap()), ["The fee is 30 euros."]);
}
