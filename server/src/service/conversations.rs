//! Conversations for their tenant: list, search, read, count, erase.

pub mod erasure;
pub mod export;
pub mod retention;

use std::time::{Duration, Instant};

use chrono::{Days, NaiveDate, NaiveTime, Utc};
use contract::{
    ErrorCode, SessionId, TenantId,
    conversations::{
        Conversation, ConversationDay, ConversationDetail, ConversationFilter, ConversationListQuery,
        ConversationNeighbours, ConversationPage, ConversationStats, DeletedModelUsage, FIGURES_DAYS, MAX_FIGURES_DAYS,
        ModelUsageList,
    },
    page::TotalIs,
    usage::UsageMonth,
};
use store::{
    Cursor, CursorList, ReadTx, Side,
    conversations::{
        erase, history, opened,
        stats::{self, DayFigures},
    },
};

use crate::{
    caller::Caller,
    error::ApiResult,
    service::{
        cursor_page::{self, CursorPage},
        tenant_write,
    },
    state::App,
};

/// How long a search for a neighbour continues beyond one page of the list.
const NEIGHBOUR_TIME: Duration = Duration::from_secs(1);

/// A page of the tenant's conversations, the one with the newest message first.
///
/// # Errors
/// `date_from_after_date_to`, and a validation error for an invalid cursor.
pub async fn list(app: &App, caller: &Caller, query: &ConversationListQuery) -> ApiResult<ConversationPage> {
    query.filter.check_codes()?;
    let cursor = cursor_page::cursor(CursorList::Conversations, query.cursor.as_deref())?;
    let tenant = caller.tenant()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    let list = history::list(&mut tx, tenant, &query.filter, cursor, query.limit + 1).await?;
    let key = |row: &Conversation| (row.last_message_at, row.session_id.0);
    let mut page = CursorPage::from_rows(CursorList::Conversations, list.conversations, query.limit, cursor, key);
    if let Some(edge) = list.edge {
        page.go_on_from(edge, cursor);
    }
    let (next_cursor, previous_cursor) = (page.next_cursor, page.previous_cursor);
    let searched_to = list.edge.map(|edge| edge.at);
    Ok(ConversationPage { items: page.items, next_cursor, previous_cursor, searched_to })
}

/// A conversation with its messages and feedback.
///
/// # Errors
/// `session_not_found`.
pub async fn get(app: &App, caller: &Caller, session: SessionId) -> ApiResult<ConversationDetail> {
    let tenant = caller.tenant()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    let conversation = history::find(&mut tx, tenant, session).await?;
    let conversation = conversation.ok_or(ErrorCode::SessionNotFound)?;
    let messages = opened::messages(&mut tx, tenant, session).await?;
    let feedback = opened::feedback(&mut tx, tenant, session).await?;
    Ok(ConversationDetail { conversation, messages, feedback })
}

/// The neighbours of a conversation among those that match the filter; the conversation itself need not match.
///
/// # Errors
/// `session_not_found`, `date_from_after_date_to`.
pub async fn neighbours(
    app: &App,
    caller: &Caller,
    session: SessionId,
    filter: &ConversationFilter,
) -> ApiResult<ConversationNeighbours> {
    filter.check_codes()?;
    let tenant = caller.tenant()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    let Conversation { last_message_at: at, .. } =
        history::find(&mut tx, tenant, session).await?.ok_or(ErrorCode::SessionNotFound)?;
    let newer = neighbour(&mut tx, tenant, filter, Cursor { at, id: session.0, side: Side::Newer }).await?;
    let older = neighbour(&mut tx, tenant, filter, Cursor { at, id: session.0, side: Side::Older }).await?;
    Ok(ConversationNeighbours { newer, older })
}

async fn neighbour(
    tx: &mut ReadTx,
    tenant: TenantId,
    filter: &ConversationFilter,
    mut cursor: Cursor,
) -> ApiResult<Option<SessionId>> {
    let deadline = Instant::now() + NEIGHBOUR_TIME;
    loop {
        let list = history::list(tx, tenant, filter, Some(cursor), 1).await?;
        if let Some(neighbour) = list.conversations.first() {
            return Ok(Some(neighbour.session_id));
        }
        match list.edge {
            Some(edge) if Instant::now() < deadline => cursor = edge,
            _ => return Ok(None),
        }
    }
}

/// Erases a conversation as the command line does, with its audit row in the same transaction.
///
/// # Errors
/// `session_not_found`; nothing is erased then.
pub async fn erase(app: &App, caller: &Caller, session: SessionId) -> ApiResult<()> {
    let tenant = caller.tenant()?;
    let mut tx = tenant_write::begin(app, caller).await?;
    let Some((chatbot, erased)) = erase::erase_own(&mut tx, session).await? else {
        return Err(ErrorCode::SessionNotFound.into());
    };
    Ok(tx.commit_audited(&erasure::entry(caller.actor(), tenant, chatbot, session, erased)).await?)
}

/// The figures by day of the tenant's conversations that match the filter.
///
/// # Errors
/// `date_from_after_date_to`.
pub async fn stats(app: &App, caller: &Caller, filter: &ConversationFilter) -> ApiResult<ConversationStats> {
    filter.check_codes()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    let days = days(filter, Utc::now().date_naive());
    Ok(by_day(&mut tx, caller.tenant()?, filter, days).await?)
}

/// The figures from the first to the last of these days.
pub(super) async fn by_day(
    tx: &mut ReadTx,
    tenant: TenantId,
    filter: &ConversationFilter,
    (first, last): (NaiveDate, NaiveDate),
) -> store::Result<ConversationStats> {
    let midnight = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc();
    let end = last.checked_add_days(Days::new(1)).unwrap_or(NaiveDate::MAX);
    let (figures, total_is) = stats::by_day(tx, tenant, filter, (midnight(first), midnight(end))).await?;
    Ok(ConversationStats { total_is, ..summed(&figures, first, last) })
}

/// The usage of language models in the last twelve months.
///
/// # Errors
/// `service_unavailable` when the database is down.
pub async fn model_usage(app: &App, caller: &Caller) -> ApiResult<ModelUsageList> {
    let tenant = caller.tenant()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    let items = store::model_usage::by_month(&mut tx, tenant).await?;
    let months = store::usage::months(&mut tx, tenant).await?;
    Ok(ModelUsageList { items, deleted: months.iter().filter_map(deleted_usage).collect() })
}

fn deleted_usage(month: &UsageMonth) -> Option<DeletedModelUsage> {
    let spent = month.of_deleted();
    (spent.answers > 0).then_some(DeletedModelUsage {
        month: month.month,
        answers: spent.answers,
        prompt_tokens: spent.prompt_tokens,
        cached_tokens: spent.cached_tokens,
        answer_tokens: spent.answer_tokens,
    })
}

/// The first and the last day that a filter's figures have.
fn days(filter: &ConversationFilter, today: NaiveDate) -> (NaiveDate, NaiveDate) {
    let (from, to) = filter.range();
    let last = to.map_or(today, |to| to.date_naive().min(today));
    let back = |days: i64| last.checked_sub_days(Days::new(days.unsigned_abs() - 1)).unwrap_or(last);
    let first = from.map_or(back(FIGURES_DAYS), |from| from.date_naive().max(back(MAX_FIGURES_DAYS)));
    (first.min(last), last)
}

fn summed(days: &[DayFigures], first: NaiveDate, last: NaiveDate) -> ConversationStats {
    let sum = |of: fn(&DayFigures) -> i64| days.iter().map(of).sum();
    let on = |date| {
        let day = days.iter().find(|day| day.day == date);
        let of = |of: fn(&DayFigures) -> i64| day.map_or(0, of);
        ConversationDay {
            date,
            conversations: of(|day| day.conversations),
            answered: of(|day| day.answered),
            unanswered: of(|day| day.unanswered),
            low: of(|day| day.low),
            small_talk: of(|day| day.small_talk),
        }
    };
    let dates = first.iter_days().take_while(|day| *day <= last);
    ConversationStats {
        conversations: sum(|day| day.conversations),
        answered: sum(|day| day.answered),
        unanswered: sum(|day| day.unanswered),
        low: sum(|day| day.low),
        small_talk: sum(|day| day.small_talk),
        filtered: sum(|day| day.filtered),
        total_is: TotalIs::Exact,
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
            low: 1,
            small_talk: 5,
            filtered: 1,
        };
        let (first, last) = ("2026-11-01".parse().unwrap(), "2026-11-30".parse().unwrap());
        let stats = summed(&[day("2026-11-01", 3), day("2026-11-30", 4)], first, last);
        assert_eq!((stats.daily.len(), stats.conversations, stats.answered, stats.unanswered), (30, 2, 7, 4));
        assert_eq!((stats.small_talk, stats.daily[29].small_talk), (10, 5));
        assert_eq!((stats.filtered, stats.daily[29].answered, stats.daily[1].conversations), (2, 4, 0));
    }

    #[test]
    fn the_days_are_those_of_the_filter_and_bounded() {
        let between = |from: Option<&str>, to: Option<&str>| {
            let text = |day: Option<&str>| day.map(str::to_owned);
            let filter =
                ConversationFilter { date_from: text(from), date_to: text(to), ..ConversationFilter::default() };
            let (first, last) = days(&filter, "2026-11-30".parse().unwrap());
            (first.to_string(), last.to_string())
        };
        let days = |first: &str, last: &str| (first.to_owned(), last.to_owned());
        assert_eq!(between(None, None), days("2026-11-01", "2026-11-30"));
        assert_eq!(between(Some("2026-09-15"), None), days("2026-09-15", "2026-11-30"));
        assert_eq!(between(None, Some("2026-10-30")), days("2026-10-01", "2026-10-30"));
        assert_eq!(between(Some("2026-10-01"), Some("2026-10-02")), days("2026-10-01", "2026-10-02"));
        assert_eq!(between(Some("0001-01-01"), Some("9999-12-31")), days("2025-11-30", "2026-11-30"));
        assert_eq!(between(Some("2027-01-01"), None), days("2026-11-30", "2026-11-30"));
    }
}
