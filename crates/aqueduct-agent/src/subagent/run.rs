//! A subagent at work.

use std::path::PathBuf;
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
use crate::history::History;
use crate::json_text::to_raw;
use crate::prompt_queue::Prompt;
use crate::session::{Dialogue, Session};
use crate::tool::{AGENT, Failure, Form, Offer, Output, STRUCTURED_OUTPUT, Workshop};
use crate::transcript::{Project, Transcript};
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
            "toolUseId": identity.tool_use_id,
            "spawnDepth": identity.depth,
        });
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
            && self.definition.has(name)
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
    /// Does what the Agent tool wants done, beside everything else.
    pub(crate) async fn do_errand(&self, errand: Errand) {
        let Errand { order, cancel, reply } = errand;
        let identity = Arc::new(self.introduce(&order));
        let worktree = match self.isolate(&order, &identity, &cancel).await {
            Ok(worktree) => worktree,
            Err(WorktreeError::Interrupted) => {
                let _ = reply.send(Err(Failure::Interrupted(String::new())));
                return;
            }
            Err(error) => {
                let why = format!("Cannot create the worktree of the subagent: {error}");
                let _ = reply.send(Err(Failure::Failed(why)));
                return;
            }
        };
        let stop = if order.is_background { CancellationToken::new() } else { cancel.child_token() };
        let output = self.workshop.spool.join(format!("{}.output", identity.id));
        let member = self.workshop.crew.join(identity.clone(), output, stop);
        if !order.is_background {
            self.send_subagent_started(&identity, &order.prompt).await;
            let report = self.work(&order, &member, worktree).await;
            // Whoever waited may have gone.
            let _ = reply.send(report.output(&identity, &order.prompt));
            return;
        }
        self.send_background_tasks().await;
        self.send_subagent_started(&identity, &order.prompt).await;
        let _ = reply.send(Ok(launched(&member, &order, self.model_for(&order))));
        let report = self.work(&order, &member, worktree).await;
        self.send_background_tasks().await;
        if !member.is_unwanted() {
            self.queue().extend(Some(notification(&member, &report)));
        }
    }

    fn introduce(&self, order: &Order) -> Identity {
        let sender = order.sender.as_ref().map(|sender| &sender.identity);
        Identity {
            id: Identity::fresh_id(),
            run_id: Identity::fresh_run_id(),
            kind: order.definition.name.clone(),
            description: order.description.clone(),
            tool_use_id: order.tool_use_id.clone(),
            depth: sender.map_or(0, |sender| sender.depth) + 1,
            parent: sender.map(|sender| sender.id.clone()),
            is_background: order.is_background,
            is_verifier: false,
        }
    }

    /// Does the work, and tells the host when it is done.
    async fn work(&self, order: &Order, member: &Member, worktree: Option<Worktree>) -> Report {
        let identity = &member.identity;
        let agent = self.engage(order, identity, worktree);
        let cancel = member.cancel();
        if self.accepts(agent.definition.provision().as_ref()) {
            self.hooks.bring(&identity.id, Some(&identity.id), &agent.definition.hooks);
        }
        let begun = self.subagent_started(identity, &cancel).await;
        let contexts = begun.contexts.iter().map(|text| format!("SubagentStart hook: {text}")).collect();
        let mut dialogue = self.sidechain(&agent);
        let mut report = Turn::of(self, &mut dialogue, &agent, cancel).serve(&order.prompt, contexts).await;
        if let Some(worktree) = &agent.worktree {
            report.worktree = self.leave_worktree(worktree).await;
        }
        self.hooks.take_away(&identity.id);
        let written = make_private_among_others(&self.workshop.spool)
            .and_then(|()| std::fs::write(&member.output, &report.text));
        if let Err(error) = written {
            self.send_note(&format!("{} can't be written: {error}", member.output.display()), "warning")
                .await;
        }
        member.bring(report.clone());
        self.send_subagent_ended(member, &report).await;
        report
    }

    fn engage(&self, order: &Order, identity: &Arc<Identity>, worktree: Option<Worktree>) -> Subagent {
        let model = self.model_for(order);
        let owner = Sender { identity: identity.clone(), model: model.clone() };
        let project = Project::of(&self.environment.config, &self.environment.cwd);
        Subagent {
            identity: identity.clone(),
            definition: order.definition.clone(),
            workshop: match &worktree {
                Some(worktree) => self.workshop.for_subagent(owner).in_folder(&worktree.path),
                None => self.workshop.for_subagent(owner),
            },
            max_turns: order.max_turns.or(order.definition.max_turns),
            transcript: project.sidechain(&self.id(), &identity.id),
            worktree,
            form: None,
            model: Mutex::new(model),
        }
    }

    /// The model that does it: what a variable, the call or the definition says, or the sender's.
    fn model_for(&self, order: &Order) -> String {
        let wanted = self.environment.variable(MODEL).map(str::to_owned);
        let wanted = wanted.or(order.model.clone()).or(order.definition.model.clone());
        let own = || order.sender.as_ref().map_or_else(|| self.model(), |sender| sender.model.clone());
        wanted.map_or_else(own, |name| self.models.resolve(Some(&name)))
    }

    /// The conversation of a subagent, beside the session's.
    fn sidechain(&self, agent: &Subagent) -> Dialogue {
        let mut stamp = self.stamp.clone();
        stamp.session_id = self.id();
        stamp.agent_id = Some(agent.identity.id.clone());
        let mut transcript = match self.options.unsaved {
            true => Transcript::unsaved(stamp),
            false => Transcript::beside(agent.transcript.clone(), stamp),
        };
        if !self.options.unsaved {
            agent.describe();
        }
        if let Some(mirror) = &self.mirror {
            // In a copy there is no file beside the conversation: it begins with who it is.
            let mut about = agent.about();
            about["type"] = "agent_metadata".into();
            mirror.note(&agent.transcript, about.to_string());
            transcript.mirror(mirror.clone());
        }
        Dialogue::new(History::default(), transcript)
    }
}

/// The result of a call that nobody waits for.
fn launched(member: &Member, order: &Order, model: String) -> Output {
    let identity = &member.identity;
    let text = format!("{LAUNCHED}\nagentId: {}\noutput_file: {}", identity.id, member.output.display());
    let mut result = AgentLaunched::new(identity.id.clone());
    result.is_async = Some(true);
    result.resolved_model = Some(model.into());
    result.description = Some(identity.description.clone().into());
    result.prompt = Some(order.prompt.clone().into());
    result.output_file = Some(member.output.display().to_string().into());
    result.can_read_output_file = Some(true);
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
