//! The embed record: which websites requested a chatbot, and the outcome. Requests are counted in memory
//! (`state::origin_counters`) and written in batches ([`flush_task`]); this module reads them for the tenant.

pub mod flush_task;

use chrono::{Days, NaiveDate, Utc};
use contract::{
    ChatbotId,
    embed::{EMBED_DAYS, EmbedDay, EmbedOrigin, EmbedReport, EmbedReportQuery, EmbedSettings},
    origin,
};
use store::widget::origins::{self, OriginRequests};

use super::chatbot_tx;
use crate::{caller::Caller, error::ApiResult, state::App};

/// The first day of the retention period.
fn first_day() -> NaiveDate {
    Utc::now().date_naive() - Days::new(EMBED_DAYS.unsigned_abs() - 1)
}

/// The origins that requested a chatbot of the caller's tenant.
///
/// # Errors
/// `chatbot_not_found`.
pub async fn report(
    app: &App,
    caller: &Caller,
    chatbot: ChatbotId,
    query: &EmbedReportQuery,
) -> ApiResult<EmbedReport> {
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, chatbot).await?;
    let allowed = store::branding::find_tenant(&mut tx, tenant).await?.allowed_origins;
    let rows = origins::list(&mut tx, tenant, chatbot, first_day()).await?;
    let settings = |origin: &str| settings(app, &allowed, origin);
    Ok(EmbedReport {
        current_version: app.widget_version().to_owned(),
        asked: query.origin.as_deref().map(settings),
        origins: by_origin(&rows, settings),
    })
}

/// The settings of tenant and platform for an origin.
fn settings(app: &App, allowed: &[String], origin: &str) -> EmbedSettings {
    let listed = app.settings.cors_origins.iter().any(|entry| entry.trim() == origin);
    EmbedSettings {
        is_allowed: origin::is_allowed(origin, allowed.iter().map(String::as_str)),
        is_covered: !origin.is_empty() && (listed || app.settings.cors_tenant_origins),
    }
}

/// Groups rows of days (newest first) by origin, the latest request first.
fn by_origin(rows: &[OriginRequests], settings: impl Fn(&str) -> EmbedSettings) -> Vec<EmbedOrigin> {
    let mut origins: Vec<(&str, EmbedOrigin)> = Vec::new();
    for row in rows {
        let day = EmbedDay { date: row.day, outcome: row.outcome, requests: row.requests };
        if let Some((_, listed)) = origins.iter_mut().find(|(name, _)| *name == row.origin) {
            listed.days.push(day);
            if row.last_seen_at > listed.last_seen_at {
                (listed.last_seen_at, listed.outcome) = (row.last_seen_at, row.outcome);
            }
            continue;
        }
        let origin = EmbedOrigin {
            origin: Some(row.origin.clone()).filter(|origin| !origin.is_empty()),
            outcome: row.outcome,
            last_seen_at: row.last_seen_at,
            widget_version: version(rows, &row.origin),
            settings: settings(&row.origin),
            days: vec![day],
        };
        origins.push((&row.origin, origin));
    }
    let mut origins: Vec<_> = origins.into_iter().map(|(_, origin)| origin).collect();
    origins.sort_by_key(|origin| std::cmp::Reverse(origin.last_seen_at));
    origins
}

/// The version that the origin's last request with a word on it named.
fn version(rows: &[OriginRequests], origin: &str) -> Option<String> {
    let with_version = rows.iter().filter(|row| row.origin == origin && row.widget_version.is_some());
    let last = with_version.max_by_key(|row| row.last_seen_at)?;
    last.widget_version.clone().filter(|version| !version.is_empty())
}

#[cfg(test)]
mod tests {
    use contract::embed::EmbedOutcome::{self, Accepted, OriginNotListed};

    use super::*;

    fn row(origin: &str, last_seen: &str, outcome: EmbedOutcome, version: Option<&str>) -> OriginRequests {
        let last_seen_at: chrono::DateTime<Utc> = last_seen.parse().unwrap();
        let widget_version = version.map(str::to_owned);
        let day = last_seen_at.date_naive();
        OriginRequests { origin: origin.to_owned(), day, outcome, requests: 2, last_seen_at, widget_version }
    }

    #[test]
    fn an_origin_has_its_last_outcome_and_last_named_version() {
        let rows = [
            row("https://a.example", "2026-11-02T09:00:00Z", OriginNotListed, None),
            row("https://a.example", "2026-11-02T10:00:00Z", Accepted, None),
            row("", "2026-11-02T11:00:00Z", OriginNotListed, Some("")),
            row("https://a.example", "2026-11-01T10:00:00Z", Accepted, Some("1.2.0")),
        ];
        let origins = by_origin(&rows, |_| EmbedSettings { is_allowed: true, is_covered: false });
        assert_eq!(
            origins.iter().map(|of| of.origin.as_deref()).collect::<Vec<_>>(),
            [None, Some("https://a.example")]
        );
        assert_eq!((origins[1].outcome, origins[1].days.len()), (Accepted, 3));
        assert_eq!(origins[1].widget_version.as_deref(), Some("1.2.0"));
        assert_eq!(origins[0].widget_version, None);
    }
}
