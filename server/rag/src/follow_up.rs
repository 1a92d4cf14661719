//! Follow-up questions: "and how do I remove it?" is searched together with the question that says what "it" is.

use crate::{
    generate::language::Language,
    retrieve::{Calibration, Candidate, OwnWords, distinct_answers, merge},
};

/// A question with this many content words is never a follow-up.
const OWN: usize = 4;
/// Maximum earlier questions that are considered.
const EARLIER: usize = 3;

/// Minimum words of a question in capitals that is searched in lower case. A shorter one may consist of abbreviations.
const SHOUTED: usize = 3;

/// The words of a language that make a question a follow-up. Words that are also articles or impersonal, such as the
/// French `la` and `il`, are none.
struct Words {
    /// Pronouns that refer to something mentioned before, and demonstratives.
    pronouns: &'static str,
    /// Words that begin a question which continues another one.
    links: &'static str,
    /// The same as phrases.
    phrases: &'static [&'static str],
    /// Pronouns that refer to something at the end of a question only.
    last: &'static [&'static str],
}

/// English and German. German "Sie" with a capital addresses the visitor.
static ENGLISH_AND_GERMAN: Words = Words {
    pronouns: "it its they them their theirs he him his she her hers this these those one ones same else instead \
        er sie ihn ihm ihnen ihre ihren es dies diese diesen dieser dieses diesem derselbe dieselbe dasselbe dieselben denselben \
        demselben davon damit dafür dazu darüber daran darauf dabei dagegen danach davor darin daraus dahin dort deren dessen \
        stattdessen",
    links: "and or but so also then und oder aber also auch dann",
    phrases: &["what about", "how about", "what if", "was ist mit", "wie ist es mit", "wie sieht es mit"],
    last: &["that", "das"],
};

/// The languages with words of their own.
static OTHERS: [(&str, Words); 5] = [
    (
        "es",
        Words {
            pronouns: "él ella ellos ellas ello eso esto ese esa esos esas aquello lo mismo misma mismos mismas allí ahí",
            links: "y e o pero entonces también además",
            phrases: &["qué hay de", "qué pasa con", "qué tal"],
            last: &["este", "esta", "estos", "estas"],
        },
    ),
    (
        "fr",
        Words {
            pronouns: "ça cela ceci celui celle ceux celles eux cet cette ces même mêmes lui dedans dessus",
            links: "et mais alors donc aussi ensuite sinon",
            phrases: &["qu'en est il", "qu'en est-il"],
            last: &["il", "elle", "ils", "elles", "là"],
        },
    ),
    (
        "it",
        Words {
            pronouns: "ciò esso essa essi esse questo questa questi queste quello quella quelli quelle stesso stessa stessi stesse \
                lì",
            links: "e ed o ma anche allora quindi poi oppure",
            phrases: &["che ne è di", "che mi dice di"],
            last: &["lui", "loro"],
        },
    ),
    (
        "nl",
        Words {
            pronouns: "hem haar hen hun ze deze dit die hetzelfde dezelfde ervan erop erin ermee eraan erbij ervoor daarvan daarop \
                daarin daarmee daaraan daarbij daarvoor daarna hiervan hiermee",
            links: "en of maar ook dan dus",
            phrases: &["hoe zit het met", "wat als"],
            last: &["dat", "het"],
        },
    ),
    (
        "pt",
        Words {
            pronouns: "ele ela eles elas isso isto aquilo esse essa esses essas dele dela deles delas nele nela neles nelas disso \
                disto nisso nisto mesmo mesma mesmos mesmas lá",
            links: "e mas ou também então depois",
            phrases: &["e quanto", "que tal"],
            last: &["este", "esta", "estes", "estas"],
        },
    ),
];

/// The search texts of a question: the question and, when it is a follow-up, the question combined with the earlier
/// ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    texts: Vec<String>,
    /// Whether the question itself has content words.
    has_own_words: bool,
}

impl Search {
    /// `earlier` are questions of the same conversation, oldest first; `language` is the chatbot's code, which counts when
    /// the words of a question do not clearly identify another one.
    pub fn new(question: &str, earlier: &[&str], language: &str) -> Self {
        let question = in_lower_case_when_shouted(question);
        let mut parts = vec![question.clone()];
        for before in earlier.iter().rev().take(EARLIER) {
            if !is_follow_up(&parts[parts.len() - 1], language) {
                break;
            }
            parts.push(in_lower_case_when_shouted(before));
        }
        let includes_previous = parts.len() > 1;
        parts.reverse();
        let combined = includes_previous.then(|| parts.join(" "));
        let has_own_words = !Language::of_question(&question, language).content_words(&question).is_empty();
        Self { texts: [question].into_iter().chain(combined).collect(), has_own_words }
    }

    /// The search for the question without the earlier ones.
    #[must_use]
    pub fn alone(&self) -> Self {
        Self { texts: self.texts.iter().take(1).cloned().collect(), ..*self }
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
        let text = if self.has_own_words { self.texts.first() } else { self.texts.last() };
        text.map_or("", String::as_str)
    }

    /// The question with the earlier ones that it needs, for a reader who does not know the conversation.
    pub fn combined_query(&self) -> &str {
        self.texts.last().map_or("", String::as_str)
    }

    /// The best `k` of the results for each text, as [`crate::retrieve::rank`] returns them, each prepared answer once. Two
    /// results are ordered by the sum of both scores, of the best `k` of each. The score of the combined question counts
    /// twice. `has_unfamiliar_words` says whether hardly any passage has one of the question's content words.
    pub fn fuse(
        &self,
        mut results: Vec<Vec<Candidate>>,
        has_unfamiliar_words: bool,
        calibration: &Calibration,
        k: usize,
    ) -> Vec<Candidate> {
        let combined = if results.len() > 1 { results.pop() } else { None };
        let alone = results.pop().unwrap_or_default();
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
        match self.has_own_words {
            false => OwnWords::None,
            true if has_unfamiliar => OwnWords::Unfamiliar,
            true => OwnWords::Familiar,
        }
    }
}

/// The question in lower case if it is written in capitals, in which models know few words. `ß` hardly has a capital.
fn in_lower_case_when_shouted(question: &str) -> String {
    let words = question.split_whitespace().filter(|word| word.contains(char::is_alphabetic));
    let is_small = |letter: char| letter.is_lowercase() && letter != 'ß';
    match words.count() >= SHOUTED && !question.contains(is_small) {
        true => question.to_lowercase(),
        false => question.to_owned(),
    }
}

/// Whether a question depends on the one before: it has no content word, or few of them and an anaphor. `language` is as
/// in [`Search::new`].
pub fn is_follow_up(question: &str, language: &str) -> bool {
    let language = Language::of_question(question, language);
    let words = OTHERS.iter().find(|(code, _)| *code == language.code).map_or(&ENGLISH_AND_GERMAN, |(_, words)| words);
    let own = language.content_words(question).len();
    own == 0 || own < OWN && (begins_with_link(question, words) || has_anaphora(question, words))
}

fn begins_with_link(question: &str, words: &Words) -> bool {
    let plain =
        question.trim_start_matches(|mark: char| !mark.is_alphanumeric()).to_lowercase().replace('\u{2019}', "'");
    let first = plain.split(|mark: char| !mark.is_alphanumeric()).next().unwrap_or_default();
    // In Italian, "E'" is written for "È".
    let is_word = !plain[first.len()..].starts_with('\'');
    is_word && words.links.split(' ').any(|link| link == first)
        || words.phrases.iter().any(|phrase| plain.starts_with(phrase))
}

fn has_anaphora(question: &str, language_words: &Words) -> bool {
    let words: Vec<&str> =
        question.split(|mark: char| !mark.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let before = |at: usize| at.checked_sub(1).and_then(|at| words.get(at)).copied().unwrap_or_default();
    let points = |(at, word): (usize, &&str)| match *word {
        "Sie" | "Ihre" | "Ihren" | "Ihnen" => false,
        // The "es" of "Gibt es ...?" refers to nothing.
        "es" if before(at).eq_ignore_ascii_case("gibt") => false,
        "das" if language_words.last.contains(word) && !is_article(&words[at + 1..]) => is_in_title_case(question),
        _ => language_words.pronouns.split(' ').any(|pronoun| pronoun == word.to_lowercase()),
    };
    words.iter().enumerate().any(points) || words.last().is_some_and(|last| language_words.last.contains(last))
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
    use uuid::Uuid;

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
            assert!(is_follow_up(question, "en"), "{question}");
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
            assert!(!is_follow_up(question, "en"), "{question}");
        }
    }

    #[test]
    fn each_language_has_its_own_words_for_a_follow_up() {
        for (language, question, expected) in [
            ("fr", "Pourquoi ?", true),
            ("fr", "Et un DVD ?", true),
            ("fr", "Combien ça coûte ?", true),
            ("fr", "Combien coûte-t-il ?", true),
            ("fr", "Qu\u{2019}en est-il des enfants ?", true),
            ("fr", "Y a-t-il un sauna ?", false),
            ("fr", "Puis-je payer par carte ?", false),
            ("fr", "Quand la piscine est-elle fermée ?", false),
            ("es", "¿Y el estándar?", true),
            ("es", "¿Cuánto cuesta eso?", true),
            ("es", "¿Cuál es el horario?", false),
            ("es", "¿Está abierto el museo?", false),
            ("it", "E con l'abbonamento mensile?", true),
            ("it", "Quanto costa quello?", true),
            ("it", "E' possibile pagare?", false),
            ("it", "Dove si trova la palestra?", false),
            ("nl", "En een jaarabonnement?", true),
            ("nl", "Wat kost het?", true),
            ("nl", "Is er een werkplaats?", false),
            ("nl", "Waar staat het gebouw?", false),
            ("pt", "E o metropolitano?", true),
            ("pt", "Quanto custa isso?", true),
            ("pt", "Qual é o horário das visitas?", false),
            ("fr", "And how do I remove it?", true),
            ("fr", "Why?", true),
        ] {
            assert_eq!(is_follow_up(question, language), expected, "{language} {question}");
        }
    }

    #[test]
    fn a_question_in_capitals_is_searched_in_lower_case() {
        for (question, expected) in [
            ("QUANTO COSTA LA PALESTRA?", "quanto costa la palestra?"),
            ("À QUELLE HEURE ?", "à quelle heure ?"),
            ("WIE GROß IST DIE HALLE?", "wie groß ist die halle?"),
            ("USB C?", "USB C?"),
            ("What is a USB hub?", "What is a USB hub?"),
            ("12 34 56", "12 34 56"),
        ] {
            assert_eq!(Search::new(question, &[], "fr").texts(), [expected]);
        }
    }

    #[test]
    fn a_search_alone_leaves_out_the_conversation() {
        let search = Search::new("Why?", &["How do I install a package?"], "en");
        assert_eq!(search.alone().texts(), ["Why?"]);
    }

    #[test]
    fn a_chain_of_follow_ups_goes_back_to_the_question_that_stands() {
        let earlier = ["Where is the shop?", "How do I install a package?", "And how do I update it?"];
        let search = Search::new("Can I undo that?", &earlier, "en");
        let whole = "How do I install a package? And how do I update it? Can I undo that?";
        assert_eq!(search.texts(), ["Can I undo that?", whole]);
        assert_eq!(search.answer_query(), "Can I undo that?");
        assert_eq!(Search::new("Why?", &earlier[1..2], "en").answer_query(), "How do I install a package? Why?");
        assert_eq!(Search::new("What is a codename?", &earlier, "en").texts(), ["What is a codename?"]);
        assert_eq!(Search::new("And why?", &[], "en").texts(), ["And why?"]);
    }

    #[test]
    fn phrasings_of_one_answer_leave_places_for_others() {
        let calibration = Calibration::of("all-minilm-l6-v2", 0.45);
        let candidate = |id: u128, cosine: f32, content: &str| Candidate {
            prepared: content == "At nine.",
            cosine,
            ..Candidate::new(Uuid::from_u128(id), "Shop", "", content)
        };
        let ids =
            |candidates: Vec<Candidate>| candidates.iter().map(|candidate| candidate.id.as_u128()).collect::<Vec<_>>();
        let phrasings = |first: u128| [first, first + 1].map(|id| candidate(id, 0.8, "At nine."));
        let nearest = [phrasings(1).to_vec(), vec![candidate(5, 0.6, "Until six.")]].concat();
        let ranked = rank(&nearest, &phrasings(3), &calibration);
        let alone = Search::new("When does the shop open?", &[], "en");
        assert_eq!(ids(alone.fuse(vec![ranked], false, &calibration, 2)), [1, 5]);
        let follow_up = Search::new("And why?", &["When does the shop open?"], "en");
        let results = vec![phrasings(1).to_vec(), vec![candidate(1, 0.8, "At nine."), candidate(5, 0.6, "Until six.")]];
        assert_eq!(ids(follow_up.fuse(results, false, &calibration, 2)), [1, 5]);
    }

    #[test]
    fn a_vector_keeps_its_length() {
        let search = Search::new("And why?", &["What is a package?"], "en");
        assert_eq!(search.vector(&[vec![1.0, 0.0], vec![0.0, 1.0]]), [0.5_f32.sqrt(), 0.5_f32.sqrt()]);
        assert_eq!(search.vector(&[vec![1.0, 0.0]]), [1.0, 0.0]);
    }
}
