//! W3C Trace Context: the header `traceparent`. `tracestate` is not handed on, because it is a text of the client.

/// The header's name.
pub(super) const HEADER: &str = "traceparent";

/// The trace of a span, and its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Context {
    pub(super) trace: u128,
    pub(super) span: u64,
    /// Whether the trace is recorded.
    pub(super) is_sampled: bool,
}

impl Context {
    /// The first span of a new trace.
    pub(super) fn root(is_sampled: bool) -> Self {
        Self { trace: rand::random::<u128>().max(1), span: 0, is_sampled }.child()
    }

    /// A new span of the same trace.
    pub(super) fn child(self) -> Self {
        Self { span: rand::random::<u64>().max(1), ..self }
    }

    /// Reads the header; `None` when it is not valid. Later versions may have more fields.
    pub(super) fn parse(header: &str) -> Option<Self> {
        let mut parts = header.trim().split('-');
        let version = hex(parts.next()?, 2)?;
        let trace = hex(parts.next()?, 32)?;
        let span = u64::try_from(hex(parts.next()?, 16)?).ok()?;
        let flags = hex(parts.next()?, 2)?;
        let is_valid = version != 0xff && (version != 0 || parts.next().is_none()) && trace != 0 && span != 0;
        is_valid.then_some(Self { trace, span, is_sampled: flags & 1 == 1 })
    }

    /// The header of a call within the span.
    pub(super) fn header(self) -> String {
        format!("00-{:032x}-{:016x}-{:02x}", self.trace, self.span, u8::from(self.is_sampled))
    }
}

/// A number of exactly `digits` digits in lower case.
fn hex(text: &str, digits: usize) -> Option<u128> {
    let is_hex = text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_hex.then(|| u128::from_str_radix(text, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn a_header_is_read_and_written() {
        let context = Context::parse(HEADER).unwrap();
        assert_eq!(context.header(), HEADER);
        let child = context.child();
        assert!(child.trace == context.trace && child.span != context.span && child.is_sampled);
        assert!(!Context::parse(&HEADER.replace("-01", "-00")).unwrap().is_sampled);
        assert_eq!(Context::parse(&HEADER.replace("00-0", "cc-0").replace("-01", "-01-more")), Some(context));
    }

    #[test]
    fn a_header_that_is_not_valid_is_ignored() {
        for header in [
            "",
            "00",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
            "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-+1",
        ] {
            assert_eq!(Context::parse(header), None, "{header}");
        }
    }

    #[test]
    fn every_trace_and_span_has_another_id() {
        let (one, other) = (Context::root(true), Context::root(true));
        assert!(one.trace != other.trace && one.span != other.span);
    }
}
