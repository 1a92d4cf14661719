//! The safe subset of Markdown for answers, parsed into a small tree that the widget and the consoles convert to DOM
//! nodes. The tree contains neither HTML nor images, so that none can be rendered. Does not use the browser.

mod block;
mod inline;
mod scan;
mod table;

pub use self::{
    block::parse,
    scan::parse_decimal,
    table::{Part, Table, parse_with_tables},
};

/// Lists and quotes nest at most this deep; deeper ones stay text.
const MAX_DEPTH: usize = 4;

/// A block of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// Running text.
    Paragraph(Vec<Inline>),
    /// A heading of any level: answers have one size of heading.
    Heading(Vec<Inline>),
    /// A list; `start` is the first number of an ordered one.
    List {
        /// The first number; `None` without numbers.
        start: Option<u32>,
        /// The items, each with blocks of its own.
        items: Vec<Vec<Block>>,
    },
    /// A block of code, as written.
    Code(String),
    /// A quotation.
    Quote(Vec<Block>),
    /// A horizontal rule.
    Rule,
}

/// A run of text inside a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inline {
    /// Text as it is shown.
    Text(String),
    /// Strong importance.
    Strong(Vec<Inline>),
    /// Stress.
    Emphasis(Vec<Inline>),
    /// Code within a line, as written.
    Code(String),
    /// A link whose address is http, https or mailto.
    Link {
        /// The address.
        href: String,
        /// Its text.
        children: Vec<Inline>,
    },
    /// A citation mark such as `[2]`, without its brackets.
    Marker(u32),
    /// A forced line break.
    Break,
}
