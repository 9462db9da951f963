//! Whether a call may run: hooks, then rules and mode, then the host.

mod advice;
mod answer;
mod denial;
mod prompt_tool;
mod reason;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use aqueduct_rules::{Behavior, Decision, Mode, Source, Stage, Step, decide, git_directories, paths};
use aqueduct_sandbox::Course;
use aqueduct_tools::subagent::SubagentIdentity;
use aqueduct_tools::{ModeChange, OfferedTool, READ, STRUCTURED_OUTPUT, ToolContext, ToolNeed};
use aqueduct_wire::FromAgent;
use aqueduct_wire::block::ToolUseBlock;
use aqueduct_wire::control::{AgentRequest, CanUseToolRequest, DecisionReasonType, ToolMcpServer};
use aqueduct_wire::frame::{ToolDecision, ToolDecisionKind, ToolResultMeta};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::Raw;
use aqueduct_wire::permission::PermissionUpdate;
use aqueduct_wire::system::{PermissionDenied, SessionState, SystemFrame};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::clock::fresh_uuid;
use crate::configuration::Configuration;
use crate::hook::{HookedCall, HooksOutcome};
use crate::host::{HostRequestError, RequestRace};
use crate::path_targets;
use crate::repository::repositories;
use crate::session::AgentSession;
use crate::subagent::RunningSubagent;
use crate::{trace, trust};
use advice::AdvisedDecision;

/// Who decides about the calls of a turn.
pub(crate) struct Gate<'g> {
    /// The session.
    pub(crate) session: &'g AgentSession,
    /// The subagent whose calls they are.
    pub(crate) by: Option<&'g RunningSubagent>,
    /// Ends the asking when the user interrupts.
    pub(crate) cancel: &'g CancellationToken,
    /// Set when the host is asked.
    pub(crate) is_settled: Option<&'g AtomicBool>,
}

/// Why a command is asked about that is to run outside of the sandbox.
const OUTSIDE: &str = "It would run outside of the sandbox";

/// Calls with more input than this are not explained to the host part by part: the explanation would be too long to
/// read.
const LARGEST_EXPLAINED: usize = 256 * 1024;

/// What hosts know such a question by.
const SANDBOX_OVERRIDE: &str = "sandboxOverride";

/// Who else than rules and mode wants to ask.
struct AskReasons {
    /// A hook, for this reason.
    by_hook: Option<String>,
    /// The command is to run outside of the sandbox.
    leaves: bool,
}

/// What was decided about a call.
pub(crate) enum Permit {
    /// It runs with this input.
    Allowed {
        /// The model's input, or what the host made of it.
        input: Raw<'static>,
        /// For the result's frame.
        meta: ToolResultMeta<'static>,
    },
    /// It does not run.
    Denied {
        /// The message for the model.
        message: String,
        /// For the result's frame.
        meta: ToolResultMeta<'static>,
        /// The turn ends with it.
        interrupts: bool,
    },
    /// The user interrupted the turn while the host was asked.
    Withdrawn,
    /// The turn ends, and the call is left to the host.
    Deferred,
}

impl Gate<'_> {
    /// The subagent that makes the calls, if it is one.
    fn agent(&self) -> Option<&Arc<SubagentIdentity>> {
        self.by.map(|by| &by.identity)
    }

    /// The tool context of the agent that makes the calls.
    fn tool_context(&self) -> &ToolContext {
        self.by.map_or(&self.session.tool_context, |by| &by.tool_context)
    }

    /// The mode of the agent that makes the calls.
    fn mode(&self) -> Mode {
        self.by.and_then(|by| self.session.mode_of(by)).unwrap_or_else(|| self.session.permissions.mode())
    }

    /// Decides about a call; asks the host where rules and mode leave it open. `advice` is what hooks have
    /// said about the call.
    pub(crate) async fn permit(
        &self,
        tool: &OfferedTool,
        call: &ToolUseBlock<'static>,
        advice: &HooksOutcome,
    ) -> Permit {
        let permit = self.weigh(tool, call, advice).await;
        if !matches!(permit, Permit::Allowed { .. }) {
            self.tool_context().files.resolved_paths.forget(&call.id);
        }
        permit
    }

    /// Whether a tool may change its file without having read it: rules and mode allow to read it.
    pub(crate) async fn may_change_unread(&self, tool: &OfferedTool, input: &Raw<'static>) -> bool {
        let changing = tool.own().filter(|tool| tool.changes_files());
        let file = changing.and_then(|tool| {
            let input = input.to::<Value>().ok()?;
            tool.path(&input).map(str::to_owned)
        });
        let Some(file) = file else { return false };
        let (decision, _) = self.decide(READ, &json!({ "file_path": file }), None).await;
        decision.behavior == Behavior::Allow
    }

    /// The denial of a call for a file that a rule denies. It runs no hooks and sends no permission request.
    pub(crate) async fn forbidden(&self, tool: &OfferedTool, call: &ToolUseBlock<'static>) -> Option<Permit> {
        tool.own().filter(|tool| tool.is_for_files())?;
        let input = call.input.to::<Value>().ok()?;
        let (decision, _) = self.decide(tool.name(), &input, None).await;
        let is_denied =
            decision.behavior == Behavior::Deny && decision.reason_type == DecisionReasonType::Rule;
        is_denied.then(|| Permit::Denied {
            message: decision.reason,
            meta: meta(ToolDecisionKind::Reject, "config", Some("rule"), None),
            interrupts: false,
        })
    }

    async fn weigh(&self, tool: &OfferedTool, call: &ToolUseBlock<'static>, advice: &HooksOutcome) -> Permit {
        let Ok(input) = call.input.to::<Value>() else {
            let message = "The call's input is not a JSON object".to_owned();
            return self.denied(message, "config", None, false, "invalid-input");
        };
        let course = self.course(tool, &input);
        let (mut decision, real) = self.decide(tool.name(), &input, course).await;
        self.tool_context().files.resolved_paths.note(&call.id, call.input.as_str(), real);
        if course == Some(Course::Left) {
            self.look_outside(&mut decision);
        }
        trace::call_decided(tool.name(), decision.behavior.name(), format_args!("{}", decision.reason));
        let asked_by_hook = match self.advised(tool, call, advice, &decision) {
            AdvisedDecision::Settled(permit) => return permit,
            AdvisedDecision::Ask(reason) => Some(reason),
            AdvisedDecision::Nothing => None,
        };
        let behavior = match decision.behavior {
            _ if asked_by_hook.is_some() => Behavior::Ask,
            Behavior::Ask if tool.is_form() || self.is_only_text(tool, &input, &decision) => Behavior::Allow,
            behavior => behavior,
        };
        match behavior {
            Behavior::Allow => Permit::Allowed {
                input: call.input.clone(),
                // Where the rules would have asked, theirs is not the reason.
                meta: meta(
                    ToolDecisionKind::Accept,
                    "config",
                    reason::of_allowance(self.mode(), &input, &decision)
                        .filter(|_| decision.behavior == Behavior::Allow),
                    None,
                ),
            },
            Behavior::Deny => {
                let message = denial::forbidden(tool.name(), &input, &decision.reason);
                let kind = reason::of_denial(tool, &input, &decision);
                let message = self.denied_alone(tool.name(), call, kind, None, message).await;
                self.denied(message, "config", kind, false, "permission-rule")
            }
            Behavior::Ask => {
                let leaves = course == Some(Course::Left) && !is_asked_by_rule(&decision);
                self.ask(tool, call, input, decision, AskReasons { by_hook: asked_by_hook, leaves }).await
            }
        }
    }

    /// Whether a call is for a skill that brings no rules along: then it is no more than a text for the
    /// model. A rule that asks about skills still asks.
    fn is_only_text(&self, tool: &OfferedTool, input: &Value, decision: &Decision) -> bool {
        let asked = is_asked_by_rule(decision);
        let named = input
            .get("skill")
            .and_then(Value::as_str)
            .filter(|_| tool.is(|facts| facts.needs == ToolNeed::Skills) && !asked);
        // An unknown skill counts as text too: the call itself reports the error.
        let is_text = |name: &str| {
            let custom_command = self.session.command_catalog.find(name.trim_start_matches('/'));
            custom_command.is_none_or(|custom_command| custom_command.allowed_tools.is_empty())
        };
        named.is_some_and(is_text)
    }

    /// Where a command would run.
    fn course(&self, tool: &OfferedTool, input: &Value) -> Option<Course> {
        let command =
            input.get("command").and_then(Value::as_str).filter(|_| tool.is(|facts| facts.runs_commands))?;
        // As the tool reads it.
        let leaves = input.get("dangerouslyDisableSandbox");
        let leaves =
            leaves.is_some_and(|leaves| *leaves == Value::Bool(true) || leaves.as_str() == Some("true"));
        Some(self.tool_context().commands.sandbox.course(command, leaves))
    }

    /// Looks at a decision again for a command that would leave the sandbox: it takes a rule, a mode or a person, and not
    /// just that the command looks harmless.
    fn look_outside(&self, decision: &mut Decision) {
        let looks = |step: &Step| step.behavior == Behavior::Allow && step.step == Stage::Tool;
        if decision.behavior != Behavior::Allow || !decision.trace.iter().any(looks) {
            return;
        }
        decision.behavior = if self.mode() == Mode::DontAsk { Behavior::Deny } else { Behavior::Ask };
        decision.reason = OUTSIDE.to_owned();
        decision.suggestions = Vec::new();
    }

    /// What rules and mode say, and where paths lead. They are resolved first: a link must not lead out of what is
    /// allowed.
    async fn decide(&self, tool: &str, input: &Value, course: Option<Course>) -> (Decision, Vec<PathBuf>) {
        let mut context = self.session.permissions.rules();
        if let Some(mode) = self.by.and_then(|by| self.session.mode_of(by)) {
            // Where it can't be entered, the session's holds.
            let _ = context.set_mode(mode);
        }
        if let Some(by) = self.by.filter(|by| by.identity.is_verifier) {
            let rules = [format!("Read(/{})", by.transcript.display()), STRUCTURED_OUTPUT.to_owned()];
            // A path that makes no rule is asked about.
            let _ = context.add_rules(Source::Session, Behavior::Allow, rules);
        }
        let tool_context = self.tool_context();
        context.set_cwd(tool_context.workspace.cwd().to_string_lossy());
        // What rules forbid in the main checkout they forbid in a worktree of it, too.
        let worktree = self.by.and_then(|by| by.worktree.as_ref()).map(|worktree| worktree.path.clone());
        let main = worktree.or_else(|| tool_context.workspace.worktrees.folder()).map(|folder| {
            let main = context.clone();
            context = main.clone().confined_to(folder.to_string_lossy());
            context.set_cwd(tool_context.workspace.cwd().to_string_lossy());
            main
        });
        context.set_sandboxed(
            course == Some(Course::Inside)
                && tool_context.commands.sandbox.allows(&tool_context.workspace.roots()),
        );
        let call = aqueduct_rules::Call::new(tool, input);
        let asked = paths(&context, &call);
        let directories = git_directories(&context, &call);
        let environment = self.session.environment.clone();
        let (tool, input) = (tool.to_owned(), input.clone());
        // Looking at the disk may take a while.
        let decided = tokio::task::spawn_blocking(move || {
            let resolved = path_targets::resolve(asked);
            let found = repositories(&environment.cwd, &environment.variables, directories);
            let call = aqueduct_rules::Call::new(&tool, &input);
            let call = call.with_resolved(&resolved).with_repositories(&found);
            let decision = decide(&context, &call);
            let forbidden = main.map(|main| decide(&main, &call)).filter(|decision| {
                decision.behavior == Behavior::Deny && decision.reason_type == DecisionReasonType::Rule
            });
            let decision = forbidden.unwrap_or(decision);
            (decision, resolved.into_iter().map(|(_, real)| real.into()).collect())
        });
        decided.await.unwrap_or_else(|_| {
            let decision = Decision {
                behavior: Behavior::Ask,
                reason: "The call could not be checked".to_owned(),
                reason_type: DecisionReasonType::SafetyCheck,
                trace: Vec::new(),
                suggestions: Vec::new(),
                parts: Vec::new(),
            };
            (decision, Vec::new())
        })
    }

    /// Asks the host, and hooks in the user's place; the first answer counts.
    async fn ask(
        &self,
        tool: &OfferedTool,
        call: &ToolUseBlock<'static>,
        input: Value,
        decision: Decision,
        asking: AskReasons,
    ) -> Permit {
        let AskReasons { by_hook: asked_by_hook, leaves } = asking;
        let mut request = request(tool, call, &input, &decision);
        request.agent_id = self.agent().map(|agent| agent.id.clone().into());
        if leaves {
            request.decision_reason = Some(OUTSIDE.into());
            request.decision_reason_type = Some(DecisionReasonType::SandboxOverride);
            request.permission_suggestions = None;
        }
        if let Some(reason) = &asked_by_hook {
            request.decision_reason = Some(reason.clone().into());
            request.decision_reason_type = Some(DecisionReasonType::Hook);
            request.permission_suggestions = None;
            request.blocked_path = None;
            request.decision_reason_hook_event = Some("PreToolUse".into());
            request.decision_reason_hook_source = Some("settings".into());
        }
        let mut hooks = self.ask_hooks(call, request.permission_suggestions.as_deref().unwrap_or_default());
        if let Some(answer) = self.ask_prompt_tool(tool, call).await {
            return match answer {
                Ok(payload) => self.answered(tool, call, decision, &payload).await,
                Err(error) => self.unanswered(tool, &error.to_string()),
            };
        }
        if !self.session.asks_host() {
            let ruling = tokio::select! {
                ruling = advice::ruling(&mut hooks) => ruling,
                () = self.cancel.cancelled() => return Permit::Withdrawn,
            };
            if let Some(ruling) = ruling {
                return self.ruled(tool.name(), call, ruling, false).await;
            }
            let kind = leaves.then_some(SANDBOX_OVERRIDE).or(reason::name(&decision));
            let kind = asked_by_hook.as_ref().map(|_| advice::HOOK).or(kind);
            let why = asked_by_hook.as_ref().unwrap_or(&decision.reason);
            let message = denial::ungranted(tool, &input, why);
            let message = self.denied_alone(tool.name(), call, kind, asked_by_hook.as_deref(), message).await;
            return self.denied(message, "config", None, false, "user-rejected");
        }
        if self.session.host.begin_question() {
            self.session.send_state(SessionState::RequiresAction).await;
        }
        let otherwise = async {
            tokio::select! {
                ruling = self.decided_by_hook(tool.name(), &mut hooks) => Some(ruling),
                () = self.cancel.cancelled() => None,
            }
        };
        if let Some(is_settled) = self.is_settled {
            is_settled.store(true, Ordering::Relaxed);
        }
        let asked =
            self.session.host.ask_unless(AgentRequest::CanUseTool(Box::new(request)), otherwise).await;
        if self.session.host.end_question() {
            self.session.send_state(SessionState::Running).await;
        }
        let answer = match asked {
            RequestRace::Answered(answer) => answer,
            RequestRace::Settled(Some(ruling)) => return self.ruled(tool.name(), call, ruling, true).await,
            RequestRace::Settled(None) => return Permit::Withdrawn,
        };
        let payload = match answer {
            Ok(payload) => payload,
            Err(HostRequestError::Withdrawn) => return Permit::Withdrawn,
            Err(HostRequestError::Gone | HostRequestError::Late) => {
                return self.unanswered(tool, "the host closed stdin before it answered");
            }
            Err(HostRequestError::Refused(error)) => return self.unanswered(tool, &error),
        };
        self.answered(tool, call, decision, &payload).await
    }

    /// Changes what is allowed, as an answer wants it.
    async fn apply(&self, update: &PermissionUpdate<'_>) {
        match self.session.change_permissions(update).await {
            Ok(()) => (),
            Err(ChangeError::Invalid(error)) => {
                let error = error.advised();
                trace::permission_update_invalid(format_args!("{error}"));
            }
            Err(error @ ChangeError::NotSaved(_)) => {
                let note = format!("A permission update was not applied: {error}");
                self.session.send_note(&note, "warning").await;
            }
        }
    }

    /// Notifies host and hooks of a denial without a permission request; returns the message for the model.
    async fn denied_alone(
        &self,
        tool: &str,
        call: &ToolUseBlock<'static>,
        kind: Option<&'static str>,
        reason: Option<&str>,
        message: String,
    ) -> String {
        self.send_denied(tool, call, kind, reason, &message).await;
        let outcome =
            self.session.permission_denied(HookedCall::of(call, self.agent()), &message, self.cancel).await;
        if outcome.may_retry { format!("{message}. A hook allows you to retry the call.") } else { message }
    }

    /// Notifies the host of a denial that it was not asked about.
    async fn send_denied(
        &self,
        tool: &str,
        call: &ToolUseBlock<'static>,
        kind: Option<&'static str>,
        reason: Option<&str>,
        message: &str,
    ) {
        // Hosts know nothing of agents that verify something for a hook.
        if self.agent().is_some_and(|agent| agent.is_verifier) {
            return;
        }
        let mut frame = PermissionDenied::new(tool.to_owned(), call.id.clone());
        frame.decision_reason_type = kind.map(Into::into);
        frame.decision_reason = reason.map(|reason| reason.to_owned().into());
        frame.message = Some(message.to_owned().into());
        frame.agent_id = self.agent().map(|agent| agent.id.clone().into());
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.session.id().into());
        self.session.send(FromAgent::System(SystemFrame::PermissionDenied(Box::new(frame)))).await;
    }

    fn denied(
        &self,
        message: String,
        source: &'static str,
        reason: Option<&'static str>,
        interrupts: bool,
        kind: &'static str,
    ) -> Permit {
        Permit::Denied {
            message,
            meta: meta(ToolDecisionKind::Reject, source, reason, Some(kind)),
            interrupts,
        }
    }
}

/// Why permissions could not be changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChangeError {
    /// The update means nothing; permissions are as they were.
    #[error(transparent)]
    Invalid(#[from] aqueduct_rules::Error),
    /// The change holds for this session, and could not be saved.
    #[error("{0}")]
    NotSaved(String),
}

impl AgentSession {
    /// Changes what is allowed, here and in the settings file where it is kept.
    pub(crate) async fn change_permissions(&self, update: &PermissionUpdate<'_>) -> Result<(), ChangeError> {
        let changes_mode = self.permissions.apply(update)?;
        if let PermissionUpdate::AddDirectories(update) = update {
            self.tool_context
                .add_directories(update.directories.iter().map(|path| PathBuf::from(path.as_str())));
        }
        if let PermissionUpdate::RemoveDirectories(update) = update {
            let gone: Vec<PathBuf> =
                update.directories.iter().map(|path| PathBuf::from(path.as_str())).collect();
            self.tool_context.workspace.remove_directories(&gone);
        }
        self.renew_sandbox();
        let mut saved = Configuration::save(&self.environment, update).map_err(|error| error.advised());
        if matches!(saved, Ok(Some(_))) {
            let granted = trust::grant(&self.environment, update, &self.trust);
            saved = saved.and_then(|file| granted.map(|()| file).map_err(|error| error.advised()));
        }
        if changes_mode {
            self.send_mode().await;
        }
        saved.map(drop).map_err(ChangeError::NotSaved)
    }

    /// Changes the mode as a tool does. Where the host has chosen another mode with its answer, that one stays.
    pub(crate) async fn change_mode(&self, change: ModeChange) {
        let has_changed = match change {
            ModeChange::BeginPlanning => self.permissions.begin_planning(),
            ModeChange::EndPlanning => self.permissions.end_planning(),
        };
        if has_changed {
            self.send_mode().await;
        }
    }
}

fn request(
    tool: &OfferedTool,
    call: &ToolUseBlock<'static>,
    input: &Value,
    decision: &Decision,
) -> CanUseToolRequest<'static> {
    let mut request = CanUseToolRequest::new(tool.name().to_owned(), call.input.clone());
    request.tool_use_id = Some(call.id.clone());
    request.display_name = Some(tool.name().to_owned().into());
    if let Some(served) = tool.served() {
        let mut server = ToolMcpServer::new();
        server.name = Some(served.server.clone().into());
        server.source = Some(served.source().into());
        request.mcp_server = Some(server);
        request.display_name = Some(served.shown().into());
    }
    let described = input.get("description").and_then(Value::as_str);
    request.description = described.map(|text| text.to_owned().into());
    if tool.is(|facts| facts.asks_user) {
        request.requires_user_interaction = Some(true);
        return request;
    }
    request.decision_reason = Some(decision.reason.clone().into());
    request.decision_reason_type = Some(reason::of_question(decision));
    request.blocked_path = blocked_path(input, decision).map(Into::into);
    request.explanation = (call.input.as_str().len() <= LARGEST_EXPLAINED).then(|| decision.into());
    request.permission_suggestions = (!decision.suggestions.is_empty()).then(|| decision.suggestions.clone());
    request
}

/// Whether a rule wants the user to be asked.
fn is_asked_by_rule(decision: &Decision) -> bool {
    decision.trace.iter().any(|step| step.step == Stage::Ask && step.behavior == Behavior::Ask)
}

/// The file that is asked about: what a command would write, or what a file tool is called for.
fn blocked_path(input: &Value, decision: &Decision) -> Option<String> {
    let asked = decision.parts.iter().filter(|part| part.behavior == Behavior::Ask);
    let written =
        asked.flat_map(|part| part.writes.iter().chain(&part.reads)).find(|path| path.starts_with('/'));
    let named = ["file_path", "notebook_path", "path"].iter().find_map(|name| input.get(*name)?.as_str());
    written.map(String::as_str).or(named).map(str::to_owned)
}

/// What hosts learn of a call whose input they replaced by one that does not fit.
pub(crate) fn invalid_input() -> ToolResultMeta<'static> {
    meta(ToolDecisionKind::Reject, "permission_updated_input_invalid", None, None)
}

fn meta(
    decision: ToolDecisionKind<'static>,
    source: &'static str,
    reason: Option<&'static str>,
    kind: Option<&'static str>,
) -> ToolResultMeta<'static> {
    let mut decided = ToolDecision::new();
    decided.decision = Some(decision);
    decided.source = Some(source.into());
    decided.reason_type = reason.map(Into::into);
    let mut meta = ToolResultMeta::new("");
    meta.permission_decision = Some(Box::new(decided));
    meta.non_execution_kind = kind.map(Into::into);
    meta
}
