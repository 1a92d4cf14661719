//! The child's output, with a time limit for each message.

use std::io::{self, BufWriter, StdoutLock, Write};

use nix::unistd::alarm;

use super::message::Message;

/// Seconds beyond the document's own time in which the parent can end the child before it ends itself.
const GRACE_SECONDS: u32 = 10;

/// Standard output, which the parent process reads.
pub(super) struct Output(BufWriter<StdoutLock<'static>>);

impl Output {
    pub(super) fn new() -> Self {
        Self(BufWriter::new(io::stdout().lock()))
    }

    pub(super) fn send(&mut self, message: &Message) -> io::Result<()> {
        serde_json::to_writer(&mut self.0, message)?;
        self.0.write_all(b"\n")?;
        self.0.flush()
    }

    /// Sends the bytes of a file.
    pub(super) fn send_content(&mut self, content: &[u8]) -> io::Result<()> {
        self.send(&Message::Content { bytes: content.len() as u64 })?;
        self.0.write_all(content)?;
        self.0.flush()
    }

    /// Sends with the clock stopped, and starts it for the next message with this many seconds: the parent may be busy
    /// with a file of the archive. If the parent ends, the closed pipe ends the wait.
    pub(super) fn without_deadline(
        &mut self,
        seconds: u64,
        send: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        alarm::cancel();
        let sent = send(self);
        arm(seconds);
        sent
    }
}

/// Ends the process if the parent, which has its own clock, does not.
pub(super) fn arm(seconds: u64) {
    alarm::set(u32::try_from(seconds).unwrap_or(u32::MAX).saturating_add(GRACE_SECONDS));
}
