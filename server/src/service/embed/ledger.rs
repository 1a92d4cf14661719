//! What was asked since it was last written down: counts in memory, bounded, so that noting a request costs a lookup and
//! never waits for the database. What does not fit is not noted.

use std::{
    collections::HashMap,
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use chrono::{DateTime, NaiveDate, Utc};
use contract::{ChatbotId, embed::EmbedOutcome};
use store::widget::origins::OriginRequests;

/// Chatbots that are noted between two writes.
const CHATBOTS: usize = 1000;
/// Ids that no active chatbot has: made-up ones must not take the room of real ones.
const STRANGERS: usize = 100;
/// Lines of one chatbot between two writes.
const LINES: usize = 50;

/// One request of a widget.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The chatbot it named.
    pub chatbot: ChatbotId,
    /// Its origin; empty when it named none that can be read.
    pub origin: &'a str,
    /// What came of it.
    pub outcome: EmbedOutcome,
    /// The version in the page's snippet: empty when it names none, `None` when the request cannot say.
    pub version: Option<&'a str>,
}

/// The requests since the last write.
#[derive(Debug, Default)]
pub struct Ledger(Mutex<Books>);

#[derive(Debug, Default)]
struct Books {
    chatbots: HashMap<ChatbotId, Vec<OriginRequests>>,
    strangers: HashMap<ChatbotId, Vec<OriginRequests>>,
}

impl Ledger {
    /// Notes a request.
    pub fn note(&self, request: &Request<'_>, now: DateTime<Utc>) {
        let line = OriginRequests {
            origin: String::new(),
            day: now.date_naive(),
            outcome: request.outcome,
            requests: 1,
            last_seen_at: now,
            widget_version: None,
        };
        let mut books = self.books();
        let Some(lines) = books.of(request.chatbot, request.outcome) else { return };
        if let Some(known) = find(lines, request.origin, line.day, line.outcome) {
            known.requests += 1;
            known.last_seen_at = now;
            if let Some(version) = request.version
                && known.widget_version.as_deref() != Some(version)
            {
                known.widget_version = Some(version.to_owned());
            }
        } else if lines.len() < LINES {
            let widget_version = request.version.map(str::to_owned);
            lines.push(OriginRequests { origin: request.origin.to_owned(), widget_version, ..line });
        }
    }

    /// Takes everything that was noted.
    pub fn take(&self) -> Vec<(ChatbotId, OriginRequests)> {
        let Books { chatbots, strangers } = mem::take(&mut *self.books());
        let of_one = |(chatbot, lines): (ChatbotId, Vec<_>)| lines.into_iter().map(move |line| (chatbot, line));
        chatbots.into_iter().chain(strangers).flat_map(of_one).collect()
    }

    /// Puts back what could not be written, as far as there is room.
    pub fn put_back(&self, taken: Vec<(ChatbotId, OriginRequests)>) {
        let mut books = self.books();
        for (chatbot, line) in taken {
            let Some(lines) = books.of(chatbot, line.outcome) else { continue };
            if let Some(known) = find(lines, &line.origin, line.day, line.outcome) {
                known.requests += line.requests;
                known.widget_version = known.widget_version.take().or(line.widget_version);
            } else if lines.len() < LINES {
                lines.push(line);
            }
        }
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Books {
    /// The lines of a chatbot, unless there are too many chatbots.
    fn of(&mut self, chatbot: ChatbotId, outcome: EmbedOutcome) -> Option<&mut Vec<OriginRequests>> {
        let (book, most) = match outcome {
            EmbedOutcome::ChatbotDeactivated => (&mut self.strangers, STRANGERS),
            _ => (&mut self.chatbots, CHATBOTS),
        };
        if book.len() >= most && !book.contains_key(&chatbot) {
            return None;
        }
        Some(book.entry(chatbot).or_default())
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

    fn note(ledger: &Ledger, chatbot: u128, origin: &str, outcome: EmbedOutcome) {
        let request = Request { chatbot: ChatbotId(Uuid::from_u128(chatbot)), origin, outcome, version: Some("1") };
        ledger.note(&request, Utc::now());
    }

    #[test]
    fn equal_requests_are_one_line_and_taking_empties() {
        let ledger = Ledger::default();
        for origin in ["https://a.example", "https://b.example", "https://a.example"] {
            note(&ledger, 1, origin, EmbedOutcome::Accepted);
        }
        let mut taken = ledger.take();
        taken.sort_by(|a, b| a.1.origin.cmp(&b.1.origin));
        assert_eq!(taken.iter().map(|(_, line)| line.requests).collect::<Vec<_>>(), [2, 1]);
        assert!(ledger.take().is_empty());
    }

    #[test]
    fn what_is_put_back_is_added_to_what_came_meanwhile() {
        let ledger = Ledger::default();
        note(&ledger, 1, "https://a.example", EmbedOutcome::Accepted);
        let taken = ledger.take();
        note(&ledger, 1, "https://a.example", EmbedOutcome::Accepted);
        ledger.put_back(taken);
        let all = ledger.take();
        assert_eq!((all.len(), all[0].1.requests), (1, 2));
    }

    #[test]
    fn neither_origins_nor_made_up_chatbots_fill_the_memory() {
        let ledger = Ledger::default();
        for number in 0..200 {
            note(&ledger, 1, &format!("https://{number}.example"), EmbedOutcome::OriginNotListed);
            note(&ledger, 1000 + number, "https://a.example", EmbedOutcome::ChatbotDeactivated);
        }
        note(&ledger, 2, "https://a.example", EmbedOutcome::Accepted);
        let taken = ledger.take();
        let strangers = taken.iter().filter(|(_, line)| line.outcome == EmbedOutcome::ChatbotDeactivated).count();
        assert_eq!((taken.len(), strangers), (LINES + STRANGERS + 1, STRANGERS));
    }
}
