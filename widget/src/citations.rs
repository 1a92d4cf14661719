//! Which source a marker of an answer refers to.

use contract::widget::Citation;

use crate::json::Reply;
use crate::plain::{decimal, parse_decimal};

impl Reply {
    /// The source that a marker of the text refers to.
    pub(crate) fn cited(&self, marker: u32) -> Option<usize> {
        let is_named = |citation: &&Citation| parse_decimal(bare(&citation.marker)) == Some(marker);
        let citation = self.citations.iter().find(is_named)?;
        (citation.source_index < self.sources.len()).then_some(citation.source_index)
    }

    /// The number under which a source is cited, else its place in the list.
    pub(crate) fn label(&self, index: usize) -> String {
        let citation = self.citations.iter().find(|citation| citation.source_index == index);
        citation.map_or_else(|| decimal(index as u32 + 1), |citation| bare(&citation.marker).to_owned())
    }
}

/// A marker without its brackets.
fn bare(marker: &str) -> &str {
    marker.trim_matches(&['[', ']', ' '][..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Source;

    fn source(title: &str) -> Source {
        Source {
            source_title: title.to_owned(),
            content_snippet: String::new(),
            url: None,
            passage_id: None,
            as_of: None,
        }
    }

    fn citation(marker: &str, source_index: usize) -> Citation {
        Citation { marker: marker.to_owned(), source_index }
    }

    fn answer(sources: Vec<Source>, citations: Vec<Citation>) -> Reply {
        Reply {
            session_id: String::new(),
            message_id: None,
            text: String::new(),
            sources,
            citations,
            contact_url: None,
            rating: None,
            is_generated: false,
        }
    }

    #[test]
    fn a_marker_names_its_source_and_a_source_wears_its_marker() {
        let citations = vec![citation("[2]", 0), citation("[1]", 1), citation("[3]", 9)];
        let answer = answer(vec![source("a"), source("b")], citations);
        assert_eq!(answer.cited(2), Some(0));
        assert_eq!(answer.cited(1), Some(1));
        assert_eq!(answer.label(0), "2");
        assert_eq!((answer.cited(3), answer.cited(4)), (None, None), "a marker without a source stays text");
    }

    #[test]
    fn a_source_that_is_not_cited_wears_its_place() {
        assert_eq!(answer(vec![source("a"), source("b")], Vec::new()).label(1), "2");
    }
}
