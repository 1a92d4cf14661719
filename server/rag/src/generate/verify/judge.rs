//! Decides which passages support a sentence: by its words, and where they are not decisive, by its meaning.

use super::{
    evidence::{Evidence, Part, clauses, denied, lacked},
    facts,
    stems::{Stems, separated, stem},
};
use crate::{
    embed::{Embedder, Purpose, cosine},
    generate::language::{Language, words},
    query_words::GERMAN_PREFIXES,
};

/// Minimum share of a sentence's words that its passages must contain; rare words weigh more.
const SUPPORT: f32 = 0.6;
/// Minimum share of its words for which its meaning is compared.
const RELATED: f32 = 0.3;
/// Minimum cosine of a sentence and one of the passage that mean the same.
const SAME_MEANING: f32 = 0.72;
/// Maximum parts of a passage whose meaning is compared with a sentence: those with most of its words.
const COMPARED: usize = 12;
/// Minimum share of an announcement's words in passages and question.
const ANNOUNCED: f32 = 0.5;
/// How much larger the share of a contradicting part must be than that of any other part.
const OPPOSITE: f32 = 0.15;
/// Minimum share of words that a second passage must add to those of the first one.
const ADDS: f32 = 0.15;
/// Minimum share of a sentence's words in the passage of its marker, without verification.
const UNVERIFIED: f32 = 0.3;
/// Maximum words of a number with its unit, which contradicts nothing.
const VALUE: usize = 3;

/// The ruling on a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ruling {
    /// These passages support it.
    Supported(Vec<usize>),
    /// It says nothing by itself and is released with the next sentence.
    Glue,
    /// No passage supports it.
    Unsupported,
    /// It has a number, link, command or the like that no passage contains, or contradicts its passage.
    Invented,
    /// This passage may mean the same.
    Unsure(usize),
}

/// Judges sentences against passages.
#[derive(Debug)]
pub(super) struct Judge {
    pub(super) language: &'static Language,
    pub(super) passages: Vec<Evidence>,
    pub(super) question: Evidence,
    /// The names in the chatbot's settings, which an answer may use.
    pub(super) own: Evidence,
}

impl Judge {
    /// Rules on a sentence whose markers name the passages `named`.
    pub(super) fn sentence(&self, sentence: &str, indices: &[usize]) -> Ruling {
        let all: Vec<&Evidence> = self.passages.iter().collect();
        // Numbers are compared by their value below.
        let is_number = |stem: &str| stem.bytes().all(|byte| byte.is_ascii_digit());
        let is_written = |stem: &String| !is_number(stem) || all.iter().any(|passage| passage.has_stem(stem));
        let stems: Vec<String> = self.stems(sentence).into_iter().filter(is_written).collect();
        if stems.is_empty() || is_single(sentence) || self.is_bare(sentence, &stems) {
            return if facts::are_supported(sentence, self.language, &all, &self.question) {
                Ruling::Glue
            } else {
                Ruling::Invented
            };
        }
        if sentence.trim_end().ends_with(':') {
            return self.announcement(sentence, &stems, &all);
        }
        let mut invented = false;
        for (share, set) in self.sets(&stems, indices) {
            if share < SUPPORT {
                break;
            }
            let cited: Vec<&Evidence> = set.iter().map(|at| &self.passages[*at]).collect();
            if !self.has_subject(sentence, &cited) {
                continue;
            }
            if !facts::are_supported(sentence, self.language, &cited, &self.question)
                || self.is_opposite(sentence, &stems, &cited)
            {
                invented = true;
            } else if facts::are_names_known(sentence, self.language, &cited, &self.own) {
                return Ruling::Supported(set);
            }
        }
        if invented || !facts::are_supported(sentence, self.language, &all, &self.question) {
            return Ruling::Invented;
        }
        self.related(sentence, &stems, indices)
    }

    /// The stems of a sentence. A German verb is joined with the prefix at the end of its clause when a passage has the
    /// verb with this prefix or another one: who can "anmelden" need not be able to "abmelden".
    fn stems(&self, sentence: &str) -> Vec<String> {
        let mut stems = self.language.stems(sentence);
        let has = |verb: &str| self.passages.iter().any(|passage| passage.has_stem(&stem(verb)));
        for (verb, prefix) in separated(sentence, self.language) {
            let joined = format!("{prefix}{verb}");
            let is_verb = has(&joined) || GERMAN_PREFIXES.iter().any(|other| has(&format!("{other}{verb}")));
            let alone = stem(&verb);
            if is_verb && let Some(verb_stem) = stems.iter_mut().find(|verb_stem| **verb_stem == alone) {
                *verb_stem = stem(&joined);
            }
        }
        stems
    }

    /// Whether a sentence only says yes or no: "Yes, that is possible." A passage that has its other words counts.
    fn is_bare(&self, sentence: &str, stems: &[String]) -> bool {
        let mut words = words(sentence);
        let is_yes_no = words.next().is_some_and(|word| self.language.is_yes_no(&word));
        let rest = words.collect::<Vec<_>>().join(" ");
        is_yes_no && stems.len() < 2 && !self.passages.iter().any(|passage| passage.has_row(&rest))
    }

    /// Whether a sentence has nothing that a cited passage must contain: no number, link, command or the like.
    pub(super) fn needs_no_passage(&self, sentence: &str) -> bool {
        facts::are_supported(sentence, self.language, &[], &self.question)
    }

    /// Whether the passages contain the numbers, names and links of a table header.
    pub(super) fn is_header_supported(&self, row: &str) -> bool {
        let all: Vec<&Evidence> = self.passages.iter().collect();
        facts::are_supported(row, self.language, &all, &self.question)
    }

    /// The parts of these passages with most of a text's words, if it is enough to support the text: the indices of the
    /// passage and of the part in it.
    pub(super) fn nearest_parts(&self, text: &str, passages: &[usize]) -> Vec<(usize, usize)> {
        let stems = self.stems(text);
        let (mut best, mut nearest) = (SUPPORT, Vec::new());
        for passage in passages {
            for (at, part) in self.passages[*passage].parts.iter().enumerate() {
                let share = part.share(&stems, self.language);
                if share > best {
                    best = share;
                    nearest.clear();
                }
                if share >= best {
                    nearest.push((*passage, at));
                }
            }
        }
        nearest
    }

    /// The passages that a marker may refer to when nothing is verified.
    pub(super) fn unverified(&self, sentence: &str, indices: &[usize]) -> Vec<usize> {
        let weights = self.weights(&self.language.stems(sentence));
        indices.iter().copied().filter(|at| self.share(&weights, &[*at]) >= UNVERIFIED).collect()
    }

    /// Whether a part of the passage says the same in other words. If the embedder fails, nothing is supported.
    pub(super) async fn means_the_same(&self, sentence: &str, passage: usize, embedder: &dyn Embedder) -> bool {
        let (stems, denies) = (self.language.stems(sentence), self.denies(sentence));
        let agrees = |part: &&Part| part.denies == denies || self.is_excepted(sentence, &stems, part);
        let parts = self.passages[passage].parts.iter().filter(agrees);
        let mut parts: Vec<_> = parts.map(|part| (part.share(&stems, self.language), part.text.clone())).collect();
        parts.sort_by(|left, right| right.0.total_cmp(&left.0));
        let nearest = parts.into_iter().take(COMPARED).map(|(_, text)| text);
        let texts: Vec<String> = std::iter::once(sentence.to_owned()).chain(nearest).collect();
        let Ok(vectors) = embedder.embed(texts, Purpose::Document).await else { return false };
        vectors.split_first().is_some_and(|(own, others)| others.iter().any(|other| cosine(own, other) >= SAME_MEANING))
    }

    fn announcement(&self, sentence: &str, stems: &[String], all: &[&Evidence]) -> Ruling {
        let supported = stems
            .iter()
            .filter(|stem| self.question.has_stem(stem) || all.iter().any(|passage| passage.has_stem(stem)));
        let share = supported.count() as f32 / stems.len() as f32;
        match facts::are_supported(sentence, self.language, all, &self.question) {
            true if share >= ANNOUNCED => Ruling::Glue,
            true => Ruling::Unsupported,
            false => Ruling::Invented,
        }
    }

    /// Sets of passages with the share of the words that they contain, best first: single ones, and pairs of which both
    /// add words.
    fn sets(&self, stems: &[String], indices: &[usize]) -> Vec<(f32, Vec<usize>)> {
        let weights = self.weights(stems);
        let singles: Vec<f32> = (0..self.passages.len()).map(|at| self.share(&weights, &[at])).collect();
        let mut sets: Vec<(f32, Vec<usize>)> =
            singles.iter().enumerate().map(|(at, share)| (*share, vec![at])).collect();
        // Of equal sets the one that the model named comes first.
        let is_named = |set: &[usize]| !set.iter().all(|at| indices.contains(at));
        let order = |sets: &mut Vec<(f32, Vec<usize>)>| {
            sets.sort_by(|a, b| b.0.total_cmp(&a.0).then(is_named(&a.1).cmp(&is_named(&b.1))))
        };
        order(&mut sets);
        let mut pairs = Vec::new();
        for first in 0..singles.len() {
            for second in first + 1..singles.len() {
                let share = self.share(&weights, &[first, second]);
                if share >= singles[first].max(singles[second]) + ADDS {
                    pairs.push((share, vec![first, second]));
                }
            }
        }
        order(&mut pairs);
        // Prefers a single passage that is sufficient to a pair.
        let sufficient = sets.iter().take_while(|(share, _)| *share >= SUPPORT).count();
        let rest = sets.split_off(sufficient);
        sets.extend(pairs.into_iter().filter(|(share, _)| *share >= SUPPORT));
        sets.extend(rest);
        sets
    }

    fn related(&self, sentence: &str, stems: &[String], indices: &[usize]) -> Ruling {
        let Some((share, set)) = self.sets(stems, indices).into_iter().find(|(_, set)| set.len() == 1) else {
            return Ruling::Unsupported;
        };
        let passage = &self.passages[set[0]];
        // A noun or name that the passage lacks is another thing, however similar in meaning.
        let is_plain = |stem: &String| {
            passage.has_stem(stem) || !is_capital(sentence, stem, self.language) && !self.is_only_asked(stem)
        };
        let cited = [passage];
        let is_same_language = Language::of_question(sentence, self.language.code).code == self.language.code;
        if share >= RELATED
            && self.has_subject(sentence, &cited)
            && is_same_language
            && stems.iter().all(is_plain)
            && !self.is_opposite(sentence, stems, &cited)
            && facts::are_supported(sentence, self.language, &cited, &self.question)
            && facts::are_names_known(sentence, self.language, &cited, &self.own)
        {
            return Ruling::Unsure(set[0]);
        }
        Ruling::Unsupported
    }

    fn weights(&self, stems: &[String]) -> Vec<(String, f32)> {
        stems.iter().map(|stem| (stem.clone(), self.weight(stem))).collect()
    }

    fn weight(&self, stem: &str) -> f32 {
        let having = self.passages.iter().filter(|passage| passage.has_stem(stem)).count();
        (1.0 + (1 + self.passages.len()) as f32 / (1 + having) as f32).ln()
    }

    fn share(&self, weights: &[(String, f32)], set: &[usize]) -> f32 {
        let total: f32 = weights.iter().map(|(_, weight)| weight).sum();
        let supported = weights.iter().filter(|(stem, _)| set.iter().any(|at| self.passages[*at].has_stem(stem)));
        supported.map(|(_, weight)| weight).sum::<f32>() / total.max(f32::EPSILON)
    }

    /// Whether a sentence has a negation, apart from the `no` that answers the question.
    pub(super) fn denies(&self, sentence: &str) -> bool {
        let answered = sentence.split_once(',').filter(|(first, _)| self.language.is_yes_no(&first.to_lowercase()));
        self.language.denies(answered.map_or(sentence, |(_, rest)| rest))
    }

    /// Whether a text with these stems names what the part excepts: if the part denies, the text may affirm, and the other
    /// way round.
    fn is_excepted(&self, text: &str, stems: &[String], part: &Part) -> bool {
        part.excepts(stems) && self.language.exception(text).is_none()
    }

    /// Whether the sentence denies what the passages say, or the other way round: with a negation, or with a word that
    /// means the opposite, such as `Mitglieder` and `Nichtmitglieder`, or with the numbers at other words, rows or columns.
    fn is_opposite(&self, sentence: &str, stems: &[String], cited: &[&Evidence]) -> bool {
        let denies = self.denies(sentence);
        if !denies && is_value(sentence) || cited.iter().any(|passage| passage.says(sentence)) {
            return false;
        }
        let language = self.language;
        if cited.iter().any(|passage| passage.swaps(sentence, language) || passage.misplaces(sentence, language)) {
            return true;
        }
        if !denies {
            return self.contradicts(sentence, stems, cited);
        }
        // A sentence that denies in one clause may permit in another: "Books can be renewed, films are excluded."
        let contradicts = |clause: &str| self.contradicts(clause, &self.stems(clause), cited);
        let (denying, others): (Vec<&str>, Vec<&str>) =
            clauses(sentence, self.language).partition(|clause| self.denies(clause));
        others.into_iter().any(|clause| self.language.permits(clause) && contradicts(clause))
            || self.contradicts(sentence, stems, cited) && denying.into_iter().any(contradicts)
    }

    /// Whether a text with these stems affirms what a clause denies, or the other way round.
    fn contradicts(&self, text: &str, stems: &[String], cited: &[&Evidence]) -> bool {
        let denies = self.denies(text);
        let topic: Vec<String> = stems.iter().filter(|stem| !self.language.is_rule(stem)).cloned().collect();
        // "Dogs are allowed" has the topic of "Dogs are forbidden". The item "Dogs" of a list does not permit them.
        let compared_stems = if denies { stems } else { topic.as_slice() };
        let clauses = || cited.iter().flat_map(|passage| &passage.clauses);
        let is_limited =
            || cited.iter().any(|passage| passage.limits) || clauses().any(|part| part.has_opposite(&topic));
        if denies && !is_limited() {
            return true;
        }
        let text_words: Vec<String> = words(text).collect();
        let lacking = denied(text, self.language).filter(|_| denies);
        // "Entry is free" agrees with "free without registration" if a clause says that no registration is needed.
        let needless = lacking.as_ref().filter(|word| clauses().any(|part| part.denies && part.has_stem(word)));
        let lacks = lacked(text, self.language);
        let otherwise = |text: &str| self.language.denies_otherwise(text);
        let (mut same, mut opposite) = (Vec::new(), Vec::new());
        for part in clauses() {
            let concerns =
                part.denied.as_ref().is_none_or(|word| compared_stems.contains(word) || text_words.contains(word));
            let is_denied = part.denies && (concerns || lacking.is_some());
            // "Possible without a card" and "not possible without a card" differ in the other negation.
            let lacks_same = lacks.is_some()
                && lacks == lacked(&part.text, self.language)
                && topic.iter().all(|stem| part.has_stem(stem) || self.denies(stem));
            let (is_denied, denies) =
                if lacks_same { (otherwise(&part.text), otherwise(text)) } else { (is_denied, denies) };
            // Two opposites agree: what is invalid is not valid.
            if (is_denied != denies) == part.has_opposite(&topic) {
                same.push(part);
            } else if !(denies && part.may_be_forbidden) && needless.is_none_or(|word| part.has_stem(word)) {
                opposite.push(part);
            }
        }
        let sentences = cited.iter().flat_map(|passage| &passage.parts);
        same.extend(sentences.filter(|part| part.denies != denies && self.is_excepted(text, stems, part)));
        if !denies {
            self.remove_others(&mut opposite, &same, text);
        }
        let share = |part: &Part| part.share(compared_stems, self.language);
        let most = |parts: &[&Part]| parts.iter().map(|part| share(part)).fold(0.0_f32, f32::max);
        let (agreed, opposed) = (most(&same), most(&opposite));
        // "Sale items can be returned" takes "sale" from the clause that excludes them.
        let is_new = |stem: &String, part: &Part| part.has_stem(stem) && !same.iter().any(|other| other.has_stem(stem));
        let is_needed =
            |part: &&Part| share(part) >= agreed.max(SUPPORT) && compared_stems.iter().any(|stem| is_new(stem, part));
        opposed >= SUPPORT && (opposed >= agreed + OPPOSITE || !denies && opposite.iter().any(is_needed))
    }

    /// Removes clauses of `opposite` that concern something else than the text does: "Phones are forbidden in the exam" does
    /// not rule out calculators in the exam, if "Calculators are allowed" is one of `same`.
    fn remove_others(&self, opposite: &mut Vec<&Part>, same: &[&Part], text: &str) {
        let text_stems = Stems::of(text, self.language);
        let topic = |part: &Part| {
            let stems = self.language.stems(&part.text).into_iter();
            stems.filter(|stem| !self.language.is_rule(stem)).collect::<Vec<String>>()
        };
        let is_said = |topic: &[String]| topic.iter().all(|stem| text_stems.has(stem));
        let permitting = same.iter().filter(|part| part.rules).map(|part| topic(part));
        let permitted: Vec<Vec<String>> = permitting.filter(|topic| !topic.is_empty() && is_said(topic)).collect();
        let is_other = |part: &Part| permitted.iter().any(|topic| !topic.iter().any(|stem| part.has_stem(stem)));
        opposite.retain(|part| is_said(&topic(part)) || !is_other(part));
    }
}

/// Whether a sentence is a number with its unit.
fn is_value(sentence: &str) -> bool {
    let text = sentence.trim_start_matches(|mark: char| !mark.is_alphanumeric());
    text.starts_with(|mark: char| mark.is_ascii_digit()) && text.split_whitespace().count() <= VALUE
}

/// Whether a sentence is one word, or none.
fn is_single(sentence: &str) -> bool {
    sentence.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count() < 2
}

/// Whether the word with this stem is capitalised in the sentence, but not at its beginning.
fn is_capital(sentence: &str, stem: &str, language: &Language) -> bool {
    let words = sentence.split(|mark: char| !mark.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut capitals = words.skip(1).filter(|word| word.starts_with(char::is_uppercase));
    capitals.any(|word| language.stems(word).iter().any(|word_stem| word_stem == stem))
}
