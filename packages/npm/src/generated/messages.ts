// Made from the tables of aqueduct-bridge by `cargo xtask gen`. Do not edit.
//
// What the bridge and its clients say to each other. The bridge adds kinds, members and names as it
// grows: give every switch a default, and pass over what you don't know.

/** What a client asks of the bridge. */
export type ClientMessage =
  | ({ type: "start" } & Start)
  | ({ type: "resume_session" } & ResumeSession)
  | ({ type: "stop_session" } & StopSession)
  | ({ type: "input" } & SendInput)
  | ({ type: "interrupt" } & Interrupt)
  | ({ type: "approve" } & Approve)
  | ({ type: "approve_always" } & ApproveAlways)
  | ({ type: "reject" } & Reject)
  | ({ type: "answer" } & AnswerQuestion)
  | ({ type: "update_queued_input" } & UpdateQueuedInput)
  | ({ type: "cancel_queued_input" } & CancelQueuedInput)
  | ({ type: "move_queued_input" } & MoveQueuedInput)
  | ({ type: "send_queued_input" } & SendQueuedInput)
  | ({ type: "subscribe" } & Subscribe)
  | ({ type: "unsubscribe" } & Unsubscribe)
  | ({ type: "get_history" } & GetHistory)
  | ({ type: "get_session" } & GetSession)
  | ({ type: "list_sessions" } & ListSessions)
  | ({ type: "list_recent_sessions" } & ListRecentSessions)
  | ({ type: "search" } & Search)
  | ({ type: "set_permission_mode" } & SetPermissionMode)
  | ({ type: "set_model" } & SetModel)
  | ({ type: "set_budget" } & SetBudget)
  | ({ type: "rename_session" } & RenameSession)
  | ({ type: "archive_session" } & ArchiveSession)
  | ({ type: "delete_session" } & DeleteSession)
  | ({ type: "expire_session" } & ExpireSession)
  | ({ type: "export_session" } & ExportSession)
  | ({ type: "get_context" } & GetContext)
  | ({ type: "list_mcp_servers" } & ListMcpServers)
  | ({ type: "sign_in_mcp_server" } & SignInMcpServer)
  | ({ type: "finish_mcp_sign_in" } & FinishMcpSignIn)
  | ({ type: "sign_out_mcp_server" } & SignOutMcpServer)
  | ({ type: "list_agents" } & ListAgents)
  | ({ type: "list_commands" } & ListCommands)
  | ({ type: "list_models" } & ListModels)
  | ({ type: "list_directory" } & ListDirectory)
  | ({ type: "list_files" } & ListFiles)
  | ({ type: "read_file" } & ReadFile)
  | ({ type: "get_diff" } & GetDiff)
  | ({ type: "get_git_status" } & GetGitStatus)
  | ({ type: "get_trust" } & GetTrust)
  | ({ type: "trust_folder" } & TrustFolder)
  | ({ type: "distrust_folder" } & DistrustFolder)
  | ({ type: "get_status" } & GetStatus)
  | ({ type: "get_stderr" } & GetStderr)
  | ({ type: "get_usage" } & GetUsage)
  | ({ type: "list_devices" } & ListDevices)
  | ({ type: "revoke_device" } & RevokeDevice)
  | ({ type: "rename_device" } & RenameDevice)
  | ({ type: "pair_device" } & PairDevice)
  | ({ type: "subscribe_push" } & SubscribePush)
  | ({ type: "unsubscribe_push" } & UnsubscribePush)
  | ({ type: "test_push" } & TestPush)
  | ({ type: "ping" } & PingMessage);

/** Start a session. `system` with `session_created` is sent to all clients; the agent itself starts with the first input, or at once where `text` is given. */
export interface Start {
  /** The working directory. It must be under one of the bridge's roots. */
  projectPath: string;
  /** The session's id, a UUID. One that exists is resumed; so a start that is sent again starts nothing twice. */
  sessionId?: string;
  /** Resume the folder's newest session, if it has one. */
  continue?: boolean;
  permissionMode?: PermissionMode;
  /** One of the agents that `hello` lists; the default one if absent. */
  agent?: string;
  model?: string;
  title?: string;
  /** What the session may cost before it pauses and asks. */
  budgetUsd?: number;
  /** The first input. */
  text?: string;
  /** Images of the first input. */
  images?: Array<InputImage>;
  /** Names the first input, as in `input`. */
  clientMessageId?: string;
  /** The value of `confirmation_required`, in the repeated request. */
  confirm?: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

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

/** An image that goes with an input. */
export interface InputImage {
  /** Such as `image/png`. */
  mediaType: string;
  /** The bytes, in base64. */
  data: string;
  name?: string;
}

/** Resume a session: one that the bridge knows, or one that was started in a terminal. The agent starts with the next input. */
export interface ResumeSession {
  sessionId: string;
  /** The session's folder; needed only where two folders have a session of that id. */
  projectPath?: string;
  permissionMode?: PermissionMode;
  agent?: string;
  model?: string;
  /** The value of `confirmation_required`, in the repeated request. */
  confirm?: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Stop a session's agent with its whole process group. The session can be resumed. */
export interface StopSession {
  sessionId: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Send an input to the agent. While a turn runs the input is queued. */
export interface SendInput {
  /** May be empty if there are images or blocks. */
  text: string;
  /** The session that this client used last if absent. */
  sessionId?: string;
  /** Names the input. An input that is sent again under the same name is acknowledged again and runs once. */
  clientMessageId?: string;
  /** Images that go before the text. */
  images?: Array<InputImage>;
  /** Documents and other blocks that go before the images. */
  blocks?: Array<ContentBlock>;
  priority?: InputPriority;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
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

/** What becomes of an input that comes while a turn runs. */
export type InputPriority =
  /** It waits for the turn's end, and can be changed until then. */
  | "queue"
  /** The agent gets it at once, and takes it up in the running turn when it can. */
  | "steer"
  /** The turn is stopped, and this is next. */
  | "interrupt"
  | (string & {});

/** Stop the running turn. The agent is asked; with `hard` it is ended and resumed. */
export interface Interrupt {
  sessionId?: string;
  hard?: boolean;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Allow what a `permission_request` asks for, this once. */
export interface Approve {
  /** The request's `id`, or its `toolUseId` where no other request has the same. */
  id: string;
  /** The request's. A request of another session is not decided. */
  sessionId?: string;
  /** The request's `inputHash`. If it is given and is not that of the pending input, nothing is decided. */
  inputHash?: string;
  /** The input to run with instead. */
  updatedInput?: unknown;
  /** The mode to enter, where a plan is approved. */
  mode?: PermissionMode;
  /** The session's new budget, where the request is about that; as much again as before if absent. */
  budgetUsd?: number;
  /** The value of `confirmation_required`, in the repeated request. */
  confirm?: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Allow what a `permission_request` asks for, and the like of it from now on. Without `rules` and `updates` the narrowest suggestion is used. */
export interface ApproveAlways {
  /** The request's `id`, or its `toolUseId` where no other request has the same. */
  id: string;
  /** The request's. A request of another session is not decided. */
  sessionId?: string;
  /** The request's `inputHash`. If it is given and is not that of the pending input, nothing is decided. */
  inputHash?: string;
  /** The input to run with instead. */
  updatedInput?: unknown;
  /** The rules to add, as people write them: `Bash(npm test)`. */
  rules?: Array<string>;
  /** Where the rules live: `session`, `localSettings`, `projectSettings` or `userSettings`; for the session if absent. */
  destination?: Destination;
  /** The exact updates to make, such as some of the request's `suggestions`; `rules` and `destination` count no more then. */
  updates?: Array<PermissionUpdate>;
  /** The value of `confirmation_required`, in the repeated request. */
  confirm?: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

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

/** Don't allow what a `permission_request` asks for. */
export interface Reject {
  /** The request's `id`, or its `toolUseId` where no other request has the same. */
  id: string;
  /** What the model receives. */
  message?: string;
  /** The request's. A request of another session is not decided. */
  sessionId?: string;
  /** The request's `inputHash`. If it is given and is not that of the pending input, nothing is decided. */
  inputHash?: string;
  /** Whether the turn ends as well. */
  interrupt?: boolean;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Answer a `permission_request` that is a question or an elicitation. One of `result`, `answers` and `content` is needed. */
export interface AnswerQuestion {
  /** The request's `id`, or its `toolUseId` where no other request has the same. */
  toolUseId: string;
  /** The answer to the only question, or an object with `answers` as JSON text. */
  result?: string;
  /** The request's. A request of another session is not decided. */
  sessionId?: string;
  /** The request's `inputHash`. If it is given and is not that of the pending input, nothing is decided. */
  inputHash?: string;
  /** By the question's text: the chosen label, several joined with `, `, or the user's own words. */
  answers?: Record<string, string | Array<string>>;
  /** By the question's text. */
  annotations?: Record<string, AnswerAnnotation>;
  /** What was filled into an elicitation's form. `reject` declines it. */
  content?: unknown;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
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

/** Change an input that waits in the queue. */
export interface UpdateQueuedInput {
  sessionId: string;
  /** The `id` in `queue`, or the input's `clientMessageId`. */
  inputId: string;
  text: string;
  /** The images that it has from now on; those it had if absent. */
  images?: Array<InputImage>;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Take an input out of the queue. */
export interface CancelQueuedInput {
  sessionId: string;
  /** The `id` in `queue`, or the input's `clientMessageId`. */
  inputId: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Move an input to another place in the queue. */
export interface MoveQueuedInput {
  sessionId: string;
  /** The `id` in `queue`, or the input's `clientMessageId`. */
  inputId: string;
  /** The place, from 0; beyond the end means last. */
  position: number;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Give the agent a queued input now. */
export interface SendQueuedInput {
  sessionId: string;
  /** The `id` in `queue`, or the input's `clientMessageId`. */
  inputId: string;
  /** How: `interrupt` if absent, or `steer`. */
  priority?: InputPriority;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Subscribe to this session: what was stored since, then everything as it happens. A client that has subscriptions receives those sessions and the ones it starts; one that has none receives all. */
export interface Subscribe {
  sessionId: string;
  /** The newest sequence number that the client has; 0 for everything. If absent, stored messages come only as far as `limit` asks for them. */
  sinceSeq?: number;
  /** At most this many stored messages, the newest. */
  limit?: number;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Unsubscribe from this session. */
export interface Unsubscribe {
  sessionId: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Give stored messages: the newest, those before a place, or those after one. */
export interface GetHistory {
  sessionId: string;
  /** Only messages with a smaller number; the newest of them. */
  beforeSeq?: number;
  /** Only messages with a larger number; the oldest of them. */
  sinceSeq?: number;
  /** At most this many. The bridge may give fewer: then `more` is set. */
  limit?: number;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Get the state of one session: its open requests and its queue. */
export interface GetSession {
  sessionId: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** List the sessions that the bridge holds: those that run, wait or idle. */
export interface ListSessions {
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** List sessions of all times, newest first: the bridge's own, and those that were started in a terminal. */
export interface ListRecentSessions {
  /** At most this many; 50 if absent. */
  limit?: number;
  /** How many to pass over. */
  offset?: number;
  /** Only sessions of this folder. */
  projectPath?: string;
  /** Only sessions whose title, folder or first prompt has this in it. */
  query?: string;
  /** Whether to list archived ones too. */
  archived?: boolean;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Search the text of all sessions. */
export interface Search {
  /** Words that all have to occur; `"in quotes"` in this order; a last `*` for any ending. */
  query: string;
  /** At most this many hits; 20 if absent. */
  limit?: number;
  /** How many to pass over. */
  offset?: number;
  /** Only sessions of this folder. */
  projectPath?: string;
  /** Only this session. */
  sessionId?: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Change how tool calls that no rule decides are treated. */
export interface SetPermissionMode {
  mode: PermissionMode;
  sessionId?: string;
  /** The value of `confirmation_required`, in the repeated request. */
  confirm?: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Change the model. */
export interface SetModel {
  model: string;
  sessionId?: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Change what a session may cost before it pauses and asks. */
export interface SetBudget {
  sessionId: string;
  /** For the whole session, in US dollars; no limit if absent or `null`. */
  budgetUsd?: number;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Name a session. */
export interface RenameSession {
  sessionId: string;
  /** Empty for the title that the bridge makes from the first prompt. */
  title: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Take a session out of the lists, or put it back. Nothing is deleted. */
export interface ArchiveSession {
  sessionId: string;
  /** `false` puts it back. */
  archived?: boolean;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Delete a session from the log for good. It is stopped first. The agent's own transcript stays, and is listed no more. */
export interface DeleteSession {
  sessionId: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Delete a session that has ended: no agent runs, no input waits, nothing is to be decided, and no client has it open. Otherwise it stays, and the error is `session_conflict`. Nothing is stopped. */
export interface ExpireSession {
  sessionId: string;
  /** A session with a newer message stays. In milliseconds since 1970, such as `updatedAt` of the session. */
  before: number;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Give a whole session as a document. */
export interface ExportSession {
  sessionId: string;
  format: ExportFormat;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** What a session is exported as. */
export type ExportFormat =
  | "markdown"
  /** One page that needs nothing else. */
  | "html"
  /** The stored messages, one a line. */
  | "jsonl"
  | (string & {});

/** Return what fills the agent's context. */
export interface GetContext {
  sessionId?: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** List the MCP servers of a session's agent. */
export interface ListMcpServers {
  sessionId: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Begin to sign in to an MCP server: the reply has the page that the user opens. If the browser runs on the agent's machine, it ends the sign-in by itself. */
export interface SignInMcpServer {
  sessionId: string;
  server: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** End a sign-in from another machine: the last page does not load there, and its address is what the agent needs. */
export interface FinishMcpSignIn {
  sessionId: string;
  server: string;
  /** The address of the page that the browser ended on. */
  callbackUrl: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Sign out of an MCP server: its tokens are revoked and deleted. */
export interface SignOutMcpServer {
  sessionId: string;
  server: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** List the agents that a session can be started with. */
export interface ListAgents {
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** List slash commands, for completion. */
export interface ListCommands {
  sessionId?: string;
  /** The folder, if there is no session yet. */
  projectPath?: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** List the models that a session can use. */
export interface ListModels {
  sessionId?: string;
  /** The agent, if there is no session yet. */
  agent?: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** List a folder, to choose a project. It must be under one of the bridge's roots. */
export interface ListDirectory {
  /** The roots if absent. */
  path?: string;
  /** Whether to list names that begin with a dot. */
  hidden?: boolean;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Find files of a project by parts of their names, best first. What git ignores is left out. */
export interface ListFiles {
  sessionId?: string;
  /** The folder, if there is no session yet. */
  projectPath?: string;
  /** Letters of the path, in order; all files if absent. */
  query?: string;
  /** At most this many; 50 if absent. */
  limit?: number;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Read a file of a project. */
export interface ReadFile {
  /** Absolute, or from the project's folder. */
  path: string;
  sessionId?: string;
  /** The folder, if there is no session. */
  projectPath?: string;
  /** The first line to give, from 1. */
  line?: number;
  /** At most this many lines. */
  limit?: number;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** What changed in a project's working tree since the last commit. */
export interface GetDiff {
  sessionId?: string;
  /** The folder, if there is no session. */
  projectPath?: string;
  /** What is staged, instead of all that changed. */
  staged?: boolean;
  /** Only this file or folder. */
  path?: string;
  /** How many unchanged lines to show around a change; 3 if absent. */
  context?: number;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** The branch of a project, and which files changed. */
export interface GetGitStatus {
  sessionId?: string;
  /** The folder, if there is no session. */
  projectPath?: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** List what a folder provides that changes what agents do there, such as hooks, allow rules, variables and MCP servers, and whether the user trusts it. */
export interface GetTrust {
  /** The folder. It must be under one of the bridge's roots. */
  projectPath: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Trust what a folder provides. Agents that start there from now on use it; those that run continue without it. */
export interface TrustFolder {
  /** The folder. It must be under one of the bridge's roots. */
  projectPath: string;
  /** The digest of the `trust` that was shown. `trust_changed` is the error if the folder provides something else by now. */
  digest: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Stop trusting what a folder provides. Agents that start there from now on leave it out. */
export interface DistrustFolder {
  /** The folder. It must be under one of the bridge's roots. */
  projectPath: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Return the state of the bridge: whether it works, what waits, and what it uses. */
export interface GetStatus {
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Return what a session's agent wrote to its stderr. */
export interface GetStderr {
  sessionId: string;
  /** The `run` of the reply that `sinceOffset` is from: with another one, all lines of the agent are returned. */
  run?: string;
  /** The `nextOffset` of the last reply. */
  sinceOffset?: number;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Return the usage by day, project and model. */
export interface GetUsage {
  /** The first day, as `2026-01-31`; 30 days ago if absent. */
  from?: string;
  /** The last day; today if absent. */
  to?: string;
  /** Only sessions of this folder. */
  projectPath?: string;
  /** Only this session. */
  sessionId?: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** List the devices that have access. */
export interface ListDevices {
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Revoke a device. Its connections end at once. */
export interface RevokeDevice {
  deviceId: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Rename a device. From its next connection on, its actions have the new name. */
export interface RenameDevice {
  deviceId: string;
  /** At most 80 characters of it are kept. */
  name: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Make a link that lets one more device in: once, and soon. */
export interface PairDevice {
  /** What to call the device. */
  name?: string;
  /** What the device may do: `operate` if absent. Not more than the credential that asks. */
  scope?: AccessScope;
  /** When its access ends, in milliseconds since 1970; with that of the credential that asks if absent. */
  expiresAt?: number;
  /** The folder that it is limited to: it sees and starts sessions there only. That of the credential that asks if absent. */
  root?: string;
  /** The value of `confirmation_required`, in the repeated request. */
  confirm?: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** How much a credential allows. Each scope includes those before it. */
export type AccessScope =
  /** See sessions, their history and what happens in them, their folders' files and changes, search and usage. */
  | "watch"
  /** Also answer open questions: approve once, reject, answer. */
  | "decide"
  /** Also start, drive, change and delete sessions, browse folders, add rules to a session or project, and choose permission modes other than bypass. */
  | "operate"
  /** Also pair, list and revoke devices, add rules to the user settings, and choose `bypassPermissions`. */
  | "admin"
  | (string & {});

/** Notify this device, by Web Push, when a session needs a user or is done. */
export interface SubscribePush {
  endpoint: string;
  keys: PushKeys;
  /** Whether a notification may hold the session's title and its text. Without it, a notification only reports that a session waits, is done or has failed. */
  content?: boolean;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** The keys of a push subscription, as the browser gives them. */
export interface PushKeys {
  p256dh: string;
  auth: string;
}

/** Notify this device no more. */
export interface UnsubscribePush {
  endpoint: string;
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Send this device a notification now. */
export interface TestPush {
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Check the connection. `pong` is the answer. */
export interface PingMessage {
  /** Any string; the reply, or the error, repeats it. */
  requestId?: string;
}

/** Messages from the bridge to a client. */
export type BridgeMessage =
  | ({ type: "hello" } & Hello)
  | ({ type: "ok" } & Done)
  | ({ type: "error" } & ErrorReply)
  | ({ type: "pong" } & PongMessage)
  | ({ type: "system" } & SystemNote)
  | ({ type: "user_input" } & UserInput)
  | ({ type: "assistant" } & Assistant)
  | ({ type: "tool_result" } & ToolOutput)
  | ({ type: "result" } & TurnResult)
  | ({ type: "permission_request" } & PermissionRequest)
  | ({ type: "permission_resolved" } & PermissionResolved)
  | ({ type: "agent_event" } & AgentEvent)
  | ({ type: "status" } & StatusChange)
  | ({ type: "stream_delta" } & TextGrowth)
  | ({ type: "thinking_delta" } & ThinkingGrowth)
  | ({ type: "tool_input_delta" } & ToolInputGrowth)
  | ({ type: "partial" } & PartialAnswer)
  | ({ type: "queue" } & Queue)
  | ({ type: "retry" } & Retry)
  | ({ type: "budget" } & Budget)
  | ({ type: "agent_progress" } & AgentProgress)
  | ({ type: "session_update" } & SessionUpdate)
  | ({ type: "session_deleted" } & SessionDeleted)
  | ({ type: "rate_limit" } & RateLimitChange)
  | ({ type: "input_ack" } & InputAck)
  | ({ type: "input_rejected" } & InputRejected)
  | ({ type: "session" } & SessionReply)
  | ({ type: "subscribed" } & Subscribed)
  | ({ type: "history_delta" } & HistoryDelta)
  | ({ type: "history" } & HistoryPage)
  | ({ type: "session_list" } & SessionList)
  | ({ type: "recent_sessions" } & RecentSessions)
  | ({ type: "search_results" } & SearchResults)
  | ({ type: "export" } & ExportedSession)
  | ({ type: "context" } & ContextReport)
  | ({ type: "mcp_servers" } & McpServers)
  | ({ type: "mcp_sign_in" } & McpSignIn)
  | ({ type: "agents" } & Agents)
  | ({ type: "commands" } & Commands)
  | ({ type: "models" } & Models)
  | ({ type: "directory" } & Directory)
  | ({ type: "files" } & Files)
  | ({ type: "file" } & FileContent)
  | ({ type: "diff" } & Diff)
  | ({ type: "git_status" } & GitState)
  | ({ type: "trust" } & TrustReport)
  | ({ type: "bridge_status" } & BridgeStatus)
  | ({ type: "stderr" } & AgentStderr)
  | ({ type: "usage" } & UsageSummary)
  | ({ type: "devices" } & Devices)
  | ({ type: "pairing" } & Pairing);

/** The first message of every connection. */
export interface Hello {
  /** The bridge's version. */
  version: string;
  /** The version of this API. Additions don't change it. */
  protocol: number;
  /** The store's id. When it changes, what a client remembers of sequence numbers means nothing. */
  serverId: string;
  /** The bridge's clock, in milliseconds since 1970. */
  time: number;
  /** Who the bridge takes this client for. */
  device: DeviceInfo;
  agents: Array<AgentChoice>;
  defaultAgent: string;
  /** The folders under which projects may be. */
  roots: Array<string>;
  permissionModes: Array<PermissionMode>;
  features: Array<Feature>;
  limits: Limits;
  /** The name of the machine. */
  host?: string;
  /** The key that a browser needs to subscribe to notifications. */
  pushKey?: string;
  /** The request's, where it had one. */
  requestId?: string;
}

/** A device or program that has access. */
export interface DeviceInfo {
  deviceId: string;
  name: string;
  kind: ActorKind;
  /** When it was paired, in milliseconds since 1970. */
  createdAt?: number;
  /** When it was last seen, in milliseconds since 1970. */
  seenAt?: number;
  /** How many connections it has now. */
  connections?: number;
  /** Whether it is the one that asks. */
  current?: boolean;
  /** Whether it gets notifications. */
  push?: boolean;
  /** How it proves who it is. */
  credential?: CredentialKind;
  /** What it may do. */
  scope?: AccessScope;
  /** When its access ends, in milliseconds since 1970; never if absent. */
  expiresAt?: number;
  /** The folder that it is limited to; none if absent. */
  root?: string;
}

/** The kind of principal. */
export type ActorKind =
  /** A paired device. */
  | "device"
  /** A program with a token of its own. */
  | "token"
  /** The agent itself, such as by a cancelled request. */
  | "agent"
  /** The bridge itself, such as by a budget or an idle time. */
  | "bridge"
  | (string & {});

/** How a device or program proves who it is. */
export type CredentialKind =
  /** With a key that never leaves the device and belongs to one origin. */
  | "key"
  /** With a token that it sends along. */
  | "bearer"
  | (string & {});

/** An agent that a session can be started with. */
export interface AgentChoice {
  /** What `start` takes. */
  name: string;
  /** Whether its program was found. */
  available: boolean;
  /** For people. */
  label?: string;
  program?: string;
  version?: string;
  /** Why it can't be used, and what to do about it. */
  problem?: string;
  /** Whether it can't start in a folder that provides something that the user does not trust. Others leave that out. */
  needsTrust?: boolean;
}

/** What this bridge can do that another may not. */
export type Feature =
  /** Notifications by Web Push. */
  | "push"
  /** Full-text search. */
  | "search"
  /** Sessions that were started in a terminal are listed and can be resumed. */
  | "adopt"
  /** The permission mode `bypassPermissions` may be chosen. */
  | "bypass"
  /** The user decides whether what a folder provides takes effect: `get_trust`, `trust_folder`, `distrust_folder`. */
  | "trust"
  | (string & {});

/** What a client may send. */
export interface Limits {
  /** Bytes of one message. */
  messageBytes: number;
  /** Inputs that can wait in one session's queue. */
  queuedInputs: number;
  /** Messages in one page of history. */
  historyPage: number;
}

/** It is done. The reply to a request that has no other, sent where the request had a `requestId`. */
export interface Done {
  /** The session that was started, resumed or changed. */
  sessionId?: string;
  /** The newest number of the session's sequence then. */
  seq?: number;
  /** For a session that was started or resumed: set if the agent leaves out what the folder provides, because the user has not trusted that. */
  trust?: TrustState;
  /** Set if it is in effect but could not be saved yet, such as on a full disk: why. The bridge keeps trying to save it; if it ends before that works, it is lost. */
  unsaved?: string;
  /** The request's, where it had one. */
  requestId?: string;
}

/** Whether what a folder provides takes effect. */
export type TrustState =
  /** The folder provides nothing that needs trust. */
  | "nothing"
  /** The user trusts what the folder provides. */
  | "trusted"
  /** The user never trusted the folder. */
  | "untrusted"
  /** The user trusted the folder, and it provides something else now. */
  | "changed"
  | (string & {});

/** Something went wrong. With a `requestId`, or right after a request without one, it is the answer to it. */
export interface ErrorReply {
  code: ErrorCode;
  /** What is wrong and what to do, for people. */
  message: string;
  sessionId?: string;
  /** The member of the request that is wrong, as a path: `images[0].data`. */
  member?: string;
  /** The input, where one was refused. */
  clientMessageId?: string;
  /** The end of what the agent wrote to stderr. */
  stderr?: string;
  /** After how many milliseconds it is worth another try. */
  retryAfterMs?: number;
  /** The scope that the request needs, where the credential has less. */
  scope?: AccessScope;
  /** What to repeat the request with, as `confirm`, where it has to be confirmed. */
  confirm?: string;
  /** The request's, where it had one. */
  requestId?: string;
}

/** What sort of error it is, for programs. */
export type ErrorCode =
  /** The message is not JSON, or no object. */
  | "invalid_json"
  /** A member is missing or has a wrong value; `member` names it. */
  | "invalid_message"
  /** No message has this `type`, and no route this path. */
  | "unknown_message"
  /** The message is larger than `limits.messageBytes` of `hello`. */
  | "message_too_large"
  /** No token, or one that is not or no longer known, or has expired. Pair the device again. */
  | "unauthorized"
  /** The challenge has expired, was used, or is another device's or origin's. Request a new one and sign that. */
  | "challenge_expired"
  /** The browser has the cookie of an earlier version, which counts no more. Pair the browser again. */
  | "cookie_retired"
  /** A page of another origin, another host name, or more than the credential's scope or root allows; `scope` is what is needed. */
  | "forbidden"
  /** The request has a consequence that must be confirmed; `message` names it. Send the same request again with the value of `confirm`. */
  | "confirmation_required"
  /** The pairing code is unknown, was used or is too old. Make a new one. */
  | "pairing_failed"
  /** Too many attempts in too short a time; `retryAfterMs` is how long to wait. */
  | "too_many_requests"
  /** No session has this id; or the message names none, and there is none to take for it. */
  | "session_not_found"
  /** The session's folder is another one, or its id is taken by a session elsewhere. */
  | "session_conflict"
  /** No such input waits: it was sent or cancelled meanwhile. */
  | "input_not_found"
  /** As many inputs wait as may. */
  | "queue_full"
  /** Nothing with this id is to be decided. */
  | "permission_not_found"
  /** Several questions are about a call of this id, which agents choose. Name the question by its `id`. */
  | "ambiguous_request"
  /** Another client decided first. `permission_resolved` names it. */
  | "already_resolved"
  /** `inputHash` is not that of the pending input. Show the new one, and ask again. */
  | "input_changed"
  /** The decision does not go with the request's `kind`, such as an answer to a permission. */
  | "wrong_decision"
  /** The path is not under one of the roots, symlinks resolved. */
  | "path_not_allowed"
  /** No file or folder is there. */
  | "path_not_found"
  /** The folder is in no git repository. */
  | "not_a_repository"
  /** The repository can't be read safely as it is: git does not trust it, or it is too large to check. `message` has what to change. */
  | "repository_refused"
  /** The agent would use what the folder provides, and the user does not trust that. Show `get_trust`, then send `trust_folder`. */
  | "trust_required"
  /** What the folder provides has changed since it was shown. Show `get_trust` again. */
  | "trust_changed"
  /** The session is too large to be imported or to be one document. */
  | "session_too_large"
  /** The session's agent does not run. Send an input first, which starts it. */
  | "agent_not_running"
  /** No agent of this name is set up. */
  | "agent_not_found"
  /** The agent could not be started or ended too early; `stderr` has its last words. */
  | "agent_failed"
  /** The agent did not answer in time. */
  | "agent_timeout"
  /** This agent, or this bridge as it is set up, can't do that. */
  | "not_supported"
  /** This device gets no notifications. Send `subscribe_push` first. */
  | "not_subscribed"
  /** No device has this id. */
  | "device_not_found"
  /** The store can't be written: the disk is full or read-only. Nothing was taken. */
  | "storage_failed"
  /** The bridge is shutting down, or has too much to do. Connect again. */
  | "unavailable"
  /** A fault of the bridge. Its log has more. */
  | "internal"
  | (string & {});

/** The answer to `ping`. */
export interface PongMessage {
  /** The bridge's clock, in milliseconds since 1970. */
  time: number;
  /** The request's, where it had one. */
  requestId?: string;
}

/** Something about the session changed. Which members there are depends on `subtype`. */
export interface SystemNote {
  subtype: SystemSubtype;
  /** Who changed it. */
  by?: Actor;
  model?: string;
  permissionMode?: PermissionMode;
  title?: string;
  /** The agent's name, as in `hello`. */
  agent?: string;
  agentVersion?: string;
  /** The agent's own id of the conversation, where it is another than `sessionId`. */
  agentSessionId?: string;
  projectPath?: string;
  /** The tools that the model may call. */
  tools?: Array<string>;
  mcpServers?: Array<InitMcpServer>;
  /** Commands without their slash. */
  slashCommands?: Array<string>;
  /** Kinds of subagents. */
  agents?: Array<string>;
  skills?: Array<string>;
  /** For people. */
  message?: string;
  exitCode?: number;
  /** The signal that ended the agent, such as `SIGKILL`. */
  signal?: string;
  /** The end of what the agent wrote to stderr. */
  stderr?: string;
  /** Whether the end was requested. */
  expected?: boolean;
  /** What made the conversation be compacted. */
  trigger?: CompactTrigger;
  /** The context's size before compaction. */
  preTokens?: number;
  /** The context's size after compaction. */
  postTokens?: number;
  /** The other members of the agent's frame, unchanged. */
  meta?: unknown;
  sessionId: string;
  /** The place in the session's sequence, from 1, without gaps. */
  seq: number;
  /** When it was stored, in milliseconds since 1970. */
  time: number;
}

/** What about the session changed. */
export type SystemSubtype =
  /** The session exists: `projectPath`, `agent`, `by`. */
  | "session_created"
  /** The session continues after it was stopped, or was adopted from a terminal. */
  | "session_resumed"
  /** The agent is ready: `model`, `permissionMode`, `tools`, `slashCommands` and more. Again only where something differs. */
  | "init"
  /** The agent's process ended: `exitCode` or `signal`, `stderr`, `expected`. */
  | "agent_exited"
  /** A client interrupted the turn. */
  | "interrupted"
  /** The conversation before this was replaced by a summary: `trigger`, `preTokens`, `postTokens`. */
  | "compact_boundary"
  /** The conversation began anew: `agentSessionId`. */
  | "conversation_reset"
  | "permission_mode_changed"
  | "model_changed"
  | "title_changed"
  /** The agent leaves out what the folder provides, because the user has not trusted it: `projectPath`, `message`. */
  | "trust_needed"
  /** A notice for the user: `message`. */
  | "notice"
  | (string & {});

/** Who did something. */
export interface Actor {
  kind: ActorKind;
  deviceId?: string;
  /** The device's name. */
  name?: string;
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

/** Who asked for a summary. */
export type CompactTrigger =
  | "manual"
  | "auto"
  | (string & {});

/** An input to the agent. It is sent when the agent gets it: until then it is in `queue`. */
export interface UserInput {
  text: string;
  /** The input's id. */
  id: string;
  clientMessageId?: string;
  images?: Array<ImageContent>;
  /** Other blocks that came with it. */
  blocks?: Array<ContentBlock>;
  /** The sender. */
  by?: Actor;
  source: UserInputSource;
  priority?: InputPriority;
  /** The call of the subagent that received it; absent in the main conversation. */
  parentToolUseId?: string;
  sessionId: string;
  /** The place in the session's sequence, from 1, without gaps. */
  seq: number;
  /** When it was stored, in milliseconds since 1970. */
  time: number;
}

/** An image: its bytes, or where to get them. */
export interface ImageContent {
  /** Such as `image/png`. */
  mediaType: string;
  /** The bytes, in base64. */
  data?: string;
  /** A path on this bridge that gives the bytes. */
  url?: string;
  name?: string;
}

/** Where an input came from. */
export type UserInputSource =
  /** A client of this bridge. */
  | "client"
  /** A terminal, before the session was resumed here. */
  | "terminal"
  /** The agent's program: a summary after compaction, a notice, a command's output. */
  | "agent"
  | (string & {});

/** A finished part of the model's answer. Parts of one answer share `message.id`, in order. */
export interface Assistant {
  message: AssistantMessage;
  /** The tool call that started the subagent; absent in the main conversation. */
  parentToolUseId?: string;
  /** The place of the first block here among the answer's blocks. Deltas with that `index` are replaced by it. */
  index?: number;
  /** The agent's id of this part. */
  uuid?: string;
  /** Parts, by `uuid`, that this one replaces. */
  supersedes?: Array<string>;
  /** Set where the text is an error and no answer. */
  error?: ErrorName;
  /** Whether an interruption cut it off. */
  aborted?: boolean;
  /** The other members of the agent's frame, unchanged. */
  meta?: unknown;
  sessionId: string;
  /** The place in the session's sequence, from 1, without gaps. */
  seq: number;
  /** When it was stored, in milliseconds since 1970. */
  time: number;
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

/** What a tool gave back. Every result of a message comes on its own, in order. */
export interface ToolOutput {
  toolUseId: string;
  /** The text of the result. */
  content: string;
  toolName?: string;
  images?: Array<ImageContent>;
  isError?: boolean;
  /** The call of the subagent that used the tool; absent in the main conversation. */
  parentToolUseId?: string;
  /** The result with its structure, as the tool has it. */
  structured?: unknown;
  /** The result as it came, where text and images alone would lose something of it. */
  blocks?: Array<ContentBlock>;
  /** The agent's id of the frame. */
  uuid?: string;
  /** The other members of the agent's frame, unchanged. */
  meta?: unknown;
  sessionId: string;
  /** The place in the session's sequence, from 1, without gaps. */
  seq: number;
  /** When it was stored, in milliseconds since 1970. */
  time: number;
}

/** The end of a turn. */
export interface TurnResult {
  /** `success`, or how it ended instead. `isError` is true if it failed. */
  subtype: ResultSubtype;
  isError: boolean;
  /** The last text of the turn. */
  result?: string;
  /** What went wrong. */
  error?: string;
  /** What the turn cost, in US dollars. */
  cost?: number;
  /** How long the turn took, in milliseconds. */
  duration?: number;
  /** How much of that the model took. */
  durationApi?: number;
  /** What the session has cost so far, in US dollars. */
  totalCost?: number;
  /** How often the model was asked. */
  numTurns?: number;
  usage?: Usage;
  /** What each model has used since the agent's process started. */
  modelUsage?: Record<string, ModelUsage>;
  /** Tool calls that were not allowed. */
  permissionDenials?: Array<PermissionDenial>;
  /** Whether the turn was interrupted. */
  interrupted?: boolean;
  /** Why the turn ended, in the agent's words. */
  terminalReason?: TerminalReason;
  /** The other members of the agent's frame, unchanged. */
  meta?: unknown;
  sessionId: string;
  /** The place in the session's sequence, from 1, without gaps. */
  seq: number;
  /** When it was stored, in milliseconds since 1970. */
  time: number;
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

/** A decision is needed. It stays open until `permission_resolved`, over restarts too. */
export interface PermissionRequest {
  /** The call, by the id that the agent has given it; for an elicitation or a budget the same as `id`. */
  toolUseId: string;
  toolName: string;
  /** Exactly what would run. For a question its `questions`, for a plan its `plan`, for an elicitation its `message`, `requested_schema` and `url`, for a budget its `budgetUsd` and `spentUsd`. */
  input: unknown;
  /** What `approve` and the others take: random, made by the bridge, unique over all sessions. */
  id: string;
  kind: PermissionKind;
  /** SHA-256 of `input`, byte for byte as in this message, in hexadecimal. */
  inputHash: string;
  /** A short line for people. */
  title?: string;
  description?: string;
  /** Why it is asked. */
  reason?: string;
  reasonType?: DecisionReasonType;
  /** The path that the agent asks about, where it names one: what a command would write, in the project or outside it. */
  blockedPath?: string;
  /** The call of the subagent that asks; absent in the main conversation. */
  parentToolUseId?: string;
  /** The agent's name for the subagent that asks. */
  agentId?: string;
  /** What the call consists of: each command of a shell line, with what it reads and writes. As the agent reports it; the bridge finds it out itself for agents that don't. */
  parts?: Array<PermissionPart>;
  /** The rules that "always allow" would add, narrowest first; `rule` can be edited. */
  rules?: Array<SuggestedRule>;
  /** What the agent suggests for "always allow". */
  suggestions?: Array<PermissionUpdate>;
  /** Whether "always allow" is not to be offered. */
  onceOnly?: boolean;
  /** Whether "deny" is the button that Enter presses. */
  defaultToNo?: boolean;
  /** The MCP server that the tool belongs to, or that asks. */
  mcpServer?: string;
  /** Modes that a plan can be approved into. */
  modes?: Array<PermissionMode>;
  sessionId: string;
  /** The place in the session's sequence, from 1, without gaps. Absent in a snapshot, and where an open request is repeated to a client that connects. */
  seq?: number;
  /** When it was stored, in milliseconds since 1970. */
  time: number;
}

/** What is to be decided, and how. */
export type PermissionKind =
  /** May a tool run? `approve`, `approve_always`, `reject`. */
  | "permission"
  /** A question of the model: `answer`, `reject`. */
  | "question"
  /** A plan: `approve` with a `mode`, `reject` with what to change. */
  | "plan"
  /** A form or a page of an MCP server: `answer` with `content`, or `approve` for a page; `reject`. */
  | "elicitation"
  /** A call was denied because this agent can't ask: `approve` allows it, resumes and tries again; `approve_always`, `reject`. */
  | "retry"
  /** The budget is spent: `approve` continues, with a new `budgetUsd`; `reject` leaves it paused. */
  | "budget"
  /** The agent ended, and whether it had read an input can't be known: `approve` sends it again, `reject` drops it. `input` has the `inputId` and the `text`. */
  | "resend"
  | (string & {});

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

/** A rule that "always allow" would add. */
export interface SuggestedRule {
  /** As people write it: `Bash(npm test)`. */
  rule: string;
  destination: Destination;
  /** What it would let through, for people. */
  description?: string;
}

/** It is decided: the first decision counts, and all clients are notified. */
export interface PermissionResolved {
  /** The request's. */
  id: string;
  decision: PermissionDecision;
  toolUseId: string;
  /** Who decided. */
  by: Actor;
  /** What the model received. */
  message?: string;
  /** The input that ran instead. */
  updatedInput?: unknown;
  /** The rules that were added. */
  updates?: Array<PermissionUpdate>;
  /** The answers to questions. */
  answers?: Record<string, string | Array<string>>;
  /** The mode that was entered with a plan. */
  mode?: PermissionMode;
  sessionId: string;
  /** The place in the session's sequence, from 1, without gaps. */
  seq: number;
  /** When it was stored, in milliseconds since 1970. */
  time: number;
}

/** What was decided. */
export type PermissionDecision =
  | "allowed"
  | "allowed_always"
  | "denied"
  | "answered"
  /** Not decided: the turn was interrupted, or the agent ended or withdrew its request. */
  | "cancelled"
  | (string & {});

/** Any other frame of the agent, unchanged. */
export interface AgentEvent {
  event: FromAgent;
  sessionId: string;
  /** The place in the session's sequence, from 1, without gaps. */
  seq: number;
  /** When it was stored, in milliseconds since 1970. */
  time: number;
}

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

/** The MCP server that a tool belongs to. */
export interface ToolMcpServer {
  name?: string | null;
  source?: string | null;
}

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

/** The state of the session. */
export interface StatusChange {
  status: SessionStatus;
  /** Since when, in milliseconds since 1970. */
  since: number;
  /** What it waits for or why it failed, for people. */
  message?: string;
  sessionId: string;
}

/** The state of a session. */
export type SessionStatus =
  /** The agent is being started. */
  | "starting"
  /** It waits for input. */
  | "idle"
  /** A turn runs. */
  | "running"
  /** Something is to be decided: a permission, a question, a plan, a budget. */
  | "waiting_approval"
  /** The conversation is being replaced by a summary. */
  | "compacting"
  /** No agent runs; the next input starts one. */
  | "stopped"
  /** The agent ended or could not be started; the next input tries again. */
  | "failed"
  /** The process that holds the agent does not answer: it is frozen, or its storage is. Inputs wait, and the session continues when it answers. No other agent is started meanwhile. */
  | "unreachable"
  | (string & {});

/** The answer's text grew. */
export interface TextGrowth {
  /** What was added. */
  text: string;
  /** The answer, as in `message.id` of `assistant`. */
  messageId?: string;
  /** Which of the answer's blocks, from 0. */
  index: number;
  /** The tool call that started the subagent; absent in the main conversation. */
  parentToolUseId?: string;
  sessionId: string;
}

/** The model's thinking grew. */
export interface ThinkingGrowth {
  /** What was added. */
  text: string;
  /** The answer, as in `message.id` of `assistant`. */
  messageId?: string;
  /** Which of the answer's blocks, from 0. */
  index: number;
  /** The tool call that started the subagent; absent in the main conversation. */
  parentToolUseId?: string;
  sessionId: string;
}

/** The input of a tool call grew. The first one of a call may add nothing. */
export interface ToolInputGrowth {
  /** What was added: a piece of JSON text. */
  text: string;
  toolUseId: string;
  toolName: string;
  /** The answer, as in `message.id` of `assistant`. */
  messageId?: string;
  /** Which of the answer's blocks, from 0. */
  index: number;
  /** The tool call that started the subagent; absent in the main conversation. */
  parentToolUseId?: string;
  sessionId: string;
}

/** The answer so far, whole, for a client that missed its beginning. It replaces all deltas of that answer before it. Blocks that came as `assistant` are not in it. */
export interface PartialAnswer {
  blocks: Array<PartialBlock>;
  /** The answer, as in `message.id` of `assistant`. */
  messageId?: string;
  model?: string;
  /** The tool call that started the subagent; absent in the main conversation. */
  parentToolUseId?: string;
  sessionId: string;
}

/** A block of an answer so far. */
export interface PartialBlock {
  /** Which of the answer's blocks, from 0. */
  index: number;
  kind: PartialKind;
  /** All of it so far: text, thinking, or the JSON text of a tool's input. */
  text: string;
  toolUseId?: string;
  toolName?: string;
}

/** What grows, and by which delta. */
export type PartialKind =
  /** By `stream_delta`. */
  | "text"
  /** By `thinking_delta`. */
  | "thinking"
  /** By `tool_input_delta`. */
  | "tool_input"
  | (string & {});

/** The inputs that wait, all of them, in order. It comes whenever one is added, changed, moved, sent or taken out. */
export interface Queue {
  inputs: Array<QueuedInput>;
  sessionId: string;
}

/** An input that waits. */
export interface QueuedInput {
  id: string;
  text: string;
  /** When it came, in milliseconds since 1970. */
  time: number;
  clientMessageId?: string;
  images?: Array<ImageContent>;
  by?: Actor;
  priority?: InputPriority;
}

/** A call of the model failed and is tried again. */
export interface Retry {
  /** Which try failed, from 1. */
  attempt: number;
  maxRetries?: number;
  /** How long until the next try, in milliseconds. */
  delayMs?: number;
  /** Why it failed, such as `overloaded`. */
  error?: string;
  /** The HTTP status, where there was an answer. */
  httpStatus?: number;
  /** The call of the subagent whose model failed; absent in the main conversation. */
  parentToolUseId?: string;
  sessionId: string;
}

/** The session's cost compared with its budget. Where it is reached, a `permission_request` asks what to do. */
export interface Budget {
  /** What the session has cost so far, in US dollars. */
  spentUsd: number;
  state: BudgetState;
  /** What it may cost; absent if there is no limit. */
  budgetUsd?: number;
  sessionId: string;
}

/** A session's cost compared with its budget. */
export type BudgetState =
  | "ok"
  /** Four fifths are spent. */
  | "near"
  /** The session pauses. */
  | "reached"
  | (string & {});

/** A passing sign of how work continues, as it came: a tool that still runs, a subagent's progress. */
export interface AgentProgress {
  event: FromAgent;
  sessionId: string;
}

/** A session is new, or something in its row of the list changed. Every client gets it, whatever it subscribed to. */
export interface SessionUpdate {
  session: SessionInfo;
}

/** A session, for lists. */
export interface SessionInfo {
  sessionId: string;
  projectPath: string;
  status: SessionStatus;
  source: SessionSource;
  /** The name it was given, or one made from the first prompt. */
  title: string;
  /** When it began, in milliseconds since 1970. */
  createdAt: number;
  /** When something last happened, in milliseconds since 1970. */
  updatedAt: number;
  /** The newest number of its sequence. */
  lastSeq: number;
  /** How many decisions it waits for. */
  pending: number;
  /** How many inputs wait. */
  queued: number;
  /** How many clients watch. */
  watchers: number;
  agent?: string;
  agentVersion?: string;
  /** The agent's own id of the conversation, where it is another than `sessionId`. */
  agentSessionId?: string;
  model?: string;
  permissionMode?: PermissionMode;
  /** The beginning of the first prompt. */
  firstPrompt?: string;
  /** The beginning of the newest text. */
  lastText?: string;
  gitBranch?: string;
  /** How many turns it had. */
  turns?: number;
  /** What it has cost so far, in US dollars. */
  costUsd?: number;
  budgetUsd?: number;
  /** How much of the model's context is filled. */
  contextTokens?: number;
  /** The size of the model's context. */
  contextWindow?: number;
  /** Since when the turn runs, in milliseconds since 1970. */
  turnSince?: number;
  archived?: boolean;
  /** Why it failed, for people. */
  error?: string;
}

/** Where a session is from. */
export type SessionSource =
  | "bridge"
  /** It was started in a terminal, and no message of it is in the log yet. */
  | "terminal"
  | (string & {});

/** A session was deleted. Every client gets it. */
export interface SessionDeleted {
  sessionId: string;
}

/** One of the limits of a subscription changed its state. Every client gets it. */
export interface RateLimitChange {
  limit: RateLimitInfo;
  /** The session whose agent reported it. */
  sessionId?: string;
  agent?: string;
}

/** The input is safe: it is stored, and runs once whatever happens. */
export interface InputAck {
  sessionId: string;
  /** The input's id. */
  inputId: string;
  state: InputState;
  clientMessageId?: string;
  /** The place in the queue, from 0. */
  position?: number;
  /** The request's, where it had one. */
  requestId?: string;
}

/** Where an input is on its way. */
export type InputState =
  /** It waits for the turn's end, or for the agent's start. */
  | "queued"
  /** The agent has it. */
  | "sent"
  /** It had been acknowledged before, and its turn is over. */
  | "done"
  /** It was taken out of the queue. */
  | "cancelled"
  /** The agent ended, and whether it had read the input can't be known. A `permission_request` of the kind `resend` asks whether to send it again. */
  | "unconfirmed"
  | (string & {});

/** The input was not taken: nothing of it was stored, and it won't run. `input` gets this instead of `error`. */
export interface InputRejected {
  code: ErrorCode;
  /** What is wrong and what to do, for people. */
  message: string;
  sessionId?: string;
  clientMessageId?: string;
  /** After how many milliseconds it is worth another try. */
  retryAfterMs?: number;
  /** The request's, where it had one. */
  requestId?: string;
}

/** The current state of one session. */
export interface SessionReply {
  sessionId: string;
  snapshot: SessionSnapshot;
  /** The request's, where it had one. */
  requestId?: string;
}

/** The current state of a session. */
export interface SessionSnapshot {
  session: SessionInfo;
  /** The newest number of the session's sequence. After `subscribed` the `history_delta`s lead up to it. */
  lastSeq: number;
  /** All that is to be decided, oldest first. */
  pending: Array<PermissionRequest>;
  /** All inputs that wait, in order. */
  queue: Array<QueuedInput>;
}

/** This client watches the session from here on. What it missed follows as `history_delta`, and what grows as `partial`. */
export interface Subscribed {
  sessionId: string;
  snapshot: SessionSnapshot;
  /** The request's, where it had one. */
  requestId?: string;
}

/** Stored messages that a subscriber missed, oldest first: after `subscribe`, and after it was too slow. */
export interface HistoryDelta {
  sessionId: string;
  messages: Array<BridgeMessage>;
  fromSeq: number;
  toSeq: number;
  /** Whether further `history_delta`s follow. */
  more: boolean;
  /** Whether older messages were left out because of `limit`: `get_history` gives them. */
  cut?: boolean;
  /** The request's, where it had one. */
  requestId?: string;
}

/** Stored messages, oldest first. */
export interface HistoryPage {
  sessionId: string;
  messages: Array<BridgeMessage>;
  /** The number of the first message here; absent where there is none. */
  fromSeq?: number;
  /** The number of the last message here. */
  toSeq?: number;
  /** Whether there are more in the direction that was asked for. */
  more: boolean;
  /** The newest number of the session's sequence. */
  lastSeq: number;
  /** The request's, where it had one. */
  requestId?: string;
}

/** The sessions that the bridge holds; those that wait for a user first, then the newest. */
export interface SessionList {
  sessions: Array<SessionInfo>;
  /** The request's, where it had one. */
  requestId?: string;
}

/** Sessions of all times, newest first. */
export interface RecentSessions {
  sessions: Array<SessionInfo>;
  more: boolean;
  /** The request's, where it had one. */
  requestId?: string;
}

/** Where the words were found, best first. */
export interface SearchResults {
  query: string;
  hits: Array<SearchHit>;
  more: boolean;
  /** The request's, where it had one. */
  requestId?: string;
}

/** A place where the words were found. */
export interface SearchHit {
  sessionId: string;
  /** The text around, with the words between U+E000 and U+E001. */
  excerpt: string;
  /** The message; absent where the session is only in a transcript. */
  seq?: number;
  time?: number;
  /** The kind of the message, such as `assistant`. */
  kind?: string;
  title?: string;
  projectPath?: string;
}

/** A session as a document. */
export interface ExportedSession {
  sessionId: string;
  format: ExportFormat;
  /** A name for the file. */
  name: string;
  content: string;
  /** The request's, where it had one. */
  requestId?: string;
}

/** What fills the agent's context. */
export interface ContextReport {
  sessionId: string;
  /** How many tokens are used. */
  tokens: number;
  /** The size of the model's context. */
  window?: number;
  model?: string;
  /** What they are used for, if the agent reports it. */
  shares?: Array<ContextShare>;
  /** At how many tokens the agent compacts by itself. */
  compactAt?: number;
  /** The request's, where it had one. */
  requestId?: string;
}

/** A share of the context. */
export interface ContextShare {
  name: string;
  tokens: number;
  /** Whether it is free, or held back, and not used. */
  free?: boolean;
}

/** The MCP servers of a session's agent. */
export interface McpServers {
  sessionId: string;
  servers: Array<McpServerInfo>;
  /** The request's, where it had one. */
  requestId?: string;
}

/** An MCP server. */
export interface McpServerInfo {
  name: string;
  status: McpServerState;
  /** What is wrong with it. */
  error?: string;
  /** How the agent reaches it: `stdio`, `http`, `sse` or `sdk`. */
  transport?: string;
  /** How many tools it has. */
  tools?: number;
}

/** Where the user signs in to an MCP server. */
export interface McpSignIn {
  sessionId: string;
  server: string;
  /** The page to open. */
  url: string;
  /** The request's, where it had one. */
  requestId?: string;
}

/** The agents that a session can be started with. */
export interface Agents {
  agents: Array<AgentChoice>;
  defaultAgent: string;
  /** The request's, where it had one. */
  requestId?: string;
}

/** Slash commands, for completion. */
export interface Commands {
  commands: Array<SlashCommand>;
  sessionId?: string;
  /** Kinds of subagents, for completion after `@`. */
  agents?: Array<AgentInfo>;
  /** The request's, where it had one. */
  requestId?: string;
}

/** A subagent that the model can call. */
export interface AgentInfo {
  name?: string | null;
  description?: string | null;
  model?: string | null;
}

/** The models that a session can use. Others may work too. */
export interface Models {
  models: Array<ModelInfo>;
  sessionId?: string;
  /** The one in use. */
  model?: string;
  /** The request's, where it had one. */
  requestId?: string;
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

/** What is in a folder: folders first, by name. */
export interface Directory {
  /** Absolute, with symlinks resolved; empty for the list of roots. */
  path: string;
  entries: Array<DirectoryEntry>;
  /** The folder above, where that may be listed. */
  parent?: string;
  /** Whether there were too many to list all. */
  cut?: boolean;
  /** The request's, where it had one. */
  requestId?: string;
}

/** Something in a folder. */
export interface DirectoryEntry {
  name: string;
  path: string;
  kind: EntryKind;
  /** Whether it is a git repository. */
  git?: boolean;
  /** How many sessions the bridge knows there. */
  sessions?: number;
}

/** What something in a folder is. */
export type EntryKind =
  | "directory"
  | "file"
  /** A symlink that leads out of the roots, a socket, a device. */
  | "other"
  | (string & {});

/** Files of a project, best match first. */
export interface Files {
  /** The project's folder. */
  root: string;
  files: Array<FileMatch>;
  /** Whether there are more. */
  more: boolean;
  /** The request's, where it had one. */
  requestId?: string;
}

/** A file that fits. */
export interface FileMatch {
  /** From the project's folder. */
  path: string;
  /** Which characters of the path matched, from 0. */
  positions?: Array<number>;
  /** Whether it is a folder. */
  directory?: boolean;
}

/** A file, or some lines of it. */
export interface FileContent {
  /** Absolute, with symlinks resolved. */
  path: string;
  /** In bytes. */
  size: number;
  encoding: FileEncodingName;
  content: string;
  /** Such as `text/plain` or `image/png`. */
  mediaType: string;
  /** The number of the first line given, from 1. */
  line?: number;
  /** How many lines are given. */
  lines?: number;
  /** Whether something is left out after this. */
  more: boolean;
  /** When it was last changed, in milliseconds since 1970. */
  modified?: number;
  /** The request's, where it had one. */
  requestId?: string;
}

/** How a file's content is given. */
export type FileEncodingName =
  | "text"
  | "base64"
  /** Not at all: it is not text and no image. */
  | "none"
  | (string & {});

/** What changed in a working tree. Nothing was written to find out, not even git's index. */
export interface Diff {
  /** The working tree. */
  root: string;
  files: Array<DiffFile>;
  staged: boolean;
  branch?: string;
  /** Whether there was too much to show all. */
  cut: boolean;
  /** The request's, where it had one. */
  requestId?: string;
}

/** A file that changed. */
export interface DiffFile {
  /** From the working tree's folder. */
  path: string;
  change: FileChangeKind;
  hunks: Array<DiffHunk>;
  /** What it was called before. */
  oldPath?: string;
  added: number;
  removed: number;
  binary?: boolean;
  /** Whether there was too much to show all. */
  cut?: boolean;
}

/** In which way a file changed. */
export type FileChangeKind =
  | "added"
  | "modified"
  | "deleted"
  | "renamed"
  | "copied"
  /** A file became a link, or the other way round. */
  | "type_changed"
  /** Git does not know it yet. */
  | "untracked"
  /** A merge could not be made. */
  | "conflicted"
  | (string & {});

/** A run of changed lines. */
export interface DiffHunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** Each begins with a space, `-`, `+`, or `\` for a note. */
  lines: Array<string>;
  /** The function or section that it is in. */
  heading?: string;
}

/** The branch of a project, and which files changed. */
export interface GitState {
  /** The working tree. */
  root: string;
  changes: Array<GitChange>;
  /** Absent where no branch is checked out. */
  branch?: string;
  /** The commit that is checked out; absent before the first. */
  commit?: string;
  upstream?: string;
  /** Commits that the upstream does not have. */
  ahead?: number;
  /** Commits that only the upstream has. */
  behind?: number;
  /** Whether there were too many changes to list all. */
  cut?: boolean;
  /** The request's, where it had one. */
  requestId?: string;
}

/** A file that changed. */
export interface GitChange {
  /** From the working tree's folder. */
  path: string;
  staged?: FileChangeKind;
  unstaged?: FileChangeKind;
  /** What it was called before. */
  oldPath?: string;
}

/** What a folder provides that changes what agents do there, and whether the user trusts it. */
export interface TrustReport {
  /** The folder, with symlinks resolved. */
  projectPath: string;
  state: TrustState;
  /** Identifies exactly what `items` lists. `trust_folder` takes it. */
  digest: string;
  /** Everything that the folder provides, and with the state `changed` also what it no longer provides. Texts come from the folder's files as they are: escape control characters before you show them. */
  items: Array<TrustItem>;
  /** Files that could not be read or understood, with the reason. */
  problems?: Array<string>;
  /** How the folder was trusted before: `cli`, `ui`, `reference`. */
  by?: string;
  /** When the folder was trusted before, as RFC 3339. */
  at?: string;
  /** The request's, where it had one. */
  requestId?: string;
}

/** Something that a folder provides. */
export interface TrustItem {
  /** What it is, such as `hook`, `allow-rule`, `variable`, `server`, `skill`, `agent`. */
  kind: string;
  /** Such as the event of a hook, a rule, the name of a variable or server. */
  name: string;
  /** What it does: the command, the value, the command line or URL, the rights. */
  detail: string;
  /** The heading of its kind, for people. */
  heading?: string;
  /** The file and line that it comes from. */
  source?: string;
  /** How it differs from what the user trusted before. */
  change?: TrustChange;
}

/** How something differs from what the user trusted before. */
export type TrustChange =
  | "unchanged"
  | "added"
  | "removed"
  | (string & {});

/** The state of the bridge: whether it works, what waits, and what it uses. */
export interface BridgeStatus {
  /** The bridge's version. */
  version: string;
  /** When it was started, in milliseconds since 1970. */
  startedAt: number;
  /** The bridge's clock, in milliseconds since 1970. */
  time: number;
  readiness: Readiness;
  /** The sessions that the bridge holds; those that wait for a user first, then the newest. */
  sessions: Array<SessionInfo>;
  /** What sessions wait for, oldest first. */
  waiting: Array<PendingDecision>;
  /** The connected clients, by kind. */
  clients: Array<ClientCount>;
  load: BridgeLoad;
  storage: BridgeStorage;
  /** How often each kind of failure happened since the bridge was started. Kinds that did not happen are left out. */
  failures: Array<FailureTotal>;
  /** The latest failures, oldest first. */
  recentFailures: Array<FailureNote>;
  /** The request's, where it had one. */
  requestId?: string;
}

/** Whether the bridge can do its work. `GET /readyz` returns this too. */
export interface Readiness {
  /** Whether all checks passed. */
  ready: boolean;
  checks: Array<ReadinessCheck>;
}

/** A check of readiness. */
export interface ReadinessCheck {
  check: ReadinessSubject;
  ok: boolean;
  /** What is wrong, for people. */
  message?: string;
}

/** What is checked. */
export type ReadinessSubject =
  /** The event log accepts writes. */
  | "log"
  /** The listeners accept connections. */
  | "listener"
  /** The disk of the data folder has space. */
  | "disk"
  | (string & {});

/** A decision that a session waits for. */
export interface PendingDecision {
  sessionId: string;
  /** What `approve` and the others take. */
  id: string;
  kind: PermissionKind;
  toolName: string;
  /** Since when, in milliseconds since 1970. */
  since: number;
  /** A short line for people. */
  title?: string;
}

/** How many clients of a kind are connected. */
export interface ClientCount {
  /** A paired device or a program. */
  kind: string;
  /** `websocket` or `events`. */
  transport: string;
  count: number;
}

/** What the bridge's process uses, and what waits in it. */
export interface BridgeLoad {
  /** Bytes that wait to be written to the log. */
  logWaitingBytes: number;
  /** Inputs that wait in the queues of sessions. */
  queuedInputs: number;
  /** Memory of the bridge's process, in bytes; absent where the system does not report it. */
  memoryBytes?: number;
  /** Open files of the bridge's process, sockets included. */
  openFiles?: number;
  /** How many files it may open. */
  openFilesLimit?: number;
}

/** What the data folder takes of its disk. */
export interface BridgeStorage {
  /** Bytes of the event log's database. */
  databaseBytes: number;
  /** Bytes of agents' output that is not in the log yet, or not deleted since. */
  spoolBytes: number;
  /** Bytes that the bridge can still write. */
  availableBytes?: number;
  /** Bytes that the disk has. */
  totalBytes?: number;
}

/** How often a kind of failure happened. */
export interface FailureTotal {
  /** As in the metric `aqueduct_failures_total`. */
  kind: string;
  count: number;
  /** What happened and what was done about it, for people. */
  message?: string;
}

/** A failure. */
export interface FailureNote {
  /** When it happened, in milliseconds since 1970. */
  time: number;
  kind: string;
  /** Why it happened, for people. */
  error: string;
  /** The session that it is about. */
  sessionId?: string;
}

/** What the session's agent wrote to its stderr. The newest lines are kept, at least 256 KiB, as long as the agent runs; `agent_exited` has the end of it afterwards. */
export interface AgentStderr {
  sessionId: string;
  /** Whole lines, oldest first. */
  lines: Array<StderrLine>;
  /** What `sinceOffset` takes to continue. */
  nextOffset: number;
  /** The agent's process, by a name of the bridge; absent if none runs. */
  run?: string;
  /** Whether more is there already. */
  more: boolean;
  /** The request's, where it had one. */
  requestId?: string;
}

/** A line of stderr. */
export interface StderrLine {
  /** When it was written, in milliseconds since 1970. */
  time: number;
  text: string;
}

/** What was used. */
export interface UsageSummary {
  from: string;
  to: string;
  /** One for each day, project and model. */
  rows: Array<UsageRow>;
  /** All together, in US dollars. */
  costUsd: number;
  /** The newest state of each limit. */
  rateLimits: Array<RateLimitInfo>;
  /** The request's, where it had one. */
  requestId?: string;
}

/** What one model used in one project on one day. */
export interface UsageRow {
  /** As `2026-01-31`, in the bridge's time zone. */
  day: string;
  projectPath: string;
  model: string;
  costUsd: number;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  turns: number;
}

/** The devices that have access. */
export interface Devices {
  devices: Array<DeviceInfo>;
  /** The request's, where it had one. */
  requestId?: string;
}

/** A link that pairs one device, once. */
export interface Pairing {
  /** Open it on the device. The code is behind the `#`, so that it is sent to no server. */
  link: string;
  code: string;
  /** Until when, in milliseconds since 1970. */
  expiresAt: number;
  /** The link as a QR code, in SVG. */
  qr?: string;
  /** What the device may do. */
  scope?: AccessScope;
  /** The request's, where it had one. */
  requestId?: string;
}

/** Pair with a pairing code. Needs no token. */
export interface PairRequest {
  /** What is behind `#pair=` in the link. */
  code: string;
  /** What to call the device. */
  name?: string;
  /** What it is: `device` if absent, `token` for a program. */
  kind?: ActorKind;
  /** The public half of an ECDSA key on P-256 that the device signs in with: the uncompressed point (WebCrypto's `raw`), in base64url without padding. A device with a key gets no token. */
  publicKey?: string;
}

/** The device has access. */
export interface Paired {
  device: DeviceInfo;
  /** The device's token, unless it has a key. It is returned only here. */
  token?: string;
}

/** Requests a challenge for a device that has a key. Needs no token. */
export interface ChallengeRequest {
  deviceId: string;
}

/** A challenge to sign. It is good for one use. A device that is not known gets one as well. */
export interface Challenge {
  challenge: string;
  /** How long it can be answered, in milliseconds. */
  expiresInMs: number;
}

/** Signs a device in with its key. Needs no token, but the header `Origin`. */
export interface AccessTokenRequest {
  deviceId: string;
  challenge: string;
  /** ECDSA with SHA-256 over four lines joined by LF: `aqueduct sign-in v1`, the page's origin, the device's id and the challenge. Both numbers one after the other (IEEE P1363), in base64url without padding. */
  signature: string;
}

/** A token for a while. It belongs to the device, and to pages of the origin that it was issued for. */
export interface AccessToken {
  token: string;
  /** How long it is good for, in milliseconds. A WebSocket that was opened with it stays open. */
  expiresInMs: number;
}

/** Requests a ticket for a path: an image of a message, or a session as a document. */
export interface TicketRequest {
  /** The path, such as `/api/v1/sessions/ID/export/html`, without a query. */
  path: string;
}

/** A ticket: it reads one path once, for pages that can set no header, such as for a download. */
export interface Ticket {
  /** The path with the ticket in its query. */
  url: string;
  /** How long it can be used, in milliseconds. */
  expiresInMs: number;
}

/** The kinds of messages of the bridge that are stored and numbered. */
export type StoredType =
  | "system"
  | "user_input"
  | "assistant"
  | "tool_result"
  | "result"
  | "permission_request"
  | "permission_resolved"
  | "agent_event";

/** Messages that are stored in a session. */
export type StoredMessage = Extract<BridgeMessage, { type: StoredType }> & { seq: number };

/** How each kind of message of the bridge is delivered. */
export const DELIVERY: Readonly<Record<string, "stored" | "live" | "notice" | "reply">> = {
  hello: "reply",
  ok: "reply",
  error: "reply",
  pong: "reply",
  system: "stored",
  user_input: "stored",
  assistant: "stored",
  tool_result: "stored",
  result: "stored",
  permission_request: "stored",
  permission_resolved: "stored",
  agent_event: "stored",
  status: "live",
  stream_delta: "live",
  thinking_delta: "live",
  tool_input_delta: "live",
  partial: "live",
  queue: "live",
  retry: "live",
  budget: "live",
  agent_progress: "live",
  session_update: "notice",
  session_deleted: "notice",
  rate_limit: "notice",
  input_ack: "reply",
  input_rejected: "reply",
  session: "reply",
  subscribed: "reply",
  history_delta: "reply",
  history: "reply",
  session_list: "reply",
  recent_sessions: "reply",
  search_results: "reply",
  export: "reply",
  context: "reply",
  mcp_servers: "reply",
  mcp_sign_in: "reply",
  agents: "reply",
  commands: "reply",
  models: "reply",
  directory: "reply",
  files: "reply",
  file: "reply",
  diff: "reply",
  git_status: "reply",
  trust: "reply",
  bridge_status: "reply",
  stderr: "reply",
  usage: "reply",
  devices: "reply",
  pairing: "reply",
};

/** By the request's type: the type of the reply. */
export interface Replies {
  start: "ok";
  resume_session: "ok";
  stop_session: "ok";
  input: "input_ack" | "input_rejected";
  interrupt: "ok";
  approve: "ok";
  approve_always: "ok";
  reject: "ok";
  answer: "ok";
  update_queued_input: "ok";
  cancel_queued_input: "ok";
  move_queued_input: "ok";
  send_queued_input: "ok";
  subscribe: "subscribed";
  unsubscribe: "ok";
  get_history: "history";
  get_session: "session";
  list_sessions: "session_list";
  list_recent_sessions: "recent_sessions";
  search: "search_results";
  set_permission_mode: "ok";
  set_model: "ok";
  set_budget: "ok";
  rename_session: "ok";
  archive_session: "ok";
  delete_session: "ok";
  expire_session: "ok";
  export_session: "export";
  get_context: "context";
  list_mcp_servers: "mcp_servers";
  sign_in_mcp_server: "mcp_sign_in";
  finish_mcp_sign_in: "ok";
  sign_out_mcp_server: "ok";
  list_agents: "agents";
  list_commands: "commands";
  list_models: "models";
  list_directory: "directory";
  list_files: "files";
  read_file: "file";
  get_diff: "diff";
  get_git_status: "git_status";
  get_trust: "trust";
  trust_folder: "ok";
  distrust_folder: "ok";
  get_status: "bridge_status";
  get_stderr: "stderr";
  get_usage: "usage";
  list_devices: "devices";
  revoke_device: "ok";
  rename_device: "ok";
  pair_device: "pairing";
  subscribe_push: "ok";
  unsubscribe_push: "ok";
  test_push: "ok";
  ping: "pong";
}

/** The status that an HTTP answer has with each error code. */
export const HTTP_STATUS: Readonly<Record<string, number>> = {
  invalid_json: 400,
  invalid_message: 400,
  unknown_message: 404,
  message_too_large: 413,
  unauthorized: 401,
  challenge_expired: 401,
  cookie_retired: 401,
  forbidden: 403,
  confirmation_required: 409,
  pairing_failed: 403,
  too_many_requests: 429,
  session_not_found: 404,
  session_conflict: 409,
  input_not_found: 404,
  queue_full: 429,
  permission_not_found: 404,
  ambiguous_request: 409,
  already_resolved: 409,
  input_changed: 409,
  wrong_decision: 409,
  path_not_allowed: 403,
  path_not_found: 404,
  not_a_repository: 409,
  repository_refused: 409,
  trust_required: 403,
  trust_changed: 409,
  session_too_large: 409,
  agent_not_running: 409,
  agent_not_found: 404,
  agent_failed: 502,
  agent_timeout: 504,
  not_supported: 501,
  not_subscribed: 409,
  device_not_found: 404,
  storage_failed: 507,
  unavailable: 503,
  internal: 500,
};
