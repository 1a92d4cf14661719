//! Whether an answer has the price that a question asks for: an amount of money next to what should cost it.

use super::{
    super::{
        Answer,
        asked::without_rate,
        language::Language,
        units::{Kind, Unit, units},
        weights::Weights,
    },
    innermost,
};
use crate::{price, retrieve::Candidate};

/// Minimum share of the question's words, by their rarity, that stand with an amount. Of the everyday sets, 12 of 14 wrong
/// prices have less, and 4 of 70 right ones.
const WITH_AMOUNT: f32 = 0.5;
/// Maximum bytes of a sentence that is the label of the next one: "Relaxed screenings."
const LABEL: usize = 30;

/// Whether a question asks for a price, and no sentence, item or row of the answer has an amount and says what it is for:
/// where a minibus and a car park are mentioned, the fee of the car park is not the fare of the minibus. Headings and what a
/// pronoun refers to count. A prepared answer always has its price. Words of two languages are not compared. `language` is
/// the chatbot's, `passages` are those that were found.
pub fn lacks_price(question: &str, language: &str, answer: &Answer, passages: &[Candidate]) -> bool {
    let first = answer.sources.first();
    let heading = first.map_or("", |source| innermost(&source.heading));
    let is_prepared = first.is_some_and(|source| source.prepared);
    if !price::is_asked(question) || is_prepared || price::is_given(heading) {
        return false;
    }
    if !price::is_given(&format!("{heading}\n{}", answer.text)) {
        return true;
    }
    named_with_amount(question, language, answer, passages).is_some_and(|share| share < WITH_AMOUNT)
}

/// Whether a question asks for a price, and a sentence, item or row of the answer has an amount and all of the question's words:
/// then it is the answer, however unlike the rest of its passage is. The arguments are those of [`lacks_price`].
pub fn has_price(question: &str, language: &str, answer: &Answer, passages: &[Candidate]) -> bool {
    let has_all = || named_with_amount(question, language, answer, passages).is_some_and(|share| share > 0.999);
    price::is_asked(question) && has_all()
}

/// The largest share of the question's words, by their rarity, that stands with an amount; `None` when words cannot be compared.
fn named_with_amount(question: &str, language: &str, answer: &Answer, passages: &[Candidate]) -> Option<f32> {
    let question_language = Language::of_question(question, language);
    let is_foreign = Language::of_text(&answer.text).is_some_and(|written| written.code != question_language.code);
    let subject = price::subject(&without_rate(question, question_language.code));
    let weights = Weights::new(&subject, passages.iter().map(|passage| passage.content.as_str()));
    if is_foreign || weights.is_empty() {
        return None;
    }
    let headings = answer.sources.iter().map(|source| format!("{} {}", source.title, source.heading));
    let headings = headings.collect::<Vec<_>>().join("\n");
    let heading = answer.sources.first().map_or("", |source| innermost(&source.heading));
    let units = units(&answer.text);
    // Below "Prices", a number is an amount.
    let priced = (0..units.len()).filter(|at| price::is_given(&format!("{heading}\n{}", units[*at].text)));
    let shares = priced.map(|at| {
        let text = format!("{headings}\n{}\n{}", context(&units, at, question_language.code), units[at].text);
        weights.share_with_compounds(&text)
    });
    Some(shares.fold(0.0, f32::max))
}

/// The unit that says what another one is about: the sentence before a pronoun, a label, or what introduces a list. In
/// languages whose pronouns are not known, any sentence before.
fn context<'a>(units: &[Unit<'a>], at: usize, language: &str) -> &'a str {
    let is_listed = |unit: &Unit<'_>| matches!(unit.kind, Kind::Item | Kind::Row);
    let has_pronouns = matches!(language, "en" | "de");
    let mut before = units[..at].iter().rev();
    let previous = match is_listed(&units[at]) {
        true => before.find(|unit| !is_listed(unit)),
        false => before.next().filter(|unit| !has_pronouns || units[at].refers_back() || unit.text.len() <= LABEL),
    };
    previous.map_or("", |unit| unit.text)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const PARKING: &str = "There is room for 26 cars on the ship. Most visitors do without: a minibus meets every boat. \
        The car park at the quay costs £7 for 24 hours. A trailer needs a place of its own. It costs twice as much, £14.";
    const LIST: &str = "**Extras**\n\nFor the cabins:\n\n- **Bedding**: Price: £6\n- **Towels**: Price: £3\n";
    const INSURANCE: &str = "Für wertvollen Hausrat vermitteln wir eine Transportversicherung; sie kostet 3 € je 1.000 €. \
        Kartons gibt es gebraucht. Sie kosten 1,20 €.";

    fn lacks(question: &str, language: &str, heading: &str, text: &str) -> bool {
        let source = Candidate::new(Uuid::nil(), "Guide", heading, text);
        let answer =
            Answer { text: text.into(), sources: vec![source.clone()], texts: vec![text.into()], ..Answer::default() };
        lacks_price(question, language, &answer, &[source])
    }

    #[test]
    fn an_amount_must_stand_with_what_it_is_for() {
        for (question, text, expected) in [
            ("What does the car park cost?", PARKING, false),
            ("What does the minibus cost?", PARKING, true),
            ("How much does a trailer cost?", PARKING, false),
            ("What does a ferret cost?", PARKING, true),
            ("What does bedding for the cabins cost?", LIST, false),
            ("What does a kettle for the cabins cost?", LIST, true),
            ("How much is it?", PARKING, false),
            ("What does a trailer cost per day?", PARKING, false),
            ("What does a large locker cost per 24 hours?", PARKING, true),
            ("Where is the car park?", "At the quay.", false),
            ("What does the car park cost?", "The car park is at the quay.", true),
        ] {
            assert_eq!(lacks(question, "en", "", text), expected, "{question}");
        }
        for (question, expected) in [
            ("Was kostet die Transportversicherung?", false),
            ("Was kostet die Versicherung?", false),
            ("Was kosten gebrauchte Kartons?", false),
            ("Was kostet ein Skipass?", true),
            ("Was kostet der Umzug?", true),
        ] {
            assert_eq!(lacks(question, "de", "", INSURANCE), expected, "{question}");
        }
    }

    #[test]
    fn an_amount_with_all_words_of_the_question_is_the_price() {
        let list = "- **Haircut**: Price: 25 €\n- **Dry haircut for children**: Price: 17 €";
        for (question, expected) in [
            ("What does a haircut cost?", true),
            ("How much is a haircut for children?", true),
            ("What does a haircut for dogs cost?", false),
            ("Do you offer a haircut?", false),
            ("How much is it?", false),
        ] {
            let source = Candidate::new(Uuid::nil(), "Prices", "", list);
            let (texts, sources) = (vec![list.to_owned()], vec![source.clone()]);
            let answer = Answer { text: list.into(), sources, texts, ..Answer::default() };
            assert_eq!(has_price(question, "en", &answer, &[source]), expected, "{question}");
        }
    }

    #[test]
    fn a_heading_says_what_a_price_is_for() {
        assert!(!lacks("How much is a wooden cabin?", "en", "Wooden cabins", "£62 a night."));
        assert!(lacks("How much is a wooden cabin?", "en", "Caravans", "£62 a night."));
        let prices = "For a day:\n\n- Adults: 12\n- Children: half";
        assert!(!lacks("How much must adults pay?", "en", "Prices", prices));
        assert!(lacks("How much must adults pay?", "en", "Tickets", prices));
    }

    #[test]
    fn words_of_another_language_are_not_compared() {
        assert!(!lacks("Was kostet der Parkplatz?", "de", "", PARKING));
        assert!(lacks(
            "Was kostet der Parkplatz?",
            "de",
            "",
            "You can leave your car here, and there is a bus to the quay."
        ));
    }
}
