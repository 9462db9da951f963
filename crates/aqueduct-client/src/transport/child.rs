use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;

use aqueduct_os::process_group::GroupChild;
use tokio::process::Command;

use super::AgentConnection;
use super::mark::ProcessMark;
use super::process::StartedProcess;
use super::stderr::StderrTail;
use super::watcher::GroupWatcher;
use crate::Error;
use crate::start_failure::StartTarget;

/// A program to start, and how.
///
/// It gets a process group of its own, which ends as a whole, with all that it started: when the session is
/// closed or dropped, and also when this process dies in whatever way.
#[derive(Debug, Clone, Default)]
pub struct Child {
    /// A path, or a name to look up on PATH.
    pub program: OsString,
    /// Arguments, the program's name not among them.
    pub arguments: Vec<OsString>,
    /// Where it runs; here, if absent.
    pub directory: Option<PathBuf>,
    /// Variables to set, or to remove if there is no value.
    pub environment: BTreeMap<OsString, Option<OsString>>,
    /// Whether only `environment` counts, and not what this process has.
    pub clear_environment: bool,
}

impl Child {
    /// The command, ready to be started.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        if self.clear_environment {
            command.env_clear();
        }
        for (name, value) in &self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command.args(&self.arguments).process_group(0).kill_on_drop(true);
        command
    }

    /// Starts it.
    pub(super) async fn spawn(&self) -> Result<AgentConnection, Error> {
        // The watcher starts first, so that an agent never runs unwatched.
        let mark = ProcessMark::new();
        let mut watcher = GroupWatcher::start(&mark).map_err(|reason| self.failed(reason))?;
        let (name, value) = mark.variable();
        let mut command = self.command();
        command.env(name, value).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = match command.spawn() {
            Ok(child) => GroupChild::new(child),
            Err(reason) => {
                watcher.dismiss().await;
                return Err(self.failed(reason));
            }
        };
        let gone = || self.failed(std::io::Error::other("it ended before it began"));
        let id = child.id().ok_or_else(gone)?;
        watcher.watch(id);
        let (Some(input), Some(output), Some(stderr)) =
            (child.child().stdin.take(), child.child().stdout.take(), child.child().stderr.take())
        else {
            return Err(gone());
        };
        let process = StartedProcess::new(child, mark, watcher, StderrTail::read(stderr));
        Ok(AgentConnection { output: Box::new(output), input: Box::new(input), process: Some(process) })
    }

    /// It could not be started. The system's error is the same for a missing program and a missing folder.
    pub(crate) fn failed(&self, reason: std::io::Error) -> Error {
        if let Some(path) = self.directory.as_ref().filter(|path| !path.is_dir()) {
            return Error::Directory { path: path.clone() };
        }
        StartTarget::not_spawned(&self.program.to_string_lossy(), &reason)
    }
}
