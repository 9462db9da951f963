//! Frames that report something besides the conversation.

use crate::error_name::ErrorDetail;
use crate::json::{Map, Number, Raw, Str};
use crate::rate_limit::RateLimitInfo;
use crate::table::{names, record};

record! {
    /// A tool is still running.
    ToolProgress<'a> {
        essential { tool_use_id: Str<'a> }
        "2.1.50" {
            always tool_name: Str<'a>,
            nullable parent_tool_use_id: Str<'a>,
            always elapsed_time_seconds: Number<'a>,
            /// The background task that the call became.
            optional task_id: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
        "2.1.325" {
            /// Nothing new, only a sign of life.
            optional heartbeat: bool,
            optional subagent_type: Str<'a>,
            /// The subagent behind the call waits to ask its model again.
            optional subagent_retry: Box<SubagentRetry<'a>>,
        }
    }
}

record! {
    /// A subagent's model call failed and is tried again.
    SubagentRetry<'a> {
        essential { attempt: Number<'a> }
        "2.1.325" {
            always agent_id: Str<'a>,
            always max_retries: Number<'a>,
            always retry_delay_ms: Number<'a>,
            /// The HTTP status; `null` if there was no answer.
            nullable error_status: Number<'a>,
            always error_category: Str<'a>,
        }
    }
}

record! {
    /// What the last few tool calls did, in a line.
    ToolUseSummary<'a> {
        essential { summary: Str<'a> }
        "2.1.50" {
            always preceding_tool_use_ids: Vec<Str<'a>>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
        "2.1.325" {
            optional timestamp: Str<'a>,
        }
    }
}

record! {
    /// The state of a login.
    AuthStatus<'a> {
        essential { is_authenticating = "isAuthenticating": bool }
        "2.1.37" {
            /// What the login printed, line by line.
            always output: Vec<Str<'a>>,
            optional error: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// How much of a subscription's limits is used.
    RateLimitEvent<'a> {
        essential { rate_limit_info: Box<RateLimitInfo<'a>> }
        "2.1.50" {
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// A suggestion for the user's next prompt. After a `result`, at most one a turn.
    PromptSuggestion<'a> {
        essential { suggestion: Str<'a> }
        "2.1.50" {
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// The conversation begins anew, such as after `/clear`. Frames after this one have another session id.
    ConversationReset<'a> {
        essential { new_conversation_id: Str<'a> }
        "2.1.325" {
            always uuid: Str<'a>,
            /// That of the conversation that ended.
            always session_id: Str<'a>,
            optional trigger: ResetTrigger<'a>,
            optional user_message_uuid: Str<'a>,
            optional timestamp: Str<'a>,
        }
    }
}

names! {
    /// Why a conversation begins anew.
    ResetTrigger<'a> {
        "clear" => Clear,
        "plan_mode_exit" => PlanModeExit,
        "fresh_session" => FreshSession,
        "onboarding" => Onboarding,
    }
}

record! {
    /// The goal that the agent works towards changed; `null` where there is none any more.
    ActiveGoal<'a> {
        "2.1.325" {
            nullable value: Box<Goal<'a>>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// A condition that the agent works towards until it holds.
    Goal<'a> {
        essential { condition: Str<'a> }
        "2.1.325" {
            always iterations: Number<'a>,
            always set_at: Number<'a>,
            always tokens_at_start: Number<'a>,
            optional last_reason: Str<'a>,
        }
    }
}

record! {
    /// Where a host's message is on its way. Only for messages that were sent with a `uuid`.
    CommandLifecycle<'a> {
        essential {
            /// The message's `uuid`.
            command_uuid: Str<'a>,
            state: CommandState<'a>,
        }
        "2.1.325" {
            optional ran_ahead: bool,
            optional wakeup_source: WakeupSource<'a>,
            optional scheduled_for: Raw<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

names! {
    /// Where a message is on its way.
    CommandState<'a> {
        "queued" => Queued,
        "started" => Started,
        "completed" => Completed,
        "cancelled" => Cancelled,
        "discarded" => Discarded,
    }
}

names! {
    /// What woke the agent up without a message from a person.
    WakeupSource<'a> {
        "loop_wakeup" => LoopWakeup,
        "schedule_wakeup" => ScheduleWakeup,
    }
}

record! {
    /// Lines of the session's transcript, for a host that keeps a copy of its own.
    TranscriptMirror<'a> {
        essential {
            file_path = "filePath": Str<'a>,
            entries: Vec<Raw<'a>>,
        }
    }
}

record! {
    /// How near the conversation is to being compacted by itself. What it holds is not documented.
    AutocompactState<'a> {
        "2.1.325" {
            optional uuid: Str<'a>,
            optional session_id: Str<'a>,
        }
    }
}

record! {
    /// A keep-alive, in either direction. It has no answer.
    KeepAlive<'a> {
        "2.1.325" {
            /// How far the startup has come, for hosts that ask for it.
            optional startup_mark: Str<'a>,
        }
    }
}

record! {
    /// The model's text in the short form that agents of a while ago could send.
    StreamlinedText<'a> {
        "2.1.37" {
            always text: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// Tool calls in the short form that agents of a while ago could send.
    StreamlinedToolUseSummary<'a> {
        "2.1.37" {
            always tool_summary: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// What a host sent could not be understood. The conversation lives on.
    ErrorFrame<'a> {
        essential { error: ErrorDetail<'a> }
        "2.1.37" {
            optional uuid: Str<'a>,
            optional session_id: Str<'a>,
        }
    }
}

record! {
    /// A control message without an envelope. 2.1.37 names the type and ends when it gets one; later
    /// versions ignore it. Interrupt with a control request instead.
    BareControl<'a> {
        "2.1.37" {
            optional action: Str<'a>,
        }
    }
}

record! {
    /// Sets environment variables of the running agent. Nothing is sent back.
    UpdateEnvironment<'a> {
        essential { variables: Map<'a, Str<'a>> }
    }
}
