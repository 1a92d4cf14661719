//! The difference between two versions of a text or a list.

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// A part compared with the other version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marked {
    Same,
    Added,
    Removed,
}

/// A run of words of a text, or an entry of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) text: String,
    pub(super) mark: Marked,
}

/// Both versions, with what the newer one lost marked in the older one and what it gained in the newer one.
pub(super) fn compare(older: &[String], newer: &[String]) -> (Vec<Part>, Vec<Part>) {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for step in capture_diff_slices(Algorithm::Myers, older, newer) {
        let is_same = matches!(step, DiffOp::Equal { .. });
        add(&mut before, &older[step.old_range()], if is_same { Marked::Same } else { Marked::Removed });
        add(&mut after, &newer[step.new_range()], if is_same { Marked::Same } else { Marked::Added });
    }
    (before, after)
}

fn add(parts: &mut Vec<Part>, texts: &[String], mark: Marked) {
    parts.extend(texts.iter().map(|text| Part { text: text.clone(), mark }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_inclusive(' ').map(str::to_owned).collect()
    }

    fn marked(parts: &[Part], mark: Marked) -> String {
        parts.iter().filter(|part| part.mark == mark).map(|part| part.text.as_str()).collect()
    }

    #[test]
    fn removed_words_are_marked_before_and_added_words_after() {
        let (before, after) = compare(&words("Ask about ropes and sails"), &words("Ask about ropes, knots and sails"));
        assert_eq!(marked(&before, Marked::Removed), "ropes ");
        assert_eq!(marked(&after, Marked::Added), "ropes, knots ");
    }

    #[test]
    fn each_version_stays_whole() {
        let (before, after) = compare(&words("a b c"), &words("c d"));
        let whole = |parts: &[Part]| parts.iter().map(|part| part.text.as_str()).collect::<String>();
        assert_eq!((whole(&before), whole(&after)), ("a b c".to_owned(), "c d".to_owned()));
    }
}
