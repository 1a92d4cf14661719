//! The questions of an evaluation: one JSON object per line.

use std::path::Path;

use serde::Deserialize;

/// A question with the location of its answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Question {
    /// What a visitor asks.
    pub question: String,
    /// The earlier questions of the same conversation, oldest first.
    #[serde(default)]
    pub history: Vec<String>,
    /// The group it is counted in, for example `paraphrase`.
    #[serde(default = "any_kind")]
    pub kind: String,
    /// The end of the path of the document that answers it; absent when nothing does.
    #[serde(default)]
    pub document: Option<String>,
    /// Further documents that answer it as well: the end of the path of each.
    #[serde(default)]
    pub documents: Vec<String>,
    /// Whether the chatbot should ask back: the question is not clear enough for an answer, so that a sure one is wrong.
    #[serde(default)]
    pub ask_back: bool,
    /// Words of the passage that answers it, or of its heading.
    #[serde(default)]
    pub passage: Option<String>,
    /// Words that the text of the answer must have, all of them. Without `passage` they also name the passage.
    #[serde(default)]
    pub words: Vec<String>,
    /// The half of a development set that it belongs to.
    #[serde(default)]
    pub half: Option<Half>,
}

/// A half of a development set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Half {
    /// Weights are chosen on it.
    A,
    /// Figures are reported on it.
    B,
}

impl Half {
    /// Its name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
        }
    }
}

fn any_kind() -> String {
    "question".to_owned()
}

/// Why a file of questions cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum QuestionsError {
    /// The file could not be read.
    #[error("{0} cannot be read: {1}")]
    Io(String, std::io::Error),
    /// A line is not a question.
    #[error("line {0}: {1}")]
    Line(usize, String),
    /// There is no question in it.
    #[error("the file has no questions")]
    Empty,
}

impl Question {
    /// Whether something answers it.
    pub fn is_answerable(&self) -> bool {
        let has_label = self.passage.is_some() || !self.words.is_empty();
        !self.ask_back && (has_label || self.all_documents().next().is_some())
    }

    /// The documents that answer it.
    fn all_documents(&self) -> impl Iterator<Item = &str> {
        self.document.iter().chain(&self.documents).map(String::as_str)
    }

    /// The question for a chatbot that knows one folder only. It is unanswerable when it is about another document, and
    /// left out when it needs its conversation.
    pub fn about(self, folder: &str) -> Option<Self> {
        match self.document.as_deref().and_then(|document| document.strip_prefix(folder)) {
            Some(document) => Some(Self { document: Some(document.to_owned()), ..self }),
            None if !self.history.is_empty() => None,
            None if self.is_answerable() => {
                let Self { question, history, half, .. } = self;
                Some(Self { question, history, half, kind: "foreign".into(), ..Self::default() })
            }
            None => Some(self),
        }
    }

    /// Whether a passage (with its headings) of the document at `path` answers it.
    pub fn is_answered_by(&self, path: &str, passage: &str) -> bool {
        let is_anywhere = self.all_documents().next().is_none();
        let is_of_document = is_anywhere || self.all_documents().any(|document| path.ends_with(document));
        let is_passage = || match &self.passage {
            Some(words) => plain(passage).contains(&plain(words)),
            None => self.has_words(passage),
        };
        self.is_answerable() && is_of_document && is_passage()
    }

    /// Whether a text has all the words that the answer must have.
    pub fn has_words(&self, text: &str) -> bool {
        let text = plain(text);
        self.words.iter().all(|words| text.contains(&plain(words)))
    }
}

/// Lower case, quotation marks and backticks away, every white space one space.
pub fn plain(text: &str) -> String {
    let text: String = text.chars().filter(|c| !matches!(c, '`' | '"' | '\'' | '“' | '”' | '‘' | '’')).collect();
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads a file of questions; empty lines are skipped.
///
/// # Errors
/// When the file cannot be read, a line is not a question (with its number), or there is none.
pub fn read(path: &Path) -> Result<Vec<Question>, QuestionsError> {
    let text = std::fs::read_to_string(path).map_err(|error| QuestionsError::Io(path.display().to_string(), error))?;
    let mut questions = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let question: Question =
            serde_json::from_str(line).map_err(|error| QuestionsError::Line(number, error.to_string()))?;
        if question.question.trim().is_empty() {
            return Err(QuestionsError::Line(number, "the question is empty".to_owned()));
        }
        questions.push(question);
    }
    if questions.is_empty() { Err(QuestionsError::Empty) } else { Ok(questions) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_is_found_by_document_and_words_in_any_quotes() {
        let question: Question =
            serde_json::from_str(r#"{"question":"?","document":"a.html","passage":"What's in  POOL"}"#).unwrap();
        assert!(question.is_answered_by("docs/a.html", "6.10. What’s in pool directory?"));
        assert!(!question.is_answered_by("docs/b.html", "What's in pool"));
        let nothing: Question = serde_json::from_str(r#"{"question":"?"}"#).unwrap();
        assert!(!nothing.is_answered_by("a", "b") && !nothing.is_answerable());
    }

    #[test]
    fn questions_about_other_folders_have_no_answer() {
        let of = |line: &str| serde_json::from_str::<Question>(line).unwrap().about("clinic/");
        let own = of(r#"{"question":"?","history":["!"],"document":"clinic/stay.html","words":["tea"]}"#).unwrap();
        assert_eq!((own.document.as_deref(), own.words.len()), (Some("stay.html"), 1));
        let foreign = of(r#"{"question":"?","kind":"typo","document":"library/a.md","words":["tea"],"half":"a"}"#);
        let foreign = foreign.unwrap();
        assert_eq!((foreign.is_answerable(), &*foreign.kind, foreign.half), (false, "foreign", Some(Half::A)));
        assert_eq!(of(r#"{"question":"?","history":["!"],"document":"library/a.md"}"#), None);
        assert_eq!(of(r#"{"question":"?","kind":"near"}"#).unwrap().kind, "near");
    }

    #[test]
    fn words_name_the_passage_and_must_all_be_in_the_answer() {
        let line = r#"{"question":"?","document":"a.html","words":["Full service","£115"],"half":"b"}"#;
        let question: Question = serde_json::from_str(line).unwrap();
        assert_eq!(question.half, Some(Half::B));
        assert!(question.is_answered_by("a.html", "| full  service | £115 |"));
        assert!(!question.is_answered_by("a.html", "| Full service | £48 |"));
        assert!(question.has_words("A “Full service” costs £115."));
    }

    #[test]
    fn a_fifth_of_the_many_demo_questions_has_no_answer() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/eval/debian-faq.jsonl");
        let questions = read(&path).unwrap();
        let hopeless = questions.iter().filter(|question| !question.is_answerable()).count();
        assert!(questions.len() >= 60 && hopeless * 5 >= questions.len(), "{hopeless} of {}", questions.len());
    }

    #[test]
    fn several_documents_may_be_right() {
        let line = r#"{"question": "How long?", "document": "a.md", "documents": ["b.md", "c/d.md"]}"#;
        let question: Question = serde_json::from_str(line).unwrap();
        assert!(["x/a.md", "b.md", "c/d.md"].iter().all(|path| question.is_answered_by(path, "text")));
        assert!(!question.is_answered_by("d.md", "text") && question.is_answerable());
        let listed: Question = serde_json::from_str(r#"{"question": "How long?", "documents": ["b.md"]}"#).unwrap();
        assert!(listed.is_answerable() && listed.is_answered_by("b.md", "") && !listed.is_answered_by("a.md", ""));
    }

    #[test]
    fn a_question_to_ask_back_about_has_no_answer() {
        let line = r#"{"question": "And there?", "document": "a.md", "ask_back": true}"#;
        let question: Question = serde_json::from_str(line).unwrap();
        assert!(!question.is_answerable() && !question.is_answered_by("a.md", "text"));
    }
}
