//! Restricts the process: resource limits everywhere, landlock and seccomp where the kernel supports them.

#[cfg(target_os = "linux")]
mod linux;

use nix::sys::resource::{Resource, rlim_t, setrlimit};

use super::message::{Order, Task};

/// Processor seconds for an archive; each of its files has a separate limit.
const ARCHIVE_SECONDS: u64 = 3600;
/// Maximum open files: input, output, and those of the loader.
const MAX_FILES: rlim_t = 32;
/// Maximum bytes of a page's picture, and of the document that it is rendered from.
const MAX_PICTURE: rlim_t = 1 << 30;

/// Limits this process; there is no way back.
pub(super) fn confine(order: &Order) -> Result<(), String> {
    let (seconds, written) = match &order.task {
        // Each program begins to count again.
        Task::Recognise(recognise) => (recognise.page_seconds, MAX_PICTURE),
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
    linux::close(&order.task)?;
    Ok(())
}

fn limit(resource: Resource, value: u64) -> Result<(), String> {
    setrlimit(resource, value, value).map_err(|error| format!("{resource:?} could not be limited: {error}"))
}
