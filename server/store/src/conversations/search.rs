//! Full-text search of conversations: by the index of all messages of the tenant, or in the messages of a bounded
//! number of sessions.

use contract::conversations::ConversationFilter;
use sqlx::{Postgres, QueryBuilder, postgres::PgArguments, query::QueryScalar};
use uuid::Uuid;

use crate::{
    connection::PgConnection,
    cursor::{Cursor, Side},
    error::Result,
    list,
};

/// Maximum messages that the index may find; figures scan as many. For more frequent words the newest sessions are
/// scanned instead.
const MAX_FOUND: i32 = 5000;

/// The last session that a search scans, with the direction in which it continues.
pub type Edge = Cursor;

/// A statement whose rows are ids.
pub(super) type IdQuery = QueryScalar<'static, Postgres, Uuid, PgArguments>;

/// Which sessions a statement scans.
#[derive(Debug)]
pub(super) enum Search {
    /// Sessions with a message that the index found.
    Found(Vec<Uuid>),
    /// Sessions from the cursor up to and including this one.
    UpTo(Edge),
    All,
}

/// Whether a filter needs the messages or feedback of each session.
pub(super) fn is_search(filter: &ConversationFilter) -> bool {
    filter.words().is_some() || filter.outcome.is_some() || filter.rating.is_some()
}

/// The sessions of the tenant that contain the filter's words; `None` when the index cannot find the words, or finds
/// too many.
pub(super) async fn by_index(connection: &mut PgConnection, filter: &ConversationFilter) -> Result<Option<Vec<Uuid>>> {
    let Some(query) = index_query(filter) else { return Ok(None) };
    Ok(complete(query.fetch_all(connection).await?))
}

/// Queries the index for the sessions of [`by_index`]; `None` when it cannot find the words.
pub(super) fn index_query(filter: &ConversationFilter) -> Option<IdQuery> {
    let words = filter.words().filter(|words| has_trigram(words))?;
    let query = sqlx::query_scalar("select own_sessions_that_say($1, $2)");
    Some(query.bind(list::containing(words)).bind(MAX_FOUND))
}

/// The index's matches, each session once; `None` when there may be more.
pub(super) fn complete(mut sessions: Vec<Uuid>) -> Option<Vec<Uuid>> {
    let is_complete = i32::try_from(sessions.len()).is_ok_and(|number| number < MAX_FOUND);
    sessions.sort_unstable();
    sessions.dedup();
    is_complete.then_some(sessions)
}

/// Restricts the sessions `s` to those that the search scans.
pub(super) fn push(sql: &mut QueryBuilder<Postgres>, search: &Search) {
    match search {
        Search::Found(sessions) => {
            sql.push(" and s.id = any (").push_bind(sessions.clone()).push(")");
        }
        Search::UpTo(Edge { at, id, side }) => {
            let test = if *side == Side::Older { ">=" } else { "<=" };
            sql.push(format!(" and (s.last_message_at, s.id) {test} ("));
            sql.push_bind(*at).push(", ").push_bind(*id).push(")");
        }
        Search::All => {}
    }
}

/// Restricts the sessions `s` to those that contain the filter's words.
pub(super) fn push_words(sql: &mut QueryBuilder<Postgres>, filter: &ConversationFilter, search: &Search) {
    let Some(words) = filter.words().filter(|_| !matches!(search, Search::Found(_))) else { return };
    // The limit prevents the database from reading every message of the tenant before it has a session.
    sql.push(
        " and (select true from chat_messages m where m.tenant_id = s.tenant_id and m.session_id = s.id
               and m.content ilike ",
    );
    sql.push_bind(list::containing(words)).push(" limit 1)");
}

/// Whether the index can find the words: it consists of trigrams of letters and digits.
pub(super) fn has_trigram(words: &str) -> bool {
    words.split(|c: char| !c.is_alphanumeric()).any(|word| word.chars().count() >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_asked_for_what_it_can_find_only() {
        for text in ["abc", "ab cde f", "%öäü%"] {
            assert!(has_trigram(text), "{text}");
        }
        for text in ["ab", "a b c", "%%%", "a-b", ""] {
            assert!(!has_trigram(text), "{text}");
        }
    }
}
