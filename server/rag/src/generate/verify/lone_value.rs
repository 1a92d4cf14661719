//! Completes short answers: small models say "95 euros" or "At the desk." where a person would say what costs that much,
//! or what happens there, and "E5 means that it is too hot." where the row of a table also says what to do.

use super::{
    Unsupported, Verification, VerificationInput,
    evidence::Evidence,
    segments::{self, Segment},
};
use crate::{
    block::item_marker,
    generate::{
        language::{Language, words},
        units::{Kind, Unit, units},
        window::row_text,
    },
    retrieve::Candidate,
};

/// Maximum words of a lone value: when it begins with a number, and otherwise.
const LONGEST_NUMBER: usize = 8;
const LONGEST: usize = 6;
/// Maximum words of a value that its passage may say in another order or form; not for those that begin with a number.
const REORDERED: usize = 3;
/// Minimum words that make a sentence when a sentence of the passage begins with them, or is mostly made of them.
const CLAUSE: usize = 4;
/// Maximum words of a sentence that a row completes, minimum share of them in the row, minimum words that the row adds, and its
/// maximum length in bytes.
const SHORT: usize = 12;
const SHARED: f32 = 0.6;
const ADDED: usize = 4;
const COMPLETING: usize = 300;

impl Verification<'_> {
    /// Releases a number that waits alone, when a passage has a sentence with it. Another word needs a sentence with a word
    /// of the question, and must not be one itself. It must not deny what the sentence says, or the reverse: "Allowed." is
    /// not what "Dogs are not allowed." says.
    pub(super) fn release_value(&mut self) -> String {
        let VerificationInput { language, passages, .. } = self.input;
        let question = &self.judge.question;
        let [(_, value)] = self.answer.waiting.as_slice() else { return String::new() };
        let is_number = value.contains(|mark: char| mark.is_ascii_digit());
        let is_asked = |text: &str| language.stems(text).iter().any(|stem| question.has_stem(stem));
        let is_word = words(value).count() == 1 && !language.stems(value).is_empty() && !value.ends_with(':');
        let is_new = is_word && !is_asked(value);
        let has = |passage: &Candidate| {
            let around = context(value, question, &passage.content, language);
            let agrees = |around: &str| language.denies(around) == language.denies(value);
            around.is_some_and(|around| is_number || is_new && is_asked(&around) && agrees(&around))
        };
        let Some(index) = passages.iter().position(has) else { return String::new() };
        let (_, value) = self.answer.waiting.remove(0);
        self.counts.supported += 1;
        let segment = alone("", value);
        self.answer.accept(&segment, &segment.text, &[index])
    }

    /// The words around the answer in its passage, when the answer is a lone value, or the row of a table that says more, when
    /// the answer is one short sentence.
    pub(super) fn explain(&mut self) -> String {
        let VerificationInput { language, passages, unsupported, .. } = self.input;
        if unsupported == Unsupported::Off {
            return String::new();
        }
        let around = self.answer.only.take().zip(self.answer.citations.first()).and_then(|(value, cited)| {
            let passage = &passages[cited.source_index].content;
            let text = context(&value, &self.judge.question, passage, language)
                .or_else(|| completion(&value, &self.judge.question, passage, language))?;
            Some((text, cited.source_index))
        });
        let Some((text, index)) = around else { return String::new() };
        self.forget_block();
        let segment = alone("\n\n", text);
        self.answer.follow(&segment.lead);
        self.accept(&segment, &segment.text, &[index])
    }
}

/// A sentence on a line of its own.
fn alone(lead: &str, text: String) -> Segment {
    Segment { kind: segments::Kind::Sentence, lead: lead.to_owned(), text, is_line: true, is_whole: true }
}

/// The sentence, list item or row of a passage that contains these words, as a sentence, when they are a lone value; of
/// several, the one with most words of the question. `Yes` and `no` before the value do not count.
fn context(text: &str, question: &Evidence, passage: &str, language: &Language) -> Option<String> {
    let value: Vec<String> = words(text).collect();
    let value = match value.split_first() {
        Some((first, rest)) if language.is_yes_no(first) => rest,
        _ => value.as_slice(),
    };
    let is_number = value.first()?.starts_with(|mark: char| mark.is_ascii_digit());
    let longest = if is_number { LONGEST_NUMBER } else { LONGEST };
    if value.len() > longest {
        return None;
    }
    // An announcement says nothing without its list.
    let lines = lines_of(passage, |unit| !unit.announces);
    let (value, count) = (value.join(" "), value.len());
    let row = format!(" {value} ");
    if count >= CLAUSE && lines.iter().any(|line| self::row(line).starts_with(&row)) {
        return None;
    }
    let stems = language.stems(&value);
    let is_literal = |line: &str| {
        let line_row = self::row(line);
        let is_most = count >= CLAUSE && count * 2 > words(line).count();
        line_row.contains(&row) && line_row != row && !is_most
    };
    let has_stems = |line: &str| {
        let line_evidence = Evidence::new("", line, language);
        !stems.is_empty() && words(line).count() > count && stems.iter().all(|stem| line_evidence.has_stem(stem))
    };
    let nearest =
        |is_found: &dyn Fn(&str) -> bool| nearest(lines.iter().filter(|line| is_found(line)), question, language);
    let reordered = || if is_number || count <= REORDERED { nearest(&has_stems) } else { None };
    nearest(&is_literal).or_else(reordered).map(|line| as_sentence(line))
}

/// The row of a table that says what a short sentence says and more; of several, the one with most words of the question.
fn completion(text: &str, question: &Evidence, passage: &str, language: &Language) -> Option<String> {
    let value_stems = language.stems(text);
    if value_stems.len() < 2 || words(text).count() > SHORT {
        return None;
    }
    let says_more = |line: &String| {
        let stems = language.stems(line);
        let line_evidence = Evidence::new("", line, language);
        let shared = value_stems.iter().filter(|stem| line_evidence.has_stem(stem)).count();
        line.len() <= COMPLETING && shared as f32 >= SHARED * value_stems.len() as f32 && stems.len() >= shared + ADDED
    };
    let rows: Vec<String> = lines_of(passage, |unit| unit.is_table()).into_iter().filter(says_more).collect();
    nearest(rows.iter(), question, language).map(|row| as_sentence(row))
}

/// The first of the lines with most words of the question.
fn nearest<'a>(
    lines: impl DoubleEndedIterator<Item = &'a String>,
    question: &Evidence,
    language: &Language,
) -> Option<&'a String> {
    let shared = |line: &&String| language.stems(line).iter().filter(|stem| question.has_stem(stem)).count();
    lines.rev().max_by_key(shared)
}

/// The lines of the units that count, without those with brackets, which would look like markers.
fn lines_of(passage: &str, counts: impl Fn(&Unit<'_>) -> bool) -> Vec<String> {
    let lines = units(passage).into_iter().filter(counts).flat_map(lines);
    lines.filter(|line| !line.contains('[')).collect()
}

/// A list item without its marker, because one item is not a list; a text without an end gets a full stop.
fn as_sentence(line: &str) -> String {
    let text = line[item_marker(line).unwrap_or_default()..].trim().trim_end_matches([',', ';']);
    let is_ended = text.trim_end_matches(['"', '\'', '”', '“', '»', ')']).ends_with(['.', '!', '?', '…']);
    let end = if is_ended { "" } else { "." };
    format!("{text}{end}")
}

/// The lines of a unit that are understandable alone.
fn lines(unit: Unit<'_>) -> Vec<String> {
    match unit.kind {
        Kind::Row => vec![row_text(&unit)],
        Kind::Whole | Kind::Heading => Vec::new(),
        Kind::Opening | Kind::Sentence | Kind::Item => vec![unit.text.trim().to_owned()],
    }
}

/// The words, each between spaces.
fn row(text: &str) -> String {
    format!(" {} ", words(text).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSAGE: &str = "## Prices\n\nChildren swim free of charge.\n\n| ticket | adults | children |\n|---|---|---|\n| Single | 5.00 euros \
                           | 3.00 euros |\n| Season | 95.00 euros | 55.00 euros |\n\n- The sauna costs 12 euros.\n- A towel costs 2 euros [1].";

    fn context_for(question: &str, text: &str) -> Option<String> {
        let english = Language::of("en");
        context(text, &Evidence::new("", question, english), PASSAGE, english)
    }

    #[test]
    fn a_value_gets_the_words_around_it() {
        let season = "**Season**: adults: 95.00 euros; children: 55.00 euros.";
        let free = Some("Children swim free of charge.");
        assert_eq!(context_for("What does a season ticket cost?", "95.00 euros.").as_deref(), Some(season));
        assert_eq!(context_for("And the sauna?", "12 euros").as_deref(), Some("The sauna costs 12 euros."));
        assert_eq!(context_for("Who need not pay?", "Children").as_deref(), free);
        assert_eq!(context_for("What about children?", "Children.").as_deref(), free, "a word of the question");
        assert_eq!(context_for("Do children pay?", "No, free of charge.").as_deref(), free);
        assert_eq!(context_for("Do children pay?", "Free for children.").as_deref(), free, "another order");
    }

    #[test]
    fn the_context_is_the_sentence_with_words_of_the_question() {
        let english = Language::of("en");
        let passage = "A towel costs 2 euros. A locker costs 2 euros a day. Lost keys cost 9 euros.";
        let question = Evidence::new("", "And a locker?", english);
        let context = context("2 euros", &question, passage, english);
        assert_eq!(context.as_deref(), Some("A locker costs 2 euros a day."));
    }

    #[test]
    fn an_announcement_explains_nothing() {
        let english = Language::of("en");
        let question = Evidence::new("", "What does a ticket cost?", english);
        let passage = "A ticket costs 5 euros for\n\n- children\n- students";
        assert_eq!(context("5 euros", &question, passage, english), None);
    }

    #[test]
    fn a_short_sentence_gets_the_row_that_says_more() {
        let english = Language::of("en");
        let passage = "| code | meaning | what to do |\n|---|---|---|\n| E5 | Too hot | Switch off and wait for thirty minutes |\n\nThe lamp is red. A key is kept at the desk, and the desk is in the hall.";
        let of = |text: &str| completion(text, &Evidence::new("", "What does E5 mean?", english), passage, english);
        let row = "**E5**: meaning: Too hot; what to do: Switch off and wait for thirty minutes.";
        assert_eq!(of("E5 means \"Too hot\".").as_deref(), Some(row));
        assert_eq!(of("The lamp is red."), None, "nothing more");
        assert_eq!(of("The key is at the desk."), None, "hardly more");
        assert_eq!(of("E5."), None, "a value");
        let long = "E5 means that it is too hot, and then you switch off and wait for half an hour.";
        assert_eq!(of(long), None);
    }

    #[test]
    fn sentences_stay_as_they_are() {
        assert_eq!(context_for("What does the sauna cost?", "The sauna costs 12 euros."), None);
        assert_eq!(
            context_for("What does the sauna cost?", "The sauna costs 12."),
            None,
            "the beginning of a sentence"
        );
        assert_eq!(context_for("Who need not pay?", "Children swim free of charge."), None);
        assert_eq!(context_for("Who need not pay?", "They swim free of charge."), None);
        assert_eq!(context_for("May we swim?", "Swim free of charge."), None, "most of a sentence");
        assert_eq!(context_for("What does it cost?", "2 euros"), None, "a bracket of the document");
        assert_eq!(context_for("May I swim?", "Yes."), None);
    }
}
