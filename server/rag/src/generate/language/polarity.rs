//! Whether a text affirms or denies: by its negations, and by words that permit or forbid.

use super::{Language, words};

/// Marks that separate clauses.
const MARKS: [char; 5] = [',', ';', ':', '(', '–'];

impl Language {
    /// Whether a word in lower case negates the next word only.
    pub(in crate::generate) fn lacks(&self, word: &str) -> bool {
        self.words.lacking.contains(word)
    }

    /// Whether a clause of `text` has a negation or a word that forbids, but not both together: "not forbidden".
    pub(in crate::generate) fn denies(&self, text: &str) -> bool {
        self.has_denial(text, |_| true)
    }

    /// Whether a text denies, apart from negations of the next word only: "not possible without a card" denies,
    /// "possible without a card" does not.
    pub(in crate::generate) fn denies_otherwise(&self, text: &str) -> bool {
        self.has_denial(text, |word| !self.lacks(word))
    }

    fn has_denial(&self, text: &str, counts: impl Fn(&str) -> bool) -> bool {
        let is_english = self.code == "en";
        let text = if is_english { text.replace('’', "'").replace("n't", " not") } else { text.to_owned() };
        text.split(MARKS).any(|clause| self.clause_denies(words(clause).filter(|word| counts(word))))
    }

    /// Whether `text` has a restriction or a negation.
    pub(in crate::generate) fn limits(&self, text: &str) -> bool {
        words(text).any(|word| self.words.limits.contains(&word)) || self.denies(text)
    }

    /// The words behind the first one that begins an exception, in lower case.
    pub(in crate::generate) fn exception(&self, text: &str) -> Option<String> {
        text.split(MARKS).find_map(|clause| {
            let row = format!(" {} ", words(clause).collect::<Vec<_>>().join(" "));
            let behind = |start: &String| row.split_once(&format!(" {start} ")).map(|(_, behind)| behind.to_owned());
            self.words.exceptions.iter().find_map(behind)
        })
    }

    /// Whether `text` has a word that forbids.
    pub(in crate::generate) fn forbids(&self, text: &str) -> bool {
        words(text).any(|word| self.words.forbidden.contains(&word))
    }

    /// Whether `text` has a word that permits.
    pub(in crate::generate) fn permits(&self, text: &str) -> bool {
        words(text).any(|word| self.words.allowed.contains(&word))
    }

    /// Whether a stem is that of a word that permits or forbids.
    pub(in crate::generate) fn is_rule(&self, stem: &str) -> bool {
        self.words.rules.contains(stem)
    }

    fn clause_denies(&self, clause: impl Iterator<Item = String>) -> bool {
        // German and Dutch have a word between the two: "nicht vom Umtausch ausgeschlossen".
        let most_between = usize::from(matches!(self.code, "de" | "nl"));
        // `near` counts the negations that a word that forbids would cancel.
        let (mut denials, mut near, mut between) = (0, 0, 0);
        for word in clause {
            if self.words.forbidden.contains(&word) {
                denials = if near > 0 { denials - near } else { denials + 1 };
                near = 0;
            } else if self.words.negations.contains(&word) {
                denials += 1;
                near = if self.lacks(&word) { 0 } else { near + 1 };
                between = 0;
            } else if !self.is_function_word(&word) {
                between += 1;
                if between > most_between {
                    near = 0;
                }
            }
        }
        denials > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_forbid_deny_unless_they_are_negated() {
        for (code, text, denies) in [
            ("en", "Sale items are excluded from return.", true),
            ("en", "Smoking isn't prohibited in the yard.", false),
            ("en", "Smoking is not allowed, and dogs are forbidden.", true),
            ("en", "Items not in their box are excluded.", true),
            ("en", "Prices are final.", false),
            ("en", "All prices exclude VAT.", true),
            ("en", "The fee is 20 euros excluding VAT.", false),
            ("de", "Reduzierte Artikel sind vom Umtausch ausgeschlossen.", true),
            ("de", "Reduzierte Artikel sind nicht vom Umtausch ausgeschlossen.", false),
            ("de", "Ohne Karte verboten.", true),
            ("de", "Die Hausordnung verbietet das Grillen.", true),
            ("de", "Verbotene Gegenstände nimmt die Kasse entgegen.", false),
            ("es", "No está prohibido fumar.", false),
            ("es", "Queda prohibido fumar.", true),
            ("fr", "Il n'est pas interdit de fumer.", false),
            ("fr", "Il est interdit de fumer.", true),
            ("it", "Non è vietato fumare.", false),
            ("it", "È vietato fumare.", true),
            ("nl", "Roken is niet in de tuin verboden.", false),
            ("nl", "Roken is verboden.", true),
            ("pt", "Não é proibido fumar.", false),
            ("pt", "É proibido fumar.", true),
        ] {
            assert_eq!(Language::of(code).denies(text), denies, "{text}");
        }
    }
}
