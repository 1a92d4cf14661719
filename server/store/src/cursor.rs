//! Cursors of lists that are ordered by time. The text is opaque to clients: it holds the list, and the time and the id
//! of a row, which stay stable when rows are added.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Datelike};
use contract::Timestamp;
use sqlx::{Postgres, QueryBuilder};
use uuid::Uuid;

/// A list that has cursors. The number is part of the text of a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum CursorList {
    Audit = 1,
    Conversations = 2,
    OutputFilterEvents = 3,
    UnansweredQuestions = 4,
}

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

const OLDER: u8 = 0;
const NEWER: u8 = 1;

impl Cursor {
    /// Parses the text of [`Cursor::encode`] for the same list; `None` for any other text.
    pub fn decode(list: CursorList, text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (head, key) = bytes.split_at_checked(2)?;
        let side = match head {
            [of, OLDER] if *of == list as u8 => Side::Older,
            [of, NEWER] if *of == list as u8 => Side::Newer,
            _ => return None,
        };
        let (micros, id) = key.split_at_checked(8)?;
        let at = DateTime::from_timestamp_micros(i64::from_be_bytes(micros.try_into().ok()?))?;
        let id = Uuid::from_slice(id).ok()?;
        // The database supports fewer years than microseconds can express.
        (1..=9999).contains(&at.year()).then_some(Self { at, id, side })
    }

    /// The cursor of a list as text: 35 characters that need no escaping in a query string.
    pub fn encode(&self, list: CursorList) -> String {
        let mut bytes = Vec::with_capacity(26);
        bytes.extend([list as u8, if self.side == Side::Newer { NEWER } else { OLDER }]);
        bytes.extend(self.at.timestamp_micros().to_be_bytes());
        bytes.extend(self.id.as_bytes());
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
        let list = CursorList::Conversations;
        for side in [Side::Older, Side::Newer] {
            let cursor = Cursor { at, id: Uuid::from_u128(7), side };
            let text = cursor.encode(list);
            assert_eq!((text.len(), Cursor::decode(list, &text)), (35, Some(cursor)));
            assert_eq!(Cursor::decode(CursorList::Audit, &text), None, "of another list");
            for cut in 0..text.len() {
                assert_eq!(Cursor::decode(list, &text[..cut]), None, "{cut}");
            }
            for bad in [&text[1..], &format!("{text}AA"), &format!("{text}=")] {
                assert_eq!(Cursor::decode(list, bad), None, "{bad}");
            }
        }
        let far = URL_SAFE_NO_PAD.encode([[list as u8, OLDER].as_slice(), &[0x7f; 24]].concat());
        let sideless = URL_SAFE_NO_PAD.encode([[list as u8, 2].as_slice(), &[0; 24]].concat());
        for bad in ["", "x", &far, &sideless, "ä", &"+".repeat(35)] {
            assert_eq!(Cursor::decode(list, bad), None, "{bad}");
        }
    }
}
