//! Restricts the process: resource limits everywhere, landlock and seccomp where the kernel supports them.

#[cfg(target_os = "linux")]
mod linux;

#[cfg(target_os = "linux")]
pub(crate) use linux::start_model_server;
#[cfg(target_os = "linux")]
pub(super) use linux::without_signals;

use nix::sys::resource::{Resource, rlim_t, setrlimit};

use super::message::{Order, Task};

/// Processor seconds for an archive; each of its files has a separate limit.
const ARCHIVE_SECONDS: u64 = 3600;
/// Maximum open files: input, output, and those of the loader.
const MAX_FILES: rlim_t = 32;
/// Maximum bytes of a page's picture, and of the document that it is rendered from.
const MAX_PICTURE: rlim_t = 1 << 30;

/// Why other systems recognise no text and run no model server.
#[cfg(not(target_os = "linux"))]
const NEEDS_LINUX: &str = "programs can be confined on Linux only";

/// Limits this process; there is no way back.
///
/// # Errors
/// When it cannot be limited. Of landlock and seccomp this is an error only for text recognition, which starts
/// programs: what a reader can still access is found out by [`super::Sandbox::probe`].
pub(super) fn confine(order: &Order) -> Result<(), String> {
    let (seconds, written) = match &order.task {
        // Each program begins to count again.
        Task::Recognise(recognise) | Task::ProbeRecognition { order: recognise, .. } => {
            (recognise.page_seconds, MAX_PICTURE)
        }
        Task::Archive(_) | Task::Contents { .. } => (ARCHIVE_SECONDS.max(order.seconds), 0),
        _ => (order.seconds, 0),
    };
    #[cfg(target_os = "linux")]
    limit(Resource::RLIMIT_AS, linux::mapped_bytes()? + order.memory_bytes)?;
    limit(Resource::RLIMIT_CPU, seconds)?;
    limit(Resource::RLIMIT_NOFILE, MAX_FILES)?;
    // No files except the pictures of pages, and no core dump.
    limit(Resource::RLIMIT_FSIZE, written)?;
    limit(Resource::RLIMIT_CORE, 0)?;
    #[cfg(target_os = "linux")]
    return linux::close(&order.task);
    #[cfg(not(target_os = "linux"))]
    order.task.recognition().map_or(Ok(()), |_| Err(NEEDS_LINUX.to_owned()))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn without_signals<T>(_: impl FnOnce() -> T) -> Result<T, String> {
    Err(NEEDS_LINUX.to_owned())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn start_model_server<T>(_: &[&std::path::Path], _: u16, _: impl FnOnce() -> T) -> Result<T, String> {
    Err(NEEDS_LINUX.to_owned())
}

fn limit(resource: Resource, value: u64) -> Result<(), String> {
    setrlimit(resource, value, value).map_err(|error| format!("{resource:?} could not be limited: {error}"))
}
