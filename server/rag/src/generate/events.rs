//! Parses the server-sent events of a chat endpoint from bytes in any chunks, with bounded memory.

use std::time::Duration;

use serde::Deserialize;

/// Maximum bytes of one line.
const LINE: usize = 64 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Event {
    /// More text of the answer; may be empty.
    Text(String),
    /// The answer is complete, or was cut at a length limit. [`Event::Usage`] may follow.
    End { is_cut: bool },
    /// How long the endpoint read the prompt, as llama-server measures it. [`Event::Usage`] follows.
    Read(Duration),
    /// The tokens used by the answer.
    Usage(Usage),
    /// The end of the answer.
    Done,
    /// The endpoint reported an error.
    Failed,
}

/// Token usage of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Tokens of the prompt, including cached ones.
    pub prompt: u32,
    /// Tokens of the prompt from the endpoint's cache.
    pub cached: u32,
    /// Tokens of the answer.
    pub answer: u32,
}

impl Usage {
    /// Together with that of another answer.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            prompt: self.prompt.saturating_add(other.prompt),
            cached: self.cached.saturating_add(other.cached),
            answer: self.answer.saturating_add(other.answer),
        }
    }
}

/// A line that is not an event of a chat endpoint, or is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Malformed;

/// An incomplete line.
#[derive(Debug, Default)]
pub(super) struct Events {
    pending: Vec<u8>,
}

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<Tokens>,
    timings: Option<Timings>,
    error: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    delta: Delta,
    finish_reason: Option<String>,
}

#[derive(Deserialize, Default)]
struct Delta {
    content: Option<String>,
}

#[derive(Deserialize)]
struct Tokens {
    #[serde(default)]
    prompt_tokens: u32,
    #[serde(default)]
    completion_tokens: u32,
    prompt_tokens_details: Option<Details>,
}

#[derive(Deserialize)]
struct Timings {
    prompt_ms: Option<f64>,
}

#[derive(Deserialize)]
struct Details {
    cached_tokens: Option<u32>,
}

impl From<Tokens> for Usage {
    fn from(tokens: Tokens) -> Self {
        let cached = tokens.prompt_tokens_details.and_then(|details| details.cached_tokens).unwrap_or_default();
        Self { prompt: tokens.prompt_tokens, cached, answer: tokens.completion_tokens }
    }
}

impl Events {
    /// Takes bytes and returns the events that they complete, in order.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<Vec<Event>, Malformed> {
        let mut events = Vec::new();
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            self.pending.extend_from_slice(&rest[..end]);
            rest = &rest[end + 1..];
            let line = std::mem::take(&mut self.pending);
            self.line(&line, &mut events)?;
        }
        self.pending.extend_from_slice(rest);
        if self.pending.len() > LINE { Err(Malformed) } else { Ok(events) }
    }

    fn line(&self, line: &[u8], events: &mut Vec<Event>) -> Result<(), Malformed> {
        // Skips empty lines, comments and other fields.
        let Some(data) = line.strip_prefix(b"data:") else { return Ok(()) };
        let data = data.trim_ascii();
        if data == b"[DONE]" {
            events.push(Event::Done);
            return Ok(());
        }
        let chunk: Chunk = serde_json::from_slice(data).map_err(|_| Malformed)?;
        if chunk.error.is_some() {
            events.push(Event::Failed);
        }
        if let Some(choice) = chunk.choices.into_iter().next() {
            // The database cannot store NUL.
            events.extend(choice.delta.content.map(|text| Event::Text(text.replace('\0', ""))));
            // Some servers send a finish reason in each chunk: an empty one, or the word `null`.
            let reason = choice.finish_reason.filter(|reason| !matches!(reason.as_str(), "" | "null"));
            events.extend(reason.map(|reason| Event::End { is_cut: reason == "length" }));
        }
        if let Some(tokens) = chunk.usage {
            let read = chunk.timings.and_then(|timings| Duration::try_from_secs_f64(timings.prompt_ms? / 1000.0).ok());
            events.extend(read.map(Event::Read));
            events.push(Event::Usage(tokens.into()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = ": hello\r\n\r\ndata: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\n\n\
                          data: {\"choices\":[{\"delta\":{\"content\":\"Grüße\\u0000\"}}]}\n\n\
                          data:{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

    #[test]
    fn events_do_not_depend_on_the_chunks() {
        let expected = [Event::Text("Grüße".into()), Event::End { is_cut: false }, Event::Done];
        for cut in 0..STREAM.len() {
            let mut events = Events::default();
            let mut parsed = events.take(&STREAM.as_bytes()[..cut]).unwrap();
            parsed.extend(events.take(&STREAM.as_bytes()[cut..]).unwrap());
            assert_eq!(parsed, expected, "{cut}");
        }
    }

    #[test]
    fn what_is_no_event_is_malformed() {
        for bad in ["data: {\"choices\":\n", "data: hello\n", "data: {\"choices\":[{\"delta\":{\"content\":1}}]}\n"] {
            assert_eq!(Events::default().take(bad.as_bytes()), Err(Malformed), "{bad}");
        }
        assert_eq!(Events::default().take(&[b'x'; LINE + 1]), Err(Malformed));
    }

    #[test]
    fn an_answer_that_was_cut_at_its_limit_says_so() {
        let events = Events::default().take(b"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n");
        assert_eq!(events, Ok(vec![Event::End { is_cut: true }]));
    }

    #[test]
    fn tokens_come_in_a_chunk_without_words() {
        let chunk = b"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":700,\"completion_tokens\":20,\
                      \"prompt_tokens_details\":{\"cached_tokens\":250}}}\n";
        let usage = Usage { prompt: 700, cached: 250, answer: 20 };
        assert_eq!(Events::default().take(chunk), Ok(vec![Event::Usage(usage)]));
        let unknown = Events::default().take(b"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7}}\n");
        assert_eq!(unknown, Ok(vec![Event::Usage(Usage { prompt: 7, ..Usage::default() })]));
        assert_eq!(Events::default().take(b"data: {\"choices\":[],\"usage\":null}\n"), Ok(Vec::new()));
    }

    #[test]
    fn llama_server_says_how_long_it_read_the_prompt() {
        let chunk = b"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7},\"timings\":{\"prompt_n\":7,\"prompt_ms\":1500.5}}\n";
        let usage = Event::Usage(Usage { prompt: 7, ..Usage::default() });
        let read = Event::Read(Duration::from_micros(1_500_500));
        assert_eq!(Events::default().take(chunk), Ok(vec![read, usage.clone()]));
        let odd = b"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7},\"timings\":{\"prompt_ms\":-1}}\n";
        assert_eq!(Events::default().take(odd), Ok(vec![usage]));
    }

    #[test]
    fn a_reported_failure_is_one() {
        let events = Events::default().take(b"data: {\"error\":{\"message\":\"overloaded\"}}\n");
        assert_eq!(events, Ok(vec![Event::Failed]));
    }
}
