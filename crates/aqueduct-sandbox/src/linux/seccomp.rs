//! System calls that a command in the sandbox does without.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};

/// What sockets a command may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sockets {
    /// Of the network, which is its own.
    pub(super) network: bool,
    /// To programs outside.
    pub(super) unix: bool,
}

/// Rules: the system call, and what its arguments must be; whatever they are, where there are none.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Calls that are refused as if they did not exist: programs then use older ones, whose arguments can be seen.
const UNKNOWN: &[c_long] = &[
    libc::SYS_clone3,
    libc::SYS_openat2,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

/// Calls that are refused whatever their arguments are: other processes, mounts, keys, the kernel itself.
const REFUSED: &[c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_open_by_handle_at,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_fanotify_init,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
];

/// Flags of `clone` and `unshare` that make namespaces.
const NAMESPACES: &[i32] = &[
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
    // CLONE_NEWTIME, which is a flag of `unshare` alone.
    0x80,
];

/// Calls that set the mode of a file, and which argument it is.
const MODES: &[(c_long, u8)] = &[
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 2),
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    (FCHMODAT2, 2),
    (libc::SYS_openat, 3),
    (libc::SYS_mknodat, 2),
];

/// `fchmodat2`, which has one number everywhere.
const FCHMODAT2: c_long = 452;

/// The bits that make a program run as its owner, or its group.
const SET_ID: [u64; 2] = [0o4000, 0o2000];

/// What puts characters into a terminal's input, or acts on a console.
const TERMINAL: [u64; 2] = [0x5412, 0x541C];

/// Calls of the x32 kind have this bit. Kernels may have them, and the filter treats them the same.
#[cfg(target_arch = "x86_64")]
const X32: c_long = 0x4000_0000;

/// Calls that have another number among those of the x32 kind: ptrace, kexec_load, and process memory.
#[cfg(target_arch = "x86_64")]
const X32_REFUSED: &[c_long] = &[521, 528, 539, 540];

/// `ioctl` among those of the x32 kind.
#[cfg(target_arch = "x86_64")]
const X32_IOCTL: c_long = 514;

/// Takes all of that from this process and those it starts, for good. No program gives them more rights, either.
pub(super) fn confine(sockets: Sockets) -> Result<(), seccompiler::Error> {
    apply(unknown(), libc::ENOSYS)?;
    apply(refused(sockets)?, libc::EPERM)
}

fn apply(rules: Rules, error: i32) -> Result<(), seccompiler::Error> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let action = SeccompAction::Errno(error.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, arch)?;
    let program = BpfProgram::try_from(filter)?;
    apply_filter(&program)
}

fn unknown() -> Rules {
    let mut rules = Rules::new();
    for call in UNKNOWN {
        always(&mut rules, *call);
    }
    rules
}

fn refused(sockets: Sockets) -> Result<Rules, seccompiler::Error> {
    let mut rules = Rules::new();
    for call in REFUSED {
        always(&mut rules, *call);
    }
    for flag in NAMESPACES {
        let flag = u64::from(flag.unsigned_abs());
        when(&mut rules, libc::SYS_unshare, vec![has(0, flag)?]);
        // In `clone` the lowest bits are a signal.
        if flag > 0xFF {
            when(&mut rules, libc::SYS_clone, vec![has(0, flag)?]);
        }
    }
    for (call, argument) in MODES {
        for bit in SET_ID {
            when(&mut rules, *call, vec![has(*argument, bit)?]);
        }
    }
    for request in TERMINAL {
        when(&mut rules, libc::SYS_ioctl, vec![is(1, request)?]);
    }
    for conditions in unwanted(sockets)? {
        when(&mut rules, libc::SYS_socket, conditions);
    }
    // A pair of sockets is harmless, but for one that takes an address with every message.
    if !sockets.unix {
        when(
            &mut rules,
            libc::SYS_socketpair,
            vec![masked(1, 0xF, u64::from(libc::SOCK_DGRAM.unsigned_abs()))?],
        );
    }
    #[cfg(target_arch = "x86_64")]
    {
        for call in X32_REFUSED {
            rules.insert(call | X32, Vec::new());
        }
        for request in TERMINAL {
            let rule = SeccompRule::new(vec![is(1, request)?]).map_err(seccompiler::Error::from)?;
            rules.entry(X32_IOCTL | X32).or_default().push(rule);
        }
    }
    Ok(rules)
}

/// Sockets that a command may not have. Pairs of sockets are another call.
fn unwanted(sockets: Sockets) -> Result<Vec<Vec<SeccompCondition>>, seccompiler::Error> {
    let family = |family: i32| u64::from(family.unsigned_abs());
    // Which addresses there are is asked over netlink.
    let mut families = vec![family(libc::AF_NETLINK)];
    if sockets.network {
        families.extend([family(libc::AF_INET), family(libc::AF_INET6)]);
    }
    if sockets.unix {
        families.push(family(libc::AF_UNIX));
    }
    let others = families.iter().map(|family| is_not(0, *family)).collect::<Result<_, _>>()?;
    let kind = |family: u64, kind: i32| -> Result<Vec<SeccompCondition>, seccompiler::Error> {
        Ok(vec![is(0, family)?, masked(1, 0xF, u64::from(kind.unsigned_abs()))?])
    };
    Ok(vec![
        others,
        vec![is(0, family(libc::AF_NETLINK))?, is_not(2, u64::from(libc::NETLINK_ROUTE.unsigned_abs()))?],
        kind(family(libc::AF_INET), libc::SOCK_RAW)?,
        kind(family(libc::AF_INET6), libc::SOCK_RAW)?,
    ])
}

fn always(rules: &mut Rules, call: c_long) {
    rules.insert(call, Vec::new());
    #[cfg(target_arch = "x86_64")]
    rules.insert(call | X32, Vec::new());
}

fn when(rules: &mut Rules, call: c_long, conditions: Vec<SeccompCondition>) {
    // It can only be refused for having no conditions, and then it would be for every call.
    let Ok(rule) = SeccompRule::new(conditions) else { return always(rules, call) };
    #[cfg(target_arch = "x86_64")]
    rules.entry(call | X32).or_default().push(rule.clone());
    rules.entry(call).or_default().push(rule);
}

fn is(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::Error> {
    Ok(SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)?)
}

fn is_not(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::Error> {
    Ok(SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value)?)
}

fn has(argument: u8, bit: u64) -> Result<SeccompCondition, seccompiler::Error> {
    masked(argument, bit, bit)
}

fn masked(argument: u8, mask: u64, value: u64) -> Result<SeccompCondition, seccompiler::Error> {
    Ok(SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(mask), value)?)
}
