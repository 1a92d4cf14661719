//! Forms with files (`multipart/form-data`, RFC 7578), read a piece at a time. Everything that is not the content of a
//! file has at most 16 KiB: the text before the first part, the head of each part, and the text after the last one.

use bytes::{Buf, Bytes, BytesMut};
use futures::{Stream, StreamExt, stream};
use memchr::memmem::{self, Finder};

use crate::error::{ApiError, ApiResult};

/// Maximum bytes of each text around the contents.
pub(super) const MAX_OTHER: usize = 16 * 1024;
/// Maximum bytes of a boundary (RFC 2046, 5.1.1).
const MAX_BOUNDARY: usize = 70;

/// The boundary in the content type of a form.
pub(super) fn boundary(content_type: &str) -> Option<String> {
    let essence = content_type.split(';').next()?.trim();
    let is_form = essence.eq_ignore_ascii_case("multipart/form-data");
    parameter(content_type, "boundary").filter(|text| is_form && (1..=MAX_BOUNDARY).contains(&text.len()))
}

/// A form whose parts are read one after the other.
#[derive(Debug)]
pub(super) struct Form<S> {
    body: S,
    /// The line break before a boundary, and the boundary.
    delimiter: Finder<'static>,
    buffer: BytesMut,
    next: Next,
    received: u64,
    max_bytes: u64,
}

/// What comes next in the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Preamble,
    Head,
    Content,
}

/// What a part says about its content.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) file_name: Option<String>,
    pub(super) content_type: Option<String>,
}

impl<S: Stream<Item = ApiResult<Bytes>> + Unpin> Form<S> {
    /// A form with this boundary, whose body has at most `max_bytes`.
    pub(super) fn new(body: S, boundary: &str, max_bytes: u64) -> Self {
        let delimiter = Finder::new(&format!("\r\n--{boundary}")).into_owned();
        // The first boundary has no line break before it.
        Self { body, delimiter, buffer: BytesMut::from("\r\n"), next: Next::Preamble, received: 0, max_bytes }
    }

    /// The next part, whose content must be read before the part after it; `None` after the last one.
    ///
    /// # Errors
    /// A form that ends early or breaks the rules of its format, `payload_too_large`, and errors of the stream.
    pub(super) async fn next_part(&mut self) -> ApiResult<Option<Part>> {
        match self.next {
            Next::Preamble => self.skip_preamble().await?,
            Next::Head => {}
            Next::Content => return Err(malformed()),
        }
        let mut searched = 0;
        let end = loop {
            if self.buffer.starts_with(b"--") {
                return self.skip_epilogue().await.map(|()| None);
            }
            if let Some(end) = memmem::find(&self.buffer[searched..], b"\r\n\r\n") {
                break searched + end;
            }
            if self.buffer.len() > MAX_OTHER {
                return Err(malformed());
            }
            searched = self.buffer.len().saturating_sub(3);
            self.fill().await?;
        };
        let head = self.buffer.split_to(end + 4);
        self.next = Next::Content;
        part(&head[..end]).map(Some)
    }

    /// The content of the current part.
    pub(super) fn content(&mut self) -> impl Stream<Item = ApiResult<Bytes>> {
        stream::try_unfold(self, |form| async move { Ok(form.piece().await?.map(|piece| (piece, form))) })
    }

    async fn piece(&mut self) -> ApiResult<Option<Bytes>> {
        let length = self.delimiter.needle().len();
        while self.next == Next::Content {
            if let Some(end) = self.delimiter.find(&self.buffer) {
                let piece = self.buffer.split_to(end).freeze();
                self.buffer.advance(length);
                self.next = Next::Head;
                return Ok(Some(piece).filter(|piece| !piece.is_empty()));
            }
            // The last bytes may be the beginning of a delimiter.
            let sure_length = self.buffer.len().saturating_sub(length - 1);
            if sure_length > 0 {
                return Ok(Some(self.buffer.split_to(sure_length).freeze()));
            }
            self.fill().await?;
        }
        Ok(None)
    }

    async fn skip_preamble(&mut self) -> ApiResult<()> {
        let length = self.delimiter.needle().len();
        let mut skipped = 0;
        loop {
            let delimiter_at = self.delimiter.find(&self.buffer);
            let skipped_now = delimiter_at.unwrap_or_else(|| self.buffer.len().saturating_sub(length - 1));
            self.buffer.advance(skipped_now);
            skipped += skipped_now;
            if skipped > MAX_OTHER {
                return Err(malformed());
            }
            if delimiter_at.is_some() {
                self.buffer.advance(length);
                self.next = Next::Head;
                return Ok(());
            }
            self.fill().await?;
        }
    }

    async fn skip_epilogue(&mut self) -> ApiResult<()> {
        let mut skipped = 0;
        loop {
            skipped += self.buffer.len();
            self.buffer.clear();
            if skipped > MAX_OTHER {
                return Err(malformed());
            }
            if !self.read().await? {
                return Ok(());
            }
        }
    }

    /// Waits for more of the body, which must not have ended.
    async fn fill(&mut self) -> ApiResult<()> {
        if self.read().await? { Ok(()) } else { Err(malformed()) }
    }

    /// Waits for more of the body; `false` at its end.
    async fn read(&mut self) -> ApiResult<bool> {
        let Some(piece) = self.body.next().await.transpose()? else { return Ok(false) };
        self.received += piece.len() as u64;
        if self.received > self.max_bytes {
            return Err(ApiError::too_large(self.max_bytes));
        }
        self.buffer.extend_from_slice(&piece);
        Ok(true)
    }
}

fn malformed() -> ApiError {
    ApiError::field(&["body"], "is not a valid form with files", "multipart")
}

/// Reads the head of a part, which begins with the rest of the boundary's line.
fn part(head: &[u8]) -> ApiResult<Part> {
    if head.len() > MAX_OTHER {
        return Err(malformed());
    }
    let head = std::str::from_utf8(head).map_err(|_| malformed())?;
    let mut lines = head.split("\r\n");
    if lines.next().is_some_and(|rest| !rest.trim().is_empty()) {
        return Err(malformed());
    }
    let mut part = Part::default();
    for line in lines.filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').ok_or_else(malformed)?;
        if name.eq_ignore_ascii_case("content-disposition") {
            part.file_name = parameter(value, "filename");
        } else if name.eq_ignore_ascii_case("content-type") {
            part.content_type = Some(value.trim().to_owned());
        }
    }
    Ok(part)
}

/// A parameter of a header's value.
fn parameter(value: &str, name: &str) -> Option<String> {
    let mut rest = value.split_once(';')?.1;
    loop {
        let (key, after) = rest.split_once('=')?;
        let key = key.rsplit(';').next().unwrap_or(key);
        let (parameter_value, after) = match after.trim_start().strip_prefix('"') {
            Some(text) => quoted(text)?,
            None => {
                let end = after.find(';').unwrap_or(after.len());
                (after[..end].trim().to_owned(), &after[end..])
            }
        };
        if key.trim().eq_ignore_ascii_case(name) {
            return Some(parameter_value);
        }
        rest = after.split_once(';')?.1;
    }
}

/// A text up to its closing quote, and what follows. A backslash escapes only a quote, because browsers send others
/// unescaped.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut content = String::new();
    let mut characters = text.char_indices().peekable();
    while let Some((place, character)) = characters.next() {
        match character {
            '"' => return Some((content, &text[place + 1..])),
            '\\' if characters.next_if(|(_, next)| *next == '"').is_some() => content.push('"'),
            character => content.push(character),
        }
    }
    None
}

#[cfg(test)]
mod tests;
