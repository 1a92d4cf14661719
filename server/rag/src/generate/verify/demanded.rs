//! What an answer must have because the question asks for it: what it names, counts or compares, or the subject of a price.

use super::{Verification, VerificationInput, evidence::Evidence, measures::is_amount};
use crate::{
    generate::{Answer, asked, cited::in_order, language::Language, numbers::numbers},
    price,
    retrieve::Candidate,
};

/// What an answer must have: the question without amounts, which a model may compare with those of the passages. Empty if that is
/// nothing: an answer without a word decides it, too.
pub(super) fn demands(question: &str, language: &Language) -> String {
    let question = without_amounts(question);
    let is_demanding = !asked::is_decided(&question, language.code, &Answer::default(), &[]);
    if is_demanding { question } else { String::new() }
}

/// A question without amounts of time and money and times of day: "after 10 days" is answered by "within 30 days".
fn without_amounts(question: &str) -> String {
    let mut demanding = question.to_owned();
    let lower = question.to_lowercase();
    if lower.len() != question.len() {
        return demanding;
    }
    for number in numbers(question).into_iter().rev().filter(|number| is_amount(&lower, &number.at)) {
        // Not nothing: "nach Tagen" would name a town.
        demanding.replace_range(number.at, "…");
    }
    demanding
}

impl Verification<'_> {
    /// Whether an answer has what it must rest on, the price that is asked for, and what the question names.
    pub(super) fn is_complete(&self, text: &str) -> bool {
        let VerificationInput { question, .. } = self.input;
        let has_price = || price::is_stated(text, question) && self.names_subject(text);
        self.agreement.is_reached()
            && (!price::is_asked(question) || has_price())
            && (self.demands.is_empty() || self.decides(text))
    }

    /// Whether an answer has what the question names, in its words, the headings of its passages or the chatbot's names. The
    /// passages must have it, too: a model repeats the question.
    fn decides(&self, text: &str) -> bool {
        let VerificationInput { language, passages, names, .. } = self.input;
        let (citations, sources) = in_order(self.answer.citations.clone(), passages);
        let read = |source: &Candidate| format!("{} {}\n{}", source.title, source.heading, source.content);
        let cited: String = sources.iter().map(read).collect::<Vec<_>>().join("\n");
        let text = format!("{names}\n{text}");
        let answer = Answer { text, citations, sources, ..Answer::default() };
        asked::is_decided(&self.demands, language.code, &answer, passages)
            && asked::has_names(&self.demands, language.code, &format!("{names}\n{cited}"), passages)
    }

    /// Whether an answer to a question about a price mentions its subject, in its text or in the headings of its
    /// passages.
    fn names_subject(&self, text: &str) -> bool {
        let VerificationInput { language, passages, question, .. } = self.input;
        let cited = self.answer.citations.iter().map(|cited| &passages[cited.source_index]);
        let headings: Vec<&str> = cited.map(|passage| passage.heading.as_str()).collect();
        let answer = Evidence::new(&headings.join("\n"), text, language);
        let subject: Vec<String> =
            language.stems(question).into_iter().filter(|stem| !price::is_asking(stem)).collect();
        subject.is_empty() || subject.iter().any(|stem| answer.has_stem(stem))
    }
}
