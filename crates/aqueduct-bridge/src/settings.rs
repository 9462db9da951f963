//! The settings of a bridge. It reads neither environment nor home directory: the program does.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_client::Profile;
use aqueduct_wire::permission::{Destination, PermissionPart};

use crate::keeper::Unattended;
use crate::message::bridge::AgentChoice;
use crate::push::PushSettings;
use crate::telemetry::Telemetry;
use crate::trust::{TrustProvider, Untrusted};
use crate::workspace::GitProgram;

/// The settings of a bridge.
#[derive(Clone)]
pub struct BridgeSettings {
    /// The version that clients receive.
    pub version: String,
    /// The machine's display name.
    pub host: Option<String>,
    /// The data folder.
    pub data: PathBuf,
    /// The program and leading arguments that run [`keeper::main`](crate::keeper::main).
    pub keeper: Vec<OsString>,
    /// The agents that sessions can be started with.
    pub agents: Vec<AgentSettings>,
    /// The name of the default agent.
    pub default_agent: String,
    /// The folders under which projects may be, with symlinks resolved.
    pub roots: Vec<PathBuf>,
    /// Where agents keep transcripts of sessions that were started in a terminal.
    pub transcripts: Vec<PathBuf>,
    /// How to run git.
    pub git: GitProgram,
    /// How long an idle agent is kept.
    pub idle: Duration,
    /// What keepers do while no bridge runs.
    pub unattended: Unattended,
    /// Limits for clients.
    pub limits: ClientLimits,
    /// Whether the mode `bypassPermissions` may be chosen.
    pub bypass: bool,
    /// Whether a decision must name its session and the hash of the input that was shown.
    pub strict_decisions: bool,
    /// Notifications.
    pub push: PushSettings,
    /// Explains what a tool call would do.
    pub explainer: Option<Arc<dyn Explain>>,
    /// Whether the user trusts what folders provide; `None` if everything is trusted.
    pub trust: Option<Arc<dyn TrustProvider>>,
    /// Receives what happens in sessions, for traces and metrics; `None` if nothing does.
    pub telemetry: Option<Arc<dyn Telemetry>>,
}

/// Limits for clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientLimits {
    /// Bytes of one message of a client.
    pub message_bytes: usize,
    /// Queued inputs of one session.
    pub queued_inputs: usize,
    /// Messages in one page of history.
    pub history_page: u32,
    /// Connected clients.
    pub clients: usize,
}

impl Default for ClientLimits {
    fn default() -> Self {
        ClientLimits { message_bytes: 32 << 20, queued_inputs: 100, history_page: 500, clients: 4096 }
    }
}

/// An agent that sessions can be started with.
#[derive(Clone, PartialEq, Eq)]
pub struct AgentSettings {
    /// Its name in the API.
    pub name: String,
    /// Its display name.
    pub label: Option<String>,
    /// The program.
    pub program: PathBuf,
    /// Its dialect; derived from the program's name if `None`.
    pub profile: Option<Profile>,
    /// Arguments before those of the protocol.
    pub leading: Vec<OsString>,
    /// Arguments after them.
    pub arguments: Vec<String>,
    /// Environment variables to set.
    pub set: Vec<(String, String)>,
    /// Environment variables to remove.
    pub unset: Vec<String>,
    /// Whether it asks its host for permissions.
    pub asks: bool,
    /// What it does with what a folder provides that the user does not trust.
    pub untrusted: Untrusted,
    /// Whether it may use what every folder provides.
    pub trusts_workspace: bool,
    /// Its version, if known.
    pub agent_version: Option<String>,
    /// Why it can't be used, and what to do.
    pub problem: Option<String>,
}

impl AgentSettings {
    /// An agent with defaults for everything else.
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

    /// Its dialect.
    pub(crate) fn profile(&self) -> Profile {
        self.profile.unwrap_or_else(|| Profile::of_program(self.program.as_os_str()))
    }

    /// Its description for clients.
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

/// Arguments and variables can be secrets, so neither is shown.
impl fmt::Debug for AgentSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentSettings")
            .field("name", &self.name)
            .field("program", &self.program)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for BridgeSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BridgeSettings")
            .field("data", &self.data)
            .field("agents", &self.agents)
            .field("roots", &self.roots)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl BridgeSettings {
    /// An agent by its name.
    pub fn agent(&self, name: &str) -> Option<&AgentSettings> {
        self.agents.iter().find(|agent| agent.name == name)
    }
}

/// Explains what a tool call would do, so that people see it before they allow it: for agents that don't explain it
/// themselves.
pub trait Explain: Send + Sync {
    /// The parts of a call, and rules that would allow it from now on, narrowest first. It must not
    /// block: what reads files does so on another thread. A session does not wait for long, and drops the future then.
    fn explain(&self, call: &ExplainedCall<'_>) -> Explaining;

    /// A description of what a rule allows.
    fn describe(&self, rule: &str) -> Option<String>;
}

/// The future of an explanation.
pub type Explaining = Pin<Box<dyn Future<Output = Explanation> + Send>>;

/// A tool call that needs a decision.
#[derive(Debug, Clone, Copy)]
pub struct ExplainedCall<'a> {
    /// The tool.
    pub tool: &'a str,
    /// Its input, as JSON.
    pub input: &'a str,
    /// The folder that the session works in.
    pub project: &'a Path,
    /// The permission mode.
    pub mode: Option<&'a str>,
}

/// The explanation of a tool call.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Explanation {
    /// Its parts.
    pub parts: Vec<PermissionPart<'static>>,
    /// Rules that would allow it, narrowest first, with its destination and what it allows.
    pub rules: Vec<(String, Destination<'static>, Option<String>)>,
}
