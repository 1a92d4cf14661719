//! Landlock restricts files, and seccomp restricts system calls.

use std::{collections::BTreeMap, path::Path};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, Scope, make_bitflags, path_beneath_rules,
};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

use crate::sandbox::message::{Recognise, Task};

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

/// System calls that give access to the network, to other processes, and to rarely used parts of the kernel.
const DENIED_CALLS: &[i64] = &[
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_setuid,
    libc::SYS_setgid,
];

/// Files that the text recognition programs read: libraries, their own data, fonts.
const READ: &[&str] = &[
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/share/tesseract-ocr",
    "/usr/share/tessdata",
    "/usr/share/poppler",
    "/usr/share/fonts",
    "/usr/share/fontconfig",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/var/cache/fontconfig",
    "/dev/urandom",
    "/sys/devices/system/cpu",
];

/// The dynamic loaders.
const LOADERS: &[&str] =
    &["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-linux-riscv64-lp64d.so.1"];

/// Bytes of address space that the process uses now, including its program.
pub(super) fn mapped_bytes() -> Result<u64, String> {
    let status = std::fs::read_to_string("/proc/self/status").map_err(|error| error.to_string())?;
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
    let kilobytes = size.and_then(|size| size.split_whitespace().next()?.parse::<u64>().ok());
    Ok(kilobytes.ok_or("the size of the process is not known")? * 1024)
}

/// Removes access that a task does not need. A kernel or a processor without support is not an error:
/// [`super::super::Sandbox::probe`] detects it.
pub(super) fn close(task: &Task) -> Result<(), String> {
    let recognise = match task {
        Task::Recognise(recognise) => Some(recognise),
        _ => None,
    };
    close_files(recognise).map_err(|error| error.to_string())?;
    let arch = std::env::consts::ARCH.try_into();
    let Ok(arch) = arch else { return Ok(()) };
    // An error and not death: a library may try and do without.
    let refuse = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let filter = match recognise {
        // Programs of others need more calls than can be listed: to them the ways out are closed.
        Some(_) => {
            let rules = DENIED_CALLS.iter().map(|call| (*call, Vec::new())).collect();
            SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch)
        }
        None => calls().and_then(|rules| SeccompFilter::new(rules, refuse, SeccompAction::Allow, arch)),
    };
    let program: BpfProgram = filter.and_then(TryInto::try_into).map_err(|error| error.to_string())?;
    match seccompiler::apply_filter(&program) {
        Err(seccompiler::Error::Seccomp(_) | seccompiler::Error::Prctl(_)) | Ok(()) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

/// Closes all files but those that text recognition needs, the network, and signals to others; as much of it as the kernel can.
fn close_files(recognise: Option<&Recognise>) -> Result<(), RulesetError> {
    let rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ABI::V5))?
        .handle_access(AccessNet::from_all(ABI::V4))?
        .scope(Scope::from_all(ABI::V6))?
        .create()?;
    let places = recognise.map(places).unwrap_or_default();
    let rules = places
        .into_iter()
        .try_fold(rules, |rules, (path, access)| rules.add_rules(path_beneath_rules([path], access)))?;
    RulesetCreated::restrict_self(rules).map(|_| ())
}

/// The places that text recognition needs, each with what may be done there.
fn places(order: &Recognise) -> Vec<(&Path, BitFlags<AccessFs>)> {
    let read = make_bitflags!(AccessFs::{ReadFile | ReadDir});
    let run = make_bitflags!(AccessFs::{Execute | ReadFile});
    let own = make_bitflags!(AccessFs::{ReadFile | ReadDir | WriteFile | MakeReg | RemoveFile | Truncate});
    let null = (Path::new("/dev/null"), make_bitflags!(AccessFs::{ReadFile | WriteFile}));
    let programs = [order.programs.tesseract.as_path(), &order.programs.pdftoppm];
    let readable = READ.iter().map(|path| (Path::new(*path), read));
    let runnable = LOADERS.iter().map(Path::new).chain(programs).map(|path| (path, run));
    readable.chain(runnable).chain([(order.folder.as_path(), own), null]).collect()
}

fn calls() -> Result<BTreeMap<i64, Vec<SeccompRule>>, BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = CALLS.iter().map(|call| (*call, Vec::new())).collect();
    // Memory, but not executable.
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
