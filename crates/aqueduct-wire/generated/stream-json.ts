// Made from the tables of aqueduct-wire by `cargo xtask gen`. Do not edit.
//
// Frames that a coding agent and its host exchange, one JSON object a line. Kinds, members and
// names that are not listed here occur: give every switch a default, and keep what you pass on.

/** A frame on the agent's stdout. */
export type FromAgent =
  | ({ type: "stream_event" } & StreamEventFrame)
  | ({ type: "assistant" } & AssistantFrame)
  | ({ type: "user" } & UserFrame)
  | ({ type: "system" } & SystemFrame)
  | ({ type: "result" } & ResultFrame)
  | ({ type: "control_request" } & AgentRequestFrame)
  | ({ type: "control_response" } & ControlResponseFrame)
  | ({ type: "control_cancel_request" } & ControlCancelFrame)
  | ({ type: "tool_progress" } & ToolProgress)
  | ({ type: "tool_use_summary" } & ToolUseSummary)
  | ({ type: "auth_status" } & AuthStatus)
  | ({ type: "rate_limit_event" } & RateLimitEvent)
  | ({ type: "prompt_suggestion" } & PromptSuggestion)
  | ({ type: "conversation_reset" } & ConversationReset)
  | ({ type: "active_goal" } & ActiveGoal)
  | ({ type: "command_lifecycle" } & CommandLifecycle)
  | ({ type: "transcript_mirror" } & TranscriptMirror)
  | ({ type: "autocompact_state" } & AutocompactState)
  | ({ type: "keep_alive" } & KeepAlive)
  | ({ type: "streamlined_text" } & StreamlinedText)
  | ({ type: "streamlined_tool_use_summary" } & StreamlinedToolUseSummary)
  | ({ type: "error" } & ErrorFrame);

/** An event of the model's stream. Only sent where partial messages are asked for. */
export interface StreamEventFrame {
  event: StreamEvent;
  parent_tool_use_id?: string | null;
  uuid?: string | null;
  session_id?: string | null;
  /** The message that the event belongs to, also if the event itself does not contain it. */
  api_message_id?: string | null;
  /** On `message_start`: how long the first token took. */
  ttft_ms?: number | null;
  user_message_uuid?: string | null;
  user_message_uuids?: Array<string> | null;
  resume_reason?: string | null;
  thinking_display?: string | null;
  /** Blocks that were begun and will never be completed. */
  abandoned_blocks?: AbandonedBlocks | null;
  owed_rows?: unknown;
  text_runs_joined?: unknown;
}

/** An event of the model's stream. */
export type StreamEvent =
  | ({ type: "message_start" } & MessageStart)
  | ({ type: "content_block_start" } & ContentBlockStart)
  | ({ type: "content_block_delta" } & ContentBlockDelta)
  | ({ type: "content_block_stop" } & ContentBlockStop)
  | ({ type: "message_delta" } & MessageDelta)
  | ({ type: "message_stop" } & MessageStop)
  | ({ type: "ping" } & Ping)
  | ({ type: "error" } & ErrorEvent);

/** A message begins. Its content is empty and its usage is the opening one. */
export interface MessageStart {
  message: AssistantMessage;
}

/** A message of the model. In the reference's `assistant` frames it holds one block, and several frames share one `id`. */
export interface AssistantMessage {
  content: Array<ContentBlock>;
  id?: string | null;
  /** `message`. */
  type?: string | null;
  role?: string | null;
  /** `<synthetic>` where no model was asked. */
  model?: string | null;
  /** `null` until the message ends: in `assistant` frames of a model's answer it stays `null`. */
  stop_reason?: StopReason | null;
  stop_sequence?: string | null;
  /** The opening usage, whose output tokens are not final; the final one is on `result`. */
  usage?: Usage | null;
  /** `null` in every complete message seen so far; absent in a stream's opening one. */
  context_management?: unknown;
  container?: Container | null;
  stop_details?: unknown;
  diagnostics?: unknown;
}

/** A part of a message's content. */
export type ContentBlock =
  | ({ type: "text" } & TextBlock)
  | ({ type: "thinking" } & ThinkingBlock)
  | ({ type: "redacted_thinking" } & RedactedThinkingBlock)
  | ({ type: "tool_use" } & ToolUseBlock)
  | ({ type: "tool_result" } & ToolResultBlock)
  | ({ type: "image" } & MediaBlock)
  | ({ type: "document" } & MediaBlock)
  | ({ type: "server_tool_use" } & ToolUseBlock)
  | ({ type: "web_search_tool_result" } & ServerToolResultBlock)
  | ({ type: "web_fetch_tool_result" } & ServerToolResultBlock)
  | ({ type: "code_execution_tool_result" } & ServerToolResultBlock)
  | ({ type: "advisor_tool_result" } & ServerToolResultBlock)
  | ({ type: "mcp_tool_use" } & McpToolUseBlock)
  | ({ type: "mcp_tool_result" } & ToolResultBlock)
  | ({ type: "container_upload" } & ContainerUploadBlock)
  | ({ type: "search_result" } & SearchResultBlock)
  | ({ type: "tool_reference" } & ToolReferenceBlock)
  | ({ type: "fallback" } & FallbackBlock);

/** Text. */
export interface TextBlock {
  text: string;
  /** Where the text's claims come from. */
  citations?: Array<Citation> | null;
  cache_control?: CacheControl | null;
}

/** The place a claim was taken from. */
export type Citation =
  | ({ type: "char_location" } & CharLocation)
  | ({ type: "page_location" } & PageLocation)
  | ({ type: "content_block_location" } & BlockLocation)
  | ({ type: "web_search_result_location" } & WebSearchResultLocation)
  | ({ type: "search_result_location" } & SearchResultLocation);

/** Characters of a plain-text document. */
export interface CharLocation {
  cited_text: string;
  document_index?: number | null;
  document_title?: string | null;
  start_char_index?: number | null;
  /** The character after the last. */
  end_char_index?: number | null;
  file_id?: string | null;
}

/** Pages of a PDF. */
export interface PageLocation {
  cited_text: string;
  document_index?: number | null;
  document_title?: string | null;
  /** The first page is 1. */
  start_page_number?: number | null;
  /** The page after the last. */
  end_page_number?: number | null;
  file_id?: string | null;
}

/** Blocks of a document that is made of blocks. */
export interface BlockLocation {
  cited_text: string;
  document_index?: number | null;
  document_title?: string | null;
  start_block_index?: number | null;
  /** The block after the last. */
  end_block_index?: number | null;
  file_id?: string | null;
}

/** A page that a web search found. */
export interface WebSearchResultLocation {
  cited_text: string;
  url?: string | null;
  title?: string | null;
  /** To be sent back as it is. */
  encrypted_index?: string | null;
}

/** Blocks of a `search_result` block. */
export interface SearchResultLocation {
  cited_text: string;
  source?: string | null;
  title?: string | null;
  search_result_index?: number | null;
  start_block_index?: number | null;
  /** The block after the last. */
  end_block_index?: number | null;
}

/** A mark that lets the model's side keep the prompt up to here for the next call. */
export interface CacheControl {
  /** `ephemeral`. */
  type: string;
  /** How long it is kept: `5m` or `1h`. */
  ttl?: string | null;
}

/** What the model thought before it answered. The signature must be sent back unchanged. */
export interface ThinkingBlock {
  thinking: string;
  signature?: string | null;
}

/** Thinking that may not be shown, to be sent back as it is. */
export interface RedactedThinkingBlock {
  data: string;
}

/** A call of a tool, on this side (`tool_use`) or on the model's (`server_tool_use`). */
export interface ToolUseBlock {
  id: string;
  name: string;
  /** The arguments. Empty in a stream's `content_block_start`: they follow as deltas. */
  input: unknown;
  cache_control?: CacheControl | null;
  caller?: ToolCaller | null;
}

/** Who called a tool: the model itself (`direct`), or code that the model runs. */
export interface ToolCaller {
  type: string;
  /** The call whose code made this one. */
  tool_id?: string | null;
}

/** What a tool gave back. */
export interface ToolResultBlock {
  tool_use_id: string;
  /** A string or blocks; text and images mostly. */
  content?: string | Array<ContentBlock> | null;
  is_error?: boolean | null;
  cache_control?: CacheControl | null;
}

/** An image or a document. */
export interface MediaBlock {
  source: MediaSource;
  title?: string | null;
  /** What the model should know about the document beside its text. */
  context?: string | null;
  citations?: CitationsSwitch | null;
  cache_control?: CacheControl | null;
}

/** Where an image's or a document's bytes are. */
export type MediaSource =
  | ({ type: "base64" } & Base64Source)
  | ({ type: "url" } & UrlSource)
  | ({ type: "text" } & TextSource)
  | ({ type: "content" } & ContentSource)
  | ({ type: "file" } & FileSource);

/** Bytes in the frame itself. */
export interface Base64Source {
  data: string;
  media_type?: string | null;
}

/** Bytes elsewhere. */
export interface UrlSource {
  url: string;
}

/** A document that is plain text. */
export interface TextSource {
  data: string;
  media_type?: string | null;
}

/** A document made of blocks. */
export interface ContentSource {
  content: string | Array<ContentBlock>;
}

/** A file that was uploaded before. */
export interface FileSource {
  file_id: string;
}

/** Whether the model may cite from a document or a search result. */
export interface CitationsSwitch {
  enabled?: boolean | null;
}

/** What a tool on the model's side gave back. The content's shape is the tool's. */
export interface ServerToolResultBlock {
  tool_use_id: string;
  content: unknown;
  cache_control?: CacheControl | null;
  caller?: ToolCaller | null;
}

/** A call of a tool of an MCP server that the model's side is connected to. */
export interface McpToolUseBlock {
  id: string;
  name: string;
  input: unknown;
  server_name?: string | null;
  cache_control?: CacheControl | null;
}

/** A file put into the model's container. */
export interface ContainerUploadBlock {
  file_id: string;
  cache_control?: CacheControl | null;
}

/** A passage that a search found, to be cited. */
export interface SearchResultBlock {
  /** Where the passage is from; an address mostly. */
  source: string;
  title: string;
  content: string | Array<ContentBlock>;
  citations?: CitationsSwitch | null;
  cache_control?: CacheControl | null;
}

/** A tool that a tool search found. From here on the model may call it. */
export interface ToolReferenceBlock {
  tool_name: string;
  cache_control?: CacheControl | null;
}

/** A note that another model took over. */
export interface FallbackBlock {
  from?: unknown;
  to?: unknown;
}

/** Why the model stopped. */
export type StopReason =
  | "end_turn"
  | "tool_use"
  | "max_tokens"
  | "stop_sequence"
  | "pause_turn"
  | "refusal"
  | "model_context_window_exceeded"
  /** No word of a model: a hook has left its call to the host. */
  | "tool_deferred"
  | (string & {});

/** Tokens of one model call or one turn. On synthetic messages many members are `null`; at the end of a stream often only the output tokens are reported. */
export interface Usage {
  input_tokens?: number | null;
  output_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation?: CacheCreation | null;
  server_tool_use?: ServerToolUsage | null;
  /** Such as `standard`. */
  service_tier?: string | null;
  inference_geo?: string | null;
  /** One entry for each call of the model that the numbers add up. */
  iterations?: Array<unknown> | null;
  /** Such as `standard`. */
  speed?: string | null;
  output_tokens_details?: OutputTokensDetails | null;
  fallback_credit?: unknown;
}

/** Tokens written to the prompt cache, by how long they live there. */
export interface CacheCreation {
  ephemeral_5m_input_tokens?: number | null;
  ephemeral_1h_input_tokens?: number | null;
}

/** Calls of tools that ran on the model's side. */
export interface ServerToolUsage {
  web_search_requests?: number | null;
  web_fetch_requests?: number | null;
}

/** A breakdown of the output tokens. */
export interface OutputTokensDetails {
  thinking_tokens?: number | null;
}

/** The sandbox on the model's side in which its code runs. */
export interface Container {
  id: string;
  expires_at?: string | null;
  skills?: Array<unknown> | null;
}

/** A block begins. Its text or input is empty. */
export interface ContentBlockStart {
  index: number;
  content_block: ContentBlock;
}

/** A block grows. */
export interface ContentBlockDelta {
  index: number;
  delta: Delta;
}

/** What a block grows by. */
export type Delta =
  | ({ type: "text_delta" } & TextDelta)
  | ({ type: "thinking_delta" } & ThinkingDelta)
  | ({ type: "signature_delta" } & SignatureDelta)
  | ({ type: "input_json_delta" } & InputJsonDelta)
  | ({ type: "citations_delta" } & CitationsDelta);

/** More text. */
export interface TextDelta {
  text: string;
}

/** More thinking. */
export interface ThinkingDelta {
  thinking: string;
  estimated_tokens?: number | null;
}

/** The signature of a thinking block. */
export interface SignatureDelta {
  signature: string;
}

/** More of a tool's input, as a piece of JSON text. */
export interface InputJsonDelta {
  partial_json: string;
}

/** One more citation. */
export interface CitationsDelta {
  citation: Citation;
}

/** A block is complete. */
export interface ContentBlockStop {
  index: number;
}

/** What is known of the message at its end. */
export interface MessageDelta {
  delta: MessageChange;
  usage?: Usage | null;
  context_management?: unknown;
}

/** The members of the message that are known only at its end. */
export interface MessageChange {
  stop_reason?: StopReason | null;
  stop_sequence?: string | null;
  container?: Container | null;
  stop_details?: unknown;
}

/** The message is complete. */
export interface MessageStop {
}

/** Nothing but a sign of life. */
export interface Ping {
}

/** The stream broke. */
export interface ErrorEvent {
  error?: string | ErrorObject | null;
  request_id?: string | null;
}

/** An error with its kind, as the Messages API writes it. */
export interface ErrorObject {
  /** Such as `overloaded_error`. */
  type?: string | null;
  message?: string | null;
  details?: unknown;
}

/** The end of a stream that broke off: the blocks from here on are not to come. */
export interface AbandonedBlocks {
  api_message_id: string;
  from_block_index?: number | null;
}

/** A finished block of the model's answer. With partial messages it comes before the block's `content_block_stop`. */
export interface AssistantFrame {
  message: AssistantMessage;
  /** The call of the subagent that sends it; `null` for the main conversation. */
  parent_tool_use_id?: string | null;
  uuid?: string | null;
  session_id?: string | null;
  /** Set where the message's text is an error and no answer. */
  error?: ErrorName | null;
  /** The API's id of the call that gave this answer. */
  request_id?: string | null;
  /** The user message this answers. */
  user_message_uuid?: string | null;
  /** All user messages this answers, where several were taken together; at most 64. */
  user_message_uuids?: Array<string> | null;
  resume_reason?: string | null;
  resumed_from_incomplete_thinking?: boolean | null;
  /** Frames that this one replaces: they are to be taken back. */
  supersedes?: Array<string> | null;
  /** The answer was cut off by an interruption. */
  aborted?: boolean | null;
  agent_id?: string | null;
  subagent_type?: string | null;
  /** What the subagent was asked to do, in a few words. */
  task_description?: string | null;
  timestamp?: string | null;
  /** The numbers behind the text that `/context` prints. */
  context_usage?: ContextUsage | null;
  /** The numbers behind the text that `/usage` prints. */
  usage_report?: UsageReport | null;
  is_api_error_message?: boolean | null;
  /** The HTTP status of the failed call. */
  api_error_status?: number | null;
  /** The API's own word for the error, such as `invalid_request_error`. */
  api_error_type?: string | null;
  thinking_duration_ms?: number | null;
  thinking_display?: string | null;
  /** The slash command that was run here, without a model. */
  local_command_run?: LocalCommandRun | null;
  /** The command's output as the transcript keeps it. */
  local_command_source?: string | null;
  local_command_outcome?: LocalCommandOutcome | null;
  /** How the tools called here are named for people. */
  tool_use_meta?: Array<ToolUseMeta> | null;
  advisor_model?: string | null;
  api_error?: unknown;
  api_error_code?: unknown;
  api_error_origin?: unknown;
  api_error_params?: unknown;
  attribution_agent?: string | null;
  attribution_mcp_server?: string | null;
  attribution_mcp_tool?: string | null;
  attribution_plugin?: string | null;
  attribution_skill?: string | null;
  batch_tool_uses?: unknown;
  error_details?: unknown;
  historical?: boolean | null;
  is_meta?: boolean | null;
  is_virtual?: boolean | null;
  narration_hint?: unknown;
  narration_block_indexes?: unknown;
  refused_message_id?: string | null;
  wire_ingest_context?: unknown;
  wire_tool_inputs?: unknown;
}

/** Why a call of the model failed, in one word. It is on `assistant` frames that hold an error's text, on retries, and in the input of the hook that runs when a turn fails. */
export type ErrorName =
  | "authentication_failed"
  | "billing_error"
  | "rate_limit"
  | "invalid_request"
  | "server_error"
  | "unknown"
  | "max_output_tokens"
  | "oauth_org_not_allowed"
  | "account_on_hold"
  | "verification_required"
  | "overloaded"
  | "model_not_found"
  | "cloud_credential_error"
  | (string & {});

/** What fills the model's context: the numbers behind `/context`. */
export interface ContextUsage {
  model: string;
  total_tokens: number;
  /** The size of the model's context. */
  raw_max_tokens?: number | null;
  percentage?: number | null;
  over_limit?: OverLimit | null;
  categories?: Array<ContextCategory> | null;
  mcp_tools?: Array<ContextMcpTool> | null;
  memory_files?: Array<ContextMemoryFile> | null;
  agents?: Array<ContextAgent> | null;
  skills?: Array<ContextSkill> | null;
}

/** The context is fuller than it may be. */
export interface OverLimit {
  tokens_over: number;
  kind?: OverLimitKind | null;
}

/** Which limit was passed. */
export type OverLimitKind =
  | "hard_limit"
  | "compaction_window"
  | (string & {});

/** A part of the context. */
export interface ContextCategory {
  name: string;
  tokens: number;
  kind?: ContextCategoryKind | null;
}

/** What a part of the context is. */
export type ContextCategoryKind =
  | "used"
  | "free"
  /** Kept free for compaction. */
  | "buffer"
  /** Not in the context until it is asked for. */
  | "deferred"
  | (string & {});

/** What the description of an MCP tool takes. */
export interface ContextMcpTool {
  name: string;
  tokens: number;
  server_name?: string | null;
}

/** What a memory file takes. */
export interface ContextMemoryFile {
  path: string;
  tokens: number;
  type?: string | null;
}

/** What the description of a subagent takes. */
export interface ContextAgent {
  agent_type: string;
  tokens: number;
  source?: string | null;
}

/** What the description of a skill takes. */
export interface ContextSkill {
  name: string;
  tokens: number;
  source?: string | null;
  plugin_name?: string | null;
}

/** What a session has cost, and what is left of the subscription: the numbers behind `/usage`. */
export interface UsageReport {
  session: SessionUsage;
  /** `null` without a subscription. */
  rate_limits?: RateLimits | null;
}

/** What a session has used so far. */
export interface SessionUsage {
  total_cost_usd?: number | null;
  total_api_duration_ms?: number | null;
  total_duration_ms?: number | null;
  total_lines_added?: number | null;
  total_lines_removed?: number | null;
  model_usage?: Record<string, ModelUsage> | null;
}

/** What one model used since the process started. */
export interface ModelUsage {
  inputTokens?: number | null;
  outputTokens?: number | null;
  cacheReadInputTokens?: number | null;
  cacheCreationInputTokens?: number | null;
  webSearchRequests?: number | null;
  costUSD?: number | null;
  /** How many tokens the model can see at once. */
  contextWindow?: number | null;
  maxOutputTokens?: number | null;
  thinkingTokens?: number | null;
  cacheCreationEphemeral5mInputTokens?: number | null;
  cacheCreationEphemeral1hInputTokens?: number | null;
  /** The model's own name, where it is called by another. */
  canonicalModel?: string | null;
  /** Who serves the model, such as `firstParty`. */
  provider?: string | null;
  costBasis?: CostBasis | null;
}

/** Which prices a cost was computed with. */
export type CostBasis =
  | "list"
  | "managed"
  | "unknown"
  | (string & {});

/** All limits of a subscription. */
export interface RateLimits {
  limits?: Array<UsageLimit> | null;
  extra_usage?: ExtraUsage | null;
}

/** One limit of a subscription. */
export interface UsageLimit {
  kind: string;
  group?: string | null;
  percent?: number | null;
  resets_at?: string | null;
  scope?: UsageLimitScope | null;
  severity?: string | null;
  is_active?: boolean | null;
}

/** What a limit counts, where it does not count everything. */
export interface UsageLimitScope {
  model?: ScopeName | null;
  surface?: ScopeName | null;
}

/** A model or a program, for people. */
export interface ScopeName {
  display_name: string;
}

/** What may be bought beyond the limits, and what of it was. */
export interface ExtraUsage {
  is_enabled: boolean;
  monthly_limit?: number | null;
  used_credits?: number | null;
  utilization?: number | null;
  currency?: string | null;
}

/** A slash command that the agent answered itself. */
export interface LocalCommandRun {
  command: string;
  args?: string | null;
}

/** How a slash command ended. */
export interface LocalCommandOutcome {
  /** Such as `unavailable_headless`, for a command that needs a terminal. */
  kind?: string | null;
}

/** How a called tool is named for people. */
export interface ToolUseMeta {
  /** The call. */
  id: string;
  display_name?: string | null;
  server_display_name?: string | null;
  /** The tool's name on its server. */
  tool_name?: string | null;
}

/** A message of the user, or what tools gave back. The same frame goes both ways: a host sends it to begin a turn; an agent sends tool results, notices and, where asked, the host's messages again. */
export interface UserFrame {
  message: UserMessage;
  /** The call of the subagent that this belongs to; `null` for the main conversation. */
  parent_tool_use_id?: string | null;
  /** A host's message that has one gets `command_lifecycle` frames and can be cancelled. */
  uuid?: string | null;
  /** An agent takes its own, whatever a host sends here. */
  session_id?: string | null;
  /** Written by the program and not by a person. */
  isSynthetic?: boolean | null;
  /** A host's message that comes back, or one that was already part of the conversation. */
  isReplay?: boolean | null;
  /** The tool's output with its structure: see `aqueduct_wire::tool`. A string where the tool failed. */
  tool_use_result?: unknown;
  /** The text is to be taken literally: no slash command, no path expansion. */
  client_composed?: boolean | null;
  /** When a message that comes during a turn is served. */
  priority?: Priority | null;
  /** The sender; it is repeated on the turn's `result`. */
  origin?: Origin | null;
  /** `false` adds the message to the conversation without a turn. */
  shouldQuery?: boolean | null;
  timestamp?: string | null;
  agent_id?: string | null;
  subagent_type?: string | null;
  /** What the subagent was asked to do, in a few words. */
  task_description?: string | null;
  file_attachments?: Array<unknown> | null;
  /** How each tool call was decided. */
  tool_result_meta?: Array<ToolResultMeta> | null;
  /** Pasted parts that the message's text refers to. */
  pasted_content?: Array<string | Array<ContentBlock>> | null;
  inline_pastes?: Array<string> | null;
  mcp_meta?: unknown;
  is_compact_summary?: boolean | null;
  is_meta?: boolean | null;
  is_virtual?: boolean | null;
  is_visible_in_transcript_only?: boolean | null;
  source_tool_use_id?: string | null;
  source_tool_assistant_uuid?: string | null;
  interrupted_message_id?: string | null;
  /** The message of the model that its safeguards stopped. */
  refused_message_id?: string | null;
  /** Frames of the model that are not part of the conversation any more. */
  retracted_message_uuids?: Array<string> | null;
  permission_mode?: PermissionMode | null;
  plan_content?: string | null;
  summarize_metadata?: unknown;
  image_paste_ids?: Array<unknown> | null;
  historical?: boolean | null;
  initiator?: unknown;
  requeue_if_interrupted_within_ms?: number | null;
}

/** A message to the model: a prompt of the user, or results of tools. */
export interface UserMessage {
  content: string | Array<ContentBlock>;
  role?: string | null;
}

/** When a message that comes during a turn is served. */
export type Priority =
  | "now"
  | "next"
  | "later"
  | (string & {});

/** Where a user message comes from. What a host sends on its message is repeated on the turn's `result`. */
export type Origin =
  | ({ kind: "human" } & PlainOrigin)
  | ({ kind: "channel" } & ChannelOrigin)
  | ({ kind: "peer" } & PeerOrigin)
  | ({ kind: "task-notification" } & TaskNotificationOrigin)
  | ({ kind: "coordinator" } & PlainOrigin)
  | ({ kind: "unclassified" } & PlainOrigin)
  | ({ kind: "observer" } & ObserverOrigin)
  | ({ kind: "auto-continuation" } & PlainOrigin)
  | ({ kind: "observer-activity" } & PlainOrigin);

/** An origin of which only the kind is known. */
export interface PlainOrigin {
}

/** A message that an MCP server delivered. */
export interface ChannelOrigin {
  server: string;
}

/** A message of another agent. */
export interface PeerOrigin {
  from: string;
  fromMode?: PeerMode | null;
  name?: string | null;
  fromSession?: string | null;
  senderTaskId?: string | null;
  /** The message without what was put around it. */
  body?: string | null;
  verifiedPeerPid?: number | null;
}

/** Whether the sending agent asks for permission itself. */
export type PeerMode =
  | "bypass"
  | "prompting"
  | (string & {});

/** A background task ended, or something that was scheduled is due. */
export interface TaskNotificationOrigin {
  subkind?: NotificationSubkind | null;
  fireReason?: string | null;
  runId?: string | null;
  /** Such as `session-task`. */
  producer?: string | null;
}

/** What sent a notification, if it was not a task of the session. */
export type NotificationSubkind =
  | "scheduled-trigger"
  | "peer-send-message"
  | "projects-relay"
  | "session-inbox"
  | (string & {});

/** A message of an agent that watches this one. */
export interface ObserverOrigin {
  from: string;
  senderTaskId?: string | null;
}

/** How a tool call was decided. */
export interface ToolResultMeta {
  /** The call. */
  id: string;
  permission_decision?: ToolDecision | null;
  /** Why the tool did not run, such as `permission-rule` or `user-rejected`. */
  non_execution_kind?: string | null;
}

/** What was decided about a tool call, and by whom. */
export interface ToolDecision {
  decision?: ToolDecisionKind | null;
  /** Such as `config`, `hook`, `user_temporary` or `user_reject`. */
  source?: string | null;
  /** Such as `mode`, `rule`, `hook` or `subcommandResults`. */
  reason_type?: string | null;
}

/** Whether a tool call was let through. */
export type ToolDecisionKind =
  | "accept"
  | "reject"
  | (string & {});

/** How an agent treats a tool call that no rule decides. */
export type PermissionMode =
  /** Asks, except for what is harmless. */
  | "default"
  /** Lets file edits inside the working directories through. */
  | "acceptEdits"
  /** Lets everything through that no rule forbids. */
  | "bypassPermissions"
  /** Reads and plans; changes nothing. */
  | "plan"
  /** Never asks: what is not allowed is denied. */
  | "dontAsk"
  /** Asks like `default`; used where agents work in teams. */
  | "delegate"
  /** Lets a classifier decide. */
  | "auto"
  /** Another name for `default`, taken by the command line. */
  | "manual"
  | (string & {});

/** How the session and what runs in it fares. */
export type SystemFrame =
  | ({ subtype: "init" } & SystemInit)
  | ({ subtype: "compact_boundary" } & CompactBoundary)
  | ({ subtype: "status" } & SystemStatus)
  | ({ subtype: "hook_started" } & HookStarted)
  | ({ subtype: "hook_progress" } & HookProgress)
  | ({ subtype: "hook_response" } & HookResponse)
  | ({ subtype: "task_started" } & TaskStarted)
  | ({ subtype: "task_progress" } & TaskProgress)
  | ({ subtype: "task_updated" } & TaskUpdated)
  | ({ subtype: "task_notification" } & TaskNotification)
  | ({ subtype: "background_tasks_changed" } & BackgroundTasksChanged)
  | ({ subtype: "session_state_changed" } & SessionStateChanged)
  | ({ subtype: "session_title_changed" } & SessionTitleChanged)
  | ({ subtype: "session_writes_lost" } & SessionWritesLost)
  | ({ subtype: "session_metadata" } & SessionMetadata)
  | ({ subtype: "worker_shutting_down" } & WorkerShuttingDown)
  | ({ subtype: "mirror_error" } & MirrorError)
  | ({ subtype: "files_persisted" } & FilesPersisted)
  | ({ subtype: "memory_recall" } & MemoryRecall)
  | ({ subtype: "api_retry" } & ApiRetry)
  | ({ subtype: "control_request_progress" } & ControlRequestProgress)
  | ({ subtype: "model_fallback" } & ModelFallback)
  | ({ subtype: "model_refusal_fallback" } & ModelRefusalFallback)
  | ({ subtype: "model_refusal_no_fallback" } & ModelRefusalNoFallback)
  | ({ subtype: "permission_denied" } & PermissionDenied)
  | ({ subtype: "local_command_output" } & LocalCommandOutput)
  | ({ subtype: "informational" } & Informational)
  | ({ subtype: "notification" } & Notification)
  | ({ subtype: "thinking_tokens" } & ThinkingTokens)
  | ({ subtype: "commands_changed" } & CommandsChanged)
  | ({ subtype: "elicitation_complete" } & ElicitationComplete)
  | ({ subtype: "plugin_install" } & PluginInstall)
  | ({ subtype: "post_turn_summary" } & PostTurnSummary)
  | ({ subtype: "task_summary" } & TaskSummary)
  | ({ subtype: "code_change_published" } & PlainNotice)
  | ({ subtype: "vcs_state_changed" } & PlainNotice)
  | ({ subtype: "feedback_draft_queued" } & PlainNotice)
  | ({ subtype: "cloud_session_delta" } & PlainNotice)
  | ({ subtype: "dev_intent" } & PlainNotice)
  | ({ subtype: "turn_handoff_available" } & PlainNotice)
  | ({ subtype: "turn_preempted" } & PlainNotice)
  | ({ subtype: "peer_message_hold" } & PlainNotice)
  | ({ subtype: "per_turn_effort_changed" } & PlainNotice)
  | ({ subtype: "instruction_size_warning" } & PlainNotice)
  | ({ subtype: "file_attachments_missing" } & PlainNotice)
  | ({ subtype: "permission_check_status" } & PlainNotice)
  | ({ subtype: "inherited_asks_settled" } & PlainNotice)
  | ({ subtype: "ui_log" } & PlainNotice)
  | ({ subtype: "ui_toast" } & PlainNotice)
  | ({ subtype: "ui_status" } & PlainNotice)
  | ({ subtype: "ui_invalidate" } & PlainNotice)
  | ({ subtype: "ui_panes" } & PlainNotice)
  | ({ subtype: "ui_placed" } & PlainNotice)
  | ({ subtype: "ui_scroll" } & PlainNotice)
  | ({ subtype: "ui_focus" } & PlainNotice);

/** The session as it is now: it comes before every turn, and not before the first message. */
export interface SystemInit {
  session_id: string;
  uuid?: string | null;
  cwd?: string | null;
  /** The tools the model may call. The one that starts subagents is listed under its old name, `Task`. */
  tools?: Array<string> | null;
  mcp_servers?: Array<InitMcpServer> | null;
  model?: string | null;
  permissionMode?: PermissionMode | null;
  /** Commands a user can type, without the slash. */
  slash_commands?: Array<string> | null;
  output_style?: string | null;
  skills?: Array<string> | null;
  plugins?: Array<InitPlugin> | null;
  apiKeySource?: ApiKeySource | null;
  /** The agent's version, by which a host knows what to expect. */
  claude_code_version?: string | null;
  /** The kinds of subagents that can be started. */
  agents?: Array<string> | null;
  betas?: Array<string> | null;
  fast_mode_state?: FastModeState | null;
  fast_mode_disabled_reason?: string | null;
  /** Slash commands that only make sense in a terminal. */
  terminal_slash_commands?: Array<string> | null;
  plugin_errors?: Array<PluginError> | null;
  effort?: EffortLevel | null;
  view_mode?: ViewMode | null;
  capabilities?: Array<Capability> | null;
  analytics_disabled?: boolean | null;
  product_feedback_disabled?: boolean | null;
  memory_paths?: MemoryPaths | null;
  /** Where the process was started, whatever `cwd` is now. */
  original_cwd?: string | null;
  additional_directories?: Array<string> | null;
  messaging_socket_path?: string | null;
  per_turn_effort_active?: boolean | null;
  ultrathink_available?: boolean | null;
  ultrathink_typed_raises?: boolean | null;
  /** The messages that the turn serves. */
  user_message_uuids?: Array<string> | null;
  cloud_session?: unknown;
  footer_indicator?: unknown;
  mcp_server_errors?: unknown;
  plugin_warnings?: unknown;
  powershell_path?: string | null;
  scratchpad_path?: string | null;
  startup_timing?: unknown;
  worker_epoch?: unknown;
}

/** An MCP server of the session. */
export interface InitMcpServer {
  name: string;
  status?: McpServerState | null;
  /** Where the server comes from, such as `sdk` for one that lives in the host. */
  source?: string | null;
}

/** The state of a connection to a server. */
export type McpServerState =
  | "connected"
  | "failed"
  | "needs-auth"
  | "pending"
  | "disabled"
  | (string & {});

/** A plugin of the session. */
export interface InitPlugin {
  name: string;
  path?: string | null;
  version?: string | null;
  /** Name and marketplace, joined with `@`. */
  source?: string | null;
}

/** Where the key for the model comes from. */
export type ApiKeySource =
  /** The environment. */
  | "ANTHROPIC_API_KEY"
  /** A program that prints it. */
  | "apiKeyHelper"
  /** One that a login made. */
  | "/login managed key"
  | "none"
  | "user"
  | "project"
  | "org"
  | "temporary"
  | "oauth"
  | (string & {});

/** Whether answers come faster for more money. */
export type FastModeState =
  | "off"
  | "cooldown"
  | "on"
  | (string & {});

/** A plugin that could not be loaded. */
export interface PluginError {
  plugin: string;
  type?: string | null;
  message?: string | null;
  path?: string | null;
  managed_lock?: ManagedLock | null;
}

/** An organisation's setting that decides over a plugin. */
export interface ManagedLock {
  name: string;
  plugin_enabled?: boolean | null;
  marketplace?: string | null;
}

/** How hard a model thinks. */
export type EffortLevel =
  | "low"
  | "medium"
  | "high"
  | "xhigh"
  | "max"
  | (string & {});

/** How much of the work a terminal shows. */
export type ViewMode =
  | "focus"
  | "default"
  | (string & {});

/** Something a host can count on. An agent lists those that it honours, and a host looks here before it uses one. */
export type Capability =
  /** The answer to `interrupt` lists the messages that are still queued. */
  | "interrupt_receipt_v1"
  /** `interrupt` can drop the queued messages too. */
  | "interrupt_cancel_queued_v1"
  | "interrupt_send_now_v1"
  | "interrupt_requeue_taken_v1"
  /** Messages with a `uuid` get `command_lifecycle` frames. */
  | "msg_lifecycle_v1"
  | "lifecycle_wakeup_source_v1"
  | "request_marker_lists_v1"
  | "ask_user_question_unanswered_v1"
  | "sdk_mcp_tools_list_changed"
  | "sdk_mcp_manifests"
  | "mcp_read_resource_v1"
  | "mcp_tool_ui_meta_v1"
  | "mcp_call_result_not_for_model_v1"
  | "mcp_call_check_permissions_v1"
  | "ui_surface_v1"
  | "ui_pane_widget_v1"
  | "voice_call_talk_line_v1"
  | "withdrawn_files_note_v2"
  | "reload_plugins_refuse_if_busy_v1"
  | "queued_notifications"
  | (string & {});

/** Where the agent keeps what it remembers. */
export interface MemoryPaths {
  auto?: string | null;
}

/** The conversation before this was replaced by a summary, which follows as a `user` frame. */
export interface CompactBoundary {
  compact_metadata: CompactMetadata;
  uuid?: string | null;
  session_id?: string | null;
  /** The last message before the boundary. */
  logical_parent_uuid?: string | null;
}

/** What a compaction did. */
export interface CompactMetadata {
  trigger?: CompactTrigger | null;
  /** The context's size before. */
  pre_tokens?: number | null;
  /** The context's size after. */
  post_tokens?: number | null;
  duration_ms?: number | null;
  preserved_segment?: PreservedSegment | null;
  preserved_messages?: PreservedMessages | null;
  /** What all compactions of the session have taken out together. */
  cumulative_dropped_tokens?: number | null;
}

/** Who asked for a summary. */
export type CompactTrigger =
  | "manual"
  | "auto"
  | (string & {});

/** The messages that stay as they were, as a run from head to tail. */
export interface PreservedSegment {
  head_uuid?: string | null;
  /** The message that the run now follows. */
  anchor_uuid?: string | null;
  tail_uuid?: string | null;
}

/** The messages that stay as they were, one by one. */
export interface PreservedMessages {
  /** The message that the first of them now follows. */
  anchor_uuid?: string | null;
  uuids?: Array<string> | null;
  all_uuids?: Array<string> | null;
}

/** What the agent does between the frames, or that the permission mode changed: then `status` is `null` and the new mode is there. */
export interface SystemStatus {
  status?: Status | null;
  permissionMode?: PermissionMode | null;
  uuid?: string | null;
  session_id?: string | null;
  /** How the compaction ended that a `status` before this one began. */
  compact_result?: CompactResult | null;
  compact_error?: string | null;
  user_message_uuids?: Array<string> | null;
}

/** What the agent does. */
export type Status =
  /** It writes the summary that replaces the conversation. */
  | "compacting"
  /** It has asked the model and waits for the first token. Only reported with partial messages. */
  | "requesting"
  | (string & {});

/** How a compaction ended. */
export type CompactResult =
  | "success"
  | "failed"
  | (string & {});

/** A command hook begins. Hooks that live in the host have no such frames: they are called. */
export interface HookStarted {
  hook_id: string;
  /** The event and what it was matched with, joined with `:`. */
  hook_name?: string | null;
  hook_event?: HookEvent | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** The points of a conversation at which hooks run. */
export type HookEvent =
  /** Before a tool runs; may change its input or forbid it. */
  | "PreToolUse"
  | "PostToolUse"
  | "PostToolUseFailure"
  /** After all tools that the model called at once. */
  | "PostToolBatch"
  /** When the user would be asked; may answer instead. */
  | "PermissionRequest"
  | "PermissionDenied"
  /** Before a message of the user reaches the model. */
  | "UserPromptSubmit"
  /** When a slash command becomes the text that the model gets. */
  | "UserPromptExpansion"
  | "SessionStart"
  | "SessionEnd"
  /** When the model is done; may make it continue. */
  | "Stop"
  /** When a turn ends with an error of the API. */
  | "StopFailure"
  | "SubagentStart"
  | "SubagentStop"
  | "PreCompact"
  | "PostCompact"
  | "PreModelSwitch"
  | "PostModelSwitch"
  | "Notification"
  | "Setup"
  | "TeammateIdle"
  | "TaskCreated"
  | "TaskCompleted"
  /** When an MCP server asks the user something. */
  | "Elicitation"
  | "ElicitationResult"
  | "ConfigChange"
  | "WorktreeCreate"
  | "WorktreeRemove"
  | "InstructionsLoaded"
  | "CwdChanged"
  | "FileChanged"
  | "DirectoryAdded"
  /** While text is shown, piece by piece. */
  | "MessageDisplay"
  | (string & {});

/** What a command hook has printed so far. */
export interface HookProgress {
  hook_id: string;
  hook_name?: string | null;
  hook_event?: HookEvent | null;
  stdout?: string | null;
  stderr?: string | null;
  /** Both, as they came. */
  output?: string | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** A command hook ended. */
export interface HookResponse {
  hook_id: string;
  hook_name?: string | null;
  hook_event?: HookEvent | null;
  /** What it printed, stdout and stderr as they came. */
  output?: string | null;
  stdout?: string | null;
  stderr?: string | null;
  /** 2 of a hook that runs before a tool forbids the call. */
  exit_code?: number | null;
  outcome?: HookOutcome | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** How a hook ended. */
export type HookOutcome =
  | "success"
  | "error"
  | "cancelled"
  | (string & {});

/** A subagent, a shell command or a workflow begins to run on its own. */
export interface TaskStarted {
  task_id: string;
  description?: string | null;
  /** The call that started it. */
  tool_use_id?: string | null;
  /** Such as `local_agent`, `local_bash`, `local_workflow` or `mcp_task`. */
  task_type?: string | null;
  uuid?: string | null;
  session_id?: string | null;
  prompt?: string | null;
  /** Distinguishes the runs of one task. */
  run_id?: string | null;
  /** A subagent has started it. */
  owned_by_subagent?: boolean | null;
  subagent_type?: string | null;
  /** The conversation does not wait for it. */
  is_backgrounded?: boolean | null;
  spawn_depth?: number | null;
  parent_task_id?: string | null;
  workflow_name?: string | null;
  skip_transcript?: boolean | null;
  ambient?: boolean | null;
  awaited?: boolean | null;
}

/** A task is still running. */
export interface TaskProgress {
  task_id: string;
  /** What it does right now. */
  description?: string | null;
  usage?: TaskUsage | null;
  tool_use_id?: string | null;
  last_tool_name?: string | null;
  uuid?: string | null;
  session_id?: string | null;
  run_id?: string | null;
  subagent_type?: string | null;
  /** What it has done so far, where a host asked for summaries. */
  summary?: string | null;
}

/** What a task has used so far. */
export interface TaskUsage {
  total_tokens?: number | null;
  tool_uses?: number | null;
  duration_ms?: number | null;
}

/** Something about a task changed. */
export interface TaskUpdated {
  task_id: string;
  run_id?: string | null;
  /** Only what changed. */
  patch?: TaskPatch | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** The changed members of a task. */
export interface TaskPatch {
  status?: TaskState | null;
  description?: string | null;
  /** In milliseconds since 1970. */
  end_time?: number | null;
  total_paused_ms?: number | null;
  error?: string | null;
  is_backgrounded?: boolean | null;
}

/** The state of a task. */
export type TaskState =
  | "pending"
  | "running"
  | "completed"
  | "failed"
  | "killed"
  | "paused"
  | (string & {});

/** A task ended. After one that ran in the background the agent begins a turn of its own. */
export interface TaskNotification {
  task_id: string;
  status?: TaskEnd | null;
  /** Where its output can be read; empty where it has none. */
  output_file?: string | null;
  summary?: string | null;
  tool_use_id?: string | null;
  usage?: TaskUsage | null;
  uuid?: string | null;
  session_id?: string | null;
  run_id?: string | null;
  reason?: TaskEndReason | null;
  resource_links?: Array<ResourceLink> | null;
  skip_transcript?: boolean | null;
  ambient?: boolean | null;
  handback?: unknown;
  handback_report?: unknown;
}

/** How a task ended. */
export type TaskEnd =
  | "completed"
  | "failed"
  | "stopped"
  | (string & {});

/** What ended a task from outside. */
export type TaskEndReason =
  | "worker_restart"
  | (string & {});

/** Something that a task made and that can be fetched. */
export interface ResourceLink {
  uri: string;
  name?: string | null;
  title?: string | null;
  description?: string | null;
  mimeType?: string | null;
  size?: number | null;
  annotations?: unknown;
}

/** All tasks that run in the background now. It replaces what was reported before. */
export interface BackgroundTasksChanged {
  tasks: Array<RunningTask>;
  uuid?: string | null;
  session_id?: string | null;
}

/** A task that runs in the background. */
export interface RunningTask {
  task_id: string;
  task_type?: string | null;
  description?: string | null;
  run_id?: string | null;
  subagent_type?: string | null;
  parent_task_id?: string | null;
  ambient?: boolean | null;
}

/** Whether a turn runs. Only sent where the host asks for it; then `idle` and not the first `result` is the end of a run. */
export interface SessionStateChanged {
  state: SessionState;
  /** Meant for the library between agent and host, and not to be passed on. */
  sdk_host_only?: boolean | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** Whether a turn runs. */
export type SessionState =
  | "idle"
  | "running"
  /** It waits for an answer to a permission request, a question or a dialog. */
  | "requires_action"
  | (string & {});

/** The session has another title. */
export interface SessionTitleChanged {
  title: string;
  uuid?: string | null;
  session_id?: string | null;
}

/** Something could not be written to disk. Reported at exit only. */
export interface SessionWritesLost {
  error_code: WriteErrorCode;
  lost?: Array<LostWrite> | null;
  transcript_session_ids?: Array<string> | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** Why something could not be written. */
export type WriteErrorCode =
  /** The disk is full. */
  | "ENOSPC"
  /** The user's quota is used up. */
  | "EDQUOT"
  | (string & {});

/** What could not be written. */
export type LostWrite =
  | "transcript"
  | "global_config"
  | (string & {});

/** Something about the session changed. What it holds is not documented. */
export interface SessionMetadata {
  uuid?: string | null;
  session_id?: string | null;
}

/** The process is about to end. */
export interface WorkerShuttingDown {
  reason?: string | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** A copy of the transcript could not be kept. Made by the library on the host's side, never by an agent. */
export interface MirrorError {
  error: string;
  key?: MirrorKey | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** The place of a transcript in a host's store. */
export interface MirrorKey {
  projectKey: string;
  sessionId: string;
  /** A subagent's transcript. */
  subpath?: string | null;
}

/** Files of the session were put into the file store. */
export interface FilesPersisted {
  files: Array<PersistedFile>;
  failed?: Array<PersistFailure> | null;
  processed_at?: string | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** A file in the file store. */
export interface PersistedFile {
  filename: string;
  file_id?: string | null;
}

/** A file that could not be stored. */
export interface PersistFailure {
  filename: string;
  error?: string | null;
}

/** Memories were put into the context. */
export interface MemoryRecall {
  memories: Array<RecalledMemory>;
  mode?: MemoryMode | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** A memory. */
export interface RecalledMemory {
  path: string;
  scope?: MemoryScope | null;
  content?: string | null;
}

/** Whose memory it is. */
export type MemoryScope =
  | "personal"
  | "team"
  | "organization"
  | (string & {});

/** How memories were recalled. */
export type MemoryMode =
  | "select"
  | "synthesize"
  | (string & {});

/** A call of the model failed and is tried again after a wait. */
export interface ApiRetry {
  attempt: number;
  max_retries?: number | null;
  retry_delay_ms?: number | null;
  /** The HTTP status; `null` if there was no answer. */
  error_status?: number | null;
  error?: ErrorName | null;
  uuid?: string | null;
  session_id?: string | null;
  /** Set where the model's side was silent for too long. */
  no_response?: NoResponse | null;
}

/** How long an answer was waited for. */
export interface NoResponse {
  waited_ms?: number | null;
  /** How long the next try will be waited for. */
  retry_wait_ms?: number | null;
}

/** A host's control request takes a while. */
export interface ControlRequestProgress {
  request_id: string;
  status?: RequestProgress | null;
  attempt?: number | null;
  max_retries?: number | null;
  retry_delay_ms?: number | null;
  error_status?: number | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** How far a control request is. */
export type RequestProgress =
  | "started"
  /** It asks the model, and that call is tried again. */
  | "api_retry"
  | (string & {});

/** A model could not be called, and another one takes over for the rest of the turn. */
export interface ModelFallback {
  original_model: string;
  fallback_model: string;
  trigger?: FallbackTrigger | null;
  /** The notice for the user. */
  content?: string | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** Why a model could not be called. */
export type FallbackTrigger =
  | "overloaded"
  | "model_not_found"
  | (string & {});

/** A model refused to answer, and another one takes over or gives back. */
export interface ModelRefusalFallback {
  original_model: string;
  fallback_model: string;
  trigger?: RefusalTrigger | null;
  direction?: RefusalDirection | null;
  scope?: RefusalScope | null;
  request_id?: string | null;
  api_refusal_category?: string | null;
  api_refusal_explanation?: string | null;
  /** Frames that are to be taken back. */
  retracted_message_uuids?: Array<string> | null;
  refused_user_message_uuid?: string | null;
  /** The notice for the user. */
  content?: string | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** What made another model take over. */
export type RefusalTrigger =
  | "refusal"
  | (string & {});

/** Which way the conversation changes models. */
export type RefusalDirection =
  | "retry"
  | "revert"
  | "sticky"
  | (string & {});

/** How far the change reaches. */
export type RefusalScope =
  | "session"
  | "local"
  | (string & {});

/** A model refused to answer and there is none to take over. */
export interface ModelRefusalNoFallback {
  original_model: string;
  request_id?: string | null;
  api_refusal_category?: string | null;
  api_refusal_explanation?: string | null;
  refused_user_message_uuid?: string | null;
  /** The notice for the user. */
  content?: string | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** A tool call was denied without asking the user. The record of it is `permission_denials` on `result`. */
export interface PermissionDenied {
  tool_name: string;
  tool_use_id: string;
  agent_id?: string | null;
  /** Such as `mode`, `rule` or `classifier`. */
  decision_reason_type?: string | null;
  decision_reason?: string | null;
  decision_reason_code?: string | null;
  /** The message for the model. */
  message?: string | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** What a slash command printed. */
export interface LocalCommandOutput {
  content: string;
  uuid?: string | null;
  session_id?: string | null;
}

/** A line for the user that is not part of the conversation. */
export interface Informational {
  content: string;
  level?: NoticeLevel | null;
  tool_use_id?: string | null;
  /** The turn does not continue after this. */
  prevent_continuation?: boolean | null;
  /** A name for this kind of notice, such as `auto_mode_no_server_check`. */
  tag?: string | null;
  prompt_submit_outcome?: unknown;
  /** The hook that was to decide about a call and gave no verdict. */
  hook_no_verdict?: HookWithoutVerdict | null;
  isMeta?: boolean | null;
  timestamp?: string | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** How loud a notice is. */
export type NoticeLevel =
  | "info"
  | "notice"
  | "suggestion"
  | "warning"
  | (string & {});

/** A hook without a verdict. */
export interface HookWithoutVerdict {
  hook_event?: string | null;
  tool_use_id?: string | null;
  timed_out?: boolean | null;
}

/** A short message to be shown for a while. */
export interface Notification {
  key: string;
  text: string;
  priority?: NotificationPriority | null;
  color?: string | null;
  timeout_ms?: number | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** Which of several notifications is shown first. */
export type NotificationPriority =
  | "low"
  | "medium"
  | "high"
  | "immediate"
  | (string & {});

/** How much the model has thought so far, as an estimate. */
export interface ThinkingTokens {
  estimated_tokens: number;
  /** Since the last such frame. */
  estimated_tokens_delta?: number | null;
  user_message_uuid?: string | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** All slash commands there are now. It replaces what was reported before. */
export interface CommandsChanged {
  commands: Array<SlashCommand>;
  uuid?: string | null;
  session_id?: string | null;
}

/** A slash command. */
export interface SlashCommand {
  /** Without the slash. */
  name?: string | null;
  description?: string | null;
  argumentHint?: string | null;
  aliases?: Array<string> | null;
  builtin?: boolean | null;
}

/** A form that an MCP server had put before the user is done with. */
export interface ElicitationComplete {
  elicitation_id: string;
  mcp_server_name?: string | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** How the installation of plugins goes. */
export interface PluginInstall {
  status: PluginInstallStatus;
  name?: string | null;
  error?: string | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** How far the installation of plugins is. */
export type PluginInstallStatus =
  | "started"
  | "installed"
  | "failed"
  | "completed"
  | (string & {});

/** What happened in a turn, in short. What it holds is not documented. */
export interface PostTurnSummary {
  uuid?: string | null;
  session_id?: string | null;
}

/** What a task has done, in short. What it holds is not documented. */
export interface TaskSummary {
  uuid?: string | null;
  session_id?: string | null;
}

/** A notice of which only the name is known. */
export interface PlainNotice {
  uuid?: string | null;
  session_id?: string | null;
}

/** The end of a turn. Whether it failed is reported by `is_error`: a failed call of the model is a `success` with `is_error`. */
export interface ResultFrame {
  subtype: ResultSubtype;
  is_error?: boolean | null;
  duration_ms?: number | null;
  duration_api_ms?: number | null;
  /** 0 for a slash command that asked no model; one above the limit where that was reached. */
  num_turns?: number | null;
  stop_reason?: StopReason | null;
  session_id?: string | null;
  total_cost_usd?: number | null;
  /** What the main conversation used in this turn. */
  usage?: Usage | null;
  /** What each model used since the process started, subagents included. */
  modelUsage?: Record<string, ModelUsage> | null;
  permission_denials?: Array<PermissionDenial> | null;
  uuid?: string | null;
  /** The last text of the turn; on `success` only. */
  result?: string | null;
  /** What went wrong, one line each. */
  errors?: Array<string> | null;
  /** What went wrong, in the form that older agents use. */
  error?: string | ErrorObject | null;
  /** The answer as an object, where a schema was given. */
  structured_output?: unknown;
  fast_mode_state?: FastModeState | null;
  fast_mode_disabled_reason?: string | null;
  /** Turns that wait behind this one. */
  queued_turn_count?: number | null;
  /** Which result of the process this is, from 0. */
  result_index?: number | null;
  user_message_uuid?: string | null;
  user_message_uuids?: Array<string> | null;
  resume_reason?: string | null;
  /** Why the turn ended. Absent after a slash command that asked no model. */
  terminal_reason?: TerminalReason | null;
  credential_expires_at?: string | null;
  /** What the turn's user message had there. */
  origin?: Origin | null;
  /** The HTTP status of the call that failed; `null` where none did. */
  api_error_status?: number | null;
  api_error_type?: string | null;
  /** A closer name for the failure of a model, such as `max_output_tokens`. */
  api_error?: string | null;
  /** The tool call that a hook put off. */
  deferred_tool_use?: DeferredToolUse | null;
  /** The slash command that was answered without a model. */
  local_command?: string | null;
  ttft_ms?: number | null;
  ttft_stream_ms?: number | null;
  time_to_request_ms?: number | null;
  request_sent_wall_ms?: number | null;
  first_content_frame_ms?: number | null;
  first_stream_post_ms?: number | null;
  first_stream_post_ack_ms?: number | null;
  first_stream_post_queue_wait_ms?: number | null;
  first_stream_post_queued_behind?: number | null;
  first_stream_post_wall_ms?: number | null;
  first_text_post_ms?: number | null;
  first_text_post_queue_wait_ms?: number | null;
  first_text_post_queued_behind?: number | null;
  first_text_post_wall_ms?: number | null;
  time_to_request_from_spawn_ms?: number | null;
  warm_spare_claimed?: boolean | null;
  time_origin_ms?: number | null;
  /** Why the process could not start at all. */
  startup_failure_reason?: StartupFailureReason | null;
  invalid_config_file?: InvalidConfigFile | null;
  subagent_stats?: SubagentStats | null;
  safety_stops?: number | null;
  /** What each model used since the last result. */
  model_usage_since_last_result?: Record<string, ModelUsage> | null;
  first_request_input_tokens?: number | null;
  first_request_cache_read_input_tokens?: number | null;
}

/** How a turn ended, in the broadest terms. */
export type ResultSubtype =
  | "success"
  /** Interrupted, or failed on this side. */
  | "error_during_execution"
  | "error_max_turns"
  | "error_max_budget_usd"
  | "error_max_structured_output_retries"
  /** Any failure, as older agents write it. */
  | "error"
  | (string & {});

/** A tool call that was not allowed. */
export interface PermissionDenial {
  tool_name: string;
  tool_use_id?: string | null;
  tool_input?: unknown;
}

/** Why a turn ended. */
export type TerminalReason =
  | "completed"
  | "aborted_streaming"
  | "aborted_tools"
  | "api_error"
  | "max_turns"
  | "budget_exhausted"
  | "structured_output_retry_exhausted"
  | "blocking_limit"
  | "rapid_refill_breaker"
  | "prompt_too_long"
  | "image_error"
  | "model_error"
  | "malformed_tool_use_exhausted"
  | "stop_hook_prevented"
  | "hook_stopped"
  | "tool_deferred"
  | "tool_deferred_unavailable"
  | "background_requested"
  | "turn_setup_failed"
  | (string & {});

/** A tool call that was put off. */
export interface DeferredToolUse {
  id: string;
  name: string;
  input: unknown;
}

/** Why a process could not start. */
export type StartupFailureReason =
  | "org_pin_api_key_conflict"
  | "provider_not_allowed"
  | "org_verify_failed"
  | "org_pin_mismatch"
  | "managed_settings_invalid"
  | "remote_settings_required_unavailable"
  | "gateway_signin_required"
  | "gateway_access_denied"
  | "proxy_invalid"
  | "temp_dir_unusable"
  | "cwd_unavailable"
  | "shell_tool_missing"
  | "session_held_by_background"
  | "worktree_resume_refused"
  | "worktree_unverified"
  | "cli_version_too_old"
  | "bypass_root"
  | "org_config_required_unavailable"
  | "org_config_refused"
  | "sandbox_required_unavailable"
  | "initialize_not_first"
  | "config_file_invalid"
  | "managed_settings_not_delivered"
  | (string & {});

/** A settings file that could not be read. */
export interface InvalidConfigFile {
  path: string;
  is_global?: boolean | null;
  backup_searched?: boolean | null;
  backup_path?: string | null;
}

/** Subagents of the process so far, counted. */
export interface SubagentStats {
  spawned?: number | null;
  requested?: SubagentsRequested | null;
  started_in_background?: number | null;
  /** How deep subagents started subagents. */
  max_depth?: number | null;
  spawned_by_subagents?: number | null;
  completed?: number | null;
  failed?: number | null;
  killed?: SubagentsKilled | null;
  refused?: SubagentsRefused | null;
  /** By the subagents' type. */
  by_type?: Record<string, number> | null;
}

/** How the model wanted its subagents to run. */
export interface SubagentsRequested {
  background?: number | null;
  foreground?: number | null;
  unset?: number | null;
}

/** Who ended subagents before they were done. */
export interface SubagentsKilled {
  parent?: number | null;
  user?: number | null;
  system?: number | null;
}

/** Why subagents were not started. */
export interface SubagentsRefused {
  depth_limit?: number | null;
  concurrency_limit?: number | null;
  budget?: number | null;
}

/** A request to the host. */
export interface AgentRequestFrame {
  /** Chosen by the agent; the answer repeats it. */
  request_id: string;
  request: AgentRequest;
}

/** A request of an agent to its host. */
export type AgentRequest =
  | ({ subtype: "can_use_tool" } & CanUseToolRequest)
  | ({ subtype: "hook_callback" } & HookCallbackRequest)
  | ({ subtype: "mcp_message" } & McpMessageRequest)
  | ({ subtype: "elicitation" } & ElicitationRequest)
  | ({ subtype: "request_user_dialog" } & UserDialogRequest)
  | ({ subtype: "oauth_token_refresh" } & OauthTokenRefreshRequest)
  | ({ subtype: "host_auth_token_refresh" } & HostAuthTokenRefreshRequest)
  | ({ subtype: "remote_control_work_secret" } & RemoteControlWorkSecretRequest)
  | ({ subtype: "ui_copy" } & UiCopyRequest)
  | ({ subtype: "ui_prompt_read" } & UiPromptReadRequest)
  | ({ subtype: "ui_prompt_fill" } & UiPromptFillRequest)
  | ({ subtype: "ui_prompt_paint" } & UiPromptPaintRequest)
  | ({ subtype: "ui_prompt_suggest" } & UiPromptSuggestRequest)
  | ({ subtype: "ui_read_selection" } & UiReadSelectionRequest)
  | ({ subtype: "remote_tool_call" } & RemoteToolCallRequest)
  | ({ subtype: "remote_plumbing_call" } & RemotePlumbingCallRequest)
  | ({ subtype: "remote_tools_probe" } & RemoteToolsProbeRequest)
  | ({ subtype: "remote_tools_reannounce" } & RemoteToolsReannounceRequest);

/** May this tool run with this input? */
export interface CanUseToolRequest {
  tool_name: string;
  /** The arguments. To allow the call unchanged, send them back as `updatedInput`. */
  input: unknown;
  tool_use_id?: string | null;
  /** Updates that would let such calls through without asking, for an "always allow" button. */
  permission_suggestions?: Array<PermissionUpdate> | null;
  /** The path that is outside the working directories. */
  blocked_path?: string | null;
  decision_reason?: string | null;
  /** The subagent that calls; absent in the main conversation. */
  agent_id?: string | null;
  description?: string | null;
  mcp_server?: ToolMcpServer | null;
  decision_reason_type?: DecisionReasonType | null;
  decision_reason_code?: string | null;
  /** The event of the hook that made the agent ask. */
  decision_reason_hook_event?: string | null;
  /** Where that hook is defined, such as `settings`. */
  decision_reason_hook_source?: string | null;
  /** Whether a classifier could have allowed it. */
  classifier_approvable?: boolean | null;
  /** Whether no "always allow" should be offered. */
  suppress_always_allow_rule?: boolean | null;
  /** Whether "no" should be the button that Enter presses. */
  default_to_no?: boolean | null;
  matched_ask_rule?: MatchedAskRule | null;
  title?: string | null;
  display_name?: string | null;
  /** Whether the call is a question to the user in itself, as AskUserQuestion is. */
  requires_user_interaction?: boolean | null;
  server_policy_ask_only?: boolean | null;
  plugin?: unknown;
  server_prompt?: unknown;
  computer_folder?: ComputerFolder | null;
  /** What the agent decided about each part of the call. Sent by `aqueduct-agent`; other programs pass over it. */
  explanation?: PermissionExplanation | null;
}

/** A change to what is allowed. An agent suggests some with a permission request; a host sends back the ones the user chose. */
export type PermissionUpdate =
  | ({ type: "addRules" } & RulesUpdate)
  | ({ type: "replaceRules" } & RulesUpdate)
  | ({ type: "removeRules" } & RulesUpdate)
  | ({ type: "setMode" } & ModeUpdate)
  | ({ type: "addDirectories" } & DirectoriesUpdate)
  | ({ type: "removeDirectories" } & DirectoriesUpdate);

/** Rules to add, to remove, or to put in place of all others of the same behaviour and destination. */
export interface RulesUpdate {
  rules: Array<RuleValue>;
  behavior?: RuleBehavior | null;
  destination?: Destination | null;
}

/** A rule: a tool, and which of its calls. `Bash(git log:*)` is the tool `Bash` with the content `git log:*`. */
export interface RuleValue {
  toolName: string;
  /** Which calls; all of them if absent. */
  ruleContent?: string | null;
}

/** What a rule does with the calls it matches. */
export type RuleBehavior =
  | "allow"
  | "deny"
  | "ask"
  | (string & {});

/** Where a rule lives, and so how long. */
export type Destination =
  | "userSettings"
  | "projectSettings"
  | "localSettings"
  /** Until the process ends. */
  | "session"
  | "cliArg"
  /** Until a slash command is done. */
  | "command"
  /** Given by an organisation; can't be written. */
  | "policySettings"
  /** Given by the host at run time; can't be written. */
  | "flagSettings"
  | (string & {});

/** A mode to enter. */
export interface ModeUpdate {
  mode: PermissionMode;
  destination?: Destination | null;
}

/** Directories that become working directories, or stop being so. */
export interface DirectoriesUpdate {
  directories: Array<string>;
  destination?: Destination | null;
}

/** The MCP server that a tool belongs to. */
export interface ToolMcpServer {
  name?: string | null;
  source?: string | null;
}

/** What made the agent ask. */
export type DecisionReasonType =
  | "rule"
  | "mode"
  | "subcommandResults"
  | "permissionPromptTool"
  | "hook"
  | "asyncAgent"
  | "sandboxOverride"
  | "workingDir"
  | "safetyCheck"
  | "classifier"
  | "other"
  | (string & {});

/** The rule that asks. */
export interface MatchedAskRule {
  source?: string | null;
  tool_name?: string | null;
  rule_content?: string | null;
}

/** A folder on a computer that the agent may use. */
export interface ComputerFolder {
  path?: string | null;
  computer_name?: string | null;
}

/** What an agent found when it decided to ask about a call: its parts, and what was decided about each. The reference sends none; where there is one, it is what counts, and a host has nothing to compute again. */
export interface PermissionExplanation {
  /** Each command of a shell line, in its order; empty for tools whose calls have no parts. */
  parts?: Array<PermissionPart> | null;
}

/** A part of what would run. */
export interface PermissionPart {
  /** The part as it appears in the input. */
  text: string;
  /** The program that it calls. */
  program?: string | null;
  reads?: Array<string> | null;
  writes?: Array<string> | null;
  /** Hosts that it connects to. */
  connects?: Array<string> | null;
  /** The decision of the rules about it. */
  verdict?: RuleBehavior | null;
  /** The rule that decided, or what could not be understood. */
  reason?: string | null;
}

/** Run the hook that was registered under this id. */
export interface HookCallbackRequest {
  callback_id: string;
  input: HookInput;
  /** The tool call; for events without one the reference sends a random UUID. */
  tool_use_id?: string | null;
}

/** The input of a hook. Every event has the members `session_id`, `transcript_path` and `cwd`, and its own. */
export type HookInput =
  | ({ hook_event_name: "PreToolUse" } & PreToolUseInput)
  | ({ hook_event_name: "PostToolUse" } & PostToolUseInput)
  | ({ hook_event_name: "PostToolUseFailure" } & PostToolUseFailureInput)
  | ({ hook_event_name: "PostToolBatch" } & PostToolBatchInput)
  | ({ hook_event_name: "PermissionRequest" } & PermissionRequestInput)
  | ({ hook_event_name: "PermissionDenied" } & PermissionDeniedInput)
  | ({ hook_event_name: "UserPromptSubmit" } & UserPromptSubmitInput)
  | ({ hook_event_name: "UserPromptExpansion" } & UserPromptExpansionInput)
  | ({ hook_event_name: "SessionStart" } & SessionStartInput)
  | ({ hook_event_name: "SessionEnd" } & SessionEndInput)
  | ({ hook_event_name: "Stop" } & StopInput)
  | ({ hook_event_name: "StopFailure" } & StopFailureInput)
  | ({ hook_event_name: "SubagentStart" } & SubagentStartInput)
  | ({ hook_event_name: "SubagentStop" } & SubagentStopInput)
  | ({ hook_event_name: "PreCompact" } & PreCompactInput)
  | ({ hook_event_name: "PostCompact" } & PostCompactInput)
  | ({ hook_event_name: "PreModelSwitch" } & ModelSwitchInput)
  | ({ hook_event_name: "PostModelSwitch" } & ModelSwitchInput)
  | ({ hook_event_name: "Notification" } & NotificationInput)
  | ({ hook_event_name: "Setup" } & SetupInput)
  | ({ hook_event_name: "TeammateIdle" } & TeammateIdleInput)
  | ({ hook_event_name: "TaskCreated" } & TeamTaskInput)
  | ({ hook_event_name: "TaskCompleted" } & TeamTaskInput)
  | ({ hook_event_name: "Elicitation" } & ElicitationInput)
  | ({ hook_event_name: "ElicitationResult" } & ElicitationResultInput)
  | ({ hook_event_name: "ConfigChange" } & ConfigChangeInput)
  | ({ hook_event_name: "WorktreeCreate" } & WorktreeCreateInput)
  | ({ hook_event_name: "WorktreeRemove" } & WorktreeRemoveInput)
  | ({ hook_event_name: "InstructionsLoaded" } & InstructionsLoadedInput)
  | ({ hook_event_name: "CwdChanged" } & CwdChangedInput)
  | ({ hook_event_name: "FileChanged" } & FileChangedInput)
  | ({ hook_event_name: "DirectoryAdded" } & DirectoryAddedInput)
  | ({ hook_event_name: "MessageDisplay" } & MessageDisplayInput);

/** A tool is about to run. */
export interface PreToolUseInput {
  tool_name: string;
  tool_input: unknown;
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  tool_use_id?: string | null;
  mcp_server?: HookMcpServer | null;
}

/** How hard the model thinks in this turn. */
export interface HookEffort {
  level?: EffortLevel | null;
}

/** The MCP server that a tool belongs to. */
export interface HookMcpServer {
  name?: string | null;
  source?: string | null;
}

/** A tool has run. */
export interface PostToolUseInput {
  tool_name: string;
  tool_input: unknown;
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  /** What it gave back, in the tool's own shape. */
  tool_response?: unknown;
  tool_use_id?: string | null;
  duration_ms?: number | null;
  mcp_server?: HookMcpServer | null;
}

/** A tool has failed. */
export interface PostToolUseFailureInput {
  tool_name: string;
  tool_input: unknown;
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  tool_use_id?: string | null;
  error?: string | null;
  /** Whether the user interrupted it. */
  is_interrupt?: boolean | null;
  duration_ms?: number | null;
  mcp_server?: HookMcpServer | null;
}

/** All tools that the model called at once have run. */
export interface PostToolBatchInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  tool_calls?: Array<ToolCall> | null;
}

/** One call of a batch. */
export interface ToolCall {
  tool_name?: string | null;
  tool_input?: unknown;
  tool_use_id?: string | null;
  tool_response?: unknown;
}

/** The user is about to be asked for permission. */
export interface PermissionRequestInput {
  tool_name: string;
  tool_input: unknown;
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  permission_suggestions?: Array<PermissionUpdate> | null;
  mcp_server?: HookMcpServer | null;
}

/** A tool call was denied without asking the user. */
export interface PermissionDeniedInput {
  tool_name: string;
  tool_input: unknown;
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  tool_use_id?: string | null;
  reason?: string | null;
  mcp_server?: HookMcpServer | null;
}

/** A message of the user is about to reach the model. */
export interface UserPromptSubmitInput {
  prompt: string;
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  source?: PromptSource | null;
  session_title?: string | null;
}

/** Who wrote a prompt. */
export type PromptSource =
  | "user"
  | "sdk"
  | "system"
  | "loop_wakeup"
  | "schedule_wakeup"
  | "poll_event"
  | (string & {});

/** A slash command has become the text that the model gets. */
export interface UserPromptExpansionInput {
  prompt: string;
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  expansion_type?: ExpansionType | null;
  command_name?: string | null;
  command_args?: string | null;
  command_source?: string | null;
}

/** What was expanded. */
export type ExpansionType =
  | "slash_command"
  | "mcp_prompt"
  | (string & {});

/** A session starts or is resumed. */
export interface SessionStartInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  source?: SessionStartSource | null;
  /** The agent that runs the main conversation, if one was named. */
  agent_type?: string | null;
  model?: string | null;
  agent_id?: string | null;
  session_title?: string | null;
  seconds_since_last_response?: number | null;
  context_tokens?: number | null;
  prompt_cache_likely_expired?: boolean | null;
  /** What it would cost to fill the prompt cache again. */
  estimated_cache_write_usd?: number | null;
}

/** How a session began. */
export type SessionStartSource =
  | "startup"
  | "resume"
  | "clear"
  | "compact"
  | "fork"
  | (string & {});

/** A session ends. */
export interface SessionEndInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  reason?: SessionEndReason | null;
}

/** Why a session ends. */
export type SessionEndReason =
  | "clear"
  | "resume"
  | "logout"
  | "prompt_input_exit"
  | "other"
  /** Of older versions only. */
  | "bypass_permissions_disabled"
  | (string & {});

/** The model is done. */
export interface StopInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  /** Whether the model continues only because of a hook: check this to avoid a loop. */
  stop_hook_active?: boolean | null;
  last_assistant_message?: string | null;
  background_tasks?: Array<BackgroundTask> | null;
  session_crons?: Array<SessionCron> | null;
}

/** A task that still runs. */
export interface BackgroundTask {
  id?: string | null;
  type?: string | null;
  status?: string | null;
  description?: string | null;
  command?: string | null;
  agent_type?: string | null;
  server?: string | null;
  tool?: string | null;
  name?: string | null;
}

/** A prompt that the session sends itself at set times. */
export interface SessionCron {
  id?: string | null;
  schedule?: string | null;
  recurring?: boolean | null;
  prompt?: string | null;
}

/** A turn ended with an error of the API. */
export interface StopFailureInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  error?: ErrorName | null;
  error_details?: string | null;
  last_assistant_message?: string | null;
}

/** A subagent begins. */
export interface SubagentStartInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  agent_id?: string | null;
  agent_type?: string | null;
}

/** A subagent is done. */
export interface SubagentStopInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  stop_hook_active?: boolean | null;
  agent_id?: string | null;
  agent_transcript_path?: string | null;
  agent_type?: string | null;
  last_assistant_message?: string | null;
  background_tasks?: Array<BackgroundTask> | null;
  session_crons?: Array<SessionCron> | null;
}

/** The conversation is about to be summarised. */
export interface PreCompactInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  trigger?: CompactTrigger | null;
  custom_instructions?: string | null;
}

/** The conversation has been summarised. */
export interface PostCompactInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  trigger?: CompactTrigger | null;
  compact_summary?: string | null;
}

/** Another model is about to take over, or has. */
export interface ModelSwitchInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  from_model?: string | null;
  to_model?: string | null;
  /** The name that was asked for; `null` for the default. */
  requested_model?: string | null;
  source?: ModelSwitchSource | null;
  context_tokens?: number | null;
  prompt_cache_warm?: boolean | null;
  cache_ttl?: CacheLifetime | null;
  estimated_cache_write_usd?: number | null;
  pricing?: ModelSwitchPricing | null;
}

/** Who changed the model. The last two only after the fact. */
export type ModelSwitchSource =
  | "command"
  | "picker"
  | "sdk"
  | "auto"
  | "resume"
  | (string & {});

/** How long the prompt cache lives. */
export type CacheLifetime =
  | "5m"
  | "1h"
  | (string & {});

/** Where a price comes from. */
export type ModelSwitchPricing =
  | "configured"
  | "catalog"
  | "default"
  | (string & {});

/** The user should look. */
export interface NotificationInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  message?: string | null;
  title?: string | null;
  notification_type?: string | null;
}

/** The project is being set up. */
export interface SetupInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  trigger?: SetupTrigger | null;
}

/** Why a project is being set up. */
export type SetupTrigger =
  | "init"
  | "maintenance"
  | (string & {});

/** A member of a team has nothing to do. */
export interface TeammateIdleInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  teammate_name?: string | null;
  team_name?: string | null;
}

/** A task of a team was created or completed. */
export interface TeamTaskInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  task_id?: string | null;
  task_subject?: string | null;
  task_description?: string | null;
  teammate_name?: string | null;
  team_name?: string | null;
}

/** An MCP server asks the user something. */
export interface ElicitationInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  mcp_server_name?: string | null;
  message?: string | null;
  mode?: ElicitationMode | null;
  url?: string | null;
  elicitation_id?: string | null;
  requested_schema?: unknown;
}

/** How an MCP server asks. */
export type ElicitationMode =
  | "form"
  | "url"
  | (string & {});

/** The user has answered an MCP server. */
export interface ElicitationResultInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  mcp_server_name?: string | null;
  action?: ElicitationAction | null;
  elicitation_id?: string | null;
  mode?: ElicitationMode | null;
  content?: unknown;
}

/** What the user did with an MCP server's question. */
export type ElicitationAction =
  | "accept"
  | "decline"
  | "cancel"
  | (string & {});

/** A settings file or a skill changed. */
export interface ConfigChangeInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  source?: ConfigSource | null;
  file_path?: string | null;
}

/** What changed. */
export type ConfigSource =
  | "user_settings"
  | "project_settings"
  | "local_settings"
  | "policy_settings"
  | "skills"
  | (string & {});

/** A worktree is wanted; the hook may make it. */
export interface WorktreeCreateInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  name?: string | null;
}

/** A worktree is done with. */
export interface WorktreeRemoveInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  worktree_path?: string | null;
}

/** A file of instructions was loaded. */
export interface InstructionsLoadedInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  file_path?: string | null;
  memory_type?: MemoryType | null;
  load_reason?: InstructionsLoadReason | null;
  globs?: Array<string> | null;
  trigger_file_path?: string | null;
  parent_file_path?: string | null;
}

/** Whose instructions a file holds. */
export type MemoryType =
  | "User"
  | "Project"
  | "Local"
  | "Managed"
  | (string & {});

/** Why a file of instructions was loaded. */
export type InstructionsLoadReason =
  | "session_start"
  | "nested_traversal"
  | "path_glob_match"
  | "include"
  | "compact"
  | (string & {});

/** The working directory changed. */
export interface CwdChangedInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  old_cwd?: string | null;
  new_cwd?: string | null;
}

/** A watched file changed. */
export interface FileChangedInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  file_path?: string | null;
  event?: FileEvent | null;
}

/** What happened to a file. */
export type FileEvent =
  | "change"
  | "add"
  | "unlink"
  | (string & {});

/** A directory became a working directory. */
export interface DirectoryAddedInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  directory?: string | null;
  source?: DirectorySource | null;
}

/** Who added a directory. */
export type DirectorySource =
  | "slash_command"
  | "register_repo_root"
  | (string & {});

/** A piece of an answer is about to be shown. */
export interface MessageDisplayInput {
  session_id?: string | null;
  transcript_path?: string | null;
  cwd?: string | null;
  permission_mode?: PermissionMode | null;
  prompt_id?: string | null;
  effort?: HookEffort | null;
  /** The subagent in which this happens; absent in the main conversation. */
  agent_id?: string | null;
  agent_type?: string | null;
  turn_id?: string | null;
  message_id?: string | null;
  index?: number | null;
  final?: boolean | null;
  delta?: string | null;
}

/** A message between the agent and an MCP server that lives in the host. The agent sends requests and notifications to the server; the host sends the server's own messages. */
export interface McpMessageRequest {
  server_name: string;
  message: McpMessage;
}

/** One JSON-RPC message: a request (`method` and `id`), a notification (`method` alone) or an answer (`result` or `error`). */
export interface McpMessage {
  /** Always `2.0`. */
  jsonrpc?: string | null;
  id?: number | string | null;
  method?: string | null;
  params?: unknown;
  result?: unknown;
  error?: McpError | null;
}

/** Why a JSON-RPC request failed. */
export interface McpError {
  code: number;
  message?: string | null;
  data?: unknown;
}

/** An MCP server asks the user to fill a form or to visit a page. */
export interface ElicitationRequest {
  mcp_server_name: string;
  message: string;
  mode?: ElicitationMode | null;
  /** The page to visit. */
  url?: string | null;
  elicitation_id?: string | null;
  /** The form, as a JSON Schema. */
  requested_schema?: unknown;
  /** The order of the form's fields. */
  property_order?: Array<string> | null;
  title?: string | null;
  display_name?: string | null;
  description?: string | null;
}

/** Show a dialog. Comes only for kinds that `supportedDialogKinds` named. */
export interface UserDialogRequest {
  dialog_kind: string;
  payload?: unknown;
  tool_use_id?: string | null;
}

/** A new access token is wanted. */
export interface OauthTokenRefreshRequest {
  kind?: string | null;
  token_state?: unknown;
  refused_call?: unknown;
}

/** The host's own credential was refused; another one is wanted. */
export interface HostAuthTokenRefreshRequest {
  status?: unknown;
}

/** The secret of a session that is driven from elsewhere. */
export interface RemoteControlWorkSecretRequest {
  session_id?: string | null;
}

/** Put something on the clipboard. */
export interface UiCopyRequest {
}

/** Return the content of the input field. */
export interface UiPromptReadRequest {
}

/** Put something into the input field. */
export interface UiPromptFillRequest {
}

/** Mark something in the input field. */
export interface UiPromptPaintRequest {
}

/** Suggest something in the input field. */
export interface UiPromptSuggestRequest {
}

/** What has the user selected? */
export interface UiReadSelectionRequest {
}

/** Run a tool on the host's machine. */
export interface RemoteToolCallRequest {
}

/** Housekeeping between an agent and tools on the host's machine. */
export interface RemotePlumbingCallRequest {
}

/** Are the tools on the host's machine still there? */
export interface RemoteToolsProbeRequest {
}

/** Name the tools on the host's machine again. */
export interface RemoteToolsReannounceRequest {
}

/** The answer to a request of the other side. */
export interface ControlResponseFrame {
  response: ControlResponse;
}

/** How a request was answered. */
export type ControlResponse =
  | ({ subtype: "success" } & SuccessResponse)
  | ({ subtype: "error" } & ErrorResponse);

/** The request was served. */
export interface SuccessResponse {
  request_id: string;
  /** The payload, whose type follows from the request. A bare acknowledgement may have none. */
  response?: unknown;
  /** On the answer to `initialize`: permission requests that are still open. */
  pending_permission_requests?: Array<PendingRequest> | null;
  /** On the answer to `initialize`: dialogs that are still open. */
  pending_user_dialog_requests?: Array<PendingRequest> | null;
  /** On the answer to `initialize`: questions of MCP servers that are still open. */
  pending_elicitation_requests?: Array<PendingRequest> | null;
}

/** A request that was made before and is still open: the whole frame, to be served like a new one. */
export interface PendingRequest {
  request_id: string;
  request: AgentRequest;
  /** `control_request`. */
  type?: string | null;
}

/** The request was not served. */
export interface ErrorResponse {
  request_id: string;
  error?: string | ErrorObject | null;
  /** On the answer to `initialize`: permission requests that are still open. */
  pending_permission_requests?: Array<PendingRequest> | null;
  /** On the answer to `initialize`: dialogs that are still open. */
  pending_user_dialog_requests?: Array<PendingRequest> | null;
  /** A name for programs, such as `unsupported_request`. */
  error_code?: string | null;
  /** On the answer to `initialize`: questions of MCP servers that are still open. */
  pending_elicitation_requests?: Array<PendingRequest> | null;
}

/** The sender of a request no longer wants the answer. Nothing answers this. */
export interface ControlCancelFrame {
  request_id: string;
}

/** A tool is still running. */
export interface ToolProgress {
  tool_use_id: string;
  tool_name?: string | null;
  parent_tool_use_id?: string | null;
  elapsed_time_seconds?: number | null;
  /** The background task that the call became. */
  task_id?: string | null;
  uuid?: string | null;
  session_id?: string | null;
  /** Nothing new, only a sign of life. */
  heartbeat?: boolean | null;
  subagent_type?: string | null;
  /** The subagent behind the call waits to ask its model again. */
  subagent_retry?: SubagentRetry | null;
}

/** A subagent's model call failed and is tried again. */
export interface SubagentRetry {
  attempt: number;
  agent_id?: string | null;
  max_retries?: number | null;
  retry_delay_ms?: number | null;
  /** The HTTP status; `null` if there was no answer. */
  error_status?: number | null;
  error_category?: string | null;
}

/** What the last few tool calls did, in a line. */
export interface ToolUseSummary {
  summary: string;
  preceding_tool_use_ids?: Array<string> | null;
  uuid?: string | null;
  session_id?: string | null;
  timestamp?: string | null;
}

/** The state of a login. */
export interface AuthStatus {
  isAuthenticating: boolean;
  /** What the login printed, line by line. */
  output?: Array<string> | null;
  error?: string | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** How much of a subscription's limits is used. */
export interface RateLimitEvent {
  rate_limit_info: RateLimitInfo;
  uuid?: string | null;
  session_id?: string | null;
}

/** The state of one of a subscription's limits after a call of the model. */
export interface RateLimitInfo {
  status: RateLimitStatus;
  /** When the limit begins anew, in seconds since 1970. */
  resetsAt?: number | null;
  rateLimitType?: RateLimitType | null;
  /** Whether calls beyond the limit, paid one by one, are let through. */
  overageStatus?: RateLimitStatus | null;
  /** The used part of the limit. */
  utilization?: number | null;
  overageResetsAt?: number | null;
  overageDisabledReason?: OverageDisabledReason | null;
  isUsingOverage?: boolean | null;
  overageInUse?: boolean | null;
  overageEnabled?: boolean | null;
  /** The warning level that was passed, as a part of the limit. */
  surpassedThreshold?: number | null;
  limitScope?: LimitScope | null;
  errorCode?: RateLimitErrorCode | null;
  canUserPurchaseCredits?: boolean | null;
  hasChargeableSavedPaymentMethod?: boolean | null;
}

/** Whether calls are let through. */
export type RateLimitStatus =
  | "allowed"
  /** Let through, but the limit is near. */
  | "allowed_warning"
  | "rejected"
  | (string & {});

/** Which limit it is. */
export type RateLimitType =
  | "five_hour"
  | "seven_day"
  | "seven_day_opus"
  | "seven_day_sonnet"
  | "seven_day_overage_included"
  | "overage"
  | (string & {});

/** Why calls beyond the limit are not let through. */
export type OverageDisabledReason =
  | "overage_not_provisioned"
  | "org_level_disabled"
  | "org_level_disabled_until"
  | "out_of_credits"
  | "seat_tier_level_disabled"
  | "member_level_disabled"
  | "seat_tier_zero_credit_limit"
  | "group_zero_credit_limit"
  | "member_zero_credit_limit"
  | "org_service_level_disabled"
  | "no_limits_configured"
  | "fetch_error"
  | "unknown"
  | (string & {});

/** Whose limit it is. */
export type LimitScope =
  | "service"
  | "channel"
  | "group_pool"
  | (string & {});

/** What is needed to continue. */
export type RateLimitErrorCode =
  | "credits_required"
  | (string & {});

/** A suggestion for the user's next prompt. After a `result`, at most one a turn. */
export interface PromptSuggestion {
  suggestion: string;
  uuid?: string | null;
  session_id?: string | null;
}

/** The conversation begins anew, such as after `/clear`. Frames after this one have another session id. */
export interface ConversationReset {
  new_conversation_id: string;
  uuid?: string | null;
  /** That of the conversation that ended. */
  session_id?: string | null;
  trigger?: ResetTrigger | null;
  user_message_uuid?: string | null;
  timestamp?: string | null;
}

/** Why a conversation begins anew. */
export type ResetTrigger =
  | "clear"
  | "plan_mode_exit"
  | "fresh_session"
  | "onboarding"
  | (string & {});

/** The goal that the agent works towards changed; `null` where there is none any more. */
export interface ActiveGoal {
  value?: Goal | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** A condition that the agent works towards until it holds. */
export interface Goal {
  condition: string;
  iterations?: number | null;
  set_at?: number | null;
  tokens_at_start?: number | null;
  last_reason?: string | null;
}

/** Where a host's message is on its way. Only for messages that were sent with a `uuid`. */
export interface CommandLifecycle {
  /** The message's `uuid`. */
  command_uuid: string;
  state: CommandState;
  ran_ahead?: boolean | null;
  wakeup_source?: WakeupSource | null;
  scheduled_for?: unknown;
  uuid?: string | null;
  session_id?: string | null;
}

/** Where a message is on its way. */
export type CommandState =
  | "queued"
  | "started"
  | "completed"
  | "cancelled"
  | "discarded"
  | (string & {});

/** What woke the agent up without a message from a person. */
export type WakeupSource =
  | "loop_wakeup"
  | "schedule_wakeup"
  | (string & {});

/** Lines of the session's transcript, for a host that keeps a copy of its own. */
export interface TranscriptMirror {
  filePath: string;
  entries: Array<unknown>;
}

/** How near the conversation is to being compacted by itself. What it holds is not documented. */
export interface AutocompactState {
  uuid?: string | null;
  session_id?: string | null;
}

/** A keep-alive, in either direction. It has no answer. */
export interface KeepAlive {
  /** How far the startup has come, for hosts that ask for it. */
  startup_mark?: string | null;
}

/** The model's text in the short form that agents of a while ago could send. */
export interface StreamlinedText {
  text?: string | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** Tool calls in the short form that agents of a while ago could send. */
export interface StreamlinedToolUseSummary {
  tool_summary?: string | null;
  uuid?: string | null;
  session_id?: string | null;
}

/** What a host sent could not be understood. The conversation lives on. */
export interface ErrorFrame {
  error: string | ErrorObject;
  uuid?: string | null;
  session_id?: string | null;
}

/** A frame on the agent's stdin. */
export type ToAgent =
  | ({ type: "user" } & UserFrame)
  | ({ type: "control_request" } & HostRequestFrame)
  | ({ type: "control_response" } & ControlResponseFrame)
  | ({ type: "control_cancel_request" } & ControlCancelFrame)
  | ({ type: "keep_alive" } & KeepAlive)
  | ({ type: "update_environment_variables" } & UpdateEnvironment)
  | ({ type: "control" } & BareControl);

/** A request to the agent. */
export interface HostRequestFrame {
  /** Chosen by the host; the answer repeats it. */
  request_id: string;
  request: HostRequest;
}

/** A request of a host to its agent. */
export type HostRequest =
  | ({ subtype: "initialize" } & InitializeRequest)
  | ({ subtype: "interrupt" } & InterruptRequest)
  | ({ subtype: "end_session" } & EndSessionRequest)
  | ({ subtype: "rename_session" } & RenameSessionRequest)
  | ({ subtype: "generate_session_title" } & GenerateSessionTitleRequest)
  | ({ subtype: "claim_session" } & ClaimSessionRequest)
  | ({ subtype: "side_question" } & SideQuestionRequest)
  | ({ subtype: "cancel_async_message" } & CancelAsyncMessageRequest)
  | ({ subtype: "stop_task" } & StopTaskRequest)
  | ({ subtype: "background_tasks" } & BackgroundTasksRequest)
  | ({ subtype: "get_task_output" } & GetTaskOutputRequest)
  | ({ subtype: "export_conversation" } & ExportConversationRequest)
  | ({ subtype: "set_has_subscribers" } & SetHasSubscribersRequest)
  | ({ subtype: "remote_control" } & RemoteControlRequest)
  | ({ subtype: "ultrareview_launch" } & UltrareviewLaunchRequest)
  | ({ subtype: "set_permission_mode" } & SetPermissionModeRequest)
  | ({ subtype: "set_model" } & SetModelRequest)
  | ({ subtype: "set_max_thinking_tokens" } & SetMaxThinkingTokensRequest)
  | ({ subtype: "apply_flag_settings" } & ApplyFlagSettingsRequest)
  | ({ subtype: "get_settings" } & GetSettingsRequest)
  | ({ subtype: "update_settings" } & UpdateSettingsRequest)
  | ({ subtype: "list_permission_rules" } & ListPermissionRulesRequest)
  | ({ subtype: "get_hooks_listing" } & GetHooksListingRequest)
  | ({ subtype: "reload_plugins" } & ReloadPluginsRequest)
  | ({ subtype: "reload_skills" } & ReloadSkillsRequest)
  | ({ subtype: "reload_output_styles" } & ReloadOutputStylesRequest)
  | ({ subtype: "mcp_status" } & McpStatusRequest)
  | ({ subtype: "mcp_reconnect" } & McpReconnectRequest)
  | ({ subtype: "mcp_toggle" } & McpToggleRequest)
  | ({ subtype: "mcp_set_servers" } & McpSetServersRequest)
  | ({ subtype: "mcp_message" } & McpMessageRequest)
  | ({ subtype: "mcp_call" } & McpCallRequest)
  | ({ subtype: "mcp_read_resource" } & McpReadResourceRequest)
  | ({ subtype: "set_mcp_permission_mode_override" } & SetMcpPermissionModeOverrideRequest)
  | ({ subtype: "mcp_authenticate" } & McpAuthenticateRequest)
  | ({ subtype: "mcp_clear_auth" } & McpClearAuthRequest)
  | ({ subtype: "mcp_oauth_callback_url" } & McpOauthCallbackUrlRequest)
  | ({ subtype: "channel_enable" } & ChannelEnableRequest)
  | ({ subtype: "rewind_files" } & RewindFilesRequest)
  | ({ subtype: "read_file" } & ReadFileRequest)
  | ({ subtype: "file_suggestions" } & FileSuggestionsRequest)
  | ({ subtype: "seed_read_state" } & SeedReadStateRequest)
  | ({ subtype: "register_repo_root" } & RegisterRepoRootRequest)
  | ({ subtype: "set_cwd" } & SetCwdRequest)
  | ({ subtype: "get_context_usage" } & GetContextUsageRequest)
  | ({ subtype: "get_session_cost" } & GetSessionCostRequest)
  | ({ subtype: "get_usage" } & GetUsageRequest)
  | ({ subtype: "get_binary_version" } & GetBinaryVersionRequest)
  | ({ subtype: "list_models" } & ListModelsRequest)
  | ({ subtype: "supported_commands" } & SupportedCommandsRequest)
  | ({ subtype: "get_status" } & GetStatusRequest)
  | ({ subtype: "get_plan" } & GetPlanRequest)
  | ({ subtype: "set_color" } & SetColorRequest)
  | ({ subtype: "set_prompt_suggestions_paused" } & SetPromptSuggestionsPausedRequest)
  | ({ subtype: "get_memory_dialog" } & GetMemoryDialogRequest)
  | ({ subtype: "get_skills_dialog" } & GetSkillsDialogRequest)
  | ({ subtype: "get_sandbox_dialog" } & GetSandboxDialogRequest)
  | ({ subtype: "get_chrome_dialog" } & GetChromeDialogRequest)
  | ({ subtype: "get_chrome_browsers" } & GetChromeBrowsersRequest)
  | ({ subtype: "select_chrome_browser" } & SelectChromeBrowserRequest)
  | ({ subtype: "set_chrome_browser_hints" } & SetChromeBrowserHintsRequest)
  | ({ subtype: "claude_authenticate" } & ClaudeAuthenticateRequest)
  | ({ subtype: "claude_oauth_callback" } & ClaudeOauthCallbackRequest)
  | ({ subtype: "claude_oauth_wait_for_completion" } & ClaudeOauthWaitRequest)
  | ({ subtype: "submit_feedback" } & SubmitFeedbackRequest)
  | ({ subtype: "submit_survey_feedback" } & SubmitSurveyFeedbackRequest)
  | ({ subtype: "message_rated" } & MessageRatedRequest);

/** What the host brings to the session. Everything is optional: `{}` is a fine request. */
export interface InitializeRequest {
  /** The hooks to call, by event. Some hosts send `null` for none. */
  hooks?: Record<string, Array<HookMatcher>> | null;
  /** The MCP servers that live in the host. */
  sdkMcpServers?: Array<string> | null;
  /** The shape of the result that the turn must end with. */
  jsonSchema?: unknown;
  systemPrompt?: string | Array<string> | null;
  appendSystemPrompt?: string | null;
  /** Subagents, by name. */
  agents?: Record<string, AgentDefinition> | null;
  promptSuggestions?: boolean | null;
  sdkMcpServerConfigs?: Record<string, SdkServerOptions> | null;
  /** What the servers would report on connect, so that the agent need not ask. */
  sdkMcpServerManifests?: Record<string, SdkServerManifest> | null;
  sdkMcpServerManifestsOrigin?: ManifestsOrigin | null;
  systemPromptSnapshot?: unknown;
  appendSubagentSystemPrompt?: string | null;
  planModeInstructions?: string | null;
  toolAliases?: unknown;
  /** Leaves what changes from machine to machine out of the prompt, for the sake of the cache. */
  excludeDynamicSections?: boolean | null;
  title?: string | null;
  skills?: Array<string> | null;
  agentProgressSummaries?: boolean | null;
  /** Whether subagents' text is sent as well, not only their tools. */
  forwardSubagentText?: boolean | null;
  forwardNestedSubagentToolCalls?: boolean | null;
  /** The kinds of `request_user_dialog` that the host can show. */
  supportedDialogKinds?: Array<string> | null;
  perTaskStopAffordance?: boolean | null;
  plugins?: Array<PluginSource> | null;
  codeRunningMcpTools?: unknown;
  webSearchIsolationExemptMcpServers?: Array<string> | null;
  rapidFollowupPreempt?: unknown;
  workspaceTrust?: WorkspaceTrust | null;
  managedSettings?: unknown;
}

/** Which occurrences of an event a host subscribes to, and under which ids. */
export interface HookMatcher {
  /** A pattern for the tool's name, such as `Edit|Write`; all if absent. */
  matcher?: string | null;
  /** The `callback_id` that the agent sends when it calls. */
  hookCallbackIds?: Array<string> | null;
  /** In seconds. */
  timeout?: number | null;
  onFailure?: HookFailure | null;
}

/** What happens when a hook can't be asked. */
export type HookFailure =
  | "continue"
  | "block"
  | (string & {});

/** A subagent: its purpose, its prompt, and what it may use. */
export interface AgentDefinition {
  /** When the model should call it. */
  description?: string | null;
  /** Its system prompt. */
  prompt?: string | null;
  /** The tools it has; all if absent. */
  tools?: Array<string> | null;
  /** A model's name or alias, or `inherit`. */
  model?: string | null;
  disallowedTools?: Array<string> | null;
  mcpServers?: Array<string | Record<string, StdioServerConfig | TypedServerConfig>> | null;
  criticalSystemReminder_EXPERIMENTAL?: string | null;
  skills?: Array<string> | null;
  maxTurns?: number | null;
  /** Sent as the first user message when the agent runs the main conversation. */
  initialPrompt?: string | null;
  autoCompactWindow?: number | null;
  /** How it is kept apart from the session's folder: `worktree`. */
  isolation?: string | null;
  /** Whether it always runs in the background. */
  background?: boolean | null;
  /** Whether the project's instruction files are kept from it. */
  omitClaudeMd?: boolean | null;
  /** Where its memory lives. */
  memory?: AgentMemory | null;
  effort?: EffortLevel | number | null;
  permissionMode?: PermissionMode | null;
  observer?: unknown;
  observerMessage?: string | null;
}

/** A server that is a program. */
export interface StdioServerConfig {
  command: string;
  /** `stdio`, if there. */
  type?: string | null;
  args?: Array<string> | null;
  env?: Record<string, string> | null;
  /** For one call, in milliseconds. */
  timeout?: number | null;
  /** Whether its tools are always in the prompt. */
  alwaysLoad?: boolean | null;
}

/** A server that is not a program of its own. */
export type TypedServerConfig =
  | ({ type: "sse" } & RemoteServerConfig)
  | ({ type: "http" } & RemoteServerConfig)
  | ({ type: "sdk" } & SdkServerConfig)
  | ({ type: "claudeai-proxy" } & ProxyServerConfig);

/** A server on the network. */
export interface RemoteServerConfig {
  url: string;
  headers?: Record<string, string> | null;
  timeout?: number | null;
  alwaysLoad?: boolean | null;
  tools?: Array<McpToolPolicy> | null;
}

/** A setting of a host or an organisation for one tool of a server. */
export interface McpToolPolicy {
  name: string;
  permission_policy?: McpPermissionPolicy | null;
  org_max_permission?: McpMaxPermission | null;
}

/** Whether a tool is allowed, asked for or denied. */
export type McpPermissionPolicy =
  | "always_allow"
  | "always_ask"
  | "always_deny"
  | (string & {});

/** The most that an organisation lets a tool do. */
export type McpMaxPermission =
  | "allow"
  | "ask"
  | "blocked"
  | (string & {});

/** A server that lives in the host. */
export interface SdkServerConfig {
  name: string;
  timeout?: number | null;
  tools?: Array<McpToolPolicy> | null;
}

/** A connector of the account. */
export interface ProxyServerConfig {
  url: string;
  id?: string | null;
}

/** Where an agent's memory lives. */
export type AgentMemory =
  | "user"
  | "project"
  | "local"
  | (string & {});

/** A host's description of an MCP server in it. */
export interface SdkServerOptions {
  timeout?: number | null;
  tools?: Array<McpToolPolicy> | null;
}

/** What an MCP server would answer to `initialize` and `tools/list`. */
export interface SdkServerManifest {
  initializeResult?: unknown;
  toolsListResult?: unknown;
}

/** When manifests were made. */
export type ManifestsOrigin =
  | "host_per_send"
  | (string & {});

/** A plugin to load. */
export interface PluginSource {
  /** `local`. */
  type?: string | null;
  path?: string | null;
  skipMcpDiscovery?: boolean | null;
}

/** Whether the user trusts a directory. */
export interface WorkspaceTrust {
  accepted?: boolean | null;
  directory?: string | null;
}

/** Stop the turn. */
export interface InterruptRequest {
  /** Whether the messages that wait are dropped as well. */
  cancel_queued?: boolean | null;
}

/** End the process. It answers, exits and reads no more. */
export interface EndSessionRequest {
  reason?: string | null;
}

/** Give a session a title. */
export interface RenameSessionRequest {
  title: string;
  source?: RenameSource | null;
  /** Another session than this one. */
  session_id?: string | null;
}

/** Who renamed a session. */
export type RenameSource =
  | "remote"
  | "host"
  | (string & {});

/** Think of a title. */
export interface GenerateSessionTitleRequest {
  description?: string | null;
  /** Whether the title is kept as the session's. */
  persist?: boolean | null;
}

/** Take over a process that was started ahead of time. */
export interface ClaimSessionRequest {
  cwd: string;
  permission_mode?: PermissionMode | null;
  env?: Record<string, string> | null;
  additional_directories?: Array<string> | null;
  append_system_prompt?: string | null;
  title?: string | null;
  agents?: Record<string, AgentDefinition> | null;
  workspace_trust?: WorkspaceTrust | null;
  sdk_mcp_servers?: Array<string> | null;
  /** Whether the answer should hold what `initialize` would give. */
  include_initialize?: boolean | null;
}

/** Ask something beside the conversation; nothing of it stays. */
export interface SideQuestionRequest {
  question: string;
  history?: Array<unknown> | null;
}

/** Drop a message that still waits for its turn. */
export interface CancelAsyncMessageRequest {
  message_uuid: string;
}

/** End a task. */
export interface StopTaskRequest {
  task_id: string;
}

/** Move what runs to the background. */
export interface BackgroundTasksRequest {
  /** One call only; all if absent. */
  tool_use_id?: string | null;
}

/** The end of what a task has printed. */
export interface GetTaskOutputRequest {
  task_id: string;
}

/** The conversation as text. */
export interface ExportConversationRequest {
}

/** Whether anyone watches. */
export interface SetHasSubscribersRequest {
  has_subscribers?: boolean | null;
}

/** Let the session be driven from elsewhere. */
export interface RemoteControlRequest {
}

/** Start a long review. */
export interface UltrareviewLaunchRequest {
}

/** Enter a permission mode. */
export interface SetPermissionModeRequest {
  mode: PermissionMode;
}

/** Use another model from the next call on. */
export interface SetModelRequest {
  /** Absent, `null` or `default` for the default. */
  model?: string | null;
}

/** Limit how much the model thinks. */
export interface SetMaxThinkingTokensRequest {
  /** `null` for no limit of the host's. */
  max_thinking_tokens?: number | null;
  thinking_display?: ThinkingDisplay | null;
}

/** How much of the thinking is sent. */
export type ThinkingDisplay =
  | "summarized"
  | "omitted"
  | "highlights"
  | (string & {});

/** Override settings from files. A `null` removes an override. */
export interface ApplyFlagSettingsRequest {
  settings: Record<string, unknown>;
}

/** Which settings hold? */
export interface GetSettingsRequest {
}

/** Write settings to a file. */
export interface UpdateSettingsRequest {
  settings: unknown;
  source?: Destination | null;
}

/** Which permission rules hold? */
export interface ListPermissionRulesRequest {
}

/** Which hooks are there? */
export interface GetHooksListingRequest {
}

/** Load plugins again. */
export interface ReloadPluginsRequest {
  /** Whether to hold back what would spoil the prompt cache. */
  hold_on_cache_impact?: boolean | null;
  add_plugins?: Array<PluginSource> | null;
  /** Whether to refuse while a turn runs. */
  refuse_if_busy?: boolean | null;
}

/** Load skills again. */
export interface ReloadSkillsRequest {
}

/** Load output styles again. */
export interface ReloadOutputStylesRequest {
}

/** How do the MCP servers fare? */
export interface McpStatusRequest {
  liveReply?: boolean | null;
}

/** Connect again. */
export interface McpReconnectRequest {
  serverName: string;
}

/** Switch a server on or off. */
export interface McpToggleRequest {
  serverName: string;
  enabled: boolean;
}

/** Put these servers in place of the ones that were set this way before. */
export interface McpSetServersRequest {
  servers: Record<string, StdioServerConfig | TypedServerConfig>;
}

/** Call a tool of a server, without the model. */
export interface McpCallRequest {
  tool: string;
  arguments?: unknown;
  expires_at?: number | null;
  timeout_ms?: number | null;
  result_not_for_model?: boolean | null;
  check_permissions?: boolean | null;
  input_files?: Array<unknown> | null;
  output_files?: Array<unknown> | null;
}

/** Read a resource of a server. */
export interface McpReadResourceRequest {
  serverName: string;
  uri: string;
}

/** Use another permission mode for one server. */
export interface SetMcpPermissionModeOverrideRequest {
  serverName: string;
  mode?: PermissionMode | null;
}

/** Begin to sign in to a server. */
export interface McpAuthenticateRequest {
  serverName: string;
  /** Where the browser is sent back to, if the host takes it from there. */
  redirectUri?: string | null;
}

/** Sign out of a server. */
export interface McpClearAuthRequest {
  serverName: string;
}

/** The address that the browser ended on when the user signed in to a server. */
export interface McpOauthCallbackUrlRequest {
  serverName: string;
  callbackUrl: string;
}

/** Let a server push messages into the conversation. */
export interface ChannelEnableRequest {
}

/** Bring files back to where they were at a message. */
export interface RewindFilesRequest {
  user_message_id: string;
  /** Only return what would change. */
  dry_run?: boolean | null;
}

/** Read a file where the agent runs. */
export interface ReadFileRequest {
  path: string;
  max_bytes?: number | null;
  encoding?: FileEncoding | null;
}

/** How a file's bytes are written in JSON. */
export type FileEncoding =
  | "utf-8"
  | "base64"
  | (string & {});

/** Files whose names match what the user has typed. */
export interface FileSuggestionsRequest {
  query: string;
}

/** Count a file as read, so that it may be edited. */
export interface SeedReadStateRequest {
  path: string;
  mtime?: number | null;
}

/** Make a directory a working directory. */
export interface RegisterRepoRootRequest {
  directory: string;
  reload_claude_md?: boolean | null;
  reload_plugins?: boolean | null;
  reload_skills?: boolean | null;
}

/** Work in another directory. */
export interface SetCwdRequest {
  path: string;
  trust_accepted?: boolean | null;
  trusted_directory?: string | null;
}

/** What fills the context? */
export interface GetContextUsageRequest {
  detail?: ContextDetail | null;
}

/** The level of detail. */
export type ContextDetail =
  | "summary"
  | "full"
  | (string & {});

/** What has the session cost, as text? */
export interface GetSessionCostRequest {
}

/** What has been used of the plan's limits? */
export interface GetUsageRequest {
  skip_behaviors?: boolean | null;
}

/** Which version runs? */
export interface GetBinaryVersionRequest {
}

/** Which models are there? */
export interface ListModelsRequest {
}

/** Which slash commands are there? */
export interface SupportedCommandsRequest {
}

/** What is the state of the session? */
export interface GetStatusRequest {
}

/** What is the plan? */
export interface GetPlanRequest {
}

/** Use a colour for the session. A headless agent refuses. */
export interface SetColorRequest {
  color?: string | null;
}

/** Hold back suggestions for the next prompt. */
export interface SetPromptSuggestionsPausedRequest {
}

/** What the memory dialog shows. */
export interface GetMemoryDialogRequest {
}

/** What the skills dialog shows. */
export interface GetSkillsDialogRequest {
}

/** What the sandbox dialog shows. */
export interface GetSandboxDialogRequest {
}

/** What the browser dialog shows. */
export interface GetChromeDialogRequest {
}

/** Which browsers are there? */
export interface GetChromeBrowsersRequest {
}

/** Use this browser. */
export interface SelectChromeBrowserRequest {
}

/** What the host knows about the browsers. */
export interface SetChromeBrowserHintsRequest {
}

/** Log in. */
export interface ClaudeAuthenticateRequest {
}

/** What the login page gave back. */
export interface ClaudeOauthCallbackRequest {
}

/** Wait until the login is done. */
export interface ClaudeOauthWaitRequest {
}

/** Send the user's feedback to the vendor. */
export interface SubmitFeedbackRequest {
}

/** Send the user's answer to a survey to the vendor. */
export interface SubmitSurveyFeedbackRequest {
}

/** Send the user's feedback on one message to the vendor. */
export interface MessageRatedRequest {
}

/** Sets environment variables of the running agent. Nothing is sent back. */
export interface UpdateEnvironment {
  variables: Record<string, string>;
}

/** A control message without an envelope. 2.1.37 names the type and ends when it gets one; later versions ignore it. Interrupt with a control request instead. */
export interface BareControl {
  action?: string | null;
}

/** What the agent has to offer. Hosts take an answer with empty lists as well. */
export interface InitializeReply {
  commands?: Array<SlashCommand> | null;
  output_style?: string | null;
  available_output_styles?: Array<string> | null;
  models?: Array<ModelInfo> | null;
  account?: AccountInfo | null;
  agents?: Array<AgentInfo> | null;
  /** The agent's process. */
  pid?: number | null;
  /** Whether the request's hooks are in place. */
  hooks_applied?: boolean | null;
  /** Whether `onFailure` of a matcher is honoured. */
  hook_on_failure_supported?: boolean | null;
  plugins_applied?: boolean | null;
  /** What became of the request's manifests, by server. */
  sdk_mcp_manifests_parked?: Record<string, ManifestFate> | null;
  claude_code_version?: string | null;
  fast_mode_state?: FastModeState | null;
  fast_mode_disabled_reason?: string | null;
  current_permission_mode?: PermissionMode | null;
  session_state?: string | null;
  /** Names of what this agent can do beyond the common ground. */
  capabilities?: Array<string> | null;
  user_output_styles_dir?: string | null;
  other_hook_ask_outranks_host?: boolean | null;
  feedback_mode?: FeedbackMode | null;
  analytics_disabled?: boolean | null;
  remote_control_available?: boolean | null;
  remote_control_auto_enable?: boolean | null;
  remote_control_auto_connect_default?: boolean | null;
  remote_control_auto_on_by_default?: boolean | null;
  ide_rc_auto_enable_gate?: boolean | null;
  managed_settings_applied?: unknown;
  code_running_mcp_tools_applied?: unknown;
}

/** A model that can be chosen. */
export interface ModelInfo {
  /** What `set_model` takes. */
  value?: string | null;
  displayName?: string | null;
  description?: string | null;
  supportsEffort?: boolean | null;
  supportedEffortLevels?: Array<EffortLevel> | null;
  supportsAdaptiveThinking?: boolean | null;
  supportsFastMode?: boolean | null;
  supportsAutoMode?: boolean | null;
  /** The model that an alias denotes. */
  resolvedModel?: string | null;
  supportsThinkingOff?: boolean | null;
}

/** Who pays. */
export interface AccountInfo {
  email?: string | null;
  organization?: string | null;
  subscriptionType?: string | null;
  tokenSource?: string | null;
  apiKeySource?: string | null;
  apiProvider?: ApiProvider | null;
}

/** Who runs the model. */
export type ApiProvider =
  | "firstParty"
  | "bedrock"
  | "vertex"
  | "foundry"
  | "anthropicAws"
  | "anthropicGoogleCloud"
  | "mantle"
  | "gateway"
  | (string & {});

/** A subagent that the model can call. */
export interface AgentInfo {
  name?: string | null;
  description?: string | null;
  model?: string | null;
}

/** What became of a server's manifest. */
export type ManifestFate =
  | "parked"
  | "already_connected"
  | "protocol_version_mismatch"
  | "malformed"
  | "not_honoured"
  | (string & {});

/** Whether the user can send feedback. */
export interface FeedbackMode {
  kind?: string | null;
}

/** The turn was stopped. */
export interface InterruptReply {
  /** Messages that still wait, by uuid. */
  still_queued?: Array<string> | null;
  /** Messages that were dropped, by uuid. */
  cancelled?: Array<string> | null;
}

/** Nothing but that it is done. */
export interface Acknowledgement {
}

/** A title. */
export interface GenerateSessionTitleReply {
  title?: string | null;
}

/** The process that was taken over. */
export interface ClaimSessionReply {
  cwd?: string | null;
  session_id?: string | null;
  /** How long it had waited. */
  parked_ms?: number | null;
  sdk_mcp_settled?: boolean | null;
  initialize?: InitializeReply | null;
}

/** The answer to a question beside the conversation. */
export interface SideQuestionReply {
  response?: string | null;
  /** Whether no model was asked. */
  synthetic?: boolean | null;
  refusal_fallback?: unknown;
}

/** Whether the message could still be dropped. */
export interface CancelAsyncMessageReply {
  cancelled?: boolean | null;
}

/** Whether something went to the background; yes, if absent. */
export interface BackgroundTasksReply {
  backgrounded?: boolean | null;
}

/** The end of what a task has printed. */
export interface GetTaskOutputReply {
  output?: string | null;
  total_bytes?: number | null;
  truncated?: boolean | null;
}

/** An answer whose members are undocumented. They are all in `extra`. */
export interface OpenReply {
}

/** The mode that holds now. */
export interface SetPermissionModeReply {
  mode?: PermissionMode | null;
}

/** The model that will be used. */
export interface SetModelReply {
  model?: string | null;
}

/** The settings that hold. */
export interface GetSettingsReply {
  /** All sources merged. */
  effective?: unknown;
  /** Each source by itself. */
  sources?: Array<unknown> | null;
  /** What the session makes of them. */
  applied?: AppliedSettings | null;
}

/** What a session makes of its settings. */
export interface AppliedSettings {
  model?: string | null;
  effort?: string | null;
  advisor?: unknown;
  ultracode?: boolean | null;
  ultracodeRequested?: boolean | null;
  ultracodeAvailable?: boolean | null;
  ultrathinkAvailable?: boolean | null;
  outsideFileToolReadsBlocked?: boolean | null;
  outsideFileToolWritesBlocked?: boolean | null;
  outsideBlocksCountLaunchFoldersOnly?: boolean | null;
  launchEnvLeftOwnFilesInPlace?: boolean | null;
}

/** The permission rules that hold. */
export interface ListPermissionRulesReply {
  state?: PermissionRulesState | null;
}

/** All permission rules, and what they apply to. */
export interface PermissionRulesState {
  rules?: Array<ListedRule> | null;
  workspaceDirectories?: Array<ListedDirectory> | null;
  originalCwd?: string | null;
  /** Whether only an organisation's rules count. */
  managedOnly?: boolean | null;
  errors?: Array<unknown> | null;
  withheld?: unknown;
}

/** A permission rule and where it comes from. */
export interface ListedRule {
  behavior?: RuleBehavior | null;
  source?: Destination | null;
  /** As written in settings, such as `Bash(git log:*)`. */
  rule?: string | null;
  description?: string | null;
  editability?: RuleEditability | null;
  notInEffect?: unknown;
}

/** Whether a rule can be changed, and for how long. */
export type RuleEditability =
  | "persistent"
  | "session"
  | "readonly"
  | (string & {});

/** A working directory and where it comes from. */
export interface ListedDirectory {
  path?: string | null;
  source?: string | null;
}

/** The hooks that are configured. */
export interface GetHooksListingReply {
  events?: Array<unknown> | null;
  hooks?: Array<unknown> | null;
  /** The events that there are. */
  eventCatalog?: Array<unknown> | null;
  policy?: unknown;
  safeMode?: boolean | null;
  bareMode?: boolean | null;
  errors?: Array<unknown> | null;
}

/** What the session has after plugins were loaded again. */
export interface ReloadPluginsReply {
  commands?: Array<SlashCommand> | null;
  agents?: Array<AgentInfo> | null;
  plugins?: Array<unknown> | null;
  mcpServers?: Array<McpServerStatus> | null;
  error_count?: number | null;
  /** Whether something was held back for the sake of the prompt cache. */
  held?: boolean | null;
  cache_impact?: unknown;
}

/** How a server fares. */
export interface McpServerStatus {
  name: string;
  status?: McpServerState | null;
  /** Where its configuration comes from. */
  scope?: string | null;
  /** Its name and version, once connected. */
  serverInfo?: McpImplementation | null;
  tools?: Array<McpTool> | null;
  /** Why it failed. */
  error?: string | null;
  config?: StdioServerConfig | TypedServerConfig | null;
  source?: string | null;
  transport?: string | null;
}

/** A program with an MCP implementation. */
export interface McpImplementation {
  name?: string | null;
  version?: string | null;
  title?: string | null;
  description?: string | null;
  websiteUrl?: string | null;
}

/** A tool of a server. */
export interface McpTool {
  name: string;
  description?: string | null;
  annotations?: McpToolAnnotations | null;
  _meta?: unknown;
}

/** A tool's description of itself. */
export interface McpToolAnnotations {
  readOnly?: boolean | null;
  destructive?: boolean | null;
  openWorld?: boolean | null;
}

/** The skills after they were loaded again. */
export interface ReloadSkillsReply {
  skills?: Array<unknown> | null;
}

/** The output styles after they were loaded again. */
export interface ReloadOutputStylesReply {
  available_output_styles?: Array<string> | null;
}

/** How the MCP servers fare. */
export interface McpStatusReply {
  mcpServers?: Array<McpServerStatus> | null;
}

/** What changed among the servers. */
export interface McpSetServersReply {
  added?: Array<string> | null;
  removed?: Array<string> | null;
  /** Why servers could not be used, by name. */
  errors?: Record<string, string> | null;
}

/** What a tool of a server gave back. */
export interface McpCallReply {
  content?: Array<unknown> | null;
  structuredContent?: unknown;
  isError?: boolean | null;
  _meta?: unknown;
  staging?: unknown;
}

/** A resource of a server. */
export interface McpReadResourceReply {
  contents?: Array<McpResource> | null;
}

/** A part of a resource: text, or bytes in base64. */
export interface McpResource {
  uri?: string | null;
  mimeType?: string | null;
  text?: string | null;
  blob?: string | null;
  _meta?: unknown;
}

/** The override is in place. */
export interface SetMcpPermissionModeOverrideReply {
  warning?: string | null;
}

/** How the user signs in to a server. */
export interface McpAuthenticateReply {
  /** The page to open. */
  authUrl?: string | null;
  /** False, where the server can be used without the user. */
  requiresUserAction?: boolean | null;
}

/** What rewinding changed or would change. */
export interface RewindFilesReply {
  canRewind?: boolean | null;
  /** Why it can't be done. */
  error?: string | null;
  filesChanged?: Array<string> | null;
  insertions?: number | null;
  deletions?: number | null;
  skippedLinks?: unknown;
}

/** A file. */
export interface ReadFileReply {
  contents?: string | null;
  absPath?: string | null;
  truncated?: boolean | null;
  encoding?: FileEncoding | null;
  /** Whether bytes that are not text were replaced. */
  lossy?: boolean | null;
}

/** Files whose names match. */
export interface FileSuggestionsReply {
  suggestions?: Array<unknown> | null;
  cwd?: string | null;
}

/** What fills the context. */
export interface ContextUsageReply {
  categories?: Array<ContextUsageCategory> | null;
  totalTokens?: number | null;
  maxTokens?: number | null;
  rawMaxTokens?: number | null;
  percentage?: number | null;
  /** The squares of the picture that the terminal shows, row by row. */
  gridRows?: Array<Array<ContextUsageSquare>> | null;
  model?: string | null;
  memoryFiles?: Array<unknown> | null;
  mcpTools?: Array<unknown> | null;
  mcpInstructions?: Array<unknown> | null;
  deferredBuiltinTools?: Array<unknown> | null;
  systemTools?: Array<unknown> | null;
  systemPromptSections?: Array<unknown> | null;
  agents?: Array<unknown> | null;
  slashCommands?: ContextUsageCommands | null;
  skills?: ContextUsageSkills | null;
  autoCompactThreshold?: number | null;
  autocompactSource?: string | null;
  isAutoCompactEnabled?: boolean | null;
  messageBreakdown?: ContextUsageMessages | null;
  apiUsage?: unknown;
}

/** A share of the context. */
export interface ContextUsageCategory {
  id?: string | null;
  name?: string | null;
  tokens?: number | null;
  color?: string | null;
  isDeferred?: boolean | null;
  kind?: ContextUsageKind | null;
}

/** In which way a share counts. */
export type ContextUsageKind =
  | "used"
  | "free"
  | "buffer"
  | "deferred"
  | (string & {});

/** A square of the picture. */
export interface ContextUsageSquare {
  color?: string | null;
  isFilled?: boolean | null;
  categoryName?: string | null;
  tokens?: number | null;
  percentage?: number | null;
  squareFullness?: number | null;
}

/** What the slash commands take. */
export interface ContextUsageCommands {
  totalCommands?: number | null;
  includedCommands?: number | null;
  tokens?: number | null;
}

/** What the skills take. */
export interface ContextUsageSkills {
  totalSkills?: number | null;
  includedSkills?: number | null;
  tokens?: number | null;
  skillFrontmatter?: Array<ContextUsageSkill> | null;
}

/** What one skill takes. */
export interface ContextUsageSkill {
  name?: string | null;
  source?: string | null;
  tokens?: number | null;
}

/** What the messages take. */
export interface ContextUsageMessages {
  toolCallTokens?: number | null;
  toolResultTokens?: number | null;
  attachmentTokens?: number | null;
  assistantMessageTokens?: number | null;
  userMessageTokens?: number | null;
  redirectedContextTokens?: number | null;
  unattributedTokens?: number | null;
  toolCallsByType?: Array<unknown> | null;
  attachmentsByType?: Array<unknown> | null;
}

/** What the session has cost, as text. */
export interface SessionCostReply {
  text?: string | null;
}

/** What the session and the plan have used. */
export interface UsageReply {
  session?: SessionUsage | null;
  subscription_type?: string | null;
  rate_limits_available?: boolean | null;
  rate_limits?: PlanLimits | null;
  behaviors?: unknown;
}

/** What the plan allows. */
export interface PlanLimits {
  five_hour?: PlanWindow | null;
  seven_day?: PlanWindow | null;
  seven_day_oauth_apps?: PlanWindow | null;
  seven_day_opus?: PlanWindow | null;
  seven_day_sonnet?: PlanWindow | null;
  model_scoped?: Array<unknown> | null;
  extra_usage?: ExtraUsage | null;
}

/** How much of a window is used, and when it begins anew. */
export interface PlanWindow {
  utilization?: number | null;
  resets_at?: string | null;
}

/** The version that runs. */
export interface BinaryVersionReply {
  version?: string | null;
  buildTime?: string | null;
}

/** The models that can be chosen. */
export interface ListModelsReply {
  models?: Array<ModelInfo> | null;
}

/** Whether a tool may run. */
export type PermissionReply =
  | ({ behavior: "allow" } & PermissionAllow)
  | ({ behavior: "deny" } & PermissionDeny);

/** The tool may run. */
export interface PermissionAllow {
  /** The input to run with. Send the request's input if nothing changed: older agents insist on it. For AskUserQuestion it is the input with `answers`. */
  updatedInput?: unknown;
  /** Updates to apply from now on: this expresses "always allow". */
  updatedPermissions?: Array<PermissionUpdate> | null;
  /** Another way to express "always allow", which some hosts use. The reference ignores it. */
  applyPermissionSuggestion?: PermissionUpdate | null;
  /** The request's `tool_use_id`. */
  toolUseID?: string | null;
  decisionClassification?: DecisionClassification | null;
}

/** For how long the user decided. */
export type DecisionClassification =
  | "user_temporary"
  | "user_permanent"
  | "user_reject"
  | (string & {});

/** The tool may not run. */
export interface PermissionDeny {
  /** What the model gets in place of the tool's result. */
  message?: string | null;
  /** Whether the turn ends as well. */
  interrupt?: boolean | null;
  /** The request's `tool_use_id`. */
  toolUseID?: string | null;
  decisionClassification?: DecisionClassification | null;
}

/** What a hook answers. With `async` the agent continues at once; everything else is for an answer that it waits for. */
export interface HookOutput {
  /** The hook works on; nothing is waited for. */
  async?: boolean | null;
  /** How long it may, in milliseconds. */
  asyncTimeout?: number | null;
  /** `false` ends the turn. */
  continue?: boolean | null;
  suppressOutput?: boolean | null;
  /** Shown to the user where `continue` is `false`. */
  stopReason?: string | null;
  decision?: HookDecision | null;
  /** Shown to the user. */
  systemMessage?: string | null;
  /** Why the hook decided so; the model sees it. */
  reason?: string | null;
  hookSpecificOutput?: HookSpecificOutput | null;
  terminalSequence?: string | null;
}

/** A hook's decision in the old, general form. */
export type HookDecision =
  | "approve"
  | "block"
  | (string & {});

/** The part of a hook's answer that belongs to its event. */
export type HookSpecificOutput =
  | ({ hookEventName: "PreToolUse" } & PreToolUseOutput)
  | ({ hookEventName: "PostToolUse" } & PostToolUseOutput)
  | ({ hookEventName: "PostToolUseFailure" } & ContextOutput)
  | ({ hookEventName: "PostToolBatch" } & ContextOutput)
  | ({ hookEventName: "PermissionRequest" } & PermissionRequestOutput)
  | ({ hookEventName: "PermissionDenied" } & PermissionDeniedOutput)
  | ({ hookEventName: "UserPromptSubmit" } & UserPromptSubmitOutput)
  | ({ hookEventName: "UserPromptExpansion" } & UserPromptExpansionOutput)
  | ({ hookEventName: "SessionStart" } & SessionStartOutput)
  | ({ hookEventName: "Stop" } & ContextOutput)
  | ({ hookEventName: "SubagentStart" } & ContextOutput)
  | ({ hookEventName: "SubagentStop" } & ContextOutput)
  | ({ hookEventName: "PreModelSwitch" } & PreModelSwitchOutput)
  | ({ hookEventName: "PostModelSwitch" } & ContextOutput)
  | ({ hookEventName: "Notification" } & ContextOutput)
  | ({ hookEventName: "Setup" } & ContextOutput)
  | ({ hookEventName: "Elicitation" } & ElicitationOutput)
  | ({ hookEventName: "ElicitationResult" } & ElicitationOutput)
  | ({ hookEventName: "CwdChanged" } & WatchOutput)
  | ({ hookEventName: "FileChanged" } & WatchOutput)
  | ({ hookEventName: "WorktreeCreate" } & WorktreeCreateOutput)
  | ({ hookEventName: "MessageDisplay" } & MessageDisplayOutput);

/** Whether a tool may run, and with which input. */
export interface PreToolUseOutput {
  permissionDecision?: HookPermission | null;
  permissionDecisionReason?: string | null;
  updatedInput?: unknown;
  additionalContext?: string | null;
}

/** A hook's word on a tool call. */
export type HookPermission =
  | "allow"
  | "deny"
  | "ask"
  /** Ends the turn and leaves the call to the host. */
  | "defer"
  | (string & {});

/** What becomes of a tool's result. */
export interface PostToolUseOutput {
  additionalContext?: string | null;
  /** Takes the place of the result of an MCP tool. */
  updatedMCPToolOutput?: unknown;
  /** Takes the place of the result of any tool. */
  updatedToolOutput?: unknown;
  classifierContext?: unknown;
}

/** Text that the model gets to see. */
export interface ContextOutput {
  additionalContext?: string | null;
}

/** An answer in the user's place. */
export interface PermissionRequestOutput {
  decision?: HookPermissionDecision | null;
}

/** Whether a tool may run. */
export type HookPermissionDecision =
  | ({ behavior: "allow" } & HookPermissionAllow)
  | ({ behavior: "deny" } & HookPermissionDeny);

/** It may. */
export interface HookPermissionAllow {
  updatedInput?: unknown;
  updatedPermissions?: Array<PermissionUpdate> | null;
}

/** It may not. */
export interface HookPermissionDeny {
  message?: string | null;
  /** Whether the turn ends as well. */
  interrupt?: boolean | null;
}

/** Whether the model may try again. */
export interface PermissionDeniedOutput {
  retry?: boolean | null;
}

/** What goes with the user's message. */
export interface UserPromptSubmitOutput {
  additionalContext?: string | null;
  sessionTitle?: string | null;
  suppressOriginalPrompt?: boolean | null;
}

/** What goes with an expanded command. */
export interface UserPromptExpansionOutput {
  additionalContext?: string | null;
  suppressOriginalPrompt?: boolean | null;
}

/** How a session begins. */
export interface SessionStartOutput {
  additionalContext?: string | null;
  initialUserMessage?: string | null;
  sessionTitle?: string | null;
  watchPaths?: Array<string> | null;
  reloadSkills?: boolean | null;
}

/** Whether another model may take over. */
export interface PreModelSwitchOutput {
  permissionDecision?: HookPermission | null;
  permissionDecisionReason?: string | null;
}

/** An answer to an MCP server in the user's place, or another one than the user's. */
export interface ElicitationOutput {
  action?: ElicitationAction | null;
  content?: unknown;
}

/** Files whose changes the hook wants to receive from now on. */
export interface WatchOutput {
  watchPaths?: Array<string> | null;
}

/** Where the hook made the worktree. */
export interface WorktreeCreateOutput {
  worktreePath?: string | null;
}

/** What is shown in place of the piece. */
export interface MessageDisplayOutput {
  displayContent?: string | null;
}

/** What an MCP server in the host answered. A notification is answered with an empty result. */
export interface McpReply {
  mcp_response?: McpMessage | null;
}

/** The user's answer to an MCP server. */
export interface ElicitationReply {
  action: ElicitationAction;
  /** The form's fields. */
  content?: unknown;
}

/** How a dialog ended. */
export type DialogReply =
  | ({ behavior: "completed" } & DialogCompleted)
  | ({ behavior: "cancelled" } & DialogCancelled);

/** The user finished the dialog. */
export interface DialogCompleted {
  result?: unknown;
}

/** The user left the dialog. */
export interface DialogCancelled {
}

/** A new access token, or why there is none. */
export interface OauthTokenReply {
  accessToken?: string | null;
  reason?: string | null;
}

/** A new credential of the host. */
export interface HostAuthTokenReply {
  authToken?: string | null;
}

/** The secret of a session that is driven from elsewhere. */
export interface WorkSecretReply {
  work_secret?: string | null;
}

/** A shell command. */
export interface BashInput {
  command: string;
  /** In milliseconds. */
  timeout?: number | null;
  /** What the command does, for the user. */
  description?: string | null;
  run_in_background?: boolean | null;
  dangerouslyDisableSandbox?: boolean | null;
}

/** Reads a file. */
export interface ReadInput {
  file_path: string;
  /** The first line to read. */
  offset?: number | null;
  /** How many lines. */
  limit?: number | null;
  /** Pages of a PDF, such as `1-5`. */
  pages?: string | null;
  allow_large?: boolean | null;
}

/** Writes a file. */
export interface WriteInput {
  file_path: string;
  content: string;
}

/** Replaces a piece of a file. */
export interface EditInput {
  file_path: string;
  old_string: string;
  new_string: string;
  /** Every occurrence, and not just the only one. */
  replace_all?: boolean | null;
}

/** Finds files by their path. */
export interface GlobInput {
  pattern: string;
  /** The directory to look in; the working directory where there is none. */
  path?: string | null;
}

/** Finds lines in files by a regular expression. */
export interface GrepInput {
  pattern: string;
  path?: string | null;
  /** Only files whose path matches. */
  glob?: string | null;
  output_mode?: GrepMode | null;
  /** Lines of context after each match. */
  "-A"?: number | null;
  /** Lines of context before each match. */
  "-B"?: number | null;
  /** Lines of context on both sides. */
  "-C"?: number | null;
  /** The same as `-C`. */
  context?: number | null;
  "-n"?: boolean | null;
  "-i"?: boolean | null;
  /** Only files of a language, such as `rust`. */
  type?: string | null;
  /** How many lines or files at most. */
  head_limit?: number | null;
  /** How many lines or files to pass over first. */
  offset?: number | null;
  /** A match may go over several lines. */
  multiline?: boolean | null;
  /** Only the part that matches. */
  "-o"?: boolean | null;
}

/** What a search gives back. */
export type GrepMode =
  | "content"
  | "files_with_matches"
  | "count"
  | (string & {});

/** Changes a cell of a notebook. */
export interface NotebookEditInput {
  notebook_path: string;
  new_source: string;
  /** The cell; a new one goes after it. */
  cell_id?: string | null;
  cell_type?: CellType | null;
  edit_mode?: NotebookEditMode | null;
}

/** What a cell holds. */
export type CellType =
  | "code"
  | "markdown"
  | (string & {});

/** What is done to a cell. */
export type NotebookEditMode =
  | "replace"
  | "insert"
  | "delete"
  | (string & {});

/** The whole list of things to do. */
export interface TodoWriteInput {
  todos: Array<Todo>;
}

/** A thing to do. */
export interface Todo {
  content: string;
  status?: TodoStatus | null;
  /** The same while it is being done, for the user. */
  activeForm?: string | null;
}

/** How far a thing to do is. */
export type TodoStatus =
  | "pending"
  | "in_progress"
  | "completed"
  | (string & {});

/** Puts a task on the session's list. */
export interface TaskCreateInput {
  subject: string;
  description?: string | null;
  activeForm?: string | null;
  metadata?: Record<string, unknown> | null;
}

/** Asks for a task. */
export interface TaskGetInput {
  taskId: string;
}

/** Changes a task: only what is there. */
export interface TaskUpdateInput {
  taskId: string;
  subject?: string | null;
  description?: string | null;
  activeForm?: string | null;
  status?: TrackedTaskStatus | null;
  addBlocks?: Array<string> | null;
  addBlockedBy?: Array<string> | null;
  owner?: string | null;
  metadata?: Record<string, unknown> | null;
}

/** How far a task on the list is. */
export type TrackedTaskStatus =
  | "pending"
  | "in_progress"
  | "completed"
  /** Taken off the list. */
  | "deleted"
  | (string & {});

/** Asks for all tasks. */
export interface TaskListInput {
}

/** Asks for the output of a background task. */
export interface TaskOutputInput {
  task_id: string;
  /** Whether to wait for the task's end. */
  block?: boolean | null;
  /** How long, in milliseconds. */
  timeout?: number | null;
}

/** Stops a background task. */
export interface TaskStopInput {
  task_id?: string | null;
  /** The older name of `task_id`. */
  shell_id?: string | null;
}

/** Fetches a page and asks a model about it. */
export interface WebFetchInput {
  url: string;
  prompt?: string | null;
  /** Where in a long page to continue. */
  offset?: number | null;
}

/** Searches the web. */
export interface WebSearchInput {
  query: string;
  allowed_domains?: Array<string> | null;
  blocked_domains?: Array<string> | null;
}

/** Starts a subagent. */
export interface AgentInput {
  prompt: string;
  /** The task in a few words, for the user. */
  description?: string | null;
  subagent_type?: string | null;
  model?: string | null;
  run_in_background?: boolean | null;
  name?: string | null;
  team_name?: string | null;
  mode?: PermissionMode | null;
  /** A subagent to resume. */
  resume?: string | null;
  max_turns?: number | null;
  isolation?: AgentIsolation | null;
  effort?: EffortLevel | null;
}

/** How a subagent's files are kept apart from the session's. */
export type AgentIsolation =
  /** A git worktree of its own. */
  | "worktree"
  /** Another machine. */
  | "remote"
  | (string & {});

/** One to four questions, and, once a host has put them in, the answers. */
export interface AskUserQuestionInput {
  questions: Array<Question>;
  /** By the question's text. */
  answers?: Record<string, string | Array<string>> | null;
  metadata?: QuestionMetadata | null;
  /** By the question's text. */
  annotations?: Record<string, AnswerAnnotation> | null;
}

/** A question with two to four options. The user may always enter another answer. */
export interface Question {
  question: string;
  options: Array<QuestionOption>;
  /** A word or two to put above the question. */
  header?: string | null;
  multiSelect?: boolean | null;
}

/** Something to choose. */
export interface QuestionOption {
  label: string;
  description?: string | null;
  /** What choosing it would look like, to be shown beside the options. */
  preview?: string | null;
}

/** What made the model ask. */
export interface QuestionMetadata {
  /** Such as the name of a slash command. */
  source?: string | null;
}

/** What belongs to an answer beside the answer. */
export interface AnswerAnnotation {
  /** The preview of the option that was chosen. */
  preview?: string | null;
  notes?: string | null;
  unanswered?: Unanswered | null;
}

/** Why a question has no answer. */
export type Unanswered =
  | "skipped"
  | "replied_in_chat"
  | "dismissed"
  | (string & {});

/** Asks to make a plan first. */
export interface EnterPlanModeInput {
}

/** Asks to carry out a plan. */
export interface ExitPlanModeInput {
  /** The plan itself, where the model sends it here and not in a file. */
  plan?: string | null;
  /** What the plan will want to do, so that it can be allowed beforehand. */
  allowedPrompts?: Array<AllowedPrompt> | null;
}

/** Something a plan will want to do. */
export interface AllowedPrompt {
  tool: string;
  /** In words. */
  prompt?: string | null;
}

/** Calls a skill. */
export interface SkillInput {
  skill: string;
  args?: string | null;
}

/** What a shell command printed, and what became of it. */
export interface BashResult {
  stdout: string;
  stderr?: string | null;
  /** The user stopped it. */
  interrupted?: boolean | null;
  /** The output is an image as a data address. */
  isImage?: boolean | null;
  /** The task that the command became. */
  backgroundTaskId?: string | null;
  /** The command prints nothing when all is well. */
  noOutputExpected?: boolean | null;
  /** The whole output, where it was too long for the model. */
  persistedOutputPath?: string | null;
  persistedOutputSize?: number | null;
  rawOutputPath?: string | null;
  backgroundedByUser?: boolean | null;
  dangerouslyDisableSandbox?: boolean | null;
  /** What the exit code means for this command, where it is not what one expects. */
  returnCodeInterpretation?: string | null;
  structuredContent?: Array<unknown> | null;
  timedOutAfterMs?: number | null;
  backgroundCwdHint?: string | null;
  backgroundEndsWithFinalResponse?: boolean | null;
  backgroundWakesOwner?: boolean | null;
  staleReadFileStateHint?: string | null;
  ghRateLimitHint?: string | null;
  /** What the command did to a git repository. */
  gitOperation?: GitOperation | null;
}

/** What a command did to a git repository. */
export interface GitOperation {
  commit?: GitCommit | null;
  push?: GitPush | null;
  branch?: GitBranch | null;
  pr?: GitPullRequest | null;
}

/** A commit was made. */
export interface GitCommit {
  sha: string;
  /** Such as `committed` or `amended`. */
  kind?: string | null;
  branch?: string | null;
}

/** A branch was pushed. */
export interface GitPush {
  branch: string;
}

/** A branch was merged or rebased. */
export interface GitBranch {
  /** The branch or commit. */
  ref: string;
  action?: string | null;
}

/** Something was done to a pull request. */
export interface GitPullRequest {
  number: number;
  url?: string | null;
  /** Such as `created`, `commented` or `merged`. */
  action?: string | null;
}

/** What was read. */
export type ReadResult =
  | ({ type: "text" } & ReadText)
  | ({ type: "image" } & ReadImage)
  | ({ type: "notebook" } & ReadNotebook)
  | ({ type: "pdf" } & ReadPdf)
  | ({ type: "parts" } & ReadParts);

/** Lines of a text file. */
export interface ReadText {
  file: ReadTextFile;
}

/** Lines of a text file. */
export interface ReadTextFile {
  filePath: string;
  content?: string | null;
  numLines?: number | null;
  startLine?: number | null;
  totalLines?: number | null;
  truncatedByTokenCap?: boolean | null;
}

/** An image. */
export interface ReadImage {
  file: ReadImageFile;
}

/** An image. */
export interface ReadImageFile {
  base64: string;
  /** The media type. */
  type?: string | null;
  /** In bytes. */
  originalSize?: number | null;
  dimensions?: ImageDimensions | null;
}

/** How large an image is, and how large it was made for the model. */
export interface ImageDimensions {
  originalWidth?: number | null;
  originalHeight?: number | null;
  displayWidth?: number | null;
  displayHeight?: number | null;
}

/** The cells of a notebook. */
export interface ReadNotebook {
  file: ReadNotebookFile;
}

/** The cells of a notebook. */
export interface ReadNotebookFile {
  filePath: string;
  cells?: Array<unknown> | null;
}

/** A whole PDF. */
export interface ReadPdf {
  file: ReadPdfFile;
}

/** A whole PDF. */
export interface ReadPdfFile {
  filePath: string;
  base64?: string | null;
  originalSize?: number | null;
}

/** Pages of a PDF. */
export interface ReadParts {
  file: ReadPartsFile;
  firstPage?: number | null;
  pages?: Array<PageImage> | null;
}

/** A PDF that was taken apart into pages. */
export interface ReadPartsFile {
  filePath: string;
  originalSize?: number | null;
  count?: number | null;
  /** Where the pages are. */
  outputDir?: string | null;
}

/** A page as an image. */
export interface PageImage {
  base64: string;
  mediaType?: string | null;
  error?: string | null;
}

/** A file was written. */
export interface WriteResult {
  filePath: string;
  type?: FileChange | null;
  content?: string | null;
  /** Empty for a new file. */
  structuredPatch?: Array<PatchHunk> | null;
  /** What the file held before; `null` for a new one. */
  originalFile?: string | null;
  gitDiff?: GitDiff | null;
  userModified?: boolean | null;
  staged?: boolean | null;
}

/** Whether a file was there before. */
export type FileChange =
  | "create"
  | "update"
  | (string & {});

/** A hunk of a patch. Lines begin with a space, `-` or `+`. */
export interface PatchHunk {
  lines: Array<string>;
  oldStart?: number | null;
  oldLines?: number | null;
  newStart?: number | null;
  newLines?: number | null;
}

/** A change as git sees it. */
export interface GitDiff {
  filename: string;
  /** `modified` or `added`. */
  status?: string | null;
  additions?: number | null;
  deletions?: number | null;
  changes?: number | null;
  patch?: string | null;
  repository?: string | null;
}

/** A file was changed. */
export interface EditResult {
  filePath: string;
  oldString?: string | null;
  newString?: string | null;
  /** What the file held before. */
  originalFile?: string | null;
  structuredPatch?: Array<PatchHunk> | null;
  /** The user changed the edit before letting it through. */
  userModified?: boolean | null;
  replaceAll?: boolean | null;
  gitDiff?: GitDiff | null;
  staged?: boolean | null;
  /** The file had changed since it was read, and the edit was made all the same. */
  staleRecovered?: boolean | null;
  /** The model does not have all of the file's contents. */
  contentNotInModelContext?: boolean | null;
}

/** The files that were found. */
export interface GlobResult {
  filenames: Array<string>;
  durationMs?: number | null;
  numFiles?: number | null;
  /** There are more. */
  truncated?: boolean | null;
  totalMatches?: number | null;
  countIsComplete?: boolean | null;
  timedOut?: boolean | null;
}

/** What was found. */
export interface GrepResult {
  mode?: GrepMode | null;
  /** 0 where lines were asked for. */
  numFiles?: number | null;
  filenames?: Array<string> | null;
  /** The lines, or the counts. */
  content?: string | null;
  numLines?: number | null;
  numMatches?: number | null;
  /** The limit that cut the answer off. */
  appliedLimit?: number | null;
  appliedOffset?: number | null;
  totalFiles?: number | null;
  totalLines?: number | null;
  timedOut?: boolean | null;
}

/** A cell was changed. */
export interface NotebookEditResult {
  notebook_path: string;
  new_source?: string | null;
  cell_id?: string | null;
  cell_type?: CellType | null;
  language?: string | null;
  edit_mode?: NotebookEditMode | null;
  error?: string | null;
  original_file?: string | null;
  updated_file?: string | null;
  old_source?: string | null;
}

/** The list before and after. */
export interface TodoWriteResult {
  newTodos: Array<Todo>;
  oldTodos?: Array<Todo> | null;
  verificationNudgeNeeded?: boolean | null;
}

/** The task that was put on the list. */
export interface TaskCreateResult {
  task: TrackedTask;
}

/** A task on the session's list. */
export interface TrackedTask {
  id: string;
  subject?: string | null;
  description?: string | null;
  status?: TrackedTaskStatus | null;
  owner?: string | null;
  /** Tasks that wait for this one. */
  blocks?: Array<string> | null;
  /** Tasks that this one waits for. */
  blockedBy?: Array<string> | null;
}

/** The task; `null` where there is none. */
export interface TaskGetResult {
  task?: TrackedTask | null;
}

/** What changed. */
export interface TaskUpdateResult {
  success: boolean;
  taskId?: string | null;
  updatedFields?: Array<string> | null;
  error?: string | null;
  statusChange?: TaskStatusChange | null;
}

/** A task's status before and after. */
export interface TaskStatusChange {
  from: TrackedTaskStatus;
  to: TrackedTaskStatus;
}

/** All tasks. */
export interface TaskListResult {
  tasks: Array<TrackedTask>;
}

/** A background task was stopped. */
export interface TaskStopResult {
  message?: string | null;
  task_id?: string | null;
  task_type?: string | null;
  command?: string | null;
}

/** The page's text. */
export interface WebFetchResult {
  result: string;
  url?: string | null;
  bytes?: number | null;
  /** The HTTP status. */
  code?: number | null;
  codeText?: string | null;
  durationMs?: number | null;
}

/** What the search found. */
export interface WebSearchResult {
  query: string;
  results?: Array<string | WebSearchHits> | null;
  durationSeconds?: number | null;
  searchCount?: number | null;
}

/** The pages that one search found. */
export interface WebSearchHits {
  content: Array<WebSearchHit>;
  tool_use_id?: string | null;
}

/** A page that a search found. */
export interface WebSearchHit {
  url: string;
  title?: string | null;
  snippet?: string | null;
}

/** What became of a subagent. */
export type AgentResult =
  | ({ status: "completed" } & AgentCompleted)
  | ({ status: "async_launched" } & AgentLaunched)
  | ({ status: "remote_launched" } & AgentLaunchedRemotely);

/** A subagent is done. */
export interface AgentCompleted {
  content: Array<ContentBlock>;
  agentId?: string | null;
  prompt?: string | null;
  totalToolUseCount?: number | null;
  totalDurationMs?: number | null;
  totalTokens?: number | null;
  usage?: Usage | null;
  agentType?: string | null;
  resolvedModel?: string | null;
  modelsUsed?: Array<string> | null;
  toolsUsed?: Array<string> | null;
  toolStats?: AgentToolStats | null;
  worktreePath?: string | null;
  worktreeBranch?: string | null;
  canContinueAgent?: boolean | null;
}

/** What a subagent did, counted. */
export interface AgentToolStats {
  readCount?: number | null;
  searchCount?: number | null;
  bashCount?: number | null;
  editFileCount?: number | null;
  linesAdded?: number | null;
  linesRemoved?: number | null;
  otherToolCount?: number | null;
  frameCount?: number | null;
}

/** A subagent runs in the background. */
export interface AgentLaunched {
  agentId: string;
  description?: string | null;
  prompt?: string | null;
  /** Where its output can be read. */
  outputFile?: string | null;
  canReadOutputFile?: boolean | null;
  isAsync?: boolean | null;
  resolvedModel?: string | null;
  modelsUsed?: Array<string> | null;
  canContinueAgent?: boolean | null;
}

/** A subagent runs on another machine. */
export interface AgentLaunchedRemotely {
  taskId: string;
  sessionUrl?: string | null;
  description?: string | null;
  prompt?: string | null;
  outputFile?: string | null;
}

/** What the tool gives back: the questions with their answers. */
export interface AskUserQuestionResult {
  questions: Array<Question>;
  answers?: Record<string, string | Array<string>> | null;
  annotations?: Record<string, AnswerAnnotation> | null;
  /** The user's own text instead of a choice. */
  response?: string | null;
  afkTimeoutMs?: number | null;
}

/** The session is in plan mode. */
export interface EnterPlanModeResult {
  message?: string | null;
}

/** The plan was approved. */
export interface ExitPlanModeResult {
  plan?: string | null;
  /** A subagent made the plan. */
  isAgent?: boolean | null;
  filePath?: string | null;
  hasTaskTool?: boolean | null;
  awaitingLeaderApproval?: boolean | null;
  requestId?: string | null;
  planWasEdited?: boolean | null;
}

/** A skill was found; its text follows as a `user` frame. */
export interface SkillResult {
  success?: boolean | null;
  commandName?: string | null;
}

/** A line of a transcript: a message of the conversation, something that hangs between messages, or a note about the session. */
export type TranscriptLine =
  | ({ type: "user" } & UserLine)
  | ({ type: "assistant" } & AssistantLine)
  | ({ type: "system" } & SystemLine)
  | ({ type: "attachment" } & AttachmentLine)
  | ({ type: "progress" } & ProgressLine)
  | ({ type: "custom-title" } & CustomTitleLine)
  | ({ type: "ai-title" } & AiTitleLine)
  | ({ type: "summary" } & SummaryLine)
  | ({ type: "tag" } & TagLine)
  | ({ type: "last-prompt" } & LastPromptLine)
  | ({ type: "cost-state" } & CostStateLine)
  | ({ type: "queue-operation" } & QueueOperationLine)
  | ({ type: "mode" } & ModeLine)
  | ({ type: "relocated" } & RelocatedLine)
  | ({ type: "content-replacement" } & ContentReplacementLine)
  | ({ type: "file-history-snapshot" } & FileHistoryLine);

/** A message of the user, a tool's result, or what the program sends to the model in the user's name. */
export interface UserLine {
  message: UserMessage;
  /** The line that this one follows; `null` for the first, and at a compaction. */
  parentUuid?: string | null;
  /** At a compaction, the line that was the last one before it. */
  logicalParentUuid?: string | null;
  /** A subagent's line. */
  isSidechain?: boolean | null;
  /** Not the user's words, but for the model. */
  isMeta?: boolean | null;
  /** The summary that represents what was compacted. */
  isCompactSummary?: boolean | null;
  isVisibleInTranscriptOnly?: boolean | null;
  /** The tool's output with its structure. */
  toolUseResult?: unknown;
  /** The assistant line whose call this answers. */
  sourceToolAssistantUUID?: string | null;
  sourceToolUseID?: string | null;
  permissionMode?: PermissionMode | null;
  /** What the lines of one prompt share. */
  promptId?: string | null;
  /** Such as `sdk`. */
  promptSource?: string | null;
  turnOrigin?: string | null;
  turnPosition?: TurnPosition | null;
  origin?: Origin | null;
  permissionDecision?: unknown;
  /** Why the call has no result of its own, such as `interrupted`. */
  toolDenialKind?: string | null;
  sandboxed?: boolean | null;
  turnCompanion?: boolean | null;
  queueSkipAttachments?: boolean | null;
  /** The line's id, which is the frame's too. */
  uuid?: string | null;
  timestamp?: string | null;
  /** The subagent of the message. */
  agentId?: string | null;
  /** The team of agents whose line it is. */
  teamName?: string | null;
  agentName?: string | null;
  /** `external`. */
  userType?: string | null;
  /** How the program was started, such as `cli` or `sdk-py`. */
  entrypoint?: string | null;
  sessionKind?: string | null;
  /** In a copy of a conversation: what this line was. */
  forkedFrom?: ForkedFrom | null;
  /** Written by `aqueduct-agent`: its name and version. Other programs pass over it. */
  aqueductProgram?: string | null;
  cwd?: string | null;
  sessionId?: string | null;
  /** The version of the protocol, which for the reference is its own. */
  version?: string | null;
  /** `HEAD` where no branch is checked out. */
  gitBranch?: string | null;
  /** A name for the conversation's files, in words. */
  slug?: string | null;
}

/** The position of a prompt in the conversation. */
export interface TurnPosition {
  promptIndex?: number | null;
  turnIndex?: number | null;
}

/** What a line of a copied conversation was. */
export interface ForkedFrom {
  /** The conversation that was copied. */
  sessionId: string;
  /** The line's id there. */
  messageUuid?: string | null;
}

/** A block of the model's answer, or an error in its place. */
export interface AssistantLine {
  /** Lines of one answer share its id. */
  message: AssistantMessage;
  /** The line that this one follows; `null` for the first, and at a compaction. */
  parentUuid?: string | null;
  /** At a compaction, the line that was the last one before it. */
  logicalParentUuid?: string | null;
  /** A subagent's line. */
  isSidechain?: boolean | null;
  /** Not the user's words, but for the model. */
  isMeta?: boolean | null;
  /** The API's id of the call that gave this answer. */
  requestId?: string | null;
  /** The message is not the model's: it states why there is none. */
  isApiErrorMessage?: boolean | null;
  /** The name of that error. */
  error?: string | null;
  /** The user interrupted the answer. */
  isAbortedMidStream?: boolean | null;
  apiBlockIndex?: number | null;
  requestRef?: string | null;
  requestedModel?: string | null;
  promptCacheRequested?: string | null;
  effort?: string | null;
  perTurnEffort?: string | null;
  /** `model`. */
  madeBy?: string | null;
  toolInputStreamMs?: number | null;
  thinkingDurationMs?: number | null;
  thinkingDisplay?: string | null;
  /** The kind of the subagent. */
  attributionAgent?: string | null;
  /** The line's id, which is the frame's too. */
  uuid?: string | null;
  timestamp?: string | null;
  /** The subagent of the message. */
  agentId?: string | null;
  /** The team of agents whose line it is. */
  teamName?: string | null;
  agentName?: string | null;
  /** `external`. */
  userType?: string | null;
  /** How the program was started, such as `cli` or `sdk-py`. */
  entrypoint?: string | null;
  sessionKind?: string | null;
  /** In a copy of a conversation: what this line was. */
  forkedFrom?: ForkedFrom | null;
  /** Written by `aqueduct-agent`: its name and version. Other programs pass over it. */
  aqueductProgram?: string | null;
  cwd?: string | null;
  sessionId?: string | null;
  /** The version of the protocol, which for the reference is its own. */
  version?: string | null;
  /** `HEAD` where no branch is checked out. */
  gitBranch?: string | null;
  /** A name for the conversation's files, in words. */
  slug?: string | null;
}

/** Something that happened to the conversation. */
export interface SystemLine {
  /** What happened. A `compact_boundary` begins a new chain. */
  subtype: string;
  /** The line that this one follows; `null` for the first, and at a compaction. */
  parentUuid?: string | null;
  /** At a compaction, the line that was the last one before it. */
  logicalParentUuid?: string | null;
  /** A subagent's line. */
  isSidechain?: boolean | null;
  /** Not the user's words, but for the model. */
  isMeta?: boolean | null;
  /** The same for people. */
  content?: string | null;
  /** `info`, `warning` or `error`. */
  level?: string | null;
  /** Of a `compact_boundary`: what was compacted, and why. */
  compactMetadata?: CompactionNote | null;
  /** Of a `local_command`: the command that printed it. */
  commandRun?: LocalCommandRun | null;
  /** Of a `local_command`: why the command did not run. */
  commandOutcome?: LocalCommandOutcome | null;
  /** Of a `compact_boundary` by `aqueduct-agent`: the lists that the model keeps. What they were made from is behind it. */
  aqueductLists?: unknown;
  /** The line's id, which is the frame's too. */
  uuid?: string | null;
  timestamp?: string | null;
  /** The subagent of the message. */
  agentId?: string | null;
  /** The team of agents whose line it is. */
  teamName?: string | null;
  agentName?: string | null;
  /** `external`. */
  userType?: string | null;
  /** How the program was started, such as `cli` or `sdk-py`. */
  entrypoint?: string | null;
  sessionKind?: string | null;
  /** In a copy of a conversation: what this line was. */
  forkedFrom?: ForkedFrom | null;
  /** Written by `aqueduct-agent`: its name and version. Other programs pass over it. */
  aqueductProgram?: string | null;
  cwd?: string | null;
  sessionId?: string | null;
  /** The version of the protocol, which for the reference is its own. */
  version?: string | null;
  /** `HEAD` where no branch is checked out. */
  gitBranch?: string | null;
  /** A name for the conversation's files, in words. */
  slug?: string | null;
}

/** What a compaction did, as a transcript has it. */
export interface CompactionNote {
  trigger?: CompactTrigger | null;
  /** The context's size before. */
  preTokens?: number | null;
  /** The context's size after. */
  postTokens?: number | null;
  durationMs?: number | null;
  cumulativeDroppedTokens?: number | null;
  preservedSegment?: KeptSegment | null;
  preservedMessages?: KeptMessages | null;
}

/** The messages that stay as they were, as a run from head to tail. */
export interface KeptSegment {
  headUuid?: string | null;
  /** The line that the run now follows. */
  anchorUuid?: string | null;
  tailUuid?: string | null;
}

/** The messages that stay as they were, one by one. */
export interface KeptMessages {
  /** The line that the first of them now follows. */
  anchorUuid?: string | null;
  uuids?: Array<string> | null;
  allUuids?: Array<string> | null;
}

/** Something that the program added for the model between two messages. */
export interface AttachmentLine {
  attachment: Attachment;
  /** The line that this one follows; `null` for the first, and at a compaction. */
  parentUuid?: string | null;
  /** At a compaction, the line that was the last one before it. */
  logicalParentUuid?: string | null;
  /** A subagent's line. */
  isSidechain?: boolean | null;
  /** Not the user's words, but for the model. */
  isMeta?: boolean | null;
  /** What the model got to read. */
  rendered?: unknown;
  renderedRole?: string | null;
  renderedBesideToolResult?: boolean | null;
  /** The line's id, which is the frame's too. */
  uuid?: string | null;
  timestamp?: string | null;
  /** The subagent of the message. */
  agentId?: string | null;
  /** The team of agents whose line it is. */
  teamName?: string | null;
  agentName?: string | null;
  /** `external`. */
  userType?: string | null;
  /** How the program was started, such as `cli` or `sdk-py`. */
  entrypoint?: string | null;
  sessionKind?: string | null;
  /** In a copy of a conversation: what this line was. */
  forkedFrom?: ForkedFrom | null;
  /** Written by `aqueduct-agent`: its name and version. Other programs pass over it. */
  aqueductProgram?: string | null;
  cwd?: string | null;
  sessionId?: string | null;
  /** The version of the protocol, which for the reference is its own. */
  version?: string | null;
  /** `HEAD` where no branch is checked out. */
  gitBranch?: string | null;
  /** A name for the conversation's files, in words. */
  slug?: string | null;
}

/** What the program added for the model between two messages. Most kinds are of interest to the model only. */
export type Attachment =
  | ({ type: "queued_command" } & QueuedCommand);

/** An input of the user while the model was at work. */
export interface QueuedCommand {
  prompt: string | Array<ContentBlock>;
  /** The id that the host gave its message. */
  source_uuid?: string | null;
  delivery_id?: string | null;
  /** `prompt` or `bash`. */
  commandMode?: string | null;
  timestamp?: string | null;
  isMeta?: boolean | null;
  origin?: Origin | null;
}

/** Progress of a subagent. */
export interface ProgressLine {
  /** The line that this one follows; `null` for the first, and at a compaction. */
  parentUuid?: string | null;
  /** At a compaction, the line that was the last one before it. */
  logicalParentUuid?: string | null;
  /** A subagent's line. */
  isSidechain?: boolean | null;
  /** Not the user's words, but for the model. */
  isMeta?: boolean | null;
  data?: unknown;
  toolUseID?: string | null;
  /** The call of the subagent. */
  parentToolUseID?: string | null;
  /** The line's id, which is the frame's too. */
  uuid?: string | null;
  timestamp?: string | null;
  /** The subagent of the message. */
  agentId?: string | null;
  /** The team of agents whose line it is. */
  teamName?: string | null;
  agentName?: string | null;
  /** `external`. */
  userType?: string | null;
  /** How the program was started, such as `cli` or `sdk-py`. */
  entrypoint?: string | null;
  sessionKind?: string | null;
  /** In a copy of a conversation: what this line was. */
  forkedFrom?: ForkedFrom | null;
  /** Written by `aqueduct-agent`: its name and version. Other programs pass over it. */
  aqueductProgram?: string | null;
  cwd?: string | null;
  sessionId?: string | null;
  /** The version of the protocol, which for the reference is its own. */
  version?: string | null;
  /** `HEAD` where no branch is checked out. */
  gitBranch?: string | null;
  /** A name for the conversation's files, in words. */
  slug?: string | null;
}

/** The title that the user gave the conversation. */
export interface CustomTitleLine {
  customTitle: string;
  sessionId?: string | null;
  uuid?: string | null;
  timestamp?: string | null;
}

/** The title that a model gave the conversation. */
export interface AiTitleLine {
  aiTitle: string;
  sessionId?: string | null;
}

/** The conversation in a few words, as older versions kept it. */
export interface SummaryLine {
  summary: string;
  /** The message that was the last one then. */
  leafUuid?: string | null;
}

/** The user's mark on the conversation; an empty one takes it away. */
export interface TagLine {
  tag: string;
  sessionId?: string | null;
  uuid?: string | null;
  timestamp?: string | null;
}

/** The user's last message. */
export interface LastPromptLine {
  /** Absent where no prompt had words. */
  lastPrompt?: string | null;
  sessionId?: string | null;
  leafUuid?: string | null;
}

/** What the session has spent so far. */
export interface CostStateLine {
  totalCostUSD: number;
  sessionId?: string | null;
  totalAPIDuration?: number | null;
  totalAPIDurationWithoutRetries?: number | null;
  totalToolDuration?: number | null;
  totalLinesAdded?: number | null;
  totalLinesRemoved?: number | null;
  totalDuration?: number | null;
  startTime?: number | null;
  modelUsage?: Record<string, unknown> | null;
  hasUnknownModelCost?: boolean | null;
}

/** A prompt came into the queue or left it. */
export interface QueueOperationLine {
  /** `enqueue`, `dequeue` or `remove`. */
  operation: string;
  timestamp?: string | null;
  sessionId?: string | null;
  content?: unknown;
  /** Why it left, such as `absorbed_mid_turn`. */
  reason?: string | null;
  commandUuid?: string | null;
  deliveryId?: string | null;
}

/** The mode of the program's screen. */
export interface ModeLine {
  mode: string;
  sessionId?: string | null;
}

/** The project's folder was moved. */
export interface RelocatedLine {
  /** Where it is now. */
  relocatedCwd: string;
  sessionId?: string | null;
}

/** Large contents that the model gets to see in a shorter form. */
export interface ContentReplacementLine {
  replacements: Array<unknown>;
  sessionId?: string | null;
  agentId?: string | null;
  uuid?: string | null;
  timestamp?: string | null;
}

/** Which files can be restored. */
export interface FileHistoryLine {
  /** The prompt before which they were so. */
  messageId: string;
  snapshot?: unknown;
  isSnapshotUpdate?: boolean | null;
}

/** What is known of a subagent: `agent-ID.meta.json` beside its transcript. */
export interface SubagentMeta {
  agentType?: string | null;
  /** What it was asked to do, in a few words. */
  description?: string | null;
  /** The call that started it. */
  toolUseId?: string | null;
  /** The subagent that started it; absent where the main conversation did. */
  parentAgentId?: string | null;
  spawnDepth?: number | null;
  isBuiltIn?: boolean | null;
  finished?: boolean | null;
}
