# Made from the tables of aqueduct-bridge by `cargo xtask gen`. Do not edit.
"""What the bridge and its clients say to each other.

Messages are dictionaries, as they are on the wire. The bridge adds kinds, members and names as it grows:
pass over what you don't know.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

PermissionMode: TypeAlias = Literal[
    "default",
    "acceptEdits",
    "bypassPermissions",
    "plan",
    "dontAsk",
    "delegate",
    "auto",
    "manual",
] | str
"""How an agent treats a tool call that no rule decides."""

InputPriority: TypeAlias = Literal[
    "queue",
    "steer",
    "interrupt",
] | str
"""What becomes of an input that comes while a turn runs."""

Destination: TypeAlias = Literal[
    "userSettings",
    "projectSettings",
    "localSettings",
    "session",
    "cliArg",
    "command",
    "policySettings",
    "flagSettings",
] | str
"""Where a rule lives, and so how long."""

RuleBehavior: TypeAlias = Literal[
    "allow",
    "deny",
    "ask",
] | str
"""What a rule does with the calls it matches."""

Unanswered: TypeAlias = Literal[
    "skipped",
    "replied_in_chat",
    "dismissed",
] | str
"""Why a question has no answer."""

ExportFormat: TypeAlias = Literal[
    "markdown",
    "html",
    "jsonl",
] | str
"""What a session is exported as."""

AccessScope: TypeAlias = Literal[
    "watch",
    "decide",
    "operate",
    "admin",
] | str
"""How much a credential allows. Each scope includes those before it."""

ActorKind: TypeAlias = Literal[
    "device",
    "token",
    "agent",
    "bridge",
] | str
"""The kind of principal."""

CredentialKind: TypeAlias = Literal[
    "key",
    "bearer",
] | str
"""How a device or program proves who it is."""

Feature: TypeAlias = Literal[
    "push",
    "search",
    "adopt",
    "bypass",
    "trust",
] | str
"""What this bridge can do that another may not."""

TrustState: TypeAlias = Literal[
    "nothing",
    "trusted",
    "untrusted",
    "changed",
] | str
"""Whether what a folder provides takes effect."""

ErrorCode: TypeAlias = Literal[
    "invalid_json",
    "invalid_message",
    "unknown_message",
    "message_too_large",
    "unauthorized",
    "challenge_expired",
    "cookie_retired",
    "forbidden",
    "confirmation_required",
    "pairing_failed",
    "too_many_requests",
    "session_not_found",
    "session_conflict",
    "input_not_found",
    "queue_full",
    "permission_not_found",
    "ambiguous_request",
    "already_resolved",
    "input_changed",
    "wrong_decision",
    "path_not_allowed",
    "path_not_found",
    "not_a_repository",
    "repository_refused",
    "trust_required",
    "trust_changed",
    "session_too_large",
    "agent_not_running",
    "agent_not_found",
    "agent_failed",
    "agent_timeout",
    "not_supported",
    "not_subscribed",
    "device_not_found",
    "storage_failed",
    "unavailable",
    "internal",
] | str
"""What sort of error it is, for programs."""

SystemSubtype: TypeAlias = Literal[
    "session_created",
    "session_resumed",
    "init",
    "agent_exited",
    "interrupted",
    "compact_boundary",
    "conversation_reset",
    "permission_mode_changed",
    "model_changed",
    "title_changed",
    "trust_needed",
    "notice",
] | str
"""What about the session changed."""

McpServerState: TypeAlias = Literal[
    "connected",
    "failed",
    "needs-auth",
    "pending",
    "disabled",
] | str
"""The state of a connection to a server."""

CompactTrigger: TypeAlias = Literal[
    "manual",
    "auto",
] | str
"""Who asked for a summary."""

UserInputSource: TypeAlias = Literal[
    "client",
    "terminal",
    "agent",
] | str
"""Where an input came from."""

StopReason: TypeAlias = Literal[
    "end_turn",
    "tool_use",
    "max_tokens",
    "stop_sequence",
    "pause_turn",
    "refusal",
    "model_context_window_exceeded",
    "tool_deferred",
] | str
"""Why the model stopped."""

ErrorName: TypeAlias = Literal[
    "authentication_failed",
    "billing_error",
    "rate_limit",
    "invalid_request",
    "server_error",
    "unknown",
    "max_output_tokens",
    "oauth_org_not_allowed",
    "account_on_hold",
    "verification_required",
    "overloaded",
    "model_not_found",
    "cloud_credential_error",
] | str
"""Why a call of the model failed, in one word. It is on `assistant` frames that hold an error's text, on retries, and in the input of the hook that runs when a turn fails."""

ResultSubtype: TypeAlias = Literal[
    "success",
    "error_during_execution",
    "error_max_turns",
    "error_max_budget_usd",
    "error_max_structured_output_retries",
    "error",
] | str
"""How a turn ended, in the broadest terms."""

CostBasis: TypeAlias = Literal[
    "list",
    "managed",
    "unknown",
] | str
"""Which prices a cost was computed with."""

TerminalReason: TypeAlias = Literal[
    "completed",
    "aborted_streaming",
    "aborted_tools",
    "api_error",
    "max_turns",
    "budget_exhausted",
    "structured_output_retry_exhausted",
    "blocking_limit",
    "rapid_refill_breaker",
    "prompt_too_long",
    "image_error",
    "model_error",
    "malformed_tool_use_exhausted",
    "stop_hook_prevented",
    "hook_stopped",
    "tool_deferred",
    "tool_deferred_unavailable",
    "background_requested",
    "turn_setup_failed",
] | str
"""Why a turn ended."""

PermissionKind: TypeAlias = Literal[
    "permission",
    "question",
    "plan",
    "elicitation",
    "retry",
    "budget",
    "resend",
] | str
"""What is to be decided, and how."""

DecisionReasonType: TypeAlias = Literal[
    "rule",
    "mode",
    "subcommandResults",
    "permissionPromptTool",
    "hook",
    "asyncAgent",
    "sandboxOverride",
    "workingDir",
    "safetyCheck",
    "classifier",
    "other",
] | str
"""What made the agent ask."""

PermissionDecision: TypeAlias = Literal[
    "allowed",
    "allowed_always",
    "denied",
    "answered",
    "cancelled",
] | str
"""What was decided."""

OverLimitKind: TypeAlias = Literal[
    "hard_limit",
    "compaction_window",
] | str
"""Which limit was passed."""

ContextCategoryKind: TypeAlias = Literal[
    "used",
    "free",
    "buffer",
    "deferred",
] | str
"""What a part of the context is."""

Priority: TypeAlias = Literal[
    "now",
    "next",
    "later",
] | str
"""When a message that comes during a turn is served."""

PeerMode: TypeAlias = Literal[
    "bypass",
    "prompting",
] | str
"""Whether the sending agent asks for permission itself."""

NotificationSubkind: TypeAlias = Literal[
    "scheduled-trigger",
    "peer-send-message",
    "projects-relay",
    "session-inbox",
] | str
"""What sent a notification, if it was not a task of the session."""

ToolDecisionKind: TypeAlias = Literal[
    "accept",
    "reject",
] | str
"""Whether a tool call was let through."""

ApiKeySource: TypeAlias = Literal[
    "ANTHROPIC_API_KEY",
    "apiKeyHelper",
    "/login managed key",
    "none",
    "user",
    "project",
    "org",
    "temporary",
    "oauth",
] | str
"""Where the key for the model comes from."""

FastModeState: TypeAlias = Literal[
    "off",
    "cooldown",
    "on",
] | str
"""Whether answers come faster for more money."""

EffortLevel: TypeAlias = Literal[
    "low",
    "medium",
    "high",
    "xhigh",
    "max",
] | str
"""How hard a model thinks."""

ViewMode: TypeAlias = Literal[
    "focus",
    "default",
] | str
"""How much of the work a terminal shows."""

Capability: TypeAlias = Literal[
    "interrupt_receipt_v1",
    "interrupt_cancel_queued_v1",
    "interrupt_send_now_v1",
    "interrupt_requeue_taken_v1",
    "msg_lifecycle_v1",
    "lifecycle_wakeup_source_v1",
    "request_marker_lists_v1",
    "ask_user_question_unanswered_v1",
    "sdk_mcp_tools_list_changed",
    "sdk_mcp_manifests",
    "mcp_read_resource_v1",
    "mcp_tool_ui_meta_v1",
    "mcp_call_result_not_for_model_v1",
    "mcp_call_check_permissions_v1",
    "ui_surface_v1",
    "ui_pane_widget_v1",
    "voice_call_talk_line_v1",
    "withdrawn_files_note_v2",
    "reload_plugins_refuse_if_busy_v1",
    "queued_notifications",
] | str
"""Something a host can count on. An agent lists those that it honours, and a host looks here before it uses one."""

Status: TypeAlias = Literal[
    "compacting",
    "requesting",
] | str
"""What the agent does."""

CompactResult: TypeAlias = Literal[
    "success",
    "failed",
] | str
"""How a compaction ended."""

HookEvent: TypeAlias = Literal[
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "PermissionRequest",
    "PermissionDenied",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "SessionStart",
    "SessionEnd",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "PreModelSwitch",
    "PostModelSwitch",
    "Notification",
    "Setup",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "Elicitation",
    "ElicitationResult",
    "ConfigChange",
    "WorktreeCreate",
    "WorktreeRemove",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
    "DirectoryAdded",
    "MessageDisplay",
] | str
"""The points of a conversation at which hooks run."""

HookOutcome: TypeAlias = Literal[
    "success",
    "error",
    "cancelled",
] | str
"""How a hook ended."""

TaskState: TypeAlias = Literal[
    "pending",
    "running",
    "completed",
    "failed",
    "killed",
    "paused",
] | str
"""The state of a task."""

TaskEnd: TypeAlias = Literal[
    "completed",
    "failed",
    "stopped",
] | str
"""How a task ended."""

TaskEndReason: TypeAlias = Literal[
    "worker_restart",
] | str
"""What ended a task from outside."""

SessionState: TypeAlias = Literal[
    "idle",
    "running",
    "requires_action",
] | str
"""Whether a turn runs."""

WriteErrorCode: TypeAlias = Literal[
    "ENOSPC",
    "EDQUOT",
] | str
"""Why something could not be written."""

LostWrite: TypeAlias = Literal[
    "transcript",
    "global_config",
] | str
"""What could not be written."""

MemoryScope: TypeAlias = Literal[
    "personal",
    "team",
    "organization",
] | str
"""Whose memory it is."""

MemoryMode: TypeAlias = Literal[
    "select",
    "synthesize",
] | str
"""How memories were recalled."""

RequestProgress: TypeAlias = Literal[
    "started",
    "api_retry",
] | str
"""How far a control request is."""

FallbackTrigger: TypeAlias = Literal[
    "overloaded",
    "model_not_found",
] | str
"""Why a model could not be called."""

RefusalTrigger: TypeAlias = Literal[
    "refusal",
] | str
"""What made another model take over."""

RefusalDirection: TypeAlias = Literal[
    "retry",
    "revert",
    "sticky",
] | str
"""Which way the conversation changes models."""

RefusalScope: TypeAlias = Literal[
    "session",
    "local",
] | str
"""How far the change reaches."""

NoticeLevel: TypeAlias = Literal[
    "info",
    "notice",
    "suggestion",
    "warning",
] | str
"""How loud a notice is."""

NotificationPriority: TypeAlias = Literal[
    "low",
    "medium",
    "high",
    "immediate",
] | str
"""Which of several notifications is shown first."""

PluginInstallStatus: TypeAlias = Literal[
    "started",
    "installed",
    "failed",
    "completed",
] | str
"""How far the installation of plugins is."""

StartupFailureReason: TypeAlias = Literal[
    "org_pin_api_key_conflict",
    "provider_not_allowed",
    "org_verify_failed",
    "org_pin_mismatch",
    "managed_settings_invalid",
    "remote_settings_required_unavailable",
    "gateway_signin_required",
    "gateway_access_denied",
    "proxy_invalid",
    "temp_dir_unusable",
    "cwd_unavailable",
    "shell_tool_missing",
    "session_held_by_background",
    "worktree_resume_refused",
    "worktree_unverified",
    "cli_version_too_old",
    "bypass_root",
    "org_config_required_unavailable",
    "org_config_refused",
    "sandbox_required_unavailable",
    "initialize_not_first",
    "config_file_invalid",
    "managed_settings_not_delivered",
] | str
"""Why a process could not start."""

PromptSource: TypeAlias = Literal[
    "user",
    "sdk",
    "system",
    "loop_wakeup",
    "schedule_wakeup",
    "poll_event",
] | str
"""Who wrote a prompt."""

ExpansionType: TypeAlias = Literal[
    "slash_command",
    "mcp_prompt",
] | str
"""What was expanded."""

SessionStartSource: TypeAlias = Literal[
    "startup",
    "resume",
    "clear",
    "compact",
    "fork",
] | str
"""How a session began."""

SessionEndReason: TypeAlias = Literal[
    "clear",
    "resume",
    "logout",
    "prompt_input_exit",
    "other",
    "bypass_permissions_disabled",
] | str
"""Why a session ends."""

ModelSwitchSource: TypeAlias = Literal[
    "command",
    "picker",
    "sdk",
    "auto",
    "resume",
] | str
"""Who changed the model. The last two only after the fact."""

CacheLifetime: TypeAlias = Literal[
    "5m",
    "1h",
] | str
"""How long the prompt cache lives."""

ModelSwitchPricing: TypeAlias = Literal[
    "configured",
    "catalog",
    "default",
] | str
"""Where a price comes from."""

SetupTrigger: TypeAlias = Literal[
    "init",
    "maintenance",
] | str
"""Why a project is being set up."""

ElicitationMode: TypeAlias = Literal[
    "form",
    "url",
] | str
"""How an MCP server asks."""

ElicitationAction: TypeAlias = Literal[
    "accept",
    "decline",
    "cancel",
] | str
"""What the user did with an MCP server's question."""

ConfigSource: TypeAlias = Literal[
    "user_settings",
    "project_settings",
    "local_settings",
    "policy_settings",
    "skills",
] | str
"""What changed."""

MemoryType: TypeAlias = Literal[
    "User",
    "Project",
    "Local",
    "Managed",
] | str
"""Whose instructions a file holds."""

InstructionsLoadReason: TypeAlias = Literal[
    "session_start",
    "nested_traversal",
    "path_glob_match",
    "include",
    "compact",
] | str
"""Why a file of instructions was loaded."""

FileEvent: TypeAlias = Literal[
    "change",
    "add",
    "unlink",
] | str
"""What happened to a file."""

DirectorySource: TypeAlias = Literal[
    "slash_command",
    "register_repo_root",
] | str
"""Who added a directory."""

RateLimitStatus: TypeAlias = Literal[
    "allowed",
    "allowed_warning",
    "rejected",
] | str
"""Whether calls are let through."""

RateLimitType: TypeAlias = Literal[
    "five_hour",
    "seven_day",
    "seven_day_opus",
    "seven_day_sonnet",
    "seven_day_overage_included",
    "overage",
] | str
"""Which limit it is."""

OverageDisabledReason: TypeAlias = Literal[
    "overage_not_provisioned",
    "org_level_disabled",
    "org_level_disabled_until",
    "out_of_credits",
    "seat_tier_level_disabled",
    "member_level_disabled",
    "seat_tier_zero_credit_limit",
    "group_zero_credit_limit",
    "member_zero_credit_limit",
    "org_service_level_disabled",
    "no_limits_configured",
    "fetch_error",
    "unknown",
] | str
"""Why calls beyond the limit are not let through."""

LimitScope: TypeAlias = Literal[
    "service",
    "channel",
    "group_pool",
] | str
"""Whose limit it is."""

RateLimitErrorCode: TypeAlias = Literal[
    "credits_required",
] | str
"""What is needed to continue."""

ResetTrigger: TypeAlias = Literal[
    "clear",
    "plan_mode_exit",
    "fresh_session",
    "onboarding",
] | str
"""Why a conversation begins anew."""

CommandState: TypeAlias = Literal[
    "queued",
    "started",
    "completed",
    "cancelled",
    "discarded",
] | str
"""Where a message is on its way."""

WakeupSource: TypeAlias = Literal[
    "loop_wakeup",
    "schedule_wakeup",
] | str
"""What woke the agent up without a message from a person."""

SessionStatus: TypeAlias = Literal[
    "starting",
    "idle",
    "running",
    "waiting_approval",
    "compacting",
    "stopped",
    "failed",
    "unreachable",
] | str
"""The state of a session."""

PartialKind: TypeAlias = Literal[
    "text",
    "thinking",
    "tool_input",
] | str
"""What grows, and by which delta."""

BudgetState: TypeAlias = Literal[
    "ok",
    "near",
    "reached",
] | str
"""A session's cost compared with its budget."""

SessionSource: TypeAlias = Literal[
    "bridge",
    "terminal",
] | str
"""Where a session is from."""

InputState: TypeAlias = Literal[
    "queued",
    "sent",
    "done",
    "cancelled",
    "unconfirmed",
] | str
"""Where an input is on its way."""

EntryKind: TypeAlias = Literal[
    "directory",
    "file",
    "other",
] | str
"""What something in a folder is."""

FileEncodingName: TypeAlias = Literal[
    "text",
    "base64",
    "none",
] | str
"""How a file's content is given."""

FileChangeKind: TypeAlias = Literal[
    "added",
    "modified",
    "deleted",
    "renamed",
    "copied",
    "type_changed",
    "untracked",
    "conflicted",
] | str
"""In which way a file changed."""

TrustChange: TypeAlias = Literal[
    "unchanged",
    "added",
    "removed",
] | str
"""How something differs from what the user trusted before."""

ReadinessSubject: TypeAlias = Literal[
    "log",
    "listener",
    "disk",
] | str
"""What is checked."""


Start = TypedDict(
    "Start",
    {
        "type": 'Literal["start"]',
        # The working directory. It must be under one of the bridge's roots.
        "projectPath": 'str',
        # The session's id, a UUID. One that exists is resumed; so a start that is sent again starts nothing twice.
        "sessionId": 'NotRequired[str]',
        # Resume the folder's newest session, if it has one.
        "continue": 'NotRequired[bool]',
        "permissionMode": 'NotRequired[PermissionMode]',
        # One of the agents that `hello` lists; the default one if absent.
        "agent": 'NotRequired[str]',
        "model": 'NotRequired[str]',
        "title": 'NotRequired[str]',
        # What the session may cost before it pauses and asks.
        "budgetUsd": 'NotRequired[float]',
        # The first input.
        "text": 'NotRequired[str]',
        # Images of the first input.
        "images": 'NotRequired[list[InputImage]]',
        # Names the first input, as in `input`.
        "clientMessageId": 'NotRequired[str]',
        # The value of `confirmation_required`, in the repeated request.
        "confirm": 'NotRequired[str]',
        # Any string; the reply, or the error, repeats it.
        "requestId": 'NotRequired[str]',
    },
)
"""Start a session. `system` with `session_created` is sent to all clients; the agent itself starts with the first input, or at once where `text` is given."""


class InputImage(TypedDict):
    """An image that goes with an input."""

    mediaType: str
    """Such as `image/png`."""

    data: str
    """The bytes, in base64."""

    name: NotRequired[str]


class ResumeSession(TypedDict):
    """Resume a session: one that the bridge knows, or one that was started in a terminal. The agent starts with the next input."""

    type: Literal["resume_session"]

    sessionId: str

    projectPath: NotRequired[str]
    """The session's folder; needed only where two folders have a session of that id."""

    permissionMode: NotRequired[PermissionMode]

    agent: NotRequired[str]

    model: NotRequired[str]

    confirm: NotRequired[str]
    """The value of `confirmation_required`, in the repeated request."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class StopSession(TypedDict):
    """Stop a session's agent with its whole process group. The session can be resumed."""

    type: Literal["stop_session"]

    sessionId: str

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class SendInput(TypedDict):
    """Send an input to the agent. While a turn runs the input is queued."""

    type: Literal["input"]

    text: str
    """May be empty if there are images or blocks."""

    sessionId: NotRequired[str]
    """The session that this client used last if absent."""

    clientMessageId: NotRequired[str]
    """Names the input. An input that is sent again under the same name is acknowledged again and runs once."""

    images: NotRequired[list[InputImage]]
    """Images that go before the text."""

    blocks: NotRequired[list[ContentBlock]]
    """Documents and other blocks that go before the images."""

    priority: NotRequired[InputPriority]

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class TextBlock(TypedDict):
    """Text."""

    type: Literal["text"]

    text: str

    citations: NotRequired[list[Citation] | None]
    """Where the text's claims come from."""

    cache_control: NotRequired[CacheControl | None]


class CharLocation(TypedDict):
    """Characters of a plain-text document."""

    type: Literal["char_location"]

    cited_text: str

    document_index: NotRequired[float | None]

    document_title: NotRequired[str | None]

    start_char_index: NotRequired[float | None]

    end_char_index: NotRequired[float | None]
    """The character after the last."""

    file_id: NotRequired[str | None]


class PageLocation(TypedDict):
    """Pages of a PDF."""

    type: Literal["page_location"]

    cited_text: str

    document_index: NotRequired[float | None]

    document_title: NotRequired[str | None]

    start_page_number: NotRequired[float | None]
    """The first page is 1."""

    end_page_number: NotRequired[float | None]
    """The page after the last."""

    file_id: NotRequired[str | None]


class BlockLocation(TypedDict):
    """Blocks of a document that is made of blocks."""

    type: Literal["content_block_location"]

    cited_text: str

    document_index: NotRequired[float | None]

    document_title: NotRequired[str | None]

    start_block_index: NotRequired[float | None]

    end_block_index: NotRequired[float | None]
    """The block after the last."""

    file_id: NotRequired[str | None]


class WebSearchResultLocation(TypedDict):
    """A page that a web search found."""

    type: Literal["web_search_result_location"]

    cited_text: str

    url: NotRequired[str | None]

    title: NotRequired[str | None]

    encrypted_index: NotRequired[str | None]
    """To be sent back as it is."""


class SearchResultLocation(TypedDict):
    """Blocks of a `search_result` block."""

    type: Literal["search_result_location"]

    cited_text: str

    source: NotRequired[str | None]

    title: NotRequired[str | None]

    search_result_index: NotRequired[float | None]

    start_block_index: NotRequired[float | None]

    end_block_index: NotRequired[float | None]
    """The block after the last."""


class CacheControl(TypedDict):
    """A mark that lets the model's side keep the prompt up to here for the next call."""

    type: str
    """`ephemeral`."""

    ttl: NotRequired[str | None]
    """How long it is kept: `5m` or `1h`."""


class ThinkingBlock(TypedDict):
    """What the model thought before it answered. The signature must be sent back unchanged."""

    type: Literal["thinking"]

    thinking: str

    signature: NotRequired[str | None]


class RedactedThinkingBlock(TypedDict):
    """Thinking that may not be shown, to be sent back as it is."""

    type: Literal["redacted_thinking"]

    data: str


class ToolUseBlock(TypedDict):
    """A call of a tool, on this side (`tool_use`) or on the model's (`server_tool_use`)."""

    type: Literal["tool_use"]

    id: str

    name: str

    input: Any
    """The arguments. Empty in a stream's `content_block_start`: they follow as deltas."""

    cache_control: NotRequired[CacheControl | None]

    caller: NotRequired[ToolCaller | None]


class ToolUseBlockContentBlock(TypedDict):
    """A call of a tool, on this side (`tool_use`) or on the model's (`server_tool_use`)."""

    type: Literal["server_tool_use"]

    id: str

    name: str

    input: Any
    """The arguments. Empty in a stream's `content_block_start`: they follow as deltas."""

    cache_control: NotRequired[CacheControl | None]

    caller: NotRequired[ToolCaller | None]


class ToolCaller(TypedDict):
    """Who called a tool: the model itself (`direct`), or code that the model runs."""

    type: str

    tool_id: NotRequired[str | None]
    """The call whose code made this one."""


class ToolResultBlock(TypedDict):
    """What a tool gave back."""

    type: Literal["tool_result"]

    tool_use_id: str

    content: NotRequired[str | list[ContentBlock] | None]
    """A string or blocks; text and images mostly."""

    is_error: NotRequired[bool | None]

    cache_control: NotRequired[CacheControl | None]


class ToolResultBlockContentBlock(TypedDict):
    """What a tool gave back."""

    type: Literal["mcp_tool_result"]

    tool_use_id: str

    content: NotRequired[str | list[ContentBlock] | None]
    """A string or blocks; text and images mostly."""

    is_error: NotRequired[bool | None]

    cache_control: NotRequired[CacheControl | None]


class MediaBlock(TypedDict):
    """An image or a document."""

    type: Literal["image"]

    source: MediaSource

    title: NotRequired[str | None]

    context: NotRequired[str | None]
    """What the model should know about the document beside its text."""

    citations: NotRequired[CitationsSwitch | None]

    cache_control: NotRequired[CacheControl | None]


class MediaBlockContentBlock(TypedDict):
    """An image or a document."""

    type: Literal["document"]

    source: MediaSource

    title: NotRequired[str | None]

    context: NotRequired[str | None]
    """What the model should know about the document beside its text."""

    citations: NotRequired[CitationsSwitch | None]

    cache_control: NotRequired[CacheControl | None]


class Base64Source(TypedDict):
    """Bytes in the frame itself."""

    type: Literal["base64"]

    data: str

    media_type: NotRequired[str | None]


class UrlSource(TypedDict):
    """Bytes elsewhere."""

    type: Literal["url"]

    url: str


class TextSource(TypedDict):
    """A document that is plain text."""

    type: Literal["text"]

    data: str

    media_type: NotRequired[str | None]


class ContentSource(TypedDict):
    """A document made of blocks."""

    type: Literal["content"]

    content: str | list[ContentBlock]


class FileSource(TypedDict):
    """A file that was uploaded before."""

    type: Literal["file"]

    file_id: str


class CitationsSwitch(TypedDict):
    """Whether the model may cite from a document or a search result."""

    enabled: NotRequired[bool | None]


class ServerToolResultBlock(TypedDict):
    """What a tool on the model's side gave back. The content's shape is the tool's."""

    type: Literal["web_search_tool_result"]

    tool_use_id: str

    content: Any

    cache_control: NotRequired[CacheControl | None]

    caller: NotRequired[ToolCaller | None]


class ServerToolResultBlockContentBlock(TypedDict):
    """What a tool on the model's side gave back. The content's shape is the tool's."""

    type: Literal["web_fetch_tool_result"]

    tool_use_id: str

    content: Any

    cache_control: NotRequired[CacheControl | None]

    caller: NotRequired[ToolCaller | None]


class ServerToolResultBlockContentBlockCodeExecutionToolResult(TypedDict):
    """What a tool on the model's side gave back. The content's shape is the tool's."""

    type: Literal["code_execution_tool_result"]

    tool_use_id: str

    content: Any

    cache_control: NotRequired[CacheControl | None]

    caller: NotRequired[ToolCaller | None]


class ServerToolResultBlockContentBlockAdvisorToolResult(TypedDict):
    """What a tool on the model's side gave back. The content's shape is the tool's."""

    type: Literal["advisor_tool_result"]

    tool_use_id: str

    content: Any

    cache_control: NotRequired[CacheControl | None]

    caller: NotRequired[ToolCaller | None]


class McpToolUseBlock(TypedDict):
    """A call of a tool of an MCP server that the model's side is connected to."""

    type: Literal["mcp_tool_use"]

    id: str

    name: str

    input: Any

    server_name: NotRequired[str | None]

    cache_control: NotRequired[CacheControl | None]


class ContainerUploadBlock(TypedDict):
    """A file put into the model's container."""

    type: Literal["container_upload"]

    file_id: str

    cache_control: NotRequired[CacheControl | None]


class SearchResultBlock(TypedDict):
    """A passage that a search found, to be cited."""

    type: Literal["search_result"]

    source: str
    """Where the passage is from; an address mostly."""

    title: str

    content: str | list[ContentBlock]

    citations: NotRequired[CitationsSwitch | None]

    cache_control: NotRequired[CacheControl | None]


class ToolReferenceBlock(TypedDict):
    """A tool that a tool search found. From here on the model may call it."""

    type: Literal["tool_reference"]

    tool_name: str

    cache_control: NotRequired[CacheControl | None]


FallbackBlock = TypedDict(
    "FallbackBlock",
    {
        "type": 'Literal["fallback"]',
        "from": 'NotRequired[Any]',
        "to": 'NotRequired[Any]',
    },
)
"""A note that another model took over."""


class Interrupt(TypedDict):
    """Stop the running turn. The agent is asked; with `hard` it is ended and resumed."""

    type: Literal["interrupt"]

    sessionId: NotRequired[str]

    hard: NotRequired[bool]

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class Approve(TypedDict):
    """Allow what a `permission_request` asks for, this once."""

    type: Literal["approve"]

    id: str
    """The request's `id`, or its `toolUseId` where no other request has the same."""

    sessionId: NotRequired[str]
    """The request's. A request of another session is not decided."""

    inputHash: NotRequired[str]
    """The request's `inputHash`. If it is given and is not that of the pending input, nothing is decided."""

    updatedInput: NotRequired[Any]
    """The input to run with instead."""

    mode: NotRequired[PermissionMode]
    """The mode to enter, where a plan is approved."""

    budgetUsd: NotRequired[float]
    """The session's new budget, where the request is about that; as much again as before if absent."""

    confirm: NotRequired[str]
    """The value of `confirmation_required`, in the repeated request."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class ApproveAlways(TypedDict):
    """Allow what a `permission_request` asks for, and the like of it from now on. Without `rules` and `updates` the narrowest suggestion is used."""

    type: Literal["approve_always"]

    id: str
    """The request's `id`, or its `toolUseId` where no other request has the same."""

    sessionId: NotRequired[str]
    """The request's. A request of another session is not decided."""

    inputHash: NotRequired[str]
    """The request's `inputHash`. If it is given and is not that of the pending input, nothing is decided."""

    updatedInput: NotRequired[Any]
    """The input to run with instead."""

    rules: NotRequired[list[str]]
    """The rules to add, as people write them: `Bash(npm test)`."""

    destination: NotRequired[Destination]
    """Where the rules live: `session`, `localSettings`, `projectSettings` or `userSettings`; for the session if absent."""

    updates: NotRequired[list[PermissionUpdate]]
    """The exact updates to make, such as some of the request's `suggestions`; `rules` and `destination` count no more then."""

    confirm: NotRequired[str]
    """The value of `confirmation_required`, in the repeated request."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class RulesUpdate(TypedDict):
    """Rules to add, to remove, or to put in place of all others of the same behaviour and destination."""

    type: Literal["addRules"]

    rules: list[RuleValue]

    behavior: NotRequired[RuleBehavior | None]

    destination: NotRequired[Destination | None]


class RulesUpdatePermissionUpdate(TypedDict):
    """Rules to add, to remove, or to put in place of all others of the same behaviour and destination."""

    type: Literal["replaceRules"]

    rules: list[RuleValue]

    behavior: NotRequired[RuleBehavior | None]

    destination: NotRequired[Destination | None]


class RulesUpdatePermissionUpdateRemoveRules(TypedDict):
    """Rules to add, to remove, or to put in place of all others of the same behaviour and destination."""

    type: Literal["removeRules"]

    rules: list[RuleValue]

    behavior: NotRequired[RuleBehavior | None]

    destination: NotRequired[Destination | None]


class RuleValue(TypedDict):
    """A rule: a tool, and which of its calls. `Bash(git log:*)` is the tool `Bash` with the content `git log:*`."""

    toolName: str

    ruleContent: NotRequired[str | None]
    """Which calls; all of them if absent."""


class ModeUpdate(TypedDict):
    """A mode to enter."""

    type: Literal["setMode"]

    mode: PermissionMode

    destination: NotRequired[Destination | None]


class DirectoriesUpdate(TypedDict):
    """Directories that become working directories, or stop being so."""

    type: Literal["addDirectories"]

    directories: list[str]

    destination: NotRequired[Destination | None]


class DirectoriesUpdatePermissionUpdate(TypedDict):
    """Directories that become working directories, or stop being so."""

    type: Literal["removeDirectories"]

    directories: list[str]

    destination: NotRequired[Destination | None]


class Reject(TypedDict):
    """Don't allow what a `permission_request` asks for."""

    type: Literal["reject"]

    id: str
    """The request's `id`, or its `toolUseId` where no other request has the same."""

    message: NotRequired[str]
    """What the model receives."""

    sessionId: NotRequired[str]
    """The request's. A request of another session is not decided."""

    inputHash: NotRequired[str]
    """The request's `inputHash`. If it is given and is not that of the pending input, nothing is decided."""

    interrupt: NotRequired[bool]
    """Whether the turn ends as well."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class AnswerQuestion(TypedDict):
    """Answer a `permission_request` that is a question or an elicitation. One of `result`, `answers` and `content` is needed."""

    type: Literal["answer"]

    toolUseId: str
    """The request's `id`, or its `toolUseId` where no other request has the same."""

    result: NotRequired[str]
    """The answer to the only question, or an object with `answers` as JSON text."""

    sessionId: NotRequired[str]
    """The request's. A request of another session is not decided."""

    inputHash: NotRequired[str]
    """The request's `inputHash`. If it is given and is not that of the pending input, nothing is decided."""

    answers: NotRequired[dict[str, str | list[str]]]
    """By the question's text: the chosen label, several joined with `, `, or the user's own words."""

    annotations: NotRequired[dict[str, AnswerAnnotation]]
    """By the question's text."""

    content: NotRequired[Any]
    """What was filled into an elicitation's form. `reject` declines it."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class AnswerAnnotation(TypedDict):
    """What belongs to an answer beside the answer."""

    preview: NotRequired[str | None]
    """The preview of the option that was chosen."""

    notes: NotRequired[str | None]

    unanswered: NotRequired[Unanswered | None]


class UpdateQueuedInput(TypedDict):
    """Change an input that waits in the queue."""

    type: Literal["update_queued_input"]

    sessionId: str

    inputId: str
    """The `id` in `queue`, or the input's `clientMessageId`."""

    text: str

    images: NotRequired[list[InputImage]]
    """The images that it has from now on; those it had if absent."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class CancelQueuedInput(TypedDict):
    """Take an input out of the queue."""

    type: Literal["cancel_queued_input"]

    sessionId: str

    inputId: str
    """The `id` in `queue`, or the input's `clientMessageId`."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class MoveQueuedInput(TypedDict):
    """Move an input to another place in the queue."""

    type: Literal["move_queued_input"]

    sessionId: str

    inputId: str
    """The `id` in `queue`, or the input's `clientMessageId`."""

    position: int
    """The place, from 0; beyond the end means last."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class SendQueuedInput(TypedDict):
    """Give the agent a queued input now."""

    type: Literal["send_queued_input"]

    sessionId: str

    inputId: str
    """The `id` in `queue`, or the input's `clientMessageId`."""

    priority: NotRequired[InputPriority]
    """How: `interrupt` if absent, or `steer`."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class Subscribe(TypedDict):
    """Subscribe to this session: what was stored since, then everything as it happens. A client that has subscriptions receives those sessions and the ones it starts; one that has none receives all."""

    type: Literal["subscribe"]

    sessionId: str

    sinceSeq: NotRequired[int]
    """The newest sequence number that the client has; 0 for everything. If absent, stored messages come only as far as `limit` asks for them."""

    limit: NotRequired[int]
    """At most this many stored messages, the newest."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class Unsubscribe(TypedDict):
    """Unsubscribe from this session."""

    type: Literal["unsubscribe"]

    sessionId: str

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class GetHistory(TypedDict):
    """Give stored messages: the newest, those before a place, or those after one."""

    type: Literal["get_history"]

    sessionId: str

    beforeSeq: NotRequired[int]
    """Only messages with a smaller number; the newest of them."""

    sinceSeq: NotRequired[int]
    """Only messages with a larger number; the oldest of them."""

    limit: NotRequired[int]
    """At most this many. The bridge may give fewer: then `more` is set."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class GetSession(TypedDict):
    """Get the state of one session: its open requests and its queue."""

    type: Literal["get_session"]

    sessionId: str

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class ListSessions(TypedDict):
    """List the sessions that the bridge holds: those that run, wait or idle."""

    type: Literal["list_sessions"]

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class ListRecentSessions(TypedDict):
    """List sessions of all times, newest first: the bridge's own, and those that were started in a terminal."""

    type: Literal["list_recent_sessions"]

    limit: NotRequired[int]
    """At most this many; 50 if absent."""

    offset: NotRequired[int]
    """How many to pass over."""

    projectPath: NotRequired[str]
    """Only sessions of this folder."""

    query: NotRequired[str]
    """Only sessions whose title, folder or first prompt has this in it."""

    archived: NotRequired[bool]
    """Whether to list archived ones too."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class Search(TypedDict):
    """Search the text of all sessions."""

    type: Literal["search"]

    query: str
    """Words that all have to occur; `\"in quotes\"` in this order; a last `*` for any ending."""

    limit: NotRequired[int]
    """At most this many hits; 20 if absent."""

    offset: NotRequired[int]
    """How many to pass over."""

    projectPath: NotRequired[str]
    """Only sessions of this folder."""

    sessionId: NotRequired[str]
    """Only this session."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class SetPermissionMode(TypedDict):
    """Change how tool calls that no rule decides are treated."""

    type: Literal["set_permission_mode"]

    mode: PermissionMode

    sessionId: NotRequired[str]

    confirm: NotRequired[str]
    """The value of `confirmation_required`, in the repeated request."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class SetModel(TypedDict):
    """Change the model."""

    type: Literal["set_model"]

    model: str

    sessionId: NotRequired[str]

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class SetBudget(TypedDict):
    """Change what a session may cost before it pauses and asks."""

    type: Literal["set_budget"]

    sessionId: str

    budgetUsd: NotRequired[float]
    """For the whole session, in US dollars; no limit if absent or `null`."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class RenameSession(TypedDict):
    """Name a session."""

    type: Literal["rename_session"]

    sessionId: str

    title: str
    """Empty for the title that the bridge makes from the first prompt."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class ArchiveSession(TypedDict):
    """Take a session out of the lists, or put it back. Nothing is deleted."""

    type: Literal["archive_session"]

    sessionId: str

    archived: NotRequired[bool]
    """`false` puts it back."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class DeleteSession(TypedDict):
    """Delete a session from the log for good. It is stopped first. The agent's own transcript stays, and is listed no more."""

    type: Literal["delete_session"]

    sessionId: str

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class ExpireSession(TypedDict):
    """Delete a session that has ended: no agent runs, no input waits, nothing is to be decided, and no client has it open. Otherwise it stays, and the error is `session_conflict`. Nothing is stopped."""

    type: Literal["expire_session"]

    sessionId: str

    before: int
    """A session with a newer message stays. In milliseconds since 1970, such as `updatedAt` of the session."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class ExportSession(TypedDict):
    """Give a whole session as a document."""

    type: Literal["export_session"]

    sessionId: str

    format: ExportFormat

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class GetContext(TypedDict):
    """Return what fills the agent's context."""

    type: Literal["get_context"]

    sessionId: NotRequired[str]

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class ListMcpServers(TypedDict):
    """List the MCP servers of a session's agent."""

    type: Literal["list_mcp_servers"]

    sessionId: str

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class SignInMcpServer(TypedDict):
    """Begin to sign in to an MCP server: the reply has the page that the user opens. If the browser runs on the agent's machine, it ends the sign-in by itself."""

    type: Literal["sign_in_mcp_server"]

    sessionId: str

    server: str

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class FinishMcpSignIn(TypedDict):
    """End a sign-in from another machine: the last page does not load there, and its address is what the agent needs."""

    type: Literal["finish_mcp_sign_in"]

    sessionId: str

    server: str

    callbackUrl: str
    """The address of the page that the browser ended on."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class SignOutMcpServer(TypedDict):
    """Sign out of an MCP server: its tokens are revoked and deleted."""

    type: Literal["sign_out_mcp_server"]

    sessionId: str

    server: str

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class ListAgents(TypedDict):
    """List the agents that a session can be started with."""

    type: Literal["list_agents"]

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class ListCommands(TypedDict):
    """List slash commands, for completion."""

    type: Literal["list_commands"]

    sessionId: NotRequired[str]

    projectPath: NotRequired[str]
    """The folder, if there is no session yet."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class ListModels(TypedDict):
    """List the models that a session can use."""

    type: Literal["list_models"]

    sessionId: NotRequired[str]

    agent: NotRequired[str]
    """The agent, if there is no session yet."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class ListDirectory(TypedDict):
    """List a folder, to choose a project. It must be under one of the bridge's roots."""

    type: Literal["list_directory"]

    path: NotRequired[str]
    """The roots if absent."""

    hidden: NotRequired[bool]
    """Whether to list names that begin with a dot."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class ListFiles(TypedDict):
    """Find files of a project by parts of their names, best first. What git ignores is left out."""

    type: Literal["list_files"]

    sessionId: NotRequired[str]

    projectPath: NotRequired[str]
    """The folder, if there is no session yet."""

    query: NotRequired[str]
    """Letters of the path, in order; all files if absent."""

    limit: NotRequired[int]
    """At most this many; 50 if absent."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class ReadFile(TypedDict):
    """Read a file of a project."""

    type: Literal["read_file"]

    path: str
    """Absolute, or from the project's folder."""

    sessionId: NotRequired[str]

    projectPath: NotRequired[str]
    """The folder, if there is no session."""

    line: NotRequired[int]
    """The first line to give, from 1."""

    limit: NotRequired[int]
    """At most this many lines."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class GetDiff(TypedDict):
    """What changed in a project's working tree since the last commit."""

    type: Literal["get_diff"]

    sessionId: NotRequired[str]

    projectPath: NotRequired[str]
    """The folder, if there is no session."""

    staged: NotRequired[bool]
    """What is staged, instead of all that changed."""

    path: NotRequired[str]
    """Only this file or folder."""

    context: NotRequired[int]
    """How many unchanged lines to show around a change; 3 if absent."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class GetGitStatus(TypedDict):
    """The branch of a project, and which files changed."""

    type: Literal["get_git_status"]

    sessionId: NotRequired[str]

    projectPath: NotRequired[str]
    """The folder, if there is no session."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class GetTrust(TypedDict):
    """List what a folder provides that changes what agents do there, such as hooks, allow rules, variables and MCP servers, and whether the user trusts it."""

    type: Literal["get_trust"]

    projectPath: str
    """The folder. It must be under one of the bridge's roots."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class TrustFolder(TypedDict):
    """Trust what a folder provides. Agents that start there from now on use it; those that run continue without it."""

    type: Literal["trust_folder"]

    projectPath: str
    """The folder. It must be under one of the bridge's roots."""

    digest: str
    """The digest of the `trust` that was shown. `trust_changed` is the error if the folder provides something else by now."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class DistrustFolder(TypedDict):
    """Stop trusting what a folder provides. Agents that start there from now on leave it out."""

    type: Literal["distrust_folder"]

    projectPath: str
    """The folder. It must be under one of the bridge's roots."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class GetStatus(TypedDict):
    """Return the state of the bridge: whether it works, what waits, and what it uses."""

    type: Literal["get_status"]

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class GetStderr(TypedDict):
    """Return what a session's agent wrote to its stderr."""

    type: Literal["get_stderr"]

    sessionId: str

    run: NotRequired[str]
    """The `run` of the reply that `sinceOffset` is from: with another one, all lines of the agent are returned."""

    sinceOffset: NotRequired[int]
    """The `nextOffset` of the last reply."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


GetUsage = TypedDict(
    "GetUsage",
    {
        "type": 'Literal["get_usage"]',
        # The first day, as `2026-01-31`; 30 days ago if absent.
        "from": 'NotRequired[str]',
        # The last day; today if absent.
        "to": 'NotRequired[str]',
        # Only sessions of this folder.
        "projectPath": 'NotRequired[str]',
        # Only this session.
        "sessionId": 'NotRequired[str]',
        # Any string; the reply, or the error, repeats it.
        "requestId": 'NotRequired[str]',
    },
)
"""Return the usage by day, project and model."""


class ListDevices(TypedDict):
    """List the devices that have access."""

    type: Literal["list_devices"]

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class RevokeDevice(TypedDict):
    """Revoke a device. Its connections end at once."""

    type: Literal["revoke_device"]

    deviceId: str

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class RenameDevice(TypedDict):
    """Rename a device. From its next connection on, its actions have the new name."""

    type: Literal["rename_device"]

    deviceId: str

    name: str
    """At most 80 characters of it are kept."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class PairDevice(TypedDict):
    """Make a link that lets one more device in: once, and soon."""

    type: Literal["pair_device"]

    name: NotRequired[str]
    """What to call the device."""

    scope: NotRequired[AccessScope]
    """What the device may do: `operate` if absent. Not more than the credential that asks."""

    expiresAt: NotRequired[int]
    """When its access ends, in milliseconds since 1970; with that of the credential that asks if absent."""

    root: NotRequired[str]
    """The folder that it is limited to: it sees and starts sessions there only. That of the credential that asks if absent."""

    confirm: NotRequired[str]
    """The value of `confirmation_required`, in the repeated request."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class SubscribePush(TypedDict):
    """Notify this device, by Web Push, when a session needs a user or is done."""

    type: Literal["subscribe_push"]

    endpoint: str

    keys: PushKeys

    content: NotRequired[bool]
    """Whether a notification may hold the session's title and its text. Without it, a notification only reports that a session waits, is done or has failed."""

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class PushKeys(TypedDict):
    """The keys of a push subscription, as the browser gives them."""

    p256dh: str

    auth: str


class UnsubscribePush(TypedDict):
    """Notify this device no more."""

    type: Literal["unsubscribe_push"]

    endpoint: str

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class TestPush(TypedDict):
    """Send this device a notification now."""

    type: Literal["test_push"]

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class PingMessage(TypedDict):
    """Check the connection. `pong` is the answer."""

    type: Literal["ping"]

    requestId: NotRequired[str]
    """Any string; the reply, or the error, repeats it."""


class Hello(TypedDict):
    """The first message of every connection."""

    type: Literal["hello"]

    version: str
    """The bridge's version."""

    protocol: int
    """The version of this API. Additions don't change it."""

    serverId: str
    """The store's id. When it changes, what a client remembers of sequence numbers means nothing."""

    time: int
    """The bridge's clock, in milliseconds since 1970."""

    device: DeviceInfo
    """Who the bridge takes this client for."""

    agents: list[AgentChoice]

    defaultAgent: str

    roots: list[str]
    """The folders under which projects may be."""

    permissionModes: list[PermissionMode]

    features: list[Feature]

    limits: Limits

    host: NotRequired[str]
    """The name of the machine."""

    pushKey: NotRequired[str]
    """The key that a browser needs to subscribe to notifications."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class DeviceInfo(TypedDict):
    """A device or program that has access."""

    deviceId: str

    name: str

    kind: ActorKind

    createdAt: NotRequired[int]
    """When it was paired, in milliseconds since 1970."""

    seenAt: NotRequired[int]
    """When it was last seen, in milliseconds since 1970."""

    connections: NotRequired[int]
    """How many connections it has now."""

    current: NotRequired[bool]
    """Whether it is the one that asks."""

    push: NotRequired[bool]
    """Whether it gets notifications."""

    credential: NotRequired[CredentialKind]
    """How it proves who it is."""

    scope: NotRequired[AccessScope]
    """What it may do."""

    expiresAt: NotRequired[int]
    """When its access ends, in milliseconds since 1970; never if absent."""

    root: NotRequired[str]
    """The folder that it is limited to; none if absent."""


class AgentChoice(TypedDict):
    """An agent that a session can be started with."""

    name: str
    """What `start` takes."""

    available: bool
    """Whether its program was found."""

    label: NotRequired[str]
    """For people."""

    program: NotRequired[str]

    version: NotRequired[str]

    problem: NotRequired[str]
    """Why it can't be used, and what to do about it."""

    needsTrust: NotRequired[bool]
    """Whether it can't start in a folder that provides something that the user does not trust. Others leave that out."""


class Limits(TypedDict):
    """What a client may send."""

    messageBytes: int
    """Bytes of one message."""

    queuedInputs: int
    """Inputs that can wait in one session's queue."""

    historyPage: int
    """Messages in one page of history."""


class Done(TypedDict):
    """It is done. The reply to a request that has no other, sent where the request had a `requestId`."""

    type: Literal["ok"]

    sessionId: NotRequired[str]
    """The session that was started, resumed or changed."""

    seq: NotRequired[int]
    """The newest number of the session's sequence then."""

    trust: NotRequired[TrustState]
    """For a session that was started or resumed: set if the agent leaves out what the folder provides, because the user has not trusted that."""

    unsaved: NotRequired[str]
    """Set if it is in effect but could not be saved yet, such as on a full disk: why. The bridge keeps trying to save it; if it ends before that works, it is lost."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class ErrorReply(TypedDict):
    """Something went wrong. With a `requestId`, or right after a request without one, it is the answer to it."""

    type: Literal["error"]

    code: ErrorCode

    message: str
    """What is wrong and what to do, for people."""

    sessionId: NotRequired[str]

    member: NotRequired[str]
    """The member of the request that is wrong, as a path: `images[0].data`."""

    clientMessageId: NotRequired[str]
    """The input, where one was refused."""

    stderr: NotRequired[str]
    """The end of what the agent wrote to stderr."""

    retryAfterMs: NotRequired[int]
    """After how many milliseconds it is worth another try."""

    scope: NotRequired[AccessScope]
    """The scope that the request needs, where the credential has less."""

    confirm: NotRequired[str]
    """What to repeat the request with, as `confirm`, where it has to be confirmed."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class PongMessage(TypedDict):
    """The answer to `ping`."""

    type: Literal["pong"]

    time: int
    """The bridge's clock, in milliseconds since 1970."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class SystemNote(TypedDict):
    """Something about the session changed. Which members there are depends on `subtype`."""

    type: Literal["system"]

    subtype: SystemSubtype

    by: NotRequired[Actor]
    """Who changed it."""

    model: NotRequired[str]

    permissionMode: NotRequired[PermissionMode]

    title: NotRequired[str]

    agent: NotRequired[str]
    """The agent's name, as in `hello`."""

    agentVersion: NotRequired[str]

    agentSessionId: NotRequired[str]
    """The agent's own id of the conversation, where it is another than `sessionId`."""

    projectPath: NotRequired[str]

    tools: NotRequired[list[str]]
    """The tools that the model may call."""

    mcpServers: NotRequired[list[InitMcpServer]]

    slashCommands: NotRequired[list[str]]
    """Commands without their slash."""

    agents: NotRequired[list[str]]
    """Kinds of subagents."""

    skills: NotRequired[list[str]]

    message: NotRequired[str]
    """For people."""

    exitCode: NotRequired[float]

    signal: NotRequired[str]
    """The signal that ended the agent, such as `SIGKILL`."""

    stderr: NotRequired[str]
    """The end of what the agent wrote to stderr."""

    expected: NotRequired[bool]
    """Whether the end was requested."""

    trigger: NotRequired[CompactTrigger]
    """What made the conversation be compacted."""

    preTokens: NotRequired[float]
    """The context's size before compaction."""

    postTokens: NotRequired[float]
    """The context's size after compaction."""

    meta: NotRequired[Any]
    """The other members of the agent's frame, unchanged."""

    sessionId: str

    seq: int
    """The place in the session's sequence, from 1, without gaps."""

    time: int
    """When it was stored, in milliseconds since 1970."""


class Actor(TypedDict):
    """Who did something."""

    kind: ActorKind

    deviceId: NotRequired[str]

    name: NotRequired[str]
    """The device's name."""


class InitMcpServer(TypedDict):
    """An MCP server of the session."""

    name: str

    status: NotRequired[McpServerState | None]

    source: NotRequired[str | None]
    """Where the server comes from, such as `sdk` for one that lives in the host."""


class UserInput(TypedDict):
    """An input to the agent. It is sent when the agent gets it: until then it is in `queue`."""

    type: Literal["user_input"]

    text: str

    id: str
    """The input's id."""

    clientMessageId: NotRequired[str]

    images: NotRequired[list[ImageContent]]

    blocks: NotRequired[list[ContentBlock]]
    """Other blocks that came with it."""

    by: NotRequired[Actor]
    """The sender."""

    source: UserInputSource

    priority: NotRequired[InputPriority]

    parentToolUseId: NotRequired[str]
    """The call of the subagent that received it; absent in the main conversation."""

    sessionId: str

    seq: int
    """The place in the session's sequence, from 1, without gaps."""

    time: int
    """When it was stored, in milliseconds since 1970."""


class ImageContent(TypedDict):
    """An image: its bytes, or where to get them."""

    mediaType: str
    """Such as `image/png`."""

    data: NotRequired[str]
    """The bytes, in base64."""

    url: NotRequired[str]
    """A path on this bridge that gives the bytes."""

    name: NotRequired[str]


class Assistant(TypedDict):
    """A finished part of the model's answer. Parts of one answer share `message.id`, in order."""

    type: Literal["assistant"]

    message: AssistantMessage

    parentToolUseId: NotRequired[str]
    """The tool call that started the subagent; absent in the main conversation."""

    index: NotRequired[int]
    """The place of the first block here among the answer's blocks. Deltas with that `index` are replaced by it."""

    uuid: NotRequired[str]
    """The agent's id of this part."""

    supersedes: NotRequired[list[str]]
    """Parts, by `uuid`, that this one replaces."""

    error: NotRequired[ErrorName]
    """Set where the text is an error and no answer."""

    aborted: NotRequired[bool]
    """Whether an interruption cut it off."""

    meta: NotRequired[Any]
    """The other members of the agent's frame, unchanged."""

    sessionId: str

    seq: int
    """The place in the session's sequence, from 1, without gaps."""

    time: int
    """When it was stored, in milliseconds since 1970."""


class AssistantMessage(TypedDict):
    """A message of the model. In the reference's `assistant` frames it holds one block, and several frames share one `id`."""

    content: list[ContentBlock]

    id: NotRequired[str | None]

    type: NotRequired[str | None]
    """`message`."""

    role: NotRequired[str | None]

    model: NotRequired[str | None]
    """`<synthetic>` where no model was asked."""

    stop_reason: NotRequired[StopReason | None]
    """`null` until the message ends: in `assistant` frames of a model's answer it stays `null`."""

    stop_sequence: NotRequired[str | None]

    usage: NotRequired[Usage | None]
    """The opening usage, whose output tokens are not final; the final one is on `result`."""

    context_management: NotRequired[Any]
    """`null` in every complete message seen so far; absent in a stream's opening one."""

    container: NotRequired[Container | None]

    stop_details: NotRequired[Any]

    diagnostics: NotRequired[Any]


class Usage(TypedDict):
    """Tokens of one model call or one turn. On synthetic messages many members are `null`; at the end of a stream often only the output tokens are reported."""

    input_tokens: NotRequired[float | None]

    output_tokens: NotRequired[float | None]

    cache_creation_input_tokens: NotRequired[float | None]

    cache_read_input_tokens: NotRequired[float | None]

    cache_creation: NotRequired[CacheCreation | None]

    server_tool_use: NotRequired[ServerToolUsage | None]

    service_tier: NotRequired[str | None]
    """Such as `standard`."""

    inference_geo: NotRequired[str | None]

    iterations: NotRequired[list[Any] | None]
    """One entry for each call of the model that the numbers add up."""

    speed: NotRequired[str | None]
    """Such as `standard`."""

    output_tokens_details: NotRequired[OutputTokensDetails | None]

    fallback_credit: NotRequired[Any]


class CacheCreation(TypedDict):
    """Tokens written to the prompt cache, by how long they live there."""

    ephemeral_5m_input_tokens: NotRequired[float | None]

    ephemeral_1h_input_tokens: NotRequired[float | None]


class ServerToolUsage(TypedDict):
    """Calls of tools that ran on the model's side."""

    web_search_requests: NotRequired[float | None]

    web_fetch_requests: NotRequired[float | None]


class OutputTokensDetails(TypedDict):
    """A breakdown of the output tokens."""

    thinking_tokens: NotRequired[float | None]


class Container(TypedDict):
    """The sandbox on the model's side in which its code runs."""

    id: str

    expires_at: NotRequired[str | None]

    skills: NotRequired[list[Any] | None]


class ToolOutput(TypedDict):
    """What a tool gave back. Every result of a message comes on its own, in order."""

    type: Literal["tool_result"]

    toolUseId: str

    content: str
    """The text of the result."""

    toolName: NotRequired[str]

    images: NotRequired[list[ImageContent]]

    isError: NotRequired[bool]

    parentToolUseId: NotRequired[str]
    """The call of the subagent that used the tool; absent in the main conversation."""

    structured: NotRequired[Any]
    """The result with its structure, as the tool has it."""

    blocks: NotRequired[list[ContentBlock]]
    """The result as it came, where text and images alone would lose something of it."""

    uuid: NotRequired[str]
    """The agent's id of the frame."""

    meta: NotRequired[Any]
    """The other members of the agent's frame, unchanged."""

    sessionId: str

    seq: int
    """The place in the session's sequence, from 1, without gaps."""

    time: int
    """When it was stored, in milliseconds since 1970."""


class TurnResult(TypedDict):
    """The end of a turn."""

    type: Literal["result"]

    subtype: ResultSubtype
    """`success`, or how it ended instead. `isError` is true if it failed."""

    isError: bool

    result: NotRequired[str]
    """The last text of the turn."""

    error: NotRequired[str]
    """What went wrong."""

    cost: NotRequired[float]
    """What the turn cost, in US dollars."""

    duration: NotRequired[float]
    """How long the turn took, in milliseconds."""

    durationApi: NotRequired[float]
    """How much of that the model took."""

    totalCost: NotRequired[float]
    """What the session has cost so far, in US dollars."""

    numTurns: NotRequired[float]
    """How often the model was asked."""

    usage: NotRequired[Usage]

    modelUsage: NotRequired[dict[str, ModelUsage]]
    """What each model has used since the agent's process started."""

    permissionDenials: NotRequired[list[PermissionDenial]]
    """Tool calls that were not allowed."""

    interrupted: NotRequired[bool]
    """Whether the turn was interrupted."""

    terminalReason: NotRequired[TerminalReason]
    """Why the turn ended, in the agent's words."""

    meta: NotRequired[Any]
    """The other members of the agent's frame, unchanged."""

    sessionId: str

    seq: int
    """The place in the session's sequence, from 1, without gaps."""

    time: int
    """When it was stored, in milliseconds since 1970."""


class ModelUsage(TypedDict):
    """What one model used since the process started."""

    inputTokens: NotRequired[float | None]

    outputTokens: NotRequired[float | None]

    cacheReadInputTokens: NotRequired[float | None]

    cacheCreationInputTokens: NotRequired[float | None]

    webSearchRequests: NotRequired[float | None]

    costUSD: NotRequired[float | None]

    contextWindow: NotRequired[float | None]
    """How many tokens the model can see at once."""

    maxOutputTokens: NotRequired[float | None]

    thinkingTokens: NotRequired[float | None]

    cacheCreationEphemeral5mInputTokens: NotRequired[float | None]

    cacheCreationEphemeral1hInputTokens: NotRequired[float | None]

    canonicalModel: NotRequired[str | None]
    """The model's own name, where it is called by another."""

    provider: NotRequired[str | None]
    """Who serves the model, such as `firstParty`."""

    costBasis: NotRequired[CostBasis | None]


class PermissionDenial(TypedDict):
    """A tool call that was not allowed."""

    tool_name: str

    tool_use_id: NotRequired[str | None]

    tool_input: NotRequired[Any]


class PermissionRequest(TypedDict):
    """A decision is needed. It stays open until `permission_resolved`, over restarts too."""

    toolUseId: str
    """The call, by the id that the agent has given it; for an elicitation or a budget the same as `id`."""

    toolName: str

    input: Any
    """Exactly what would run. For a question its `questions`, for a plan its `plan`, for an elicitation its `message`, `requested_schema` and `url`, for a budget its `budgetUsd` and `spentUsd`."""

    id: str
    """What `approve` and the others take: random, made by the bridge, unique over all sessions."""

    kind: PermissionKind

    inputHash: str
    """SHA-256 of `input`, byte for byte as in this message, in hexadecimal."""

    title: NotRequired[str]
    """A short line for people."""

    description: NotRequired[str]

    reason: NotRequired[str]
    """Why it is asked."""

    reasonType: NotRequired[DecisionReasonType]

    blockedPath: NotRequired[str]
    """The path that the agent asks about, where it names one: what a command would write, in the project or outside it."""

    parentToolUseId: NotRequired[str]
    """The call of the subagent that asks; absent in the main conversation."""

    agentId: NotRequired[str]
    """The agent's name for the subagent that asks."""

    parts: NotRequired[list[PermissionPart]]
    """What the call consists of: each command of a shell line, with what it reads and writes. As the agent reports it; the bridge finds it out itself for agents that don't."""

    rules: NotRequired[list[SuggestedRule]]
    """The rules that \"always allow\" would add, narrowest first; `rule` can be edited."""

    suggestions: NotRequired[list[PermissionUpdate]]
    """What the agent suggests for \"always allow\"."""

    onceOnly: NotRequired[bool]
    """Whether \"always allow\" is not to be offered."""

    defaultToNo: NotRequired[bool]
    """Whether \"deny\" is the button that Enter presses."""

    mcpServer: NotRequired[str]
    """The MCP server that the tool belongs to, or that asks."""

    modes: NotRequired[list[PermissionMode]]
    """Modes that a plan can be approved into."""

    sessionId: str

    seq: NotRequired[int]
    """The place in the session's sequence, from 1, without gaps. Absent in a snapshot, and where an open request is repeated to a client that connects."""

    time: int
    """When it was stored, in milliseconds since 1970."""


class PermissionRequestBridgeMessage(TypedDict):
    """A decision is needed. It stays open until `permission_resolved`, over restarts too."""

    type: Literal["permission_request"]

    toolUseId: str
    """The call, by the id that the agent has given it; for an elicitation or a budget the same as `id`."""

    toolName: str

    input: Any
    """Exactly what would run. For a question its `questions`, for a plan its `plan`, for an elicitation its `message`, `requested_schema` and `url`, for a budget its `budgetUsd` and `spentUsd`."""

    id: str
    """What `approve` and the others take: random, made by the bridge, unique over all sessions."""

    kind: PermissionKind

    inputHash: str
    """SHA-256 of `input`, byte for byte as in this message, in hexadecimal."""

    title: NotRequired[str]
    """A short line for people."""

    description: NotRequired[str]

    reason: NotRequired[str]
    """Why it is asked."""

    reasonType: NotRequired[DecisionReasonType]

    blockedPath: NotRequired[str]
    """The path that the agent asks about, where it names one: what a command would write, in the project or outside it."""

    parentToolUseId: NotRequired[str]
    """The call of the subagent that asks; absent in the main conversation."""

    agentId: NotRequired[str]
    """The agent's name for the subagent that asks."""

    parts: NotRequired[list[PermissionPart]]
    """What the call consists of: each command of a shell line, with what it reads and writes. As the agent reports it; the bridge finds it out itself for agents that don't."""

    rules: NotRequired[list[SuggestedRule]]
    """The rules that \"always allow\" would add, narrowest first; `rule` can be edited."""

    suggestions: NotRequired[list[PermissionUpdate]]
    """What the agent suggests for \"always allow\"."""

    onceOnly: NotRequired[bool]
    """Whether \"always allow\" is not to be offered."""

    defaultToNo: NotRequired[bool]
    """Whether \"deny\" is the button that Enter presses."""

    mcpServer: NotRequired[str]
    """The MCP server that the tool belongs to, or that asks."""

    modes: NotRequired[list[PermissionMode]]
    """Modes that a plan can be approved into."""

    sessionId: str

    seq: NotRequired[int]
    """The place in the session's sequence, from 1, without gaps. Absent in a snapshot, and where an open request is repeated to a client that connects."""

    time: int
    """When it was stored, in milliseconds since 1970."""


class PermissionPart(TypedDict):
    """A part of what would run."""

    text: str
    """The part as it appears in the input."""

    program: NotRequired[str | None]
    """The program that it calls."""

    reads: NotRequired[list[str] | None]

    writes: NotRequired[list[str] | None]

    connects: NotRequired[list[str] | None]
    """Hosts that it connects to."""

    verdict: NotRequired[RuleBehavior | None]
    """The decision of the rules about it."""

    reason: NotRequired[str | None]
    """The rule that decided, or what could not be understood."""


class SuggestedRule(TypedDict):
    """A rule that \"always allow\" would add."""

    rule: str
    """As people write it: `Bash(npm test)`."""

    destination: Destination

    description: NotRequired[str]
    """What it would let through, for people."""


class PermissionResolved(TypedDict):
    """It is decided: the first decision counts, and all clients are notified."""

    type: Literal["permission_resolved"]

    id: str
    """The request's."""

    decision: PermissionDecision

    toolUseId: str

    by: Actor
    """Who decided."""

    message: NotRequired[str]
    """What the model received."""

    updatedInput: NotRequired[Any]
    """The input that ran instead."""

    updates: NotRequired[list[PermissionUpdate]]
    """The rules that were added."""

    answers: NotRequired[dict[str, str | list[str]]]
    """The answers to questions."""

    mode: NotRequired[PermissionMode]
    """The mode that was entered with a plan."""

    sessionId: str

    seq: int
    """The place in the session's sequence, from 1, without gaps."""

    time: int
    """When it was stored, in milliseconds since 1970."""


class AgentEvent(TypedDict):
    """Any other frame of the agent, unchanged."""

    type: Literal["agent_event"]

    event: FromAgent

    sessionId: str

    seq: int
    """The place in the session's sequence, from 1, without gaps."""

    time: int
    """When it was stored, in milliseconds since 1970."""


class StreamEventFrame(TypedDict):
    """An event of the model's stream. Only sent where partial messages are asked for."""

    type: Literal["stream_event"]

    event: StreamEvent

    parent_tool_use_id: NotRequired[str | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]

    api_message_id: NotRequired[str | None]
    """The message that the event belongs to, also if the event itself does not contain it."""

    ttft_ms: NotRequired[float | None]
    """On `message_start`: how long the first token took."""

    user_message_uuid: NotRequired[str | None]

    user_message_uuids: NotRequired[list[str] | None]

    resume_reason: NotRequired[str | None]

    thinking_display: NotRequired[str | None]

    abandoned_blocks: NotRequired[AbandonedBlocks | None]
    """Blocks that were begun and will never be completed."""

    owed_rows: NotRequired[Any]

    text_runs_joined: NotRequired[Any]


class MessageStart(TypedDict):
    """A message begins. Its content is empty and its usage is the opening one."""

    type: Literal["message_start"]

    message: AssistantMessage


class ContentBlockStart(TypedDict):
    """A block begins. Its text or input is empty."""

    type: Literal["content_block_start"]

    index: float

    content_block: ContentBlock


class ContentBlockDelta(TypedDict):
    """A block grows."""

    type: Literal["content_block_delta"]

    index: float

    delta: Delta


class TextDelta(TypedDict):
    """More text."""

    type: Literal["text_delta"]

    text: str


class ThinkingDelta(TypedDict):
    """More thinking."""

    type: Literal["thinking_delta"]

    thinking: str

    estimated_tokens: NotRequired[float | None]


class SignatureDelta(TypedDict):
    """The signature of a thinking block."""

    type: Literal["signature_delta"]

    signature: str


class InputJsonDelta(TypedDict):
    """More of a tool's input, as a piece of JSON text."""

    type: Literal["input_json_delta"]

    partial_json: str


class CitationsDelta(TypedDict):
    """One more citation."""

    type: Literal["citations_delta"]

    citation: Citation


class ContentBlockStop(TypedDict):
    """A block is complete."""

    type: Literal["content_block_stop"]

    index: float


class MessageDelta(TypedDict):
    """What is known of the message at its end."""

    type: Literal["message_delta"]

    delta: MessageChange

    usage: NotRequired[Usage | None]

    context_management: NotRequired[Any]


class MessageChange(TypedDict):
    """The members of the message that are known only at its end."""

    stop_reason: NotRequired[StopReason | None]

    stop_sequence: NotRequired[str | None]

    container: NotRequired[Container | None]

    stop_details: NotRequired[Any]


class MessageStop(TypedDict):
    """The message is complete."""

    type: Literal["message_stop"]


class Ping(TypedDict):
    """Nothing but a sign of life."""

    type: Literal["ping"]


class ErrorEvent(TypedDict):
    """The stream broke."""

    type: Literal["error"]

    error: NotRequired[str | ErrorObject | None]

    request_id: NotRequired[str | None]


class ErrorObject(TypedDict):
    """An error with its kind, as the Messages API writes it."""

    type: NotRequired[str | None]
    """Such as `overloaded_error`."""

    message: NotRequired[str | None]

    details: NotRequired[Any]


class AbandonedBlocks(TypedDict):
    """The end of a stream that broke off: the blocks from here on are not to come."""

    api_message_id: str

    from_block_index: NotRequired[float | None]


class AssistantFrame(TypedDict):
    """A finished block of the model's answer. With partial messages it comes before the block's `content_block_stop`."""

    type: Literal["assistant"]

    message: AssistantMessage

    parent_tool_use_id: NotRequired[str | None]
    """The call of the subagent that sends it; `null` for the main conversation."""

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]

    error: NotRequired[ErrorName | None]
    """Set where the message's text is an error and no answer."""

    request_id: NotRequired[str | None]
    """The API's id of the call that gave this answer."""

    user_message_uuid: NotRequired[str | None]
    """The user message this answers."""

    user_message_uuids: NotRequired[list[str] | None]
    """All user messages this answers, where several were taken together; at most 64."""

    resume_reason: NotRequired[str | None]

    resumed_from_incomplete_thinking: NotRequired[bool | None]

    supersedes: NotRequired[list[str] | None]
    """Frames that this one replaces: they are to be taken back."""

    aborted: NotRequired[bool | None]
    """The answer was cut off by an interruption."""

    agent_id: NotRequired[str | None]

    subagent_type: NotRequired[str | None]

    task_description: NotRequired[str | None]
    """What the subagent was asked to do, in a few words."""

    timestamp: NotRequired[str | None]

    context_usage: NotRequired[ContextUsage | None]
    """The numbers behind the text that `/context` prints."""

    usage_report: NotRequired[UsageReport | None]
    """The numbers behind the text that `/usage` prints."""

    is_api_error_message: NotRequired[bool | None]

    api_error_status: NotRequired[float | None]
    """The HTTP status of the failed call."""

    api_error_type: NotRequired[str | None]
    """The API's own word for the error, such as `invalid_request_error`."""

    thinking_duration_ms: NotRequired[float | None]

    thinking_display: NotRequired[str | None]

    local_command_run: NotRequired[LocalCommandRun | None]
    """The slash command that was run here, without a model."""

    local_command_source: NotRequired[str | None]
    """The command's output as the transcript keeps it."""

    local_command_outcome: NotRequired[LocalCommandOutcome | None]

    tool_use_meta: NotRequired[list[ToolUseMeta] | None]
    """How the tools called here are named for people."""

    advisor_model: NotRequired[str | None]

    api_error: NotRequired[Any]

    api_error_code: NotRequired[Any]

    api_error_origin: NotRequired[Any]

    api_error_params: NotRequired[Any]

    attribution_agent: NotRequired[str | None]

    attribution_mcp_server: NotRequired[str | None]

    attribution_mcp_tool: NotRequired[str | None]

    attribution_plugin: NotRequired[str | None]

    attribution_skill: NotRequired[str | None]

    batch_tool_uses: NotRequired[Any]

    error_details: NotRequired[Any]

    historical: NotRequired[bool | None]

    is_meta: NotRequired[bool | None]

    is_virtual: NotRequired[bool | None]

    narration_hint: NotRequired[Any]

    narration_block_indexes: NotRequired[Any]

    refused_message_id: NotRequired[str | None]

    wire_ingest_context: NotRequired[Any]

    wire_tool_inputs: NotRequired[Any]


class ContextUsage(TypedDict):
    """What fills the model's context: the numbers behind `/context`."""

    model: str

    total_tokens: float

    raw_max_tokens: NotRequired[float | None]
    """The size of the model's context."""

    percentage: NotRequired[float | None]

    over_limit: NotRequired[OverLimit | None]

    categories: NotRequired[list[ContextCategory] | None]

    mcp_tools: NotRequired[list[ContextMcpTool] | None]

    memory_files: NotRequired[list[ContextMemoryFile] | None]

    agents: NotRequired[list[ContextAgent] | None]

    skills: NotRequired[list[ContextSkill] | None]


class OverLimit(TypedDict):
    """The context is fuller than it may be."""

    tokens_over: float

    kind: NotRequired[OverLimitKind | None]


class ContextCategory(TypedDict):
    """A part of the context."""

    name: str

    tokens: float

    kind: NotRequired[ContextCategoryKind | None]


class ContextMcpTool(TypedDict):
    """What the description of an MCP tool takes."""

    name: str

    tokens: float

    server_name: NotRequired[str | None]


class ContextMemoryFile(TypedDict):
    """What a memory file takes."""

    path: str

    tokens: float

    type: NotRequired[str | None]


class ContextAgent(TypedDict):
    """What the description of a subagent takes."""

    agent_type: str

    tokens: float

    source: NotRequired[str | None]


class ContextSkill(TypedDict):
    """What the description of a skill takes."""

    name: str

    tokens: float

    source: NotRequired[str | None]

    plugin_name: NotRequired[str | None]


class UsageReport(TypedDict):
    """What a session has cost, and what is left of the subscription: the numbers behind `/usage`."""

    session: SessionUsage

    rate_limits: NotRequired[RateLimits | None]
    """`null` without a subscription."""


class SessionUsage(TypedDict):
    """What a session has used so far."""

    total_cost_usd: NotRequired[float | None]

    total_api_duration_ms: NotRequired[float | None]

    total_duration_ms: NotRequired[float | None]

    total_lines_added: NotRequired[float | None]

    total_lines_removed: NotRequired[float | None]

    model_usage: NotRequired[dict[str, ModelUsage] | None]


class RateLimits(TypedDict):
    """All limits of a subscription."""

    limits: NotRequired[list[UsageLimit] | None]

    extra_usage: NotRequired[ExtraUsage | None]


class UsageLimit(TypedDict):
    """One limit of a subscription."""

    kind: str

    group: NotRequired[str | None]

    percent: NotRequired[float | None]

    resets_at: NotRequired[str | None]

    scope: NotRequired[UsageLimitScope | None]

    severity: NotRequired[str | None]

    is_active: NotRequired[bool | None]


class UsageLimitScope(TypedDict):
    """What a limit counts, where it does not count everything."""

    model: NotRequired[ScopeName | None]

    surface: NotRequired[ScopeName | None]


class ScopeName(TypedDict):
    """A model or a program, for people."""

    display_name: str


class ExtraUsage(TypedDict):
    """What may be bought beyond the limits, and what of it was."""

    is_enabled: bool

    monthly_limit: NotRequired[float | None]

    used_credits: NotRequired[float | None]

    utilization: NotRequired[float | None]

    currency: NotRequired[str | None]


class LocalCommandRun(TypedDict):
    """A slash command that the agent answered itself."""

    command: str

    args: NotRequired[str | None]


class LocalCommandOutcome(TypedDict):
    """How a slash command ended."""

    kind: NotRequired[str | None]
    """Such as `unavailable_headless`, for a command that needs a terminal."""


class ToolUseMeta(TypedDict):
    """How a called tool is named for people."""

    id: str
    """The call."""

    display_name: NotRequired[str | None]

    server_display_name: NotRequired[str | None]

    tool_name: NotRequired[str | None]
    """The tool's name on its server."""


class UserFrame(TypedDict):
    """A message of the user, or what tools gave back. The same frame goes both ways: a host sends it to begin a turn; an agent sends tool results, notices and, where asked, the host's messages again."""

    type: Literal["user"]

    message: UserMessage

    parent_tool_use_id: NotRequired[str | None]
    """The call of the subagent that this belongs to; `null` for the main conversation."""

    uuid: NotRequired[str | None]
    """A host's message that has one gets `command_lifecycle` frames and can be cancelled."""

    session_id: NotRequired[str | None]
    """An agent takes its own, whatever a host sends here."""

    isSynthetic: NotRequired[bool | None]
    """Written by the program and not by a person."""

    isReplay: NotRequired[bool | None]
    """A host's message that comes back, or one that was already part of the conversation."""

    tool_use_result: NotRequired[Any]
    """The tool's output with its structure: see `aqueduct_wire::tool`. A string where the tool failed."""

    client_composed: NotRequired[bool | None]
    """The text is to be taken literally: no slash command, no path expansion."""

    priority: NotRequired[Priority | None]
    """When a message that comes during a turn is served."""

    origin: NotRequired[Origin | None]
    """The sender; it is repeated on the turn's `result`."""

    shouldQuery: NotRequired[bool | None]
    """`false` adds the message to the conversation without a turn."""

    timestamp: NotRequired[str | None]

    agent_id: NotRequired[str | None]

    subagent_type: NotRequired[str | None]

    task_description: NotRequired[str | None]
    """What the subagent was asked to do, in a few words."""

    file_attachments: NotRequired[list[Any] | None]

    tool_result_meta: NotRequired[list[ToolResultMeta] | None]
    """How each tool call was decided."""

    pasted_content: NotRequired[list[str | list[ContentBlock]] | None]
    """Pasted parts that the message's text refers to."""

    inline_pastes: NotRequired[list[str] | None]

    mcp_meta: NotRequired[Any]

    is_compact_summary: NotRequired[bool | None]

    is_meta: NotRequired[bool | None]

    is_virtual: NotRequired[bool | None]

    is_visible_in_transcript_only: NotRequired[bool | None]

    source_tool_use_id: NotRequired[str | None]

    source_tool_assistant_uuid: NotRequired[str | None]

    interrupted_message_id: NotRequired[str | None]

    refused_message_id: NotRequired[str | None]
    """The message of the model that its safeguards stopped."""

    retracted_message_uuids: NotRequired[list[str] | None]
    """Frames of the model that are not part of the conversation any more."""

    permission_mode: NotRequired[PermissionMode | None]

    plan_content: NotRequired[str | None]

    summarize_metadata: NotRequired[Any]

    image_paste_ids: NotRequired[list[Any] | None]

    historical: NotRequired[bool | None]

    initiator: NotRequired[Any]

    requeue_if_interrupted_within_ms: NotRequired[float | None]


class UserMessage(TypedDict):
    """A message to the model: a prompt of the user, or results of tools."""

    content: str | list[ContentBlock]

    role: NotRequired[str | None]


class PlainOrigin(TypedDict):
    """An origin of which only the kind is known."""

    kind: Literal["human"]


class PlainOriginOrigin(TypedDict):
    """An origin of which only the kind is known."""

    kind: Literal["coordinator"]


class PlainOriginOriginUnclassified(TypedDict):
    """An origin of which only the kind is known."""

    kind: Literal["unclassified"]


class PlainOriginOriginAutoContinuation(TypedDict):
    """An origin of which only the kind is known."""

    kind: Literal["auto-continuation"]


class PlainOriginOriginObserverActivity(TypedDict):
    """An origin of which only the kind is known."""

    kind: Literal["observer-activity"]


class ChannelOrigin(TypedDict):
    """A message that an MCP server delivered."""

    kind: Literal["channel"]

    server: str


PeerOrigin = TypedDict(
    "PeerOrigin",
    {
        "kind": 'Literal["peer"]',
        "from": 'str',
        "fromMode": 'NotRequired[PeerMode | None]',
        "name": 'NotRequired[str | None]',
        "fromSession": 'NotRequired[str | None]',
        "senderTaskId": 'NotRequired[str | None]',
        # The message without what was put around it.
        "body": 'NotRequired[str | None]',
        "verifiedPeerPid": 'NotRequired[float | None]',
    },
)
"""A message of another agent."""


class TaskNotificationOrigin(TypedDict):
    """A background task ended, or something that was scheduled is due."""

    kind: Literal["task-notification"]

    subkind: NotRequired[NotificationSubkind | None]

    fireReason: NotRequired[str | None]

    runId: NotRequired[str | None]

    producer: NotRequired[str | None]
    """Such as `session-task`."""


ObserverOrigin = TypedDict(
    "ObserverOrigin",
    {
        "kind": 'Literal["observer"]',
        "from": 'str',
        "senderTaskId": 'NotRequired[str | None]',
    },
)
"""A message of an agent that watches this one."""


class ToolResultMeta(TypedDict):
    """How a tool call was decided."""

    id: str
    """The call."""

    permission_decision: NotRequired[ToolDecision | None]

    non_execution_kind: NotRequired[str | None]
    """Why the tool did not run, such as `permission-rule` or `user-rejected`."""


class ToolDecision(TypedDict):
    """What was decided about a tool call, and by whom."""

    decision: NotRequired[ToolDecisionKind | None]

    source: NotRequired[str | None]
    """Such as `config`, `hook`, `user_temporary` or `user_reject`."""

    reason_type: NotRequired[str | None]
    """Such as `mode`, `rule`, `hook` or `subcommandResults`."""


class SystemInit(TypedDict):
    """The session as it is now: it comes before every turn, and not before the first message."""

    type: Literal["system"]

    subtype: Literal["init"]

    session_id: str

    uuid: NotRequired[str | None]

    cwd: NotRequired[str | None]

    tools: NotRequired[list[str] | None]
    """The tools the model may call. The one that starts subagents is listed under its old name, `Task`."""

    mcp_servers: NotRequired[list[InitMcpServer] | None]

    model: NotRequired[str | None]

    permissionMode: NotRequired[PermissionMode | None]

    slash_commands: NotRequired[list[str] | None]
    """Commands a user can type, without the slash."""

    output_style: NotRequired[str | None]

    skills: NotRequired[list[str] | None]

    plugins: NotRequired[list[InitPlugin] | None]

    apiKeySource: NotRequired[ApiKeySource | None]

    claude_code_version: NotRequired[str | None]
    """The agent's version, by which a host knows what to expect."""

    agents: NotRequired[list[str] | None]
    """The kinds of subagents that can be started."""

    betas: NotRequired[list[str] | None]

    fast_mode_state: NotRequired[FastModeState | None]

    fast_mode_disabled_reason: NotRequired[str | None]

    terminal_slash_commands: NotRequired[list[str] | None]
    """Slash commands that only make sense in a terminal."""

    plugin_errors: NotRequired[list[PluginError] | None]

    effort: NotRequired[EffortLevel | None]

    view_mode: NotRequired[ViewMode | None]

    capabilities: NotRequired[list[Capability] | None]

    analytics_disabled: NotRequired[bool | None]

    product_feedback_disabled: NotRequired[bool | None]

    memory_paths: NotRequired[MemoryPaths | None]

    original_cwd: NotRequired[str | None]
    """Where the process was started, whatever `cwd` is now."""

    additional_directories: NotRequired[list[str] | None]

    messaging_socket_path: NotRequired[str | None]

    per_turn_effort_active: NotRequired[bool | None]

    ultrathink_available: NotRequired[bool | None]

    ultrathink_typed_raises: NotRequired[bool | None]

    user_message_uuids: NotRequired[list[str] | None]
    """The messages that the turn serves."""

    cloud_session: NotRequired[Any]

    footer_indicator: NotRequired[Any]

    mcp_server_errors: NotRequired[Any]

    plugin_warnings: NotRequired[Any]

    powershell_path: NotRequired[str | None]

    scratchpad_path: NotRequired[str | None]

    startup_timing: NotRequired[Any]

    worker_epoch: NotRequired[Any]


class InitPlugin(TypedDict):
    """A plugin of the session."""

    name: str

    path: NotRequired[str | None]

    version: NotRequired[str | None]

    source: NotRequired[str | None]
    """Name and marketplace, joined with `@`."""


class PluginError(TypedDict):
    """A plugin that could not be loaded."""

    plugin: str

    type: NotRequired[str | None]

    message: NotRequired[str | None]

    path: NotRequired[str | None]

    managed_lock: NotRequired[ManagedLock | None]


class ManagedLock(TypedDict):
    """An organisation's setting that decides over a plugin."""

    name: str

    plugin_enabled: NotRequired[bool | None]

    marketplace: NotRequired[str | None]


class MemoryPaths(TypedDict):
    """Where the agent keeps what it remembers."""

    auto: NotRequired[str | None]


class CompactBoundary(TypedDict):
    """The conversation before this was replaced by a summary, which follows as a `user` frame."""

    type: Literal["system"]

    subtype: Literal["compact_boundary"]

    compact_metadata: CompactMetadata

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]

    logical_parent_uuid: NotRequired[str | None]
    """The last message before the boundary."""


class CompactMetadata(TypedDict):
    """What a compaction did."""

    trigger: NotRequired[CompactTrigger | None]

    pre_tokens: NotRequired[float | None]
    """The context's size before."""

    post_tokens: NotRequired[float | None]
    """The context's size after."""

    duration_ms: NotRequired[float | None]

    preserved_segment: NotRequired[PreservedSegment | None]

    preserved_messages: NotRequired[PreservedMessages | None]

    cumulative_dropped_tokens: NotRequired[float | None]
    """What all compactions of the session have taken out together."""


class PreservedSegment(TypedDict):
    """The messages that stay as they were, as a run from head to tail."""

    head_uuid: NotRequired[str | None]

    anchor_uuid: NotRequired[str | None]
    """The message that the run now follows."""

    tail_uuid: NotRequired[str | None]


class PreservedMessages(TypedDict):
    """The messages that stay as they were, one by one."""

    anchor_uuid: NotRequired[str | None]
    """The message that the first of them now follows."""

    uuids: NotRequired[list[str] | None]

    all_uuids: NotRequired[list[str] | None]


class SystemStatus(TypedDict):
    """What the agent does between the frames, or that the permission mode changed: then `status` is `null` and the new mode is there."""

    type: Literal["system"]

    subtype: Literal["status"]

    status: NotRequired[Status | None]

    permissionMode: NotRequired[PermissionMode | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]

    compact_result: NotRequired[CompactResult | None]
    """How the compaction ended that a `status` before this one began."""

    compact_error: NotRequired[str | None]

    user_message_uuids: NotRequired[list[str] | None]


class HookStarted(TypedDict):
    """A command hook begins. Hooks that live in the host have no such frames: they are called."""

    type: Literal["system"]

    subtype: Literal["hook_started"]

    hook_id: str

    hook_name: NotRequired[str | None]
    """The event and what it was matched with, joined with `:`."""

    hook_event: NotRequired[HookEvent | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class HookProgress(TypedDict):
    """What a command hook has printed so far."""

    type: Literal["system"]

    subtype: Literal["hook_progress"]

    hook_id: str

    hook_name: NotRequired[str | None]

    hook_event: NotRequired[HookEvent | None]

    stdout: NotRequired[str | None]

    stderr: NotRequired[str | None]

    output: NotRequired[str | None]
    """Both, as they came."""

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class HookResponse(TypedDict):
    """A command hook ended."""

    type: Literal["system"]

    subtype: Literal["hook_response"]

    hook_id: str

    hook_name: NotRequired[str | None]

    hook_event: NotRequired[HookEvent | None]

    output: NotRequired[str | None]
    """What it printed, stdout and stderr as they came."""

    stdout: NotRequired[str | None]

    stderr: NotRequired[str | None]

    exit_code: NotRequired[float | None]
    """2 of a hook that runs before a tool forbids the call."""

    outcome: NotRequired[HookOutcome | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class TaskStarted(TypedDict):
    """A subagent, a shell command or a workflow begins to run on its own."""

    type: Literal["system"]

    subtype: Literal["task_started"]

    task_id: str

    description: NotRequired[str | None]

    tool_use_id: NotRequired[str | None]
    """The call that started it."""

    task_type: NotRequired[str | None]
    """Such as `local_agent`, `local_bash`, `local_workflow` or `mcp_task`."""

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]

    prompt: NotRequired[str | None]

    run_id: NotRequired[str | None]
    """Distinguishes the runs of one task."""

    owned_by_subagent: NotRequired[bool | None]
    """A subagent has started it."""

    subagent_type: NotRequired[str | None]

    is_backgrounded: NotRequired[bool | None]
    """The conversation does not wait for it."""

    spawn_depth: NotRequired[float | None]

    parent_task_id: NotRequired[str | None]

    workflow_name: NotRequired[str | None]

    skip_transcript: NotRequired[bool | None]

    ambient: NotRequired[bool | None]

    awaited: NotRequired[bool | None]


class TaskProgress(TypedDict):
    """A task is still running."""

    type: Literal["system"]

    subtype: Literal["task_progress"]

    task_id: str

    description: NotRequired[str | None]
    """What it does right now."""

    usage: NotRequired[TaskUsage | None]

    tool_use_id: NotRequired[str | None]

    last_tool_name: NotRequired[str | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]

    run_id: NotRequired[str | None]

    subagent_type: NotRequired[str | None]

    summary: NotRequired[str | None]
    """What it has done so far, where a host asked for summaries."""


class TaskUsage(TypedDict):
    """What a task has used so far."""

    total_tokens: NotRequired[float | None]

    tool_uses: NotRequired[float | None]

    duration_ms: NotRequired[float | None]


class TaskUpdated(TypedDict):
    """Something about a task changed."""

    type: Literal["system"]

    subtype: Literal["task_updated"]

    task_id: str

    run_id: NotRequired[str | None]

    patch: NotRequired[TaskPatch | None]
    """Only what changed."""

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class TaskPatch(TypedDict):
    """The changed members of a task."""

    status: NotRequired[TaskState | None]

    description: NotRequired[str | None]

    end_time: NotRequired[float | None]
    """In milliseconds since 1970."""

    total_paused_ms: NotRequired[float | None]

    error: NotRequired[str | None]

    is_backgrounded: NotRequired[bool | None]


class TaskNotification(TypedDict):
    """A task ended. After one that ran in the background the agent begins a turn of its own."""

    type: Literal["system"]

    subtype: Literal["task_notification"]

    task_id: str

    status: NotRequired[TaskEnd | None]

    output_file: NotRequired[str | None]
    """Where its output can be read; empty where it has none."""

    summary: NotRequired[str | None]

    tool_use_id: NotRequired[str | None]

    usage: NotRequired[TaskUsage | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]

    run_id: NotRequired[str | None]

    reason: NotRequired[TaskEndReason | None]

    resource_links: NotRequired[list[ResourceLink] | None]

    skip_transcript: NotRequired[bool | None]

    ambient: NotRequired[bool | None]

    handback: NotRequired[Any]

    handback_report: NotRequired[Any]


class ResourceLink(TypedDict):
    """Something that a task made and that can be fetched."""

    uri: str

    name: NotRequired[str | None]

    title: NotRequired[str | None]

    description: NotRequired[str | None]

    mimeType: NotRequired[str | None]

    size: NotRequired[float | None]

    annotations: NotRequired[Any]


class BackgroundTasksChanged(TypedDict):
    """All tasks that run in the background now. It replaces what was reported before."""

    type: Literal["system"]

    subtype: Literal["background_tasks_changed"]

    tasks: list[RunningTask]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class RunningTask(TypedDict):
    """A task that runs in the background."""

    task_id: str

    task_type: NotRequired[str | None]

    description: NotRequired[str | None]

    run_id: NotRequired[str | None]

    subagent_type: NotRequired[str | None]

    parent_task_id: NotRequired[str | None]

    ambient: NotRequired[bool | None]


class SessionStateChanged(TypedDict):
    """Whether a turn runs. Only sent where the host asks for it; then `idle` and not the first `result` is the end of a run."""

    type: Literal["system"]

    subtype: Literal["session_state_changed"]

    state: SessionState

    sdk_host_only: NotRequired[bool | None]
    """Meant for the library between agent and host, and not to be passed on."""

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class SessionTitleChanged(TypedDict):
    """The session has another title."""

    type: Literal["system"]

    subtype: Literal["session_title_changed"]

    title: str

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class SessionWritesLost(TypedDict):
    """Something could not be written to disk. Reported at exit only."""

    type: Literal["system"]

    subtype: Literal["session_writes_lost"]

    error_code: WriteErrorCode

    lost: NotRequired[list[LostWrite] | None]

    transcript_session_ids: NotRequired[list[str] | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class SessionMetadata(TypedDict):
    """Something about the session changed. What it holds is not documented."""

    type: Literal["system"]

    subtype: Literal["session_metadata"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class WorkerShuttingDown(TypedDict):
    """The process is about to end."""

    type: Literal["system"]

    subtype: Literal["worker_shutting_down"]

    reason: NotRequired[str | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class MirrorError(TypedDict):
    """A copy of the transcript could not be kept. Made by the library on the host's side, never by an agent."""

    type: Literal["system"]

    subtype: Literal["mirror_error"]

    error: str

    key: NotRequired[MirrorKey | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class MirrorKey(TypedDict):
    """The place of a transcript in a host's store."""

    projectKey: str

    sessionId: str

    subpath: NotRequired[str | None]
    """A subagent's transcript."""


class FilesPersisted(TypedDict):
    """Files of the session were put into the file store."""

    type: Literal["system"]

    subtype: Literal["files_persisted"]

    files: list[PersistedFile]

    failed: NotRequired[list[PersistFailure] | None]

    processed_at: NotRequired[str | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PersistedFile(TypedDict):
    """A file in the file store."""

    filename: str

    file_id: NotRequired[str | None]


class PersistFailure(TypedDict):
    """A file that could not be stored."""

    filename: str

    error: NotRequired[str | None]


class MemoryRecall(TypedDict):
    """Memories were put into the context."""

    type: Literal["system"]

    subtype: Literal["memory_recall"]

    memories: list[RecalledMemory]

    mode: NotRequired[MemoryMode | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class RecalledMemory(TypedDict):
    """A memory."""

    path: str

    scope: NotRequired[MemoryScope | None]

    content: NotRequired[str | None]


class ApiRetry(TypedDict):
    """A call of the model failed and is tried again after a wait."""

    type: Literal["system"]

    subtype: Literal["api_retry"]

    attempt: float

    max_retries: NotRequired[float | None]

    retry_delay_ms: NotRequired[float | None]

    error_status: NotRequired[float | None]
    """The HTTP status; `null` if there was no answer."""

    error: NotRequired[ErrorName | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]

    no_response: NotRequired[NoResponse | None]
    """Set where the model's side was silent for too long."""


class NoResponse(TypedDict):
    """How long an answer was waited for."""

    waited_ms: NotRequired[float | None]

    retry_wait_ms: NotRequired[float | None]
    """How long the next try will be waited for."""


class ControlRequestProgress(TypedDict):
    """A host's control request takes a while."""

    type: Literal["system"]

    subtype: Literal["control_request_progress"]

    request_id: str

    status: NotRequired[RequestProgress | None]

    attempt: NotRequired[float | None]

    max_retries: NotRequired[float | None]

    retry_delay_ms: NotRequired[float | None]

    error_status: NotRequired[float | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class ModelFallback(TypedDict):
    """A model could not be called, and another one takes over for the rest of the turn."""

    type: Literal["system"]

    subtype: Literal["model_fallback"]

    original_model: str

    fallback_model: str

    trigger: NotRequired[FallbackTrigger | None]

    content: NotRequired[str | None]
    """The notice for the user."""

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class ModelRefusalFallback(TypedDict):
    """A model refused to answer, and another one takes over or gives back."""

    type: Literal["system"]

    subtype: Literal["model_refusal_fallback"]

    original_model: str

    fallback_model: str

    trigger: NotRequired[RefusalTrigger | None]

    direction: NotRequired[RefusalDirection | None]

    scope: NotRequired[RefusalScope | None]

    request_id: NotRequired[str | None]

    api_refusal_category: NotRequired[str | None]

    api_refusal_explanation: NotRequired[str | None]

    retracted_message_uuids: NotRequired[list[str] | None]
    """Frames that are to be taken back."""

    refused_user_message_uuid: NotRequired[str | None]

    content: NotRequired[str | None]
    """The notice for the user."""

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class ModelRefusalNoFallback(TypedDict):
    """A model refused to answer and there is none to take over."""

    type: Literal["system"]

    subtype: Literal["model_refusal_no_fallback"]

    original_model: str

    request_id: NotRequired[str | None]

    api_refusal_category: NotRequired[str | None]

    api_refusal_explanation: NotRequired[str | None]

    refused_user_message_uuid: NotRequired[str | None]

    content: NotRequired[str | None]
    """The notice for the user."""

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PermissionDenied(TypedDict):
    """A tool call was denied without asking the user. The record of it is `permission_denials` on `result`."""

    type: Literal["system"]

    subtype: Literal["permission_denied"]

    tool_name: str

    tool_use_id: str

    agent_id: NotRequired[str | None]

    decision_reason_type: NotRequired[str | None]
    """Such as `mode`, `rule` or `classifier`."""

    decision_reason: NotRequired[str | None]

    decision_reason_code: NotRequired[str | None]

    message: NotRequired[str | None]
    """The message for the model."""

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class LocalCommandOutput(TypedDict):
    """What a slash command printed."""

    type: Literal["system"]

    subtype: Literal["local_command_output"]

    content: str

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class Informational(TypedDict):
    """A line for the user that is not part of the conversation."""

    type: Literal["system"]

    subtype: Literal["informational"]

    content: str

    level: NotRequired[NoticeLevel | None]

    tool_use_id: NotRequired[str | None]

    prevent_continuation: NotRequired[bool | None]
    """The turn does not continue after this."""

    tag: NotRequired[str | None]
    """A name for this kind of notice, such as `auto_mode_no_server_check`."""

    prompt_submit_outcome: NotRequired[Any]

    hook_no_verdict: NotRequired[HookWithoutVerdict | None]
    """The hook that was to decide about a call and gave no verdict."""

    isMeta: NotRequired[bool | None]

    timestamp: NotRequired[str | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class HookWithoutVerdict(TypedDict):
    """A hook without a verdict."""

    hook_event: NotRequired[str | None]

    tool_use_id: NotRequired[str | None]

    timed_out: NotRequired[bool | None]


class Notification(TypedDict):
    """A short message to be shown for a while."""

    type: Literal["system"]

    subtype: Literal["notification"]

    key: str

    text: str

    priority: NotRequired[NotificationPriority | None]

    color: NotRequired[str | None]

    timeout_ms: NotRequired[float | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class ThinkingTokens(TypedDict):
    """How much the model has thought so far, as an estimate."""

    type: Literal["system"]

    subtype: Literal["thinking_tokens"]

    estimated_tokens: float

    estimated_tokens_delta: NotRequired[float | None]
    """Since the last such frame."""

    user_message_uuid: NotRequired[str | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class CommandsChanged(TypedDict):
    """All slash commands there are now. It replaces what was reported before."""

    type: Literal["system"]

    subtype: Literal["commands_changed"]

    commands: list[SlashCommand]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class SlashCommand(TypedDict):
    """A slash command."""

    name: NotRequired[str | None]
    """Without the slash."""

    description: NotRequired[str | None]

    argumentHint: NotRequired[str | None]

    aliases: NotRequired[list[str] | None]

    builtin: NotRequired[bool | None]


class ElicitationComplete(TypedDict):
    """A form that an MCP server had put before the user is done with."""

    type: Literal["system"]

    subtype: Literal["elicitation_complete"]

    elicitation_id: str

    mcp_server_name: NotRequired[str | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PluginInstall(TypedDict):
    """How the installation of plugins goes."""

    type: Literal["system"]

    subtype: Literal["plugin_install"]

    status: PluginInstallStatus

    name: NotRequired[str | None]

    error: NotRequired[str | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PostTurnSummary(TypedDict):
    """What happened in a turn, in short. What it holds is not documented."""

    type: Literal["system"]

    subtype: Literal["post_turn_summary"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class TaskSummary(TypedDict):
    """What a task has done, in short. What it holds is not documented."""

    type: Literal["system"]

    subtype: Literal["task_summary"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNotice(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["code_change_published"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFrame(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["vcs_state_changed"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFrameFeedbackDraftQueued(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["feedback_draft_queued"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFrameCloudSessionDelta(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["cloud_session_delta"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFrameDevIntent(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["dev_intent"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFrameTurnHandoffAvailable(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["turn_handoff_available"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFrameTurnPreempted(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["turn_preempted"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFramePeerMessageHold(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["peer_message_hold"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFramePerTurnEffortChanged(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["per_turn_effort_changed"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFrameInstructionSizeWarning(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["instruction_size_warning"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFrameFileAttachmentsMissing(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["file_attachments_missing"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFramePermissionCheckStatus(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["permission_check_status"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFrameInheritedAsksSettled(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["inherited_asks_settled"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFrameUiLog(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["ui_log"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFrameUiToast(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["ui_toast"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFrameUiStatus(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["ui_status"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFrameUiInvalidate(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["ui_invalidate"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFrameUiPanes(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["ui_panes"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFrameUiPlaced(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["ui_placed"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFrameUiScroll(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["ui_scroll"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class PlainNoticeSystemFrameUiFocus(TypedDict):
    """A notice of which only the name is known."""

    type: Literal["system"]

    subtype: Literal["ui_focus"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class ResultFrame(TypedDict):
    """The end of a turn. Whether it failed is reported by `is_error`: a failed call of the model is a `success` with `is_error`."""

    type: Literal["result"]

    subtype: ResultSubtype

    is_error: NotRequired[bool | None]

    duration_ms: NotRequired[float | None]

    duration_api_ms: NotRequired[float | None]

    num_turns: NotRequired[float | None]
    """0 for a slash command that asked no model; one above the limit where that was reached."""

    stop_reason: NotRequired[StopReason | None]

    session_id: NotRequired[str | None]

    total_cost_usd: NotRequired[float | None]

    usage: NotRequired[Usage | None]
    """What the main conversation used in this turn."""

    modelUsage: NotRequired[dict[str, ModelUsage] | None]
    """What each model used since the process started, subagents included."""

    permission_denials: NotRequired[list[PermissionDenial] | None]

    uuid: NotRequired[str | None]

    result: NotRequired[str | None]
    """The last text of the turn; on `success` only."""

    errors: NotRequired[list[str] | None]
    """What went wrong, one line each."""

    error: NotRequired[str | ErrorObject | None]
    """What went wrong, in the form that older agents use."""

    structured_output: NotRequired[Any]
    """The answer as an object, where a schema was given."""

    fast_mode_state: NotRequired[FastModeState | None]

    fast_mode_disabled_reason: NotRequired[str | None]

    queued_turn_count: NotRequired[float | None]
    """Turns that wait behind this one."""

    result_index: NotRequired[float | None]
    """Which result of the process this is, from 0."""

    user_message_uuid: NotRequired[str | None]

    user_message_uuids: NotRequired[list[str] | None]

    resume_reason: NotRequired[str | None]

    terminal_reason: NotRequired[TerminalReason | None]
    """Why the turn ended. Absent after a slash command that asked no model."""

    credential_expires_at: NotRequired[str | None]

    origin: NotRequired[Origin | None]
    """What the turn's user message had there."""

    api_error_status: NotRequired[float | None]
    """The HTTP status of the call that failed; `null` where none did."""

    api_error_type: NotRequired[str | None]

    api_error: NotRequired[str | None]
    """A closer name for the failure of a model, such as `max_output_tokens`."""

    deferred_tool_use: NotRequired[DeferredToolUse | None]
    """The tool call that a hook put off."""

    local_command: NotRequired[str | None]
    """The slash command that was answered without a model."""

    ttft_ms: NotRequired[float | None]

    ttft_stream_ms: NotRequired[float | None]

    time_to_request_ms: NotRequired[float | None]

    request_sent_wall_ms: NotRequired[float | None]

    first_content_frame_ms: NotRequired[float | None]

    first_stream_post_ms: NotRequired[float | None]

    first_stream_post_ack_ms: NotRequired[float | None]

    first_stream_post_queue_wait_ms: NotRequired[float | None]

    first_stream_post_queued_behind: NotRequired[float | None]

    first_stream_post_wall_ms: NotRequired[float | None]

    first_text_post_ms: NotRequired[float | None]

    first_text_post_queue_wait_ms: NotRequired[float | None]

    first_text_post_queued_behind: NotRequired[float | None]

    first_text_post_wall_ms: NotRequired[float | None]

    time_to_request_from_spawn_ms: NotRequired[float | None]

    warm_spare_claimed: NotRequired[bool | None]

    time_origin_ms: NotRequired[float | None]

    startup_failure_reason: NotRequired[StartupFailureReason | None]
    """Why the process could not start at all."""

    invalid_config_file: NotRequired[InvalidConfigFile | None]

    subagent_stats: NotRequired[SubagentStats | None]

    safety_stops: NotRequired[float | None]

    model_usage_since_last_result: NotRequired[dict[str, ModelUsage] | None]
    """What each model used since the last result."""

    first_request_input_tokens: NotRequired[float | None]

    first_request_cache_read_input_tokens: NotRequired[float | None]


class DeferredToolUse(TypedDict):
    """A tool call that was put off."""

    id: str

    name: str

    input: Any


class InvalidConfigFile(TypedDict):
    """A settings file that could not be read."""

    path: str

    is_global: NotRequired[bool | None]

    backup_searched: NotRequired[bool | None]

    backup_path: NotRequired[str | None]


class SubagentStats(TypedDict):
    """Subagents of the process so far, counted."""

    spawned: NotRequired[float | None]

    requested: NotRequired[SubagentsRequested | None]

    started_in_background: NotRequired[float | None]

    max_depth: NotRequired[float | None]
    """How deep subagents started subagents."""

    spawned_by_subagents: NotRequired[float | None]

    completed: NotRequired[float | None]

    failed: NotRequired[float | None]

    killed: NotRequired[SubagentsKilled | None]

    refused: NotRequired[SubagentsRefused | None]

    by_type: NotRequired[dict[str, float] | None]
    """By the subagents' type."""


class SubagentsRequested(TypedDict):
    """How the model wanted its subagents to run."""

    background: NotRequired[float | None]

    foreground: NotRequired[float | None]

    unset: NotRequired[float | None]


class SubagentsKilled(TypedDict):
    """Who ended subagents before they were done."""

    parent: NotRequired[float | None]

    user: NotRequired[float | None]

    system: NotRequired[float | None]


class SubagentsRefused(TypedDict):
    """Why subagents were not started."""

    depth_limit: NotRequired[float | None]

    concurrency_limit: NotRequired[float | None]

    budget: NotRequired[float | None]


class AgentRequestFrame(TypedDict):
    """A request to the host."""

    type: Literal["control_request"]

    request_id: str
    """Chosen by the agent; the answer repeats it."""

    request: AgentRequest


class CanUseToolRequest(TypedDict):
    """May this tool run with this input?"""

    subtype: Literal["can_use_tool"]

    tool_name: str

    input: Any
    """The arguments. To allow the call unchanged, send them back as `updatedInput`."""

    tool_use_id: NotRequired[str | None]

    permission_suggestions: NotRequired[list[PermissionUpdate] | None]
    """Updates that would let such calls through without asking, for an \"always allow\" button."""

    blocked_path: NotRequired[str | None]
    """The path that is outside the working directories."""

    decision_reason: NotRequired[str | None]

    agent_id: NotRequired[str | None]
    """The subagent that calls; absent in the main conversation."""

    description: NotRequired[str | None]

    mcp_server: NotRequired[ToolMcpServer | None]

    decision_reason_type: NotRequired[DecisionReasonType | None]

    decision_reason_code: NotRequired[str | None]

    decision_reason_hook_event: NotRequired[str | None]
    """The event of the hook that made the agent ask."""

    decision_reason_hook_source: NotRequired[str | None]
    """Where that hook is defined, such as `settings`."""

    classifier_approvable: NotRequired[bool | None]
    """Whether a classifier could have allowed it."""

    suppress_always_allow_rule: NotRequired[bool | None]
    """Whether no \"always allow\" should be offered."""

    default_to_no: NotRequired[bool | None]
    """Whether \"no\" should be the button that Enter presses."""

    matched_ask_rule: NotRequired[MatchedAskRule | None]

    title: NotRequired[str | None]

    display_name: NotRequired[str | None]

    requires_user_interaction: NotRequired[bool | None]
    """Whether the call is a question to the user in itself, as AskUserQuestion is."""

    server_policy_ask_only: NotRequired[bool | None]

    plugin: NotRequired[Any]

    server_prompt: NotRequired[Any]

    computer_folder: NotRequired[ComputerFolder | None]

    explanation: NotRequired[PermissionExplanation | None]
    """What the agent decided about each part of the call. Sent by `aqueduct-agent`; other programs pass over it."""


class ToolMcpServer(TypedDict):
    """The MCP server that a tool belongs to."""

    name: NotRequired[str | None]

    source: NotRequired[str | None]


class MatchedAskRule(TypedDict):
    """The rule that asks."""

    source: NotRequired[str | None]

    tool_name: NotRequired[str | None]

    rule_content: NotRequired[str | None]


class ComputerFolder(TypedDict):
    """A folder on a computer that the agent may use."""

    path: NotRequired[str | None]

    computer_name: NotRequired[str | None]


class PermissionExplanation(TypedDict):
    """What an agent found when it decided to ask about a call: its parts, and what was decided about each. The reference sends none; where there is one, it is what counts, and a host has nothing to compute again."""

    parts: NotRequired[list[PermissionPart] | None]
    """Each command of a shell line, in its order; empty for tools whose calls have no parts."""


class HookCallbackRequest(TypedDict):
    """Run the hook that was registered under this id."""

    subtype: Literal["hook_callback"]

    callback_id: str

    input: HookInput

    tool_use_id: NotRequired[str | None]
    """The tool call; for events without one the reference sends a random UUID."""


class PreToolUseInput(TypedDict):
    """A tool is about to run."""

    hook_event_name: Literal["PreToolUse"]

    tool_name: str

    tool_input: Any

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    tool_use_id: NotRequired[str | None]

    mcp_server: NotRequired[HookMcpServer | None]


class HookEffort(TypedDict):
    """How hard the model thinks in this turn."""

    level: NotRequired[EffortLevel | None]


class HookMcpServer(TypedDict):
    """The MCP server that a tool belongs to."""

    name: NotRequired[str | None]

    source: NotRequired[str | None]


class PostToolUseInput(TypedDict):
    """A tool has run."""

    hook_event_name: Literal["PostToolUse"]

    tool_name: str

    tool_input: Any

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    tool_response: NotRequired[Any]
    """What it gave back, in the tool's own shape."""

    tool_use_id: NotRequired[str | None]

    duration_ms: NotRequired[float | None]

    mcp_server: NotRequired[HookMcpServer | None]


class PostToolUseFailureInput(TypedDict):
    """A tool has failed."""

    hook_event_name: Literal["PostToolUseFailure"]

    tool_name: str

    tool_input: Any

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    tool_use_id: NotRequired[str | None]

    error: NotRequired[str | None]

    is_interrupt: NotRequired[bool | None]
    """Whether the user interrupted it."""

    duration_ms: NotRequired[float | None]

    mcp_server: NotRequired[HookMcpServer | None]


class PostToolBatchInput(TypedDict):
    """All tools that the model called at once have run."""

    hook_event_name: Literal["PostToolBatch"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    tool_calls: NotRequired[list[ToolCall] | None]


class ToolCall(TypedDict):
    """One call of a batch."""

    tool_name: NotRequired[str | None]

    tool_input: NotRequired[Any]

    tool_use_id: NotRequired[str | None]

    tool_response: NotRequired[Any]


class PermissionRequestInput(TypedDict):
    """The user is about to be asked for permission."""

    hook_event_name: Literal["PermissionRequest"]

    tool_name: str

    tool_input: Any

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    permission_suggestions: NotRequired[list[PermissionUpdate] | None]

    mcp_server: NotRequired[HookMcpServer | None]


class PermissionDeniedInput(TypedDict):
    """A tool call was denied without asking the user."""

    hook_event_name: Literal["PermissionDenied"]

    tool_name: str

    tool_input: Any

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    tool_use_id: NotRequired[str | None]

    reason: NotRequired[str | None]

    mcp_server: NotRequired[HookMcpServer | None]


class UserPromptSubmitInput(TypedDict):
    """A message of the user is about to reach the model."""

    hook_event_name: Literal["UserPromptSubmit"]

    prompt: str

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    source: NotRequired[PromptSource | None]

    session_title: NotRequired[str | None]


class UserPromptExpansionInput(TypedDict):
    """A slash command has become the text that the model gets."""

    hook_event_name: Literal["UserPromptExpansion"]

    prompt: str

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    expansion_type: NotRequired[ExpansionType | None]

    command_name: NotRequired[str | None]

    command_args: NotRequired[str | None]

    command_source: NotRequired[str | None]


class SessionStartInput(TypedDict):
    """A session starts or is resumed."""

    hook_event_name: Literal["SessionStart"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    source: NotRequired[SessionStartSource | None]

    agent_type: NotRequired[str | None]
    """The agent that runs the main conversation, if one was named."""

    model: NotRequired[str | None]

    agent_id: NotRequired[str | None]

    session_title: NotRequired[str | None]

    seconds_since_last_response: NotRequired[float | None]

    context_tokens: NotRequired[float | None]

    prompt_cache_likely_expired: NotRequired[bool | None]

    estimated_cache_write_usd: NotRequired[float | None]
    """What it would cost to fill the prompt cache again."""


class SessionEndInput(TypedDict):
    """A session ends."""

    hook_event_name: Literal["SessionEnd"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    reason: NotRequired[SessionEndReason | None]


class StopInput(TypedDict):
    """The model is done."""

    hook_event_name: Literal["Stop"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    stop_hook_active: NotRequired[bool | None]
    """Whether the model continues only because of a hook: check this to avoid a loop."""

    last_assistant_message: NotRequired[str | None]

    background_tasks: NotRequired[list[BackgroundTask] | None]

    session_crons: NotRequired[list[SessionCron] | None]


class BackgroundTask(TypedDict):
    """A task that still runs."""

    id: NotRequired[str | None]

    type: NotRequired[str | None]

    status: NotRequired[str | None]

    description: NotRequired[str | None]

    command: NotRequired[str | None]

    agent_type: NotRequired[str | None]

    server: NotRequired[str | None]

    tool: NotRequired[str | None]

    name: NotRequired[str | None]


class SessionCron(TypedDict):
    """A prompt that the session sends itself at set times."""

    id: NotRequired[str | None]

    schedule: NotRequired[str | None]

    recurring: NotRequired[bool | None]

    prompt: NotRequired[str | None]


class StopFailureInput(TypedDict):
    """A turn ended with an error of the API."""

    hook_event_name: Literal["StopFailure"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    error: NotRequired[ErrorName | None]

    error_details: NotRequired[str | None]

    last_assistant_message: NotRequired[str | None]


class SubagentStartInput(TypedDict):
    """A subagent begins."""

    hook_event_name: Literal["SubagentStart"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]

    agent_type: NotRequired[str | None]


class SubagentStopInput(TypedDict):
    """A subagent is done."""

    hook_event_name: Literal["SubagentStop"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    stop_hook_active: NotRequired[bool | None]

    agent_id: NotRequired[str | None]

    agent_transcript_path: NotRequired[str | None]

    agent_type: NotRequired[str | None]

    last_assistant_message: NotRequired[str | None]

    background_tasks: NotRequired[list[BackgroundTask] | None]

    session_crons: NotRequired[list[SessionCron] | None]


class PreCompactInput(TypedDict):
    """The conversation is about to be summarised."""

    hook_event_name: Literal["PreCompact"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    trigger: NotRequired[CompactTrigger | None]

    custom_instructions: NotRequired[str | None]


class PostCompactInput(TypedDict):
    """The conversation has been summarised."""

    hook_event_name: Literal["PostCompact"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    trigger: NotRequired[CompactTrigger | None]

    compact_summary: NotRequired[str | None]


class ModelSwitchInput(TypedDict):
    """Another model is about to take over, or has."""

    hook_event_name: Literal["PreModelSwitch"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    from_model: NotRequired[str | None]

    to_model: NotRequired[str | None]

    requested_model: NotRequired[str | None]
    """The name that was asked for; `null` for the default."""

    source: NotRequired[ModelSwitchSource | None]

    context_tokens: NotRequired[float | None]

    prompt_cache_warm: NotRequired[bool | None]

    cache_ttl: NotRequired[CacheLifetime | None]

    estimated_cache_write_usd: NotRequired[float | None]

    pricing: NotRequired[ModelSwitchPricing | None]


class ModelSwitchInputHookInput(TypedDict):
    """Another model is about to take over, or has."""

    hook_event_name: Literal["PostModelSwitch"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    from_model: NotRequired[str | None]

    to_model: NotRequired[str | None]

    requested_model: NotRequired[str | None]
    """The name that was asked for; `null` for the default."""

    source: NotRequired[ModelSwitchSource | None]

    context_tokens: NotRequired[float | None]

    prompt_cache_warm: NotRequired[bool | None]

    cache_ttl: NotRequired[CacheLifetime | None]

    estimated_cache_write_usd: NotRequired[float | None]

    pricing: NotRequired[ModelSwitchPricing | None]


class NotificationInput(TypedDict):
    """The user should look."""

    hook_event_name: Literal["Notification"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    message: NotRequired[str | None]

    title: NotRequired[str | None]

    notification_type: NotRequired[str | None]


class SetupInput(TypedDict):
    """The project is being set up."""

    hook_event_name: Literal["Setup"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    trigger: NotRequired[SetupTrigger | None]


class TeammateIdleInput(TypedDict):
    """A member of a team has nothing to do."""

    hook_event_name: Literal["TeammateIdle"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    teammate_name: NotRequired[str | None]

    team_name: NotRequired[str | None]


class TeamTaskInput(TypedDict):
    """A task of a team was created or completed."""

    hook_event_name: Literal["TaskCreated"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    task_id: NotRequired[str | None]

    task_subject: NotRequired[str | None]

    task_description: NotRequired[str | None]

    teammate_name: NotRequired[str | None]

    team_name: NotRequired[str | None]


class TeamTaskInputHookInput(TypedDict):
    """A task of a team was created or completed."""

    hook_event_name: Literal["TaskCompleted"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    task_id: NotRequired[str | None]

    task_subject: NotRequired[str | None]

    task_description: NotRequired[str | None]

    teammate_name: NotRequired[str | None]

    team_name: NotRequired[str | None]


class ElicitationInput(TypedDict):
    """An MCP server asks the user something."""

    hook_event_name: Literal["Elicitation"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    mcp_server_name: NotRequired[str | None]

    message: NotRequired[str | None]

    mode: NotRequired[ElicitationMode | None]

    url: NotRequired[str | None]

    elicitation_id: NotRequired[str | None]

    requested_schema: NotRequired[Any]


class ElicitationResultInput(TypedDict):
    """The user has answered an MCP server."""

    hook_event_name: Literal["ElicitationResult"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    mcp_server_name: NotRequired[str | None]

    action: NotRequired[ElicitationAction | None]

    elicitation_id: NotRequired[str | None]

    mode: NotRequired[ElicitationMode | None]

    content: NotRequired[Any]


class ConfigChangeInput(TypedDict):
    """A settings file or a skill changed."""

    hook_event_name: Literal["ConfigChange"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    source: NotRequired[ConfigSource | None]

    file_path: NotRequired[str | None]


class WorktreeCreateInput(TypedDict):
    """A worktree is wanted; the hook may make it."""

    hook_event_name: Literal["WorktreeCreate"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    name: NotRequired[str | None]


class WorktreeRemoveInput(TypedDict):
    """A worktree is done with."""

    hook_event_name: Literal["WorktreeRemove"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    worktree_path: NotRequired[str | None]


class InstructionsLoadedInput(TypedDict):
    """A file of instructions was loaded."""

    hook_event_name: Literal["InstructionsLoaded"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    file_path: NotRequired[str | None]

    memory_type: NotRequired[MemoryType | None]

    load_reason: NotRequired[InstructionsLoadReason | None]

    globs: NotRequired[list[str] | None]

    trigger_file_path: NotRequired[str | None]

    parent_file_path: NotRequired[str | None]


class CwdChangedInput(TypedDict):
    """The working directory changed."""

    hook_event_name: Literal["CwdChanged"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    old_cwd: NotRequired[str | None]

    new_cwd: NotRequired[str | None]


class FileChangedInput(TypedDict):
    """A watched file changed."""

    hook_event_name: Literal["FileChanged"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    file_path: NotRequired[str | None]

    event: NotRequired[FileEvent | None]


class DirectoryAddedInput(TypedDict):
    """A directory became a working directory."""

    hook_event_name: Literal["DirectoryAdded"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    directory: NotRequired[str | None]

    source: NotRequired[DirectorySource | None]


class MessageDisplayInput(TypedDict):
    """A piece of an answer is about to be shown."""

    hook_event_name: Literal["MessageDisplay"]

    session_id: NotRequired[str | None]

    transcript_path: NotRequired[str | None]

    cwd: NotRequired[str | None]

    permission_mode: NotRequired[PermissionMode | None]

    prompt_id: NotRequired[str | None]

    effort: NotRequired[HookEffort | None]

    agent_id: NotRequired[str | None]
    """The subagent in which this happens; absent in the main conversation."""

    agent_type: NotRequired[str | None]

    turn_id: NotRequired[str | None]

    message_id: NotRequired[str | None]

    index: NotRequired[float | None]

    final: NotRequired[bool | None]

    delta: NotRequired[str | None]


class McpMessageRequest(TypedDict):
    """A message between the agent and an MCP server that lives in the host. The agent sends requests and notifications to the server; the host sends the server's own messages."""

    subtype: Literal["mcp_message"]

    server_name: str

    message: McpMessage


class McpMessage(TypedDict):
    """One JSON-RPC message: a request (`method` and `id`), a notification (`method` alone) or an answer (`result` or `error`)."""

    jsonrpc: NotRequired[str | None]
    """Always `2.0`."""

    id: NotRequired[float | str | None]

    method: NotRequired[str | None]

    params: NotRequired[Any]

    result: NotRequired[Any]

    error: NotRequired[McpError | None]


class McpError(TypedDict):
    """Why a JSON-RPC request failed."""

    code: float

    message: NotRequired[str | None]

    data: NotRequired[Any]


class ElicitationRequest(TypedDict):
    """An MCP server asks the user to fill a form or to visit a page."""

    subtype: Literal["elicitation"]

    mcp_server_name: str

    message: str

    mode: NotRequired[ElicitationMode | None]

    url: NotRequired[str | None]
    """The page to visit."""

    elicitation_id: NotRequired[str | None]

    requested_schema: NotRequired[Any]
    """The form, as a JSON Schema."""

    property_order: NotRequired[list[str] | None]
    """The order of the form's fields."""

    title: NotRequired[str | None]

    display_name: NotRequired[str | None]

    description: NotRequired[str | None]


class UserDialogRequest(TypedDict):
    """Show a dialog. Comes only for kinds that `supportedDialogKinds` named."""

    subtype: Literal["request_user_dialog"]

    dialog_kind: str

    payload: NotRequired[Any]

    tool_use_id: NotRequired[str | None]


class OauthTokenRefreshRequest(TypedDict):
    """A new access token is wanted."""

    subtype: Literal["oauth_token_refresh"]

    kind: NotRequired[str | None]

    token_state: NotRequired[Any]

    refused_call: NotRequired[Any]


class HostAuthTokenRefreshRequest(TypedDict):
    """The host's own credential was refused; another one is wanted."""

    subtype: Literal["host_auth_token_refresh"]

    status: NotRequired[Any]


class RemoteControlWorkSecretRequest(TypedDict):
    """The secret of a session that is driven from elsewhere."""

    subtype: Literal["remote_control_work_secret"]

    session_id: NotRequired[str | None]


class UiCopyRequest(TypedDict):
    """Put something on the clipboard."""

    subtype: Literal["ui_copy"]


class UiPromptReadRequest(TypedDict):
    """Return the content of the input field."""

    subtype: Literal["ui_prompt_read"]


class UiPromptFillRequest(TypedDict):
    """Put something into the input field."""

    subtype: Literal["ui_prompt_fill"]


class UiPromptPaintRequest(TypedDict):
    """Mark something in the input field."""

    subtype: Literal["ui_prompt_paint"]


class UiPromptSuggestRequest(TypedDict):
    """Suggest something in the input field."""

    subtype: Literal["ui_prompt_suggest"]


class UiReadSelectionRequest(TypedDict):
    """What has the user selected?"""

    subtype: Literal["ui_read_selection"]


class RemoteToolCallRequest(TypedDict):
    """Run a tool on the host's machine."""

    subtype: Literal["remote_tool_call"]


class RemotePlumbingCallRequest(TypedDict):
    """Housekeeping between an agent and tools on the host's machine."""

    subtype: Literal["remote_plumbing_call"]


class RemoteToolsProbeRequest(TypedDict):
    """Are the tools on the host's machine still there?"""

    subtype: Literal["remote_tools_probe"]


class RemoteToolsReannounceRequest(TypedDict):
    """Name the tools on the host's machine again."""

    subtype: Literal["remote_tools_reannounce"]


class ControlResponseFrame(TypedDict):
    """The answer to a request of the other side."""

    type: Literal["control_response"]

    response: ControlResponse


class SuccessResponse(TypedDict):
    """The request was served."""

    subtype: Literal["success"]

    request_id: str

    response: NotRequired[Any]
    """The payload, whose type follows from the request. A bare acknowledgement may have none."""

    pending_permission_requests: NotRequired[list[PendingRequest] | None]
    """On the answer to `initialize`: permission requests that are still open."""

    pending_user_dialog_requests: NotRequired[list[PendingRequest] | None]
    """On the answer to `initialize`: dialogs that are still open."""

    pending_elicitation_requests: NotRequired[list[PendingRequest] | None]
    """On the answer to `initialize`: questions of MCP servers that are still open."""


class PendingRequest(TypedDict):
    """A request that was made before and is still open: the whole frame, to be served like a new one."""

    request_id: str

    request: AgentRequest

    type: NotRequired[str | None]
    """`control_request`."""


class ErrorResponse(TypedDict):
    """The request was not served."""

    subtype: Literal["error"]

    request_id: str

    error: NotRequired[str | ErrorObject | None]

    pending_permission_requests: NotRequired[list[PendingRequest] | None]
    """On the answer to `initialize`: permission requests that are still open."""

    pending_user_dialog_requests: NotRequired[list[PendingRequest] | None]
    """On the answer to `initialize`: dialogs that are still open."""

    error_code: NotRequired[str | None]
    """A name for programs, such as `unsupported_request`."""

    pending_elicitation_requests: NotRequired[list[PendingRequest] | None]
    """On the answer to `initialize`: questions of MCP servers that are still open."""


class ControlCancelFrame(TypedDict):
    """The sender of a request no longer wants the answer. Nothing answers this."""

    type: Literal["control_cancel_request"]

    request_id: str


class ToolProgress(TypedDict):
    """A tool is still running."""

    type: Literal["tool_progress"]

    tool_use_id: str

    tool_name: NotRequired[str | None]

    parent_tool_use_id: NotRequired[str | None]

    elapsed_time_seconds: NotRequired[float | None]

    task_id: NotRequired[str | None]
    """The background task that the call became."""

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]

    heartbeat: NotRequired[bool | None]
    """Nothing new, only a sign of life."""

    subagent_type: NotRequired[str | None]

    subagent_retry: NotRequired[SubagentRetry | None]
    """The subagent behind the call waits to ask its model again."""


class SubagentRetry(TypedDict):
    """A subagent's model call failed and is tried again."""

    attempt: float

    agent_id: NotRequired[str | None]

    max_retries: NotRequired[float | None]

    retry_delay_ms: NotRequired[float | None]

    error_status: NotRequired[float | None]
    """The HTTP status; `null` if there was no answer."""

    error_category: NotRequired[str | None]


class ToolUseSummary(TypedDict):
    """What the last few tool calls did, in a line."""

    type: Literal["tool_use_summary"]

    summary: str

    preceding_tool_use_ids: NotRequired[list[str] | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]

    timestamp: NotRequired[str | None]


class AuthStatus(TypedDict):
    """The state of a login."""

    type: Literal["auth_status"]

    isAuthenticating: bool

    output: NotRequired[list[str] | None]
    """What the login printed, line by line."""

    error: NotRequired[str | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class RateLimitEvent(TypedDict):
    """How much of a subscription's limits is used."""

    type: Literal["rate_limit_event"]

    rate_limit_info: RateLimitInfo

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class RateLimitInfo(TypedDict):
    """The state of one of a subscription's limits after a call of the model."""

    status: RateLimitStatus

    resetsAt: NotRequired[float | None]
    """When the limit begins anew, in seconds since 1970."""

    rateLimitType: NotRequired[RateLimitType | None]

    overageStatus: NotRequired[RateLimitStatus | None]
    """Whether calls beyond the limit, paid one by one, are let through."""

    utilization: NotRequired[float | None]
    """The used part of the limit."""

    overageResetsAt: NotRequired[float | None]

    overageDisabledReason: NotRequired[OverageDisabledReason | None]

    isUsingOverage: NotRequired[bool | None]

    overageInUse: NotRequired[bool | None]

    overageEnabled: NotRequired[bool | None]

    surpassedThreshold: NotRequired[float | None]
    """The warning level that was passed, as a part of the limit."""

    limitScope: NotRequired[LimitScope | None]

    errorCode: NotRequired[RateLimitErrorCode | None]

    canUserPurchaseCredits: NotRequired[bool | None]

    hasChargeableSavedPaymentMethod: NotRequired[bool | None]


class PromptSuggestion(TypedDict):
    """A suggestion for the user's next prompt. After a `result`, at most one a turn."""

    type: Literal["prompt_suggestion"]

    suggestion: str

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class ConversationReset(TypedDict):
    """The conversation begins anew, such as after `/clear`. Frames after this one have another session id."""

    type: Literal["conversation_reset"]

    new_conversation_id: str

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]
    """That of the conversation that ended."""

    trigger: NotRequired[ResetTrigger | None]

    user_message_uuid: NotRequired[str | None]

    timestamp: NotRequired[str | None]


class ActiveGoal(TypedDict):
    """The goal that the agent works towards changed; `null` where there is none any more."""

    type: Literal["active_goal"]

    value: NotRequired[Goal | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class Goal(TypedDict):
    """A condition that the agent works towards until it holds."""

    condition: str

    iterations: NotRequired[float | None]

    set_at: NotRequired[float | None]

    tokens_at_start: NotRequired[float | None]

    last_reason: NotRequired[str | None]


class CommandLifecycle(TypedDict):
    """Where a host's message is on its way. Only for messages that were sent with a `uuid`."""

    type: Literal["command_lifecycle"]

    command_uuid: str
    """The message's `uuid`."""

    state: CommandState

    ran_ahead: NotRequired[bool | None]

    wakeup_source: NotRequired[WakeupSource | None]

    scheduled_for: NotRequired[Any]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class TranscriptMirror(TypedDict):
    """Lines of the session's transcript, for a host that keeps a copy of its own."""

    type: Literal["transcript_mirror"]

    filePath: str

    entries: list[Any]


class AutocompactState(TypedDict):
    """How near the conversation is to being compacted by itself. What it holds is not documented."""

    type: Literal["autocompact_state"]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class KeepAlive(TypedDict):
    """A keep-alive, in either direction. It has no answer."""

    type: Literal["keep_alive"]

    startup_mark: NotRequired[str | None]
    """How far the startup has come, for hosts that ask for it."""


class StreamlinedText(TypedDict):
    """The model's text in the short form that agents of a while ago could send."""

    type: Literal["streamlined_text"]

    text: NotRequired[str | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class StreamlinedToolUseSummary(TypedDict):
    """Tool calls in the short form that agents of a while ago could send."""

    type: Literal["streamlined_tool_use_summary"]

    tool_summary: NotRequired[str | None]

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class ErrorFrame(TypedDict):
    """What a host sent could not be understood. The conversation lives on."""

    type: Literal["error"]

    error: str | ErrorObject

    uuid: NotRequired[str | None]

    session_id: NotRequired[str | None]


class StatusChange(TypedDict):
    """The state of the session."""

    type: Literal["status"]

    status: SessionStatus

    since: int
    """Since when, in milliseconds since 1970."""

    message: NotRequired[str]
    """What it waits for or why it failed, for people."""

    sessionId: str


class TextGrowth(TypedDict):
    """The answer's text grew."""

    type: Literal["stream_delta"]

    text: str
    """What was added."""

    messageId: NotRequired[str]
    """The answer, as in `message.id` of `assistant`."""

    index: int
    """Which of the answer's blocks, from 0."""

    parentToolUseId: NotRequired[str]
    """The tool call that started the subagent; absent in the main conversation."""

    sessionId: str


class ThinkingGrowth(TypedDict):
    """The model's thinking grew."""

    type: Literal["thinking_delta"]

    text: str
    """What was added."""

    messageId: NotRequired[str]
    """The answer, as in `message.id` of `assistant`."""

    index: int
    """Which of the answer's blocks, from 0."""

    parentToolUseId: NotRequired[str]
    """The tool call that started the subagent; absent in the main conversation."""

    sessionId: str


class ToolInputGrowth(TypedDict):
    """The input of a tool call grew. The first one of a call may add nothing."""

    type: Literal["tool_input_delta"]

    text: str
    """What was added: a piece of JSON text."""

    toolUseId: str

    toolName: str

    messageId: NotRequired[str]
    """The answer, as in `message.id` of `assistant`."""

    index: int
    """Which of the answer's blocks, from 0."""

    parentToolUseId: NotRequired[str]
    """The tool call that started the subagent; absent in the main conversation."""

    sessionId: str


class PartialAnswer(TypedDict):
    """The answer so far, whole, for a client that missed its beginning. It replaces all deltas of that answer before it. Blocks that came as `assistant` are not in it."""

    type: Literal["partial"]

    blocks: list[PartialBlock]

    messageId: NotRequired[str]
    """The answer, as in `message.id` of `assistant`."""

    model: NotRequired[str]

    parentToolUseId: NotRequired[str]
    """The tool call that started the subagent; absent in the main conversation."""

    sessionId: str


class PartialBlock(TypedDict):
    """A block of an answer so far."""

    index: int
    """Which of the answer's blocks, from 0."""

    kind: PartialKind

    text: str
    """All of it so far: text, thinking, or the JSON text of a tool's input."""

    toolUseId: NotRequired[str]

    toolName: NotRequired[str]


class Queue(TypedDict):
    """The inputs that wait, all of them, in order. It comes whenever one is added, changed, moved, sent or taken out."""

    type: Literal["queue"]

    inputs: list[QueuedInput]

    sessionId: str


class QueuedInput(TypedDict):
    """An input that waits."""

    id: str

    text: str

    time: int
    """When it came, in milliseconds since 1970."""

    clientMessageId: NotRequired[str]

    images: NotRequired[list[ImageContent]]

    by: NotRequired[Actor]

    priority: NotRequired[InputPriority]


class Retry(TypedDict):
    """A call of the model failed and is tried again."""

    type: Literal["retry"]

    attempt: int
    """Which try failed, from 1."""

    maxRetries: NotRequired[int]

    delayMs: NotRequired[float]
    """How long until the next try, in milliseconds."""

    error: NotRequired[str]
    """Why it failed, such as `overloaded`."""

    httpStatus: NotRequired[int]
    """The HTTP status, where there was an answer."""

    parentToolUseId: NotRequired[str]
    """The call of the subagent whose model failed; absent in the main conversation."""

    sessionId: str


class Budget(TypedDict):
    """The session's cost compared with its budget. Where it is reached, a `permission_request` asks what to do."""

    type: Literal["budget"]

    spentUsd: float
    """What the session has cost so far, in US dollars."""

    state: BudgetState

    budgetUsd: NotRequired[float]
    """What it may cost; absent if there is no limit."""

    sessionId: str


class AgentProgress(TypedDict):
    """A passing sign of how work continues, as it came: a tool that still runs, a subagent's progress."""

    type: Literal["agent_progress"]

    event: FromAgent

    sessionId: str


class SessionUpdate(TypedDict):
    """A session is new, or something in its row of the list changed. Every client gets it, whatever it subscribed to."""

    type: Literal["session_update"]

    session: SessionInfo


class SessionInfo(TypedDict):
    """A session, for lists."""

    sessionId: str

    projectPath: str

    status: SessionStatus

    source: SessionSource

    title: str
    """The name it was given, or one made from the first prompt."""

    createdAt: int
    """When it began, in milliseconds since 1970."""

    updatedAt: int
    """When something last happened, in milliseconds since 1970."""

    lastSeq: int
    """The newest number of its sequence."""

    pending: int
    """How many decisions it waits for."""

    queued: int
    """How many inputs wait."""

    watchers: int
    """How many clients watch."""

    agent: NotRequired[str]

    agentVersion: NotRequired[str]

    agentSessionId: NotRequired[str]
    """The agent's own id of the conversation, where it is another than `sessionId`."""

    model: NotRequired[str]

    permissionMode: NotRequired[PermissionMode]

    firstPrompt: NotRequired[str]
    """The beginning of the first prompt."""

    lastText: NotRequired[str]
    """The beginning of the newest text."""

    gitBranch: NotRequired[str]

    turns: NotRequired[int]
    """How many turns it had."""

    costUsd: NotRequired[float]
    """What it has cost so far, in US dollars."""

    budgetUsd: NotRequired[float]

    contextTokens: NotRequired[int]
    """How much of the model's context is filled."""

    contextWindow: NotRequired[int]
    """The size of the model's context."""

    turnSince: NotRequired[int]
    """Since when the turn runs, in milliseconds since 1970."""

    archived: NotRequired[bool]

    error: NotRequired[str]
    """Why it failed, for people."""


class SessionDeleted(TypedDict):
    """A session was deleted. Every client gets it."""

    type: Literal["session_deleted"]

    sessionId: str


class RateLimitChange(TypedDict):
    """One of the limits of a subscription changed its state. Every client gets it."""

    type: Literal["rate_limit"]

    limit: RateLimitInfo

    sessionId: NotRequired[str]
    """The session whose agent reported it."""

    agent: NotRequired[str]


class InputAck(TypedDict):
    """The input is safe: it is stored, and runs once whatever happens."""

    type: Literal["input_ack"]

    sessionId: str

    inputId: str
    """The input's id."""

    state: InputState

    clientMessageId: NotRequired[str]

    position: NotRequired[int]
    """The place in the queue, from 0."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class InputRejected(TypedDict):
    """The input was not taken: nothing of it was stored, and it won't run. `input` gets this instead of `error`."""

    type: Literal["input_rejected"]

    code: ErrorCode

    message: str
    """What is wrong and what to do, for people."""

    sessionId: NotRequired[str]

    clientMessageId: NotRequired[str]

    retryAfterMs: NotRequired[int]
    """After how many milliseconds it is worth another try."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class SessionReply(TypedDict):
    """The current state of one session."""

    type: Literal["session"]

    sessionId: str

    snapshot: SessionSnapshot

    requestId: NotRequired[str]
    """The request's, where it had one."""


class SessionSnapshot(TypedDict):
    """The current state of a session."""

    session: SessionInfo

    lastSeq: int
    """The newest number of the session's sequence. After `subscribed` the `history_delta`s lead up to it."""

    pending: list[PermissionRequest]
    """All that is to be decided, oldest first."""

    queue: list[QueuedInput]
    """All inputs that wait, in order."""


class Subscribed(TypedDict):
    """This client watches the session from here on. What it missed follows as `history_delta`, and what grows as `partial`."""

    type: Literal["subscribed"]

    sessionId: str

    snapshot: SessionSnapshot

    requestId: NotRequired[str]
    """The request's, where it had one."""


class HistoryDelta(TypedDict):
    """Stored messages that a subscriber missed, oldest first: after `subscribe`, and after it was too slow."""

    type: Literal["history_delta"]

    sessionId: str

    messages: list[BridgeMessage]

    fromSeq: int

    toSeq: int

    more: bool
    """Whether further `history_delta`s follow."""

    cut: NotRequired[bool]
    """Whether older messages were left out because of `limit`: `get_history` gives them."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class HistoryPage(TypedDict):
    """Stored messages, oldest first."""

    type: Literal["history"]

    sessionId: str

    messages: list[BridgeMessage]

    fromSeq: NotRequired[int]
    """The number of the first message here; absent where there is none."""

    toSeq: NotRequired[int]
    """The number of the last message here."""

    more: bool
    """Whether there are more in the direction that was asked for."""

    lastSeq: int
    """The newest number of the session's sequence."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class SessionList(TypedDict):
    """The sessions that the bridge holds; those that wait for a user first, then the newest."""

    type: Literal["session_list"]

    sessions: list[SessionInfo]

    requestId: NotRequired[str]
    """The request's, where it had one."""


class RecentSessions(TypedDict):
    """Sessions of all times, newest first."""

    type: Literal["recent_sessions"]

    sessions: list[SessionInfo]

    more: bool

    requestId: NotRequired[str]
    """The request's, where it had one."""


class SearchResults(TypedDict):
    """Where the words were found, best first."""

    type: Literal["search_results"]

    query: str

    hits: list[SearchHit]

    more: bool

    requestId: NotRequired[str]
    """The request's, where it had one."""


class SearchHit(TypedDict):
    """A place where the words were found."""

    sessionId: str

    excerpt: str
    """The text around, with the words between U+E000 and U+E001."""

    seq: NotRequired[int]
    """The message; absent where the session is only in a transcript."""

    time: NotRequired[int]

    kind: NotRequired[str]
    """The kind of the message, such as `assistant`."""

    title: NotRequired[str]

    projectPath: NotRequired[str]


class ExportedSession(TypedDict):
    """A session as a document."""

    type: Literal["export"]

    sessionId: str

    format: ExportFormat

    name: str
    """A name for the file."""

    content: str

    requestId: NotRequired[str]
    """The request's, where it had one."""


class ContextReport(TypedDict):
    """What fills the agent's context."""

    type: Literal["context"]

    sessionId: str

    tokens: int
    """How many tokens are used."""

    window: NotRequired[int]
    """The size of the model's context."""

    model: NotRequired[str]

    shares: NotRequired[list[ContextShare]]
    """What they are used for, if the agent reports it."""

    compactAt: NotRequired[int]
    """At how many tokens the agent compacts by itself."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class ContextShare(TypedDict):
    """A share of the context."""

    name: str

    tokens: int

    free: NotRequired[bool]
    """Whether it is free, or held back, and not used."""


class McpServers(TypedDict):
    """The MCP servers of a session's agent."""

    type: Literal["mcp_servers"]

    sessionId: str

    servers: list[McpServerInfo]

    requestId: NotRequired[str]
    """The request's, where it had one."""


class McpServerInfo(TypedDict):
    """An MCP server."""

    name: str

    status: McpServerState

    error: NotRequired[str]
    """What is wrong with it."""

    transport: NotRequired[str]
    """How the agent reaches it: `stdio`, `http`, `sse` or `sdk`."""

    tools: NotRequired[int]
    """How many tools it has."""


class McpSignIn(TypedDict):
    """Where the user signs in to an MCP server."""

    type: Literal["mcp_sign_in"]

    sessionId: str

    server: str

    url: str
    """The page to open."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class Agents(TypedDict):
    """The agents that a session can be started with."""

    type: Literal["agents"]

    agents: list[AgentChoice]

    defaultAgent: str

    requestId: NotRequired[str]
    """The request's, where it had one."""


class Commands(TypedDict):
    """Slash commands, for completion."""

    type: Literal["commands"]

    commands: list[SlashCommand]

    sessionId: NotRequired[str]

    agents: NotRequired[list[AgentInfo]]
    """Kinds of subagents, for completion after `@`."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class AgentInfo(TypedDict):
    """A subagent that the model can call."""

    name: NotRequired[str | None]

    description: NotRequired[str | None]

    model: NotRequired[str | None]


class Models(TypedDict):
    """The models that a session can use. Others may work too."""

    type: Literal["models"]

    models: list[ModelInfo]

    sessionId: NotRequired[str]

    model: NotRequired[str]
    """The one in use."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class ModelInfo(TypedDict):
    """A model that can be chosen."""

    value: NotRequired[str | None]
    """What `set_model` takes."""

    displayName: NotRequired[str | None]

    description: NotRequired[str | None]

    supportsEffort: NotRequired[bool | None]

    supportedEffortLevels: NotRequired[list[EffortLevel] | None]

    supportsAdaptiveThinking: NotRequired[bool | None]

    supportsFastMode: NotRequired[bool | None]

    supportsAutoMode: NotRequired[bool | None]

    resolvedModel: NotRequired[str | None]
    """The model that an alias denotes."""

    supportsThinkingOff: NotRequired[bool | None]


class Directory(TypedDict):
    """What is in a folder: folders first, by name."""

    type: Literal["directory"]

    path: str
    """Absolute, with symlinks resolved; empty for the list of roots."""

    entries: list[DirectoryEntry]

    parent: NotRequired[str]
    """The folder above, where that may be listed."""

    cut: NotRequired[bool]
    """Whether there were too many to list all."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class DirectoryEntry(TypedDict):
    """Something in a folder."""

    name: str

    path: str

    kind: EntryKind

    git: NotRequired[bool]
    """Whether it is a git repository."""

    sessions: NotRequired[int]
    """How many sessions the bridge knows there."""


class Files(TypedDict):
    """Files of a project, best match first."""

    type: Literal["files"]

    root: str
    """The project's folder."""

    files: list[FileMatch]

    more: bool
    """Whether there are more."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class FileMatch(TypedDict):
    """A file that fits."""

    path: str
    """From the project's folder."""

    positions: NotRequired[list[int]]
    """Which characters of the path matched, from 0."""

    directory: NotRequired[bool]
    """Whether it is a folder."""


class FileContent(TypedDict):
    """A file, or some lines of it."""

    type: Literal["file"]

    path: str
    """Absolute, with symlinks resolved."""

    size: int
    """In bytes."""

    encoding: FileEncodingName

    content: str

    mediaType: str
    """Such as `text/plain` or `image/png`."""

    line: NotRequired[int]
    """The number of the first line given, from 1."""

    lines: NotRequired[int]
    """How many lines are given."""

    more: bool
    """Whether something is left out after this."""

    modified: NotRequired[int]
    """When it was last changed, in milliseconds since 1970."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class Diff(TypedDict):
    """What changed in a working tree. Nothing was written to find out, not even git's index."""

    type: Literal["diff"]

    root: str
    """The working tree."""

    files: list[DiffFile]

    staged: bool

    branch: NotRequired[str]

    cut: bool
    """Whether there was too much to show all."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class DiffFile(TypedDict):
    """A file that changed."""

    path: str
    """From the working tree's folder."""

    change: FileChangeKind

    hunks: list[DiffHunk]

    oldPath: NotRequired[str]
    """What it was called before."""

    added: int

    removed: int

    binary: NotRequired[bool]

    cut: NotRequired[bool]
    """Whether there was too much to show all."""


class DiffHunk(TypedDict):
    """A run of changed lines."""

    oldStart: int

    oldLines: int

    newStart: int

    newLines: int

    lines: list[str]
    """Each begins with a space, `-`, `+`, or `\\` for a note."""

    heading: NotRequired[str]
    """The function or section that it is in."""


class GitState(TypedDict):
    """The branch of a project, and which files changed."""

    type: Literal["git_status"]

    root: str
    """The working tree."""

    changes: list[GitChange]

    branch: NotRequired[str]
    """Absent where no branch is checked out."""

    commit: NotRequired[str]
    """The commit that is checked out; absent before the first."""

    upstream: NotRequired[str]

    ahead: NotRequired[int]
    """Commits that the upstream does not have."""

    behind: NotRequired[int]
    """Commits that only the upstream has."""

    cut: NotRequired[bool]
    """Whether there were too many changes to list all."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class GitChange(TypedDict):
    """A file that changed."""

    path: str
    """From the working tree's folder."""

    staged: NotRequired[FileChangeKind]

    unstaged: NotRequired[FileChangeKind]

    oldPath: NotRequired[str]
    """What it was called before."""


class TrustReport(TypedDict):
    """What a folder provides that changes what agents do there, and whether the user trusts it."""

    type: Literal["trust"]

    projectPath: str
    """The folder, with symlinks resolved."""

    state: TrustState

    digest: str
    """Identifies exactly what `items` lists. `trust_folder` takes it."""

    items: list[TrustItem]
    """Everything that the folder provides, and with the state `changed` also what it no longer provides. Texts come from the folder's files as they are: escape control characters before you show them."""

    problems: NotRequired[list[str]]
    """Files that could not be read or understood, with the reason."""

    by: NotRequired[str]
    """How the folder was trusted before: `cli`, `ui`, `reference`."""

    at: NotRequired[str]
    """When the folder was trusted before, as RFC 3339."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class TrustItem(TypedDict):
    """Something that a folder provides."""

    kind: str
    """What it is, such as `hook`, `allow-rule`, `variable`, `server`, `skill`, `agent`."""

    name: str
    """Such as the event of a hook, a rule, the name of a variable or server."""

    detail: str
    """What it does: the command, the value, the command line or URL, the rights."""

    heading: NotRequired[str]
    """The heading of its kind, for people."""

    source: NotRequired[str]
    """The file and line that it comes from."""

    change: NotRequired[TrustChange]
    """How it differs from what the user trusted before."""


class BridgeStatus(TypedDict):
    """The state of the bridge: whether it works, what waits, and what it uses."""

    type: Literal["bridge_status"]

    version: str
    """The bridge's version."""

    startedAt: int
    """When it was started, in milliseconds since 1970."""

    time: int
    """The bridge's clock, in milliseconds since 1970."""

    readiness: Readiness

    sessions: list[SessionInfo]
    """The sessions that the bridge holds; those that wait for a user first, then the newest."""

    waiting: list[PendingDecision]
    """What sessions wait for, oldest first."""

    clients: list[ClientCount]
    """The connected clients, by kind."""

    load: BridgeLoad

    storage: BridgeStorage

    failures: list[FailureTotal]
    """How often each kind of failure happened since the bridge was started. Kinds that did not happen are left out."""

    recentFailures: list[FailureNote]
    """The latest failures, oldest first."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class Readiness(TypedDict):
    """Whether the bridge can do its work. `GET /readyz` returns this too."""

    ready: bool
    """Whether all checks passed."""

    checks: list[ReadinessCheck]


class ReadinessCheck(TypedDict):
    """A check of readiness."""

    check: ReadinessSubject

    ok: bool

    message: NotRequired[str]
    """What is wrong, for people."""


class PendingDecision(TypedDict):
    """A decision that a session waits for."""

    sessionId: str

    id: str
    """What `approve` and the others take."""

    kind: PermissionKind

    toolName: str

    since: int
    """Since when, in milliseconds since 1970."""

    title: NotRequired[str]
    """A short line for people."""


class ClientCount(TypedDict):
    """How many clients of a kind are connected."""

    kind: str
    """A paired device or a program."""

    transport: str
    """`websocket` or `events`."""

    count: int


class BridgeLoad(TypedDict):
    """What the bridge's process uses, and what waits in it."""

    logWaitingBytes: int
    """Bytes that wait to be written to the log."""

    queuedInputs: int
    """Inputs that wait in the queues of sessions."""

    memoryBytes: NotRequired[int]
    """Memory of the bridge's process, in bytes; absent where the system does not report it."""

    openFiles: NotRequired[int]
    """Open files of the bridge's process, sockets included."""

    openFilesLimit: NotRequired[int]
    """How many files it may open."""


class BridgeStorage(TypedDict):
    """What the data folder takes of its disk."""

    databaseBytes: int
    """Bytes of the event log's database."""

    spoolBytes: int
    """Bytes of agents' output that is not in the log yet, or not deleted since."""

    availableBytes: NotRequired[int]
    """Bytes that the bridge can still write."""

    totalBytes: NotRequired[int]
    """Bytes that the disk has."""


class FailureTotal(TypedDict):
    """How often a kind of failure happened."""

    kind: str
    """As in the metric `aqueduct_failures_total`."""

    count: int

    message: NotRequired[str]
    """What happened and what was done about it, for people."""


class FailureNote(TypedDict):
    """A failure."""

    time: int
    """When it happened, in milliseconds since 1970."""

    kind: str

    error: str
    """Why it happened, for people."""

    sessionId: NotRequired[str]
    """The session that it is about."""


class AgentStderr(TypedDict):
    """What the session's agent wrote to its stderr. The newest lines are kept, at least 256 KiB, as long as the agent runs; `agent_exited` has the end of it afterwards."""

    type: Literal["stderr"]

    sessionId: str

    lines: list[StderrLine]
    """Whole lines, oldest first."""

    nextOffset: int
    """What `sinceOffset` takes to continue."""

    run: NotRequired[str]
    """The agent's process, by a name of the bridge; absent if none runs."""

    more: bool
    """Whether more is there already."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class StderrLine(TypedDict):
    """A line of stderr."""

    time: int
    """When it was written, in milliseconds since 1970."""

    text: str


UsageSummary = TypedDict(
    "UsageSummary",
    {
        "type": 'Literal["usage"]',
        "from": 'str',
        "to": 'str',
        # One for each day, project and model.
        "rows": 'list[UsageRow]',
        # All together, in US dollars.
        "costUsd": 'float',
        # The newest state of each limit.
        "rateLimits": 'list[RateLimitInfo]',
        # The request's, where it had one.
        "requestId": 'NotRequired[str]',
    },
)
"""What was used."""


class UsageRow(TypedDict):
    """What one model used in one project on one day."""

    day: str
    """As `2026-01-31`, in the bridge's time zone."""

    projectPath: str

    model: str

    costUsd: float

    inputTokens: int

    outputTokens: int

    cacheReadTokens: int

    cacheWriteTokens: int

    turns: int


class Devices(TypedDict):
    """The devices that have access."""

    type: Literal["devices"]

    devices: list[DeviceInfo]

    requestId: NotRequired[str]
    """The request's, where it had one."""


class Pairing(TypedDict):
    """A link that pairs one device, once."""

    type: Literal["pairing"]

    link: str
    """Open it on the device. The code is behind the `#`, so that it is sent to no server."""

    code: str

    expiresAt: int
    """Until when, in milliseconds since 1970."""

    qr: NotRequired[str]
    """The link as a QR code, in SVG."""

    scope: NotRequired[AccessScope]
    """What the device may do."""

    requestId: NotRequired[str]
    """The request's, where it had one."""


class PairRequest(TypedDict):
    """Pair with a pairing code. Needs no token."""

    code: str
    """What is behind `#pair=` in the link."""

    name: NotRequired[str]
    """What to call the device."""

    kind: NotRequired[ActorKind]
    """What it is: `device` if absent, `token` for a program."""

    publicKey: NotRequired[str]
    """The public half of an ECDSA key on P-256 that the device signs in with: the uncompressed point (WebCrypto's `raw`), in base64url without padding. A device with a key gets no token."""


class Paired(TypedDict):
    """The device has access."""

    device: DeviceInfo

    token: NotRequired[str]
    """The device's token, unless it has a key. It is returned only here."""


class ChallengeRequest(TypedDict):
    """Requests a challenge for a device that has a key. Needs no token."""

    deviceId: str


class Challenge(TypedDict):
    """A challenge to sign. It is good for one use. A device that is not known gets one as well."""

    challenge: str

    expiresInMs: int
    """How long it can be answered, in milliseconds."""


class AccessTokenRequest(TypedDict):
    """Signs a device in with its key. Needs no token, but the header `Origin`."""

    deviceId: str

    challenge: str

    signature: str
    """ECDSA with SHA-256 over four lines joined by LF: `aqueduct sign-in v1`, the page's origin, the device's id and the challenge. Both numbers one after the other (IEEE P1363), in base64url without padding."""


class AccessToken(TypedDict):
    """A token for a while. It belongs to the device, and to pages of the origin that it was issued for."""

    token: str

    expiresInMs: int
    """How long it is good for, in milliseconds. A WebSocket that was opened with it stays open."""


class TicketRequest(TypedDict):
    """Requests a ticket for a path: an image of a message, or a session as a document."""

    path: str
    """The path, such as `/api/v1/sessions/ID/export/html`, without a query."""


class Ticket(TypedDict):
    """A ticket: it reads one path once, for pages that can set no header, such as for a download."""

    url: str
    """The path with the ticket in its query."""

    expiresInMs: int
    """How long it can be used, in milliseconds."""

ClientMessage: TypeAlias = (
    Start
    | ResumeSession
    | StopSession
    | SendInput
    | Interrupt
    | Approve
    | ApproveAlways
    | Reject
    | AnswerQuestion
    | UpdateQueuedInput
    | CancelQueuedInput
    | MoveQueuedInput
    | SendQueuedInput
    | Subscribe
    | Unsubscribe
    | GetHistory
    | GetSession
    | ListSessions
    | ListRecentSessions
    | Search
    | SetPermissionMode
    | SetModel
    | SetBudget
    | RenameSession
    | ArchiveSession
    | DeleteSession
    | ExpireSession
    | ExportSession
    | GetContext
    | ListMcpServers
    | SignInMcpServer
    | FinishMcpSignIn
    | SignOutMcpServer
    | ListAgents
    | ListCommands
    | ListModels
    | ListDirectory
    | ListFiles
    | ReadFile
    | GetDiff
    | GetGitStatus
    | GetTrust
    | TrustFolder
    | DistrustFolder
    | GetStatus
    | GetStderr
    | GetUsage
    | ListDevices
    | RevokeDevice
    | RenameDevice
    | PairDevice
    | SubscribePush
    | UnsubscribePush
    | TestPush
    | PingMessage
)
"""What a client asks of the bridge."""

ContentBlock: TypeAlias = (
    TextBlock
    | ThinkingBlock
    | RedactedThinkingBlock
    | ToolUseBlock
    | ToolResultBlock
    | MediaBlock
    | MediaBlockContentBlock
    | ToolUseBlockContentBlock
    | ServerToolResultBlock
    | ServerToolResultBlockContentBlock
    | ServerToolResultBlockContentBlockCodeExecutionToolResult
    | ServerToolResultBlockContentBlockAdvisorToolResult
    | McpToolUseBlock
    | ToolResultBlockContentBlock
    | ContainerUploadBlock
    | SearchResultBlock
    | ToolReferenceBlock
    | FallbackBlock
)
"""A part of a message's content."""

Citation: TypeAlias = (
    CharLocation
    | PageLocation
    | BlockLocation
    | WebSearchResultLocation
    | SearchResultLocation
)
"""The place a claim was taken from."""

MediaSource: TypeAlias = (
    Base64Source
    | UrlSource
    | TextSource
    | ContentSource
    | FileSource
)
"""Where an image's or a document's bytes are."""

PermissionUpdate: TypeAlias = (
    RulesUpdate
    | RulesUpdatePermissionUpdate
    | RulesUpdatePermissionUpdateRemoveRules
    | ModeUpdate
    | DirectoriesUpdate
    | DirectoriesUpdatePermissionUpdate
)
"""A change to what is allowed. An agent suggests some with a permission request; a host sends back the ones the user chose."""

BridgeMessage: TypeAlias = (
    Hello
    | Done
    | ErrorReply
    | PongMessage
    | SystemNote
    | UserInput
    | Assistant
    | ToolOutput
    | TurnResult
    | PermissionRequestBridgeMessage
    | PermissionResolved
    | AgentEvent
    | StatusChange
    | TextGrowth
    | ThinkingGrowth
    | ToolInputGrowth
    | PartialAnswer
    | Queue
    | Retry
    | Budget
    | AgentProgress
    | SessionUpdate
    | SessionDeleted
    | RateLimitChange
    | InputAck
    | InputRejected
    | SessionReply
    | Subscribed
    | HistoryDelta
    | HistoryPage
    | SessionList
    | RecentSessions
    | SearchResults
    | ExportedSession
    | ContextReport
    | McpServers
    | McpSignIn
    | Agents
    | Commands
    | Models
    | Directory
    | Files
    | FileContent
    | Diff
    | GitState
    | TrustReport
    | BridgeStatus
    | AgentStderr
    | UsageSummary
    | Devices
    | Pairing
)
"""Messages from the bridge to a client."""

FromAgent: TypeAlias = (
    StreamEventFrame
    | AssistantFrame
    | UserFrame
    | SystemInit
    | CompactBoundary
    | SystemStatus
    | HookStarted
    | HookProgress
    | HookResponse
    | TaskStarted
    | TaskProgress
    | TaskUpdated
    | TaskNotification
    | BackgroundTasksChanged
    | SessionStateChanged
    | SessionTitleChanged
    | SessionWritesLost
    | SessionMetadata
    | WorkerShuttingDown
    | MirrorError
    | FilesPersisted
    | MemoryRecall
    | ApiRetry
    | ControlRequestProgress
    | ModelFallback
    | ModelRefusalFallback
    | ModelRefusalNoFallback
    | PermissionDenied
    | LocalCommandOutput
    | Informational
    | Notification
    | ThinkingTokens
    | CommandsChanged
    | ElicitationComplete
    | PluginInstall
    | PostTurnSummary
    | TaskSummary
    | PlainNotice
    | PlainNoticeSystemFrame
    | PlainNoticeSystemFrameFeedbackDraftQueued
    | PlainNoticeSystemFrameCloudSessionDelta
    | PlainNoticeSystemFrameDevIntent
    | PlainNoticeSystemFrameTurnHandoffAvailable
    | PlainNoticeSystemFrameTurnPreempted
    | PlainNoticeSystemFramePeerMessageHold
    | PlainNoticeSystemFramePerTurnEffortChanged
    | PlainNoticeSystemFrameInstructionSizeWarning
    | PlainNoticeSystemFrameFileAttachmentsMissing
    | PlainNoticeSystemFramePermissionCheckStatus
    | PlainNoticeSystemFrameInheritedAsksSettled
    | PlainNoticeSystemFrameUiLog
    | PlainNoticeSystemFrameUiToast
    | PlainNoticeSystemFrameUiStatus
    | PlainNoticeSystemFrameUiInvalidate
    | PlainNoticeSystemFrameUiPanes
    | PlainNoticeSystemFrameUiPlaced
    | PlainNoticeSystemFrameUiScroll
    | PlainNoticeSystemFrameUiFocus
    | ResultFrame
    | AgentRequestFrame
    | ControlResponseFrame
    | ControlCancelFrame
    | ToolProgress
    | ToolUseSummary
    | AuthStatus
    | RateLimitEvent
    | PromptSuggestion
    | ConversationReset
    | ActiveGoal
    | CommandLifecycle
    | TranscriptMirror
    | AutocompactState
    | KeepAlive
    | StreamlinedText
    | StreamlinedToolUseSummary
    | ErrorFrame
)
"""A frame on the agent's stdout."""

StreamEvent: TypeAlias = (
    MessageStart
    | ContentBlockStart
    | ContentBlockDelta
    | ContentBlockStop
    | MessageDelta
    | MessageStop
    | Ping
    | ErrorEvent
)
"""An event of the model's stream."""

Delta: TypeAlias = (
    TextDelta
    | ThinkingDelta
    | SignatureDelta
    | InputJsonDelta
    | CitationsDelta
)
"""What a block grows by."""

Origin: TypeAlias = (
    PlainOrigin
    | ChannelOrigin
    | PeerOrigin
    | TaskNotificationOrigin
    | PlainOriginOrigin
    | PlainOriginOriginUnclassified
    | ObserverOrigin
    | PlainOriginOriginAutoContinuation
    | PlainOriginOriginObserverActivity
)
"""Where a user message comes from. What a host sends on its message is repeated on the turn's `result`."""

SystemFrame: TypeAlias = (
    SystemInit
    | CompactBoundary
    | SystemStatus
    | HookStarted
    | HookProgress
    | HookResponse
    | TaskStarted
    | TaskProgress
    | TaskUpdated
    | TaskNotification
    | BackgroundTasksChanged
    | SessionStateChanged
    | SessionTitleChanged
    | SessionWritesLost
    | SessionMetadata
    | WorkerShuttingDown
    | MirrorError
    | FilesPersisted
    | MemoryRecall
    | ApiRetry
    | ControlRequestProgress
    | ModelFallback
    | ModelRefusalFallback
    | ModelRefusalNoFallback
    | PermissionDenied
    | LocalCommandOutput
    | Informational
    | Notification
    | ThinkingTokens
    | CommandsChanged
    | ElicitationComplete
    | PluginInstall
    | PostTurnSummary
    | TaskSummary
    | PlainNotice
    | PlainNoticeSystemFrame
    | PlainNoticeSystemFrameFeedbackDraftQueued
    | PlainNoticeSystemFrameCloudSessionDelta
    | PlainNoticeSystemFrameDevIntent
    | PlainNoticeSystemFrameTurnHandoffAvailable
    | PlainNoticeSystemFrameTurnPreempted
    | PlainNoticeSystemFramePeerMessageHold
    | PlainNoticeSystemFramePerTurnEffortChanged
    | PlainNoticeSystemFrameInstructionSizeWarning
    | PlainNoticeSystemFrameFileAttachmentsMissing
    | PlainNoticeSystemFramePermissionCheckStatus
    | PlainNoticeSystemFrameInheritedAsksSettled
    | PlainNoticeSystemFrameUiLog
    | PlainNoticeSystemFrameUiToast
    | PlainNoticeSystemFrameUiStatus
    | PlainNoticeSystemFrameUiInvalidate
    | PlainNoticeSystemFrameUiPanes
    | PlainNoticeSystemFrameUiPlaced
    | PlainNoticeSystemFrameUiScroll
    | PlainNoticeSystemFrameUiFocus
)
"""How the session and what runs in it fares."""

AgentRequest: TypeAlias = (
    CanUseToolRequest
    | HookCallbackRequest
    | McpMessageRequest
    | ElicitationRequest
    | UserDialogRequest
    | OauthTokenRefreshRequest
    | HostAuthTokenRefreshRequest
    | RemoteControlWorkSecretRequest
    | UiCopyRequest
    | UiPromptReadRequest
    | UiPromptFillRequest
    | UiPromptPaintRequest
    | UiPromptSuggestRequest
    | UiReadSelectionRequest
    | RemoteToolCallRequest
    | RemotePlumbingCallRequest
    | RemoteToolsProbeRequest
    | RemoteToolsReannounceRequest
)
"""A request of an agent to its host."""

HookInput: TypeAlias = (
    PreToolUseInput
    | PostToolUseInput
    | PostToolUseFailureInput
    | PostToolBatchInput
    | PermissionRequestInput
    | PermissionDeniedInput
    | UserPromptSubmitInput
    | UserPromptExpansionInput
    | SessionStartInput
    | SessionEndInput
    | StopInput
    | StopFailureInput
    | SubagentStartInput
    | SubagentStopInput
    | PreCompactInput
    | PostCompactInput
    | ModelSwitchInput
    | ModelSwitchInputHookInput
    | NotificationInput
    | SetupInput
    | TeammateIdleInput
    | TeamTaskInput
    | TeamTaskInputHookInput
    | ElicitationInput
    | ElicitationResultInput
    | ConfigChangeInput
    | WorktreeCreateInput
    | WorktreeRemoveInput
    | InstructionsLoadedInput
    | CwdChangedInput
    | FileChangedInput
    | DirectoryAddedInput
    | MessageDisplayInput
)
"""The input of a hook. Every event has the members `session_id`, `transcript_path` and `cwd`, and its own."""

ControlResponse: TypeAlias = (
    SuccessResponse
    | ErrorResponse
)
"""How a request was answered."""

DELIVERY: dict[str, Literal["stored", "live", "notice", "reply"]] = {
    "hello": "reply",
    "ok": "reply",
    "error": "reply",
    "pong": "reply",
    "system": "stored",
    "user_input": "stored",
    "assistant": "stored",
    "tool_result": "stored",
    "result": "stored",
    "permission_request": "stored",
    "permission_resolved": "stored",
    "agent_event": "stored",
    "status": "live",
    "stream_delta": "live",
    "thinking_delta": "live",
    "tool_input_delta": "live",
    "partial": "live",
    "queue": "live",
    "retry": "live",
    "budget": "live",
    "agent_progress": "live",
    "session_update": "notice",
    "session_deleted": "notice",
    "rate_limit": "notice",
    "input_ack": "reply",
    "input_rejected": "reply",
    "session": "reply",
    "subscribed": "reply",
    "history_delta": "reply",
    "history": "reply",
    "session_list": "reply",
    "recent_sessions": "reply",
    "search_results": "reply",
    "export": "reply",
    "context": "reply",
    "mcp_servers": "reply",
    "mcp_sign_in": "reply",
    "agents": "reply",
    "commands": "reply",
    "models": "reply",
    "directory": "reply",
    "files": "reply",
    "file": "reply",
    "diff": "reply",
    "git_status": "reply",
    "trust": "reply",
    "bridge_status": "reply",
    "stderr": "reply",
    "usage": "reply",
    "devices": "reply",
    "pairing": "reply",
}
"""How each kind of message of the bridge is delivered."""
