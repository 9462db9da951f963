use super::input::hook_input;
use crate::json::{Number, Raw, Str};
use crate::permission::PermissionUpdate;
use crate::table::{names, record};

hook_input! {
    /// A tool is about to run.
    PreToolUseInput<'a> [
        tool_name: Str<'a>,
        tool_input: Raw<'a>,
    ] {
        "2.1.37" {
            always tool_use_id: Str<'a>,
        }
        "2.1.325" {
            optional mcp_server: HookMcpServer<'a>,
        }
    }
}

hook_input! {
    /// A tool has run.
    PostToolUseInput<'a> [
        tool_name: Str<'a>,
        tool_input: Raw<'a>,
    ] {
        "2.1.37" {
            /// What it gave back, in the tool's own shape.
            always tool_response: Raw<'a>,
            always tool_use_id: Str<'a>,
        }
        "2.1.325" {
            optional duration_ms: Number<'a>,
            optional mcp_server: HookMcpServer<'a>,
        }
    }
}

hook_input! {
    /// A tool has failed.
    PostToolUseFailureInput<'a> [
        tool_name: Str<'a>,
        tool_input: Raw<'a>,
    ] {
        "2.1.50" {
            always tool_use_id: Str<'a>,
            always error: Str<'a>,
            /// Whether the user interrupted it.
            optional is_interrupt: bool,
        }
        "2.1.325" {
            optional duration_ms: Number<'a>,
            optional mcp_server: HookMcpServer<'a>,
        }
    }
}

hook_input! {
    /// All tools that the model called at once have run.
    PostToolBatchInput<'a> [] {
        "2.1.325" {
            always tool_calls: Vec<ToolCall<'a>>,
        }
    }
}

record! {
    /// One call of a batch.
    ToolCall<'a> {
        "2.1.325" {
            always tool_name: Str<'a>,
            always tool_input: Raw<'a>,
            always tool_use_id: Str<'a>,
            optional tool_response: Raw<'a>,
        }
    }
}

hook_input! {
    /// The user is about to be asked for permission.
    PermissionRequestInput<'a> [
        tool_name: Str<'a>,
        tool_input: Raw<'a>,
    ] {
        "2.1.50" {
            optional permission_suggestions: Vec<PermissionUpdate<'a>>,
        }
        "2.1.325" {
            optional mcp_server: HookMcpServer<'a>,
        }
    }
}

hook_input! {
    /// A tool call was denied without asking the user.
    PermissionDeniedInput<'a> [
        tool_name: Str<'a>,
        tool_input: Raw<'a>,
    ] {
        "2.1.325" {
            always tool_use_id: Str<'a>,
            always reason: Str<'a>,
            optional mcp_server: HookMcpServer<'a>,
        }
    }
}

record! {
    /// The MCP server that a tool belongs to.
    HookMcpServer<'a> {
        "2.1.325" {
            always name: Str<'a>,
            optional source: Str<'a>,
        }
    }
}

hook_input! {
    /// A message of the user is about to reach the model.
    UserPromptSubmitInput<'a> [
        prompt: Str<'a>,
    ] {
        "2.1.325" {
            optional source: PromptSource<'a>,
            optional session_title: Str<'a>,
        }
    }
}

names! {
    /// Who wrote a prompt.
    PromptSource<'a> {
        "user" => User,
        "sdk" => Sdk,
        "system" => System,
        "loop_wakeup" => LoopWakeup,
        "schedule_wakeup" => ScheduleWakeup,
        "poll_event" => PollEvent,
    }
}

hook_input! {
    /// A slash command has become the text that the model gets.
    UserPromptExpansionInput<'a> [
        prompt: Str<'a>,
    ] {
        "2.1.325" {
            always expansion_type: ExpansionType<'a>,
            always command_name: Str<'a>,
            always command_args: Str<'a>,
            optional command_source: Str<'a>,
        }
    }
}

names! {
    /// What was expanded.
    ExpansionType<'a> {
        "slash_command" => SlashCommand,
        "mcp_prompt" => McpPrompt,
    }
}
