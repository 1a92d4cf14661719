//! The reply of an endpoint that streams CSV.

use serde::{Deserialize, Serialize};

/// Marks a reply that is a stream of CSV (RFC 4180) and never a JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Csv;
