//! Which agent to start: the reference CLI where there is one, else the one that is in this program.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use aqueduct_client::{Builder, Session};
use aqueduct_os::program;

use crate::explained::advice;

/// The reference CLI's program.
pub(crate) const REFERENCE: &str = "claude";

/// The agent of this project as a program of its own.
pub(crate) const STANDALONE: &str = "aqueduct-agent";

/// The variables of which one is enough for the built-in agent to have a model.
pub(crate) const MODEL_VARIABLES: [&str; 6] = [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CODE_USE_FOUNDRY",
];

/// Which agent the user wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AgentSelection {
    /// The reference CLI if it is on PATH, else the built-in agent.
    Auto,
    /// The agent that is in this program.
    Builtin,
    /// A program: a path, or a name on PATH.
    Program(OsString),
}

impl From<OsString> for AgentSelection {
    fn from(text: OsString) -> Self {
        match text.to_str() {
            Some("auto") => AgentSelection::Auto,
            Some("builtin") => AgentSelection::Builtin,
            _ => AgentSelection::Program(text),
        }
    }
}

/// An agent that can be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AgentProgram {
    /// The program's file, or its name where it was not found.
    pub(crate) program: PathBuf,
    /// What comes before the agent's own arguments.
    pub(crate) leading: Vec<OsString>,
    /// Whether it is the one in this program.
    pub(crate) is_builtin: bool,
}

impl AgentProgram {
    /// What people call it.
    pub(crate) fn name(&self) -> String {
        match (self.is_builtin, self.program.file_name()) {
            (true, _) => "built-in agent".to_owned(),
            (false, Some(name)) => name.to_string_lossy().into_owned(),
            (false, None) => self.program.to_string_lossy().into_owned(),
        }
    }

    /// A session of this agent, to be started.
    pub(crate) fn session(&self) -> Builder {
        Session::builder().program(&self.program).leading_arguments(self.leading.iter().cloned())
    }
}

/// Where agents are looked for.
#[derive(Debug, Clone)]
pub(crate) struct AgentSearchPath {
    /// The folders of PATH.
    folders: Vec<PathBuf>,
    /// This very program.
    own: PathBuf,
}

impl AgentSearchPath {
    /// The places that this process knows.
    pub(crate) fn of_this_process() -> anyhow::Result<Self> {
        Ok(AgentSearchPath { folders: folders(env::var_os("PATH").as_deref()), own: own_program()? })
    }

    /// Other places.
    #[cfg(test)]
    pub(crate) fn new(folders: Vec<PathBuf>, own: PathBuf) -> Self {
        AgentSearchPath { folders, own }
    }

    /// The agent that the user selects. A named program that is not found is passed on; the system reports
    /// the error.
    pub(crate) fn choose(&self, choice: &AgentSelection) -> AgentProgram {
        match choice {
            AgentSelection::Auto => self.reference().unwrap_or_else(|| self.builtin()),
            AgentSelection::Builtin => self.builtin(),
            AgentSelection::Program(name) => {
                let found = (!has_folder(name)).then(|| self.on_path(name)).flatten();
                self.program(found.unwrap_or_else(|| name.into()))
            }
        }
    }

    /// The reference CLI, if it is on PATH.
    pub(crate) fn reference(&self) -> Option<AgentProgram> {
        self.on_path(REFERENCE.as_ref()).map(|program| self.program(program))
    }

    /// The project's agent as a program of its own, if it is on PATH.
    pub(crate) fn standalone(&self) -> Option<AgentProgram> {
        self.on_path(STANDALONE.as_ref()).map(|program| self.program(program))
    }

    /// Any program, if it is on PATH.
    pub(crate) fn program_named(&self, name: &str) -> Option<PathBuf> {
        self.on_path(name.as_ref())
    }

    /// The agent in this program.
    pub(crate) fn builtin(&self) -> AgentProgram {
        AgentProgram { program: self.own.clone(), leading: vec!["agent".into()], is_builtin: true }
    }

    fn program(&self, program: PathBuf) -> AgentProgram {
        AgentProgram { program, leading: Vec::new(), is_builtin: false }
    }

    /// The first file of this name on PATH that may be run.
    fn on_path(&self, name: &OsStr) -> Option<PathBuf> {
        self.folders.iter().map(|folder| folder.join(name)).find(|file| is_program(file))
    }
}

/// The folders of a PATH. Ones that depend on where this runs are left out: what is in a project must not
/// become the agent because the user works there.
fn folders(path: Option<&OsStr>) -> Vec<PathBuf> {
    path.map(|path| env::split_paths(path).filter(|folder| folder.is_absolute()).collect())
        .unwrap_or_default()
}

fn has_folder(name: &OsStr) -> bool {
    name.as_encoded_bytes().contains(&b'/')
}

fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// The file of this program. On Linux it can be started also after an upgrade has replaced it.
fn own_program() -> anyhow::Result<PathBuf> {
    program::file().context(advice("cannot determine the path of this program", "name an agent with --agent"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> (tempfile::TempDir, AgentSearchPath) {
        let world = tempfile::tempdir().unwrap();
        for (folder, name, mode) in
            [("a", "claude", 0o644), ("b", "claude", 0o755), ("c", "claude", 0o755), ("c", "other", 0o755)]
        {
            let folder = world.path().join(folder);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(name), "").unwrap();
            std::fs::set_permissions(folder.join(name), PermissionsExt::from_mode(mode)).unwrap();
        }
        let path = env::join_paths(["a", "b", "c"].map(|folder| world.path().join(folder))).unwrap();
        let places = AgentSearchPath { folders: folders(Some(&path)), own: "/opt/aqueduct".into() };
        (world, places)
    }

    #[test]
    fn the_reference_comes_first_and_the_builtin_agent_instead() {
        let (world, mut places) = world();
        assert_eq!(places.choose(&AgentSelection::Auto).program, world.path().join("b/claude"));
        places.folders.clear();
        let agent = places.choose(&AgentSelection::Auto);
        assert_eq!((agent.program, agent.leading), ("/opt/aqueduct".into(), vec!["agent".into()]));
        assert!(agent.is_builtin);
    }

    #[test]
    fn a_program_is_a_path_or_a_name() {
        let (world, places) = world();
        let chosen = |text: &str| places.choose(&AgentSelection::from(OsString::from(text))).program;
        assert_eq!(chosen("other"), world.path().join("c/other"));
        assert_eq!(chosen("./other"), PathBuf::from("./other"));
        assert_eq!(chosen("/usr/bin/agent"), PathBuf::from("/usr/bin/agent"));
        assert_eq!(chosen("missing"), PathBuf::from("missing"));
    }

    #[test]
    fn programs_in_the_project_are_not_found() {
        let path = env::join_paths([".", "", "relative/bin", "/usr/bin"]).unwrap();
        assert_eq!(folders(Some(&path)), [PathBuf::from("/usr/bin")]);
    }
}
