//! Conversations for an export: one row per question, with its answer.

use contract::{
    TenantId,
    conversations::{ConversationFilter, Outcome},
    feedback::Rating,
};

use super::search;
use crate::{
    error::Result,
    export::{CopyQuery, ExportTx, literal},
    list,
};

/// The columns of a row: session `s`, its chatbot `c`, a question `q` and its answer `a`. The order is that of the
/// index of sessions, so that the first rows arrive before the last ones are read.
const COLUMNS: &str = "select q.created_at, s.id, a.id, c.id, c.name, c.language, q.content, a.content, (a.answered and not a.over_quota)::text,
            a.confidence, a.answered_by, t.sources, r.rating, q.page_url,
            case a.answered_by when 'generated' then 'model' else a.answered_by end, a.answer_model";

/// Joins the data of the sessions selected before it. The answer to a question is the next message, unless that is a
/// question.
const JOINS: &str = "
     join chatbots c on c.tenant_id = s.tenant_id and c.id = s.chatbot_id
     cross join lateral (
         select m.created_at, m.content, m.position, m.page_url from chat_messages m
         where m.tenant_id = s.tenant_id and m.session_id = s.id and m.role = 'user'
         offset 0
     ) q
     left join lateral (
         select m.* from chat_messages m
         where m.tenant_id = s.tenant_id and m.session_id = s.id and m.position > q.position
         order by m.position limit 1
     ) a on a.role = 'assistant'
     left join lateral (
         select string_agg(concat_ws(' ', l.source ->> 'source_title', '<' || (l.source ->> 'url') || '>'), '; '
                           order by l.number) as sources
         from jsonb_array_elements(a.sources) with ordinality l (source, number)
     ) t on true
     left join lateral (
         select f.rating from chatbot_feedback f
         where f.tenant_id = s.tenant_id and f.chatbot_id = s.chatbot_id and f.message_id = a.id
         order by f.created_at desc, f.id desc limit 1
     ) r on true
     order by s.last_message_at desc, s.id desc, q.position";

/// The questions of the tenant's conversations that match the filter: the conversation with the newest message first,
/// and within it the oldest question.
pub async fn copy_query(tx: &mut ExportTx, tenant: TenantId, filter: &ConversationFilter) -> Result<CopyQuery> {
    let words = match filter.words() {
        Some(words) => containing(tx, words, filter).await?,
        None => String::new(),
    };
    let tenant = literal::id(tenant.0);
    let conditions = by_columns(filter) + &by_outcome_and_feedback(filter, &tenant) + &words;
    Ok(CopyQuery(format!(
        "{COLUMNS} from (select s.* from chat_sessions s where s.tenant_id = {tenant}{conditions}) s {JOINS}"
    )))
}

/// Restricts the sessions `s` by columns of their own row.
fn by_columns(filter: &ConversationFilter) -> String {
    let chatbot = filter.chatbot_id.map(|id| format!(" and s.chatbot_id = {}", literal::id(id.0)));
    let (from, to) = filter.range();
    let from = from.map(|from| format!(" and s.last_message_at >= {}", literal::moment(from)));
    let to = to.map(|to| format!(" and s.last_message_at <= {}", literal::moment(to)));
    [chatbot, from, to].into_iter().flatten().collect()
}

/// Restricts the sessions `s` by the outcome of their questions and by their feedback. Few sessions have feedback, so
/// it is read once.
fn by_outcome_and_feedback(filter: &ConversationFilter, tenant: &str) -> String {
    let unanswered = "m.role = 'assistant' and not m.answered";
    let outcome = filter.outcome.map(|outcome| match outcome {
        Outcome::Unanswered => format!(" and {}", has_message(unanswered)),
        Outcome::Answered => {
            let other = "m.role = 'assistant' and (not m.answered or m.over_quota)";
            format!(" and {} and {} is null", has_message("m.role = 'assistant'"), has_message(other))
        }
    });
    let rating = filter.rating.map(|rating| {
        format!(
            " and s.id in (
                 select coalesce(f.session_id, m.session_id) from chatbot_feedback f
                 left join chat_messages m
                   on m.tenant_id = f.tenant_id and m.chatbot_id = f.chatbot_id and m.id = f.message_id
                 where f.tenant_id = {tenant} and f.rating = '{}')",
            Rating::as_str(rating)
        )
    });
    [outcome, rating].into_iter().flatten().collect()
}

/// Restricts the sessions `s` to those that contain the words: by the index, or by their messages when the index does
/// not know the words or finds too many.
async fn containing(tx: &mut ExportTx, words: &str, filter: &ConversationFilter) -> Result<String> {
    let sessions = match search::index_query(filter) {
        Some(query) => search::complete(tx.fetch(query).await?),
        None => None,
    };
    if let Some(sessions) = sessions {
        let ids: Vec<String> = sessions.into_iter().map(literal::id).collect();
        return Ok(format!(" and s.id = any (array[{}]::uuid[])", ids.join(", ")));
    }
    let pattern = tx.quoted(&[list::containing(words)]).await?.pop().unwrap_or_default();
    Ok(format!(" and {}", has_message(&format!("m.content ilike {pattern}"))))
}

/// Whether session `s` has such a message: true or null. The limit prevents the database from reading every message of
/// the tenant before it has a session.
fn has_message(condition: &str) -> String {
    format!(
        "(select true from chat_messages m
          where m.tenant_id = s.tenant_id and m.session_id = s.id and {condition} limit 1)"
    )
}
