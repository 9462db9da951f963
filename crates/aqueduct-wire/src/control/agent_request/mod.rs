//! What an agent asks its host.

mod interaction;
mod permission;
mod remote;

pub use interaction::{ElicitationRequest, HookCallbackRequest, McpMessageRequest, UserDialogRequest};
pub use permission::{CanUseToolRequest, ComputerFolder, DecisionReasonType, MatchedAskRule, ToolMcpServer};
pub use remote::{
    HostAuthTokenRefreshRequest, OauthTokenRefreshRequest, RemoteControlWorkSecretRequest,
    RemotePlumbingCallRequest, RemoteToolCallRequest, RemoteToolsProbeRequest, RemoteToolsReannounceRequest,
    UiCopyRequest, UiPromptFillRequest, UiPromptPaintRequest, UiPromptReadRequest, UiPromptSuggestRequest,
    UiReadSelectionRequest,
};

use crate::table::union;

union! {
    /// A request of an agent to its host.
    AgentRequest<'a> by "subtype" {
        /// May this tool run? Only where the agent was started with `--permission-prompt-tool stdio`.
        "can_use_tool" => CanUseTool(Box<CanUseToolRequest<'a>>) since "2.1.37",
        /// Run a hook that the host registered.
        "hook_callback" => HookCallback(Box<HookCallbackRequest<'a>>) since "2.1.37",
        /// A message to an MCP server that lives in the host. Can come before `initialize` is answered.
        "mcp_message" => McpMessage(Box<McpMessageRequest<'a>>) since "2.1.37",
        /// An MCP server asks the user something.
        "elicitation" => Elicitation(Box<ElicitationRequest<'a>>) since "2.1.325",
        /// Show a dialog of a kind that the host announced.
        "request_user_dialog" => UserDialog(UserDialogRequest<'a>) since "2.1.325",
        "oauth_token_refresh" => OauthTokenRefresh(OauthTokenRefreshRequest<'a>) since "2.1.325",
        "host_auth_token_refresh" => HostAuthTokenRefresh(HostAuthTokenRefreshRequest<'a>) since "2.1.325",
        "remote_control_work_secret" => RemoteControlWorkSecret(RemoteControlWorkSecretRequest<'a>) since "2.1.325",
        "ui_copy" => UiCopy(UiCopyRequest<'a>) since "2.1.325",
        "ui_prompt_read" => UiPromptRead(UiPromptReadRequest<'a>) since "2.1.325",
        "ui_prompt_fill" => UiPromptFill(UiPromptFillRequest<'a>) since "2.1.325",
        "ui_prompt_paint" => UiPromptPaint(UiPromptPaintRequest<'a>) since "2.1.325",
        "ui_prompt_suggest" => UiPromptSuggest(UiPromptSuggestRequest<'a>) since "2.1.325",
        "ui_read_selection" => UiReadSelection(UiReadSelectionRequest<'a>) since "2.1.325",
        "remote_tool_call" => RemoteToolCall(RemoteToolCallRequest<'a>) since "2.1.325",
        "remote_plumbing_call" => RemotePlumbingCall(RemotePlumbingCallRequest<'a>) since "2.1.325",
        "remote_tools_probe" => RemoteToolsProbe(RemoteToolsProbeRequest<'a>) since "2.1.325",
        "remote_tools_reannounce" => RemoteToolsReannounce(RemoteToolsReannounceRequest<'a>) since "2.1.325",
    }
}
