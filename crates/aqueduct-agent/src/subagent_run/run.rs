//! Runs the tasks of subagents, from the request to the report.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use aqueduct_mcp::{Mcp, OwnServers};
use aqueduct_os::private_dir::make_private_among_others;
use aqueduct_rules::Mode;
use aqueduct_tools::subagent::{
    ParentSubagent, PoolMember, SubagentEnd, SubagentIdentity, SubagentReport, SubagentRequest, SubagentTask,
};
use aqueduct_tools::worktree::{Worktree, WorktreeError};
use aqueduct_tools::{CallOutput, ToolFailure};
use aqueduct_wire::block::{Content, ContentBlock, TextBlock};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::Raw;
use aqueduct_wire::tool::{AgentLaunched, AgentResult};
use tokio_util::sync::CancellationToken;

use crate::mcp_config::{MANAGED_SERVERS, read_own};
use crate::prompt_queue::QueuedPrompt;
use crate::session::{AgentSession, Dialogue, TaskNote, history_of};
use crate::subagent::{DefinitionOwner, RunningSubagent, SubagentDefinition, is_narrow};
use crate::transcript::{Conversation, Project, TranscriptFileError, TranscriptWriter};
use crate::turn::Turn;

/// The variable that sets the model of all subagents.
const MODEL: &str = "CLAUDE_CODE_SUBAGENT_MODEL";

/// The result of a call that starts a subagent in the background.
const LAUNCHED: &str = "The subagent is running in the background. You are notified when it is done. Until then its \
    results are unknown: continue with something else, or end your turn. Do not do its work yourself.";

impl AgentSession {
    /// The permission mode of a subagent. It does not apply in a session that allows everything, where subagents are
    /// allowed everything too, or in plan mode, where subagents change nothing either. An untrusted project gets no
    /// mode that allows more than the session's.
    pub(crate) fn mode_of(&self, by: &RunningSubagent) -> Option<Mode> {
        let mode = by.definition.mode?;
        if by.identity.is_verifier {
            return Some(mode);
        }
        let is_settled = matches!(self.permissions.mode(), Mode::BypassPermissions | Mode::Plan);
        let counts = is_narrow(mode) || self.accepts(by.definition.provision().as_ref());
        (!is_settled && counts).then_some(mode)
    }

    /// Runs a task of the Agent tool or SendMessage, concurrently with the session.
    pub(crate) async fn run_subagent_task(&self, subagent_task: SubagentTask) {
        let SubagentTask { mut order, cancel, reply } = subagent_task;
        let Some(definition) = self.subagent_registry.find(&order.kind) else {
            let what = format!("The subagent type {:?} does not exist any more.", order.kind);
            // The caller may have dropped the receiver.
            let _ = reply.send(Err(ToolFailure::Failed(what)));
            return;
        };
        let identity = Arc::new(self.introduce(&order));
        let dialogue = match self.sidechain(&identity, order.continues.is_some()) {
            Ok(dialogue) => dialogue,
            Err(error) => {
                let _ = reply.send(Err(ToolFailure::Failed(not_continued(&identity, &error))));
                return;
            }
        };
        let worktree = match self.isolate(&order, &identity, &cancel).await {
            Ok(worktree) => worktree,
            Err(error) => {
                let _ = reply.send(Err(not_isolated(&error)));
                return;
            }
        };
        let stop = if order.is_background { CancellationToken::new() } else { cancel.child_token() };
        let output = self.tool_context.commands.spool.join(format!("{}.output", identity.id));
        let member = self.tool_context.subagents.pool.join(identity.clone(), output.clone(), stop.clone());
        if !order.is_background {
            self.send_subagent_started(&identity, &order.prompt).await;
            let report = self.work((&order, &definition), &member, dialogue, worktree).await;
            let _ = reply.send(report.output(&identity, &order.prompt, self.can_continue()));
            return;
        }
        self.begin_in_background(&identity).await;
        self.send_subagent_started(&identity, &order.prompt).await;
        let launched = launched(&member, &order, self.model_for(&order, &definition), self.can_continue());
        let _ = reply.send(Ok(launched));
        let (mut member, mut dialogue, mut worktree) = (member, dialogue, worktree);
        loop {
            let report = self.work((&order, &definition), &member, dialogue, worktree).await;
            self.background_tasks.remove(&member.identity.id);
            self.send_background_tasks().await;
            if !member.is_unwanted() {
                self.enqueue(notification(&member, &report));
            }
            let mail = member.take_messages();
            if mail.is_empty() || report.ended != SubagentEnd::Completed {
                return;
            }
            // Messages that were sent to it while it wrote its report.
            order = SubagentRequest {
                prompt: mail.join("\n\n"),
                continues: Some(SubagentIdentity::clone(&identity)),
                ..order
            };
            let identity = Arc::new(self.introduce(&order));
            dialogue = match self.sidechain(&identity, true) {
                Ok(dialogue) => dialogue,
                Err(error) => return self.send_note(&not_continued(&identity, &error), "warning").await,
            };
            worktree = match self.isolate(&order, &identity, &stop).await {
                Ok(worktree) => worktree,
                Err(error) => {
                    let ToolFailure::Failed(why) = not_isolated(&error) else { return };
                    return self.send_note(&why, "warning").await;
                }
            };
            member = self.tool_context.subagents.pool.join(identity.clone(), output.clone(), stop.clone());
            self.begin_in_background(&identity).await;
            self.send_subagent_started(&identity, &order.prompt).await;
        }
    }

    /// Whether subagents can be continued: their conversations are kept, and there is a tool for it.
    fn can_continue(&self) -> bool {
        !self.options.unsaved && self.tools().iter().any(|tool| tool.is(|facts| facts.continues_subagents))
    }

    fn introduce(&self, order: &SubagentRequest) -> SubagentIdentity {
        let (run_id, tool_use_id) = (aqueduct_tools::fresh_run_id(), order.tool_use_id.clone());
        if let Some(earlier) = &order.continues {
            return SubagentIdentity {
                run_id,
                tool_use_id,
                is_background: order.is_background,
                ..SubagentIdentity::clone(earlier)
            };
        }
        let sender = order.sender.as_ref().map(|sender| &sender.identity);
        SubagentIdentity {
            id: SubagentIdentity::fresh_id(),
            run_id,
            kind: order.kind.clone(),
            description: order.description.clone(),
            name: order.name.clone(),
            shown_under: tool_use_id.clone(),
            tool_use_id,
            depth: sender.map_or(0, |sender| sender.depth) + 1,
            parent: sender.map(|sender| sender.id.clone()),
            is_background: order.is_background,
            is_isolated: order.is_isolated,
            is_verifier: false,
        }
    }

    /// Runs the task, and notifies the host when it is done.
    async fn work(
        &self,
        (order, definition): (&SubagentRequest, &Arc<SubagentDefinition>),
        member: &Arc<PoolMember>,
        mut dialogue: Dialogue,
        worktree: Option<Worktree>,
    ) -> SubagentReport {
        let identity = &member.identity;
        let cancel = member.cancel();
        let (mcp, servers) = self.servers_of(definition, &cancel).await;
        for failure in servers.failures() {
            self.send_note(&failure, "warning").await;
        }
        let agent = self.engage((order, definition), member, mcp, worktree);
        if order.continues.is_none() {
            self.describe_sidechain(&agent);
        }
        if self.accepts(agent.definition.provision().as_ref()) {
            self.hooks.bring(&identity.id, Some(&identity.id), &agent.definition.hooks);
        }
        let begun = self.subagent_started(identity, &cancel).await;
        let contexts = begun.contexts.iter().map(|text| format!("SubagentStart hook: {text}")).collect();
        let mut report = Turn::of(self, &mut dialogue, &agent, cancel).serve(&order.prompt, contexts).await;
        if let Some(worktree) = &agent.worktree {
            report.worktree = self.leave_worktree(worktree).await;
        }
        self.hooks.take_away(&identity.id);
        self.stop_commands_of(&identity.id).await;
        servers.end().await;
        let written = make_private_among_others(&self.tool_context.commands.spool)
            .and_then(|()| std::fs::write(&member.output, &report.text));
        if let Err(error) = written {
            self.send_note(&format!("{} can't be written: {error}", member.output.display()), "warning")
                .await;
        }
        // The transcript must be closed before the subagent can be continued.
        drop(dialogue);
        member.bring(report.clone());
        self.send_subagent_ended(member, &report).await;
        report
    }

    /// The MCP servers of a subagent: the session's, and those that its definition starts. An untrusted project
    /// starts none, and neither does a file under `--strict-mcp-config`.
    async fn servers_of(
        &self,
        definition: &SubagentDefinition,
        cancel: &CancellationToken,
    ) -> (Arc<Mcp>, OwnServers) {
        let is_strict = self.options.strict_mcp_config && definition.whose != DefinitionOwner::Host;
        // Where the organisation has a list of servers, there are no others.
        let is_managed = Path::new(MANAGED_SERVERS).exists();
        let starts = definition.started_servers().next().is_some();
        if !starts || is_strict || is_managed || !self.accepts(definition.provision().as_ref()) {
            return (self.tool_context.mcp.clone(), OwnServers::default());
        }
        let servers = definition.started_servers();
        let configs = read_own(&self.environment, servers, self.configuration().servers());
        let (mcp, own) = self.tool_context.mcp.start_beside(configs, cancel).await;
        (Arc::new(mcp), own)
    }

    fn engage(
        &self,
        (order, definition): (&SubagentRequest, &Arc<SubagentDefinition>),
        member: &Arc<PoolMember>,
        mcp: Arc<Mcp>,
        worktree: Option<Worktree>,
    ) -> RunningSubagent {
        let model = self.model_for(order, definition);
        let identity = &member.identity;
        let owner = ParentSubagent { identity: identity.clone(), model: model.clone() };
        RunningSubagent {
            identity: identity.clone(),
            definition: definition.clone(),
            tool_context: match &worktree {
                Some(worktree) => self.tool_context.for_subagent(owner, mcp).in_folder(&worktree.path),
                None => self.tool_context.for_subagent(owner, mcp),
            },
            max_turns: order.max_turns.or(definition.max_turns),
            member: Some(member.clone()),
            is_continued: order.continues.is_some(),
            transcript: self.sidechain_file(identity),
            worktree,
            form: None,
            model: Mutex::new(model),
        }
    }

    /// Where the conversation of a subagent is kept.
    fn sidechain_file(&self, identity: &SubagentIdentity) -> PathBuf {
        Project::of(&self.environment.config, &self.environment.cwd).sidechain(&self.id(), &identity.id)
    }

    /// The model of a task, from the variable, the call, the definition or the sender.
    fn model_for(&self, order: &SubagentRequest, definition: &SubagentDefinition) -> String {
        let wanted = self.environment.variable(MODEL).map(str::to_owned);
        let wanted = wanted.or(order.model.clone()).or(definition.model.clone());
        let own = || order.sender.as_ref().map_or_else(|| self.model(), |sender| sender.model.clone());
        wanted.map_or_else(own, |name| self.models.resolve(Some(&name)))
    }

    /// The conversation of a subagent, beside the session's: a new one, or the one that it has.
    fn sidechain(
        &self,
        identity: &SubagentIdentity,
        is_continued: bool,
    ) -> Result<Dialogue, TranscriptFileError> {
        let mut stamp = self.stamp.clone();
        stamp.session_id = self.id();
        stamp.agent_id = Some(identity.id.clone());
        let file = self.sidechain_file(identity);
        let (mut transcript, conversation) = match (self.options.unsaved, is_continued) {
            (true, true) => return Err(TranscriptFileError::NotFound { session_id: identity.id.clone() }),
            (true, false) => (TranscriptWriter::unsaved(stamp), Conversation::default()),
            (false, true) => TranscriptWriter::resume_beside(file, stamp)?,
            (false, false) => (TranscriptWriter::beside(file, stamp), Conversation::default()),
        };
        if let Some(mirror) = &self.mirror {
            transcript.mirror(mirror.clone());
        }
        Ok(Dialogue::new(history_of(conversation.entries), transcript))
    }

    /// Stores the identity of a subagent beside its conversation.
    fn describe_sidechain(&self, agent: &RunningSubagent) {
        if !self.options.unsaved {
            agent.describe();
        }
        if let Some(mirror) = &self.mirror {
            // In a copy there is no file beside the conversation: it begins with who it is.
            let mut about = agent.about();
            about["type"] = "agent_metadata".into();
            mirror.note(&agent.transcript, about.to_string());
        }
    }
}

/// Why a subagent can't be continued.
fn not_continued(identity: &SubagentIdentity, error: &TranscriptFileError) -> String {
    format!("The subagent {} can't be continued: {}", identity.id, error.advised())
}

/// The result of a call whose subagent has no worktree.
fn not_isolated(error: &WorktreeError) -> ToolFailure {
    match error {
        WorktreeError::Interrupted => ToolFailure::Interrupted(String::new()),
        error => {
            ToolFailure::Failed(format!("Cannot create the worktree of the subagent: {}", error.advised()))
        }
    }
}

/// The result of a call whose subagent runs in the background.
fn launched(member: &PoolMember, order: &SubagentRequest, model: String, can_continue: bool) -> CallOutput {
    let identity = &member.identity;
    let reported = identity.describe(can_continue);
    let text = format!("{LAUNCHED}\n{reported}\noutput_file: {}", member.output.display());
    let mut result = AgentLaunched::new(identity.id.clone());
    result.is_async = Some(true);
    result.resolved_model = Some(model.into());
    result.description = Some(identity.description.clone().into());
    result.prompt = Some(order.prompt.clone().into());
    result.output_file = Some(member.output.display().to_string().into());
    result.can_read_output_file = Some(true);
    result.can_continue_agent = Some(can_continue);
    CallOutput {
        content: Content::Blocks(vec![ContentBlock::Text(TextBlock::new(text))]),
        result: Raw::written(&AgentResult::Launched(Box::new(result))),
        is_error: false,
    }
}

/// The message for the model when a subagent in the background is done. It begins a turn.
fn notification(member: &PoolMember, report: &SubagentReport) -> QueuedPrompt {
    let identity = &member.identity;
    let (status, status_text) = match &report.ended {
        SubagentEnd::Completed => ("completed", report.framed()),
        SubagentEnd::Failed(why) => ("failed", why.clone()),
        SubagentEnd::Stopped => ("stopped", "It was stopped before it finished.".to_owned()),
    };
    let note = TaskNote {
        id: &identity.id,
        run_id: Some(&identity.run_id),
        tool_use_id: Some(&identity.tool_use_id),
        output: Some(&member.output.display().to_string()),
        status,
        summary: &format!("The subagent \"{}\" is done: {status}", identity.description),
        rest: &format!("<result>\n{status_text}\n</result>{}\n", report.place()),
    };
    note.prompt()
}
