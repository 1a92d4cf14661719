//! From a model's words to an answer: markers verified while the words come, sources in the order of their markers.

use super::{echo::Echo, prompt::NO_ANSWER};
use crate::{
    citation::{Citation, Verifier},
    retrieve::Candidate,
};

/// Sources that an answer lists; cited ones are always listed.
pub const LISTED: usize = 4;

/// An answer whose words are still coming. Removes repeated tags of the prompt; holds back what may turn out to be the word for
/// "no answer", and what may be removed: markers, white space at the end.
#[derive(Debug)]
pub struct Citing<'a, I> {
    passages: &'a [Candidate<I>],
    verifier: Verifier<'a>,
    echo: Echo,
    /// The first words, as long as they may say that there is no answer.
    opening: Option<String>,
    /// White space that is shown when words follow.
    blank: String,
}

/// What is known when the words have ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Cited<I> {
    /// The words that were held back.
    pub rest: String,
    /// Each marker once, in order of appearance; their indices point into `sources`.
    pub citations: Vec<Citation>,
    /// Cited passages first, in the order of their markers, then further ones; at most four unless more are cited.
    pub sources: Vec<Candidate<I>>,
}

impl<'a, I: Clone> Citing<'a, I> {
    /// Begins an answer about `passages`, the ones of the prompt.
    pub fn new(passages: &'a [Candidate<I>]) -> Self {
        let contents = passages.iter().map(|passage| passage.content.as_str()).collect();
        Self {
            passages,
            verifier: Verifier::new(contents),
            echo: Echo::new(),
            opening: Some(String::new()),
            blank: String::new(),
        }
    }

    /// Takes the model's next words; gives those that stand.
    pub fn push(&mut self, part: &str) -> String {
        let part = self.echo.push(part);
        self.open(&part)
    }

    fn open(&mut self, part: &str) -> String {
        let Some(mut opening) = self.opening.take() else { return self.go_on(part) };
        opening.push_str(part);
        if may_be_refusal(&opening) {
            self.opening = Some(opening);
            return String::new();
        }
        self.go_on(opening.trim_start())
    }

    /// Ends the words. None when the model said that the passages have no answer, or nothing at all.
    pub fn finish(mut self) -> Option<Cited<I>> {
        let held = std::mem::replace(&mut self.echo, Echo::new()).finish();
        let mut rest = self.open(&held);
        if let Some(opening) = self.opening.take() {
            let text = opening.trim();
            if text.is_empty() || text.trim_matches(|mark: char| !mark.is_alphanumeric()) == NO_ANSWER {
                return None;
            }
            rest = self.go_on(text);
        }
        let (end, verified) = self.verifier.finish();
        rest.push_str(&end);
        let (citations, sources) = in_order(verified, self.passages);
        Some(Cited { rest, citations, sources })
    }

    fn go_on(&mut self, part: &str) -> String {
        let mut text = std::mem::take(&mut self.blank);
        text.push_str(part);
        self.blank = text.split_off(text.trim_end().len());
        self.verifier.push(&text)
    }
}

/// Whether words that begin so may say that there is no answer.
fn may_be_refusal(opening: &str) -> bool {
    let word = opening.trim_start_matches(|mark: char| !mark.is_alphanumeric());
    let said = |rest: &str| !rest.contains(char::is_alphanumeric);
    NO_ANSWER.starts_with(word) || word.strip_prefix(NO_ANSWER).is_some_and(said)
}

/// Citations that point into sources in the order of their markers, and these sources.
fn in_order<I: Clone>(verified: Vec<Citation>, passages: &[Candidate<I>]) -> (Vec<Citation>, Vec<Candidate<I>>) {
    let mut order: Vec<usize> = Vec::new();
    let mut citations = Vec::with_capacity(verified.len());
    for Citation { marker, source_index } in verified {
        let place = order.iter().position(|known| *known == source_index).unwrap_or(order.len());
        if place == order.len() {
            order.push(source_index);
        }
        citations.push(Citation { marker, source_index: place });
    }
    let further = (0..passages.len()).filter(|index| !order.contains(index)).collect::<Vec<_>>();
    let room = LISTED.saturating_sub(order.len());
    let listed = order.iter().chain(further.iter().take(room));
    (citations, listed.map(|index| passages[*index].clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::{super::Answer, *};

    /// The answer, the same whatever the parts.
    fn answer(text: &str, passages: &[Candidate<u8>]) -> Option<Answer<u8>> {
        let in_parts = |parts: &[&str]| {
            let mut citing = Citing::new(passages);
            let text: String = parts.iter().map(|part| citing.push(part)).collect();
            citing.finish().map(|Cited { rest, citations, sources }| Answer { text: text + &rest, citations, sources })
        };
        let whole = in_parts(&[text]);
        for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
            assert_eq!(in_parts(&[&text[..cut], &text[cut..]]), whole, "{text:?} {cut}");
        }
        whole
    }

    fn passages() -> Vec<Candidate<u8>> {
        ["The shop opens at nine.", "Returns are free for thirty days.", "Parking costs two euros."]
            .iter()
            .zip(0..)
            .map(|(content, id)| Candidate {
                id,
                title: String::new(),
                heading: String::new(),
                content: (*content).into(),
                prepared: false,
                cosine: 0.8,
                words: 0.0,
                coverage: 0.0,
            })
            .collect()
    }

    #[test]
    fn cited_passages_come_first_and_keep_their_markers() {
        let found = answer("Parking costs two euros [3]. The shop opens at nine [1].", &passages()).unwrap();
        assert_eq!(found.text, "Parking costs two euros [3]. The shop opens at nine [1].");
        assert_eq!(found.sources.iter().map(|source| source.id).collect::<Vec<_>>(), [2, 0, 1]);
        let pairs: Vec<_> = found.citations.iter().map(|known| (known.marker.as_str(), known.source_index)).collect();
        assert_eq!(pairs, [("[3]", 0), ("[1]", 1)]);
    }

    #[test]
    fn invented_markers_are_removed() {
        let found = answer("Whales sing loudly [2]. Dolphins too [9].", &passages()).unwrap();
        assert_eq!((found.text.as_str(), found.citations.len()), ("Whales sing loudly. Dolphins too.", 0));
    }

    #[test]
    fn a_model_may_say_that_there_is_no_answer() {
        for text in ["NO_ANSWER", " **NO_ANSWER**.\n", "", " \n"] {
            assert_eq!(answer(text, &passages()), None, "{text:?}");
        }
    }

    #[test]
    fn the_word_for_no_answer_is_held_back_until_another_one_comes() {
        let passages = passages();
        let mut citing = Citing::new(&passages);
        for part in [" **", "NO", "_ANS", "WER", "**. "] {
            assert_eq!(citing.push(part), "");
        }
        assert_eq!(citing.push("Or"), "**NO_ANSWER**. Or");
        for (text, expected) in [("No. ", "No."), ("NO_ANS", "NO_ANS"), (" Hm", "Hm"), ("...", "...")] {
            assert_eq!(answer(text, &passages).unwrap().text, expected);
        }
    }

    #[test]
    fn repeated_tags_of_the_prompt_are_removed_before_anything_else() {
        let passages = passages();
        let text = "<passage number=\"1\" title=\"Hours\">\nThe shop opens at nine.\n</passage> [1]";
        let found = answer(text, &passages).unwrap();
        assert_eq!((found.text.as_str(), found.citations.len()), ("The shop opens at nine.\n [1]", 1));
        assert_eq!(answer("<question>\nNO_ANSWER\n</question>", &passages), None);
        assert_eq!(answer("<passage number=\"1\"", &passages), None);
        let found = answer("The shop opens at nine [<passage>1] <pass", &passages).unwrap();
        assert_eq!(found.text, "The shop opens at nine [1] <pass");
    }

    #[test]
    fn white_space_waits_for_words() {
        let passages = passages();
        let mut citing = Citing::new(&passages);
        assert_eq!((citing.push("\n Hello \n"), citing.push(" \n")), ("Hello".to_owned(), String::new()));
        assert_eq!(citing.push("you\n"), " \n \nyou");
        assert_eq!(citing.finish().unwrap().rest, "");
    }
}
