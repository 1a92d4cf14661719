//! Questions and answers in CSV or JSON lines: each entry is a section whose heading is the question.

use serde_json::Value;

use unicode_normalization::UnicodeNormalization;

use super::{Content, Layout, Omission, Omissions, Section, Unreadable, builder::Builder, charset, xlsx};

/// Names of the column or key with the question, and of the one with the answer, in the languages of the interface.
const QUESTION: &[&str] = &[
    "question",
    "questions",
    "q",
    "frage",
    "fragen",
    "pregunta",
    "preguntas",
    "domanda",
    "domande",
    "vraag",
    "vragen",
    "pergunta",
    "perguntas",
];
const ANSWER: &[&str] = &[
    "answer",
    "answers",
    "a",
    "antwort",
    "antworten",
    "réponse",
    "réponses",
    "reponse",
    "reponses",
    "respuesta",
    "respuestas",
    "risposta",
    "risposte",
    "antwoord",
    "antwoorden",
    "resposta",
    "respostas",
];
/// Names of the column with other phrasings of the question.
const VARIANTS: &[&str] =
    &["variants", "variant", "varianten", "variante", "variantes", "variaciones", "varianti", "variações"];
/// Separators of columns. Of several that are equally frequent, the last one counts.
const SEPARATORS: [char; 4] = [',', '|', ';', '\t'];

/// Reads a table of questions and answers, or any other table. The separator is the most frequent one in the header.
pub(super) fn read_csv(text: &str) -> Result<Content, Unreadable> {
    if !has_questions(text)? {
        return table_of_values(text);
    }
    let mut entries = Entries::default();
    for row in rows(text, false, usize::MAX)? {
        entries.push("row", row.line, &row.question, &row.answer)?;
    }
    Ok(entries.finish())
}

/// Whether the header has columns for questions and answers.
fn has_questions(text: &str) -> Result<bool, Unreadable> {
    let header = reader(text, true).headers().map_err(malformed)?.clone();
    Ok([QUESTION, ANSWER].iter().all(|names| header.iter().any(|name| is_one_of(name, names))))
}

/// A table of other columns, as a sheet.
fn table_of_values(text: &str) -> Result<Content, Unreadable> {
    let mut rows = Vec::new();
    let mut reader = reader(text, true);
    let header = reader.headers().map_err(malformed)?.clone();
    for record in std::iter::once(Ok(header)).chain(reader.records()) {
        rows.push(record.map_err(malformed)?.iter().map(|cell| cell.replace('\u{feff}', "")).collect());
    }
    let mut builder = Builder::default();
    let beyond = u32::try_from(xlsx::texts(&mut builder, rows)).unwrap_or(u32::MAX);
    let omissions = Omissions::from_iter((beyond > 0).then_some((Omission::BeyondMaximum, beyond)));
    Ok(Content { omissions, ..(None, builder.finish()).into() })
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
    rows(&charset::decode_table(bytes)?, true, most)
}

fn rows(text: &str, flexible: bool, most: usize) -> Result<Vec<Row>, Unreadable> {
    let mut reader = reader(text, flexible);
    let header = reader.headers().map_err(malformed)?.clone();
    let column = |names: &[&str]| header.iter().position(|name| is_one_of(name, names));
    let (Some(question), Some(answer)) = (column(QUESTION), column(ANSWER)) else {
        return Err(Unreadable::Entry("the table has no columns \"question\" and \"answer\"".to_owned()));
    };
    let variants = column(VARIANTS);
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(malformed)?;
        let line = record.position().map_or(0, |at| line_of(body(text).1, at)) + body(text).0;
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

/// The table without a first line that names the separator, as in `sep=;`, and how many lines that is.
fn body(text: &str) -> (u64, &str) {
    match text.trim_start_matches('\u{feff}').split_once('\n') {
        Some((first, rest)) if names_separator(first) => (1, rest),
        _ => (0, text),
    }
}

fn names_separator(line: &str) -> bool {
    let line = line.trim_end_matches('\r').trim_matches('"');
    line.get(..4).is_some_and(|name| name.eq_ignore_ascii_case("sep=")) && line[4..].chars().count() <= 2
}

fn reader(text: &str, flexible: bool) -> csv::Reader<&[u8]> {
    let explicit = text.trim_start_matches('\u{feff}').lines().next().filter(|_| body(text).0 > 0).and_then(|line| {
        let separator = line.trim_matches('"').chars().nth(4)?;
        separator.is_ascii().then_some(separator)
    });
    let text = body(text).1;
    let header = text.trim_start().lines().next().unwrap_or_default();
    let count = |separator: &char| {
        // Separators within quotes are none.
        header.split('"').step_by(2).map(|part| part.matches(*separator).count()).sum::<usize>()
    };
    let frequent = SEPARATORS.into_iter().filter(|separator| count(separator) > 0).max_by_key(count);
    let separator = explicit.or(frequent).unwrap_or(',') as u8;
    csv::ReaderBuilder::new().delimiter(separator).flexible(flexible).from_reader(text.as_bytes())
}

fn malformed(error: csv::Error) -> Unreadable {
    Unreadable::Malformed("CSV table", error.to_string())
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
    let name: String = name.trim().trim_start_matches('\u{feff}').trim_matches('"').to_lowercase().nfc().collect();
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
    fn columns_are_found_in_each_language_behind_each_separator() {
        for (text, expected) in [
            ("question;réponse\nQuand ?;À 9 heures.\n", "À 9 heures."),
            ("question;re\u{301}ponse\nQuand ?;À 9 heures.\n", "À 9 heures."),
            ("Pregunta|Respuesta\n¿Cuándo?|A las 9.\n", "A las 9."),
            ("Domanda\tRisposta\nQuando?\tAlle 9.\n", "Alle 9."),
            ("\"Vraag, kort\",x\n", ""),
            ("vraag,antwoord\nWanneer?,Om 9 uur.\n", "Om 9 uur."),
            ("pergunta;resposta\nQuando?;Às 9.\n", "Às 9."),
            ("\u{feff}\"sep=|\"\nquestion|answer\na, b; c|Now.\n", "Now."),
        ] {
            let rows = table(text.as_bytes(), 9).map(|rows| rows[0].answer.clone()).unwrap_or_default();
            assert_eq!(rows, expected, "{text}");
        }
    }

    #[test]
    fn a_table_without_questions_is_a_table() {
        let text = "Prices of the shop;;\nArticle;Size;Price\nVest;XL;89,90 €\nShackle;8 mm\n";
        let content = read_csv(text).unwrap();
        let expected = "Prices of the shop\n\n| Article | Size | Price |\n|---|---|---|\n| Vest | XL | 89,90 € |\n\
                        | Shackle | 8 mm |  |";
        assert_eq!((content.layout, content.sections[0].text.as_str()), (Layout::Text, expected));
    }

    #[test]
    fn a_table_keeps_its_lines_and_what_is_missing_or_too_much() {
        let text = "\u{feff}Frage;Antwort;Stand\r\n\"Wo\r\nist es?\";Hier.;x\r\n\r\nWann?\r\nWer?;a;b;c\r\n";
        let rows = table(text.as_bytes(), 9).unwrap();
        let fields: Vec<_> =
            rows.iter().map(|row| (row.line, row.question.as_str(), row.answer.as_str(), row.is_too_long)).collect();
        assert_eq!(
            fields,
            [(2, "Wo\nist es?", "Hier.", false), (5, "Wann?", "", false), (6, "Wer?", "a", true)],
            "{rows:?}"
        );
        assert_eq!(table(text.as_bytes(), 2).unwrap(), rows[..2]);
        let varied = table(b"question,variants,answer\nWhen?,\"a\nb\",Now.\n", 9).unwrap();
        assert_eq!((rows[0].variants.as_deref(), varied[0].variants.as_deref()), (None, Some("a\nb")));
        assert!(matches!(table(b"question,name\n", 9), Err(Unreadable::Entry(_))));
        let western = table(b"sep=;\r\nquestion;r\xe9ponse\r\nGr\xfc\xdfe;x\r\n", 9).unwrap();
        assert_eq!((western[0].question.as_str(), western[0].line), ("Grüße", 3));
        assert!(matches!(table(b"question,answer\nGr\xff\x01e,x\n", 9), Err(Unreadable::NotText("UTF-8"))));
    }
}
