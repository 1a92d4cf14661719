//! Questions whether something goes without something else. "Within 30 days with the receipt" does not say what happens without
//! the receipt, however similar the words are.

use super::{
    BEHIND, has_name,
    words::{Words, phrase_in, plain},
};
use crate::terms::terms;

/// Whether `said`, a quotation with its headings, decides what `asked` (both as they were written) asks to go without: a sentence
/// about it denies or demands it.
pub(super) fn are_decided(asked: &str, said: &str, words: &Words) -> bool {
    let asked = plain(asked);
    words.without.iter().filter_map(|without| asked.split_once(&format!(" {without} "))).all(|(_, behind)| {
        let missing = terms(&behind.split(' ').take(BEHIND).collect::<Vec<_>>().join(" "));
        let mut sentences = said.split(['.', '!', '?', ';', '\n']).map(plain);
        missing.is_empty()
            || sentences.any(|sentence| {
                missing.iter().any(|name| has_name(&sentence, name))
                    && words.decides_without.iter().any(|phrase| phrase_in(&sentence, phrase))
            })
    })
}
