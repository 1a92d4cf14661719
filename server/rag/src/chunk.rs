//! Splits documents into passages: pieces small enough for the embedding model, cut at natural boundaries.

use crate::{
    block::{Block, is_question},
    document::{Document, Layout, Section},
};

mod pieces;
mod tokens;

pub use tokens::estimate_tokens;

/// Length limits of passages, in estimated tokens of the embedding model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkLimits {
    /// A document of at most this length is short.
    pub short_tokens: usize,
    /// Sections of a short document below this are joined with their neighbours. The others answer best alone: each
    /// is about one topic.
    pub short_min_tokens: usize,
    /// Sections of other documents below this are joined with their neighbours.
    pub min_tokens: usize,
    /// A passage is closed when the next piece would take it over this.
    pub target_tokens: usize,
    /// The hard limit: no passage's content is longer.
    pub max_tokens: usize,
}

impl ChunkLimits {
    /// The limits for one document.
    fn of(&self, document: &Document) -> Self {
        let headings =
            |section: &Section| section.heading_path.last().map_or(0, |heading| estimate_tokens(heading) + 3);
        let size = |section: &Section| estimate_tokens(&section.text) + headings(section);
        let size: usize = document.sections.iter().map(size).sum();
        let is_short = document.layout != Layout::Entries && size <= self.short_tokens;
        if is_short {
            Self { min_tokens: self.short_min_tokens, target_tokens: self.short_tokens, ..*self }
        } else {
            *self
        }
    }
}

impl Default for ChunkLimits {
    /// Leaves room for the heading within the 512 tokens that the models read.
    fn default() -> Self {
        Self { short_tokens: 380, short_min_tokens: 15, min_tokens: 60, target_tokens: 250, max_tokens: 380 }
    }
}

/// The part of a document that is stored, embedded and cited as one unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Its position in the document, from 0 without gaps.
    pub ordinal: i32,
    /// The headings above it as `A > B`, without the document's title; may be empty.
    pub heading: String,
    /// The URL fragment that leads to it, when the document has one.
    pub anchor: Option<String>,
    /// Its text in small Markdown (see [`crate::block`]); never empty.
    pub content: String,
}

impl Passage {
    /// The text to embed for this passage: the innermost heading, or else the title, then the content. The innermost
    /// heading alone retrieves better than the whole path (`docs/answers.md`).
    pub fn embedding_text(&self, document_title: &str) -> String {
        embedding_text(&self.heading, document_title, &self.content)
    }
}

/// The last heading of a path `A > B`; empty if the path is.
pub fn innermost(heading: &str) -> &str {
    heading.rsplit(" > ").next().unwrap_or_default()
}

/// The text that a model reads for a passage: the innermost heading, or else the title, then the content.
pub fn embedding_text(heading: &str, title: &str, content: &str) -> String {
    let heading = match innermost(heading) {
        "" => title,
        innermost => innermost,
    };
    format!("{heading}\n{content}")
}

/// The first block of a passage that continues the section of the passage before it.
pub const CONTINUED: &str = "…";

/// The passages of `document`, in order.
pub fn chunk(document: &Document, limits: &ChunkLimits) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    let limits = &limits.of(document);
    for section in join_small(document, limits) {
        for (number, mut content) in pack(&section.text, limits).into_iter().enumerate() {
            if number > 0 {
                content = format!("{CONTINUED}\n\n{content}");
            }
            let ordinal = i32::try_from(passages.len()).unwrap_or(i32::MAX);
            let heading = section.heading_path.join(" > ");
            passages.push(Passage { ordinal, heading, anchor: section.anchor.clone(), content });
        }
    }
    passages
}

/// The sections, with small neighbours joined under the headings that they share.
fn join_small(document: &Document, limits: &ChunkLimits) -> Vec<Section> {
    let mut joined: Vec<Section> = Vec::new();
    for section in &document.sections {
        let mut section = section.clone();
        section.heading_path = below_title(&section.heading_path, &document.title).to_vec();
        match joined.last_mut() {
            Some(last) if document.layout != Layout::Entries && fits(last, &section, limits) => join(last, &section),
            _ => joined.push(section),
        }
    }
    joined
}

/// Two sections join when one is tiny and they lie under the same heading, or the second under the first.
fn fits(first: &Section, second: &Section, limits: &ChunkLimits) -> bool {
    let sizes = (estimate_tokens(&first.text), estimate_tokens(&second.text));
    let related = !shared(first, second).is_empty() || second.heading_path.len() <= 1;
    related && sizes.0.min(sizes.1) < limits.min_tokens && sizes.0 + sizes.1 <= limits.target_tokens
}

fn shared<'a>(first: &'a Section, second: &Section) -> &'a [String] {
    let length = first.heading_path.iter().zip(&second.heading_path).take_while(|(a, b)| a == b).count();
    &first.heading_path[..length]
}

/// Appends `second`; headings that are not common move into the text.
fn join(first: &mut Section, second: &Section) {
    let common = shared(first, second).to_vec();
    let own = |section: &Section| section.heading_path[common.len()..].join(" > ");
    let (above, below) = (own(first), own(second));
    if !above.is_empty() {
        first.text = format!("### {above}\n\n{}", first.text);
    }
    let text = &second.text;
    first.text = match below.is_empty() {
        true => format!("{}\n\n{text}", first.text),
        false => format!("{}\n\n### {below}\n\n{text}", first.text),
    };
    first.heading_path = common;
}

/// The path without a first heading that repeats the document's title.
fn below_title<'a>(path: &'a [String], title: &str) -> &'a [String] {
    let plain = |text: &str| text.replace('`', "").split_whitespace().collect::<Vec<_>>().join(" ");
    match path {
        [first, rest @ ..] if plain(first) == plain(title) => rest,
        _ => path,
    }
}

/// Fills passages with whole pieces up to the target. A line that announces the next one stays with it.
fn pack(text: &str, limits: &ChunkLimits) -> Vec<String> {
    let pieces = pieces::pieces(text, limits.max_tokens);
    let mut passages = Vec::new();
    let mut current: Vec<String> = Vec::new();
    let mut size = 0;
    for piece in pieces {
        let cost = estimate_tokens(&piece.text);
        let announced = current.last().is_some_and(|last| announces(last));
        let limit = if announced { limits.max_tokens } else { limits.target_tokens };
        if size > 0 && size + cost > limit {
            let carried = if announced { current.pop() } else { None };
            close(&mut current, &mut passages);
            size = carried.as_deref().map_or(0, estimate_tokens);
            if size + cost > limits.max_tokens {
                current.extend(carried);
                close(&mut current, &mut passages);
                size = 0;
            } else {
                current.extend(carried);
            }
        }
        match current.last_mut().filter(|_| piece.continues) {
            Some(last) => last.push_str(&format!("{}{}", piece.joint, piece.text)),
            None => current.push(piece.text),
        }
        size += cost;
    }
    close(&mut current, &mut passages);
    passages
}

fn close(current: &mut Vec<String>, passages: &mut Vec<String>) {
    if !current.is_empty() {
        passages.push(current.join("\n\n"));
        current.clear();
    }
}

/// Whether a block announces the next one: it ends with a colon, is a question, or is a heading.
pub(crate) fn announces(block: &str) -> bool {
    block.trim_end().ends_with(':')
        || is_question(block)
        || matches!(crate::block::blocks(block).last(), Some(Block::Heading(_)))
}
