//! The table of events: the constructor of the hook, the event and its input, the call and the answer, what the answer can
//! do, and the record of the wire that holds it.

use std::future::Future;
use std::ops::Deref;

use aqueduct_wire::control::ElicitationAction;
use aqueduct_wire::hook::*;
use aqueduct_wire::json::Raw;

use super::ability::{ability, ability_example};
use crate::Hook;

macro_rules! hook_events {
    ($(
        $(#[doc = $doc:literal])+
        $function:ident: $event:ident($input:ident) => $call:ident, $answer:ident
            $(in $output:ident)? [$($ability:tt),*];
    )*) => {
        /// Typed hooks, one constructor for each event of the protocol. See [`hook`](crate::hook).
        impl Hook {
            $(
                $(#[doc = $doc])+
                ///
                /// ```
                /// use aqueduct_client::{Hook, Session};
                ///
                #[doc = concat!(
                    "let hook = Hook::", stringify!($function), "(|call| async move { call.proceed() });"
                )]
                /// let builder = Session::builder().hook(hook);
                /// ```
                pub fn $function<F>(run: impl Fn($call) -> F + Send + Sync + 'static) -> Self
                where
                    F: Future<Output = $answer> + Send + 'static,
                {
                    let read = |input| match input {
                        HookInput::$event(input) => Some($call(input)),
                        _ => None,
                    };
                    Hook::typed(HookEvent::$event, read, run)
                }
            )*
        }

        $(
            #[doc = concat!("A call of a hook for [`", stringify!($event), "`](HookEvent::", stringify!($event), ").")]
            ///
            $(#[doc = $doc])+
            /// Made by [`Hook`], and from an input in tests.
            #[derive(Debug, Clone)]
            pub struct $call(Box<$input<'static>>);

            impl $call {
                /// Lets it happen.
                #[doc = ability_example!($call, $answer, "call.proceed()")]
                pub fn proceed(&self) -> $answer {
                    $answer { output: HookOutput::new(), $(specific: None::<$output<'static>>)? }
                }

                /// Ends the turn. The user is shown the reason.
                #[doc = ability_example!($call, $answer, "call.stop(\"Enough for today.\")")]
                pub fn stop(&self, reason: impl Into<String>) -> $answer {
                    let mut answer = self.proceed();
                    answer.output.goes_on = Some(false);
                    answer.output.stop_reason = Some(reason.into().into());
                    answer
                }
            }

            impl Deref for $call {
                type Target = $input<'static>;

                fn deref(&self) -> &$input<'static> {
                    &self.0
                }
            }

            impl From<$input<'static>> for $call {
                fn from(input: $input<'static>) -> Self {
                    $call(Box::new(input))
                }
            }

            #[doc = concat!("What a hook for [`", stringify!($event), "`](HookEvent::", stringify!($event), ") answers.")]
            /// Made by its call.
            #[derive(Debug, Clone)]
            pub struct $answer {
                output: HookOutput<'static>,
                $(specific: Option<$output<'static>>,)?
            }

            impl $answer {
                /// Shows the user a message.
                #[doc = ability_example!($call, $answer, "call.proceed().with_message(\"Noted.\")")]
                pub fn with_message(mut self, text: impl Into<String>) -> Self {
                    self.output.system_message = Some(text.into().into());
                    self
                }

                /// The common members of the answer, for those that have no method here.
                #[doc = ability_example!(
                    $call,
                    $answer,
                    "let mut answer = call.proceed();\n    answer.output_mut().suppress_output = Some(true);\n    answer"
                )]
                pub fn output_mut(&mut self) -> &mut HookOutput<'static> {
                    &mut self.output
                }
            }

            impl From<$answer> for HookOutput<'static> {
                fn from(answer: $answer) -> Self {
                    #[allow(unused_mut)]
                    let mut output = answer.output;
                    $(
                        let specific: Option<$output<'static>> = answer.specific;
                        if let Some(specific) = specific {
                            output.specific = Some(Box::new(HookSpecificOutput::$event(specific)));
                        }
                    )?
                    output
                }
            }

            hook_events! { abilities $call $answer ($($output)?) $($ability)* }
        )*

        /// The events that have types.
        #[cfg(test)]
        const TYPED: &[&str] = &[$(stringify!($event)),*];
    };
    (abilities $call:ident $answer:ident ($output:ident) $($ability:tt)*) => {
        $(ability! { $ability $call $answer $output })*
    };
    (abilities $call:ident $answer:ident () $($ability:tt)*) => {
        $(ability! { $ability $call $answer })*
    };
}

hook_events! {
    /// Before a tool runs.
    pre_tool_use: PreToolUse(PreToolUseInput) => PreToolUseCall, PreToolUseAnswer
        in PreToolUseOutput [permission, input, context];
    /// After a tool has run.
    post_tool_use: PostToolUse(PostToolUseInput) => PostToolUseCall, PostToolUseAnswer
        in PostToolUseOutput [block, context, output];
    /// After a tool has failed.
    post_tool_use_failure: PostToolUseFailure(PostToolUseFailureInput)
        => PostToolUseFailureCall, PostToolUseFailureAnswer in ContextOutput [block, context];
    /// After all tools that the model called at once.
    post_tool_batch: PostToolBatch(PostToolBatchInput) => PostToolBatchCall, PostToolBatchAnswer
        in ContextOutput [block, context];
    /// When the user would be asked for permission: the hook may answer in the user's place.
    permission_request: PermissionRequest(PermissionRequestInput) => PermissionRequestCall, PermissionRequestAnswer
        in PermissionRequestOutput [verdict];
    /// After a call was denied without asking the user.
    permission_denied: PermissionDenied(PermissionDeniedInput) => PermissionDeniedCall, PermissionDeniedAnswer
        in PermissionDeniedOutput [retry];
    /// Before a prompt reaches the model.
    user_prompt_submit: UserPromptSubmit(UserPromptSubmitInput) => UserPromptSubmitCall, UserPromptSubmitAnswer
        in UserPromptSubmitOutput [block, context, title, hidden_prompt];
    /// When a slash command becomes a prompt.
    user_prompt_expansion: UserPromptExpansion(UserPromptExpansionInput)
        => UserPromptExpansionCall, UserPromptExpansionAnswer
        in UserPromptExpansionOutput [block, context, hidden_prompt];
    /// When a session begins or is resumed.
    session_start: SessionStart(SessionStartInput) => SessionStartCall, SessionStartAnswer
        in SessionStartOutput [context, first_prompt, title, watch];
    /// When a session ends.
    session_end: SessionEnd(SessionEndInput) => SessionEndCall, SessionEndAnswer [];
    /// When the model is done. A blocked stop makes the model continue with the reason; check `stop_hook_active` to
    /// avoid a loop.
    stop: Stop(StopInput) => StopCall, StopAnswer in ContextOutput [block, context];
    /// When a turn ends with an error of the API.
    stop_failure: StopFailure(StopFailureInput) => StopFailureCall, StopFailureAnswer [];
    /// When a subagent begins.
    subagent_start: SubagentStart(SubagentStartInput) => SubagentStartCall, SubagentStartAnswer
        in ContextOutput [context];
    /// When a subagent is done.
    subagent_stop: SubagentStop(SubagentStopInput) => SubagentStopCall, SubagentStopAnswer
        in ContextOutput [block, context];
    /// Before the conversation is summarised.
    pre_compact: PreCompact(PreCompactInput) => PreCompactCall, PreCompactAnswer [block];
    /// After the conversation was summarised.
    post_compact: PostCompact(PostCompactInput) => PostCompactCall, PostCompactAnswer [];
    /// Before another model takes over.
    pre_model_switch: PreModelSwitch(ModelSwitchInput) => PreModelSwitchCall, PreModelSwitchAnswer
        in PreModelSwitchOutput [permission];
    /// After another model has taken over.
    post_model_switch: PostModelSwitch(ModelSwitchInput) => PostModelSwitchCall, PostModelSwitchAnswer
        in ContextOutput [context];
    /// When the user should look.
    notification: Notification(NotificationInput) => NotificationCall, NotificationAnswer
        in ContextOutput [context];
    /// When a project is set up.
    setup: Setup(SetupInput) => SetupCall, SetupAnswer in ContextOutput [context];
    /// When a member of a team has nothing to do.
    teammate_idle: TeammateIdle(TeammateIdleInput) => TeammateIdleCall, TeammateIdleAnswer [];
    /// When the model adds a task to its list.
    task_created: TaskCreated(TeamTaskInput) => TaskCreatedCall, TaskCreatedAnswer [block];
    /// When the model completes a task of its list.
    task_completed: TaskCompleted(TeamTaskInput) => TaskCompletedCall, TaskCompletedAnswer [block];
    /// When an MCP server asks the user something: the hook may answer in the user's place.
    elicitation: Elicitation(ElicitationInput) => ElicitationCall, ElicitationAnswer
        in ElicitationOutput [block, elicitation];
    /// When the user has answered an MCP server: the hook may change the answer.
    elicitation_result: ElicitationResult(ElicitationResultInput) => ElicitationResultCall, ElicitationResultAnswer
        in ElicitationOutput [block, elicitation];
    /// When settings, commands or skills have changed.
    config_change: ConfigChange(ConfigChangeInput) => ConfigChangeCall, ConfigChangeAnswer [];
    /// When a worktree is wanted: the hook makes it.
    worktree_create: WorktreeCreate(WorktreeCreateInput) => WorktreeCreateCall, WorktreeCreateAnswer
        in WorktreeCreateOutput [worktree];
    /// When a worktree that a hook made is to be removed.
    worktree_remove: WorktreeRemove(WorktreeRemoveInput) => WorktreeRemoveCall, WorktreeRemoveAnswer [];
    /// When a file of instructions was loaded.
    instructions_loaded: InstructionsLoaded(InstructionsLoadedInput)
        => InstructionsLoadedCall, InstructionsLoadedAnswer [];
    /// After the working directory has changed.
    cwd_changed: CwdChanged(CwdChangedInput) => CwdChangedCall, CwdChangedAnswer in WatchOutput [watch];
    /// When a watched file has changed.
    file_changed: FileChanged(FileChangedInput) => FileChangedCall, FileChangedAnswer in WatchOutput [watch];
    /// After a working directory was added.
    directory_added: DirectoryAdded(DirectoryAddedInput) => DirectoryAddedCall, DirectoryAddedAnswer [];
    /// Before a piece of an answer is shown.
    message_display: MessageDisplay(MessageDisplayInput) => MessageDisplayCall, MessageDisplayAnswer
        in MessageDisplayOutput [display];
}

#[cfg(test)]
mod tests {
    use aqueduct_wire::table::Definition;

    use super::*;

    #[test]
    fn every_event_of_the_wire_has_types() {
        let Definition::Names(names) = HookEvent::DEFINITION else { panic!("a list of names") };
        assert_eq!(TYPED, names.values);
    }
}
