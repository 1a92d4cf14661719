//! The same names where requests are only written: browsers do without the code that finds the place of an error.

use serde::{Deserialize, Deserializer};

/// Reads a flattened part of a request.
pub(crate) fn part<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::deserialize(deserializer)
}
