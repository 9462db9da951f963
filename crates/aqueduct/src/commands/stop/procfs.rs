//! Processes of this user, as `/proc` shows them.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use rustix::process::{getpid, getuid};

/// What the kernel appends to the path of a file that was removed.
const DELETED: &[u8] = b" (deleted)";

/// The table of processes.
#[derive(Debug)]
pub(super) struct Procfs {
    pub(super) root: PathBuf,
    /// Processes of other users are not listed.
    pub(super) user: u32,
    /// This process.
    pub(super) own: i32,
    /// The file that this process runs.
    pub(super) program: Option<FileId>,
}

/// A file, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileId {
    device: u64,
    inode: u64,
}

/// Where a link of `/proc` leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) path: PathBuf,
    /// The file was removed: the path is where it was.
    pub(super) is_removed: bool,
}

/// A process of this user that has not ended. What is not stored here is read when it is asked for.
#[derive(Debug)]
pub(super) struct Process<'a> {
    table: &'a Procfs,
    pub(super) pid: i32,
    pub(super) parent: i32,
    pub(super) name: String,
    pub(super) arguments: Vec<Vec<u8>>,
}

impl Procfs {
    /// The table of this machine.
    pub(super) fn open() -> anyhow::Result<Self> {
        let root = PathBuf::from("/proc");
        let status = fs::read_to_string(root.join("self/status"))
            .context("aqueduct stop finds processes in /proc, which is not available here")?;
        // With the numbers of another namespace a signal would reach another process than the one that was read.
        ensure!(
            is_of_this_namespace(&status, getpid().as_raw_nonzero().get()),
            "/proc belongs to another PID namespace; mount the one of this namespace, or run aqueduct stop outside of it"
        );
        let program = FileId::of(&root.join("self/exe"));
        Ok(Procfs { root, user: getuid().as_raw(), own: getpid().as_raw_nonzero().get(), program })
    }

    /// All processes of this user but this one.
    pub(super) fn processes(&self) -> anyhow::Result<Vec<Process<'_>>> {
        let entries = fs::read_dir(&self.root)
            .with_context(|| format!("can't list the processes in {}", self.root.display()))?;
        let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        Ok(pids.filter(|pid| *pid != self.own).filter_map(|pid| self.process(pid)).collect())
    }

    /// A process, if it is this user's and has not ended.
    pub(super) fn process(&self, pid: i32) -> Option<Process<'_>> {
        let folder = self.root.join(pid.to_string());
        let status = fs::read(folder.join("status")).ok()?;
        if number(&status, "Uid")? != self.user {
            return None;
        }
        let stat = fs::read(folder.join("stat")).ok()?;
        let (name, parent) = name_and_parent(&stat)?;
        let line = fs::read(folder.join("cmdline")).ok()?;
        let arguments = line.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect();
        Some(Process { table: self, pid, parent, name, arguments })
    }

    /// The processes that this one descends from, its parent first.
    pub(super) fn ancestors(&self) -> Vec<i32> {
        let mut ancestors = Vec::new();
        let mut pid = self.own;
        while let Ok(stat) = fs::read(self.root.join(pid.to_string()).join("stat"))
            && let Some((_, parent)) = name_and_parent(&stat)
            && parent > 0
            && !ancestors.contains(&parent)
        {
            ancestors.push(parent);
            pid = parent;
        }
        ancestors
    }
}

impl Process<'_> {
    /// Whether it runs the same file as this process.
    pub(super) fn runs_this_program(&self) -> bool {
        let program = FileId::of(&self.place("exe"));
        program.is_some() && program == self.table.program
    }

    /// Its working directory.
    pub(super) fn folder(&self) -> Option<Link> {
        Link::read(&self.place("cwd"))
    }

    /// The file at a path relative to its working directory.
    pub(super) fn file_at(&self, relative: &str) -> Option<FileId> {
        FileId::of(&self.place("cwd").join(relative))
    }

    /// The files that it has open.
    pub(super) fn open_files(&self) -> Vec<(Link, Option<FileId>)> {
        let entries = fs::read_dir(self.place("fd")).into_iter().flatten().flatten();
        entries.filter_map(|entry| Some((Link::read(&entry.path())?, FileId::of(&entry.path())))).collect()
    }

    /// The value of a variable in the environment that it was started with.
    pub(super) fn variable(&self, name: &str) -> Option<Vec<u8>> {
        let environment = fs::read(self.place("environ")).ok()?;
        let mut variables = environment.split(|byte| *byte == 0);
        variables.find_map(|line| line.strip_prefix(name.as_bytes())?.strip_prefix(b"=").map(<[u8]>::to_vec))
    }

    fn place(&self, name: &str) -> PathBuf {
        self.table.root.join(self.pid.to_string()).join(name)
    }
}

impl FileId {
    /// The file at a path, links followed.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(FileId { device: metadata.dev(), inode: metadata.ino() })
    }
}

impl Link {
    fn read(path: &Path) -> Option<Self> {
        let target = fs::read_link(path).ok()?;
        let bytes = target.as_os_str().as_bytes();
        Some(match bytes.strip_suffix(DELETED) {
            Some(before) => Link { path: PathBuf::from(OsStr::from_bytes(before)), is_removed: true },
            None => Link { path: target, is_removed: false },
        })
    }
}

/// Whether the numbers in `/proc` are those that this process uses. `NSpid` has the number of a process in each
/// namespace, from that of `/proc` to its own.
pub(super) fn is_of_this_namespace(status: &str, own: i32) -> bool {
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

/// The name and the parent of a process, from its `stat` file; none if it has ended. The name may contain spaces and
/// parentheses; it ends at the last `)`.
fn name_and_parent(stat: &[u8]) -> Option<(String, i32)> {
    let (begin, end) = (memchr::memchr(b'(', stat)?, memchr::memrchr(b')', stat)?);
    let name = String::from_utf8_lossy(stat.get(begin + 1..end)?).into_owned();
    let rest = std::str::from_utf8(&stat[end + 1..]).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let has_ended = matches!(fields.next()?, "Z" | "X" | "x");
    let parent = fields.next()?.parse().ok()?;
    (!has_ended).then_some((name, parent))
}
