//! Parses server-sent events as the platform writes them.

/// An event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The value of its line `event`.
    pub name: String,
    /// Its data, as JSON.
    pub data: String,
}

impl Event {
    /// Parses an event with one line of data; `None` for a comment.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let field = |name: &str| {
            let mut values = text.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            values.next().map(|value| value.trim_start().to_owned())
        };
        Some(Self { name: field("event")?, data: field("data")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_has_a_name_and_data_and_a_comment_has_neither() {
        let event = Event::parse("event: idle\ndata: {\"a\": 1}\n\n");
        assert_eq!(event, Some(Event { name: "idle".to_owned(), data: "{\"a\": 1}".to_owned() }));
        assert_eq!(Event::parse(":\n\n"), None);
        assert_eq!(Event::parse(": data: {}\n\n"), None);
    }
}
