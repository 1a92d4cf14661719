//! Where a page of the audit log ended. The text is opaque to clients: the moment and the id of the last row, which
//! stay where they are when rows are added.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Datelike};
use contract::{AuditId, Timestamp, audit::AuditRow};
use uuid::Uuid;

/// The last row of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// When it happened.
    pub occurred_at: Timestamp,
    /// Its id.
    pub id: AuditId,
}

impl Cursor {
    /// Reads what [`Cursor::encode`] wrote; `None` for anything else.
    pub fn decode(text: &str) -> Option<Self> {
        let bytes: [u8; 24] = URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()?;
        let (micros, id) = bytes.split_at(8);
        let occurred_at = DateTime::from_timestamp_micros(i64::from_be_bytes(micros.try_into().ok()?))?;
        let id = AuditId(Uuid::from_slice(id).ok()?);
        // The database stores fewer years than a number of microseconds can name.
        (1..=9999).contains(&occurred_at.year()).then_some(Self { occurred_at, id })
    }

    /// The cursor as text: 32 characters that need no escaping in a query string.
    pub fn encode(&self) -> String {
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&self.occurred_at.timestamp_micros().to_be_bytes());
        bytes[8..].copy_from_slice(self.id.0.as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }
}

impl From<&AuditRow> for Cursor {
    fn from(row: &AuditRow) -> Self {
        Self { occurred_at: row.occurred_at, id: row.id }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_what_it_wrote_and_nothing_else() {
        let occurred_at = DateTime::from_timestamp_micros(1_790_000_000_123_456).unwrap();
        let cursor = Cursor { occurred_at, id: AuditId(Uuid::from_u128(7)) };
        let text = cursor.encode();
        assert_eq!((text.len(), Cursor::decode(&text)), (32, Some(cursor)));
        let far = URL_SAFE_NO_PAD.encode([0x7f; 24]);
        for bad in ["", "x", &text[1..], &format!("{text}A"), &format!("{text}="), &far, "ä", &"+".repeat(32)] {
            assert_eq!(Cursor::decode(bad), None, "{bad}");
        }
    }
}
