//! Lists: pages, their limits and the sort parameter.

use serde::{Deserialize, Serialize};

use crate::{
    error::FieldError,
    validate::{Checker, Validate},
};

/// Entries of a page when the caller does not say.
pub const DEFAULT_LIMIT: i64 = 50;
/// Maximum entries of a page.
pub const MAX_LIMIT: i64 = 200;

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "{T}Page"))]
pub struct Page<T> {
    /// The entries, in the list's total order.
    pub items: Vec<T>,
    /// How many entries match in all.
    pub total: i64,
    /// The page size that was applied.
    pub limit: i64,
    /// How many entries were skipped.
    pub offset: i64,
}

/// What a total says when a search looks through a bounded number of rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TotalIs {
    /// Every row was read.
    #[default]
    Exact,
    /// Older rows were not read.
    AtLeast,
}

/// The query parameters of every list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageQuery {
    /// Case-insensitive substring of names and slugs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = 200)))]
    pub q: Option<String>,
    /// A field name, with a leading `-` for descending order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    /// Entries of the page, 1 to 200.
    #[serde(default = "default_limit", deserialize_with = "number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 200)))]
    pub limit: i64,
    /// Entries to skip.
    #[serde(default, deserialize_with = "number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub offset: i64,
}

impl Default for PageQuery {
    fn default() -> Self {
        Self { q: None, sort: None, limit: DEFAULT_LIMIT, offset: 0 }
    }
}

impl PageQuery {
    /// Checks the bounds and that `sort` names one of `fields`.
    pub fn check(&self, fields: &[&str]) -> Vec<FieldError> {
        let mut check = Checker::query();
        check.require(
            (1..=MAX_LIMIT).contains(&self.limit),
            "limit",
            "out_of_range",
            "must be a whole number between 1 and 200",
        );
        check.require(self.offset >= 0, "offset", "out_of_range", "must be a whole number of at least 0");
        if let Some(q) = &self.q {
            check.text("q", q, 0, 200);
        }
        if let Some(sort) = &self.sort {
            let field = sort.strip_prefix('-').unwrap_or(sort);
            let msg = format!("must be one of {}", fields.join(", "));
            check.require(fields.contains(&field), "sort", "unknown_field", &msg);
        }
        check.finish()
    }

    /// The sort field and whether it is descending; `default` when the caller does not say.
    pub fn sort_or<'a>(&'a self, default: &'a str) -> (&'a str, bool) {
        let sort = self.sort.as_deref().unwrap_or(default);
        match sort.strip_prefix('-') {
            Some(field) => (field, true),
            None => (sort, false),
        }
    }
}

/// Names the values of `sort` in the schema of a list's query: each field, ascending and descending.
#[cfg(feature = "schema")]
pub(crate) fn sorted_by(fields: &'static [&'static str]) -> impl FnMut(&mut schemars::Schema) {
    move |schema: &mut schemars::Schema| {
        let values: Vec<String> = fields.iter().flat_map(|field| [(*field).to_owned(), format!("-{field}")]).collect();
        if let Some(sort) = schema.pointer_mut("/properties/sort").and_then(|sort| sort.as_object_mut()) {
            sort.insert("enum".to_owned(), values.into());
        }
    }
}

/// The number a page has when the query does not say.
pub(crate) fn default_limit() -> i64 {
    DEFAULT_LIMIT
}

/// The query of a list that has neither search nor order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LimitOffset {
    /// Entries of the page, 1 to 200.
    #[serde(default = "default_limit", deserialize_with = "number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 200)))]
    pub limit: i64,
    /// Entries to skip.
    #[serde(default, deserialize_with = "number")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub offset: i64,
}

impl Default for LimitOffset {
    fn default() -> Self {
        Self { limit: DEFAULT_LIMIT, offset: 0 }
    }
}

impl Validate for LimitOffset {
    fn validate(&self) -> Vec<FieldError> {
        PageQuery { limit: self.limit, offset: self.offset, ..PageQuery::default() }.check(&[])
    }
}

/// Reads a number from a query string, where flattened structs only see text. What is no number
/// becomes one that is out of every range, so that [`PageQuery::check`] names its field.
pub(crate) fn number<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Input {
        Number(i64),
        Text(String),
    }
    Ok(match Input::deserialize(deserializer)? {
        Input::Number(number) => number,
        Input::Text(text) => text.parse().unwrap_or(i64::MIN),
    })
}

/// Reads a switch from a query string, where flattened structs only see text.
pub(crate) fn switch<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    use serde::de::Error;
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Input {
        Switch(bool),
        Text(String),
    }
    match Input::deserialize(deserializer)? {
        Input::Switch(on) => Ok(on),
        Input::Text(text) => match text.to_ascii_lowercase().as_str() {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(Error::custom("must be true or false")),
        },
    }
}
