//! Sheets that a program for sheets prints.

use lopdf::{Object, dictionary};

use super::{layout::at, pdf, read, text};

/// What is read of pages that a program made.
fn made_by(program: &str, pages: &[Vec<String>]) -> String {
    let pages: Vec<Vec<&str>> = pages.iter().map(|page| page.iter().map(String::as_str).collect()).collect();
    let pages: Vec<&[&str]> = pages.iter().map(Vec::as_slice).collect();
    let mut file = lopdf::Document::load_mem(&pdf("Notes", &pages)).unwrap();
    let info = dictionary! { "Creator" => Object::string_literal(program) };
    let info = file.add_object(info);
    file.trailer.set("Info", Object::Reference(info));
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).unwrap();
    text(&read(&bytes).unwrap()).join("\n")
}

/// A page with rows of cells at the places `x`.
fn rows(x: &[f32], rows: &[(f32, &[&str])]) -> Vec<String> {
    let cells = |(y, cells): &(f32, &[&str])| {
        let (y, cells) = (*y, cells.iter().zip(x).filter(|(cell, _)| !cell.is_empty()));
        cells.map(|(cell, x)| at(*x, y, cell)).collect::<Vec<_>>()
    };
    rows.iter().flat_map(cells).collect()
}

#[test]
fn columns_on_the_next_page_stand_beside_their_rows() {
    let first: &[(f32, &[&str])] =
        &[(700.0, &["Boat", "Hour"]), (685.0, &["Canoe", "9"]), (670.0, &["Raft", "12"]), (640.0, &["Kayak", "8"])];
    let second: &[(f32, &[&str])] = &[(700.0, &["Day"]), (685.0, &["30"]), (670.0, &["45"]), (640.0, &["25"])];
    let pages = [rows(&[60.0, 200.0], first), rows(&[60.0], second)];
    let whole = "| Boat | Hour | Day |\n|---|---|---|\n| Canoe | 9 | 30 |\n| Raft | 12 | 45 |\n| Kayak | 8 | 25 |";
    assert_eq!(made_by("Calc", &pages), whole);
    assert!(!made_by("Writer", &pages).contains("| Day |"), "pages of a letter are no columns");
    // A row that is on no other page shows that these rows are further ones.
    let further: &[(f32, &[&str])] = &[(700.0, &["Day"]), (685.0, &["30"]), (655.0, &["45"]), (640.0, &["25"])];
    assert!(!made_by("Calc", &[rows(&[60.0, 200.0], first), rows(&[60.0], further)]).contains("| Day |"));
    let with_labels: &[(f32, &[&str])] =
        &[(700.0, &["Boat", "Day"]), (685.0, &["Canoe", "30"]), (670.0, &["Raft", "45"]), (640.0, &["Kayak", "25"])];
    let pages = made_by("Calc", &[rows(&[60.0, 200.0], first), rows(&[60.0, 200.0], with_labels)]);
    assert!(
        pages.contains("| Boat | Day |") && pages.contains("| Canoe | 30 |"),
        "pages with labels stand alone: {pages}"
    );
    // Cells on the next page may have more lines.
    let long_cells: &[(f32, &[&str])] = &[
        (700.0, &["Terms"]),
        (685.0, &["none"]),
        (670.0, &["with two vests"]),
        (657.0, &["and a paddle"]),
        (640.0, &["none"]),
    ];
    let whole = "| Boat | Hour | Terms |\n|---|---|---|\n| Canoe | 9 | none |\n| Raft | 12 | with two vests and a paddle |\n\
        | Kayak | 8 | none |";
    assert_eq!(made_by("Calc", &[rows(&[60.0, 200.0], first), rows(&[60.0], long_cells)]), whole);
}

#[test]
fn a_label_without_a_value_is_a_row_of_its_own() {
    let lines: &[(f32, &[&str])] = &[
        (700.0, &["Boat", "Hour"]),
        (685.0, &["Canoe", "9"]),
        (670.0, &["Raft"]),
        (640.0, &["Kayak", "8"]),
        (625.0, &["Ferry", "12"]),
    ];
    let expected = "| Boat | Hour |\n|---|---|\n| Canoe | 9 |\n| Raft |  |\n| Kayak | 8 |\n| Ferry | 12 |";
    assert_eq!(made_by("Calc", &[rows(&[60.0, 200.0], lines)]), expected);
}

#[test]
fn cells_that_touch_each_other_are_parted_by_the_spaces_of_texts() {
    let lines: &[(f32, &[&str])] = &[
        (700.0, &["Boat for a day", "Weekday", "Weekend"]),
        (685.0, &["Canoe", "9 euros", "30 euros"]),
        (670.0, &["Raft", "12 euros", "45 euros"]),
    ];
    let expected = "| Boat for a day | Weekday | Weekend |\n|---|---|---|\n| Canoe | 9 euros | 30 euros |\n\
        | Raft | 12 euros | 45 euros |";
    assert_eq!(made_by("Microsoft Excel 2019", &[rows(&[60.0, 142.0, 195.0], lines)]), expected);
}

#[test]
fn cells_stand_in_the_middle_or_at_the_bottom_of_their_rows() {
    let expected = "| Boat | Terms | Day |\n|---|---|---|\n| Canoe | with two vests and a paddle | 30 |\n| Raft | none | 45 |\n\
        | Kayak | with one vest and a paddle | 25 |";
    let middle: &[(f32, &[&str])] = &[
        (700.0, &["Boat", "Terms", "Day"]),
        (685.0, &["", "with two vests"]),
        (678.5, &["Canoe", "", "30"]),
        (672.0, &["", "and a paddle"]),
        (655.0, &["Raft", "none", "45"]),
        (640.0, &["", "with one vest"]),
        (633.5, &["Kayak", "", "25"]),
        (627.0, &["", "and a paddle"]),
    ];
    let bottom: &[(f32, &[&str])] = &[
        (700.0, &["Boat", "Terms", "Day"]),
        (683.0, &["", "with two vests"]),
        (670.0, &["Canoe", "and a paddle", "30"]),
        (653.0, &["Raft", "none", "45"]),
        (636.0, &["", "with one vest"]),
        (623.0, &["Kayak", "and a paddle", "25"]),
    ];
    for lines in [middle, bottom] {
        assert_eq!(made_by("Calc", &[rows(&[60.0, 200.0, 350.0], lines)]), expected);
    }
}
