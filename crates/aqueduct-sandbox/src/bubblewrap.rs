//! The words that start bubblewrap.

use std::ffi::OsString;
use std::path::Path;

use super::layout::{Layout, LayoutAccess, LayoutEntry, PathKind};

/// Namespaces and rights: nothing of them depends on the command.
///
/// There is no `--die-with-parent`: what a command leaves running (`server &`) continues when the shell has
/// ended, and so does bubblewrap's first process. The guard above them ends all of it.
const ISOLATION: &[&str] = &[
    "--unshare-user",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--unshare-net",
    "--new-session",
    "--cap-drop",
    "ALL",
];

/// What is always there beside the files: devices, and processes, which are the command's own. What is the kernel's
/// stays as it is, also for root. The first process is bubblewrap's, and it can't be inspected: seccomp does
/// not hold it.
const DEVICES: &[&str] = &[
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--ro-bind-try",
    "/proc/sys",
    "/proc/sys",
    "--ro-bind-try",
    "/proc/sysrq-trigger",
    "/proc/sysrq-trigger",
    "--ro-bind-try",
    "/proc/fs",
    "/proc/fs",
    "--tmpfs",
    "/proc/1",
    "--remount-ro",
    "/proc/1",
];

/// The arguments that try whether bubblewrap works here.
pub(super) fn trial() -> impl Iterator<Item = &'static str> {
    ISOLATION.iter().chain(&["--ro-bind", "/", "/"]).chain(DEVICES).chain(&["true"]).copied()
}

/// The arguments for a command that runs in `cwd`.
pub(super) fn arguments(layout: &Layout, cwd: &Path) -> Vec<OsString> {
    let root = layout.places.get(Path::new("/"));
    let whole =
        if root.is_some_and(|place| place.access == LayoutAccess::Write) { "--bind" } else { "--ro-bind" };
    let mut words: Vec<OsString> =
        ISOLATION.iter().chain(&[whole, "/", "/"]).chain(DEVICES).map(Into::into).collect();
    let mut sealed: Vec<OsString> = Vec::new();
    // Paths come sorted: what is in another comes after it.
    for (path, place) in layout.places.iter().filter(|(path, _)| path.parent().is_some()) {
        // A placeholder that is a file is mounted over itself: it already has the right content.
        let is_covered =
            place.access == LayoutAccess::Hide || (place.is_absent && place.kind == PathKind::Folder);
        match (is_covered, place) {
            (true, LayoutEntry { kind: PathKind::File, .. }) => {
                words.extend(["--ro-bind".into(), "/dev/null".into(), path.into()]);
            }
            (true, LayoutEntry { kind: PathKind::Folder, .. }) => {
                words.extend(["--tmpfs".into(), path.into()]);
                sealed.extend(["--remount-ro".into(), path.into()]);
            }
            (false, LayoutEntry { access: LayoutAccess::Write, .. }) => {
                words.extend(["--bind".into(), path.into(), path.into()]);
            }
            (false, _) => words.extend(["--ro-bind".into(), path.into(), path.into()]),
        }
    }
    // Places in what is hidden are made before it is sealed.
    words.extend(sealed);
    words.extend(["--chdir".into(), cwd.into()]);
    words
}
