//! Attempts to escape the sandbox.

use aqueduct_testing::{has_perl, require, skip_part};
use serde_json::json;

use super::{By, everything, place, run, start_bold};

/// Attempts to escape or to gain privileges. Each prints `out` if it succeeds.
const ESCAPES: &[&str] = &[
    "unshare -Ur true && echo out",
    "unshare -m true && echo out",
    "mkdir m; mount -t tmpfs none m && echo out; rmdir m",
    "mount -o remount,rw / && echo out",
    "umount .claude && echo out",
    "chroot / true && echo out",
    "mknod device c 1 3 && echo out",
    "echo x > /proc/sys/kernel/core_pattern && echo out",
    "cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness && echo out",
    "echo x > /proc/sysrq-trigger && echo out",
    "cp /bin/true t; chmod u+s t && echo out; rm -f t",
    "cp /bin/true t; chmod g+s t && echo out; rm -f t",
    "ln /etc/passwd passwd && echo out",
    "for p in /proc/[0-9]*; do [ -e $p/root/proc/$PPID/../$AGENT/exe ] && echo out; done",
    "kill -0 $AGENT && echo out",
    "cat /proc/$AGENT/environ && echo out",
    "ls /proc/1/root/ | grep . && echo out",
    "head -c 1 /proc/1/mem && echo out",
    "ls -l /proc/self/fd | grep -v -e pipe: -e /dev/null -e /proc/ -e total && echo out",
    "echo x > /sys/kernel/uevent_helper && echo out",
    "cat /dev/mem && echo out",
    "ls /dev/sd* /dev/vd* /dev/nvme* && echo out",
    "nsenter -t 1 -m true && echo out",
    "sudo -n true && echo out",
    "su -c true daemon && echo out",
    "perl -e 'exit(syscall(101, 0, 0, 0, 0) == 0 ? 0 : 1)' && echo out",
    "perl -e '$s = \"x\"; exit(ioctl(STDERR, 0x5412, $s) ? 0 : $!{EPERM} ? 1 : 0)' && echo out",
    "perl -e 'syscall(425, 1, 0); exit($!{ENOSYS} ? 1 : 0)' && echo out",
    "perl -e 'syscall(250, 0, 0); exit($!{EPERM} ? 1 : 0)' && echo out",
    "perl -e 'syscall(41, 17, 3, 0); exit($!{EPERM} ? 1 : 0)' && echo out",
    "perl -e 'syscall(0x40000000 + 41, 1, 1, 0); exit($!{EPERM} || $!{ENOSYS} ? 1 : 0)' && echo out",
];

/// The same under Landlock alone, which leaves the processes and the network of others visible.
const LANDLOCK_ESCAPES: &[&str] = &[
    "grep -q -E '^Cap(Eff|Prm|Amb):.*[1-9a-f]' /proc/self/status && echo out",
    "mknod device c 1 3 && echo out",
    "mknod device b 1 3 && echo out",
    "ip addr add 192.0.2.9/32 dev lo && echo out",
    "kill -0 $AGENT && echo out",
    "cat /proc/$AGENT/environ && echo out",
    "head -c 1 /proc/$AGENT/mem && echo out",
    "readlink /proc/$AGENT/fd/0 && echo out",
    "unshare -Ur true && echo out",
    "mkdir m; mount -t tmpfs none m && echo out; rmdir m",
    "echo x > /proc/sys/kernel/core_pattern && echo out",
    "cp /bin/true t; chmod u+s t && echo out; rm -f t",
    "ln /etc/passwd passwd && echo out",
    "ls -l /proc/self/fd | grep -v -e pipe: -e /dev/null -e /proc/ -e total && echo out",
    "sudo -n true && echo out",
];

#[test]
fn attempts_to_get_out_fail() {
    attempt(By::Bubblewrap, ESCAPES);
}

#[test]
fn attempts_to_get_out_of_landlock_fail() {
    attempt(By::Landlock, LANDLOCK_ESCAPES);
}

fn attempt(by: By, escapes: &[&str]) {
    let place = require!(place(by, json!({ "enabled": true })));
    let mut host = start_bold(&place);
    let agent = host.id();
    for escape in escapes {
        // System call numbers are specific to one architecture.
        if escape.starts_with("perl")
            && let Err(missing) = has_perl()
        {
            skip_part(&missing);
            continue;
        }
        let (_, text) = run(&mut host, &format!("AGENT={agent}; {escape}"));
        assert!(!text.lines().any(|line| line == "out"), "{escape}: {text}");
    }
    host.end();
    assert_eq!(everything(&place.project()), Vec::<String>::new());
}
