//! Follow-up questions: "and how do I remove it?" is searched together with the question that says what "it" is.

use std::hash::Hash;

use crate::{
    retrieve::{Calibration, Candidate, OwnWords, distinct_answers, merge},
    terms::terms,
};

/// A question with this many content words is never a follow-up.
const OWN: usize = 4;
/// Maximum earlier questions that are considered.
const EARLIER: usize = 3;

/// Pronouns that refer to something mentioned before. German "Sie" with a capital addresses the visitor.
const PRONOUNS: &str = "it its they them their theirs he him his she her hers this these those one ones same else instead \
er sie ihn ihm ihnen ihre ihren es dies diese diesen dieser dieses diesem derselbe dieselbe dasselbe dieselben denselben demselben \
davon damit dafür dazu darüber daran darauf dabei dagegen danach davor darin daraus dahin dort deren dessen stattdessen";
/// Words that begin a question which continues another one.
const LINKS: &str = "and or but so also then und oder aber also auch dann";
/// The same as phrases.
const PHRASES: [&str; 6] = ["what about", "how about", "what if", "was ist mit", "wie ist es mit", "wie sieht es mit"];

/// The search texts of a question: the question and, when it is a follow-up, the question combined with the earlier
/// ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    texts: Vec<String>,
}

impl Search {
    /// `earlier` are questions of the same conversation, oldest first.
    pub fn new(question: &str, earlier: &[&str]) -> Self {
        let mut parts = vec![question];
        for before in earlier.iter().rev().take(EARLIER) {
            if !is_follow_up(parts[parts.len() - 1]) {
                break;
            }
            parts.push(before);
        }
        let includes_previous = parts.len() > 1;
        parts.reverse();
        let combined = includes_previous.then(|| parts.join(" "));
        Self { texts: [question.to_owned()].into_iter().chain(combined).collect() }
    }

    /// The one or two texts to embed and to search for: the question, and the question combined with the earlier ones.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The question's vector, from the vectors of [`Search::texts`].
    pub fn vector(&self, vectors: &[Vec<f32>]) -> Vec<f32> {
        let Some((first, rest)) = vectors.split_first() else { return Vec::new() };
        let sum = rest.iter().fold(first.clone(), |sum, vector| sum.iter().zip(vector).map(|(a, b)| a + b).collect());
        let norm = sum.iter().map(|number| number * number).sum::<f32>().sqrt();
        sum.iter().map(|number| number / norm.max(f32::MIN_POSITIVE)).collect()
    }

    /// The text whose words an answer must contain: the question, unless it has no content word.
    pub fn answer_query(&self) -> &str {
        let has_words = |text: &&String| !terms(text).is_empty();
        self.texts.iter().find(has_words).or(self.texts.last()).map_or("", String::as_str)
    }

    /// The question with the earlier ones that it needs, for a reader who does not know the conversation.
    pub fn combined_query(&self) -> &str {
        self.texts.last().map_or("", String::as_str)
    }

    /// The best `k` of the results for each text, as [`crate::retrieve::rank`] returns them, each prepared answer once. Two
    /// results are ordered by the sum of both scores, of the best `k` of each. The score of the combined question counts
    /// twice. `has_unfamiliar_words` says whether hardly any passage has one of the question's content words.
    pub fn fuse<I: Eq + Hash + Clone>(
        &self,
        mut found: Vec<Vec<Candidate<I>>>,
        has_unfamiliar_words: bool,
        calibration: &Calibration,
        k: usize,
    ) -> Vec<Candidate<I>> {
        let combined = if found.len() > 1 { found.pop() } else { None };
        let alone = found.pop().unwrap_or_default();
        let ranked = match &combined {
            Some(combined) => {
                let [alone, combined] = [&alone, combined].map(|ranked| &ranked[..ranked.len().min(k)]);
                merge(alone, combined, self.own_words(has_unfamiliar_words), calibration)
            }
            None => alone,
        };
        // Before the cut: a phrasing of an answer must not take the place of another one.
        distinct_answers(ranked, k)
    }

    fn own_words(&self, has_unfamiliar: bool) -> OwnWords {
        match terms(&self.texts[0]).is_empty() {
            true => OwnWords::None,
            false if has_unfamiliar => OwnWords::Unfamiliar,
            false => OwnWords::Familiar,
        }
    }
}

/// Whether a question depends on the one before: it has no content word, or few of them and an anaphor. English and
/// German.
pub fn is_follow_up(question: &str) -> bool {
    let own = terms(question).len();
    own == 0 || own < OWN && (begins_with_link(question) || has_anaphora(question))
}

fn begins_with_link(question: &str) -> bool {
    let plain = question.trim_start().to_lowercase();
    let first = plain.split(|mark: char| !mark.is_alphanumeric()).next().unwrap_or_default();
    LINKS.split(' ').any(|link| link == first) || PHRASES.iter().any(|phrase| plain.starts_with(phrase))
}

fn has_anaphora(question: &str) -> bool {
    let words: Vec<&str> =
        question.split(|mark: char| !mark.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let before = |at: usize| at.checked_sub(1).and_then(|at| words.get(at)).copied().unwrap_or_default();
    let points = |(at, word): (usize, &&str)| match *word {
        "Sie" | "Ihre" | "Ihren" | "Ihnen" => false,
        // The "es" of "Gibt es ...?" refers to nothing.
        "es" => !before(at).eq_ignore_ascii_case("gibt"),
        "das" if !is_article(&words[at + 1..]) => is_in_title_case(question),
        _ => PRONOUNS.split(' ').any(|known| known == word.to_lowercase()),
    };
    words.iter().enumerate().any(points) || words.last().is_some_and(|last| matches!(*last, "that" | "das"))
}

/// Whether a German "das" is an article: the words behind it begin with its noun, perhaps after adjectives ("das neue
/// Buch", not "das machen").
fn is_article(words: &[&str]) -> bool {
    let mut words = words.iter().skip_while(|word| is_adjective(word));
    words.next().is_some_and(|word| word.starts_with(char::is_uppercase))
}

fn is_adjective(word: &str) -> bool {
    word.starts_with(char::is_lowercase) && ["e", "en", "er"].iter().any(|ending| word.ends_with(ending))
}

/// Whether a question uses capital letters. Only then is a word without one not a noun.
fn is_in_title_case(question: &str) -> bool {
    question.trim_start().starts_with(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieve::rank;

    #[test]
    fn questions_with_pronouns_or_without_content_are_follow_ups() {
        for question in [
            "And how do I remove it?",
            "Why?",
            "How long does it take?",
            "What about returns?",
            "Can I keep them?",
            "Is there a newer one?",
            "Why is that?",
            "Und wie entferne ich es?",
            "Was kostet das?",
            "Kann ich sie behalten?",
            "Was mache ich damit?",
            "Warum?",
            "Wie sieht es mit dem Versand aus?",
            "Wie oft muss ich das machen?",
            "Geht das auch über zwei Dateisysteme?",
            "Kann ich danach noch wechseln?",
        ] {
            assert!(is_follow_up(question), "{question}");
        }
    }

    #[test]
    fn questions_that_name_what_they_are_about_stand_by_themselves() {
        for question in [
            "What is Debian?",
            "How do I install a package?",
            "Is it possible to return a damaged parcel after thirty days?",
            "Gibt es Gutscheine?",
            "Können Sie mir das Rückgaberecht erklären?",
            "Versenden Sie ins Ausland?",
            "Wo ist das neue Büro?",
            "Wann öffnet das Schwimmbad?",
            "wo finde ich das formular?",
        ] {
            assert!(!is_follow_up(question), "{question}");
        }
    }

    #[test]
    fn a_chain_of_follow_ups_goes_back_to_the_question_that_stands() {
        let earlier = ["Where is the shop?", "How do I install a package?", "And how do I update it?"];
        let search = Search::new("Can I undo that?", &earlier);
        let whole = "How do I install a package? And how do I update it? Can I undo that?";
        assert_eq!(search.texts(), ["Can I undo that?", whole]);
        assert_eq!(search.answer_query(), "Can I undo that?");
        assert_eq!(Search::new("Why?", &earlier[1..2]).answer_query(), "How do I install a package? Why?");
        assert_eq!(Search::new("What is a codename?", &earlier).texts(), ["What is a codename?"]);
        assert_eq!(Search::new("And why?", &[]).texts(), ["And why?"]);
    }

    #[test]
    fn phrasings_of_one_answer_leave_places_for_others() {
        let calibration = Calibration::of("all-minilm-l6-v2", 0.45);
        let candidate = |id: u32, cosine: f32, content: &str| Candidate {
            id,
            title: "Shop".into(),
            heading: String::new(),
            content: content.into(),
            url: None,
            prepared: content == "At nine.",
            cosine,
            words: 0.0,
            coverage: 0.0,
            likeness: 0.0,
            lacks_own_words: false,
        };
        let ids = |found: Vec<Candidate<u32>>| found.iter().map(|known| known.id).collect::<Vec<_>>();
        let phrasings = |first: u32| [first, first + 1].map(|id| candidate(id, 0.8, "At nine."));
        let nearest = [phrasings(1).to_vec(), vec![candidate(5, 0.6, "Until six.")]].concat();
        let ranked = rank(&nearest, &phrasings(3), &calibration);
        let alone = Search::new("When does the shop open?", &[]);
        assert_eq!(ids(alone.fuse(vec![ranked], false, &calibration, 2)), [1, 5]);
        let follow_up = Search::new("And why?", &["When does the shop open?"]);
        let found = vec![phrasings(1).to_vec(), vec![candidate(1, 0.8, "At nine."), candidate(5, 0.6, "Until six.")]];
        assert_eq!(ids(follow_up.fuse(found, false, &calibration, 2)), [1, 5]);
    }

    #[test]
    fn a_vector_keeps_its_length() {
        let search = Search::new("And why?", &["What is a package?"]);
        assert_eq!(search.vector(&[vec![1.0, 0.0], vec![0.0, 1.0]]), [0.5_f32.sqrt(), 0.5_f32.sqrt()]);
        assert_eq!(search.vector(&[vec![1.0, 0.0]]), [1.0, 0.0]);
    }
}
