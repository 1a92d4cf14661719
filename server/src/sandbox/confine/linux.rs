//! Landlock restricts files, and seccomp restricts system calls.

mod calls;
mod files;

use std::{path::Path, thread};

use self::files::Places;
use crate::sandbox::message::Task;

/// Bytes of address space that the process uses now, including its program.
pub(super) fn mapped_bytes() -> Result<u64, String> {
    let status = std::fs::read_to_string("/proc/self/status").map_err(|error| error.to_string())?;
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
    let kilobytes = size.and_then(|size| size.split_whitespace().next()?.parse::<u64>().ok());
    Ok(kilobytes.ok_or("the size of the process is not known")? * 1024)
}

/// Removes access that a task does not need. For a reader it is no error when the kernel or the processor cannot do it:
/// the system calls that it has left reach little, and [`super::super::Sandbox::probe`] detects it. Text recognition
/// starts programs, so it needs both.
pub(super) fn close(task: &Task) -> Result<(), String> {
    if let Some(order) = task.recognition() {
        files::close(Places::of_recognition(order))?;
        return calls::deny_ways_out();
    }
    files::close_all_if_possible()?;
    // The probe finds out.
    let _ = calls::allow_only_reading();
    Ok(())
}

/// Does something in a thread whose programs, unlike the other threads, can neither send signals to other processes nor
/// change their limits. The other threads can end programs that take too long.
pub(in crate::sandbox) fn without_signals<T: Send>(act: impl FnOnce() -> T + Send) -> Result<T, String> {
    in_thread(|| calls::deny_signals().map(|()| act()))
}

/// Starts a model server, in a thread that has given up everything that it does not need: its programs may read these
/// folders and listen on this port, and connect to nothing.
pub(crate) fn start_model_server<T: Send>(
    folders: &[&Path],
    port: u16,
    start: impl FnOnce() -> T + Send,
) -> Result<T, String> {
    in_thread(|| {
        files::close(Places::of_model_server(folders, port))?;
        calls::deny_connections()?;
        Ok(start())
    })
}

/// The limits of a thread are those of the processes that it starts.
fn in_thread<T: Send>(act: impl FnOnce() -> Result<T, String> + Send) -> Result<T, String> {
    let crashed = |_| "the thread that starts programs crashed".to_owned();
    thread::scope(|scope| scope.spawn(act).join().map_err(crashed)?)
}
