//! Events of a turn, outside the calls of tools.

use std::path::Path;
use std::sync::Arc;

use aqueduct_model::ModelMessage;
use aqueduct_tools::subagent::{SubagentIdentity, TASK_TYPE};
use aqueduct_wire::error_name::ErrorName;
use aqueduct_wire::hook::{
    BackgroundTask, ExpansionType, HookEvent, MessageDisplayInput, NotificationInput, StopFailureInput,
    StopInput, SubagentStartInput, SubagentStopInput, UserPromptExpansionInput, UserPromptSubmitInput,
};
use tokio_util::sync::CancellationToken;

use super::conversation::HookConversation;
use super::input::reported;
use super::occasion::HookOccurrence;
use super::outcome::HooksOutcome;
use super::run::AnyHook;
use crate::session::AgentSession;

/// The model's output at the end of a turn.
#[derive(Clone, Copy)]
pub(crate) struct FinalAnswer<'w> {
    /// Its last message.
    pub(crate) text: &'w str,
    /// Whether a hook has made it continue before.
    pub(crate) is_active: bool,
    /// The whole conversation, for hooks that let a model judge it.
    pub(crate) conversation: &'w (dyn Fn() -> Vec<ModelMessage> + Sync),
}

impl AgentSession {
    /// An occurrence with the conversation, where a hook wants it.
    fn with_conversation(&self, occasion: HookOccurrence, answer: &FinalAnswer<'_>) -> HookOccurrence {
        match self.hooks_for(&occasion).iter().any(AnyHook::judges) {
            true => occasion.about(HookConversation((answer.conversation)())),
            false => occasion,
        }
    }

    /// A prompt is about to reach the model: hooks may block it or add to it.
    pub(crate) async fn prompt_submitted(&self, prompt: &str, cancel: &CancellationToken) -> HooksOutcome {
        let occasion = HookOccurrence::new(&HookEvent::UserPromptSubmit, None);
        self.fire(occasion, cancel, |base| {
            let mut input = UserPromptSubmitInput::new(prompt.to_owned());
            input.permission_mode = Some(base.mode.clone());
            reported!(base, UserPromptSubmit(input))
        })
        .await
    }

    /// A slash command is about to become a prompt.
    pub(crate) async fn prompt_expanded(
        &self,
        prompt: &str,
        command: &str,
        arguments: &str,
        source: &str,
        cancel: &CancellationToken,
    ) -> HooksOutcome {
        let occasion = HookOccurrence::new(&HookEvent::UserPromptExpansion, Some(command));
        self.fire(occasion, cancel, |base| {
            let mut input = UserPromptExpansionInput::new(prompt.to_owned());
            input.permission_mode = Some(base.mode.clone());
            input.expansion_type = Some(ExpansionType::SlashCommand);
            input.command_name = Some(command.to_owned().into());
            input.command_args = Some(arguments.to_owned().into());
            input.command_source = Some(source.to_owned().into());
            reported!(base, UserPromptExpansion(input))
        })
        .await
    }

    /// The model is done: hooks may make it continue.
    pub(crate) async fn stopping(&self, answer: FinalAnswer<'_>, cancel: &CancellationToken) -> HooksOutcome {
        let occasion = self.with_conversation(HookOccurrence::new(&HookEvent::Stop, None), &answer);
        self.fire(occasion, cancel, |base| {
            let mut input = StopInput::new();
            input.stop_hook_active = Some(answer.is_active);
            input.last_assistant_message = Some(answer.text.trim().to_owned().into());
            input.background_tasks = Some(self.background_tasks());
            input.session_crons = Some(Vec::new());
            reported!(base, in a turn, Stop(input))
        })
        .await
    }

    /// An answer is about to be shown: hooks may show something else in its place.
    pub(crate) async fn displaying(
        &self,
        turn: &str,
        message: &str,
        text: &str,
        cancel: &CancellationToken,
    ) -> Option<String> {
        let occasion = HookOccurrence::new(&HookEvent::MessageDisplay, None);
        let outcome = self
            .fire(occasion, cancel, |base| {
                let mut input = MessageDisplayInput::new();
                input.turn_id = Some(turn.to_owned().into());
                input.message_id = Some(message.to_owned().into());
                input.index = Some(0u64.into());
                input.is_final = Some(true);
                input.delta = Some(text.to_owned().into());
                reported!(base, MessageDisplay(input))
            })
            .await;
        outcome.shown
    }

    /// A turn has ended with an error of the API.
    pub(crate) fn stop_failed(&self, error: ErrorName<'static>, last_message: &str) {
        let occasion = HookOccurrence::new(&HookEvent::StopFailure, Some(error.as_str()));
        self.observe(occasion, |base| {
            let mut input = StopFailureInput::new();
            input.error = Some(error.clone());
            input.last_assistant_message = Some(last_message.to_owned().into());
            input.effort = base.effort();
            reported!(base, StopFailure(input))
        });
    }

    /// A subagent begins: what hooks add is for its model.
    pub(crate) async fn subagent_started(
        &self,
        agent: &Arc<SubagentIdentity>,
        cancel: &CancellationToken,
    ) -> HooksOutcome {
        let occasion =
            HookOccurrence::new(&HookEvent::SubagentStart, Some(&agent.kind)).in_agent(Some(agent.clone()));
        self.fire(occasion, cancel, |base| reported!(base, SubagentStart(SubagentStartInput::new()))).await
    }

    /// A subagent is done: hooks may make it continue, with the text of [`HooksOutcome::refusal`].
    pub(crate) async fn subagent_stopping(
        &self,
        agent: &Arc<SubagentIdentity>,
        transcript: &Path,
        answer: FinalAnswer<'_>,
        cancel: &CancellationToken,
    ) -> HooksOutcome {
        let occasion =
            HookOccurrence::new(&HookEvent::SubagentStop, Some(&agent.kind)).in_agent(Some(agent.clone()));
        let occasion = self.with_conversation(occasion, &answer);
        self.fire(occasion, cancel, |base| {
            let mut input = SubagentStopInput::new();
            input.agent_transcript_path = Some(transcript.display().to_string().into());
            input.stop_hook_active = Some(answer.is_active);
            input.last_assistant_message = Some(answer.text.trim().to_owned().into());
            input.background_tasks = Some(self.background_tasks());
            input.session_crons = Some(Vec::new());
            reported!(base, in a turn, SubagentStop(input))
        })
        .await
    }

    /// The user's attention is requested.
    pub(crate) fn notified(&self, kind: &'static str, message: &str) {
        let occasion = HookOccurrence::new(&HookEvent::Notification, Some(kind));
        self.observe(occasion, |base| {
            let mut input = NotificationInput::new();
            input.message = Some(message.to_owned().into());
            input.notification_type = Some(kind.into());
            reported!(base, Notification(input))
        });
    }

    /// What runs in the background: commands and subagents.
    fn background_tasks(&self) -> Vec<BackgroundTask<'static>> {
        let running = self.tool_context.commands.background.running();
        let reported = running.iter().map(|task| {
            let mut reported = BackgroundTask::new();
            reported.id = Some(task.label.id.clone().into());
            reported.kind = Some("local_bash".into());
            reported.status = Some("running".into());
            reported.description = Some(task.label.description.clone().into());
            reported.command = Some(task.command.clone().into());
            reported
        });
        let subagent_pool = self.tool_context.subagents.pool.in_background();
        let sent = subagent_pool.iter().map(|member| {
            let mut reported = BackgroundTask::new();
            reported.id = Some(member.identity.id.clone().into());
            reported.kind = Some(TASK_TYPE.into());
            reported.status = Some("running".into());
            reported.description = Some(member.identity.description.clone().into());
            reported
        });
        reported.chain(sent).collect()
    }
}
