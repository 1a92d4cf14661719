//! Requests of websites since the last flush: bounded counters in memory, so that recording a request costs a lookup
//! and never waits for the database. Requests beyond the bound are not counted.

use std::{collections::HashMap, mem};

use chrono::{DateTime, NaiveDate, Utc};
use contract::{ChatbotId, embed::EmbedOutcome};
use parking_lot::Mutex;
use store::widget::origins::OriginRequests;

/// Chatbots that are counted between two flushes.
const MAX_CHATBOTS: usize = 1000;
/// Maximum ids without an active chatbot, counted separately so that made-up ids do not displace real ones.
const MAX_UNKNOWN_CHATBOTS: usize = 100;
/// Lines of one chatbot between two flushes.
const MAX_LINES: usize = 50;

/// One request of a widget.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The chatbot it named.
    pub chatbot: ChatbotId,
    /// Its origin; empty when it named none that can be read.
    pub origin: &'a str,
    /// The result of the request.
    pub outcome: EmbedOutcome,
    /// The version in the page's snippet: empty when it has none, `None` when the request cannot tell.
    pub version: Option<&'a str>,
}

/// The requests since the last flush.
#[derive(Debug, Default)]
pub struct OriginCounters(Mutex<Counters>);

#[derive(Debug, Default)]
struct Counters {
    chatbots: HashMap<ChatbotId, Vec<OriginRequests>>,
    unknown: HashMap<ChatbotId, Vec<OriginRequests>>,
}

impl OriginCounters {
    /// Counts a request.
    pub fn record(&self, request: &Request<'_>, now: DateTime<Utc>) {
        let line = OriginRequests {
            origin: String::new(),
            day: now.date_naive(),
            outcome: request.outcome,
            requests: 1,
            last_seen_at: now,
            widget_version: None,
        };
        let mut counters = self.0.lock();
        let Some(lines) = counters.of(request.chatbot, request.outcome) else { return };
        if let Some(counter) = find(lines, request.origin, line.day, line.outcome) {
            counter.requests += 1;
            counter.last_seen_at = now;
            if let Some(version) = request.version
                && counter.widget_version.as_deref() != Some(version)
            {
                counter.widget_version = Some(version.to_owned());
            }
        } else if lines.len() < MAX_LINES {
            let widget_version = request.version.map(str::to_owned);
            lines.push(OriginRequests { origin: request.origin.to_owned(), widget_version, ..line });
        }
    }

    /// Takes all counters.
    pub fn drain(&self) -> Vec<(ChatbotId, OriginRequests)> {
        let Counters { chatbots, unknown } = mem::take(&mut *self.0.lock());
        let of_one = |(chatbot, lines): (ChatbotId, Vec<_>)| lines.into_iter().map(move |line| (chatbot, line));
        chatbots.into_iter().chain(unknown).flat_map(of_one).collect()
    }

    /// Adds counters that could not be written again, as far as there is room.
    pub fn restore(&self, taken: Vec<(ChatbotId, OriginRequests)>) {
        let mut counters = self.0.lock();
        for (chatbot, line) in taken {
            let Some(lines) = counters.of(chatbot, line.outcome) else { continue };
            if let Some(counter) = find(lines, &line.origin, line.day, line.outcome) {
                counter.requests += line.requests;
                counter.widget_version = counter.widget_version.take().or(line.widget_version);
            } else if lines.len() < MAX_LINES {
                lines.push(line);
            }
        }
    }
}

impl Counters {
    /// The lines of a chatbot, unless there are too many chatbots.
    fn of(&mut self, chatbot: ChatbotId, outcome: EmbedOutcome) -> Option<&mut Vec<OriginRequests>> {
        let (chatbots, limit) = match outcome {
            EmbedOutcome::ChatbotDeactivated => (&mut self.unknown, MAX_UNKNOWN_CHATBOTS),
            _ => (&mut self.chatbots, MAX_CHATBOTS),
        };
        if chatbots.len() >= limit && !chatbots.contains_key(&chatbot) {
            return None;
        }
        Some(chatbots.entry(chatbot).or_default())
    }
}

fn find<'a>(
    lines: &'a mut [OriginRequests],
    origin: &str,
    day: NaiveDate,
    outcome: EmbedOutcome,
) -> Option<&'a mut OriginRequests> {
    lines.iter_mut().find(|line| line.outcome == outcome && line.day == day && line.origin == origin)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn record(counters: &OriginCounters, chatbot: u128, origin: &str, outcome: EmbedOutcome) {
        let request = Request { chatbot: ChatbotId(Uuid::from_u128(chatbot)), origin, outcome, version: Some("1") };
        counters.record(&request, DateTime::UNIX_EPOCH);
    }

    #[test]
    fn equal_requests_share_a_line_and_draining_empties() {
        let counters = OriginCounters::default();
        for origin in ["https://a.example", "https://b.example", "https://a.example"] {
            record(&counters, 1, origin, EmbedOutcome::Accepted);
        }
        let mut taken = counters.drain();
        taken.sort_by(|a, b| a.1.origin.cmp(&b.1.origin));
        assert_eq!(taken.iter().map(|(_, line)| line.requests).collect::<Vec<_>>(), [2, 1]);
        assert!(counters.drain().is_empty());
    }

    #[test]
    fn restored_counters_add_to_newer_ones() {
        let counters = OriginCounters::default();
        record(&counters, 1, "https://a.example", EmbedOutcome::Accepted);
        let taken = counters.drain();
        record(&counters, 1, "https://a.example", EmbedOutcome::Accepted);
        counters.restore(taken);
        let all = counters.drain();
        assert_eq!((all.len(), all[0].1.requests), (1, 2));
    }

    #[test]
    fn origin_counters_are_bounded() {
        let counters = OriginCounters::default();
        for number in 0..200 {
            record(&counters, 1, &format!("https://{number}.example"), EmbedOutcome::OriginNotListed);
            record(&counters, 1000 + number, "https://a.example", EmbedOutcome::ChatbotDeactivated);
        }
        record(&counters, 2, "https://a.example", EmbedOutcome::Accepted);
        let taken = counters.drain();
        let unknown = taken.iter().filter(|(_, line)| line.outcome == EmbedOutcome::ChatbotDeactivated).count();
        assert_eq!((taken.len(), unknown), (MAX_LINES + MAX_UNKNOWN_CHATBOTS + 1, MAX_UNKNOWN_CHATBOTS));
    }
}
