//! What a host asks its agent.

mod account;
mod initialize;
mod inspection;
mod mcp;
mod screen;
mod session;
mod settings;
mod workspace;

pub use account::*;
pub use initialize::*;
pub use inspection::*;
pub use mcp::*;
pub use screen::*;
pub use session::*;
pub use settings::*;
pub use workspace::*;

use super::McpMessageRequest;
use crate::table::union;

union! {
    /// A request of a host to its agent.
    HostRequest<'a> by "subtype" {
        /// The first request of every session.
        "initialize" => Initialize(Box<InitializeRequest<'a>>) since "2.1.37",
        /// Stop the turn; the process lives on.
        "interrupt" => Interrupt(InterruptRequest<'a>) since "2.1.37",
        "end_session" => EndSession(EndSessionRequest<'a>) since "2.1.74",
        "rename_session" => RenameSession(RenameSessionRequest<'a>) since "2.1.325",
        "generate_session_title" => GenerateSessionTitle(GenerateSessionTitleRequest<'a>) since "2.1.325",
        "claim_session" => ClaimSession(Box<ClaimSessionRequest<'a>>) since "2.1.325",
        "side_question" => SideQuestion(SideQuestionRequest<'a>) since "2.1.325",
        "cancel_async_message" => CancelAsyncMessage(CancelAsyncMessageRequest<'a>) since "2.1.325",
        "stop_task" => StopTask(StopTaskRequest<'a>) since "2.1.50",
        "background_tasks" => BackgroundTasks(BackgroundTasksRequest<'a>) since "2.1.325",
        "get_task_output" => GetTaskOutput(GetTaskOutputRequest<'a>) since "2.1.325",
        "export_conversation" => ExportConversation(ExportConversationRequest<'a>) since "2.1.325",
        "set_has_subscribers" => SetHasSubscribers(SetHasSubscribersRequest<'a>) since "2.1.325",
        "remote_control" => RemoteControl(RemoteControlRequest<'a>) since "2.1.325",
        "ultrareview_launch" => UltrareviewLaunch(UltrareviewLaunchRequest<'a>) since "2.1.325",

        "set_permission_mode" => SetPermissionMode(SetPermissionModeRequest<'a>) since "2.1.37",
        "set_model" => SetModel(SetModelRequest<'a>) since "2.1.37",
        "set_max_thinking_tokens" => SetMaxThinkingTokens(SetMaxThinkingTokensRequest<'a>) since "2.1.37",
        "apply_flag_settings" => ApplyFlagSettings(ApplyFlagSettingsRequest<'a>) since "2.1.50",
        "get_settings" => GetSettings(GetSettingsRequest<'a>) since "2.1.74",
        "update_settings" => UpdateSettings(UpdateSettingsRequest<'a>) since "2.1.325",
        "list_permission_rules" => ListPermissionRules(ListPermissionRulesRequest<'a>) since "2.1.325",
        "get_hooks_listing" => GetHooksListing(GetHooksListingRequest<'a>) since "2.1.325",
        "reload_plugins" => ReloadPlugins(ReloadPluginsRequest<'a>) since "2.1.325",
        "reload_skills" => ReloadSkills(ReloadSkillsRequest<'a>) since "2.1.325",
        "reload_output_styles" => ReloadOutputStyles(ReloadOutputStylesRequest<'a>) since "2.1.325",

        "mcp_status" => McpStatus(McpStatusRequest<'a>) since "2.1.37",
        "mcp_reconnect" => McpReconnect(McpReconnectRequest<'a>) since "2.1.37",
        "mcp_toggle" => McpToggle(McpToggleRequest<'a>) since "2.1.37",
        "mcp_set_servers" => McpSetServers(McpSetServersRequest<'a>) since "2.1.37",
        /// A message of an MCP server in the host.
        "mcp_message" => McpMessage(Box<McpMessageRequest<'a>>) since "2.1.37",
        "mcp_call" => McpCall(Box<McpCallRequest<'a>>) since "2.1.325",
        "mcp_read_resource" => McpReadResource(McpReadResourceRequest<'a>) since "2.1.325",
        "set_mcp_permission_mode_override" => SetMcpPermissionModeOverride(SetMcpPermissionModeOverrideRequest<'a>) since "2.1.325",
        "mcp_authenticate" => McpAuthenticate(McpAuthenticateRequest<'a>) since "2.1.325",
        "mcp_clear_auth" => McpClearAuth(McpClearAuthRequest<'a>) since "2.1.325",
        "mcp_oauth_callback_url" => McpOauthCallbackUrl(McpOauthCallbackUrlRequest<'a>) since "2.1.325",
        "channel_enable" => ChannelEnable(ChannelEnableRequest<'a>) since "2.1.325",

        "rewind_files" => RewindFiles(RewindFilesRequest<'a>) since "2.1.37",
        "read_file" => ReadFile(ReadFileRequest<'a>) since "2.1.325",
        "file_suggestions" => FileSuggestions(FileSuggestionsRequest<'a>) since "2.1.325",
        "seed_read_state" => SeedReadState(SeedReadStateRequest<'a>) since "2.1.325",
        "register_repo_root" => RegisterRepoRoot(RegisterRepoRootRequest<'a>) since "2.1.325",
        "set_cwd" => SetCwd(SetCwdRequest<'a>) since "2.1.325",

        "get_context_usage" => GetContextUsage(GetContextUsageRequest<'a>) since "2.1.325",
        "get_session_cost" => GetSessionCost(GetSessionCostRequest<'a>) since "2.1.325",
        "get_usage" => GetUsage(GetUsageRequest<'a>) since "2.1.325",
        "get_binary_version" => GetBinaryVersion(GetBinaryVersionRequest<'a>) since "2.1.325",
        "list_models" => ListModels(ListModelsRequest<'a>) since "2.1.325",
        /// Asked by older hosts; the reference has never answered it but with an error.
        "supported_commands" => SupportedCommands(SupportedCommandsRequest<'a>) since "2.1.37",
        "get_status" => GetStatus(GetStatusRequest<'a>) since "2.1.325",
        "get_plan" => GetPlan(GetPlanRequest<'a>) since "2.1.325",

        "set_color" => SetColor(SetColorRequest<'a>) since "2.1.325",
        "set_prompt_suggestions_paused" => SetPromptSuggestionsPaused(SetPromptSuggestionsPausedRequest<'a>) since "2.1.325",
        "get_memory_dialog" => GetMemoryDialog(GetMemoryDialogRequest<'a>) since "2.1.325",
        "get_skills_dialog" => GetSkillsDialog(GetSkillsDialogRequest<'a>) since "2.1.325",
        "get_sandbox_dialog" => GetSandboxDialog(GetSandboxDialogRequest<'a>) since "2.1.325",
        "get_chrome_dialog" => GetChromeDialog(GetChromeDialogRequest<'a>) since "2.1.325",
        "get_chrome_browsers" => GetChromeBrowsers(GetChromeBrowsersRequest<'a>) since "2.1.325",
        "select_chrome_browser" => SelectChromeBrowser(SelectChromeBrowserRequest<'a>) since "2.1.325",
        "set_chrome_browser_hints" => SetChromeBrowserHints(SetChromeBrowserHintsRequest<'a>) since "2.1.325",

        "claude_authenticate" => ClaudeAuthenticate(ClaudeAuthenticateRequest<'a>) since "2.1.325",
        "claude_oauth_callback" => ClaudeOauthCallback(ClaudeOauthCallbackRequest<'a>) since "2.1.325",
        "claude_oauth_wait_for_completion" => ClaudeOauthWait(ClaudeOauthWaitRequest<'a>) since "2.1.325",
        "submit_feedback" => SubmitFeedback(SubmitFeedbackRequest<'a>) since "2.1.325",
        "submit_survey_feedback" => SubmitSurveyFeedback(SubmitSurveyFeedbackRequest<'a>) since "2.1.325",
        "message_rated" => MessageRated(MessageRatedRequest<'a>) since "2.1.325",
    }
}
