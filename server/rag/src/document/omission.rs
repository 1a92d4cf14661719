//! What documents leave out of their files.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What of a file its document leaves out, with the number of places.
pub type Omissions = BTreeMap<Omission, u32>;

/// A kind of content that a document leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Omission {
    /// Text that its author has struck through.
    StruckText,
    /// Text that its author has hidden.
    HiddenText,
    /// Hidden rows of tables.
    HiddenRows,
    /// Hidden columns of tables.
    HiddenColumns,
    /// Hidden sheets of a workbook.
    HiddenSheets,
    /// Hidden slides of a presentation.
    HiddenSlides,
    /// Cells with a formula whose value the file does not have.
    MissingValues,
    /// Characters whose codes the file's fonts do not explain.
    UnknownCharacters,
    /// Parts of another format within the file that are not read.
    EmbeddedObjects,
    /// Columns of a sheet and points of a chart beyond the maximum.
    BeyondMaximum,
}

impl Omission {
    /// All kinds.
    pub const ALL: [Self; 10] = [
        Self::StruckText,
        Self::HiddenText,
        Self::HiddenRows,
        Self::HiddenColumns,
        Self::HiddenSheets,
        Self::HiddenSlides,
        Self::MissingValues,
        Self::UnknownCharacters,
        Self::EmbeddedObjects,
        Self::BeyondMaximum,
    ];
}
