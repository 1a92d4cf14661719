//! The search in what was said: in the messages of each session, or by the index of all of the tenant's.

use contract::conversations::ConversationFilter;
use sqlx::{Postgres, QueryBuilder};

use crate::list;

/// Where words are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    /// In the messages of each session that the other filters let through.
    Messages,
    /// In the sessions that [`push_found`] has named.
    Found,
}

/// Begins a statement with the sessions that the index finds, when there are words and it can find them.
pub(super) fn push_found(sql: &mut QueryBuilder<Postgres>, filter: &ConversationFilter) -> Search {
    let Some(words) = filter.words().filter(|words| has_trigram(words)) else { return Search::Messages };
    sql.push("with found as materialized (select own_sessions_that_say(");
    sql.push_bind(list::containing(words)).push(") as session) ");
    Search::Found
}

/// Narrows the sessions `s` to those in which the filter's words were said.
pub(super) fn push_words(sql: &mut QueryBuilder<Postgres>, filter: &ConversationFilter, search: Search) {
    let Some(words) = filter.words() else { return };
    if search == Search::Found {
        sql.push(" and s.id in (select session from found)");
        return;
    }
    // The limit keeps the database from reading every message of the tenant before it has a session.
    sql.push(
        " and (select true from chat_messages m where m.tenant_id = s.tenant_id and m.session_id = s.id
               and m.content ilike ",
    );
    sql.push_bind(list::containing(words)).push(" limit 1)");
}

/// Whether the index knows something of the words: it holds what is said in threes of letters and digits.
fn has_trigram(words: &str) -> bool {
    words.split(|c: char| !c.is_alphanumeric()).any(|word| word.chars().count() >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_asked_for_what_it_can_find_only() {
        for known in ["abc", "ab cde f", "%öäü%"] {
            assert!(has_trigram(known), "{known}");
        }
        for unknown in ["ab", "a b c", "%%%", "a-b", ""] {
            assert!(!has_trigram(unknown), "{unknown}");
        }
    }
}
