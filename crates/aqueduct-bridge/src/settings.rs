//! Everything that a bridge is told. It reads neither environment nor home: the program does.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_client::Profile;
use aqueduct_wire::permission::Destination;

use crate::keeper::Unattended;
use crate::message::bridge::{AgentChoice, PermissionPart};
use crate::push::PushSettings;
use crate::trust::{Untrusted, WorkspaceTrust};
use crate::workspace::Git;

/// What a bridge is told when it starts.
#[derive(Clone)]
pub struct Settings {
    /// The version that it tells clients.
    pub version: String,
    /// The machine's name, for people.
    pub host: Option<String>,
    /// Where it keeps everything.
    pub data: PathBuf,
    /// The program and the leading arguments that lead to [`keeper::main`](crate::keeper::main).
    pub keeper: Vec<OsString>,
    /// The agents that sessions can be started with.
    pub agents: Vec<AgentSettings>,
    /// The name of the one that is meant where none is named.
    pub default_agent: String,
    /// The folders under which projects may lie, with symlinks resolved.
    pub roots: Vec<PathBuf>,
    /// Where agents keep transcripts of sessions that were started in a terminal.
    pub transcripts: Vec<PathBuf>,
    /// How to run git, for what changed in a project.
    pub git: Git,
    /// How long an agent that nobody needs is kept.
    pub idle: Duration,
    /// What keepers do while no bridge runs.
    pub unattended: Unattended,
    /// What clients may send, and how many of them.
    pub limits: Limits,
    /// Whether the mode `bypassPermissions` may be chosen.
    pub bypass: bool,
    /// Whether a decision must name its session and the hash of the input that was shown.
    pub strict_decisions: bool,
    /// What notifications may say, and where they may go.
    pub push: PushSettings,
    /// Who explains what a tool call would do.
    pub explainer: Option<Arc<dyn Explain>>,
    /// Whether the user trusts what folders provide; `None` if everything is trusted.
    pub trust: Option<Arc<dyn WorkspaceTrust>>,
}

/// How much of everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one message of a client.
    pub message_bytes: usize,
    /// Inputs that wait in one session.
    pub queued_inputs: usize,
    /// Messages in one page of history.
    pub history_page: u32,
    /// Clients that are connected at once.
    pub clients: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { message_bytes: 32 << 20, queued_inputs: 100, history_page: 500, clients: 4096 }
    }
}

/// An agent that sessions can be started with.
#[derive(Clone, PartialEq, Eq)]
pub struct AgentSettings {
    /// What clients call it.
    pub name: String,
    /// For people.
    pub label: Option<String>,
    /// The program.
    pub program: PathBuf,
    /// The dialect that it speaks; by the program's name, if not said.
    pub profile: Option<Profile>,
    /// What comes before the arguments of the protocol.
    pub leading: Vec<OsString>,
    /// What comes behind them.
    pub arguments: Vec<String>,
    /// Variables that it gets.
    pub set: Vec<(String, String)>,
    /// Variables that it does not get.
    pub unset: Vec<String>,
    /// Whether it asks its host for permissions.
    pub asks: bool,
    /// What it does with what a folder provides that the user does not trust.
    pub untrusted: Untrusted,
    /// Whether it may use what every folder provides.
    pub trusts_workspace: bool,
    /// Its version, where that is known.
    pub agent_version: Option<String>,
    /// Why it can't be used, and what to do about it.
    pub problem: Option<String>,
}

impl AgentSettings {
    /// An agent of which nothing but this is known.
    pub fn new(name: impl Into<String>, program: impl Into<PathBuf>) -> Self {
        AgentSettings {
            name: name.into(),
            label: None,
            program: program.into(),
            profile: None,
            leading: Vec::new(),
            arguments: Vec::new(),
            set: Vec::new(),
            unset: Vec::new(),
            asks: true,
            untrusted: Untrusted::default(),
            trusts_workspace: false,
            agent_version: None,
            problem: None,
        }
    }

    /// The dialect that it speaks.
    pub(crate) fn profile(&self) -> Profile {
        self.profile.unwrap_or_else(|| Profile::of_program(self.program.as_os_str()))
    }

    /// What clients are told of it.
    pub(crate) fn choice(&self) -> AgentChoice<'static> {
        let mut choice = AgentChoice::new(self.name.clone(), self.problem.is_none());
        choice.label = self.label.clone().map(Into::into);
        choice.program = Some(self.program.to_string_lossy().into_owned().into());
        choice.version = self.agent_version.clone().map(Into::into);
        choice.problem = self.problem.clone().map(Into::into);
        choice.needs_trust = (self.untrusted == Untrusted::Refused).then_some(true);
        choice
    }
}

/// Arguments and variables can hold secrets: neither is shown.
impl fmt::Debug for AgentSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentSettings")
            .field("name", &self.name)
            .field("program", &self.program)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("data", &self.data)
            .field("agents", &self.agents)
            .field("roots", &self.roots)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl Settings {
    /// An agent by its name.
    pub fn agent(&self, name: &str) -> Option<&AgentSettings> {
        self.agents.iter().find(|agent| agent.name == name)
    }
}

/// Explains what a tool call would do, so that people see it before they allow it.
pub trait Explain: Send + Sync {
    /// What a call consists of, and the rules that would let it through from now on, narrowest first. It must not
    /// block: what reads files does so on another thread. A session does not wait for long, and drops the future then.
    fn explain(&self, call: &Call<'_>) -> Explaining;

    /// What a rule lets through, for people.
    fn describe(&self, rule: &str) -> Option<String>;
}

/// An explanation that is being made.
pub type Explaining = Pin<Box<dyn Future<Output = Explanation> + Send>>;

/// A tool call that somebody has to decide about.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The tool.
    pub tool: &'a str,
    /// Its input, as JSON.
    pub input: &'a str,
    /// The folder that the session works in.
    pub project: &'a Path,
    /// The permission mode.
    pub mode: Option<&'a str>,
}

/// What can be said of a tool call.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Explanation {
    /// What it consists of.
    pub parts: Vec<PermissionPart<'static>>,
    /// Rules that would allow it, narrowest first, with where each would live and what it lets through.
    pub rules: Vec<(String, Destination<'static>, Option<String>)>,
}
