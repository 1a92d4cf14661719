//! Seccomp: the system calls that a process may make.

use std::collections::BTreeMap;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, sock_filter,
};

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// System calls of a process that computes, reads what is open, and writes what it has found.
const READING: &[i64] = &[
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

/// System calls that give access to other processes and to rarely used parts of the kernel, and those that change files
/// without opening them, which landlock does not restrict or not on every kernel.
const PRIVILEGED: &[i64] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
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
    libc::SYS_truncate,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
];

/// The same number on every processor, and not in every C library.
const FCHMODAT2: i64 = 452;

/// System calls that open the network.
const NETWORK: &[i64] = &[libc::SYS_socket, libc::SYS_socketpair, libc::SYS_connect, libc::SYS_bind];

/// System calls that send signals to other processes or change how they run.
const SIGNALS: &[i64] = &[
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_send_signal,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
];

/// Refuses the calls of the x32 ABI of x86_64: they have numbers of their own, which a list of denied calls does not
/// name. Other numbers are as low on every processor.
const NO_X32: &[sock_filter] = &[
    // Load the call's number; below the bit of x32, jump over the refusal.
    sock_filter { code: 0x20, jt: 0, jf: 0, k: 0 },
    sock_filter { code: 0x35, jt: 0, jf: 1, k: 0x4000_0000 },
    sock_filter { code: 0x06, jt: 0, jf: 0, k: libc::SECCOMP_RET_ERRNO | libc::EPERM.unsigned_abs() },
    sock_filter { code: 0x06, jt: 0, jf: 0, k: libc::SECCOMP_RET_ALLOW },
];

/// Leaves only what a reader needs.
pub(super) fn allow_only_reading() -> Result<(), String> {
    let rules = reading().map_err(|error| error.to_string())?;
    filter(rules, refusal(), SeccompAction::Allow)
}

/// Closes the ways out to programs of others, which need more calls than can be listed.
pub(super) fn deny_ways_out() -> Result<(), String> {
    deny(always([PRIVILEGED, NETWORK]))
}

/// Also closes other processes to them.
pub(super) fn deny_signals() -> Result<(), String> {
    let rules = others_limits().map_err(|error| error.to_string())?;
    deny(always([SIGNALS]).chain(rules))
}

/// Closes the ways out to a server: it accepts connections and makes none.
pub(super) fn deny_connections() -> Result<(), String> {
    const CONNECTS: &[i64] = &[libc::SYS_connect, libc::SYS_sendmsg, libc::SYS_sendmmsg];
    let rules = other_sockets().map_err(|error| error.to_string())?;
    deny(always([PRIVILEGED, CONNECTS]).chain(rules))
}

fn reading() -> Result<Rules, BackendError> {
    let mut rules: Rules = always([READING]).collect();
    // Memory, but not executable.
    let executable = u64::from(libc::PROT_EXEC.unsigned_abs());
    for call in [libc::SYS_mmap, libc::SYS_mprotect] {
        rules.insert(call, when(2, SeccompCmpOp::MaskedEq(executable), 0)?);
    }
    // A signal to itself, with which it aborts.
    rules.insert(libc::SYS_tgkill, when(0, SeccompCmpOp::Eq, u64::from(std::process::id()))?);
    Ok(rules)
}

/// Limits of other processes; 0 is the process itself.
fn others_limits() -> Result<Rules, BackendError> {
    Ok(Rules::from([(libc::SYS_prlimit64, when(0, SeccompCmpOp::Ne, 0)?)]))
}

/// Sockets without a connection, those of other kinds than TCP, and a message that names its receiver.
fn other_sockets() -> Result<Rules, BackendError> {
    const KIND: u64 = 0xf;
    let [inet, inet6] = [libc::AF_INET, libc::AF_INET6].map(|family| u64::from(family.unsigned_abs()));
    let is_not = |family| SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, family);
    let other_families = SeccompRule::new(vec![is_not(inet)?, is_not(inet6)?])?;
    let mut sockets = vec![other_families];
    for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_RDM, libc::SOCK_SEQPACKET, libc::SOCK_DCCP] {
        sockets.extend(when(1, SeccompCmpOp::MaskedEq(KIND), u64::from(kind.unsigned_abs()))?);
    }
    let receiver = SeccompCondition::new(4, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?;
    Ok(Rules::from([(libc::SYS_socket, sockets), (libc::SYS_sendto, vec![SeccompRule::new(vec![receiver])?])]))
}

/// These calls, whatever their arguments.
fn always<const N: usize>(calls: [&'static [i64]; N]) -> impl Iterator<Item = (i64, Vec<SeccompRule>)> {
    calls.into_iter().flatten().map(|call| (*call, Vec::new()))
}

/// A rule about one argument.
fn when(argument: u8, comparison: SeccompCmpOp, value: u64) -> Result<Vec<SeccompRule>, BackendError> {
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, comparison, value)?;
    Ok(vec![SeccompRule::new(vec![condition])?])
}

/// An error and not death: a library may try and do without.
fn refusal() -> SeccompAction {
    SeccompAction::Errno(libc::EPERM.unsigned_abs())
}

fn deny(rules: impl Iterator<Item = (i64, Vec<SeccompRule>)>) -> Result<(), String> {
    apply(NO_X32)?;
    filter(rules.collect(), SeccompAction::Allow, refusal())
}

/// Applies rules to this thread and to what it starts.
fn filter(rules: Rules, otherwise: SeccompAction, matching: SeccompAction) -> Result<(), String> {
    let arch = std::env::consts::ARCH.try_into().map_err(|_| "seccomp does not know this processor".to_owned())?;
    let filter = SeccompFilter::new(rules, otherwise, matching, arch);
    let program: BpfProgram = filter.and_then(TryInto::try_into).map_err(|error| error.to_string())?;
    apply(&program)
}

fn apply(program: &[sock_filter]) -> Result<(), String> {
    seccompiler::apply_filter(program).map_err(|error| format!("seccomp cannot restrict system calls: {error}"))
}
