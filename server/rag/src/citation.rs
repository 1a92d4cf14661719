//! Verifies citation markers such as `[1]`: keeps those whose passage supports the words before them.

mod verifier;

pub use verifier::Verifier;

/// A marker in an answer and the source that it refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// The marker as written in the answer, for example `[1]`.
    pub marker: String,
    /// Index into the sources, from 0.
    pub source_index: usize,
}

/// Checks each marker of `text` against `passages`; `[1]` refers to the first. Removes markers that refer to no
/// passage, and those whose passage does not support the words before them. Returns the text, and each remaining marker
/// once, in order of appearance. Brackets in code and in links are not markers.
pub fn verify(text: &str, passages: &[&str]) -> (String, Vec<Citation>) {
    let mut verifier = Verifier::new(passages.to_vec());
    let mut text_so_far = verifier.push(text);
    let (rest, citations) = verifier.finish();
    text_so_far.push_str(&rest);
    (text_so_far, citations)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSAGES: &[&str] = &["The widget keeps its session in a cookie.", "Operators create tenants."];

    fn citation(marker: &str, source_index: usize) -> Citation {
        Citation { marker: marker.into(), source_index }
    }

    #[test]
    fn supported_markers_stay_and_are_listed_once() {
        let text = "The session is in a cookie [1]. Operators create tenants [2][1], and cookies hold sessions [1].";
        let (verified, citations) = verify(text, PASSAGES);
        assert_eq!(
            verified,
            "The session is in a cookie [1]. Operators create tenants [2], and cookies hold sessions [1]."
        );
        assert_eq!(citations, [citation("[1]", 0), citation("[2]", 1)]);
    }

    #[test]
    fn unknown_and_unsupported_markers_are_removed() {
        let (verified, citations) = verify("Bananas are yellow fruit [1]. Nobody knows [7] [0].", PASSAGES);
        assert_eq!(verified, "Bananas are yellow fruit. Nobody knows.");
        assert_eq!(citations, []);
    }

    #[test]
    fn lists_and_ranges_are_markers_of_each_number() {
        let (verified, citations) =
            verify("Operators create tenants [1, 2]. Cookies keep sessions [1-3]. Bananas [6–8] [7,9].", PASSAGES);
        assert_eq!(verified, "Operators create tenants [2]. Cookies keep sessions [1]. Bananas.");
        assert_eq!(citations, [citation("[2]", 1), citation("[1]", 0)]);
        let other = "[3-1], [ 1], [2020-2026], [1 2], [] and [1,2](x)";
        assert_eq!(verify(other, PASSAGES), (other.to_owned(), vec![]));
    }

    #[test]
    fn brackets_in_code_words_and_links_are_left_alone() {
        let text = "Use `list[1]` or a[1] or [1](https://example.org).";
        assert_eq!(verify(text, PASSAGES), (text.to_owned(), vec![]));
    }

    #[test]
    fn markers_behind_a_backtick_without_another_count() {
        let text = "Operators' `tenants' are created [2].\n\nUse `cookie [1]` for a `session' cookie [1].";
        assert_eq!(verify(text, PASSAGES), (text.to_owned(), vec![citation("[2]", 1), citation("[1]", 0)]));
        let fence = "```\ncookie [1]\n\ntenants [2]\n```";
        assert_eq!(verify(fence, PASSAGES), (fence.to_owned(), vec![]));
    }

    #[test]
    fn parts_do_not_matter() {
        let text =
            "A cookie [1]. Operators create tenants  [2] [1](x) `a[1]` b[2] [1, 2] [12 `x' [1-2]\n[1234] [ [3] `y' [2]";
        let whole = verify(text, PASSAGES);
        for first in 0..=text.len() {
            for second in first..=text.len() {
                let mut verifier = Verifier::new(PASSAGES.to_vec());
                let mut verified = String::new();
                for part in [&text[..first], &text[first..second], &text[second..]] {
                    verified.push_str(&verifier.push(part));
                }
                let (rest, citations) = verifier.finish();
                assert_eq!((verified + &rest, citations), whole, "{first} {second}");
            }
        }
    }

    #[test]
    fn only_what_may_still_be_removed_is_held_back() {
        let mut verifier = Verifier::new(PASSAGES.to_vec());
        assert_eq!(verifier.push("The session is in a cookie "), "The session is in a cookie");
        assert_eq!((verifier.push("[1"), verifier.push("]")), (String::new(), String::new()));
        assert_eq!(verifier.push(". Bananas [x"), " [1]. Bananas [x");
        assert_eq!(verifier.push(" [9] "), "");
        assert_eq!(verifier.finish().0, " ");
    }
}
