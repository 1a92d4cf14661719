//! The progress of reading a chatbot's documents: a snapshot, and a stream of changes while something is being read.
//!
//! Between two polls neither a connection nor a permit of the tenant's share is held.

use std::{collections::HashMap, time::Duration};

use contract::{
    ChatbotId, ErrorCode,
    documents::{DocumentState, ReadingDocument, SourceListQuery, SourceProgress},
    id::DocumentId,
    page::MAX_LIMIT,
};
use store::documents::list::{self, reading};
use tokio::time::{Instant, sleep_until};

use crate::{
    admission::stream_limiter::StreamPermit,
    caller::Caller,
    error::{ApiError, ApiResult},
    service::{chatbot_tx, people::signed_in},
    shutdown::Stop,
    state::App,
};

/// Minimum polling interval.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// A slow poll is followed by a pause of this many times its duration.
const PAUSE_FACTOR: u32 = 20;
/// Between two checks of the caller's session and tenant.
const CHECK_EVERY: Duration = Duration::from_secs(15);
/// The longest life of a stream.
const MAX_TIME: Duration = Duration::from_secs(600);
/// Maximum consecutive polls that may find the database busy.
const MAX_FAILURES: u32 = 5;
/// Documents that are followed.
const MAX_FOLLOWED: i64 = 500;
/// Documents in the list of those that are being read.
const MAX_READING: usize = 200;
/// Changed documents of one event.
const MAX_CHANGED: usize = 100;

/// The states of the followed documents at the last poll.
type Followed = HashMap<DocumentId, DocumentState>;

/// An event of the stream.
#[derive(Debug)]
pub enum Event {
    /// How far the sources are now.
    Progress(SourceProgress),
    /// The end: progress is no longer available.
    Failed(ApiError),
}

/// A snapshot of the progress.
///
/// # Errors
/// `chatbot_not_found`.
pub async fn now(app: &App, caller: &Caller, chatbot: ChatbotId) -> ApiResult<SourceProgress> {
    next_snapshot(app, caller, chatbot, &mut Followed::new()).await
}

/// A stream of progress. It ends when nothing is being read any more, when the caller's token expires, when the server stops, and
/// after ten minutes.
#[derive(Debug)]
pub struct Watch {
    app: App,
    caller: Caller,
    chatbot: ChatbotId,
    followed: Followed,
    last: SourceProgress,
    has_started: bool,
    has_ended: bool,
    look_at: Instant,
    check_at: Instant,
    ends_at: Instant,
    stop: Stop,
    _permit: StreamPermit,
}

impl Watch {
    /// Starts a stream with a first poll.
    ///
    /// # Errors
    /// `chatbot_not_found`; `rate_limited` when the tenant has as many streams as it may.
    pub async fn start(app: &App, caller: &Caller, chatbot: ChatbotId, stop: Stop) -> ApiResult<Self> {
        let permit = app.stream_limiter().acquire(caller.tenant()?)?;
        let began = Instant::now();
        let mut followed = Followed::new();
        let last = next_snapshot(app, caller, chatbot, &mut followed).await?;
        let token_time = (caller.identity.expires_at - chrono::Utc::now()).to_std().unwrap_or_default();
        Ok(Self {
            app: app.clone(),
            caller: caller.clone(),
            chatbot,
            followed,
            last,
            has_started: false,
            has_ended: false,
            look_at: pause_after(began),
            check_at: began + CHECK_EVERY,
            ends_at: began + MAX_TIME.min(token_time),
            stop,
            _permit: permit,
        })
    }

    /// The next event; `None` at the end.
    pub async fn next(&mut self) -> Option<Event> {
        if self.has_ended {
            return None;
        }
        if self.has_started {
            let (stop, ends_at) = (self.stop.clone(), self.ends_at);
            let change = tokio::select! {
                change = self.change() => change,
                () = stop.requests_ended() => return None,
                () = sleep_until(ends_at) => return None,
            };
            match change {
                Ok(progress) => self.last = progress,
                Err(error) => {
                    self.has_ended = true;
                    return Some(Event::Failed(error));
                }
            }
        }
        self.has_started = true;
        self.has_ended = !self.last.is_working();
        Some(Event::Progress(self.last.clone()))
    }

    /// Polls until something has changed.
    async fn change(&mut self) -> ApiResult<SourceProgress> {
        let mut failures = 0;
        loop {
            sleep_until(self.look_at).await;
            let began = Instant::now();
            let progress = self.look_again().await;
            self.look_at = pause_after(began);
            match progress {
                Ok(progress) if has_changed(&self.last, &progress) => return Ok(progress),
                Ok(_) => failures = 0,
                Err(error) if matches!(error.status(), 429 | 503) && failures < MAX_FAILURES => failures += 1,
                Err(error) => return Err(error),
            }
        }
    }

    async fn look_again(&mut self) -> ApiResult<SourceProgress> {
        if Instant::now() >= self.check_at {
            signed_in::require(&self.app, &self.caller.identity).await?;
            if !self.app.db.is_active(self.caller.tenant()?).await? {
                return Err(ErrorCode::TenantNotActive.into());
            }
            self.check_at = Instant::now() + CHECK_EVERY;
        }
        next_snapshot(&self.app, &self.caller, self.chatbot, &mut self.followed).await
    }
}

/// When the next poll may start, given the start of the last one.
fn pause_after(began: Instant) -> Instant {
    Instant::now() + POLL_INTERVAL.max(began.elapsed() * PAUSE_FACTOR)
}

/// Whether a poll found a difference from the one before.
fn has_changed(before: &SourceProgress, after: &SourceProgress) -> bool {
    !after.changed.is_empty() || before.sources != after.sources || before.reading != after.reading
}

/// One poll in a separate transaction; updates the followed documents.
async fn next_snapshot(
    app: &App,
    caller: &Caller,
    chatbot: ChatbotId,
    followed: &mut Followed,
) -> ApiResult<SourceProgress> {
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, chatbot).await?;
    let all = SourceListQuery { limit: MAX_LIMIT, offset: 0 };
    // Read the sources first: when they have nothing waiting, every followed document has ended.
    let sources = list::sources(&mut tx, tenant, chatbot, &all).await?;
    let unread = reading::unread(&mut tx, tenant, chatbot, MAX_FOLLOWED).await?;
    let states: Followed = unread.iter().map(|document| (document.id, document.state)).collect();
    let mut ids: Vec<DocumentId> =
        followed.iter().filter(|(id, state)| states.get(*id) != Some(*state)).map(|(id, _)| *id).collect();
    ids.truncate(MAX_CHANGED);
    let changed = if ids.is_empty() { Vec::new() } else { reading::by_ids(&mut tx, tenant, chatbot, &ids).await? };
    let being_read = unread.iter().filter(|document| document.state == DocumentState::Reading);
    let being_read = being_read.map(|document| ReadingDocument { id: document.id, progress: document.progress });
    let reading = being_read.take(MAX_READING).collect();
    *followed = states;
    Ok(SourceProgress { sources, reading, changed })
}

#[cfg(test)]
mod tests {
    use contract::{Page, documents::DocumentProgress};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_file_of_an_archive_is_a_change() {
        let sources = Page { items: Vec::new(), total: 0, limit: MAX_LIMIT, offset: 0 };
        let at = |done| {
            let progress = DocumentProgress { done, total: Some(9) };
            let reading = vec![ReadingDocument { id: DocumentId(Uuid::from_u128(1)), progress }];
            SourceProgress { sources: sources.clone(), reading, changed: Vec::new() }
        };
        assert!(has_changed(&at(1), &at(2)));
        assert!(!has_changed(&at(2), &at(2)));
    }
}
