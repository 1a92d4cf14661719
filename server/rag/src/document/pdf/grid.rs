//! Tables as they are read.

/// A table, with the place of its columns.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    pub(super) rows: Vec<Vec<String>>,
    /// Whether the first row names the columns.
    pub(super) has_header: bool,
    pub(super) columns: Vec<(f32, f32)>,
    /// Of which tagged table it is.
    pub(super) part: Option<Part>,
}

/// Rows of a tagged table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) table: u32,
    pub(super) first: usize,
    pub(super) last: usize,
}
