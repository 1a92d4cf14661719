//! Questions and answers in CSV or JSON lines: each entry is a section whose heading is the question.

use serde_json::Value;

use super::{Content, Layout, Section, Unreadable};

/// Names of the column or key with the question, and of the one with the answer.
const QUESTION: &[&str] = &["question", "frage", "q"];
const ANSWER: &[&str] = &["answer", "antwort", "a"];

/// A table with a header; the separator (comma, semicolon or tab) is the one that its header has most of.
pub(super) fn read_csv(text: &str) -> Result<Content, Unreadable> {
    let header = text.lines().next().unwrap_or_default();
    let count = |separator: &u8| header.bytes().filter(|byte| byte == separator).count();
    let separator = *[b',', b';', b'\t'].iter().max_by_key(|separator| count(separator)).unwrap_or(&b',');
    let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_reader(text.as_bytes());
    let malformed = |error: csv::Error| Unreadable::Malformed("CSV table", error.to_string());
    let header = reader.headers().map_err(malformed)?.clone();
    let column = |names: &[&str]| header.iter().position(|name| is_one_of(name, names));
    let (Some(question), Some(answer)) = (column(QUESTION), column(ANSWER)) else {
        return Err(Unreadable::Entry("the table has no columns \"question\" and \"answer\"".to_owned()));
    };
    let mut entries = Entries::default();
    for record in reader.records() {
        let record = record.map_err(malformed)?;
        let row = record.position().map_or(0, csv::Position::line);
        let cell = |index: usize| record.get(index).unwrap_or_default();
        if record.iter().any(|cell| !cell.trim().is_empty()) {
            entries.push("row", row, cell(question), cell(answer))?;
        }
    }
    Ok(entries.finish())
}

/// One JSON object a line.
pub(super) fn read_jsonl(text: &str) -> Result<Content, Unreadable> {
    let mut entries = Entries::default();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let entry: Value =
            serde_json::from_str(line).map_err(|_| Unreadable::Entry(format!("line {number} is no JSON object")))?;
        let Value::Object(entry) = entry else {
            return Err(Unreadable::Entry(format!("line {number} is no JSON object")));
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
        Content { title: None, sections: self.0, layout: Layout::Entries }
    }
}
