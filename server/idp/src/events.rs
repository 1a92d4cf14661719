//! The login events of all realms, in the format of Keycloak's event endpoint.

use std::{collections::VecDeque, net::IpAddr};

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use serde_json::{Map, Value};

/// Maximum number of events; the oldest are removed.
const MAX_EVENTS: usize = 10_000;
/// The default of `max`, as in Keycloak.
const DEFAULT_MAX: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum EventType {
    Login,
    LoginError,
    Logout,
}

/// One event. Times are Unix milliseconds.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) time: i64,
    #[serde(rename = "type")]
    pub(crate) kind: EventType,
    pub(crate) realm_id: String,
    pub(crate) client_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) user_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ip_address: Option<IpAddr>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<&'static str>,
    pub(crate) details: Map<String, Value>,
}

/// The newest events of all realms.
pub(crate) struct Events {
    events: VecDeque<Event>,
}

/// Which events are returned; without conditions all of them.
#[derive(Debug, Default)]
pub(crate) struct Filter {
    kinds: Vec<String>,
    client: Option<String>,
    user: Option<String>,
    from_millis: Option<i64>,
    to_millis: Option<i64>,
    first: usize,
    max: usize,
}

impl Events {
    pub(crate) fn new() -> Self {
        Self { events: VecDeque::new() }
    }

    pub(crate) fn push(&mut self, event: Event) {
        if self.events.len() >= MAX_EVENTS {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }

    /// The events of a realm that pass the filter, newest first.
    pub(crate) fn list(&self, realm: &str, filter: &Filter) -> Vec<Event> {
        let matching = self.events.iter().rev().filter(|event| event.realm_id == realm && filter.passes(event));
        matching.skip(filter.first).take(filter.max).cloned().collect()
    }
}

impl Filter {
    /// Reads the parameters of Keycloak: `type` (may repeat), `client`, `user`, `dateFrom`, `dateTo`, `first`, `max`.
    /// Dates are days (`2026-11-21`) or Unix milliseconds; both ends are included. Other parameters are ignored.
    pub(crate) fn from_pairs(pairs: Vec<(String, String)>) -> Result<Self, String> {
        let mut filter = Self { max: DEFAULT_MAX, ..Self::default() };
        for (name, value) in pairs.into_iter().filter(|(_, value)| !value.is_empty()) {
            match name.as_str() {
                "type" => filter.kinds.push(value),
                "client" => filter.client = Some(value),
                "user" => filter.user = Some(value),
                "dateFrom" => filter.from_millis = Some(millis(&value, 0).ok_or_else(|| bad("dateFrom"))?),
                "dateTo" => filter.to_millis = Some(millis(&value, 86_399_999).ok_or_else(|| bad("dateTo"))?),
                "first" => filter.first = value.parse().map_err(|_| bad("first"))?,
                "max" => filter.max = value.parse().map_err(|_| bad("max"))?,
                _ => {}
            }
        }
        Ok(filter)
    }

    fn passes(&self, event: &Event) -> bool {
        let kind = serde_json::to_value(event.kind).unwrap_or_default();
        (self.kinds.is_empty() || self.kinds.iter().any(|accepted| kind == *accepted.as_str()))
            && self.client.as_ref().is_none_or(|client| *client == event.client_id)
            && self.user.as_ref().is_none_or(|user| event.user_id.as_ref() == Some(user))
            && self.from_millis.is_none_or(|from| event.time >= from)
            && self.to_millis.is_none_or(|to| event.time <= to)
    }
}

fn bad(name: &str) -> String {
    format!("the parameter {name} cannot be understood")
}

fn millis(text: &str, end_of_day: i64) -> Option<i64> {
    if let Ok(millis) = text.parse() {
        return Some(millis);
    }
    let day = text.parse::<NaiveDate>().ok()?.and_hms_opt(0, 0, 0)?;
    Some(DateTime::<Utc>::from_naive_utc_and_offset(day, Utc).timestamp_millis() + end_of_day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(time: i64, kind: EventType) -> Event {
        Event {
            id: time.to_string(),
            time,
            kind,
            realm_id: "svc-platform".to_owned(),
            client_id: "svc-api".to_owned(),
            user_id: None,
            session_id: None,
            ip_address: None,
            error: None,
            details: Map::new(),
        }
    }

    fn times(filter: &[(&str, &str)]) -> Vec<i64> {
        let mut events = Events::new();
        for time in [1_000, 2_000, 3_000] {
            events.push(event(time, EventType::Login));
        }
        events.push(event(4_000, EventType::Logout));
        let pairs = filter.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let filter = Filter::from_pairs(pairs).unwrap();
        events.list("svc-platform", &filter).iter().map(|event| event.time).collect()
    }

    #[test]
    fn the_newest_event_comes_first() {
        assert_eq!(times(&[]), [4_000, 3_000, 2_000, 1_000]);
    }

    #[test]
    fn type_and_time_narrow_the_list_and_pages_are_cut_from_it() {
        assert_eq!(times(&[("type", "LOGIN"), ("dateFrom", "2000")]), [3_000, 2_000]);
        assert_eq!(times(&[("dateTo", "1970-01-01"), ("first", "1"), ("max", "2")]), [3_000, 2_000]);
        assert_eq!(times(&[("dateFrom", "1970-01-02")]), Vec::<i64>::new());
    }

    #[test]
    fn a_malformed_filter_is_refused() {
        let pairs = vec![("dateFrom".to_owned(), "yesterday".to_owned())];
        assert!(Filter::from_pairs(pairs).unwrap_err().contains("dateFrom"));
    }
}
