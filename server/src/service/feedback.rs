//! Feedback of visitors: created for a widget with its audit row, listed and counted for a tenant.

pub mod export;
pub mod triage;

use chrono::{Days, NaiveDate, NaiveTime, Utc};
use contract::{
    ChatbotId, ErrorCode, FeedbackId, Page,
    audit::actions,
    feedback::{
        Feedback, FeedbackCategory, FeedbackCreated, FeedbackDay, FeedbackListQuery, FeedbackStats, FeedbackStatsQuery,
        LegacyFeedback, NewFeedback, Rating,
    },
};
use serde_json::{Value, json};
use store::{
    Actor, AuditEntry, Scope, conversations,
    feedback::{self, FeedbackCount},
};
use uuid::Uuid;

use super::chatbot_tx;
use crate::{
    caller::{Caller, WidgetCaller},
    error::{ApiError, ApiResult},
    state::App,
};

/// Records a visitor's feedback.
///
/// # Errors
/// `session_not_found`, `message_not_found`.
pub async fn create(app: &App, widget: &WidgetCaller, mut new: NewFeedback) -> ApiResult<FeedbackCreated> {
    let (tenant, chatbot) = (widget.chatbot.tenant_id, widget.chatbot.config.chatbot_id);
    new.comment = new.comment.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let id = FeedbackId(Uuid::now_v7());
    let mut tx = app.db.write(&Scope::widget(tenant)).await?;
    if let Some(session) = new.session_id
        && !conversations::session_exists(&mut tx, tenant, chatbot, session).await?
    {
        return Err(ErrorCode::SessionNotFound.into());
    }
    if let Some(message) = new.message_id
        && !conversations::answer_exists(&mut tx, tenant, chatbot, new.session_id, message).await?
    {
        return Err(ErrorCode::MessageNotFound.into());
    }
    // Found above, and erased in between.
    feedback::insert(&mut tx, id, tenant, chatbot, &new).await.map_err(|error| match error.constraint() {
        Some("chatbot_feedback_session_fkey") => ErrorCode::SessionNotFound.into(),
        Some("chatbot_feedback_message_fkey") => ErrorCode::MessageNotFound.into(),
        _ => ApiError::from(error),
    })?;
    tx.commit_audited(&entry(widget, id, &new)).await?;
    Ok(FeedbackCreated { id })
}

/// Records feedback as the older demo deployment's widget sends it.
///
/// # Errors
/// As [`create`].
pub async fn create_legacy(app: &App, widget: &WidgetCaller, old: LegacyFeedback) -> ApiResult<FeedbackCreated> {
    let new = NewFeedback {
        chatbot_id: widget.chatbot.config.chatbot_id,
        session_id: Some(old.session_id),
        message_id: Some(old.message_id),
        rating: if old.rating < 0 { Rating::Down } else { Rating::Up },
        category: None,
        comment: old.comment,
    };
    create(app, widget, new).await
}

/// A page of a chatbot's feedback, newest first.
///
/// # Errors
/// `chatbot_not_found`.
pub async fn list(
    app: &App,
    caller: &Caller,
    chatbot: ChatbotId,
    query: &FeedbackListQuery,
) -> ApiResult<Page<Feedback>> {
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, chatbot).await?;
    let page = feedback::list(&mut tx, tenant, chatbot, query).await?;
    Ok(page)
}

/// A chatbot's feedback, counted.
///
/// # Errors
/// `chatbot_not_found`.
pub async fn stats(
    app: &App,
    caller: &Caller,
    chatbot: ChatbotId,
    query: FeedbackStatsQuery,
) -> ApiResult<FeedbackStats> {
    let today = Utc::now().date_naive();
    let back = |days: i64| today - Days::new(days.unsigned_abs() - 1);
    let (first, before) = (back(query.days), back(query.days * 2));
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, chatbot).await?;
    let counts = feedback::count(&mut tx, tenant, chatbot, before.and_time(NaiveTime::MIN).and_utc()).await?;
    let mut stats = summed(&counts, before, today);
    (stats.daily_before, stats.daily) = stats.daily.into_iter().partition(|day| day.date < first);
    Ok(stats)
}

/// The counts, with the days from the first to the last one.
fn summed(counts: &[FeedbackCount], first: NaiveDate, last: NaiveDate) -> FeedbackStats {
    let days = first.iter_days().take_while(|day| *day <= last);
    let mut stats = FeedbackStats {
        total: 0,
        by_rating: [(Rating::Up, 0), (Rating::Down, 0)].into(),
        by_category: FeedbackCategory::ALL.iter().map(|category| (*category, 0)).collect(),
        top_negative_category: None,
        daily: days.map(|date| FeedbackDay { date, up: 0, down: 0 }).collect(),
        daily_before: Vec::new(),
    };
    for count in counts {
        stats.total += count.number;
        *stats.by_rating.entry(count.rating).or_default() += count.number;
        if let (Some(category), Rating::Down) = (count.category, count.rating) {
            *stats.by_category.entry(category).or_default() += count.number;
        }
        let day = count.day.and_then(|date| stats.daily.iter_mut().find(|day| day.date == date));
        match (day, count.rating) {
            (Some(day), Rating::Up) => day.up += count.number,
            (Some(day), Rating::Down) => day.down += count.number,
            (None, _) => {}
        }
    }
    // Of equally frequent categories the first in the contract's order wins, so that the result is stable.
    let most = stats.by_category.values().copied().max().filter(|most| *most > 0);
    stats.top_negative_category =
        stats.by_category.iter().find(|(_, number)| Some(**number) == most).map(|(category, _)| *category);
    stats
}

fn entry(widget: &WidgetCaller, id: FeedbackId, new: &NewFeedback) -> AuditEntry {
    let session = new.session_id.map(|session| session.to_string());
    AuditEntry {
        actor: Actor {
            role: "anonymous",
            user: "widget".to_owned(),
            ip_address: widget.ip_address,
            session_id: session.clone(),
        },
        tenant_id: Some(widget.chatbot.tenant_id),
        chatbot_id: Some(widget.chatbot.config.chatbot_id),
        action: actions::CHATBOT_FEEDBACK_CREATED,
        entity_type: "chatbot_feedback",
        entity_id: id.to_string(),
        details: details(new, session),
    }
}

/// The audit row's details. A visitor's own words stay out of the audit log, from which they could not be erased.
fn details(new: &NewFeedback, session: Option<String>) -> Value {
    let after = json!({
        "message_id": new.message_id,
        "rating": new.rating,
        "category": new.category,
        "has_comment": new.comment.is_some(),
    });
    let mut details = json!({ "before": null, "after": after });
    if let Some(session) = session {
        details["session_id"] = Value::String(session);
    }
    details
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(rating: Rating, category: Option<FeedbackCategory>, day: Option<&str>, number: i64) -> FeedbackCount {
        FeedbackCount { rating, category, day: day.map(|day| day.parse().unwrap()), number }
    }

    #[test]
    fn every_rating_category_and_day_has_an_entry() {
        let stats = summed(&[], "2026-11-01".parse().unwrap(), "2026-11-30".parse().unwrap());
        assert_eq!((stats.total, stats.by_rating.len(), stats.by_category.len(), stats.daily.len()), (0, 2, 6, 30));
        assert_eq!(stats.top_negative_category, None);
    }

    #[test]
    fn the_most_frequent_negative_category_wins() {
        use FeedbackCategory::{Outdated, Tone};
        let (first, last) = ("2026-11-01".parse().unwrap(), "2026-11-30".parse().unwrap());
        let tone = count(Rating::Down, Some(Tone), Some("2026-11-02"), 2);
        let counts = [tone, count(Rating::Down, Some(Outdated), None, 2), count(Rating::Up, None, None, 9)];
        let stats = summed(&counts, first, last);
        assert_eq!((stats.total, stats.by_rating[&Rating::Down]), (13, 4));
        assert_eq!(stats.top_negative_category, Some(Outdated));
        assert_eq!((stats.daily[1].up, stats.daily[1].down), (0, 2));
    }
}
