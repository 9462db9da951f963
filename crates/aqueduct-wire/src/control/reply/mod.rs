//! What requests are answered with.

mod agent;
mod context;
mod initialize;
mod mcp;
mod permission;
mod session;
mod settings;
mod usage;

pub use agent::*;
pub use context::*;
pub use initialize::*;
pub use mcp::*;
pub use permission::*;
pub use session::*;
pub use settings::*;
pub use usage::*;

use crate::hook::HookOutput;
use crate::table::payloads;

payloads! {
    /// What an agent answers with, by the request's subtype.
    HOST_REPLIES {
        "initialize" => InitializeReply,
        "interrupt" => InterruptReply,
        "end_session" => Acknowledgement,
        "rename_session" => Acknowledgement,
        "generate_session_title" => GenerateSessionTitleReply,
        "claim_session" => ClaimSessionReply,
        "side_question" => SideQuestionReply,
        "cancel_async_message" => CancelAsyncMessageReply,
        "stop_task" => Acknowledgement,
        "background_tasks" => BackgroundTasksReply,
        "get_task_output" => GetTaskOutputReply,
        "export_conversation" => OpenReply,
        "set_has_subscribers" => Acknowledgement,
        "remote_control" => OpenReply,
        "ultrareview_launch" => OpenReply,
        "set_permission_mode" => SetPermissionModeReply,
        "set_model" => SetModelReply,
        "set_max_thinking_tokens" => Acknowledgement,
        "apply_flag_settings" => Acknowledgement,
        "get_settings" => GetSettingsReply,
        "update_settings" => Acknowledgement,
        "list_permission_rules" => ListPermissionRulesReply,
        "get_hooks_listing" => GetHooksListingReply,
        "reload_plugins" => ReloadPluginsReply,
        "reload_skills" => ReloadSkillsReply,
        "reload_output_styles" => ReloadOutputStylesReply,
        "mcp_status" => McpStatusReply,
        "mcp_reconnect" => Acknowledgement,
        "mcp_toggle" => Acknowledgement,
        "mcp_set_servers" => McpSetServersReply,
        "mcp_message" => Acknowledgement,
        "mcp_call" => McpCallReply,
        "mcp_read_resource" => McpReadResourceReply,
        "set_mcp_permission_mode_override" => SetMcpPermissionModeOverrideReply,
        "mcp_authenticate" => McpAuthenticateReply,
        "mcp_clear_auth" => Acknowledgement,
        "mcp_oauth_callback_url" => Acknowledgement,
        "channel_enable" => OpenReply,
        "rewind_files" => RewindFilesReply,
        "read_file" => ReadFileReply,
        "file_suggestions" => FileSuggestionsReply,
        "seed_read_state" => Acknowledgement,
        "register_repo_root" => OpenReply,
        "set_cwd" => OpenReply,
        "get_context_usage" => ContextUsageReply,
        "get_session_cost" => SessionCostReply,
        "get_usage" => UsageReply,
        "get_binary_version" => BinaryVersionReply,
        "list_models" => ListModelsReply,
        "supported_commands" => OpenReply,
        "get_status" => OpenReply,
        "get_plan" => OpenReply,
        "set_color" => Acknowledgement,
        "set_prompt_suggestions_paused" => OpenReply,
        "get_memory_dialog" => OpenReply,
        "get_skills_dialog" => OpenReply,
        "get_sandbox_dialog" => OpenReply,
        "get_chrome_dialog" => OpenReply,
        "get_chrome_browsers" => OpenReply,
        "select_chrome_browser" => OpenReply,
        "set_chrome_browser_hints" => OpenReply,
        "claude_authenticate" => OpenReply,
        "claude_oauth_callback" => OpenReply,
        "claude_oauth_wait_for_completion" => OpenReply,
        "submit_feedback" => OpenReply,
        "submit_survey_feedback" => OpenReply,
        "message_rated" => OpenReply,
    }
}

payloads! {
    /// What a host answers with, by the request's subtype.
    AGENT_REPLIES {
        "can_use_tool" => PermissionReply,
        "hook_callback" => HookOutput,
        "mcp_message" => McpReply,
        "elicitation" => ElicitationReply,
        "request_user_dialog" => DialogReply,
        "oauth_token_refresh" => OauthTokenReply,
        "host_auth_token_refresh" => HostAuthTokenReply,
        "remote_control_work_secret" => WorkSecretReply,
        "ui_copy" => OpenReply,
        "ui_prompt_read" => OpenReply,
        "ui_prompt_fill" => OpenReply,
        "ui_prompt_paint" => OpenReply,
        "ui_prompt_suggest" => OpenReply,
        "ui_read_selection" => OpenReply,
        "remote_tool_call" => OpenReply,
        "remote_plumbing_call" => OpenReply,
        "remote_tools_probe" => OpenReply,
        "remote_tools_reannounce" => OpenReply,
    }
}
