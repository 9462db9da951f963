//! The system's table of processes: `/proc`, where there is one.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::process::{getuid, test_kill_process};
use thiserror::Error;

use crate::platform;
use crate::process::Pid;

/// What the kernel appends to the path of a file that was removed.
const DELETED: &[u8] = b" (deleted)";

/// Why the table can't be used.
#[derive(Debug, Error)]
pub enum ProcessTableError {
    /// The system has none.
    #[error("this system has no table of processes in /proc")]
    Missing,
    /// It can't be read.
    #[error("/proc is not available here: {0}")]
    Unreadable(#[from] io::Error),
    /// Its numbers are not those that this process uses: a signal would reach another process than the one that was read.
    #[error("/proc belongs to another PID namespace; mount the one of this namespace")]
    Namespace,
}

/// The table of processes.
#[derive(Debug, Clone)]
pub struct ProcessTable {
    root: PathBuf,
}

/// The table's short entry of a process that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stat {
    /// Its number.
    pub pid: i32,
    /// The name of its program.
    pub name: String,
    /// Its parent.
    pub parent: i32,
    /// Its session.
    pub session: i32,
    /// When it began, in the system's own count: with the number it identifies the process.
    pub start: u64,
}

/// A file, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileId {
    device: u64,
    inode: u64,
}

/// Where a link of the table leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkTarget {
    /// The path.
    pub path: PathBuf,
    /// The file was removed: the path is where it was.
    pub is_removed: bool,
}

impl ProcessTable {
    /// The table of this system, unchecked; none where there is none.
    pub fn of_system() -> Option<Self> {
        platform::system::process_table().map(ProcessTable::at)
    }

    /// The table of this system, if its numbers are those that signals need.
    pub fn open() -> Result<Self, ProcessTableError> {
        let table = ProcessTable::of_system().ok_or(ProcessTableError::Missing)?;
        let status = fs::read_to_string(table.root.join("self/status"))?;
        match is_of_this_namespace(&status, std::process::id().cast_signed()) {
            true => Ok(table),
            false => Err(ProcessTableError::Namespace),
        }
    }

    /// A table in this folder, for tests.
    pub fn at(root: PathBuf) -> Self {
        ProcessTable { root }
    }

    /// The numbers of all processes, also of those that have ended and are not reaped.
    pub fn ids(&self) -> io::Result<Vec<i32>> {
        let entries = fs::read_dir(&self.root)?;
        Ok(entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect())
    }

    /// A process that has not ended.
    pub fn stat(&self, pid: i32) -> Option<Stat> {
        Stat::parse(pid, &fs::read(self.place(pid, "stat")).ok()?)
    }

    /// All processes that have not ended. One that ends meanwhile is left out.
    pub fn stats(&self) -> Vec<Stat> {
        self.ids().unwrap_or_default().into_iter().filter_map(|pid| self.stat(pid)).collect()
    }

    /// Whether a process has this number, dead or alive.
    pub fn is_used(&self, pid: i32) -> bool {
        self.place(pid, "stat").exists()
    }

    /// Whether a process has this entry in its environment. Those of other users can't be read, and an ended
    /// one has none.
    pub fn has_variable(&self, pid: i32, entry: &[u8]) -> bool {
        fs::read(self.place(pid, "environ"))
            .is_ok_and(|variables| variables.split(|byte| *byte == 0).any(|variable| variable == entry))
    }

    /// The value of a variable in the environment that a process was started with.
    pub fn variable(&self, pid: i32, name: &str) -> Option<Vec<u8>> {
        let environment = fs::read(self.place(pid, "environ")).ok()?;
        let mut variables = environment.split(|byte| *byte == 0);
        variables.find_map(|line| line.strip_prefix(name.as_bytes())?.strip_prefix(b"=").map(<[u8]>::to_vec))
    }

    /// The arguments of a process, the program first; the last one is empty.
    pub fn arguments(&self, pid: i32) -> Option<Vec<Vec<u8>>> {
        let line = fs::read(self.place(pid, "cmdline")).ok()?;
        Some(line.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect())
    }

    /// The user of a process.
    pub fn user(&self, pid: i32) -> Option<u32> {
        number(&fs::read(self.place(pid, "status")).ok()?, "Uid")
    }

    /// The file that a process runs.
    pub fn program(&self, pid: i32) -> Option<FileId> {
        FileId::of(&self.place(pid, "exe"))
    }

    /// The working directory of a process.
    pub fn folder(&self, pid: i32) -> Option<LinkTarget> {
        LinkTarget::read(&self.place(pid, "cwd"))
    }

    /// The file at a path relative to the working directory of a process.
    pub fn file_at(&self, pid: i32, relative: &str) -> Option<FileId> {
        FileId::of(&self.place(pid, "cwd").join(relative))
    }

    /// The files that a process has open.
    pub fn open_files(&self, pid: i32) -> Vec<(LinkTarget, Option<FileId>)> {
        let entries = fs::read_dir(self.place(pid, "fd")).into_iter().flatten().flatten();
        entries
            .filter_map(|entry| Some((LinkTarget::read(&entry.path())?, FileId::of(&entry.path()))))
            .collect()
    }

    /// The processes that a process descends from, its parent first.
    pub fn ancestors(&self, of: i32) -> Vec<i32> {
        let mut ancestors = Vec::new();
        let mut pid = of;
        while let Some(parent) = self.stat(pid).map(|stat| stat.parent)
            && parent > 0
            && !ancestors.contains(&parent)
        {
            ancestors.push(parent);
            pid = parent;
        }
        ancestors
    }

    fn place(&self, pid: i32, name: &str) -> PathBuf {
        self.root.join(pid.to_string()).join(name)
    }
}

impl Stat {
    /// A process from its `stat` file; none if it has ended. The name may contain spaces and parentheses; it ends at the
    /// last `)`.
    pub fn parse(pid: i32, stat: &[u8]) -> Option<Self> {
        let (begin, end) = (memchr::memchr(b'(', stat)?, memchr::memrchr(b')', stat)?);
        let name = String::from_utf8_lossy(stat.get(begin + 1..end)?).into_owned();
        let rest = std::str::from_utf8(&stat[end + 1..]).ok()?;
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        let has_ended = matches!(*fields.first()?, "Z" | "X" | "x");
        let parent = fields.get(1)?.parse().ok()?;
        let session = fields.get(3)?.parse().ok()?;
        let start = fields.get(19)?.parse().ok()?;
        (!has_ended).then_some(Stat { pid, name, parent, session, start })
    }
}

impl FileId {
    /// The file at a path, links followed.
    pub fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(FileId { device: metadata.dev(), inode: metadata.ino() })
    }
}

impl LinkTarget {
    fn read(path: &Path) -> Option<Self> {
        let target = fs::read_link(path).ok()?;
        let bytes = target.as_os_str().as_bytes();
        Some(match bytes.strip_suffix(DELETED) {
            Some(before) => LinkTarget { path: PathBuf::from(OsStr::from_bytes(before)), is_removed: true },
            None => LinkTarget { path: target, is_removed: false },
        })
    }
}

/// Whether a process runs, and is the one that began then: numbers of processes are used again. Where the system does not
/// report when a process began, its number decides.
pub fn is_running(process: i32, began: Option<&str>) -> bool {
    let Some(pid) = Pid::from_raw(process) else { return false };
    let runs = !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH));
    runs && match (began, start_of(process)) {
        (Some(began), Some(start)) => began == start,
        _ => true,
    }
}

/// When a process began, in the system's own count, where the system reports it.
pub fn start_of(process: i32) -> Option<String> {
    ProcessTable::of_system()?.stat(process).map(|stat| stat.start.to_string())
}

/// The real user of this process, as the table has it.
pub fn own_user() -> u32 {
    getuid().as_raw()
}

/// Whether the numbers in a table are those that this process uses. `NSpid` has the number of a process in each namespace,
/// from that of the table to its own.
pub fn is_of_this_namespace(status: &str, own: i32) -> bool {
    let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:"));
    match numbers {
        Some(numbers) => numbers.split_ascii_whitespace().count() == 1,
        None => number(status.as_bytes(), "Pid") == u32::try_from(own).ok(),
    }
}

/// The first number of a line of a `status` file: of `Uid`, the real user.
fn number(status: &[u8], name: &str) -> Option<u32> {
    let mut lines = status.split(|byte| *byte == b'\n');
    let line = lines.find_map(|line| line.strip_prefix(name.as_bytes())?.strip_prefix(b":"))?;
    std::str::from_utf8(line).ok()?.split_ascii_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_name_may_look_like_the_fields_after_it() {
        let line = b"7 (a) Z 1 (b) S 42 7 9 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 1234 0";
        let stat = Stat::parse(7, line).expect("a live process");
        assert_eq!((stat.parent, stat.session, stat.start), (42, 9, 1234));
        assert_eq!(stat.name, "a) Z 1 (b");
    }

    #[test]
    fn the_dead_are_not_counted() {
        assert!(Stat::parse(7, b"7 (sh) Z 42 7 9 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 1234 0").is_none());
        assert!(Stat::parse(7, b"7 (sh").is_none());
        assert!(Stat::parse(7, b"").is_none());
    }

    #[test]
    fn a_process_is_distinguished_from_one_that_had_its_number() {
        let own = i32::try_from(std::process::id()).unwrap();
        let start = start_of(own);
        assert!(is_running(own, start.as_deref()));
        assert_eq!(is_running(own, Some("1")), start.is_none());
        assert!(!is_running(i32::MAX, None));
    }
}
