//! Orders sources by the markers that refer to them.

use crate::{
    citation::{Citation, verify},
    retrieve::Candidate,
};

/// Maximum sources of an answer without citations, and of those that are sent before its words.
pub const LISTED: usize = 4;

/// The end of an answer, with its citations and sources.
#[derive(Debug, Clone, PartialEq)]
pub struct Cited {
    /// The words that were held back.
    pub rest: String,
    /// Each marker once, in order of appearance, with an index into `sources`.
    pub citations: Vec<Citation>,
    /// The cited passages in the order of their markers; the best passages when none is cited.
    pub sources: Vec<Candidate>,
}

/// Markers and sources of an interrupted answer, of which `sent` was sent. `texts` is what each of `passages` was read
/// as.
pub fn of_sent(sent: &str, passages: &[Candidate], texts: &[String]) -> (Vec<Citation>, Vec<Candidate>) {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    in_order(verify(sent, &texts).1, passages)
}

/// Returns citations that refer to sources in the order of their markers, and these sources.
pub(super) fn in_order(verified: Vec<Citation>, passages: &[Candidate]) -> (Vec<Citation>, Vec<Candidate>) {
    let mut order: Vec<usize> = Vec::new();
    let mut citations = Vec::with_capacity(verified.len());
    for Citation { marker, source_index } in verified {
        let place = order.iter().position(|earlier| *earlier == source_index).unwrap_or(order.len());
        if place == order.len() {
            order.push(source_index);
        }
        citations.push(Citation { marker, source_index: place });
    }
    if order.is_empty() {
        return (citations, passages.iter().take(LISTED).cloned().collect());
    }
    (citations, order.iter().map(|index| passages[*index].clone()).collect())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn only_cited_passages_are_sources() {
        let passages: Vec<Candidate> =
            ["The shop opens at nine.", "Returns are free for thirty days.", "Parking costs two euros."]
                .iter()
                .zip(0..)
                .map(|(content, id)| Candidate {
                    cosine: 0.8,
                    words: 0.5,
                    coverage: 0.5,
                    ..Candidate::new(Uuid::from_u128(id), "", "", *content)
                })
                .collect();
        let texts: Vec<String> = passages.iter().map(|passage| passage.content.clone()).collect();
        let sent = "Parking costs two euros [3]. The shop opens at nine [1]. It";
        let (citations, sources) = of_sent(sent, &passages, &texts);
        assert_eq!(sources.iter().map(|source| source.id.as_u128()).collect::<Vec<_>>(), [2, 0]);
        let pairs: Vec<_> =
            citations.iter().map(|citation| (citation.marker.as_str(), citation.source_index)).collect();
        assert_eq!(pairs, [("[3]", 0), ("[1]", 1)]);
    }
}
