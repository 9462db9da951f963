//! Processes of this user.

use anyhow::{Context, bail};
use aqueduct_os::process_table::{FileId, LinkTarget, ProcessTable, ProcessTableError, own_user};

/// The processes of a user.
#[derive(Debug)]
pub(super) struct Processes {
    pub(super) table: ProcessTable,
    /// Processes of other users are not listed.
    pub(super) user: u32,
    /// This process.
    pub(super) own: i32,
    /// The file that this process runs.
    pub(super) program: Option<FileId>,
}

/// A process of this user that has not ended. What is not stored here is read when it is asked for.
#[derive(Debug)]
pub(super) struct UserProcess<'a> {
    processes: &'a Processes,
    pub(super) pid: i32,
    pub(super) parent: i32,
    pub(super) name: String,
    pub(super) arguments: Vec<Vec<u8>>,
}

impl Processes {
    /// The processes of this machine.
    pub(super) fn open() -> anyhow::Result<Self> {
        let table = match ProcessTable::open() {
            Err(ProcessTableError::Missing) => bail!(
                "aqueduct stop works on Linux alone: end the processes with kill, bridges before keepers"
            ),
            Err(error @ ProcessTableError::Namespace) => {
                bail!("{error}, or run aqueduct stop outside of it")
            }
            table => table.context("aqueduct stop finds processes in the system's table")?,
        };
        let own = std::process::id().cast_signed();
        let program = table.program(own);
        Ok(Processes { table, user: own_user(), own, program })
    }

    /// All processes of this user but this one.
    pub(super) fn all(&self) -> anyhow::Result<Vec<UserProcess<'_>>> {
        let pids = self.table.ids().context("can't list the processes")?.into_iter();
        Ok(pids.filter(|pid| *pid != self.own).filter_map(|pid| self.process(pid)).collect())
    }

    /// A process, if it is this user's and has not ended.
    pub(super) fn process(&self, pid: i32) -> Option<UserProcess<'_>> {
        if self.table.user(pid)? != self.user {
            return None;
        }
        let stat = self.table.stat(pid)?;
        let arguments = self.table.arguments(pid)?;
        Some(UserProcess { processes: self, pid, parent: stat.parent, name: stat.name, arguments })
    }

    /// The processes that this one descends from, its parent first.
    pub(super) fn ancestors(&self) -> Vec<i32> {
        self.table.ancestors(self.own)
    }
}

impl UserProcess<'_> {
    /// Whether it runs the same file as this process.
    pub(super) fn runs_this_program(&self) -> bool {
        let program = self.processes.table.program(self.pid);
        program.is_some() && program == self.processes.program
    }

    /// Its working directory.
    pub(super) fn folder(&self) -> Option<LinkTarget> {
        self.processes.table.folder(self.pid)
    }

    /// The file at a path relative to its working directory.
    pub(super) fn file_at(&self, relative: &str) -> Option<FileId> {
        self.processes.table.file_at(self.pid, relative)
    }

    /// The files that it has open.
    pub(super) fn open_files(&self) -> Vec<(LinkTarget, Option<FileId>)> {
        self.processes.table.open_files(self.pid)
    }

    /// The value of a variable in the environment that it was started with.
    pub(super) fn variable(&self, name: &str) -> Option<Vec<u8>> {
        self.processes.table.variable(self.pid, name)
    }
}
