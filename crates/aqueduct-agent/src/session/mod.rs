//! The session: what the turn, the host's requests and the tools share while the process lives.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs`, `start.rs` | the state; how it is built |
//! | `dialogue.rs`, `recall.rs`, `unanswered.rs`, `unfinished.rs` | the conversation; what a resumed session knows of it; turns and background tasks that an earlier process did not finish |
//! | `models.rs`, `effort.rs`, `lookup.rs`, `role.rs` | the choice of model, its effort, the tools that it looks up, the role that a session runs as |
//! | `title.rs`, `totals.rs`, `briefing.rs`, `aside.rs` | the title; tokens and cost; what the model receives before the conversation; questions beside it |
//! | `queue.rs`, `tasks.rs`, `approvals.rs` | the queue of prompts, background tasks, approvals of the project's MCP servers |
//! | `workspace.rs`, `worktree.rs` | what of the project folder is in effect; the worktree of the session |
//! | `frames.rs`, `notices.rs` | frames about the session |

mod approvals;
mod aside;
mod briefing;
mod dialogue;
mod effort;
mod frames;
mod lookup;
mod models;
mod notices;
mod queue;
mod recall;
mod resumed_worktree;
mod role;
mod start;
mod start_error;
mod synthetic;
mod tasks;
mod title;
mod totals;
mod unanswered;
mod unfinished;
mod workspace;
mod worktree;

use briefing::Briefing;
use effort::EffortChoice;

pub(crate) use dialogue::Dialogue;
pub(crate) use frames::CAPABILITIES;
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
use std::time::{Duration, Instant};

use aqueduct_rules::{Behavior, Call, Context, Mode, Source, decide};
use aqueduct_sandbox::Machine;
use aqueduct_wire::FromAgent;
use aqueduct_wire::control::DecisionReasonType;
use aqueduct_wire::frame::PermissionDenial;
use aqueduct_wire::json::Raw;
use aqueduct_wire::system::RunningTask;
use aqueduct_wire::usage::Usage;
use serde_json::Value;

use crate::configuration::{self, Configuration};
use crate::custom_command::CommandCatalog;
use crate::debug_log::DebugLog;
use crate::environment::Environment;
use crate::hook::Hooks;
use crate::host::Host;
use crate::options::{InputFormat, Options};
use crate::outbox::Outbox;
use crate::output_style::OutputStyles;
use crate::plugin::Plugins;
use crate::prompt_queue::{Prompt, PromptQueue};
use crate::subagent::{Subagent, SubagentRegistry};
use crate::transcript::{Mirror, Stamp};
use crate::trust::TrustPlaces;
use aqueduct_tools::{Form, Hidden, Need, Offer, TOOLS, ToolContext};

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
    /// The custom commands and skills of user and project.
    pub(crate) command_catalog: Arc<CommandCatalog>,
    /// The subagent types.
    pub(crate) subagent_registry: Arc<SubagentRegistry>,
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
    state: Mutex<State>,
    queue: Mutex<PromptQueue>,
    /// What every line of a transcript says.
    pub(crate) stamp: Stamp,
    /// What is written to the transcript and is still to be sent, where the host wants a copy.
    pub(crate) mirror: Option<Mirror>,
    /// Held while a title is generated that becomes the session's.
    pub(crate) titling: tokio::sync::Mutex<()>,
}

/// What may change while the process lives.
#[derive(Debug)]
pub(crate) struct State {
    /// The session's id.
    pub(crate) id: String,
    /// What people call the conversation.
    pub(crate) title: Option<String>,
    /// The prompt that is being answered, or was last.
    pub(crate) prompt_id: Option<String>,
    /// The model that was asked for; `None` for the default.
    pub(crate) asked_model: Option<String>,
    /// The model that the resumed conversation was held with; `None` once another one is asked for.
    pub(crate) resumed_model: Option<String>,
    /// Permissions: mode, rules, folders.
    pub(crate) rules: Context,
    /// The mode to return to after planning.
    pub(crate) before_plan: Mode,
    /// A limit on thinking that the host set.
    pub(crate) thinking: ThinkingLimit,
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
    /// Prompts whose turn was interrupted before it began.
    pub(crate) interrupted: Vec<Prompt>,
    /// An urgent prompt ends the turn that runs.
    pub(crate) is_preempted: bool,
    /// Whether a turn runs.
    pub(crate) is_running: bool,
    /// Stdin has ended.
    pub(crate) input_ended: bool,
    /// The ids of all prompts and messages so far: a prompt is served once.
    pub(crate) known: HashSet<String>,
    /// When the model last answered.
    pub(crate) answered: Option<Instant>,
    /// What the conversation cost so far, with those of its subagents.
    pub(crate) totals: Totals,
    /// Calls of subagents that were denied since the newest result.
    pub(crate) denials: Vec<PermissionDenial<'static>>,
    /// What was spent since the newest result.
    pub(crate) spent: Totals,
    /// About how many tokens the conversation has.
    pub(crate) context_tokens: u64,
    /// The host has been notified that the agent type of the session does not exist.
    pub(crate) missed_role: bool,
    /// Problems at the start that the host has not received yet.
    pub(crate) unreported: Vec<String>,
    /// Models without a price whose absence has been reported.
    pub(crate) unpriced: HashSet<String>,
    /// The effort that the host set while the process runs.
    pub(crate) effort: EffortChoice,
    /// Lines for the transcript that requests of the host have left.
    pub(crate) unwritten: Vec<Raw<'static>>,
    /// Lines for the transcript about the queue of prompts.
    pub(crate) queue_lines: Vec<Raw<'static>>,
    /// The tasks in the background whose beginning the host knows, and whose end it does not.
    pub(crate) tasks: Vec<RunningTask<'static>>,
}

/// A limit on thinking that was set while the process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ThinkingLimit {
    /// As the flags say.
    Unset,
    /// At most this many tokens; none at all for 0.
    Tokens(u32),
}

impl Session {
    /// What may change, locked. Never held while something is awaited.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The prompts that wait, locked.
    pub(crate) fn queue(&self) -> MutexGuard<'_, PromptQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The settings, locked.
    pub(crate) fn configuration(&self) -> MutexGuard<'_, Configuration> {
        self.configuration.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session's id.
    pub(crate) fn id(&self) -> String {
        self.state().id.clone()
    }

    /// The permission mode.
    pub(crate) fn mode(&self) -> Mode {
        self.state().rules.mode()
    }

    /// The name of the model that is called now.
    pub(crate) fn model(&self) -> String {
        let (asked, resumed) = {
            let state = self.state();
            (state.asked_model.clone(), state.resumed_model.clone())
        };
        let asked = asked.or_else(|| self.role()?.model.clone()).or(resumed);
        self.models.resolve(asked.as_deref())
    }

    /// Whether the host can be asked for permission: its answers come as frames.
    pub(crate) fn asks_host(&self) -> bool {
        self.options.input == InputFormat::StreamJson
            && self.options.permission_prompt_tool.as_deref() == Some(STDIO)
            && self.options.permission_prompts.as_deref() != Some("none")
    }

    /// The tools that the model may call: our own, then those of servers.
    pub(crate) fn tools(&self) -> Vec<Offer> {
        self.tools_in(&self.tool_context)
    }

    /// The same, of a subagent that may have servers of its own.
    pub(crate) fn tools_in(&self, tool_context: &ToolContext) -> Vec<Offer> {
        let asks = self.asks_host();
        let denied = self.denied_tools();
        let has_resources = tool_context.mcp.has_resources();
        let has_skills = !self.command_catalog.for_model().is_empty();
        let looks_up = self.looks_up(tool_context);
        let role = self.role();
        let own = TOOLS.iter().copied().filter(|tool| {
            let is_useful = match tool.facts.needs {
                Need::Nothing => true,
                Need::User => asks,
                Need::Resources => has_resources,
                Need::DeferredTools => looks_up,
                Need::Skills => has_skills,
            };
            is_useful
                && role.as_ref().is_none_or(|role| role.has(tool.name))
                && self.options.tools.as_ref().is_none_or(|named| named.iter().any(|name| name == tool.name))
                && !denied.iter().any(|name| name == tool.name)
        });
        let own = own.map(Offer::Own);
        let is_checked = denied.iter().any(|name| name.starts_with(aqueduct_mcp::PREFIX));
        let served = tool_context.mcp.tools().into_iter();
        let served = served.filter(|tool| !is_checked || !self.forbids(&tool.name));
        let served = served.filter(|tool| role.as_ref().is_none_or(|role| role.has(&tool.name)));
        let form = self.state().form.clone().map(Offer::Form);
        own.chain(form).chain(served.map(Offer::Served)).collect()
    }

    /// Whether a rule forbids all calls of a server's tool.
    fn forbids(&self, tool: &str) -> bool {
        let decision = decide(&self.state().rules, &Call::new(tool, &Value::Null));
        decision.behavior == Behavior::Deny && decision.reason_type == DecisionReasonType::Rule
    }

    /// Tools that a rule denies altogether: the model need not know of them.
    fn denied_tools(&self) -> Vec<String> {
        let state = self.state();
        let rules = state.rules.rules();
        let whole = rules.filter(|entry| entry.behavior == Behavior::Deny).filter_map(|entry| {
            entry.rule.as_ref().ok().map(ToString::to_string).filter(|rule| !rule.contains('('))
        });
        whole.collect()
    }

    /// Counts a call of a model.
    pub(crate) fn count(&self, model: &str, usage: &Usage<'_>, duration: Duration) {
        let mut state = self.state();
        state.totals.add(model, usage, duration);
        state.spent.add(model, usage, duration);
    }

    /// Whether a prompt of this id was never seen. From now on it has been.
    pub(crate) fn is_new(&self, uuid: &str) -> bool {
        self.state().known.insert(uuid.to_owned())
    }

    /// Takes settings in that the host sends while the session runs.
    pub(crate) async fn apply_flag_settings(&self, text: &str) -> Result<(), String> {
        let (settings, errors) = aqueduct_rules::settings::read("settings", text);
        if let Some(error) = errors.first() {
            return Err(error.to_string());
        }
        let wrong = configuration::misfits(&serde_json::from_str(text).unwrap_or_default());
        if !wrong.is_empty() {
            return Err(format!(
                "nothing is applied: {} has another shape than it must have",
                wrong.join(", ")
            ));
        }
        {
            let mut state = self.state();
            if let Some(mode) = settings.default_mode {
                state.rules.set_mode(mode).map_err(|error| error.to_string())?;
            }
            settings.add_to(&mut state.rules, Source::FlagSettings);
        }
        let mistakes =
            self.configuration().apply(Source::FlagSettings, text).map_err(|error| error.to_string())?;
        for mistake in mistakes {
            self.send_note(&mistake, "warning").await;
        }
        let was_on = self.tool_context.commands.sandbox.policy().enabled;
        self.renew_sandbox();
        self.renew_key_helper();
        for warning in self.tool_context.commands.sandbox.warnings().iter().filter(|_| !was_on) {
            self.send_note(warning, "warning").await;
        }
        Ok(())
    }

    /// Takes in what the host's own organisation decides; whether it counts. Where the machine's has a say, it is the
    /// only one.
    pub(crate) async fn take_in_policy(&self, text: &str) -> Result<bool, String> {
        let (settings, errors) = aqueduct_rules::settings::read("managedSettings", text);
        if let Some(error) = errors.first() {
            return Err(error.to_string());
        }
        let mistakes = {
            let mut configuration = self.configuration();
            if configuration.has_policy() {
                return Ok(false);
            }
            configuration.apply(Source::PolicySettings, text).map_err(|error| error.to_string())?
        };
        {
            let mut state = self.state();
            let mut rules = state.rules.clone().with_managed_rules_only(settings.managed_rules_only);
            if settings.disables_bypass {
                rules = rules.with_bypass_disabled(true);
            }
            settings.add_to(&mut rules, Source::PolicySettings);
            state.rules = rules;
        }
        for mistake in mistakes {
            self.send_note(&mistake, "warning").await;
        }
        self.renew_sandbox();
        self.renew_key_helper();
        Ok(true)
    }

    /// Lets the sandbox hold what settings and rules say now.
    pub(crate) fn renew_sandbox(&self) {
        let mut policy = self.configuration().sandbox(&self.environment);
        policy.add_rules(&self.state().rules, &Machine::from(&*self.environment));
        self.tool_context.commands.sandbox.set(policy);
    }

    /// Lets searches pass over what rules hide now: the agent's, or a subagent's.
    pub(crate) fn hide_files(&self, by: Option<&Subagent>) {
        let tool_context = self.tool_context_of(by);
        let hidden = Hidden::by(&self.state().rules, &tool_context.workspace.cwd());
        tool_context.files.hide(hidden);
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
