//! A child process from the parent's side: started without inherited resources, with a timeout for its messages, and
//! killed on drop.

use std::{
    fs::File,
    io,
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncSeekExt, AsyncWriteExt, BufReader},
    process::{Child, ChildStderr, ChildStdout},
    time::timeout,
};

use super::{
    Failure, NOT_STARTED, Refusal,
    message::{Message, Order},
};
use crate::child;

/// Maximum bytes of the child's error output that are read.
const MAX_LAST_WORDS: u64 = 4096;
/// Rust's message for a failed allocation.
const NO_MEMORY: &str = "memory allocation of";
/// The longest time between the end of the output and that of the process.
const EXIT_TIMEOUT: Duration = Duration::from_secs(5);

/// The child's input.
pub(super) enum Input {
    File(File),
    Bytes { name: String, body: Vec<u8> },
    Nothing,
}

/// A child that is reading.
pub(super) struct Process {
    child: Child,
    messages: BufReader<ChildStdout>,
    errors: ChildStderr,
    timeout: Duration,
    memory_bytes: u64,
    max_line: u64,
}

impl Process {
    pub(super) fn start(program: &Path, order: &Order, input: Input) -> io::Result<Self> {
        let mut command = child::async_command(program);
        command.arg("parse").arg(serde_json::to_string(order)?);
        command.current_dir("/").kill_on_drop(true);
        // The programs of text recognition end with their parent.
        command.process_group(0);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let bytes = match input {
            Input::File(file) => {
                command.stdin(file);
                None
            }
            Input::Bytes { name, body } => {
                command.stdin(Stdio::piped());
                Some((name, body))
            }
            Input::Nothing => {
                command.stdin(Stdio::null());
                None
            }
        };
        let mut child = command.spawn()?;
        if let (Some((name, body)), Some(mut stdin)) = (bytes, child.stdin.take()) {
            // A child that ends early does not read everything.
            tokio::spawn(async move {
                let name = format!("{}\n", name.replace(['\n', '\r'], " "));
                let _ = stdin.write_all(name.as_bytes()).await;
                let _ = stdin.write_all(&body).await;
            });
        }
        let missing = || io::Error::other("the reader has no output");
        let messages = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        let errors = child.stderr.take().ok_or_else(missing)?;
        let (timeout, max_line) = (order.timeout(), order.task.max_line());
        Ok(Self { child, messages, errors, timeout, memory_bytes: order.memory_bytes, max_line })
    }

    /// The child's next message.
    ///
    /// # Errors
    /// When the output ends or is invalid, with the reason from the document, or when the child could not start.
    pub(super) async fn next(&mut self) -> Result<Message, Failure> {
        let mut line = Vec::new();
        let mut bounded = (&mut self.messages).take(self.max_line);
        match timeout(self.timeout, bounded.read_until(b'\n', &mut line)).await {
            Err(_) => return Err(Refusal::timed_out(self.timeout).into()),
            Ok(Err(error)) => return Err(Failure::Unavailable(error)),
            Ok(Ok(_)) => {}
        }
        if line.last() != Some(&b'\n') {
            return Err(if line.len() as u64 == self.max_line {
                Refusal::too_much_text().into()
            } else {
                self.verdict().await
            });
        }
        serde_json::from_slice(&line).map_err(|_| {
            tracing::warn!("sandbox.protocol_error: a reader sent an invalid message");
            Refusal::crashed().into()
        })
    }

    /// The bytes of a file that the child has announced, in a file that has no name. They pass through in pieces.
    ///
    /// # Errors
    /// Like [`Process::next`]; also when there are more than `max_bytes`, or fewer than announced, and when they cannot
    /// be written.
    pub(super) async fn content(&mut self, bytes: u64, max_bytes: u64) -> Result<File, Failure> {
        if bytes > max_bytes {
            tracing::warn!("sandbox.protocol_error: a reader announced a file that is too large");
            return Err(Refusal::crashed().into());
        }
        let spooled = timeout(self.timeout, spool(&mut self.messages, bytes)).await;
        match spooled {
            Err(_) => Err(Refusal::timed_out(self.timeout).into()),
            Ok(Err(error)) => Err(Failure::Unavailable(error)),
            Ok(Ok((_, written))) if written < bytes => Err(self.verdict().await),
            Ok(Ok((file, _))) => Ok(file),
        }
    }

    /// Why the child ended before its time.
    async fn verdict(&mut self) -> Failure {
        let mut last_words = Vec::new();
        let _ = timeout(EXIT_TIMEOUT, (&mut self.errors).take(MAX_LAST_WORDS).read_to_end(&mut last_words)).await;
        let status = match timeout(EXIT_TIMEOUT, self.child.wait()).await {
            Ok(Ok(status)) => status,
            Ok(Err(error)) => return Failure::Unavailable(error),
            Err(_) => return Refusal::timed_out(self.timeout).into(),
        };
        let last_words = String::from_utf8_lossy(&last_words);
        if last_words.contains(NO_MEMORY) {
            return Refusal::out_of_memory(self.memory_bytes).into();
        }
        match (signal(status), status.code()) {
            (Some(Signal::SIGXCPU | Signal::SIGALRM), _) => Refusal::timed_out(self.timeout).into(),
            // The child could not restrict itself or did not understand the order, which is not the document's fault.
            (_, Some(code)) if code == i32::from(NOT_STARTED) => {
                Failure::Unavailable(io::Error::other(format!("the reader did not start: {}", last_words.trim())))
            }
            (signal, code) => {
                tracing::warn!(?signal, ?code, "sandbox.crashed: a document broke its reader");
                Refusal::crashed().into()
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A child that was waited for has no id any more, and its programs have ended.
        if let Some(group) = self.child.id().and_then(|id| i32::try_from(id).ok()) {
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
    }
}

/// Copies up to a limit of bytes into a private file and returns how many there were.
async fn spool(from: &mut (impl AsyncRead + Unpin), bytes: u64) -> io::Result<(File, u64)> {
    let file = tokio::task::spawn_blocking(tempfile::tempfile).await.map_err(io::Error::other)??;
    let mut file = tokio::fs::File::from_std(file);
    let written = tokio::io::copy(&mut from.take(bytes), &mut file).await?;
    file.rewind().await?;
    Ok((file.into_std().await, written))
}

fn signal(status: ExitStatus) -> Option<Signal> {
    status.signal().and_then(|number| Signal::try_from(number).ok())
}
