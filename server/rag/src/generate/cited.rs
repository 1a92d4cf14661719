//! From a model's words to an answer: markers verified, sources in the order of their markers.

use super::{Answer, prompt::NO_ANSWER};
use crate::{
    citation::{Citation, verify},
    retrieve::Candidate,
};

/// Sources that an answer lists; cited ones are always listed.
const LISTED: usize = 4;

/// The answer that `text` is about `passages`, the ones of the prompt: markers that are wrong or unsupported are removed.
/// None when the model said that the passages have no answer, or nothing at all.
pub fn answer<I: Clone>(text: &str, passages: &[Candidate<I>]) -> Option<Answer<I>> {
    let contents: Vec<&str> = passages.iter().map(|passage| passage.content.as_str()).collect();
    let text = text.trim();
    if text.is_empty() || text.trim_matches(|mark: char| !mark.is_alphanumeric()) == NO_ANSWER {
        return None;
    }
    let (text, verified) = verify(text, &contents);
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
    Some(Answer { text, citations, sources: listed.map(|index| passages[*index].clone()).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passages() -> Vec<Candidate<u8>> {
        ["The shop opens at nine.", "Returns are free for thirty days.", "Parking costs two euros."]
            .iter()
            .zip(0..)
            .map(|(content, id)| Candidate {
                id,
                title: String::new(),
                heading: String::new(),
                content: (*content).into(),
                cosine: 0.8,
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
        for text in ["NO_ANSWER", " **NO_ANSWER**.\n", ""] {
            assert_eq!(answer(text, &passages()), None, "{text:?}");
        }
    }
}
