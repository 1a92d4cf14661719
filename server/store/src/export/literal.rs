//! Values as SQL literals whose text cannot hold a quote.

use chrono::SecondsFormat;
use contract::Timestamp;
use uuid::Uuid;

pub(crate) fn id(id: Uuid) -> String {
    format!("'{}'::uuid", id.as_hyphenated())
}

/// A moment in UTC, to the microsecond; the year is one of 1 to 9999.
pub(crate) fn moment(moment: Timestamp) -> String {
    format!("'{}'::timestamptz", moment.to_rfc3339_opts(SecondsFormat::Micros, true))
}
