//! Cursor pages of lists ordered by time. One row more than a page is read, to know whether there is another page.

use contract::Timestamp;
use store::{Cursor, CursorList, Side};
use uuid::Uuid;

use crate::error::{ApiError, ApiResult};

/// A page with the cursors of the pages before and after it.
#[derive(Debug)]
pub(super) struct CursorPage<T> {
    list: CursorList,
    /// The rows, newest first.
    pub items: Vec<T>,
    /// The page of older rows.
    pub next_cursor: Option<String>,
    /// The page of newer rows.
    pub previous_cursor: Option<String>,
}

impl<T> CursorPage<T> {
    /// Makes a page of the list's rows on the cursor's side, of which there is one more than `limit` when there are more.
    pub(super) fn from_rows(
        list: CursorList,
        mut rows: Vec<T>,
        limit: i64,
        cursor: Option<Cursor>,
        key: impl Fn(&T) -> (Timestamp, Uuid),
    ) -> Self {
        let page_length = usize::try_from(limit).unwrap_or(usize::MAX);
        let goes_on = rows.len() > page_length;
        rows.truncate(page_length);
        let is_newer = cursor.is_some_and(|cursor| cursor.side == Side::Newer);
        if is_newer {
            rows.reverse();
        }
        let beyond = |row: Option<&T>, side: Side| {
            row.map(|row| {
                let (at, id) = key(row);
                Cursor { at, id, side }.encode(list)
            })
        };
        // A page that was requested with a cursor has the cursor's row behind it.
        let (has_next, has_previous) = if is_newer { (true, goes_on) } else { (goes_on, cursor.is_some()) };
        let next_cursor = beyond(rows.last().filter(|_| has_next), Side::Older);
        let previous_cursor = beyond(rows.first().filter(|_| has_previous), Side::Newer);
        Self { list, items: rows, next_cursor, previous_cursor }
    }

    /// Continues the page where a search stopped before it had enough rows.
    pub(super) fn go_on_from(&mut self, edge: Cursor, cursor: Option<Cursor>) {
        let list = self.list;
        let to = |side| Some(Cursor { side, ..edge }.encode(list));
        if edge.side == Side::Newer {
            self.previous_cursor = to(Side::Newer);
            self.next_cursor = self.next_cursor.take().or_else(|| to(Side::Older));
        } else {
            self.next_cursor = to(Side::Older);
            if cursor.is_some() {
                self.previous_cursor = self.previous_cursor.take().or_else(|| to(Side::Newer));
            }
        }
    }
}

/// The cursor of a query of the list.
///
/// # Errors
/// A validation error for a text that is no cursor of this list.
pub(super) fn cursor(list: CursorList, text: Option<&str>) -> ApiResult<Option<Cursor>> {
    let bad = || ApiError::field(&["query", "cursor"], "is not a valid cursor for this list", "cursor");
    text.map(|text| Cursor::decode(list, text).ok_or_else(bad)).transpose()
}
