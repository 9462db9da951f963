//! The session: what the turn, the host's requests and the tools share while the process lives.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs`, `start.rs` | [`AgentSession`] and its parts; how it is built |
//! | `permissions.rs`, `settings.rs`, `host_options.rs` | rules, mode and denials; settings that change while the session runs; options that the host sets |
//! | `conversation.rs`, `dialogue.rs`, `recall.rs`, `unanswered.rs`, `unfinished.rs` | the ids of the conversation; its messages; what a resumed session knows of it; turns and background tasks that an earlier process did not finish |
//! | `models.rs`, `model_choice.rs`, `effort.rs`, `tools.rs`, `lookup.rs`, `role.rs` | the models, the one that is asked for, its effort, the tools that it may call, those that it looks up, the role that a session runs as |
//! | `title.rs`, `usage.rs`, `totals.rs`, `briefing.rs`, `aside.rs` | the title; tokens and cost of the session, and how they are added up; what the model receives before the conversation; questions beside it |
//! | `queue.rs`, `run_state.rs`, `tasks.rs`, `approvals.rs` | the prompts that wait, whether a turn runs, background tasks, approvals of the project's MCP servers |
//! | `workspace.rs`, `worktree.rs` | what of the project folder is in effect; the worktree of the session |
//! | `frames.rs`, `notices.rs`, `warnings.rs` | frames about the session; warnings that they report |
//!
//! No part holds its lock while it calls another one or awaits something, so no order of locks is needed.

mod approvals;
mod aside;
mod briefing;
mod conversation;
mod dialogue;
mod effort;
mod frames;
mod host_options;
mod lookup;
mod model_choice;
mod models;
mod notices;
mod permissions;
mod queue;
mod recall;
mod resumed_worktree;
mod role;
mod run_state;
mod settings;
mod start;
mod start_error;
mod synthetic;
mod tasks;
mod title;
mod tools;
mod totals;
mod unanswered;
mod unfinished;
mod usage;
mod warnings;
mod workspace;
mod worktree;

use aqueduct_os::mutex::lock;
use briefing::Briefing;
use conversation::ConversationState;
use host_options::HostOptions;
use model_choice::ModelChoice;
use permissions::Permissions;
use queue::WaitingPrompts;
use run_state::RunState;
use tasks::BackgroundTasks;
use title::Title;
use usage::ConversationUsage;
use warnings::Warnings;

pub(crate) use dialogue::Dialogue;
pub(crate) use frames::CAPABILITIES;
pub(crate) use model_choice::ThinkingLimit;
pub(crate) use models::{AvailableModels, SCRIPTED, proxy};
pub(crate) use recall::history as history_of;
pub(crate) use start::{StartedSession, ToolChannels, start};
pub(crate) use start_error::StartError;
pub(crate) use synthetic::synthetic;
pub(crate) use tasks::TaskNote;
pub(crate) use totals::{Totals, TurnTotals, tokens};
pub(crate) use unanswered::UnansweredCalls;
pub(crate) use unfinished::UnfinishedTask;

use std::sync::{Arc, Mutex, MutexGuard};

use aqueduct_tools::ToolContext;
use aqueduct_wire::FromAgent;

use crate::configuration::Configuration;
use crate::custom_command::CommandCatalog;
use crate::environment::Environment;
use crate::hook::Hooks;
use crate::host::HostChannel;
use crate::options::{AgentOptions, InputFormat};
use crate::outbox::Outbox;
use crate::plugin::Plugins;
use crate::subagent::SubagentRegistry;
use crate::transcript::{LineStamp, Mirror};
use crate::trust::TrustPlaces;

/// The version of the protocol, which hosts check. `--version` prints the program's own version.
pub const PROTOCOL_VERSION: &str = "2.1.325";

/// The name of the permission prompt tool that selects control requests to the host.
pub(crate) const STDIO: &str = "stdio";

/// What the loop, the turns and the requests of the host share. It consists of parts that own their state: each has a
/// lock of its own, and none is held while another part is called or something is awaited.
///
/// Only the task of the session's loop uses them, so updates of several parts without an await between them appear
/// together.
pub(crate) struct AgentSession {
    /// Variables and folders of the machine.
    pub(crate) environment: Arc<Environment>,
    /// The options of the command line.
    pub(crate) options: AgentOptions,
    /// Settings of all scopes.
    configuration: Mutex<Configuration>,
    /// Where the user's trust is stored, independent of variables that the project sets.
    pub(crate) trust: TrustPlaces,
    /// The writer of stdout.
    pub(crate) outbox: Outbox,
    /// The host, for requests.
    pub(crate) host: Arc<HostChannel>,
    /// The hooks of the host, and those that run beside turns.
    pub(crate) hooks: Hooks,
    /// What tools share.
    pub(crate) tool_context: ToolContext,
    /// The custom commands and skills of user and project.
    pub(crate) command_catalog: Arc<CommandCatalog>,
    /// The subagent types.
    pub(crate) subagent_registry: Arc<SubagentRegistry>,
    /// The models that can be called.
    pub(crate) models: AvailableModels,
    /// What the model receives before the conversation.
    pub(crate) briefing: Briefing,
    /// The plugins.
    pub(crate) plugins: Plugins,
    /// Rules, mode and denials.
    pub(crate) permissions: Permissions,
    /// The model that is asked for, its effort and its thinking.
    pub(crate) model_choice: ModelChoice,
    /// Tokens and cost.
    pub(crate) usage: ConversationUsage,
    /// The ids of the conversation, its prompts and its messages.
    pub(crate) conversation: ConversationState,
    /// The title.
    pub(crate) title: Title,
    /// The prompts that wait for a turn.
    pub(crate) prompts: WaitingPrompts,
    /// Whether a turn runs.
    pub(crate) run: RunState,
    /// Options that the host sets with `initialize`.
    pub(crate) host_options: HostOptions,
    /// The tasks in the background that the host knows of.
    pub(crate) background_tasks: BackgroundTasks,
    /// Warnings, and which of them the host has received.
    pub(crate) warnings: Warnings,
    /// The members that every line of a transcript has.
    pub(crate) stamp: LineStamp,
    /// Lines of transcripts that are not sent yet, if the host wants a copy.
    pub(crate) mirror: Option<Mirror>,
}

impl AgentSession {
    /// The settings, locked. The guard is not held across an await.
    pub(crate) fn configuration(&self) -> MutexGuard<'_, Configuration> {
        lock(&self.configuration)
    }

    /// The session's id.
    pub(crate) fn id(&self) -> String {
        self.conversation.id()
    }

    /// Whether the host can be asked for permission.
    pub(crate) fn asks_host(&self) -> bool {
        asks_host(&self.options)
    }

    /// Sends a frame after the copies of transcript lines that were written before it.
    pub(crate) async fn send(&self, frame: FromAgent<'_>) {
        let line = frame.to_line();
        // A large frame is not held beside its line while the host reads.
        drop(frame);
        self.send_line(line).await;
    }

    /// Sends a frame that is a line already.
    pub(crate) async fn send_line(&self, line: String) {
        self.send_mirror().await;
        self.outbox.line(line).await;
    }

    /// Whether the host wants reports of the session's state.
    pub(crate) fn reports_state(&self) -> Option<StateReports> {
        if self.environment.flag("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS") {
            return Some(StateReports::ForAll);
        }
        self.environment.flag("CLAUDE_CODE_SDK_READS_SESSION_STATE").then_some(StateReports::ForSdk)
    }
}

/// Whether the host can be asked for permission: it answers with frames.
fn asks_host(options: &AgentOptions) -> bool {
    options.input == InputFormat::StreamJson
        && options.permission_prompt_tool.as_deref() == Some(STDIO)
        && options.permission_prompts.as_deref() != Some("none")
}

/// For whom the session's state is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StateReports {
    /// For all readers.
    ForAll,
    /// For an SDK, which does not pass them on.
    ForSdk,
}
