//! Reads and writes questions and answers as a CSV file (RFC 4180). A text that a spreadsheet would run as a formula is
//! written with a leading apostrophe, which reading removes.

use contract::templates::FaqEntry;

const QUESTION: [&str; 2] = ["question", "frage"];
const ANSWER: [&str; 2] = ["answer", "antwort"];

/// Why a file is no list of questions and answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaqCsvError {
    /// Neither two columns nor columns named question and answer.
    Columns,
    /// A row, counted from 1 with the head, without a question or without an answer.
    Incomplete(usize),
    /// No row has any content.
    Empty,
}

/// Reads a file with the columns `question` and `answer`, or with two columns and no head. Commas and semicolons
/// divide columns; empty rows are passed over.
///
/// # Errors
/// When the file has errors.
pub fn read(text: &str) -> Result<Vec<FaqEntry>, FaqCsvError> {
    let text = text.trim_start_matches('\u{feff}');
    let rows = rows(text);
    let first = rows.first().ok_or(FaqCsvError::Empty)?;
    let named =
        |names: &[&str]| first.iter().position(|cell| names.contains(&cell.trim().to_ascii_lowercase().as_str()));
    let (question, answer, heads) = match (named(&QUESTION), named(&ANSWER)) {
        (Some(question), Some(answer)) => (question, answer, 1),
        _ if first.len() == 2 => (0, 1, 0),
        _ => return Err(FaqCsvError::Columns),
    };
    let mut entries = Vec::new();
    for (index, row) in rows.iter().enumerate().skip(heads) {
        let cell = |at: usize| row.get(at).map(|cell| unguarded(cell.trim()).to_owned()).unwrap_or_default();
        match (cell(question), cell(answer)) {
            (question, answer) if question.is_empty() && answer.is_empty() => {}
            (question, answer) if question.is_empty() || answer.is_empty() => {
                return Err(FaqCsvError::Incomplete(index + 1));
            }
            (question, answer) => entries.push(FaqEntry { question, answer }),
        }
    }
    if entries.is_empty() { Err(FaqCsvError::Empty) } else { Ok(entries) }
}

/// Writes the entries with a head.
pub fn write(entries: &[FaqEntry]) -> String {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    // Writing to memory cannot fail, and every row has two cells.
    let _ = writer.write_record(["question", "answer"]);
    for FaqEntry { question, answer } in entries {
        let _ = writer.write_record([guarded(question), guarded(answer)]);
    }
    writer.into_inner().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

fn rows(text: &str) -> Vec<Vec<String>> {
    let head = text.lines().next().unwrap_or_default();
    let delimiter = if head.contains(';') && !head.contains(',') { b';' } else { b',' };
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    reader.records().flatten().map(|row| row.iter().map(str::to_owned).collect()).collect()
}

fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
}

fn guarded(text: &str) -> String {
    if is_formula(text) { format!("'{text}") } else { text.to_owned() }
}

fn unguarded(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(question: &str, answer: &str) -> FaqEntry {
        FaqEntry { question: question.to_owned(), answer: answer.to_owned() }
    }

    #[test]
    fn what_is_written_is_read_again_with_quotes_lines_and_formulas() {
        let entries = [entry("Who, \"you\"?", "Line one\nline two"), entry("=1+1", "-2; three")];
        let text = write(&entries);
        assert!(text.starts_with("question,answer\r\n"));
        assert!(text.contains("'=1+1"), "{text}");
        assert_eq!(read(&text).unwrap(), entries);
    }

    #[test]
    fn columns_are_found_by_name_in_english_and_german() {
        let expected = [entry("Wo?", "Hier.")];
        assert_eq!(read("\u{feff}id;Antwort;Frage\r\n7;Hier.;Wo?\r\n").unwrap(), expected);
        assert_eq!(read("Wo?,Hier.\n").unwrap(), expected);
    }

    #[test]
    fn a_file_that_is_no_list_of_questions_says_why() {
        assert_eq!(read("a,b,c\n1,2,3\n"), Err(FaqCsvError::Columns));
        assert_eq!(read("question,answer\nWhy?,\n"), Err(FaqCsvError::Incomplete(2)));
        assert_eq!(read("question,answer\n"), Err(FaqCsvError::Empty));
        assert_eq!(read(""), Err(FaqCsvError::Empty));
    }
}
