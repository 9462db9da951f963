use super::*;
use crate::agent_definition::EffortLevel;
use crate::table::{record, union};

union! {
    /// The input of a hook. Every event has the members `session_id`, `transcript_path` and `cwd`, and its
    /// own.
    HookInput<'a> by "hook_event_name" {
        "PreToolUse" => PreToolUse(Box<PreToolUseInput<'a>>) since "2.1.37",
        "PostToolUse" => PostToolUse(Box<PostToolUseInput<'a>>) since "2.1.37",
        "PostToolUseFailure" => PostToolUseFailure(Box<PostToolUseFailureInput<'a>>) since "2.1.50",
        "PostToolBatch" => PostToolBatch(Box<PostToolBatchInput<'a>>) since "2.1.325",
        "PermissionRequest" => PermissionRequest(Box<PermissionRequestInput<'a>>) since "2.1.50",
        "PermissionDenied" => PermissionDenied(Box<PermissionDeniedInput<'a>>) since "2.1.325",
        "UserPromptSubmit" => UserPromptSubmit(Box<UserPromptSubmitInput<'a>>) since "2.1.37",
        "UserPromptExpansion" => UserPromptExpansion(Box<UserPromptExpansionInput<'a>>) since "2.1.325",
        "SessionStart" => SessionStart(Box<SessionStartInput<'a>>) since "2.1.37",
        "SessionEnd" => SessionEnd(Box<SessionEndInput<'a>>) since "2.1.50",
        "Stop" => Stop(Box<StopInput<'a>>) since "2.1.37",
        "StopFailure" => StopFailure(Box<StopFailureInput<'a>>) since "2.1.325",
        "SubagentStart" => SubagentStart(Box<SubagentStartInput<'a>>) since "2.1.50",
        "SubagentStop" => SubagentStop(Box<SubagentStopInput<'a>>) since "2.1.50",
        "PreCompact" => PreCompact(Box<PreCompactInput<'a>>) since "2.1.50",
        "PostCompact" => PostCompact(Box<PostCompactInput<'a>>) since "2.1.325",
        "PreModelSwitch" => PreModelSwitch(Box<ModelSwitchInput<'a>>) since "2.1.325",
        "PostModelSwitch" => PostModelSwitch(Box<ModelSwitchInput<'a>>) since "2.1.325",
        "Notification" => Notification(Box<NotificationInput<'a>>) since "2.1.50",
        "Setup" => Setup(Box<SetupInput<'a>>) since "2.1.50",
        "TeammateIdle" => TeammateIdle(Box<TeammateIdleInput<'a>>) since "2.1.50",
        "TaskCreated" => TaskCreated(Box<TeamTaskInput<'a>>) since "2.1.325",
        "TaskCompleted" => TaskCompleted(Box<TeamTaskInput<'a>>) since "2.1.50",
        "Elicitation" => Elicitation(Box<ElicitationInput<'a>>) since "2.1.325",
        "ElicitationResult" => ElicitationResult(Box<ElicitationResultInput<'a>>) since "2.1.325",
        "ConfigChange" => ConfigChange(Box<ConfigChangeInput<'a>>) since "2.1.50",
        "WorktreeCreate" => WorktreeCreate(Box<WorktreeCreateInput<'a>>) since "2.1.50",
        "WorktreeRemove" => WorktreeRemove(Box<WorktreeRemoveInput<'a>>) since "2.1.50",
        "InstructionsLoaded" => InstructionsLoaded(Box<InstructionsLoadedInput<'a>>) since "2.1.325",
        "CwdChanged" => CwdChanged(Box<CwdChangedInput<'a>>) since "2.1.325",
        "FileChanged" => FileChanged(Box<FileChangedInput<'a>>) since "2.1.325",
        "DirectoryAdded" => DirectoryAdded(Box<DirectoryAddedInput<'a>>) since "2.1.325",
        "MessageDisplay" => MessageDisplay(Box<MessageDisplayInput<'a>>) since "2.1.325",
    }
}

record! {
    /// How hard the model thinks in this turn.
    HookEffort<'a> {
        "2.1.325" {
            always level: EffortLevel<'a>,
        }
    }
}

/// Makes the record of an event's input: the members that every input has, and those of the event. The
/// essential ones are in brackets. `by agent` leaves out `agent_id` and `agent_type`, for the events that
/// have them in a sense of their own.
macro_rules! hook_input {
    (
        $(#[doc = $doc:literal])*
        $name:ident<$a:lifetime> [ $($essential:tt)* ] { $($groups:tt)* }
    ) => {
        $crate::hook::input::hook_input! {
            $(#[doc = $doc])*
            by agent $name<$a> [ $($essential)* ] {
                "2.1.325" {
                    /// The subagent in which this happens; absent in the main conversation.
                    optional agent_id: $crate::json::Str<$a>,
                    optional agent_type: $crate::json::Str<$a>,
                }
                $($groups)*
            }
        }
    };
    (
        $(#[doc = $doc:literal])*
        by agent $name:ident<$a:lifetime> [ $($essential:tt)* ] { $($groups:tt)* }
    ) => {
        $crate::table::record! {
            $(#[doc = $doc])*
            $name<$a> {
                essential { $($essential)* }
                "2.1.37" {
                    always session_id: $crate::json::Str<$a>,
                    always transcript_path: $crate::json::Str<$a>,
                    always cwd: $crate::json::Str<$a>,
                    optional permission_mode: $crate::permission::PermissionMode<$a>,
                }
                "2.1.325" {
                    optional prompt_id: $crate::json::Str<$a>,
                    optional effort: $crate::hook::HookEffort<$a>,
                }
                $($groups)*
            }
        }
    };
}

pub(super) use hook_input;
