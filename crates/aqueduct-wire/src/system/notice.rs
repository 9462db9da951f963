use crate::control::SlashCommand;
use crate::json::{Number, Raw, Str};
use crate::table::{names, record};

record! {
    /// What a slash command printed.
    LocalCommandOutput<'a> {
        essential { content: Str<'a> }
        "2.1.325" {
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// A line for the user that is not part of the conversation.
    Informational<'a> {
        essential { content: Str<'a> }
        "2.1.325" {
            always level: NoticeLevel<'a>,
            optional tool_use_id: Str<'a>,
            /// The turn does not continue after this.
            optional prevent_continuation: bool,
            /// A name for this kind of notice, such as `auto_mode_no_server_check`.
            optional tag: Str<'a>,
            optional prompt_submit_outcome: Raw<'a>,
            /// The hook that was to decide about a call and gave no verdict.
            optional hook_no_verdict: HookWithoutVerdict<'a>,
            optional is_meta = "isMeta": bool,
            optional timestamp: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// A hook without a verdict.
    HookWithoutVerdict<'a> {
        "2.1.325" {
            always hook_event: Str<'a>,
            optional tool_use_id: Str<'a>,
            always timed_out: bool,
        }
    }
}

names! {
    /// How loud a notice is.
    NoticeLevel<'a> {
        "info" => Info,
        "notice" => Notice,
        "suggestion" => Suggestion,
        "warning" => Warning,
    }
}

record! {
    /// A short message to be shown for a while.
    Notification<'a> {
        essential {
            key: Str<'a>,
            text: Str<'a>,
        }
        "2.1.325" {
            always priority: NotificationPriority<'a>,
            optional color: Str<'a>,
            optional timeout_ms: Number<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

names! {
    /// Which of several notifications is shown first.
    NotificationPriority<'a> {
        "low" => Low,
        "medium" => Medium,
        "high" => High,
        "immediate" => Immediate,
    }
}

record! {
    /// How much the model has thought so far, as an estimate.
    ThinkingTokens<'a> {
        essential { estimated_tokens: Number<'a> }
        "2.1.325" {
            /// Since the last such frame.
            always estimated_tokens_delta: Number<'a>,
            optional user_message_uuid: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// All slash commands there are now. It replaces what was reported before.
    CommandsChanged<'a> {
        essential { commands: Vec<SlashCommand<'a>> }
        "2.1.325" {
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// A form that an MCP server had put before the user is done with.
    ElicitationComplete<'a> {
        essential { elicitation_id: Str<'a> }
        "2.1.325" {
            always mcp_server_name: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// How the installation of plugins goes.
    PluginInstall<'a> {
        essential { status: PluginInstallStatus<'a> }
        "2.1.325" {
            optional name: Str<'a>,
            optional error: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

names! {
    /// How far the installation of plugins is.
    PluginInstallStatus<'a> {
        "started" => Started,
        "installed" => Installed,
        "failed" => Failed,
        "completed" => Completed,
    }
}

record! {
    /// What happened in a turn, in short. What it holds is not documented.
    PostTurnSummary<'a> {
        "2.1.325" {
            optional uuid: Str<'a>,
            optional session_id: Str<'a>,
        }
    }
}

record! {
    /// What a task has done, in short. What it holds is not documented.
    TaskSummary<'a> {
        "2.1.325" {
            optional uuid: Str<'a>,
            optional session_id: Str<'a>,
        }
    }
}

record! {
    /// A notice of which only the name is known.
    PlainNotice<'a> {
        "2.1.325" {
            optional uuid: Str<'a>,
            optional session_id: Str<'a>,
        }
    }
}
