// Made from the tables of aqueduct-bridge by `cargo xtask gen`. Do not edit.
//
// What the bridge and its clients say to each other. The bridge adds kinds, members and names as it
// grows: give every switch a default, and pass over what you don't know.

import type {
  FromAgent,
  AssistantMessage,
  ContentBlock,
  Usage,
  ErrorName,
  ModelUsage,
  PermissionMode,
  InitMcpServer,
  CompactTrigger,
  SlashCommand,
  ResultSubtype,
  PermissionDenial,
  TerminalReason,
  PermissionUpdate,
  Destination,
  DecisionReasonType,
  PermissionPart,
  RateLimitInfo,
  ModelInfo,
  AgentInfo,
  AnswerAnnotation,
} from "../../../../aqueduct-wire/generated/stream-json.ts";

export type * from "../../../../aqueduct-wire/generated/stream-json.ts";

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
  | ({ type: "export_session" } & ExportSession)
  | ({ type: "get_context" } & GetContext)
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
  | ({ type: "agents" } & Agents)
  | ({ type: "commands" } & Commands)
  | ({ type: "models" } & Models)
  | ({ type: "directory" } & Directory)
  | ({ type: "files" } & Files)
  | ({ type: "file" } & FileContent)
  | ({ type: "diff" } & Diff)
  | ({ type: "git_status" } & GitState)
  | ({ type: "trust" } & TrustReport)
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

/** How the session fares. */
export interface StatusChange {
  status: SessionStatus;
  /** Since when, in milliseconds since 1970. */
  since: number;
  /** What it waits for or why it failed, for people. */
  message?: string;
  sessionId: string;
}

/** How a session fares. */
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

/** The models that a session can use. Others may work too. */
export interface Models {
  models: Array<ModelInfo>;
  sessionId?: string;
  /** The one in use. */
  model?: string;
  /** The request's, where it had one. */
  requestId?: string;
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
  export_session: "export";
  get_context: "context";
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
