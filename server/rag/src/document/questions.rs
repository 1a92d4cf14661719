//! Questions and answers in CSV or JSON lines: each entry is a section whose heading is the question.

use serde_json::Value;

use super::{Content, Layout, Omissions, Section, Unreadable, charset};

/// Names of the column or key with the question, and of the one with the answer.
const QUESTION: &[&str] = &["question", "frage", "q"];
const ANSWER: &[&str] = &["answer", "antwort", "a"];
/// Names of the column with other phrasings of the question.
const VARIANTS: &[&str] = &["variants", "varianten"];

/// Reads a table with a header. The separator (comma, semicolon or tab) is the most frequent one in the header.
pub(super) fn read_csv(text: &str) -> Result<Content, Unreadable> {
    let mut entries = Entries::default();
    for row in rows(text, false, usize::MAX)? {
        entries.push("row", row.line, &row.question, &row.answer)?;
    }
    Ok(entries.finish())
}

/// A row of a table of questions and answers, with its original text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The line of the file on which it begins, from 1.
    pub line: u64,
    pub question: String,
    pub answer: String,
    /// Other phrasings of the question, one per line; `None` when the table has no column for them.
    pub variants: Option<String>,
    /// Whether it has more cells than the header: a separator occurs outside of quotes.
    pub is_too_long: bool,
}

/// The first rows of a table as [`read_csv`] reads it, at most `most`, including empty cells and rows of another
/// length.
///
/// # Errors
/// When the bytes are not text, or the table has no columns for questions and answers.
pub fn table(bytes: &[u8], most: usize) -> Result<Vec<Row>, Unreadable> {
    rows(&charset::decode_utf8(bytes)?, true, most)
}

fn rows(text: &str, flexible: bool, most: usize) -> Result<Vec<Row>, Unreadable> {
    let header = text.lines().next().unwrap_or_default();
    let count = |separator: &u8| header.bytes().filter(|byte| byte == separator).count();
    let separator = *[b',', b';', b'\t'].iter().max_by_key(|separator| count(separator)).unwrap_or(&b',');
    let mut reader = csv::ReaderBuilder::new().delimiter(separator).flexible(flexible).from_reader(text.as_bytes());
    let malformed = |error: csv::Error| Unreadable::Malformed("CSV table", error.to_string());
    let header = reader.headers().map_err(malformed)?.clone();
    let column = |names: &[&str]| header.iter().position(|name| is_one_of(name, names));
    let (Some(question), Some(answer)) = (column(QUESTION), column(ANSWER)) else {
        return Err(Unreadable::Entry("the table has no columns \"question\" and \"answer\"".to_owned()));
    };
    let variants = column(VARIANTS);
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(malformed)?;
        let line = record.position().map_or(0, |at| line_of(text, at));
        let cell = |index: usize| record.get(index).unwrap_or_default().to_owned();
        if record.iter().any(|cell| !cell.trim().is_empty()) {
            if rows.len() == most {
                break;
            }
            let is_too_long = record.len() > header.len();
            let variants = variants.map(cell);
            rows.push(Row { line, question: cell(question), answer: cell(answer), variants, is_too_long });
        }
    }
    Ok(rows)
}

/// The line on which a row begins. The reader's position is before the empty lines above the row.
fn line_of(text: &str, at: &csv::Position) -> u64 {
    let rest = usize::try_from(at.byte()).ok().and_then(|byte| text.as_bytes().get(byte..)).unwrap_or_default();
    (at.line()..).zip(rest).find(|(_, byte)| **byte != b'\n').map_or(at.line(), |(line, _)| line)
}

/// One JSON object a line.
pub(super) fn read_jsonl(text: &str) -> Result<Content, Unreadable> {
    let mut entries = Entries::default();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let entry: Value =
            serde_json::from_str(line).map_err(|_| Unreadable::Entry(format!("line {number} is not a JSON object")))?;
        let Value::Object(entry) = entry else {
            return Err(Unreadable::Entry(format!("line {number} is not a JSON object")));
        };
        let value = |names: &[&str]| {
            entry.iter().find(|(key, _)| is_one_of(key, names)).and_then(|(_, value)| value.as_str()).unwrap_or("")
        };
        entries.push("line", number, value(QUESTION), value(ANSWER))?;
    }
    Ok(entries.finish())
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    let name = name.trim().trim_start_matches('\u{feff}').to_lowercase();
    names.contains(&name.as_str())
}

#[derive(Default)]
struct Entries(Vec<Section>);

impl Entries {
    fn push(&mut self, unit: &str, number: u64, question: &str, answer: &str) -> Result<(), Unreadable> {
        let (question, answer) = (question.split_whitespace().collect::<Vec<_>>().join(" "), answer.trim());
        for (name, value) in [("question", question.as_str()), ("answer", answer)] {
            if value.is_empty() {
                return Err(Unreadable::Entry(format!("{unit} {number} has no {name}")));
            }
        }
        let anchor = Some(format!("{unit}-{number}"));
        self.0.push(Section { heading_path: vec![question], anchor, text: answer.to_owned() });
        Ok(())
    }

    fn finish(self) -> Content {
        Content {
            title: None,
            sections: self.0,
            layout: Layout::Entries,
            blank_pages: Vec::new(),
            omissions: Omissions::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_keeps_its_lines_and_what_is_missing_or_too_much() {
        let text = "\u{feff}Frage;Antwort;Stand\r\n\"Wo\r\nist es?\";Hier.;x\r\n\r\nWann?\r\nWer?;a;b;c\r\n";
        let rows = table(text.as_bytes(), 9).unwrap();
        let shown: Vec<_> =
            rows.iter().map(|row| (row.line, row.question.as_str(), row.answer.as_str(), row.is_too_long)).collect();
        assert_eq!(
            shown,
            [(2, "Wo\nist es?", "Hier.", false), (5, "Wann?", "", false), (6, "Wer?", "a", true)],
            "{rows:?}"
        );
        assert_eq!(table(text.as_bytes(), 2).unwrap(), rows[..2]);
        let varied = table(b"question,variants,answer\nWhen?,\"a\nb\",Now.\n", 9).unwrap();
        assert_eq!((rows[0].variants.as_deref(), varied[0].variants.as_deref()), (None, Some("a\nb")));
        assert!(matches!(table(b"question,name\n", 9), Err(Unreadable::Entry(_))));
        assert!(matches!(table(b"question,answer\nGr\xfc\xdfe,x\n", 9), Err(Unreadable::NotText("UTF-8"))));
    }
}
