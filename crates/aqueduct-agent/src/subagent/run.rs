//! A subagent at work.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use aqueduct_rules::Mode;
use aqueduct_wire::block::{Content, ContentBlock, TextBlock};
use aqueduct_wire::frame::UserFrame;
use aqueduct_wire::message::UserMessage;
use aqueduct_wire::origin::{Origin, TaskNotificationOrigin};
use aqueduct_wire::tool::{AgentLaunched, AgentResult};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::crew::Member;
use super::definition::{Definition, Whose, is_narrow};
use super::errand::{Errand, Order, Sender};
use super::identity::{Identity, MAX_DEPTH};
use super::report::{Ended, Report};
use crate::file::{make_private, make_private_among_others};
use crate::json_text::to_raw;
use crate::mcp::{MANAGED_SERVERS, Mcp, OwnServers};
use crate::prompt_queue::Prompt;
use crate::session::{Dialogue, Session, history_of};
use crate::tool::{AGENT, Failure, Form, Offer, Output, SEND_MESSAGE, STRUCTURED_OUTPUT, Workshop};
use crate::transcript::{Conversation, Project, Transcript, TranscriptError};
use crate::turn::Turn;
use crate::worktree::{Worktree, WorktreeError};

/// The variable that sets the model of all subagents.
const MODEL: &str = "CLAUDE_CODE_SUBAGENT_MODEL";

/// Tools for the agent itself only: the user is asked by whoever talks to them.
const NOT_FOR_SUBAGENTS: &[&str] = &["AskUserQuestion", "EnterPlanMode", "ExitPlanMode", STRUCTURED_OUTPUT];

/// What the model is told of a subagent that nobody waits for.
const LAUNCHED: &str = "The subagent is at work in the background. You will be told when it is done. Until then you \
    know nothing of what it finds: go on with something else, or end your turn. Do not do its work yourself.";

/// A subagent at work.
pub(crate) struct Subagent {
    /// Who it is.
    pub(crate) identity: Arc<Identity>,
    /// What it is.
    pub(crate) definition: Arc<Definition>,
    /// What its tools share.
    pub(crate) workshop: Workshop,
    /// How often its model may be called.
    pub(crate) max_turns: Option<u32>,
    /// What others see of it, where they see anything.
    pub(crate) member: Option<Arc<Member>>,
    /// It has a conversation already.
    pub(crate) is_continued: bool,
    /// Where its conversation is kept.
    pub(crate) transcript: PathBuf,
    /// The worktree that it works in.
    pub(crate) worktree: Option<Worktree>,
    /// The form that its answer must have.
    pub(crate) form: Option<Arc<Form>>,
    pub(super) model: Mutex<String>,
}

impl Subagent {
    /// Its model.
    pub(crate) fn model(&self) -> String {
        self.model.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Lets another model go on in its place.
    pub(crate) fn switch_model(&self, model: String) {
        *self.model.lock().unwrap_or_else(PoisonError::into_inner) = model;
    }

    /// Who it is, for who reads its conversation later.
    fn about(&self) -> Value {
        let identity = &self.identity;
        let mut about = json!({
            "agentType": identity.kind,
            "isBuiltIn": self.definition.whose == Whose::BuiltIn,
            "description": identity.description,
            "toolUseId": identity.shown_under,
            "spawnDepth": identity.depth,
        });
        if let Some(name) = &identity.name {
            about["name"] = name.as_str().into();
        }
        if let Some(worktree) = &self.worktree {
            about["worktreePath"] = worktree.path.display().to_string().into();
        }
        if let Some(parent) = &identity.parent {
            about["parentAgentId"] = parent.as_str().into();
        }
        about
    }

    /// Keeps who it is beside its conversation. It is no part of that: where it can't be kept, nothing else
    /// is lost.
    fn describe(&self) {
        let Some(folder) = self.transcript.parent() else { return };
        let file = self.transcript.with_extension("meta.json");
        let _ = make_private(folder).and_then(|()| std::fs::write(file, self.about().to_string()));
    }

    /// Whether it has a tool.
    pub(crate) fn has(&self, tool: &Offer) -> bool {
        let name = tool.name();
        !NOT_FOR_SUBAGENTS.contains(&name)
            && (name != AGENT || self.identity.depth < MAX_DEPTH)
            && match tool.served() {
                Some(served) => self.definition.has_served(name, &served.server),
                None => self.definition.has(name),
            }
    }

    /// The permission mode that it has for itself. A session that allows everything allows it to subagents
    /// too, one that plans changes nothing through them, and a project that nobody trusts gets no mode that
    /// allows more than the session's.
    pub(crate) fn mode(&self, session: &Session) -> Option<Mode> {
        let mode = self.definition.mode?;
        if self.identity.is_verifier {
            return Some(mode);
        }
        let is_settled = matches!(session.mode(), Mode::BypassPermissions | Mode::Plan);
        let counts = is_narrow(mode) || session.accepts(self.definition.provision().as_ref());
        (!is_settled && counts).then_some(mode)
    }
}

impl Session {
    /// Does what the Agent tool or SendMessage wants done, beside everything else.
    pub(crate) async fn do_errand(&self, errand: Errand) {
        let Errand { mut order, cancel, reply } = errand;
        let identity = Arc::new(self.introduce(&order));
        let dialogue = match self.sidechain(&identity, order.continues.is_some()) {
            Ok(dialogue) => dialogue,
            Err(error) => {
                // The caller may have gone.
                let _ = reply.send(Err(Failure::Failed(not_continued(&identity, &error))));
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
        let output = self.workshop.spool.join(format!("{}.output", identity.id));
        let member = self.workshop.crew.join(identity.clone(), output.clone(), stop.clone());
        if !order.is_background {
            self.send_subagent_started(&identity, &order.prompt).await;
            let report = self.work(&order, &member, dialogue, worktree).await;
            let _ = reply.send(report.output(&identity, &order.prompt, self.can_continue()));
            return;
        }
        self.send_background_tasks().await;
        self.send_subagent_started(&identity, &order.prompt).await;
        let launched = launched(&member, &order, self.model_for(&order), self.can_continue());
        let _ = reply.send(Ok(launched));
        let (mut member, mut dialogue, mut worktree) = (member, dialogue, worktree);
        loop {
            let report = self.work(&order, &member, dialogue, worktree).await;
            self.send_background_tasks().await;
            if !member.is_unwanted() {
                self.queue().extend(Some(notification(&member, &report)));
            }
            let mail = member.take_mail();
            if mail.is_empty() || report.ended != Ended::Completed {
                return;
            }
            // What was sent to it while it wrote its report.
            order = Order { prompt: mail.join("\n\n"), continues: Some(Identity::clone(&identity)), ..order };
            let identity = Arc::new(self.introduce(&order));
            dialogue = match self.sidechain(&identity, true) {
                Ok(dialogue) => dialogue,
                Err(error) => return self.send_note(&not_continued(&identity, &error), "warning").await,
            };
            worktree = match self.isolate(&order, &identity, &stop).await {
                Ok(worktree) => worktree,
                Err(error) => {
                    let Failure::Failed(why) = not_isolated(&error) else { return };
                    return self.send_note(&why, "warning").await;
                }
            };
            member = self.workshop.crew.join(identity.clone(), output.clone(), stop.clone());
            self.send_background_tasks().await;
            self.send_subagent_started(&identity, &order.prompt).await;
        }
    }

    /// Whether subagents can be continued: their conversations are kept, and there is a tool for it.
    fn can_continue(&self) -> bool {
        !self.options.unsaved && self.tools().iter().any(|tool| tool.name() == SEND_MESSAGE)
    }

    fn introduce(&self, order: &Order) -> Identity {
        let (run_id, tool_use_id) = (Identity::fresh_run_id(), order.tool_use_id.clone());
        if let Some(earlier) = &order.continues {
            return Identity {
                run_id,
                tool_use_id,
                is_background: order.is_background,
                ..Identity::clone(earlier)
            };
        }
        let sender = order.sender.as_ref().map(|sender| &sender.identity);
        Identity {
            id: Identity::fresh_id(),
            run_id,
            kind: order.definition.name.clone(),
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

    /// Does the work, and tells the host when it is done.
    async fn work(
        &self,
        order: &Order,
        member: &Arc<Member>,
        mut dialogue: Dialogue,
        worktree: Option<Worktree>,
    ) -> Report {
        let identity = &member.identity;
        let cancel = member.cancel();
        let (mcp, servers) = self.servers_of(&order.definition, &cancel).await;
        for failure in servers.failures() {
            self.send_note(&failure, "warning").await;
        }
        let agent = self.engage(order, member, mcp, worktree);
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
        servers.end().await;
        let written = make_private_among_others(&self.workshop.spool)
            .and_then(|()| std::fs::write(&member.output, &report.text));
        if let Err(error) = written {
            self.send_note(&format!("{} can't be written: {error}", member.output.display()), "warning")
                .await;
        }
        // Its file is closed before anybody continues it.
        drop(dialogue);
        member.bring(report.clone());
        self.send_subagent_ended(member, &report).await;
        report
    }

    /// The MCP servers of a subagent: the session's, and those that its definition starts. A project that nobody trusts
    /// starts none, and neither does a file under `--strict-mcp-config`.
    async fn servers_of(
        &self,
        definition: &Definition,
        cancel: &CancellationToken,
    ) -> (Arc<Mcp>, OwnServers) {
        let is_strict = self.options.strict_mcp_config && definition.whose != Whose::Host;
        // Where the organisation has a list of servers, there are no others.
        let is_managed = Path::new(MANAGED_SERVERS).exists();
        let starts = definition.started_servers().next().is_some();
        if !starts || is_strict || is_managed || !self.accepts(definition.provision().as_ref()) {
            return (self.workshop.mcp.clone(), OwnServers::default());
        }
        let planned = self.workshop.mcp.plan(definition.started_servers(), self.configuration().servers());
        let (mcp, own) = self.workshop.mcp.start_beside(planned, cancel).await;
        (Arc::new(mcp), own)
    }

    fn engage(
        &self,
        order: &Order,
        member: &Arc<Member>,
        mcp: Arc<Mcp>,
        worktree: Option<Worktree>,
    ) -> Subagent {
        let model = self.model_for(order);
        let identity = &member.identity;
        let owner = Sender { identity: identity.clone(), model: model.clone() };
        Subagent {
            identity: identity.clone(),
            definition: order.definition.clone(),
            workshop: match &worktree {
                Some(worktree) => self.workshop.for_subagent(owner, mcp).in_folder(&worktree.path),
                None => self.workshop.for_subagent(owner, mcp),
            },
            max_turns: order.max_turns.or(order.definition.max_turns),
            member: Some(member.clone()),
            is_continued: order.continues.is_some(),
            transcript: self.sidechain_file(identity),
            worktree,
            form: None,
            model: Mutex::new(model),
        }
    }

    /// Where the conversation of a subagent is kept.
    fn sidechain_file(&self, identity: &Identity) -> PathBuf {
        Project::of(&self.environment.config, &self.environment.cwd).sidechain(&self.id(), &identity.id)
    }

    /// The model that does it: what a variable, the call or the definition says, or the sender's.
    fn model_for(&self, order: &Order) -> String {
        let wanted = self.environment.variable(MODEL).map(str::to_owned);
        let wanted = wanted.or(order.model.clone()).or(order.definition.model.clone());
        let own = || order.sender.as_ref().map_or_else(|| self.model(), |sender| sender.model.clone());
        wanted.map_or_else(own, |name| self.models.resolve(Some(&name)))
    }

    /// The conversation of a subagent, beside the session's: a new one, or the one that it has.
    fn sidechain(&self, identity: &Identity, is_continued: bool) -> Result<Dialogue, TranscriptError> {
        let mut stamp = self.stamp.clone();
        stamp.session_id = self.id();
        stamp.agent_id = Some(identity.id.clone());
        let file = self.sidechain_file(identity);
        let (mut transcript, conversation) = match (self.options.unsaved, is_continued) {
            (true, true) => return Err(TranscriptError::NotFound { session_id: identity.id.clone() }),
            (true, false) => (Transcript::unsaved(stamp), Conversation::default()),
            (false, true) => Transcript::resume_beside(file, stamp)?,
            (false, false) => (Transcript::beside(file, stamp), Conversation::default()),
        };
        if let Some(mirror) = &self.mirror {
            transcript.mirror(mirror.clone());
        }
        Ok(Dialogue::new(history_of(conversation.entries), transcript))
    }

    /// Keeps who a subagent is, beside its conversation.
    fn describe_sidechain(&self, agent: &Subagent) {
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
fn not_continued(identity: &Identity, error: &TranscriptError) -> String {
    format!("The subagent {} can't be continued: {error}", identity.id)
}

/// The result of a call whose subagent has no worktree.
fn not_isolated(error: &WorktreeError) -> Failure {
    match error {
        WorktreeError::Interrupted => Failure::Interrupted(String::new()),
        error => Failure::Failed(format!("Cannot create the worktree of the subagent: {error}")),
    }
}

/// The result of a call that nobody waits for.
fn launched(member: &Member, order: &Order, model: String, can_continue: bool) -> Output {
    let identity = &member.identity;
    let told = identity.told(can_continue);
    let text = format!("{LAUNCHED}\n{told}\noutput_file: {}", member.output.display());
    let mut result = AgentLaunched::new(identity.id.clone());
    result.is_async = Some(true);
    result.resolved_model = Some(model.into());
    result.description = Some(identity.description.clone().into());
    result.prompt = Some(order.prompt.clone().into());
    result.output_file = Some(member.output.display().to_string().into());
    result.can_read_output_file = Some(true);
    result.can_continue_agent = Some(can_continue);
    Output {
        content: Content::Blocks(vec![ContentBlock::Text(TextBlock::new(text))]),
        result: to_raw(&AgentResult::Launched(Box::new(result))),
        is_error: false,
    }
}

/// What the model is told when a subagent is done that nobody waited for. It begins a turn.
fn notification(member: &Member, report: &Report) -> Prompt {
    let identity = &member.identity;
    let (status, said) = match &report.ended {
        Ended::Completed => ("completed", report.framed()),
        Ended::Failed(why) => ("failed", why.clone()),
        Ended::Stopped => ("stopped", "It was stopped before it was done.".to_owned()),
    };
    let text = format!(
        "<task-notification>\n<task-id>{}</task-id>\n<tool-use-id>{}</tool-use-id>\n<status>{status}</status>\n\
         <output-file>{}</output-file>\n<summary>The subagent \"{}\" is done: {status}</summary>\n\
         <result>\n{said}\n</result>{}\n</task-notification>",
        identity.id,
        identity.tool_use_id,
        member.output.display(),
        identity.description,
        report.place(),
    );
    let mut message = UserMessage::new(Content::Text(text.into()));
    message.role = Some("user".into());
    let mut frame = UserFrame::new(message);
    let mut origin = TaskNotificationOrigin::new();
    origin.producer = Some("session-task".into());
    origin.run_id = Some(identity.run_id.clone().into());
    frame.origin = Some(Box::new(Origin::TaskNotification(origin)));
    frame.is_synthetic = Some(true);
    // What looks like a command in there is none.
    frame.client_composed = Some(true);
    Prompt::new(frame)
}
