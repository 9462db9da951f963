//! The end of a turn.

use crate::control::FastModeState;
use crate::error_name::ErrorDetail;
use crate::json::{Map, Number, Raw, Str};
use crate::message::StopReason;
use crate::origin::Origin;
use crate::table::{names, record};
use crate::usage::{ModelUsage, Usage};

record! {
    /// The end of a turn. Whether it failed is reported by `is_error`: a failed call of the model is a `success`
    /// with `is_error`.
    ResultFrame<'a> {
        essential { subtype: ResultSubtype<'a> }
        "2.1.37" {
            always is_error: bool,
            always duration_ms: Number<'a>,
            always duration_api_ms: Number<'a>,
            /// 0 for a slash command that asked no model; one above the limit where that was reached.
            always num_turns: Number<'a>,
            nullable stop_reason: StopReason<'a>,
            always session_id: Str<'a>,
            always total_cost_usd: Number<'a>,
            /// What the main conversation used in this turn.
            always usage: Box<Usage<'a>>,
            /// What each model used since the process started, subagents included.
            always model_usage = "modelUsage": Map<'a, ModelUsage<'a>>,
            always permission_denials: Vec<PermissionDenial<'a>>,
            always uuid: Str<'a>,
            /// The last text of the turn; on `success` only.
            optional result: Str<'a>,
            /// What went wrong, one line each.
            optional errors: Vec<Str<'a>>,
            /// What went wrong, in the form that older agents use.
            optional error: Box<ErrorDetail<'a>>,
        }
        "2.1.50" {
            /// The answer as an object, where a schema was given.
            optional structured_output: Raw<'a>,
        }
        "2.1.74" {
            optional fast_mode_state: FastModeState<'a>,
        }
        "2.1.325" {
            optional fast_mode_disabled_reason: Str<'a>,
            /// Turns that wait behind this one.
            optional queued_turn_count: Number<'a>,
            /// Which result of the process this is, from 0.
            optional result_index: Number<'a>,
            optional user_message_uuid: Str<'a>,
            optional user_message_uuids: Vec<Str<'a>>,
            optional resume_reason: Str<'a>,
            /// Why the turn ended. Absent after a slash command that asked no model.
            optional terminal_reason: TerminalReason<'a>,
            optional credential_expires_at: Str<'a>,
            /// What the turn's user message had there.
            optional origin: Box<Origin<'a>>,
            /// The HTTP status of the call that failed; `null` where none did.
            optional api_error_status: Number<'a>,
            optional api_error_type: Str<'a>,
            /// A closer name for the failure of a model, such as `max_output_tokens`.
            optional api_error: Str<'a>,
            /// The tool call that a hook put off.
            optional deferred_tool_use: Box<DeferredToolUse<'a>>,
            /// The slash command that was answered without a model.
            optional local_command: Str<'a>,
            optional ttft_ms: Number<'a>,
            optional ttft_stream_ms: Number<'a>,
            optional time_to_request_ms: Number<'a>,
            optional request_sent_wall_ms: Number<'a>,
            optional first_content_frame_ms: Number<'a>,
            optional first_stream_post_ms: Number<'a>,
            optional first_stream_post_ack_ms: Number<'a>,
            optional first_stream_post_queue_wait_ms: Number<'a>,
            optional first_stream_post_queued_behind: Number<'a>,
            optional first_stream_post_wall_ms: Number<'a>,
            optional first_text_post_ms: Number<'a>,
            optional first_text_post_queue_wait_ms: Number<'a>,
            optional first_text_post_queued_behind: Number<'a>,
            optional first_text_post_wall_ms: Number<'a>,
            optional time_to_request_from_spawn_ms: Number<'a>,
            optional warm_spare_claimed: bool,
            optional time_origin_ms: Number<'a>,
            /// Why the process could not start at all.
            optional startup_failure_reason: StartupFailureReason<'a>,
            optional invalid_config_file: Box<InvalidConfigFile<'a>>,
            optional subagent_stats: Box<SubagentStats<'a>>,
            optional safety_stops: Number<'a>,
            /// What each model used since the last result.
            optional model_usage_since_last_result: Map<'a, ModelUsage<'a>>,
            optional first_request_input_tokens: Number<'a>,
            optional first_request_cache_read_input_tokens: Number<'a>,
        }
    }
}

names! {
    /// How a turn ended, in the broadest terms.
    ResultSubtype<'a> {
        "success" => Success,
        /// Interrupted, or failed on this side.
        "error_during_execution" => ErrorDuringExecution,
        "error_max_turns" => ErrorMaxTurns,
        "error_max_budget_usd" => ErrorMaxBudgetUsd,
        "error_max_structured_output_retries" => ErrorMaxStructuredOutputRetries,
        /// Any failure, as older agents write it.
        "error" => Error,
    }
}

names! {
    /// Why a turn ended.
    TerminalReason<'a> {
        "completed" => Completed,
        "aborted_streaming" => AbortedStreaming,
        "aborted_tools" => AbortedTools,
        "api_error" => ApiError,
        "max_turns" => MaxTurns,
        "budget_exhausted" => BudgetExhausted,
        "structured_output_retry_exhausted" => StructuredOutputRetryExhausted,
        "blocking_limit" => BlockingLimit,
        "rapid_refill_breaker" => RapidRefillBreaker,
        "prompt_too_long" => PromptTooLong,
        "image_error" => ImageError,
        "model_error" => ModelError,
        "malformed_tool_use_exhausted" => MalformedToolUseExhausted,
        "stop_hook_prevented" => StopHookPrevented,
        "hook_stopped" => HookStopped,
        "tool_deferred" => ToolDeferred,
        "tool_deferred_unavailable" => ToolDeferredUnavailable,
        "background_requested" => BackgroundRequested,
        "turn_setup_failed" => TurnSetupFailed,
    }
}

names! {
    /// Why a process could not start.
    StartupFailureReason<'a> {
        "org_pin_api_key_conflict" => OrgPinApiKeyConflict,
        "provider_not_allowed" => ProviderNotAllowed,
        "org_verify_failed" => OrgVerifyFailed,
        "org_pin_mismatch" => OrgPinMismatch,
        "managed_settings_invalid" => ManagedSettingsInvalid,
        "remote_settings_required_unavailable" => RemoteSettingsRequiredUnavailable,
        "gateway_signin_required" => GatewaySigninRequired,
        "gateway_access_denied" => GatewayAccessDenied,
        "proxy_invalid" => ProxyInvalid,
        "temp_dir_unusable" => TempDirUnusable,
        "cwd_unavailable" => CwdUnavailable,
        "shell_tool_missing" => ShellToolMissing,
        "session_held_by_background" => SessionHeldByBackground,
        "worktree_resume_refused" => WorktreeResumeRefused,
        "worktree_unverified" => WorktreeUnverified,
        "cli_version_too_old" => CliVersionTooOld,
        "bypass_root" => BypassRoot,
        "org_config_required_unavailable" => OrgConfigRequiredUnavailable,
        "org_config_refused" => OrgConfigRefused,
        "sandbox_required_unavailable" => SandboxRequiredUnavailable,
        "initialize_not_first" => InitializeNotFirst,
        "config_file_invalid" => ConfigFileInvalid,
        "managed_settings_not_delivered" => ManagedSettingsNotDelivered,
    }
}

record! {
    /// A tool call that was not allowed.
    PermissionDenial<'a> {
        essential { tool_name: Str<'a> }
        "2.1.37" {
            always tool_use_id: Str<'a>,
            always tool_input: Raw<'a>,
        }
    }
}

record! {
    /// A tool call that was put off.
    DeferredToolUse<'a> {
        essential {
            id: Str<'a>,
            name: Str<'a>,
            input: Raw<'a>,
        }
    }
}

record! {
    /// A settings file that could not be read.
    InvalidConfigFile<'a> {
        essential { path: Str<'a> }
        "2.1.325" {
            always is_global: bool,
            always backup_searched: bool,
            optional backup_path: Str<'a>,
        }
    }
}

record! {
    /// Subagents of the process so far, counted.
    SubagentStats<'a> {
        "2.1.325" {
            always spawned: Number<'a>,
            always requested: SubagentsRequested<'a>,
            always started_in_background: Number<'a>,
            /// How deep subagents started subagents.
            always max_depth: Number<'a>,
            always spawned_by_subagents: Number<'a>,
            always completed: Number<'a>,
            always failed: Number<'a>,
            always killed: SubagentsKilled<'a>,
            always refused: SubagentsRefused<'a>,
            /// By the subagents' type.
            always by_type: Map<'a, Number<'a>>,
        }
    }
}

record! {
    /// How the model wanted its subagents to run.
    SubagentsRequested<'a> {
        "2.1.325" {
            always background: Number<'a>,
            always foreground: Number<'a>,
            always unset: Number<'a>,
        }
    }
}

record! {
    /// Who ended subagents before they were done.
    SubagentsKilled<'a> {
        "2.1.325" {
            always parent: Number<'a>,
            always user: Number<'a>,
            always system: Number<'a>,
        }
    }
}

record! {
    /// Why subagents were not started.
    SubagentsRefused<'a> {
        "2.1.325" {
            always depth_limit: Number<'a>,
            always concurrency_limit: Number<'a>,
            always budget: Number<'a>,
        }
    }
}
