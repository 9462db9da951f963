//! A subagent's turn: what it was sent for, from the task to the report.

use aqueduct_tools::BuiltInTool;
use aqueduct_tools::subagent::{SubagentEnd, SubagentMail, SubagentReport};
use aqueduct_wire::FromAgent;
use aqueduct_wire::block::{Content, ContentBlock, TextBlock, ToolUseBlock};
use aqueduct_wire::json::Raw;
use aqueduct_wire::message::UserMessage;
use aqueduct_wire::origin::{Origin, TaskNotificationOrigin};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::custom_commands::CommandCallError;
use super::failure::failure_text;
use super::{Interrupted, Turn, TurnEnd};
use crate::clock::fresh_uuid;
use crate::session::{AgentSession, Dialogue};
use crate::subagent::{RunningSubagent, SubagentProgress};
use crate::transcript::UserLine;

/// How much of a call people are shown, in characters.
const SHOWN: usize = 80;

/// The report of a subagent that ends without a text.
const NOTHING_SAID: &str = "(The subagent ended without a report.)";

impl<'t> Turn<'t> {
    /// A turn of a subagent.
    pub(crate) fn of(
        session: &'t AgentSession,
        dialogue: &'t mut Dialogue,
        by: &'t RunningSubagent,
        cancel: CancellationToken,
    ) -> Self {
        Turn { by: Some(by), ..Turn::new(session, dialogue, Vec::new(), cancel) }
    }

    /// Runs the task and returns its report. `contexts` is what hooks add to the task.
    pub(crate) async fn serve(mut self, prompt: &str, contexts: Vec<String>) -> SubagentReport {
        self.contexts.extend(contexts);
        let end = match self.begin(prompt).await {
            Ok(()) => self.run_steps().await,
            Err(end) => end,
        };
        let ended = match &end {
            TurnEnd::Completed | TurnEnd::Halted(_) | TurnEnd::StopPrevented | TurnEnd::Refused(_) => {
                SubagentEnd::Completed
            }
            TurnEnd::MaxTurns(max) => {
                self.text.push_str(&format!("\n(The subagent was stopped after {max} calls of its model.)"));
                SubagentEnd::Completed
            }
            TurnEnd::Interrupted(_) | TurnEnd::Preempted => SubagentEnd::Stopped,
            TurnEnd::Failed(error) => SubagentEnd::Failed(format!(
                "The subagent could not continue: {}",
                failure_text(error, &self.model())
            )),
            TurnEnd::GivenUp(given_up) => {
                SubagentEnd::Failed(format!("The subagent could not continue: {}", given_up.text))
            }
            TurnEnd::Budget(budget) => {
                SubagentEnd::Failed(format!("The subagent could not continue: ${budget} are spent"))
            }
            TurnEnd::Unformed { fault, .. } => SubagentEnd::Failed(fault.clone()),
            TurnEnd::Unsaved(error) => {
                SubagentEnd::Failed(format!("The subagent could not continue: {error}"))
            }
            TurnEnd::Deferred(call) => {
                SubagentEnd::Failed(format!("A hook deferred {}, which a subagent can't wait for", call.name))
            }
        };
        if self.text.trim().is_empty() {
            self.text = NOTHING_SAID.to_owned();
        }
        let mut tools = self.used.clone();
        tools.sort();
        tools.dedup();
        SubagentReport {
            ended,
            model: self.model(),
            tool_uses: self.used.len() as u64,
            tools,
            tokens: self.dialogue.window_tokens,
            took: self.started.elapsed(),
            usage: self.usage.to_usage(),
            worktree: None,
            text: self.text,
        }
    }

    /// Records the task, and the text of its skills.
    pub(super) async fn begin(&mut self, prompt: &str) -> Result<(), TurnEnd> {
        if self.by.is_some_and(|by| by.is_continued) {
            self.take_in_message(prompt)?;
            return Ok(());
        }
        let mut message = UserMessage::new(Content::Text(prompt.to_owned().into()));
        message.role = Some("user".into());
        let (uuid, raw) = (fresh_uuid(), Raw::written(&message));
        self.dialogue.user(&UserLine::new(&uuid, &raw))?;
        self.reminders.push(uuid.clone());
        if self.agent().is_some_and(|agent| !agent.is_background) {
            message.content = Content::Blocks(vec![ContentBlock::Text(TextBlock::new(prompt.to_owned()))]);
            let frame = self.user_frame(message, &uuid);
            self.send_frame(FromAgent::User(Box::new(frame))).await;
        }
        if self.cancel.is_cancelled() {
            self.send_interruption(Interrupted::Streaming).await?;
            return Err(TurnEnd::Interrupted(Interrupted::Streaming));
        }
        for name in self.by.map(|by| by.definition.skills.clone()).unwrap_or_default() {
            let expanded = match self.session.command_catalog.find(&name) {
                Some(custom_command) => self.expand(&custom_command, "").await,
                None => Err(CommandCallError::Missing),
            };
            self.contexts.push(match expanded {
                Ok(text) => format!("Instructions of the skill {name}:\n{text}"),
                Err(error) => format!("The skill {name} can't start: {error}"),
            });
        }
        Ok(())
    }

    /// Takes in the messages that a subagent has been sent meanwhile.
    pub(super) fn take_in_mail(&mut self) -> Result<(), TurnEnd> {
        let mail =
            self.by.and_then(|by| by.member.as_ref()).map(|member| member.take_mail()).unwrap_or_default();
        mail.iter().try_for_each(|mail| match mail {
            SubagentMail::Message(text) => self.take_in_message(text),
            SubagentMail::Notification(text) => self.take_in_notification(text),
        })
    }

    /// Takes in the end of a command that the subagent has started.
    fn take_in_notification(&mut self, text: &str) -> Result<(), TurnEnd> {
        let mut message = UserMessage::new(Content::Text(text.to_owned().into()));
        message.role = Some("user".into());
        let (uuid, raw) = (fresh_uuid(), Raw::written(&message));
        let origin = Origin::TaskNotification(TaskNotificationOrigin::new());
        let mut line = UserLine::new(&uuid, &raw);
        line.origin = Some(&origin);
        self.dialogue.user(&line)?;
        self.reminders.push(uuid);
        Ok(())
    }

    /// Adds a message from the agent that started the subagent.
    fn take_in_message(&mut self, text: &str) -> Result<(), TurnEnd> {
        let text = format!(
            "Message from the agent that started you:\n{text}\n\nAnswer it before you \
            report."
        );
        let mut message = UserMessage::new(Content::Text(text.into()));
        message.role = Some("user".into());
        let (uuid, raw) = (fresh_uuid(), Raw::written(&message));
        let mut line = UserLine::new(&uuid, &raw);
        line.is_meta = true;
        self.dialogue.user(&line)?;
        self.reminders.push(uuid);
        Ok(())
    }

    /// Counts a call of a subagent, and reports what it does. `tokens` is the current size of its conversation.
    pub(super) async fn note_progress(&mut self, call: &ToolUseBlock<'_>, tokens: u64) {
        let Some(agent) = self.agent().filter(|agent| !agent.is_verifier).cloned() else { return };
        self.used.push(call.name.to_string());
        let progress = SubagentProgress {
            tool: &call.name,
            description: in_short(call),
            tokens,
            tool_uses: self.used.len() as u64,
            took: self.started.elapsed(),
        };
        self.session.send_subagent_progress(&agent, progress).await;
    }
}

/// What a call does, for people: the summary of a built-in tool, or the name of another tool.
fn in_short(call: &ToolUseBlock<'_>) -> String {
    let input = call.input.to::<Value>().unwrap_or_default();
    match BuiltInTool::called(&call.name) {
        Some(tool) => tool.summary(&input, SHOWN),
        None => format!("Using {}", call.name),
    }
}
