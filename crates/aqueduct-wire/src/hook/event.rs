use crate::json::{Number, Str};
use crate::table::{names, record};

names! {
    /// The points of a conversation at which hooks run.
    HookEvent<'a> {
        /// Before a tool runs; may change its input or forbid it.
        "PreToolUse" => PreToolUse,
        "PostToolUse" => PostToolUse,
        "PostToolUseFailure" => PostToolUseFailure,
        /// After all tools that the model called at once.
        "PostToolBatch" => PostToolBatch,
        /// When the user would be asked; may answer instead.
        "PermissionRequest" => PermissionRequest,
        "PermissionDenied" => PermissionDenied,
        /// Before a message of the user reaches the model.
        "UserPromptSubmit" => UserPromptSubmit,
        /// When a slash command becomes the text that the model gets.
        "UserPromptExpansion" => UserPromptExpansion,
        "SessionStart" => SessionStart,
        "SessionEnd" => SessionEnd,
        /// When the model is done; may make it continue.
        "Stop" => Stop,
        /// When a turn ends with an error of the API.
        "StopFailure" => StopFailure,
        "SubagentStart" => SubagentStart,
        "SubagentStop" => SubagentStop,
        "PreCompact" => PreCompact,
        "PostCompact" => PostCompact,
        "PreModelSwitch" => PreModelSwitch,
        "PostModelSwitch" => PostModelSwitch,
        "Notification" => Notification,
        "Setup" => Setup,
        "TeammateIdle" => TeammateIdle,
        "TaskCreated" => TaskCreated,
        "TaskCompleted" => TaskCompleted,
        /// When an MCP server asks the user something.
        "Elicitation" => Elicitation,
        "ElicitationResult" => ElicitationResult,
        "ConfigChange" => ConfigChange,
        "WorktreeCreate" => WorktreeCreate,
        "WorktreeRemove" => WorktreeRemove,
        "InstructionsLoaded" => InstructionsLoaded,
        "CwdChanged" => CwdChanged,
        "FileChanged" => FileChanged,
        "DirectoryAdded" => DirectoryAdded,
        /// While text is shown, piece by piece.
        "MessageDisplay" => MessageDisplay,
    }
}

record! {
    /// Which occurrences of an event a host subscribes to, and under which ids.
    HookMatcher<'a> {
        "2.1.37" {
            /// A pattern for the tool's name, such as `Edit|Write`; all if absent.
            optional matcher: Str<'a>,
            /// The `callback_id` that the agent sends when it calls.
            always hook_callback_ids = "hookCallbackIds": Vec<Str<'a>>,
        }
        "2.1.50" {
            /// In seconds.
            optional timeout: Number<'a>,
        }
        "2.1.325" {
            optional on_failure = "onFailure": HookFailure<'a>,
        }
    }
}

names! {
    /// What happens when a hook can't be asked.
    HookFailure<'a> {
        "continue" => Continue,
        "block" => Block,
    }
}
