//! SQL literals of values that cannot contain a quote.

use chrono::SecondsFormat;
use contract::Timestamp;
use uuid::Uuid;

pub(crate) fn id(id: Uuid) -> String {
    format!("'{}'::uuid", id.as_hyphenated())
}

/// A UTC time with microseconds; the year is between 1 and 9999.
pub(crate) fn moment(moment: Timestamp) -> String {
    format!("'{}'::timestamptz", moment.to_rfc3339_opts(SecondsFormat::Micros, true))
}
