//! Conversations as their tenant works with them: listed, searched, opened, counted, erased.

use chrono::{Days, NaiveDate, NaiveTime, Utc};
use contract::{
    ChatbotId, ErrorCode, SessionId,
    conversations::{
        ConversationDay, ConversationDetail, ConversationListQuery, ConversationPage, ConversationStats, FIGURES_DAYS,
    },
};
use store::{
    conversation_end,
    conversation_log::{self, DayFigures},
};

use crate::{
    app_state::App,
    http::{caller::Caller, error::ApiResult},
    service::{erasure, key_pages},
};

/// A page of the tenant's conversations, the one with the newest message first.
///
/// # Errors
/// `date_from_after_date_to`, and a validation error for a cursor that this endpoint did not give out.
pub async fn list(app: &App, caller: &Caller, query: &ConversationListQuery) -> ApiResult<ConversationPage> {
    query.check_codes()?;
    let cursor = key_pages::cursor(query.cursor.as_deref())?;
    let tenant = caller.tenant()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    let rows = conversation_log::list(&mut tx, tenant, query, cursor, query.limit + 1).await?;
    tx.end().await?;
    let page = key_pages::cut(rows, query.limit, cursor, |row| (row.last_message_at, row.session_id.0));
    let (next_cursor, previous_cursor) = (page.next_cursor, page.previous_cursor);
    Ok(ConversationPage { items: page.items, next_cursor, previous_cursor })
}

/// A conversation with its messages and feedback.
///
/// # Errors
/// `session_not_found`.
pub async fn get(app: &App, caller: &Caller, session: SessionId) -> ApiResult<ConversationDetail> {
    let tenant = caller.tenant()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    let conversation = conversation_log::find(&mut tx, tenant, session).await?;
    let conversation = conversation.ok_or(ErrorCode::SessionNotFound)?;
    let messages = conversation_log::messages(&mut tx, tenant, session).await?;
    let feedback = conversation_log::feedback(&mut tx, tenant, session).await?;
    tx.end().await?;
    Ok(ConversationDetail { conversation, messages, feedback })
}

/// Erases a conversation as the command line does, with its audit row in the same transaction.
///
/// # Errors
/// `session_not_found`; nothing is erased then.
pub async fn erase(app: &App, caller: &Caller, session: SessionId) -> ApiResult<()> {
    let tenant = caller.tenant()?;
    let mut tx = app.db.write(&caller.scope()?).await?;
    let Some((chatbot, erased)) = conversation_end::erase_own(&mut tx, session).await? else {
        return Err(ErrorCode::SessionNotFound.into());
    };
    let audited = tx.audit(&erasure::entry(caller.actor(), tenant, chatbot, session, erased)).await?;
    Ok(tx.commit(audited).await?)
}

/// The last 30 days, of one chatbot or all of the tenant's.
///
/// # Errors
/// When the database is down.
pub async fn stats(app: &App, caller: &Caller, chatbot: Option<ChatbotId>) -> ApiResult<ConversationStats> {
    let tenant = caller.tenant()?;
    let first = Utc::now().date_naive() - Days::new(FIGURES_DAYS.unsigned_abs() - 1);
    let mut tx = app.db.read(&caller.scope()?).await?;
    let since = first.and_time(NaiveTime::MIN).and_utc();
    let days = conversation_log::by_day(&mut tx, tenant, chatbot, since).await?;
    tx.end().await?;
    Ok(summed(&days, first))
}

fn summed(days: &[DayFigures], first: NaiveDate) -> ConversationStats {
    let sum = |of: fn(&DayFigures) -> i64| days.iter().map(of).sum();
    let on = |date| {
        let day = days.iter().find(|day| day.day == date);
        let of = |of: fn(&DayFigures) -> i64| day.map_or(0, of);
        ConversationDay {
            date,
            conversations: of(|day| day.conversations),
            answered: of(|day| day.answered),
            unanswered: of(|day| day.unanswered),
        }
    };
    let dates = first.iter_days().take(usize::try_from(FIGURES_DAYS).unwrap_or_default());
    ConversationStats {
        conversations: sum(|day| day.conversations),
        answered: sum(|day| day.answered),
        unanswered: sum(|day| day.unanswered),
        filtered: sum(|day| day.filtered),
        daily: dates.map(on).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_has_an_entry_and_the_sums_are_those_of_the_days() {
        let day = |day: &str, answered| DayFigures {
            day: day.parse().unwrap(),
            conversations: 1,
            answered,
            unanswered: 2,
            filtered: 1,
        };
        let stats = summed(&[day("2026-11-01", 3), day("2026-11-30", 4)], "2026-11-01".parse().unwrap());
        assert_eq!((stats.daily.len(), stats.conversations, stats.answered, stats.unanswered), (30, 2, 7, 4));
        assert_eq!((stats.filtered, stats.daily[29].answered, stats.daily[1].conversations), (2, 4, 0));
    }
}
