//! Cursors of lists that are ordered by time. The text is opaque to clients: it holds the time and the id of a row,
//! which stay stable when rows are added.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Datelike};
use contract::Timestamp;
use sqlx::{Postgres, QueryBuilder};
use uuid::Uuid;

/// The side of a row on which a page lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Rows from before it.
    Older,
    /// Rows from after it.
    Newer,
}

/// A row and a side of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The time of the row.
    pub at: Timestamp,
    pub id: Uuid,
    /// Which rows are requested.
    pub side: Side,
}

const NEWER: u8 = 1;

impl Cursor {
    /// Parses the text of [`Cursor::encode`]; `None` for any other text.
    pub fn decode(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (key, side) = match bytes.get(24..)? {
            [] => (&bytes[..], Side::Older),
            [NEWER] => (&bytes[..24], Side::Newer),
            _ => return None,
        };
        let (micros, id) = key.split_at(8);
        let at = DateTime::from_timestamp_micros(i64::from_be_bytes(micros.try_into().ok()?))?;
        let id = Uuid::from_slice(id).ok()?;
        // The database supports fewer years than microseconds can express.
        (1..=9999).contains(&at.year()).then_some(Self { at, id, side })
    }

    /// The cursor as text: 32 or 34 characters that need no escaping in a query string.
    pub fn encode(&self) -> String {
        let mut bytes = Vec::with_capacity(25);
        bytes.extend(self.at.timestamp_micros().to_be_bytes());
        bytes.extend(self.id.as_bytes());
        if self.side == Side::Newer {
            bytes.push(NEWER);
        }
        URL_SAFE_NO_PAD.encode(bytes)
    }
}

/// Appends the condition that a row is on the cursor's side; `time` is the column of the order.
pub(crate) fn push_condition(query: &mut QueryBuilder<Postgres>, time: &str, cursor: Option<Cursor>) {
    let Some(Cursor { at, id, side }) = cursor else { return };
    let test = if side == Side::Older { "<" } else { ">" };
    query.push(format!(" and ({time}, id) {test} (")).push_bind(at).push(", ").push_bind(id).push(")");
}

/// Appends the order and the number of rows: those next to the cursor come first.
pub(crate) fn push_order(query: &mut QueryBuilder<Postgres>, time: &str, cursor: Option<Cursor>, limit: i64) {
    let direction = if cursor.is_some_and(|cursor| cursor.side == Side::Newer) { "asc" } else { "desc" };
    query.push(format!(" order by {time} {direction}, id {direction} limit ")).push_bind(limit);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_what_it_wrote_and_nothing_else() {
        let at = DateTime::from_timestamp_micros(1_790_000_000_123_456).unwrap();
        for (side, length) in [(Side::Older, 32), (Side::Newer, 34)] {
            let cursor = Cursor { at, id: Uuid::from_u128(7), side };
            let text = cursor.encode();
            assert_eq!((text.len(), Cursor::decode(&text)), (length, Some(cursor)));
            for bad in [&text[1..], &format!("{text}AA"), &format!("{text}=")] {
                assert_eq!(Cursor::decode(bad), None, "{bad}");
            }
        }
        let far = URL_SAFE_NO_PAD.encode([0x7f; 24]);
        let sideless = URL_SAFE_NO_PAD.encode([[0; 24].as_slice(), &[2]].concat());
        for bad in ["", "x", &far, &sideless, "ä", &"+".repeat(32)] {
            assert_eq!(Cursor::decode(bad), None, "{bad}");
        }
    }
}
