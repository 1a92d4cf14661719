//! Reads and writes questions and answers as a CSV file (RFC 4180). A text that a spreadsheet would run as a formula is
//! written with an apostrophe in front of the formula, which reading removes.

use contract::{
    csv::{neutralised, restored},
    templates::FaqEntry,
};

const QUESTION: [&str; 2] = ["question", "frage"];
const ANSWER: [&str; 2] = ["answer", "antwort"];

/// Why a file is no list of questions and answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaqCsvError {
    /// Neither two columns nor columns named question and answer.
    Columns,
    /// A row, counted from 1 with the head and empty rows, without a question or without an answer.
    Incomplete(usize),
    /// No row has any content.
    Empty,
}

/// The number of a row, and its cells.
type Row = (usize, Vec<String>);

/// Reads a file with the columns `question` and `answer`, or with two columns and no head. Commas and semicolons
/// divide columns; empty rows are passed over.
///
/// # Errors
/// When the file has errors.
pub fn read(text: &str) -> Result<Vec<FaqEntry>, FaqCsvError> {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    if text.trim().is_empty() {
        return Err(FaqCsvError::Empty);
    }
    let tables = [rows(&text, b','), rows(&text, b';')];
    let fitting = tables.iter().filter_map(|rows| Some((rows, columns(rows)?)));
    // Without a head both may fit. The last one wins a tie: texts have more commas than semicolons. A cell with half of
    // a pair of quotes was divided within its text.
    let is_whole = |cell: &String| cell.matches('"').count().is_multiple_of(2);
    let is_pair = |row: &[String]| row.len() == 2 && row.iter().all(is_whole);
    let pairs = |rows: &[Row]| rows.iter().filter(|(_, row)| is_pair(row)).count();
    let best = fitting.max_by_key(|(rows, (_, _, heads))| (*heads, pairs(rows)));
    let (rows, (question, answer, heads)) = best.ok_or(FaqCsvError::Columns)?;
    let mut entries = Vec::new();
    for (number, row) in rows.iter().skip(heads) {
        let cell = |at: usize| row.get(at).map(|cell| restored(cell.trim()).trim().to_owned()).unwrap_or_default();
        match (cell(question), cell(answer)) {
            (question, answer) if question.is_empty() && answer.is_empty() => {}
            (question, answer) if question.is_empty() || answer.is_empty() => {
                return Err(FaqCsvError::Incomplete(*number));
            }
            (question, answer) => entries.push(FaqEntry { question, answer }),
        }
    }
    if entries.is_empty() { Err(FaqCsvError::Empty) } else { Ok(entries) }
}

/// Writes the entries with a head and the byte order mark without which Excel does not read UTF-8. With semicolons, Excel
/// opens the file where a comma begins the fraction of a number.
pub fn write(entries: &[FaqEntry], separator: u8) -> String {
    let mut builder = csv::WriterBuilder::new();
    let mut writer = builder.terminator(csv::Terminator::CRLF).delimiter(separator).from_writer(Vec::new());
    // Writing to memory cannot fail, and every row has two cells.
    let _ = writer.write_record(["question", "answer"]);
    for FaqEntry { question, answer } in entries {
        let _ = writer.write_record([neutralised(question).as_ref(), neutralised(answer).as_ref()]);
    }
    let bytes = writer.into_inner().unwrap_or_default();
    format!("\u{feff}{}", String::from_utf8_lossy(&bytes))
}

/// The columns of questions and answers, and how many rows are above the first entry.
fn columns(rows: &[Row]) -> Option<(usize, usize, usize)> {
    let (_, first) = rows.first()?;
    let column =
        |names: &[&str]| first.iter().position(|cell| names.contains(&cell.trim().to_ascii_lowercase().as_str()));
    match (column(&QUESTION), column(&ANSWER)) {
        (Some(question), Some(answer)) => Some((question, answer, 1)),
        _ => (first.len() == 2).then_some((0, 1, 0)),
    }
}

fn rows(text: &str, delimiter: u8) -> Vec<Row> {
    let text = text.as_bytes();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text);
    let mut number = 0;
    let numbered = |row: csv::StringRecord| {
        // The reader passes over empty lines, which are before the row.
        let start = row.position().map_or(0, |place| place.byte() as usize);
        number += 1 + text[start..].iter().take_while(|byte| **byte == b'\n').count();
        (number, row.iter().map(str::to_owned).collect())
    };
    reader.records().flatten().map(numbered).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(question: &str, answer: &str) -> FaqEntry {
        FaqEntry { question: question.to_owned(), answer: answer.to_owned() }
    }

    #[test]
    fn quotes_lines_and_formulas_round_trip() {
        let entries = [entry("Who, \"you\"?", "Line one\nline two"), entry("=1+1", "-2; three;=4\n- five")];
        for (separator, head) in [(b',', "\u{feff}question,answer\r\n"), (b';', "\u{feff}question;answer\r\n")] {
            let text = write(&entries, separator);
            assert!(text.starts_with(head), "{text}");
            assert!(text.contains("'=1+1"), "{text}");
            assert_eq!(read(&text).unwrap(), entries);
        }
    }

    #[test]
    fn no_cell_begins_with_a_formula_wherever_a_program_splits() {
        let parts = ["=1", "\u{ff0b}1", "-", "\"", "\"\"", ";", "\t", "\n", "\r\n", ",", "a", ""];
        let texts = parts.iter().flat_map(|one| parts.iter().map(move |two| format!("{one}{two}")));
        let texts = texts.flat_map(|begin| parts.iter().map(move |end| format!("{begin}{end}")));
        let entries: Vec<_> = texts.map(|text| entry(&format!("a{text}"), &text)).collect();
        // As the consoles write a file, and as the exports of the API do.
        let quoted = |separator: &str| -> String {
            let row = |FaqEntry { question, answer }: &FaqEntry| {
                let cells = [question, answer].map(|text| neutralised(text).replace('"', "\"\""));
                format!("\"{}\"\r\n", cells.join(separator))
            };
            entries.iter().map(row).collect()
        };
        let files = [write(&entries, b','), write(&entries, b';'), quoted("\",\""), quoted("\";\"")];
        for (file, delimiter) in files.iter().flat_map(|file| [(file, b','), (file, b';'), (file, b'\t')]) {
            let mut reader = csv::ReaderBuilder::new();
            let reader = reader.has_headers(false).flexible(true).delimiter(delimiter).from_reader(file.as_bytes());
            for row in reader.into_records() {
                for cell in &row.unwrap() {
                    assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\u{ff0b}']), "{cell:?}");
                }
            }
        }
    }

    #[test]
    fn columns_are_found_by_name_in_english_and_german() {
        let expected = [entry("Wo?", "Hier.")];
        assert_eq!(read("\u{feff}id;Antwort;Frage\r\n7;Hier.;Wo?\r\n").unwrap(), expected);
        assert_eq!(read("Wo?,Hier.\n").unwrap(), expected);
    }

    #[test]
    fn commas_in_texts_do_not_divide_columns_of_semicolons() {
        let expected = [entry("Wo, bitte?", "Hier"), entry("Wann?", "Mo, Di, Mi")];
        assert_eq!(read("Wo, bitte?;Hier\n").unwrap(), expected[..1]);
        assert_eq!(read("Wo, bitte?;Hier\nWann?;Mo, Di, Mi\n").unwrap(), expected);
        let expected = [entry("Open; when?", "Daily."), entry("Where?", "Here.")];
        assert_eq!(read("Open; when?,Daily.\nWhere?,Here.\n").unwrap(), expected);
    }

    #[test]
    fn semicolons_in_quotes_do_not_divide_columns_of_commas() {
        let expected = [entry("Where?", "Here; there"), entry("When, \"you\"?", "Mo; Di")];
        assert_eq!(read("Where?,\"Here; there\"\n").unwrap(), expected[..1]);
        assert_eq!(read("Where?,\"Here; there\"\n\"When, \"\"you\"\"?\",Mo; Di\n").unwrap(), expected);
    }

    #[test]
    fn an_incomplete_row_is_counted_with_empty_ones_before_it() {
        for text in ["\nWhy?,So.\n\n\nWhen?,\n", "\r\nWhy?,\"So\r\nand so.\"\r\n\r\n\r\nWhen?,\r\n"] {
            assert_eq!(read(text), Err(FaqCsvError::Incomplete(5)), "{text:?}");
        }
    }

    #[test]
    fn a_file_that_is_no_list_of_questions_says_why() {
        assert_eq!(read("a,b,c\n1,2,3\n"), Err(FaqCsvError::Columns));
        assert_eq!(read("question,answer\nWhy?,\n"), Err(FaqCsvError::Incomplete(2)));
        assert_eq!(read("question,answer\n"), Err(FaqCsvError::Empty));
        assert_eq!(read(""), Err(FaqCsvError::Empty));
    }
}
