//! What an answer rests on, in OpenAI's protocol: annotations, or markers in the text with a list below it.

use contract::{
    ChatbotId, Endpoint,
    documents::GetSourceSection,
    widget::{WidgetReply, WidgetSource},
};
use serde_json::{Value, json};

/// How an answer shows what it rests on (`citations` of the request).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Citations {
    /// Annotations; the text has no markers.
    #[default]
    Annotations,
    /// Markers such as `[1]` in the text and a list of sources below it, and annotations of the markers.
    Text,
}

/// Makes the addresses of sources.
#[derive(Debug, Clone)]
pub(super) struct Addresses {
    pub(super) base_url: String,
    pub(super) chatbot: ChatbotId,
}

/// The text of an answer with its annotations.
#[derive(Debug, PartialEq)]
pub(super) struct CitedText {
    pub(super) text: String,
    pub(super) annotations: Vec<Value>,
}

impl Citations {
    /// The text of a whole answer.
    pub(super) fn of_answer(self, reply: &WidgetReply, addresses: &Addresses) -> CitedText {
        self.of_streamed(reply, addresses, reply.sources.len())
    }

    /// Like [`Self::of_answer`], where markers up to `listed` were left out while the answer was streamed.
    pub(super) fn of_streamed(self, reply: &WidgetReply, addresses: &Addresses, listed: usize) -> CitedText {
        match self {
            Self::Annotations => annotated(reply, addresses, listed),
            Self::Text => marked(reply, addresses),
        }
    }
}

impl Addresses {
    /// The page of a source, or without one the address of its section in the API.
    fn of(&self, source: &WidgetSource) -> Option<String> {
        let section = || {
            let path = GetSourceSection::path(&(self.chatbot, source.passage_id?));
            Some(format!("{}{path}", self.base_url.trim_end_matches('/')))
        };
        source.url.clone().or_else(section)
    }

    fn annotation(&self, source: &WidgetSource, start: usize, end: usize) -> Option<Value> {
        let citation = json!({ "url": self.of(source)?, "title": source.source_title, "start_index": start,
                               "end_index": end });
        Some(json!({ "type": "url_citation", "url_citation": citation }))
    }
}

fn source_of<'a>(reply: &'a WidgetReply, marker: &str) -> Option<&'a WidgetSource> {
    let citation = reply.citations.iter().find(|citation| citation.marker == marker)?;
    reply.sources.get(citation.source_index)
}

/// The answer without markers. An annotation covers the words before its marker: back to the marker before it, or to the beginning
/// of the line.
fn annotated(reply: &WidgetReply, addresses: &Addresses, listed: usize) -> CitedText {
    let mut annotations = Vec::new();
    let mut last = (0, 0);
    let (text, _) = without_markers(&reply.answer, listed, true, |before, number| {
        let end = before.chars().count();
        if end != last.1 {
            let line = before.rfind('\n').map_or(0, |at| before[..=at].chars().count());
            let start = line.max(last.1);
            let blank = before.chars().skip(start).take_while(|sign| sign.is_whitespace()).count();
            last = (start + blank, end);
        }
        let source = source_of(reply, &format!("[{number}]"));
        annotations.extend(source.and_then(|source| addresses.annotation(source, last.0, last.1)));
    });
    CitedText { text, annotations }
}

/// The answer with its markers and a list of what they name. An annotation covers its marker.
fn marked(reply: &WidgetReply, addresses: &Addresses) -> CitedText {
    let mut text = reply.answer.clone();
    let mut places: Vec<(usize, &str)> = Vec::new();
    for (index, citation) in reply.citations.iter().enumerate() {
        let marker = citation.marker.as_str();
        if reply.citations[..index].iter().any(|earlier| earlier.marker == marker) {
            continue;
        }
        places.extend(reply.answer.match_indices(marker));
        if let Some(source) = reply.sources.get(citation.source_index) {
            let gap = if text.len() == reply.answer.len() { "\n\n" } else { "\n" };
            let address = source.url.as_deref().map(|url| format!(": {url}")).unwrap_or_default();
            text.push_str(&format!("{gap}{marker} {}{address}", source.source_title));
        }
    }
    places.sort_unstable();
    let annotation = |(at, marker): (usize, &str)| {
        let start = reply.answer[..at].chars().count();
        addresses.annotation(source_of(reply, marker)?, start, start + marker.chars().count())
    };
    CitedText { annotations: places.into_iter().filter_map(annotation).collect(), text }
}

/// The text without its markers from `[1]` to `[listed]` and the space before each, as far as that is certain, and the rest, which
/// may be the beginning of a marker unless the text `is_whole`. Calls `on_marker` with the text before each marker and its number.
pub(super) fn without_markers(
    text: &str,
    listed: usize,
    is_whole: bool,
    mut on_marker: impl FnMut(&str, usize),
) -> (String, &str) {
    let (mut text_before, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find([' ', '[']).filter(|_| listed > 0) {
        text_before.push_str(&rest[..at]);
        rest = &rest[at..];
        match marker(rest) {
            Marker::Whole { number, bytes } if (1..=listed).contains(&number) => {
                on_marker(&text_before, number);
                rest = &rest[bytes..];
            }
            Marker::Partial if !is_whole => return (text_before, rest),
            _ => {
                text_before.push_str(&rest[..1]);
                rest = &rest[1..];
            }
        }
    }
    text_before.push_str(rest);
    (text_before, "")
}

enum Marker {
    No,
    /// The text ends before that is certain.
    Partial,
    Whole {
        number: usize,
        bytes: usize,
    },
}

/// The marker at the beginning of the text, with the space before it.
fn marker(text: &str) -> Marker {
    let after_space = text.strip_prefix(' ').unwrap_or(text);
    if after_space.is_empty() {
        return Marker::Partial;
    }
    let Some(inner) = after_space.strip_prefix('[') else { return Marker::No };
    let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
    match inner[digits..].chars().next() {
        None if digits <= 2 => Marker::Partial,
        Some(']') if (1..=2).contains(&digits) => {
            let number = inner[..digits].parse().unwrap_or_default();
            Marker::Whole { number, bytes: text.len() - inner.len() + digits + 1 }
        }
        _ => Marker::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str, listed: usize) -> String {
        without_markers(text, listed, true, |_, _| {}).0
    }

    #[test]
    fn markers_of_listed_sources_are_left_out() {
        assert_eq!(whole("Within 30 days [1]. Keep it [2][1].", 2), "Within 30 days. Keep it.");
        assert_eq!(whole("a[3] and [2024] and [x] and [", 2), "a[3] and [2024] and [x] and [");
        assert_eq!(whole("Kept [1].", 0), "Kept [1].");
    }

    #[test]
    fn a_stream_in_any_pieces_gives_the_same_text() {
        let text = "Grüße [1]. Within  [2] days [12][1] [ x [1";
        for size in 1..8 {
            let (mut sent, mut held) = (String::new(), String::new());
            let signs: Vec<char> = text.chars().collect();
            for piece in signs.chunks(size) {
                held.extend(piece);
                let (text_before, rest) = without_markers(&held, 2, false, |_, _| {});
                sent.push_str(&text_before);
                held = rest.to_owned();
            }
            assert_eq!(sent + &whole(&held, 2), whole(text, 2), "{size}");
        }
    }
}
