use super::input::hook_input;
use crate::error_name::ErrorName;
use crate::json::{Number, Str};
use crate::table::{names, record};

hook_input! {
    /// A session starts or is resumed.
    by agent SessionStartInput<'a> [] {
        "2.1.37" {
            always source: SessionStartSource<'a>,
        }
        "2.1.50" {
            /// The agent that runs the main conversation, if one was named.
            optional agent_type: Str<'a>,
            optional model: Str<'a>,
        }
        "2.1.325" {
            optional agent_id: Str<'a>,
            optional session_title: Str<'a>,
            optional seconds_since_last_response: Number<'a>,
            optional context_tokens: Number<'a>,
            optional prompt_cache_likely_expired: bool,
            /// What it would cost to fill the prompt cache again.
            optional estimated_cache_write_usd: Number<'a>,
        }
    }
}

names! {
    /// How a session began.
    SessionStartSource<'a> {
        "startup" => Startup,
        "resume" => Resume,
        "clear" => Clear,
        "compact" => Compact,
        "fork" => Fork,
    }
}

hook_input! {
    /// A session ends.
    SessionEndInput<'a> [] {
        "2.1.50" {
            always reason: SessionEndReason<'a>,
        }
    }
}

names! {
    /// Why a session ends.
    SessionEndReason<'a> {
        "clear" => Clear,
        "resume" => Resume,
        "logout" => Logout,
        "prompt_input_exit" => PromptInputExit,
        "other" => OtherReason,
        /// Of older versions only.
        "bypass_permissions_disabled" => BypassPermissionsDisabled,
    }
}

hook_input! {
    /// The model is done.
    StopInput<'a> [] {
        "2.1.37" {
            /// Whether the model continues only because of a hook: check this to avoid a loop.
            always stop_hook_active: bool,
        }
        "2.1.50" {
            optional last_assistant_message: Str<'a>,
        }
        "2.1.325" {
            optional background_tasks: Vec<BackgroundTask<'a>>,
            optional session_crons: Vec<SessionCron<'a>>,
        }
    }
}

record! {
    /// A task that still runs.
    BackgroundTask<'a> {
        "2.1.325" {
            always id: Str<'a>,
            always kind = "type": Str<'a>,
            always status: Str<'a>,
            always description: Str<'a>,
            optional command: Str<'a>,
            optional agent_type: Str<'a>,
            optional server: Str<'a>,
            optional tool: Str<'a>,
            optional name: Str<'a>,
        }
    }
}

record! {
    /// A prompt that the session sends itself at set times.
    SessionCron<'a> {
        "2.1.325" {
            always id: Str<'a>,
            always schedule: Str<'a>,
            always recurring: bool,
            always prompt: Str<'a>,
        }
    }
}

hook_input! {
    /// A turn ended with an error of the API.
    StopFailureInput<'a> [] {
        "2.1.325" {
            always error: ErrorName<'a>,
            optional error_details: Str<'a>,
            optional last_assistant_message: Str<'a>,
        }
    }
}

hook_input! {
    /// A subagent begins.
    by agent SubagentStartInput<'a> [] {
        "2.1.50" {
            always agent_id: Str<'a>,
            always agent_type: Str<'a>,
        }
    }
}

hook_input! {
    /// A subagent is done.
    by agent SubagentStopInput<'a> [] {
        "2.1.50" {
            always stop_hook_active: bool,
            always agent_id: Str<'a>,
            always agent_transcript_path: Str<'a>,
            always agent_type: Str<'a>,
            optional last_assistant_message: Str<'a>,
        }
        "2.1.325" {
            optional background_tasks: Vec<BackgroundTask<'a>>,
            optional session_crons: Vec<SessionCron<'a>>,
        }
    }
}

hook_input! {
    /// The conversation is about to be summarised.
    PreCompactInput<'a> [] {
        "2.1.50" {
            always trigger: CompactTrigger<'a>,
            nullable custom_instructions: Str<'a>,
        }
    }
}

hook_input! {
    /// The conversation has been summarised.
    PostCompactInput<'a> [] {
        "2.1.325" {
            always trigger: CompactTrigger<'a>,
            always compact_summary: Str<'a>,
        }
    }
}

names! {
    /// Who asked for a summary.
    CompactTrigger<'a> {
        "manual" => Manual,
        "auto" => Auto,
    }
}

hook_input! {
    /// Another model is about to take over, or has.
    ModelSwitchInput<'a> [] {
        "2.1.325" {
            always from_model: Str<'a>,
            always to_model: Str<'a>,
            /// The name that was asked for; `null` for the default.
            nullable requested_model: Str<'a>,
            always source: ModelSwitchSource<'a>,
            always context_tokens: Number<'a>,
            always prompt_cache_warm: bool,
            always cache_ttl: CacheLifetime<'a>,
            always estimated_cache_write_usd: Number<'a>,
            always pricing: ModelSwitchPricing<'a>,
        }
    }
}

names! {
    /// Who changed the model. The last two only after the fact.
    ModelSwitchSource<'a> {
        "command" => Command,
        "picker" => Picker,
        "sdk" => Sdk,
        "auto" => Auto,
        "resume" => Resume,
    }
}

names! {
    /// How long the prompt cache lives.
    CacheLifetime<'a> {
        "5m" => FiveMinutes,
        "1h" => OneHour,
    }
}

names! {
    /// Where a price comes from.
    ModelSwitchPricing<'a> {
        "configured" => Configured,
        "catalog" => Catalog,
        "default" => Default,
    }
}
