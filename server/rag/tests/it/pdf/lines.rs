//! Words of a page become whole lines, however their letters are drawn.

use std::fmt::Write as _;

use super::{
    layout::{at, document, sized},
    text,
};

/// The words of a line in 8 points with the same gap between them, so that they are as wide as `width` together.
fn justified(x: f32, y: f32, width: f32, line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split(' ').collect();
    let width_of = |word: &str| word.chars().map(letter_width).sum::<f32>() * 8.0;
    let gaps = f32::from(u8::try_from(words.len() - 1).unwrap());
    let gap = (width - words.iter().map(|word| width_of(word)).sum::<f32>()) / gaps;
    let mut left = x;
    let mut operations = Vec::new();
    for word in words {
        operations.push(sized(8.0, left, y, word));
        left += width_of(word) + gap;
    }
    operations
}

/// The widths of small letters in Helvetica.
fn letter_width(letter: char) -> f32 {
    match letter {
        'i' | 'j' | 'l' => 0.222,
        ',' | 'f' | 't' => 0.278,
        'r' => 0.333,
        'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' => 0.5,
        'm' => 0.833,
        'w' => 0.722,
        _ => 0.556,
    }
}

#[test]
fn justified_lines_with_wide_gaps_are_text() {
    let lines = [
        "the office of the harbour keeps all papers about boats",
        "and about berths until they",
        "are collected by their owners, who pay a fee for that,",
        "on every day of the week",
        "when the office of the harbour is open for all of them",
        "and also to visitors",
        "without boats who ask for a berth on one of those days",
    ];
    for columns in [1_u8, 2] {
        let mut page = vec![at(60.0, 780.0, "Berths and papers of the office")];
        for (line, number) in lines.iter().zip(0_u8..) {
            for column in 0..columns {
                page.extend(justified(30.0 + 290.0 * f32::from(column), 740.0 - 12.0 * f32::from(number), 245.0, line));
            }
        }
        let page_text = text(&document(&[page])).join("\n");
        assert_eq!(page_text.matches(&lines.join(" ")).count(), usize::from(columns), "{page_text}");
    }
}

#[test]
fn a_mark_that_is_drawn_apart_stands_at_its_word() {
    let page = vec![
        at(60.0, 700.0, "A garden of 40 m"),
        at(60.0, 686.0, "costs 12 euros a year."),
        sized(7.0, 150.8, 705.0, "2"),
    ];
    assert_eq!(text(&document(&[page])), ["A garden of 40 m² costs 12 euros a year."]);
}

#[test]
fn a_raised_number_begins_its_note() {
    let page = vec![
        at(60.0, 700.0, "Prices are valid from May on."),
        sized(5.0, 60.0, 654.0, "1"),
        sized(8.0, 63.5, 650.0, "For members of the club only."),
    ];
    let page_text = text(&document(&[page])).join("\n");
    assert!(page_text.ends_with("1 For members of the club only."), "{page_text}");
}

#[test]
fn a_part_of_a_word_that_is_drawn_again_is_read_once() {
    // The letters below the line are drawn again, over a line that was drawn through them.
    let page = vec![at(60.0, 700.0, "Lodging and parking"), at(96.0, 700.0, "g"), at(160.0, 700.0, "g")];
    let document_read = document(&[page]);
    assert_eq!(text(&document_read).concat().matches("gg").count(), 0, "{document_read:?}");
}

#[test]
fn items_with_a_wide_gap_behind_their_marks_are_a_list() {
    let items = ["Bring your identity card.", "Pay the fee at the desk.", "Wait for your number.", "Sign the form."];
    let mut page = vec![at(60.0, 760.0, "How to get a permit:")];
    for (item, number) in items.iter().zip(0_u8..) {
        let y = 730.0 - 14.0 * f32::from(number);
        page.push(format!("[()] TJ /F1 12 Tf 1 0 0 1 60 {y} Tm [(\\225) -950 ({item})] TJ"));
    }
    let page_text = text(&document(&[page])).join("\n");
    assert!(
        page_text.ends_with(
            "- Bring your identity card.\n- Pay the fee at the desk.\n- Wait for your number.\n- Sign the form."
        ),
        "{page_text}"
    );
}

#[test]
fn terms_that_all_pages_repeat_are_read_once() {
    let page = |number: usize| {
        let work = ["Changed the oil.", "Painted the door.", "Checked the brakes."][number - 1];
        vec![
            at(60.0, 760.0, "Invoice 17"),
            at(60.0, 700.0, work),
            at(60.0, 60.0, "The owner pays a fee of 20 euros for each day on which the car stays here"),
        ]
    };
    let page_text = text(&document(&[page(1), page(2), page(3)])).join("\n");
    assert_eq!(page_text.matches("a fee of 20 euros for each day").count(), 1, "{page_text}");
}

#[test]
fn lines_of_a_table_may_be_rectangles_of_one_path() {
    let across: String = [720.0, 690.0, 660.0].map(|y| format!("60 {y} 300 0.5 re ")).concat();
    let down: String = [60.0, 160.0, 260.0, 360.0].map(|x| format!("{x} 660 0.5 60.5 re ")).concat();
    let cell =
        |x: f32, y: f32, lines: [&str; 2]| lines.map(|line| at(x, if line == lines[0] { y } else { y - 12.0 }, line));
    let mut page = vec![format!("[()] TJ ET {across}{down}f BT")];
    page.extend([at(65.0, 700.0, "Room"), at(165.0, 700.0, "Use"), at(265.0, 700.0, "Seats")]);
    page.extend(cell(65.0, 680.0, ["Hall on the", "first floor"]));
    page.extend(cell(165.0, 680.0, ["Concerts", "and talks"]));
    page.push(at(265.0, 680.0, "120"));
    let expected = "| Room | Use | Seats |\n|---|---|---|\n| Hall on the first floor | Concerts and talks | 120 |";
    assert_eq!(text(&document(&[page])), [expected]);
}

#[test]
fn lines_only_between_values_part_the_names_of_their_rows() {
    // The first column is one box, and the second one has a box for each row.
    let mut drawing =
        "[()] TJ ET 60 600 m 60 720 l S 260 600 m 260 720 l S 360 600 m 360 720 l S 60 720 m 360 720 l S \
        60 700 m 360 700 l S 60 600 m 360 600 l S "
            .to_owned();
    for y in [620.0, 640.0, 660.0, 680.0] {
        write!(drawing, "260 {y} m 360 {y} l S ").unwrap();
    }
    let mut page = vec![drawing + "BT", at(65.0, 705.0, "Costs"), at(265.0, 705.0, "Euros")];
    for (name, number) in ["Salaries", "Travel", "Rent", "Training", "Insurance"].iter().zip(0_u8..) {
        let y = 685.0 - 20.0 * f32::from(number);
        page.extend([at(65.0, y, name), at(265.0, y, &format!("{}00", 7 + number))]);
    }
    let expected = "| Costs | Euros |\n|---|---|\n| Salaries | 700 |\n| Travel | 800 |\n| Rent | 900 |\n\
        | Training | 1000 |\n| Insurance | 1100 |";
    assert_eq!(text(&document(&[page])), [expected]);
}

#[test]
fn a_header_of_several_lines_names_its_columns() {
    let line = |y: f32| format!("[()] TJ ET 60 {y} m 500 {y} l S BT");
    let mut page = vec![
        line(735.0),
        at(200.0, 722.0, "Rent per"),
        at(320.0, 722.0, "Deposit"),
        at(420.0, 722.0, "Seats with"),
        at(60.0, 708.0, "Room"),
        at(200.0, 708.0, "day"),
        at(320.0, 708.0, "in euros"),
        at(420.0, 708.0, "tables"),
        line(702.0),
    ];
    for (y, cells) in [
        (688.0, ["Hall", "240", "300", "120"]),
        (674.0, ["Kitchen", "80", "100", "20"]),
        (660.0, ["Attic", "60", "90", "15"]),
    ] {
        page.extend([60.0, 200.0, 320.0, 420.0].into_iter().zip(cells).map(|(x, cell)| at(x, y, cell)));
    }
    let expected = "| Room | Rent per day | Deposit in euros | Seats with tables |\n|---|---|---|---|\n\
        | Hall | 240 | 300 | 120 |\n| Kitchen | 80 | 100 | 20 |\n| Attic | 60 | 90 | 15 |";
    assert_eq!(text(&document(&[page])), [expected]);
}

#[test]
fn lines_above_and_below_a_header_part_no_rows() {
    let line = |y: f32| format!("[()] TJ ET 60 {y} m 500 {y} l S BT");
    let mut page =
        vec![line(715.0), at(60.0, 704.0, "Group"), at(200.0, 704.0, "1994"), at(350.0, 704.0, "1997"), line(700.0)];
    let rows = [
        ["Lowest", "$9,594 or less", "$22,400 or less"],
        ["Upper middle", "$17,993 to $25,771", "$29,993 to $40,888"],
        ["Highest", "Greater than $25,771", "Greater than $40,888"],
    ];
    for (row, number) in rows.into_iter().zip(0_u8..) {
        let y = 688.0 - 14.0 * f32::from(number);
        page.extend([60.0, 200.0, 350.0].into_iter().zip(row).map(|(x, cell)| at(x, y, cell)));
    }
    let page_text = text(&document(&[page])).join("\n");
    assert!(
        page_text.contains("| Upper middle | $17,993 to $25,771 |") && page_text.contains("\n| Highest | Greater"),
        "{page_text}"
    );
}

#[test]
fn leaders_with_wide_gaps_are_read() {
    let entry = |y: f32, name: &str, value: &str| {
        format!(
            "[()] TJ /F1 12 Tf 1 0 0 1 60 {y} Tm [({name}) -700 (.) -700 (.) -700 (.) -700 (.) -700 (.) -700 ({value})] TJ"
        )
    };
    let page = vec![
        entry(700.0, "Tea", "2.50"),
        entry(686.0, "Pie", "3.50"),
        entry(672.0, "Egg", "4.50"),
        entry(658.0, "Nut", "5.50"),
    ];
    let page_text = text(&document(&[page])).join("\n");
    assert!(page_text.contains("Tea: 2.50") && page_text.contains("Nut: 5.50"), "{page_text}");
}

#[test]
fn contents_of_pages_that_a_file_does_not_have_stay() {
    let dots = ".".repeat(30);
    let mut page = vec![at(60.0, 760.0, "Contents")];
    for (name, number) in ["Arrival", "Wheelchair access", "Meals"].iter().zip(0_u8..) {
        page.push(at(60.0, 720.0 - 15.0 * f32::from(number), &format!("{name} {dots} {}", 12 + number)));
    }
    let page_text = text(&document(&[page])).join("\n");
    assert!(page_text.contains("Wheelchair access: 13"), "{page_text}");
}
