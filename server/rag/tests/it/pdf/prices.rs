//! Price tables of a page, as offices and shops lay them out.

use super::{
    layout::{at, document},
    text,
};

/// A page with rows of cells at the places `x`, the first one at 700 and each as much lower as it says.
fn page(x: &[f32], rows: &[(f32, &[&str])]) -> Vec<String> {
    let mut y = 700.0;
    let mut page = Vec::new();
    for (down, cells) in rows {
        y -= down;
        page.extend(x.iter().zip(*cells).filter(|(_, cell)| !cell.is_empty()).map(|(x, cell)| at(*x, y, cell)));
    }
    page
}

const HEAD: &[&str] = &["Boat", "Hour", "Day"];
const TABLE: &str = "| Boat | Hour | Day |\n|---|---|---|\n| Canoe with paddles and two vests | 9 euros | 30 euros |\n\
    | Raft | 12 euros | 45 euros |\n| Kayak for one person with a paddle | 8 euros | 25 euros |";

#[test]
fn values_stand_in_the_middle_or_at_the_end_of_the_lines_of_their_row() {
    let middle = page(
        &[60.0, 250.0, 350.0],
        &[
            (0.0, HEAD),
            (24.0, &["Canoe with paddles"]),
            (7.0, &["", "9 euros", "30 euros"]),
            (7.0, &["and two vests"]),
            (24.0, &["Raft", "12 euros", "45 euros"]),
            (24.0, &["Kayak for one"]),
            (14.0, &["person with a", "8 euros", "25 euros"]),
            (14.0, &["paddle"]),
        ],
    );
    assert_eq!(text(&document(&[middle])), [TABLE]);
    let end = page(
        &[60.0, 250.0, 350.0],
        &[
            (0.0, HEAD),
            (24.0, &["Canoe with paddles"]),
            (14.0, &["and two vests", "9 euros", "30 euros"]),
            (24.0, &["Raft", "12 euros", "45 euros"]),
            (24.0, &["Kayak for one person"]),
            (14.0, &["with a paddle", "8 euros", "25 euros"]),
        ],
    );
    assert_eq!(text(&document(&[end])), [TABLE]);
}

#[test]
fn columns_of_text_are_no_rows_with_several_lines() {
    let left = ["The harbour was built in", "1890 and has a light.", "It is open all day."];
    let right = ["Visitors pay 3 euros for", "5 hours. Children pay", "nothing at all."];
    let rows: Vec<[&str; 2]> = left.into_iter().zip(right).map(|(one, other)| [one, other]).collect();
    let mut lines: Vec<(f32, &[&str])> = Vec::new();
    for down in [0.0, 24.0, 24.0] {
        lines.extend(rows.iter().zip([down, 14.0, 14.0]).map(|(row, down)| (down, row.as_slice())));
    }
    let page_text = text(&document(&[page(&[60.0, 330.0], &lines)])).join("\n");
    assert!(!page_text.contains('|'), "{page_text}");
}

#[test]
fn a_title_of_a_group_stands_below_a_header_without_a_first_name() {
    let rows = page(
        &[60.0, 250.0, 350.0],
        &[
            (0.0, &["", "Hour", "Day"]),
            (18.0, &["On water"]),
            (18.0, &["Canoe", "$9", "$30"]),
            (18.0, &["Raft", "$12", "$45"]),
            (18.0, &["On land"]),
            (18.0, &["Bicycle", "$5", "$15"]),
        ],
    );
    let expected = "|  | Hour | Day |\n|---|---|---|\n| On water |  |  |\n| Canoe | $9 | $30 |\n| Raft | $12 | $45 |\n\
        | On land |  |  |\n| Bicycle | $5 | $15 |";
    assert_eq!(text(&document(&[rows])), [expected]);
}

#[test]
fn a_header_of_two_rows_stands_above_amounts_with_a_currency() {
    let rows = page(
        &[60.0, 250.0, 350.0],
        &[
            (0.0, &["Boat"]),
            (18.0, &["", "Hour", "Day"]),
            (18.0, &["Canoe", "$9", "$30"]),
            (18.0, &["Raft", "$12", "$45"]),
            (18.0, &["Kayak", "$8", "$25"]),
        ],
    );
    let rows = [at(300.0, 700.0, "Price")].into_iter().chain(rows).collect();
    let page_text = text(&document(&[rows])).join("\n");
    assert!(
        page_text.starts_with("| Boat | Price Hour | Price Day |\n|---|---|---|\n| Canoe | $9 | $30 |"),
        "{page_text}"
    );
}

#[test]
fn names_that_repeat_themselves_show_their_groups() {
    let rows = |summer: f32, winter: f32| {
        let rows = page(
            &[60.0, 200.0, 270.0, 340.0, 410.0],
            &[
                (14.0, &["Boat", "Hour", "Day", "Hour", "Day"]),
                (18.0, &["Canoe", "$9", "$30", "$7", "$20"]),
                (18.0, &["Raft", "$12", "$45", "$8", "$25"]),
                (18.0, &["Kayak", "$8", "$25", "$5", "$18"]),
            ],
        );
        let groups = [at(summer, 700.0, "Summer"), at(winter, 700.0, "Winter")];
        groups.into_iter().chain(rows).collect::<Vec<String>>()
    };
    let expected = "| Boat | Summer Hour | Summer Day | Winter Hour | Winter Day |\n|---|---|---|---|---|\n\
        | Canoe | $9 | $30 | $7 | $20 |";
    for (summer, winter) in [(200.0, 340.0), (230.0, 370.0), (270.0, 410.0)] {
        let page_text = text(&document(&[rows(summer, winter)])).join("\n");
        assert!(page_text.starts_with(expected), "{page_text}");
    }
}

#[test]
fn the_last_label_of_a_table_may_have_two_lines() {
    let rows = page(
        &[60.0, 250.0, 350.0],
        &[
            (0.0, HEAD),
            (30.0, &["Canoe with paddles", "9 euros", "30 euros"]),
            (14.0, &["and two vests"]),
            (30.0, &["Raft", "12 euros", "45 euros"]),
            (30.0, &["Kayak for one person", "8 euros", "25 euros"]),
            (14.0, &["with a paddle"]),
        ],
    );
    assert_eq!(text(&document(&[rows])), [TABLE]);
}

#[test]
fn each_entry_of_a_list_with_dots_is_a_line() {
    let dots = ".".repeat(20);
    let entries = [("Tea", "2.50 euros"), ("Pie", "3.50 euros"), ("Egg", "1.20 euros")];
    let entries = entries
        .iter()
        .zip(0_u8..)
        .map(|((name, price), number)| at(60.0, 700.0 - 14.0 * f32::from(number), &format!("{name} {dots} {price}")));
    assert_eq!(text(&document(&[entries.collect()])), ["Tea: 2.50 euros\n\nPie: 3.50 euros\n\nEgg: 1.20 euros"]);
}

#[test]
fn names_that_are_written_upwards_name_their_columns() {
    let name = |x: f32, text: &str| format!("[()] TJ /F1 12 Tf 0 1 -1 0 {x} 702 Tm ({text}) Tj");
    let mut rows = page(
        &[60.0, 200.0, 280.0],
        &[
            (0.0, &["Boat"]),
            (18.0, &["Canoe", "9 euros", "30 euros"]),
            (18.0, &["Raft", "12 euros", "45 euros"]),
            (18.0, &["Kayak", "8 euros", "25 euros"]),
        ],
    );
    rows.extend([name(215.0, "One hour"), name(295.0, "Day")]);
    rows.push("[()] TJ /F1 12 Tf 0 1 -1 0 40 300 Tm (Printed in May) Tj".to_owned());
    let expected = "| Boat | One hour | Day |\n|---|---|---|\n| Canoe | 9 euros | 30 euros |\n\
        | Raft | 12 euros | 45 euros |\n| Kayak | 8 euros | 25 euros |";
    assert_eq!(text(&document(&[rows])), [format!("{expected}\n\nPrinted in May")]);
}
