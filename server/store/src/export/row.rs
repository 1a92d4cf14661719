//! Parses PostgreSQL's binary copy format: a header before the first row, then one message per row, then an end mark.

use bytes::{Buf, Bytes};

use crate::error::{Error, Result};

const SIGNATURE: &[u8] = b"PGCOPY\n\xff\r\n\0";

/// One row: a count, then each field's length and bytes.
#[derive(Debug, Clone)]
pub struct BinaryRow(Bytes);

impl BinaryRow {
    /// The row of a message; `None` for the one that ends the copy.
    pub(super) fn new(mut message: Bytes) -> Result<Option<Self>> {
        match message.try_get_i16() {
            Ok(-1) => Ok(None),
            Ok(_) => Ok(Some(Self(message))),
            Err(_) => Err(malformed()),
        }
    }

    /// The row of the first message, which begins with the header.
    pub(super) fn first(mut message: Bytes) -> Result<Option<Self>> {
        if !message.starts_with(SIGNATURE) {
            return Err(malformed());
        }
        message.advance(SIGNATURE.len());
        let (Ok(_flags), Ok(extension)) = (message.try_get_u32(), message.try_get_u32()) else {
            return Err(malformed());
        };
        let extension = usize::try_from(extension).map_err(|_| malformed())?;
        if message.len() < extension {
            return Err(malformed());
        }
        message.advance(extension);
        if message.is_empty() { Ok(None) } else { Self::new(message) }
    }

    /// The fields in the order of the query's columns.
    pub fn fields(&self) -> Fields<'_> {
        Fields(&self.0)
    }
}

/// The fields of a row: `None` for null, otherwise the bytes of the type's binary form.
#[derive(Debug, Clone)]
pub struct Fields<'a>(&'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Option<&'a [u8]>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let Some((length, rest)) = self.0.split_first_chunk::<4>() else { return Some(Err(malformed())) };
        let Ok(length) = usize::try_from(i32::from_be_bytes(*length)) else {
            self.0 = rest;
            return Some(Ok(None));
        };
        let Some((field, rest)) = rest.split_at_checked(length) else { return Some(Err(malformed())) };
        self.0 = rest;
        Some(Ok(Some(field)))
    }
}

fn malformed() -> Error {
    Error::Stored("a row of a copy does not have the shape of the binary format".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(parts: &[&[u8]]) -> Bytes {
        Bytes::from(parts.concat())
    }

    #[test]
    fn the_header_is_taken_off_the_first_row() {
        let header: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
        let row = BinaryRow::first(message(&[header, &[0, 2], &[0, 0, 0, 2], b"ab", &[255; 4]])).unwrap().unwrap();
        let fields: Vec<_> = row.fields().map(Result::unwrap).collect();
        assert_eq!(fields, [Some(b"ab".as_slice()), None]);
        assert!(BinaryRow::first(message(&[header, &[255, 255]])).unwrap().is_none());
        assert!(BinaryRow::first(message(&[b"id,name\n"])).is_err());
    }

    #[test]
    fn truncated_rows_are_errors() {
        assert!(BinaryRow::new(message(&[&[255, 255]])).unwrap().is_none());
        assert!(BinaryRow::new(message(&[&[0]])).is_err());
        let row = BinaryRow::new(message(&[&[0, 1], &[0, 0, 0, 9], b"ab"])).unwrap().unwrap();
        assert!(row.fields().next().unwrap().is_err());
    }
}
