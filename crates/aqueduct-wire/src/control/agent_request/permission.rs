use crate::json::{Raw, Str};
use crate::permission::{PermissionExplanation, PermissionUpdate};
use crate::table::{names, record};

record! {
    /// May this tool run with this input?
    CanUseToolRequest<'a> {
        essential {
            tool_name: Str<'a>,
            /// The arguments. To allow the call unchanged, send them back as `updatedInput`.
            input: Raw<'a>,
        }
        "2.1.37" {
            always tool_use_id: Str<'a>,
            /// Updates that would let such calls through without asking, for an "always allow" button.
            optional permission_suggestions: Vec<PermissionUpdate<'a>>,
            /// The path that is outside the working directories.
            optional blocked_path: Str<'a>,
            optional decision_reason: Str<'a>,
        }
        "2.1.50" {
            /// The subagent that calls; absent in the main conversation.
            optional agent_id: Str<'a>,
            optional description: Str<'a>,
        }
        "2.1.325" {
            optional mcp_server: ToolMcpServer<'a>,
            optional decision_reason_type: DecisionReasonType<'a>,
            optional decision_reason_code: Str<'a>,
            /// The event of the hook that made the agent ask.
            optional decision_reason_hook_event: Str<'a>,
            /// Where that hook is defined, such as `settings`.
            optional decision_reason_hook_source: Str<'a>,
            /// Whether a classifier could have allowed it.
            optional classifier_approvable: bool,
            /// Whether no "always allow" should be offered.
            optional suppress_always_allow_rule: bool,
            /// Whether "no" should be the button that Enter presses.
            optional default_to_no: bool,
            optional matched_ask_rule: MatchedAskRule<'a>,
            optional title: Str<'a>,
            optional display_name: Str<'a>,
            /// Whether the call is a question to the user in itself, as AskUserQuestion is.
            optional requires_user_interaction: bool,
            optional server_policy_ask_only: bool,
            optional plugin: Raw<'a>,
            optional server_prompt: Raw<'a>,
            optional computer_folder: ComputerFolder<'a>,
            /// What the agent decided about each part of the call. Sent by `aqueduct-agent`; other programs pass over it.
            optional explanation: PermissionExplanation<'a>,
        }
    }
}

record! {
    /// The MCP server that a tool belongs to.
    ToolMcpServer<'a> {
        "2.1.325" {
            always name: Str<'a>,
            always source: Str<'a>,
        }
    }
}

names! {
    /// What made the agent ask.
    DecisionReasonType<'a> {
        "rule" => Rule,
        "mode" => Mode,
        "subcommandResults" => SubcommandResults,
        "permissionPromptTool" => PermissionPromptTool,
        "hook" => Hook,
        "asyncAgent" => AsyncAgent,
        "sandboxOverride" => SandboxOverride,
        "workingDir" => WorkingDir,
        "safetyCheck" => SafetyCheck,
        "classifier" => Classifier,
        "other" => OtherReason,
    }
}

record! {
    /// The rule that asks.
    MatchedAskRule<'a> {
        "2.1.325" {
            always source: Str<'a>,
            always tool_name: Str<'a>,
            optional rule_content: Str<'a>,
        }
    }
}

record! {
    /// A folder on a computer that the agent may use.
    ComputerFolder<'a> {
        "2.1.325" {
            always path: Str<'a>,
            always computer_name: Str<'a>,
        }
    }
}
