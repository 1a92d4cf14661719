//! What a process takes from itself. Limits of resources are everywhere; landlock and seccomp where the kernel has them.

use nix::sys::resource::{Resource, rlim_t, setrlimit};

use super::message::{Order, Task};

/// Processor seconds for an archive, each of whose files has its own time besides.
const ARCHIVE_SECONDS: u64 = 3600;
/// Open files at most: input, output, and what the loader left.
const MAX_FILES: rlim_t = 32;

/// Limits this process; there is no way back.
pub(super) fn confine(order: &Order) -> Result<(), String> {
    let seconds = match order.task {
        Task::Archive { .. } | Task::Count { .. } => ARCHIVE_SECONDS.max(order.seconds),
        _ => order.seconds,
    };
    #[cfg(target_os = "linux")]
    limit(Resource::RLIMIT_AS, linux::mapped_bytes()? + order.memory_bytes)?;
    limit(Resource::RLIMIT_CPU, seconds)?;
    limit(Resource::RLIMIT_NOFILE, MAX_FILES)?;
    // Neither files nor dumps of what was in memory.
    limit(Resource::RLIMIT_FSIZE, 0)?;
    limit(Resource::RLIMIT_CORE, 0)?;
    #[cfg(target_os = "linux")]
    {
        linux::close_files()?;
        linux::close_calls()?;
    }
    Ok(())
}

fn limit(resource: Resource, value: u64) -> Result<(), String> {
    setrlimit(resource, value, value).map_err(|error| format!("{resource:?} could not be limited: {error}"))
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeMap;

    use landlock::{ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, Scope};
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    };

    /// Bytes of address space that the process has now: its program is part of it.
    pub(super) fn mapped_bytes() -> Result<u64, String> {
        let status = std::fs::read_to_string("/proc/self/status").map_err(|error| error.to_string())?;
        let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
        let kilobytes = size.and_then(|size| size.split_whitespace().next()?.parse::<u64>().ok());
        Ok(kilobytes.ok_or("the size of the process is not known")? * 1024)
    }

    /// Closes all files, the network, and signals to others; as much of it as the kernel can.
    pub(super) fn close_files() -> Result<(), String> {
        let closed = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(ABI::V5))
            .and_then(|rules| rules.handle_access(AccessNet::from_all(ABI::V4)))
            .and_then(|rules| rules.scope(Scope::from_all(ABI::V6)))
            .and_then(Ruleset::create)
            .and_then(landlock::RulesetCreated::restrict_self);
        closed.map(|_| ()).map_err(|error| error.to_string())
    }

    /// System calls of a process that computes, reads what is open, and writes what it has found.
    const CALLS: &[i64] = &[
        libc::SYS_read,
        libc::SYS_readv,
        libc::SYS_pread64,
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_lseek,
        libc::SYS_close,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_madvise,
        libc::SYS_brk,
        libc::SYS_futex,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_restart_syscall,
        libc::SYS_sigaltstack,
        libc::SYS_setitimer,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_alarm,
        libc::SYS_clock_gettime,
        libc::SYS_getrandom,
        libc::SYS_sched_yield,
        libc::SYS_getpid,
        libc::SYS_gettid,
        libc::SYS_exit,
        libc::SYS_exit_group,
    ];

    /// Refuses every other system call, with an error and not with death: a library may try and do without. A kernel or a processor
    /// without such filters is no error: [`super::super::Sandbox::probe`] finds out.
    pub(super) fn close_calls() -> Result<(), String> {
        let Ok(arch) = std::env::consts::ARCH.try_into() else { return Ok(()) };
        let rules = rules().map_err(|error| error.to_string())?;
        let refuse = SeccompAction::Errno(libc::EPERM as u32);
        let filter =
            SeccompFilter::new(rules, refuse, SeccompAction::Allow, arch).map_err(|error| error.to_string())?;
        let program: BpfProgram = filter.try_into().map_err(|error: seccompiler::BackendError| error.to_string())?;
        match seccompiler::apply_filter(&program) {
            Err(seccompiler::Error::Seccomp(_) | seccompiler::Error::Prctl(_)) | Ok(()) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn rules() -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> = CALLS.iter().map(|call| (*call, Vec::new())).collect();
        // Memory, but none that is run.
        let executable = u64::from(libc::PROT_EXEC.unsigned_abs());
        for call in [libc::SYS_mmap, libc::SYS_mprotect] {
            let plain = SeccompCondition::new(2, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(executable), 0)?;
            rules.insert(call, vec![SeccompRule::new(vec![plain])?]);
        }
        // A signal to itself, with which it aborts.
        let own = u64::from(std::process::id());
        let own = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, own)?;
        rules.insert(libc::SYS_tgkill, vec![SeccompRule::new(vec![own])?]);
        Ok(rules)
    }
}
