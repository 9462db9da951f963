use crate::json::{Number, Raw, Str};
use crate::permission::PermissionUpdate;
use crate::table::{names, record, union};

record! {
    /// What a hook answers. With `async` the agent continues at once; everything else is for an answer that
    /// it waits for.
    HookOutput<'a> {
        "2.1.37" {
            /// The hook works on; nothing is waited for.
            optional is_async = "async": bool,
            /// How long it may, in milliseconds.
            optional async_timeout = "asyncTimeout": Number<'a>,
            /// `false` ends the turn.
            optional goes_on = "continue": bool,
            optional suppress_output = "suppressOutput": bool,
            /// Shown to the user where `continue` is `false`.
            optional stop_reason = "stopReason": Str<'a>,
            optional decision: HookDecision<'a>,
            /// Shown to the user.
            optional system_message = "systemMessage": Str<'a>,
            /// Why the hook decided so; the model sees it.
            optional reason: Str<'a>,
            optional specific = "hookSpecificOutput": Box<HookSpecificOutput<'a>>,
        }
        "2.1.325" {
            optional terminal_sequence = "terminalSequence": Str<'a>,
        }
    }
}

names! {
    /// A hook's decision in the old, general form.
    HookDecision<'a> {
        "approve" => Approve,
        "block" => Block,
    }
}

union! {
    /// The part of a hook's answer that belongs to its event.
    HookSpecificOutput<'a> by "hookEventName" {
        "PreToolUse" => PreToolUse(PreToolUseOutput<'a>) since "2.1.37",
        "PostToolUse" => PostToolUse(PostToolUseOutput<'a>) since "2.1.37",
        "PostToolUseFailure" => PostToolUseFailure(ContextOutput<'a>) since "2.1.50",
        "PostToolBatch" => PostToolBatch(ContextOutput<'a>) since "2.1.325",
        "PermissionRequest" => PermissionRequest(PermissionRequestOutput<'a>) since "2.1.50",
        "PermissionDenied" => PermissionDenied(PermissionDeniedOutput<'a>) since "2.1.325",
        "UserPromptSubmit" => UserPromptSubmit(UserPromptSubmitOutput<'a>) since "2.1.37",
        "UserPromptExpansion" => UserPromptExpansion(UserPromptExpansionOutput<'a>) since "2.1.325",
        "SessionStart" => SessionStart(SessionStartOutput<'a>) since "2.1.37",
        "Stop" => Stop(ContextOutput<'a>) since "2.1.325",
        "SubagentStart" => SubagentStart(ContextOutput<'a>) since "2.1.50",
        "SubagentStop" => SubagentStop(ContextOutput<'a>) since "2.1.325",
        "PreModelSwitch" => PreModelSwitch(PreModelSwitchOutput<'a>) since "2.1.325",
        "PostModelSwitch" => PostModelSwitch(ContextOutput<'a>) since "2.1.325",
        "Notification" => Notification(ContextOutput<'a>) since "2.1.50",
        "Setup" => Setup(ContextOutput<'a>) since "2.1.50",
        "Elicitation" => Elicitation(ElicitationOutput<'a>) since "2.1.325",
        "ElicitationResult" => ElicitationResult(ElicitationOutput<'a>) since "2.1.325",
        "CwdChanged" => CwdChanged(WatchOutput<'a>) since "2.1.325",
        "FileChanged" => FileChanged(WatchOutput<'a>) since "2.1.325",
        "WorktreeCreate" => WorktreeCreate(WorktreeCreateOutput<'a>) since "2.1.325",
        "MessageDisplay" => MessageDisplay(MessageDisplayOutput<'a>) since "2.1.325",
    }
}

record! {
    /// Text that the model gets to see.
    ContextOutput<'a> {
        "2.1.50" {
            optional additional_context = "additionalContext": Str<'a>,
        }
    }
}

record! {
    /// Whether a tool may run, and with which input.
    PreToolUseOutput<'a> {
        "2.1.37" {
            optional permission_decision = "permissionDecision": HookPermission<'a>,
            optional permission_decision_reason = "permissionDecisionReason": Str<'a>,
            optional updated_input = "updatedInput": Raw<'a>,
        }
        "2.1.50" {
            optional additional_context = "additionalContext": Str<'a>,
        }
    }
}

names! {
    /// A hook's word on a tool call.
    HookPermission<'a> {
        "allow" => Allow,
        "deny" => Deny,
        "ask" => Ask,
        /// Ends the turn and leaves the call to the host.
        "defer" => Defer,
    }
}

record! {
    /// What becomes of a tool's result.
    PostToolUseOutput<'a> {
        "2.1.37" {
            optional additional_context = "additionalContext": Str<'a>,
        }
        "2.1.50" {
            /// Takes the place of the result of an MCP tool.
            optional updated_mcp_tool_output = "updatedMCPToolOutput": Raw<'a>,
        }
        "2.1.325" {
            /// Takes the place of the result of any tool.
            optional updated_tool_output = "updatedToolOutput": Raw<'a>,
            optional classifier_context = "classifierContext": Raw<'a>,
        }
    }
}

record! {
    /// An answer in the user's place.
    PermissionRequestOutput<'a> {
        "2.1.50" {
            always decision: HookPermissionDecision<'a>,
        }
    }
}

union! {
    /// Whether a tool may run.
    HookPermissionDecision<'a> by "behavior" {
        "allow" => Allow(HookPermissionAllow<'a>) since "2.1.50",
        "deny" => Deny(HookPermissionDeny<'a>) since "2.1.50",
    }
}

record! {
    /// It may.
    HookPermissionAllow<'a> {
        "2.1.50" {
            optional updated_input = "updatedInput": Raw<'a>,
            optional updated_permissions = "updatedPermissions": Vec<PermissionUpdate<'a>>,
        }
    }
}

record! {
    /// It may not.
    HookPermissionDeny<'a> {
        "2.1.50" {
            optional message: Str<'a>,
            /// Whether the turn ends as well.
            optional interrupt: bool,
        }
    }
}

record! {
    /// Whether the model may try again.
    PermissionDeniedOutput<'a> {
        "2.1.325" {
            optional retry: bool,
        }
    }
}

record! {
    /// What goes with the user's message.
    UserPromptSubmitOutput<'a> {
        "2.1.37" {
            optional additional_context = "additionalContext": Str<'a>,
        }
        "2.1.325" {
            optional session_title = "sessionTitle": Str<'a>,
            optional suppress_original_prompt = "suppressOriginalPrompt": bool,
        }
    }
}

record! {
    /// What goes with an expanded command.
    UserPromptExpansionOutput<'a> {
        "2.1.325" {
            optional additional_context = "additionalContext": Str<'a>,
            optional suppress_original_prompt = "suppressOriginalPrompt": bool,
        }
    }
}

record! {
    /// How a session begins.
    SessionStartOutput<'a> {
        "2.1.37" {
            optional additional_context = "additionalContext": Str<'a>,
        }
        "2.1.325" {
            optional initial_user_message = "initialUserMessage": Str<'a>,
            optional session_title = "sessionTitle": Str<'a>,
            optional watch_paths = "watchPaths": Vec<Str<'a>>,
            optional reload_skills = "reloadSkills": bool,
        }
    }
}

record! {
    /// Whether another model may take over.
    PreModelSwitchOutput<'a> {
        "2.1.325" {
            optional permission_decision = "permissionDecision": HookPermission<'a>,
            optional permission_decision_reason = "permissionDecisionReason": Str<'a>,
        }
    }
}

record! {
    /// An answer to an MCP server in the user's place, or another one than the user's.
    ElicitationOutput<'a> {
        "2.1.325" {
            optional action: crate::elicitation::ElicitationAction<'a>,
            optional content: Raw<'a>,
        }
    }
}

record! {
    /// Files whose changes the hook wants to receive from now on.
    WatchOutput<'a> {
        "2.1.325" {
            optional watch_paths = "watchPaths": Vec<Str<'a>>,
        }
    }
}

record! {
    /// Where the hook made the worktree.
    WorktreeCreateOutput<'a> {
        "2.1.325" {
            always worktree_path = "worktreePath": Str<'a>,
        }
    }
}

record! {
    /// What is shown in place of the piece.
    MessageDisplayOutput<'a> {
        "2.1.325" {
            optional display_content = "displayContent": Str<'a>,
        }
    }
}
