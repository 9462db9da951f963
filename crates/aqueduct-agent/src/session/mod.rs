//! The session: what the turn, the host's requests and the tools share while the process lives.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs`, `start.rs`, `lock.rs` | [`Session`] and its parts; how it is built; how a part locks its state |
//! | `permissions.rs`, `settings.rs` | rules, mode and denials; settings that change while the session runs |
//! | `conversation.rs`, `dialogue.rs`, `recall.rs`, `unanswered.rs`, `unfinished.rs` | the ids of the conversation; its messages; what a resumed session knows of it; turns and background tasks that an earlier process did not finish |
//! | `models.rs`, `model_choice.rs`, `effort.rs`, `tools.rs`, `lookup.rs`, `role.rs` | the models, the one that is asked for, its effort, the tools that it may call, those that it looks up, the role that a session runs as |
//! | `title.rs`, `usage.rs`, `totals.rs`, `briefing.rs`, `aside.rs` | the title; tokens and cost of the session, and how they are added up; what the model receives before the conversation; questions beside it |
//! | `queue.rs`, `run_state.rs`, `tasks.rs`, `approvals.rs` | the prompts that wait, whether a turn runs, background tasks, approvals of the project's MCP servers |
//! | `workspace.rs`, `worktree.rs` | what of the project folder is in effect; the worktree of the session |
//! | `frames.rs`, `notices.rs` | frames about the session |

mod approvals;
mod aside;
mod briefing;
mod conversation;
mod dialogue;
mod effort;
mod frames;
mod lock;
mod lookup;
mod model_choice;
mod models;
mod notices;
mod permissions;
mod queue;
mod recall;
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
mod workspace;
mod worktree;

use briefing::Briefing;
use conversation::ConversationState;
use model_choice::ModelChoice;
use permissions::Permissions;
use queue::WaitingPrompts;
use run_state::RunState;
use title::Title;
use usage::SessionUsage;

pub(crate) use dialogue::Dialogue;
pub(crate) use frames::CAPABILITIES;
pub(crate) use model_choice::ThinkingLimit;
pub(crate) use models::{Models, SCRIPTED, proxy};
pub(crate) use recall::history as history_of;
pub(crate) use start::{Started, ToolChannels, start};
pub(crate) use start_error::StartError;
pub(crate) use synthetic::synthetic;
pub(crate) use tasks::TaskNote;
pub(crate) use totals::{Totals, TurnUsage, tokens};
pub(crate) use unanswered::Unanswered;
pub(crate) use unfinished::Unfinished;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aqueduct_wire::FromAgent;
use aqueduct_wire::system::RunningTask;

use crate::configuration::Configuration;
use crate::debug_log::DebugLog;
use crate::environment::Environment;
use crate::hook::Hooks;
use crate::host::Host;
use crate::options::{InputFormat, Options};
use crate::outbox::Outbox;
use crate::output_style::OutputStyles;
use crate::plugin::Plugins;
use crate::tool::{Form, ToolContext};
use crate::transcript::{Mirror, Stamp};
use crate::trust::TrustPlaces;

/// The version of the protocol that is spoken, which hosts look at. The program's own version stands in
/// `--version`.
pub const PROTOCOL_VERSION: &str = "2.1.325";

/// The prompt tool that means: ask the host with control requests.
pub(crate) const STDIO: &str = "stdio";

/// What everything in the process shares.
pub(crate) struct Session {
    /// What the program knows of the machine.
    pub(crate) environment: Arc<Environment>,
    /// What was asked for on the command line.
    pub(crate) options: Options,
    /// Settings of all scopes.
    pub(crate) configuration: Mutex<Configuration>,
    /// Where the user's trust is kept, whatever variables the project sets.
    pub(crate) trust: TrustPlaces,
    /// The way to stdout.
    pub(crate) outbox: Outbox,
    /// The host, for requests.
    pub(crate) host: Arc<Host>,
    /// The hooks of the host, and those that run beside turns.
    pub(crate) hooks: Hooks,
    /// What tools share.
    pub(crate) tool_context: ToolContext,
    /// What happens, for whoever looks for a fault.
    pub(crate) debug_log: DebugLog,
    /// The models that can be called.
    pub(crate) models: Models,
    /// What the model receives before the conversation.
    briefing: Briefing,
    /// The output styles.
    pub(crate) styles: OutputStyles,
    /// What was brought along.
    pub(crate) plugins: Plugins,
    /// What was wrong at the start with what is read only then.
    pub(crate) noted: Vec<String>,
    /// What is reported of a folder that is not trusted.
    pub(crate) untrusted: Vec<String>,
    /// Rules, mode and denials.
    pub(crate) permissions: Permissions,
    /// The model that is asked for, its effort and its thinking.
    pub(crate) model_choice: ModelChoice,
    /// Tokens and cost.
    pub(crate) usage: SessionUsage,
    /// The ids of the conversation, its prompts and its messages.
    pub(crate) conversation: ConversationState,
    /// The title.
    pub(crate) title: Title,
    /// The prompts that wait for a turn.
    pub(crate) prompts: WaitingPrompts,
    /// Whether a turn runs.
    pub(crate) run: RunState,
    state: Mutex<State>,
    /// What every line of a transcript says.
    pub(crate) stamp: Stamp,
    /// What is written to the transcript and is still to be sent, where the host wants a copy.
    pub(crate) mirror: Option<Mirror>,
}

/// What may change while the process lives.
#[derive(Debug)]
pub(crate) struct State {
    /// A system prompt that came with `initialize`, in place of the built-in one.
    pub(crate) system_prompt: Option<Vec<String>>,
    /// Text that came with `initialize`, for the end of the system prompt.
    pub(crate) append_system_prompt: Option<String>,
    /// How planning is to be done, where the host has its own ideas.
    pub(crate) plan_instructions: Option<String>,
    /// The form that answers must have.
    pub(crate) form: Option<Arc<Form>>,
    /// The host wants a guess of what the user says next.
    pub(crate) suggests: bool,
    /// The host wants to see what subagents say.
    pub(crate) forwards_text: bool,
    /// The host has been notified that the agent type of the session does not exist.
    pub(crate) missed_role: bool,
    /// Problems at the start that the host has not received yet.
    pub(crate) unreported: Vec<String>,
    /// Models without a price whose absence has been reported.
    pub(crate) unpriced: HashSet<String>,
    /// The tasks in the background whose beginning the host knows, and whose end it does not.
    pub(crate) tasks: Vec<RunningTask<'static>>,
}

impl Session {
    /// What may change, locked. Never held while something is awaited.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The settings, locked.
    pub(crate) fn configuration(&self) -> MutexGuard<'_, Configuration> {
        self.configuration.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session's id.
    pub(crate) fn id(&self) -> String {
        self.conversation.id()
    }

    /// Whether the host can be asked for permission: its answers come as frames.
    pub(crate) fn asks_host(&self) -> bool {
        self.options.input == InputFormat::StreamJson
            && self.options.permission_prompt_tool.as_deref() == Some(STDIO)
            && self.options.permission_prompts.as_deref() != Some("none")
    }

    /// Sends a frame, behind what was written to the transcript by then.
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

    /// Whether the host wants to see what subagents say, and not only what they do.
    pub(crate) fn forwards_text(&self) -> bool {
        self.options.forward_subagent_text || self.state().forwards_text
    }

    /// Whether the host wants to hear when the session runs and rests.
    pub(crate) fn reports_state(&self) -> Option<StateReports> {
        if self.environment.flag("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS") {
            return Some(StateReports::ForAll);
        }
        self.environment.flag("CLAUDE_CODE_SDK_READS_SESSION_STATE").then_some(StateReports::ForSdk)
    }
}

/// For whom the session's state is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StateReports {
    /// For everybody.
    ForAll,
    /// For an SDK, which keeps it to itself.
    ForSdk,
}
