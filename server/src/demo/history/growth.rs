//! The growth of a tenant's documents, passages and chatbots to their current number.

use chrono::{Duration, NaiveDate, Utc};
use contract::{TenantId, usage::StoredDay};
use store::{Exemption, Scope, stored_days, usage};

use crate::{error::ApiError, state::App};

/// Pairs of days ago and the percentage of the current number from then on.
type Steps = &'static [(i64, i64)];

const DOCUMENTS: Steps =
    &[(60, 28), (54, 41), (47, 46), (41, 58), (33, 62), (26, 77), (19, 81), (12, 90), (5, 96), (2, 100)];
const PASSAGES: Steps =
    &[(60, 24), (54, 37), (47, 45), (41, 54), (33, 63), (26, 79), (19, 78), (12, 91), (5, 95), (2, 100)];
const PAGES: Steps = &[(38, 55), (30, 70), (16, 92), (9, 88), (3, 100)];
const CHATBOTS: Steps = &[(60, 50), (34, 100)];

/// Records the last two months of a tenant, unless days before today are recorded.
pub(in crate::demo) async fn write(app: &App, tenant: TenantId) -> Result<(), ApiError> {
    let today = Utc::now().date_naive();
    let mut tx = app.db.write(&Scope::tenant(tenant)).await?;
    if stored_days::has_past(&mut tx, tenant, today).await? {
        return Ok(());
    }
    let present = usage::used(&mut tx, tenant).await?.stored(today);
    stored_days::record(&mut tx, tenant, &days(present, today)).await?;
    Ok(tx.commit_exempt(Exemption::Usage).await?)
}

fn days(present: StoredDay, today: NaiveDate) -> Vec<StoredDay> {
    (0..=60).rev().map(|ago| day(present, today, ago)).collect()
}

fn day(present: StoredDay, today: NaiveDate, ago: i64) -> StoredDay {
    StoredDay {
        date: today - Duration::days(ago),
        documents: share(present.documents, DOCUMENTS, ago),
        bytes: share(present.bytes, DOCUMENTS, ago),
        passages: share(present.passages, PASSAGES, ago),
        pages: share(present.pages, PAGES, ago),
        chatbots: share(present.chatbots, CHATBOTS, ago),
    }
}

/// The number `ago` days ago, given the `present` one, rounded up: if there is one today, there was one from the first
/// step on.
fn share(present: i64, steps: Steps, ago: i64) -> i64 {
    let percent = steps.iter().rev().find(|(begin, _)| *begin >= ago).map_or(0, |(_, percent)| *percent);
    (present * percent + 99) / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_months_end_at_what_there_is() {
        let today = NaiveDate::from_ymd_opt(2026, 11, 25).unwrap();
        let present = StoredDay { date: today, documents: 40, bytes: 0, passages: 900, pages: 12, chatbots: 2 };
        let days = days(present, today);
        assert_eq!(days.len(), 61);
        assert_eq!(days.last(), Some(&present));
        assert_eq!((days[0].documents, days[0].pages, days[0].chatbots), (12, 0, 1));
        assert!(days.is_sorted_by_key(|day| day.date) && days.is_sorted_by_key(|day| day.documents));
        assert!(days.iter().all(|day| day.bytes == 0 && day.passages <= 900));
    }
}
